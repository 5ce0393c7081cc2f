import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import type { Side, TimeInForce } from '../../../src/model/order.ts';
import { US_PER_DAY, US_PER_HOUR } from '../../../src/platform/time.ts';
import { History } from '../../../src/server/trading/orders/history.ts';
import { idOf, openMarket } from './harness.ts';

describe('an order without executions', () => {
  test('is deleted 24 hours after its end, and its client order id leads nowhere', async () => {
    const { venue, demo, other } = await openMarket();
    await demo.order({ client_order_id: idOf('gone') });
    await demo.order({ client_order_id: idOf('kept') });
    await other.order({ side: 'sell', quantity: '1' });
    venue.pass(US_PER_HOUR);
    await demo.done('DELETE', '/spot/order');
    await demo.order({ client_order_id: idOf('active') });
    expect(await demo.past()).toHaveLength(3);
    venue.pass(US_PER_DAY - 1);
    expect(await demo.past()).toHaveLength(3);
    venue.pass(1);
    const left = await demo.past();
    // The one that was filled first, and the one that is active.
    expect(left.map((order) => order['client_order_id'])).toEqual([idOf('active'), idOf('gone')]);
    expect(await demo.past(`?client_order_id=${idOf('kept')}`)).toEqual([]);
    venue.pass(30 * US_PER_DAY);
    expect(await demo.past()).toHaveLength(2);
    expect(await demo.active()).toMatchObject([{ client_order_id: idOf('active') }]);
  });

  test('that had a part executed is kept, whatever ended it', async () => {
    const { venue, demo, other } = await openMarket();
    await other.order({ side: 'sell', quantity: '0.5' });
    await demo.order({ time_in_force: 'IOC', client_order_id: idOf('part') });
    venue.pass(2 * US_PER_DAY);
    expect(await demo.past()).toMatchObject([
      { status: 'expired', quantity_cumulative: '0.5000', client_order_id: idOf('part') },
    ]);
  });

  test('leaves those before and after it under the same client order id', async () => {
    const { venue, demo, other } = await openMarket();
    const id = idOf('again');
    const fill = async (): Promise<void> => {
      await demo.order({ client_order_id: id });
      await other.order({ side: 'sell' });
      venue.pass(US_PER_HOUR);
    };
    const fail = async (): Promise<void> => {
      await demo.order({ client_order_id: id, time_in_force: 'FOK' });
      venue.pass(US_PER_HOUR);
    };
    await fill();
    await fail();
    await fill();
    await fail();
    venue.pass(20 * US_PER_HOUR);
    const ids = async (): Promise<readonly unknown[]> =>
      (await demo.past(`?client_order_id=${id}`)).map((order) => order['id']);
    expect(await ids()).toEqual([6, 4, 3, 1]);
    venue.pass(2 * US_PER_HOUR);
    expect(await ids()).toEqual([6, 4, 1]);
    venue.pass(US_PER_DAY);
    expect(await ids()).toEqual([4, 1]);
  });
});

describe('as many as are kept', () => {
  test('orders with and without executions, and trades, are kept; the oldest go first', async () => {
    const { venue, demo, other } = await openMarket({ kept: { orders: 2, trades: 3 } });
    for (const n of [1, 2, 3]) {
      await demo.order({ client_order_id: idOf(`filled${n}`), quantity: '2' });
      await other.order({ side: 'sell', quantity: '1' });
      await other.order({ side: 'sell', quantity: '1' });
      await demo.order({ client_order_id: idOf(`none${n}`), time_in_force: 'FOK' });
    }
    await demo.order({ client_order_id: idOf('active') });
    const names = (await demo.past()).map((order) => order['client_order_id']);
    expect(names).toEqual(['active', 'none3', 'filled3', 'none2', 'filled2'].map(idOf));
    const trades = await demo.trades();
    expect(trades.map(({ id }) => id)).toEqual([6, 5, 4]);
    expect(await demo.trades(`?order_id=${String(trades[2]?.['order_id'])}`)).toHaveLength(1);
    expect(venue.trading.history.of(demo.account).size).toEqual({
      orders: 5,
      names: 5,
      trades: 3,
    });
  });

  test('nothing else grows: a bot that trades for weeks leaves as much as one that does for an hour', async () => {
    const { venue, demo, other } = await openMarket({ kept: { orders: 10, trades: 20 } });
    const { trading } = venue;
    const order = { symbol: 'ETHBTC', quantity: new Decimal('0.0001'), price: new Decimal('0.05') };
    const place = (account: number, side: Side, timeInForce?: TimeInForce): void => {
      trading.act((exchange, at) => {
        const form = { ...order, side, timeInForce };
        expect(exchange.forms.place(account, form, at)).toBeUndefined();
      });
    };
    const sizes: unknown[] = [];
    for (let hour = 1; hour <= 1_000; hour += 1) {
      place(demo.account, 'sell');
      place(other.account, 'buy');
      place(demo.account, 'buy', 'FOK');
      venue.pass(US_PER_HOUR);
      if (hour % 500 === 0) sizes.push(trading.history.of(demo.account).size);
    }
    expect(sizes[1]).toEqual(sizes[0]);
    expect(sizes[1]).toEqual({ orders: 20, names: 20, trades: 20 });
  });

  test('what is no number of things is refused', () => {
    for (const most of [-1, 0.5, Number.NaN]) {
      expect(() => new History({ orders: most })).toThrow('orders');
      expect(() => new History({ trades: most })).toThrow('trades');
    }
  });
});
