import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body, type Market } from '../spot/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const ID = 'order-0001';
const STOP = { type: 'stopLimit', side: 'sell', stop_price: '0.04', price: '0.039' } as const;

/** What anybody sees in the book. */
async function book({ venue }: Market): Promise<unknown> {
  const { body } = await venue.call('GET', '/api/3/public/orderbook/ETHBTC');
  const { ask, bid } = body as { ask: unknown; bid: unknown };
  return { ask, bid };
}

const EMPTY = { ask: [], bid: [] };

describe('an order', () => {
  test(
    'that does not match is new: it stands in the book, and nothing is executed',
    { tags: ['server:trading-v3.state.create-to-new', 'server:trading-v3.state.new'] },
    async () => {
      const market = await openMarket();
      const order = await market.demo.order();
      expect(order).toMatchObject({ status: 'new', quantity_cumulative: '0.0000' });
      expect(await book(market)).toEqual({ ask: [], bid: [['0.050000', '1.0000']] });
    },
  );

  test(
    'that matches whole is filled in the answer, all of its quantity executed',
    { tags: ['server:trading-v3.state.create-to-filled', 'server:trading-v3.state.filled'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      const order = await demo.order();
      expect(order).toMatchObject({
        status: 'filled',
        quantity: '1.0000',
        quantity_cumulative: '1.0000',
      });
    },
  );

  test(
    'that matches in part is partiallyFilled in the answer, and its rest in the book',
    {
      tags: [
        'server:trading-v3.state.create-to-partially-filled',
        'server:trading-v3.state.partially-filled',
      ],
    },
    async () => {
      const market = await openMarket();
      await market.other.order({ side: 'sell', quantity: '0.3' });
      const order = await market.demo.order();
      expect(order).toMatchObject({ status: 'partiallyFilled', quantity_cumulative: '0.3000' });
      expect(await book(market)).toEqual({ ask: [], bid: [['0.050000', '0.7000']] });
    },
  );

  test(
    'that rests goes through partiallyFilled to filled as others come',
    { tags: ['server:trading-v3.state.new-to-filled-by-later-match'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: ID });
      const seen: unknown[] = [];
      for (const quantity of ['0.4', '0.6']) {
        await other.order({ side: 'sell', quantity });
        const { status, quantity_cumulative: executed } = await demo.pastOrder(ID);
        seen.push([status, executed]);
      }
      expect(seen).toEqual([
        ['partiallyFilled', '0.4000'],
        ['filled', '1.0000'],
      ]);
    },
  );

  test.each([
    ['stopLimit', '0.039'],
    ['stopMarket', undefined],
    ['takeProfitLimit', '0.039'],
    ['takeProfitMarket', undefined],
  ])(
    'of the type %s is suspended',
    { tags: ['server:trading-v3.state.create-stop-to-suspended'] },
    async (type, price) => {
      const { demo } = await openMarket();
      expect(await demo.order({ ...STOP, type, price })).toMatchObject({ status: 'suspended' });
    },
  );

  test(
    'that is suspended is active and stands in no book: what would meet it there does not',
    { tags: ['server:trading-v3.state.suspended', 'server:trading-v3.rule.trigger-stop'] },
    async () => {
      const market = await openMarket();
      const { demo, other } = market;
      await demo.order({ ...STOP, client_order_id: ID });
      expect(await demo.active()).toMatchObject([{ client_order_id: ID, status: 'suspended' }]);
      expect(await book(market)).toEqual(EMPTY);
      expect(await other.order({ price: '0.039' })).toMatchObject({ status: 'new' });
      expect(await demo.pastOrder(ID)).toMatchObject({ status: 'suspended' });
    },
  );

  test(
    'that is suspended rests as new when its price has come',
    { tags: ['server:trading-v3.state.suspended-to-active'] },
    async () => {
      const market = await openMarket();
      await market.demo.order({ ...STOP, client_order_id: ID });
      await market.print('0.04');
      expect(await market.demo.active()).toMatchObject([{ client_order_id: ID, status: 'new' }]);
      expect(await book(market)).toEqual({ ask: [['0.039000', '1.0000']], bid: [] });
    },
  );

  test(
    'that is suspended gets the state of an order that comes then',
    { tags: ['server:trading-v3.state.suspended-to-active'] },
    async () => {
      const { demo, other, print } = await openMarket();
      await demo.order({ ...STOP, client_order_id: ID });
      await other.order({ price: '0.0395', quantity: '0.4' });
      await print('0.04');
      expect(await demo.pastOrder(ID)).toMatchObject({
        status: 'partiallyFilled',
        quantity_cumulative: '0.4000',
      });
    },
  );

  test(
    'is canceled by a request, whose answer is the order',
    { tags: ['server:trading-v3.state.cancel-to-canceled'] },
    async () => {
      const { demo } = await openMarket();
      const { id } = await demo.order({ client_order_id: ID });
      expect(await demo.cancel(ID)).toMatchObject({ id, client_order_id: ID, status: 'canceled' });
    },
  );

  test(
    'that is suspended is canceled like any other',
    { tags: ['server:trading-v3.state.cancel-suspended'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ ...STOP, client_order_id: ID });
      expect(await demo.cancel(ID)).toMatchObject({ status: 'canceled' });
      expect(await demo.active()).toEqual([]);
      expect(await demo.balance('ETH')).toMatchObject({ available: '1000', reserved: '0' });
    },
  );

  test(
    'that is replaced has a successor, which is new',
    { tags: ['server:trading-v3.state.replace-to-new'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      expect(await demo.replace(ID, { quantity: '2', price: '0.051' })).toMatchObject({
        status: 'new',
        quantity: '2.0000',
        price: '0.051000',
      });
    },
  );

  test(
    'that is replaced is active no more, and canceled',
    { tags: ['server:trading-v3.state.replaced-original-canceled'] },
    async () => {
      const { venue, demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      venue.pass(5_000);
      const change = { quantity: '2', price: '0.051', new_client_order_id: idOf('new') };
      await demo.replace(ID, change);
      expect(await demo.active()).toMatchObject([{ client_order_id: idOf('new') }]);
      expect(await demo.pastOrder(ID)).toMatchObject({
        status: 'canceled',
        quantity: '1.0000',
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00.005Z',
      });
    },
  );
});

/** Brings an order of `demo` to its end. */
const ENDS: Readonly<Record<string, (market: Market) => Promise<unknown>>> = {
  filled: async ({ demo, other }) => {
    await demo.order({ client_order_id: ID });
    await other.order({ side: 'sell' });
  },
  'canceled by its owner': async ({ demo }) => {
    await demo.order({ client_order_id: ID });
    await demo.cancel(ID);
  },
  'canceled by a replacement': async ({ demo }) => {
    await demo.order({ client_order_id: ID });
    const next = { quantity: '2', price: '0.04', new_client_order_id: idOf('next') };
    await demo.replace(ID, next);
  },
  'canceled by the system': async ({ demo, other, print }) => {
    // A stop that finds the market dearer, when it is triggered, than all that its owner has.
    await other.order({ side: 'sell', price: '0.11', quantity: '990' });
    const stop = { type: 'stopMarket', stop_price: '0.04', price: undefined, quantity: '990' };
    await demo.order({ ...stop, client_order_id: ID });
    await print('0.04');
    await other.done('DELETE', '/spot/order');
  },
  'expired by its time in force': async ({ demo }) => {
    await demo.order({ client_order_id: ID, time_in_force: 'FOK' });
  },
  'expired as post-only': async ({ demo, other }) => {
    await other.order({ side: 'sell' });
    await demo.order({ client_order_id: ID, post_only: true });
  },
};

const statusOf = (end: string): string => end.split(' ')[0] ?? '';

describe('an order that has ended', () => {
  eachRow('', [
    ['server:trading-v3.state.canceled', 'canceled by its owner'],
    ['server:trading-v3.state.canceled', 'canceled by a replacement'],
    ['server:trading-v3.state.canceled', 'canceled by the system'],
    ['server:trading-v3.state.expired', 'expired by its time in force'],
    ['server:trading-v3.state.expired', 'expired as post-only'],
  ])('is %s', async (end) => {
    const market = await openMarket();
    await ENDS[end]?.(market);
    expect(await market.demo.pastOrder(ID)).toMatchObject({ status: statusOf(end) });
  });

  test.each(Object.keys(ENDS))(
    'as %s never changes again, and no call for active orders has it',
    {
      tags: [
        'server:trading-v3.state.terminal-states',
        'server:trading-v3.state.inactive-leave-active-list',
      ],
    },
    async (end) => {
      const market = await openMarket();
      const { demo, other, print } = market;
      await ENDS[end]?.(market);
      const ended = await demo.pastOrder(ID);
      expect(await demo.active()).not.toContainEqual(
        expect.objectContaining({ client_order_id: ID }),
      );
      const unknown = { status: 400, code: 20002 };
      expect(await demo.rejected('GET', `/spot/order/${ID}`)).toMatchObject(unknown);
      expect(await demo.rejected('DELETE', `/spot/order/${ID}`)).toMatchObject(unknown);
      expect(await demo.replaceRejected(ID, { quantity: '3', price: '0.05' })).toMatchObject(
        unknown,
      );
      await demo.done('DELETE', '/spot/order');
      await other.order({ side: 'sell', quantity: '3', price: '0.03', time_in_force: 'IOC' });
      await print('0.02');
      expect(await demo.pastOrder(ID)).toEqual(ended);
    },
  );

  test(
    'may have been partiallyFilled before it was canceled, expired or replaced',
    { tags: ['server:trading-v3.state.unlisted-moves'] },
    async () => {
      const { venue, demo, other } = await openMarket();
      const half = { side: 'sell', quantity: '0.5' };
      await demo.order({ client_order_id: idOf('canceled') });
      await other.order(half);
      const ends: Body[] = [await demo.cancel(idOf('canceled'))];
      const gtd = { time_in_force: 'GTD', expire_time: '2026-01-05T10:00:01Z' };
      await demo.order({ client_order_id: idOf('expired'), ...gtd });
      await other.order(half);
      venue.pass(1_000_000);
      ends.push(await demo.pastOrder(idOf('expired')));
      await demo.order({ client_order_id: idOf('replaced') });
      await other.order(half);
      const next = await demo.replace(idOf('replaced'), { quantity: '2', price: '0.05' });
      ends.push(await demo.pastOrder(idOf('replaced')), next);
      expect(ends.map((one) => [one['status'], one['quantity_cumulative']])).toEqual([
        ['canceled', '0.5000'],
        ['expired', '0.5000'],
        ['canceled', '0.5000'],
        ['partiallyFilled', '0.5000'],
      ]);
    },
  );
});

test(
  'the calls for active orders have suspended ones too',
  { tags: ['server:trading-v3.rule.active-orders-include-suspended'] },
  async () => {
    const { demo } = await openMarket();
    await demo.order({ ...STOP, client_order_id: ID });
    expect(await demo.active()).toMatchObject([{ client_order_id: ID, status: 'suspended' }]);
    expect(await demo.done('GET', `/spot/order/${ID}`)).toMatchObject({ status: 'suspended' });
  },
);
