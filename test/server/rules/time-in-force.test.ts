import { describe, expect, test } from 'vitest';
import {
  US_PER_DAY,
  US_PER_HOUR,
  US_PER_MINUTE,
  US_PER_SECOND,
} from '../../../src/platform/time.ts';
import { OPENED } from '../kit.ts';
import { openMarket, type Body } from '../spot/harness.ts';

const ID = 'order-0001';

describe('IOC', () => {
  test(
    'fills what it can and expires with what is left',
    { tags: ['server:trading-v3.rule.tif-ioc'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.4' });
      const order = await demo.order({ time_in_force: 'IOC' });
      expect(order).toMatchObject({ status: 'expired', quantity_cumulative: '0.4000' });
      expect(await demo.active()).toEqual([]);
      expect(await demo.balance('BTC')).toMatchObject({ reserved: '0' });
    },
  );

  test(
    'is filled where nothing is left',
    { tags: ['server:trading-v3.rule.tif-ioc'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '1.5' });
      const order = await demo.order({ time_in_force: 'IOC' });
      expect(order).toMatchObject({ status: 'filled', quantity_cumulative: '1.0000' });
    },
  );
});

describe('FOK', () => {
  test(
    'expires with nothing executed where the book is too small',
    { tags: ['server:trading-v3.rule.tif-fok'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.9999', client_order_id: ID });
      const order = await demo.order({ time_in_force: 'FOK' });
      expect(order).toMatchObject({ status: 'expired', quantity_cumulative: '0.0000' });
      expect(await other.active()).toMatchObject([{ status: 'new', client_order_id: ID }]);
      expect(await demo.balance('BTC')).toMatchObject({ available: '100', reserved: '0' });
    },
  );

  test(
    'fills whole, from several orders too',
    { tags: ['server:trading-v3.rule.tif-fok'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.6', price: '0.049' });
      await other.order({ side: 'sell', quantity: '0.4' });
      const order = await demo.order({ time_in_force: 'FOK' });
      expect(order).toMatchObject({ status: 'filled', quantity_cumulative: '1.0000' });
    },
  );

  test.each<[what: string, order: Body, resting: string, status: string]>([
    ['an IOC order', { time_in_force: 'IOC' }, '0.4', 'expired'],
    ['an IOC order', { time_in_force: 'IOC' }, '2', 'filled'],
    ['a FOK order', { time_in_force: 'FOK' }, '0.4', 'expired'],
    ['a FOK order', { time_in_force: 'FOK' }, '2', 'filled'],
    ['a market order', { type: 'market', price: undefined }, '0.4', 'expired'],
    ['a market order', { type: 'market', price: undefined }, '2', 'filled'],
  ])(
    'or IOC: the answer to %s %j where %s is there is %s',
    { tags: ['server:trading-v3.rule.ioc-fok-final-status'] },
    async (_what, order, resting, status) => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: resting });
      expect(await demo.order(order)).toMatchObject({ status });
    },
  );
});

describe('by time', () => {
  test(
    'a Day order is active until 23:59 UTC of its day and expires then',
    { tags: ['server:trading-v3.rule.tif-day'] },
    async () => {
      const { venue, demo } = await openMarket();
      await demo.order({ client_order_id: ID, time_in_force: 'Day' });
      const end = Math.floor(OPENED / US_PER_DAY) * US_PER_DAY + US_PER_DAY - US_PER_MINUTE;
      venue.pass(end - OPENED - 1);
      expect(await demo.active()).toMatchObject([{ status: 'new' }]);
      venue.pass(1);
      expect(await demo.active()).toEqual([]);
      expect(await demo.pastOrder(ID)).toMatchObject({
        status: 'expired',
        updated_at: '2026-01-05T23:59:00Z',
      });
    },
  );

  test(
    'a GTD order is active until its time and expires then',
    { tags: ['server:trading-v3.rule.tif-gtd'] },
    async () => {
      const { venue, demo } = await openMarket();
      const order = { client_order_id: ID, time_in_force: 'GTD' };
      await demo.order({ ...order, expire_time: '2026-01-05T12:00:00.000Z' });
      venue.pass(2 * US_PER_HOUR - 1);
      expect(await demo.active()).toMatchObject([
        { status: 'new', expire_time: '2026-01-05T12:00:00Z' },
      ]);
      venue.pass(1);
      expect(await demo.active()).toEqual([]);
      expect(await demo.pastOrder(ID)).toMatchObject({
        status: 'expired',
        updated_at: '2026-01-05T12:00:00Z',
      });
      expect(await demo.balance('BTC')).toMatchObject({ available: '100', reserved: '0' });
    },
  );

  test('it happens without a request, and the account gets a report', async () => {
    const { venue, demo } = await openMarket();
    const socket = await venue.tradingSocket('demo');
    await socket.request('spot_subscribe');
    const order = { time_in_force: 'GTD', expire_time: '2026-01-05T10:00:01Z' };
    await demo.order({ ...order, client_order_id: ID });
    venue.pass(US_PER_SECOND);
    const reported = await socket.until(
      ({ method, params }) => method === 'spot_order' && (params as Body)['status'] === 'expired',
    );
    expect(reported['params']).toMatchObject({ client_order_id: ID, report_type: 'expired' });
  });

  test('a time that has passed is refused', async () => {
    const { demo } = await openMarket();
    const order = { time_in_force: 'GTD', expire_time: '2026-01-05T10:00:00Z' };
    expect(await demo.orderRejected(order)).toMatchObject({ status: 400, code: 10001 });
  });
});

describe('post_only', () => {
  test(
    'expires in the answer where it would take, and executes nothing',
    { tags: ['server:trading-v3.rule.post-only-expires'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', client_order_id: ID });
      const order = await demo.order({ post_only: true, price: '0.051' });
      expect(order).toMatchObject({
        status: 'expired',
        quantity_cumulative: '0.0000',
        post_only: true,
      });
      expect(order).not.toHaveProperty('trades');
      expect(await other.active()).toMatchObject([{ quantity_cumulative: '0.0000' }]);
      expect(await demo.balance('BTC')).toMatchObject({ available: '100', reserved: '0' });
    },
  );

  test(
    'rests as new where it would not',
    { tags: ['server:trading-v3.rule.post-only-rests'] },
    async () => {
      const { venue, demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      expect(await demo.order({ post_only: true, price: '0.049999' })).toMatchObject({
        status: 'new',
        post_only: true,
      });
      const { body } = await venue.call('GET', '/api/3/public/orderbook/ETHBTC');
      expect(body).toMatchObject({ bid: [['0.049999', '1.0000']] });
    },
  );
});
