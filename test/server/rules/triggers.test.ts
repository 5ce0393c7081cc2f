import { describe, expect, test } from 'vitest';
import { openMarket, type Body } from '../spot/harness.ts';

const ID = 'order-0001';

/** Each stops at 0.05; what stays away from it and what reaches it, and how it shows then. */
const KINDS: readonly [type: string, side: string, away: string, reached: string][] = [
  ['stopLimit', 'buy', '0.049999', '0.05'],
  ['stopMarket', 'buy', '0.049999', '0.05'],
  ['takeProfitLimit', 'buy', '0.050001', '0.05'],
  ['takeProfitMarket', 'buy', '0.050001', '0.05'],
  ['stopLimit', 'sell', '0.050001', '0.05'],
  ['stopMarket', 'sell', '0.050001', '0.05'],
  ['takeProfitLimit', 'sell', '0.049999', '0.05'],
  ['takeProfitMarket', 'sell', '0.049999', '0.05'],
];

describe('the last public trade triggers', () => {
  test.each(KINDS)(
    'a %s %s with the stop 0.05 not at %s and at %s',
    { tags: ['server:trading-v3.rule.trigger-direction', 'server:trading-v3.rule.trigger-stop'] },
    async (type, side, away, reached) => {
      const { demo, print } = await openMarket();
      const isLimit = type.endsWith('Limit');
      const far = side === 'buy' ? '0.03' : '0.07';
      const order: Body = { type, side, stop_price: '0.05', price: isLimit ? far : undefined };
      await demo.order({ ...order, client_order_id: ID });
      await print(away);
      expect(await demo.pastOrder(ID)).toMatchObject({ status: 'suspended' });
      await print(reached);
      // A limit type rests, a market type finds nobody and expires.
      expect(await demo.pastOrder(ID)).toMatchObject({ status: isLimit ? 'new' : 'expired' });
    },
  );

  test('and a price that is passed counts like one that is reached', async () => {
    const { demo, print } = await openMarket();
    const stop = { type: 'stopLimit', side: 'sell', stop_price: '0.05', price: '0.07' };
    await demo.order({ ...stop, client_order_id: ID });
    await print('0.01');
    expect(await demo.pastOrder(ID)).toMatchObject({ status: 'new' });
  });

  test('an order whose price is reached already waits for the next trade', async () => {
    const { demo, print } = await openMarket();
    await print('0.04');
    const stop = { type: 'stopLimit', side: 'sell', stop_price: '0.05', price: '0.07' };
    expect(await demo.order({ ...stop, client_order_id: ID })).toMatchObject({
      status: 'suspended',
    });
    await print('0.04');
    expect(await demo.pastOrder(ID)).toMatchObject({ status: 'new' });
  });

  test('a trigger is reported to the account as new', async () => {
    const { venue, demo, print } = await openMarket();
    const stop = { type: 'stopLimit', side: 'sell', stop_price: '0.05', price: '0.07' };
    await demo.order({ ...stop, client_order_id: ID });
    const socket = await venue.tradingSocket('demo');
    await socket.request('spot_subscribe');
    await print('0.05');
    const reported = await socket.until(({ method }) => method === 'spot_order');
    expect(reported['params']).toMatchObject({
      client_order_id: ID,
      report_type: 'new',
      status: 'new',
    });
  });
});

describe('orders meet', () => {
  test(
    'at the best price first, and at one price the earlier first',
    { tags: ['server:trading-v3.rule.matching-price-time'] },
    async () => {
      const { demo, other } = await openMarket();
      const offers = { dear: '0.051', first: '0.05', second: '0.05', best: '0.049' };
      for (const [name, price] of Object.entries(offers)) {
        await other.order({ side: 'sell', price, client_order_id: `order-${name}` });
      }
      const { trades } = await demo.order({ quantity: '2.5', price: '0.06' });
      expect((trades as readonly Body[]).map(({ price, quantity }) => [price, quantity])).toEqual([
        ['0.049000', '1.0000'],
        ['0.050000', '1.0000'],
        ['0.050000', '0.5000'],
      ]);
      const active = await other.active();
      expect(active.map((order) => [order['client_order_id'], order['status']])).toEqual([
        ['order-dear', 'new'],
        ['order-second', 'partiallyFilled'],
      ]);
    },
  );
});
