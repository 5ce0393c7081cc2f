import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { openVenue, OPENED } from '../../../server/kit.ts';
import { BUY, MARKETS, SELL } from '../../../server/streams/trading-markets.ts';
import { session, type Subscriptions, type Reported } from './account-methods.ts';

const ROW = 'client:trading-v3.stream-trading';

const NAMES = ['order-one', 'order-two', 'order-three'] as const;

/** A report of a buy that rests, as the client gives it. */
const rested = (more: object) => ({
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  post_only: false,
  quantity: decimal('0.5'),
  quantity_cumulative: decimal('0'),
  price: decimal('2000'),
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

describe.each(MARKETS)('on the $market market', (on) => {
  const { market, symbol, more } = on;

  const open = async () => {
    const venue = await openVenue();
    const subscriptions = await session(venue, 'demo', on);
    const place = (name: string, terms: object = BUY) =>
      subscriptions.ask(`${market}_new_order`, {
        ...terms,
        symbol,
        client_order_id: name,
      }) as Promise<Reported>;
    const meet = async (): Promise<Subscriptions> => {
      const other = await session(venue, 'other', on);
      await other.ask(`${market}_new_order`, { ...SELL, symbol });
      return other;
    };
    return { venue, subscriptions, place, meet };
  };

  test(
    'every change and every trade is sent, one report at a time',
    { tags: [`${ROW}.${market}-subscribe`, `${ROW}.notif-${market}-order`] },
    async () => {
      const { subscriptions, place, meet } = await open();
      expect(await subscriptions.ask(`${market}_subscribe`)).toBe(true);
      await place('order-one');
      await meet();
      await subscriptions.ask(`${market}_cancel_order`, { client_order_id: 'order-one' });
      const reports = await subscriptions.hears(`${market}_order`, 3);
      const named = { client_order_id: 'order-one', symbol, ...more };
      const part = { quantity_cumulative: decimal('0.2') };
      expect(reports).toMatchObject([
        rested({ ...named, report_type: 'new' }),
        rested({ ...named, ...part, status: 'partiallyFilled', report_type: 'trade' }),
        rested({ ...named, ...part, status: 'canceled', report_type: 'canceled' }),
      ]);
      expect(reports[1]).toMatchObject({
        trade_quantity: decimal('0.2'),
        trade_price: decimal('2000'),
        trade_taker: false,
      });
    },
  );

  test(
    'active orders are sent once at the subscription',
    { tags: [`${ROW}.notif-${market}-orders`] },
    async () => {
      const { subscriptions, place } = await open();
      await place('order-one');
      await subscriptions.ask(`${market}_subscribe`);
      const lists = await subscriptions.hears(`${market}_orders`, 1);
      const named = { client_order_id: 'order-one', symbol, ...more };
      expect(lists).toMatchObject([[rested({ ...named, report_type: 'status' })]]);
    },
  );

  test('nothing more is sent', { tags: [`${ROW}.${market}-unsubscribe`] }, async () => {
    const { subscriptions, place } = await open();
    await subscriptions.ask(`${market}_subscribe`);
    await place('order-one');
    await subscriptions.hears(`${market}_order`, 1);
    expect(await subscriptions.ask(`${market}_unsubscribe`)).toBe(true);
    await place('order-two');
    await subscriptions.ask(`${market}_get_orders`);
    expect(subscriptions.reported(`${market}_order`)).toHaveLength(1);
  });

  test(
    'active orders are given as reports, of a symbol where one is named',
    { tags: [`${ROW}.${market}-get-orders`] },
    async () => {
      const { subscriptions, place } = await open();
      await place('order-one');
      const named = { client_order_id: 'order-one', symbol, ...more };
      const expected = [rested({ ...named, report_type: 'status' })];
      expect(await subscriptions.ask(`${market}_get_orders`)).toMatchObject(expected);
      expect(await subscriptions.ask(`${market}_get_orders`, { symbol })).toMatchObject(expected);
      // There is but one contract.
      const elsewhere = market === 'futures' ? 'NONE' : 'ETHUSDT';
      const others = subscriptions.ask(`${market}_get_orders`, { symbol: elsewhere });
      if (market === 'futures') await expect(others).rejects.toMatchObject({ serviceCode: 2001 });
      else expect(await others).toEqual([]);
    },
  );

  test('an order is placed with its terms', { tags: [`${ROW}.${market}-new-order`] }, async () => {
    const { venue, subscriptions, place } = await open();
    const stop = { ...BUY, type: 'stopLimit', stop_price: '2100', time_in_force: 'GTD' } as const;
    const expire = (OPENED + 60_000_000) as never;
    const placed = await place('order-one', { ...stop, expire_time: expire, post_only: true });
    const named = { client_order_id: 'order-one', symbol, ...more };
    const terms = { type: 'stopLimit', stop_price: decimal('2100'), time_in_force: 'GTD' };
    const report = { ...terms, expire_time: expire, post_only: true, status: 'suspended' };
    expect(placed).toMatchObject(rested({ ...named, ...report, report_type: 'suspended' }));
    const active = await subscriptions.ask(`${market}_get_orders`);
    expect(active).toMatchObject([{ id: placed['id'], ...report }]);
    expect(venue.trading.now()).toBe(OPENED);
  });

  test(
    'a list is placed and answered with a report for each order',
    { tags: [`${ROW}.${market}-new-order-list`] },
    async () => {
      const { subscriptions } = await open();
      const orders = [
        { ...BUY, symbol, client_order_id: NAMES[0] },
        { ...BUY, symbol, client_order_id: NAMES[1], type: 'stopLimit', stop_price: '2200' },
      ];
      const list = { contingency_type: 'oneCancelOther', order_list_id: NAMES[0], orders };
      const reports = await subscriptions.ask(`${market}_new_order_list`, list);
      const of = { order_list_id: NAMES[0], contingency_type: 'oneCancelOther', symbol, ...more };
      expect(reports).toMatchObject([
        rested({ ...of, client_order_id: NAMES[0], report_type: 'new' }),
        { ...of, client_order_id: NAMES[1], status: 'suspended', stop_price: decimal('2200') },
      ]);
    },
  );

  test(
    'another order takes the place of one',
    { tags: [`${ROW}.${market}-replace-order`] },
    async () => {
      const { subscriptions, place } = await open();
      const placed = await place('order-one');
      const replaced = (await subscriptions.ask(`${market}_replace_order`, {
        client_order_id: 'order-one',
        new_client_order_id: 'order-two',
        quantity: '0.7',
        price: decimal('1999.5'),
        strict_validate: true,
      })) as Reported;
      expect(replaced).toMatchObject({
        client_order_id: 'order-two',
        original_client_order_id: 'order-one',
        status: 'new',
        quantity: decimal('0.7'),
        price: decimal('1999.5'),
        report_type: 'replaced',
        symbol,
      });
      expect(replaced['id']).not.toBe(placed['id']);
      const active = (await subscriptions.ask(`${market}_get_orders`)) as readonly Reported[];
      expect(active.map(({ client_order_id: name }) => name)).toEqual(['order-two']);
    },
  );

  test('an order is canceled', { tags: [`${ROW}.${market}-cancel-order`] }, async () => {
    const { subscriptions, place } = await open();
    await place('order-one');
    const canceled = await subscriptions.ask(`${market}_cancel_order`, {
      client_order_id: 'order-one',
    });
    const named = { client_order_id: 'order-one', symbol, ...more };
    expect(canceled).toMatchObject(
      rested({ ...named, status: 'canceled', report_type: 'canceled' }),
    );
    expect(await subscriptions.ask(`${market}_get_orders`)).toEqual([]);
  });

  test('all orders are canceled', { tags: [`${ROW}.${market}-cancel-orders`] }, async () => {
    const { subscriptions, place } = await open();
    for (const name of NAMES) await place(name);
    const canceled = (await subscriptions.ask(`${market}_cancel_orders`)) as readonly Reported[];
    expect(canceled.map(({ client_order_id: name }) => name)).toEqual(NAMES);
    expect(canceled.every(({ status }) => status === 'canceled')).toBe(true);
    expect(await subscriptions.ask(`${market}_get_orders`)).toEqual([]);
  });
});

describe('on the spot market', () => {
  test(
    'the reply is one report, the last of the order',
    { tags: [`${ROW}.spot-new-order-reply`] },
    async () => {
      const venue = await openVenue();
      const { socket } = await session(venue, 'other');
      await socket.request('spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
      const { socket: mine } = await session(venue, 'demo');
      const report = await mine.request('spot_new_order', {
        ...BUY,
        symbol: 'BTCUSDT',
        quantity: decimal('0.2'),
        client_order_id: 'order-one',
      });
      expect(report).toMatchObject({
        client_order_id: 'order-one',
        status: 'filled',
        report_type: 'trade',
        quantity_cumulative: decimal('0.2'),
        trade_price: decimal('2000'),
        taker: true,
        trade_fee: decimal('1'),
      });
    },
  );

  test(
    'orders, trades and balances that are kept from the stream alone are those of REST',
    { tags: [`${ROW}.track-account-state`] },
    async () => {
      const venue = await openVenue();
      const subscriptions = await session(venue, 'demo');
      const other = await session(venue, 'other');
      await subscriptions.ask('spot_subscribe');
      await subscriptions.ask('spot_balance_subscribe');
      await subscriptions.hears('spot_balance', 1);
      const market = { symbol: 'BTCUSDT' };
      for (const [i, name] of NAMES.entries()) {
        const terms = { ...BUY, price: decimal(String(2000 - i)), client_order_id: name };
        await subscriptions.ask('spot_new_order', { ...market, ...terms });
      }
      await other.ask('spot_new_order', { ...market, ...SELL });
      await subscriptions.ask('spot_cancel_order', { client_order_id: 'order-two' });
      await subscriptions.hears('spot_order', 5);
      const orders = new Map<unknown, Reported>();
      for (const report of subscriptions.reported('spot_order') as readonly Reported[]) {
        const ended = report['status'] === 'canceled' || report['status'] === 'filled';
        if (ended) orders.delete(report['client_order_id']);
        else orders.set(report['client_order_id'], report);
      }
      const balances = new Map<unknown, Reported>();
      for (const balance of subscriptions.reported('spot_balance').flat() as readonly Reported[]) {
        balances.set(balance['currency'], balance);
      }
      const { rest } = subscriptions.client;
      const active = await rest.getSpotOrders();
      expect(active).toHaveLength(2);
      expect([...orders.values()]).toMatchObject(active);
      const trades = (subscriptions.reported('spot_order') as readonly Reported[])
        .filter((report) => report['report_type'] === 'trade')
        .map((one) => ({ id: one['trade_id'], quantity: one['trade_quantity'] }));
      const history = await rest.getSpotTradeHistory();
      expect(trades).toEqual(history.map(({ id, quantity }) => ({ id, quantity })));
      const shown = (await rest.getSpotBalances()).filter(({ currency }) => balances.has(currency));
      expect(shown).toHaveLength(3);
      expect(shown).toEqual(shown.map(({ currency }) => balances.get(currency)));
    },
  );
});
