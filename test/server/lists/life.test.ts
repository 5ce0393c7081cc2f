import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body, type SpotTrader } from '../spot/harness.ts';

const AON = 'allOrNone';
const OCO = 'oneCancelOther';
const OTO = 'oneTriggerOther';
const OTOCO = 'oneTriggerOneCancelOther';

const IN = { side: 'buy', price: '0.05', client_order_id: idOf('in') } as const;
const TP = { side: 'sell', price: '0.06', client_order_id: idOf('tp') } as const;
const SL = {
  side: 'sell',
  type: 'stopMarket',
  price: undefined,
  stop_price: '0.04',
  client_order_id: idOf('sl'),
} as const;

/** Status and executed quantity of orders by their names. */
async function statesOf(
  methods: SpotTrader,
  ...names: readonly string[]
): Promise<readonly unknown[]> {
  const orders = await Promise.all(names.map((name) => methods.pastOrder(idOf(name))));
  return orders.map((order) => [order['status'], order['quantity_cumulative']].join(' '));
}

describe('oneCancelOther', () => {
  test(
    'cancels the other when one is executed',
    { tags: ['server:trading-v3.list.behaviour-oco'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.list(OCO, [TP, SL]);
      await other.order({ price: '0.06' });
      expect(await statesOf(demo, 'tp', 'sl')).toEqual(['filled 1.0000', 'canceled 0.0000']);
      expect(await demo.active()).toEqual([]);
      expect(await demo.balance('ETH')).toMatchObject({ available: '999', reserved: '0' });
    },
  );

  test(
    'cancels both others when the stop is executed',
    { tags: ['server:trading-v3.list.behaviour-oco'] },
    async () => {
      const { demo, other, print } = await openMarket();
      const far = { ...SL, type: 'takeProfitMarket', stop_price: '0.09' };
      await demo.list(OCO, [TP, SL, { ...far, client_order_id: idOf('far') }]);
      await other.order({ price: '0.035' });
      await print('0.04');
      expect(await statesOf(demo, 'tp', 'sl', 'far')).toEqual([
        'canceled 0.0000',
        'filled 1.0000',
        'canceled 0.0000',
      ]);
    },
  );

  test(
    'cancels the other with the first part that is executed',
    { tags: ['server:trading-v3.list.behaviour-oco-partial'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.list(OCO, [TP, SL]);
      await other.order({ price: '0.06', quantity: '0.1' });
      expect(await statesOf(demo, 'tp', 'sl')).toEqual([
        'partiallyFilled 0.1000',
        'canceled 0.0000',
      ]);
    },
  );

  test('holds what one of its orders needs, not what all do', async () => {
    const { demo } = await openMarket();
    await demo.list(OCO, [TP, SL]);
    expect(await demo.balance('ETH')).toMatchObject({ available: '999', reserved: '1' });
  });

  test.each(['tp', 'sl'])('is answered with the order that is canceled, here %s', async (name) => {
    const { demo } = await openMarket();
    await demo.list(OCO, [TP, SL]);
    const canceled = await demo.cancel(idOf(name));
    expect(canceled).toMatchObject({ client_order_id: idOf(name), status: 'canceled' });
    expect(await demo.active()).toEqual([]);
  });

  test('ends whole when one is canceled, and all that ended is answered to who cancels all', async () => {
    const { demo } = await openMarket();
    await demo.list(OCO, [TP, SL]);
    const canceled = await demo.done<readonly Body[]>('DELETE', '/spot/order');
    expect(canceled.map((order) => order['client_order_id'])).toEqual([idOf('tp'), idOf('sl')]);
    expect(await demo.active()).toEqual([]);
  });
});

describe('oneTriggerOther', () => {
  test(
    'activates the others when the first is executed, and they do not depend on each other',
    { tags: ['server:trading-v3.list.behaviour-oto'] },
    async () => {
      const { demo, other } = await openMarket();
      const second = { ...TP, price: '0.07', client_order_id: idOf('second') };
      await demo.list(OTO, [IN, TP, second]);
      expect(await statesOf(demo, 'in', 'tp', 'second')).toEqual([
        'new 0.0000',
        'suspended 0.0000',
        'suspended 0.0000',
      ]);
      await other.order({ side: 'sell' });
      expect(await statesOf(demo, 'in', 'tp', 'second')).toEqual([
        'filled 1.0000',
        'new 0.0000',
        'new 0.0000',
      ]);
      await other.order({ price: '0.06' });
      expect(await statesOf(demo, 'tp', 'second')).toEqual(['filled 1.0000', 'new 0.0000']);
    },
  );

  test.each([
    ['canceled', async (demo: SpotTrader) => demo.cancel(idOf('in'))],
    ['expired', async (demo: SpotTrader) => demo.venue.pass(1_000_000)],
  ])(
    'cancels the others when the first is %s',
    { tags: ['server:trading-v3.list.behaviour-primary-canceled'] },
    async (end, act) => {
      const { demo } = await openMarket();
      const gtd = { time_in_force: 'GTD', expire_time: '2026-01-05T10:00:01Z' };
      await demo.list(OTO, [{ ...IN, ...gtd }, TP]);
      await act(demo);
      expect(await statesOf(demo, 'in', 'tp')).toEqual([`${end} 0.0000`, 'canceled 0.0000']);
      expect(await demo.active()).toEqual([]);
    },
  );
});

describe('oneTriggerOneCancelOther', () => {
  test(
    'activates the others when the first is executed, of which one cancels the other',
    { tags: ['server:trading-v3.list.behaviour-otoco'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.list(OTOCO, [IN, TP, SL]);
      await other.order({ side: 'sell' });
      expect(await statesOf(demo, 'in', 'tp', 'sl')).toEqual([
        'filled 1.0000',
        'new 0.0000',
        'suspended 0.0000',
      ]);
      for (const order of await demo.active()) expect(order).not.toHaveProperty('inactive');
      await other.order({ price: '0.06' });
      expect(await statesOf(demo, 'tp', 'sl')).toEqual(['filled 1.0000', 'canceled 0.0000']);
    },
  );
});

describe('allOrNone', () => {
  const ETH = { side: 'buy', price: '0.05', time_in_force: 'FOK', client_order_id: idOf('one') };
  const BTC = { ...ETH, symbol: 'BTCUSDT', price: '40000', client_order_id: idOf('two') };

  test(
    'executes all where all can be',
    { tags: ['server:trading-v3.list.behaviour-aon'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      await other.order({ symbol: 'BTCUSDT', side: 'sell', price: '40000' });
      await demo.list(AON, [ETH, BTC]);
      expect(await statesOf(demo, 'one', 'two')).toEqual(['filled 1.0000', 'filled 1.00000']);
    },
  );

  test(
    'executes none where one cannot be',
    { tags: ['server:trading-v3.list.behaviour-aon'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', client_order_id: idOf('offer') });
      await other.order({ symbol: 'BTCUSDT', side: 'sell', price: '40000', quantity: '0.99999' });
      const placed = await demo.list(AON, [ETH, BTC]);
      expect(placed.map(({ status }) => status)).toEqual(['expired', 'expired']);
      expect(await statesOf(other, 'offer')).toEqual(['new 0.0000']);
      expect(await demo.trades()).toEqual([]);
    },
  );
});

describe('an order of a list', () => {
  test(
    'has its list and contingency type, as long as it is shown',
    { tags: ['server:trading-v3.list.record-list-fields'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.list(OCO, [TP, SL]);
      const inList = { order_list_id: idOf('tp'), contingency_type: OCO };
      expect(await demo.active()).toMatchObject([inList, inList]);
      await other.order({ price: '0.06' });
      expect(await demo.past()).toMatchObject([inList, inList]);
      expect(await demo.order()).not.toHaveProperty('order_list_id');
    },
  );

  test(
    'is inactive as a secondary until its primary is executed',
    { tags: ['server:trading-v3.list.inactive-flag'] },
    async () => {
      const { demo, other } = await openMarket();
      const placed = await demo.list(OTOCO, [IN, TP, SL]);
      expect(placed.map(({ inactive }) => inactive)).toEqual([undefined, true, true]);
      await other.order({ side: 'sell', quantity: '0.5' });
      const half = await demo.active();
      expect(half.map(({ inactive }) => inactive)).toEqual([undefined, true, true]);
      await other.order({ side: 'sell', quantity: '0.5' });
      const active = await demo.active();
      expect(active.map(({ inactive }) => inactive)).toEqual([undefined, undefined]);
    },
  );

  test(
    'begins as suspended where it is a stop or take-profit order',
    { tags: ['server:trading-v3.list.stop-in-list-suspended'] },
    async () => {
      const { demo } = await openMarket();
      const profit = { ...SL, type: 'takeProfitLimit', stop_price: '0.06', price: '0.06' };
      const placed = await demo.list(OCO, [SL, { ...profit, client_order_id: idOf('tp') }]);
      expect(placed.map(({ status }) => status)).toEqual(['suspended', 'suspended']);
    },
  );

  test(
    'is answered without trades, though it has some',
    { tags: ['server:trading-v3.list.no-trades'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      const placed = await demo.list(OTO, [IN, TP]);
      expect(placed[0]).toMatchObject({ status: 'filled', quantity_cumulative: '1.0000' });
      for (const order of placed) expect(order).not.toHaveProperty('trades');
      expect(await demo.trades()).toHaveLength(1);
    },
  );
});
