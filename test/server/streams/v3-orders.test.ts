import { describe, expect, test } from 'vitest';
import { openVenue } from '../kit.ts';
import { ask, askList, askOne, BUY, MARKETS, SELL, reported, traderOn } from './trading-markets.ts';

const ROW = 'server:trading-v3.stream-trading';

describe.each(MARKETS)('orders of the market $market', (one) => {
  const { market, symbol, more } = one;
  const order = { ...BUY, symbol };

  test(
    'every change and every trade is sent from then on',
    { tags: [`${ROW}.${market}-subscribe`] },
    async () => {
      const venue = await openVenue();
      const trader = await traderOn(venue, one, 'demo');
      const follower = await venue.tradingSocket('demo');
      const other = await traderOn(venue, one, 'other');
      expect(await ask(follower, `${market}_subscribe`)).toBe(true);
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'first-0001' });
      await ask(trader, `${market}_replace_order`, {
        client_order_id: 'first-0001',
        new_client_order_id: 'second-001',
        quantity: '0.6',
        price: '2000',
      });
      await ask(other, `${market}_new_order`, { ...SELL, symbol });
      await ask(trader, `${market}_cancel_order`, { client_order_id: 'second-001' });
      await follower.settle();
      const reports = reported(follower, `${market}_order`);
      expect(reports.map((report) => [report['report_type'], report['client_order_id']])).toEqual([
        ['new', 'first-0001'],
        ['replaced', 'second-001'],
        ['trade', 'second-001'],
        ['canceled', 'second-001'],
      ]);
    },
  );

  test('nothing more is sent', { tags: [`${ROW}.${market}-unsubscribe`] }, async () => {
    const venue = await openVenue();
    const trader = await traderOn(venue, one, 'demo');
    await ask(trader, `${market}_subscribe`);
    await ask(trader, `${market}_new_order`, order);
    const before = trader.received(`${market}_order`).length;
    expect(before).toBe(1);
    expect(await ask(trader, `${market}_unsubscribe`)).toBe(true);
    await ask(trader, `${market}_new_order`, order);
    expect(trader.received(`${market}_order`)).toHaveLength(before);
  });

  test(
    'active orders are sent once, after the reply to the subscription',
    { tags: [`${ROW}.notif-${market}-orders`] },
    async () => {
      const venue = await openVenue();
      const trader = await traderOn(venue, one, 'demo');
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0001' });
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0002' });
      const { id } = await trader.request(`${market}_subscribe`);
      await trader.settle();
      const snapshots = trader.received(`${market}_orders`);
      expect(snapshots.map(({ params }) => params)).toMatchObject([
        [
          { client_order_id: 'order-0001', report_type: 'status', status: 'new', ...more },
          { client_order_id: 'order-0002', report_type: 'status', status: 'new', ...more },
        ],
      ]);
      const reply = trader.frames.findIndex((frame) => frame['id'] === id);
      expect(trader.frames.indexOf(snapshots[0])).toBe(reply + 1);
    },
  );

  test('a change is sent as one report', { tags: [`${ROW}.notif-${market}-order`] }, async () => {
    const venue = await openVenue();
    const trader = await traderOn(venue, one, 'demo');
    await ask(trader, `${market}_subscribe`);
    const placed = await askOne(trader, `${market}_new_order`, {
      ...order,
      client_order_id: 'order-0001',
    });
    expect(reported(trader, `${market}_order`)).toEqual([placed]);
    expect(placed).toMatchObject({ report_type: 'new', client_order_id: 'order-0001', ...more });
  });

  test(
    'active orders are given as reports, those of a symbol where it is named',
    { tags: [`${ROW}.${market}-get-orders`] },
    async () => {
      const venue = await openVenue();
      const trader = await traderOn(venue, one, 'demo');
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0001' });
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0002' });
      await ask(trader, `${market}_cancel_order`, { client_order_id: 'order-0001' });
      const orders = await askList(trader, `${market}_get_orders`);
      expect(orders).toMatchObject([
        { client_order_id: 'order-0002', report_type: 'status', symbol, ...more },
      ]);
      expect(await askList(trader, `${market}_get_orders`, { symbol })).toEqual(orders);
      const reply = await trader.request(`${market}_get_orders`, { symbol: 'NOTHING' });
      expect(reply).toMatchObject({ error: { code: 2001 } });
    },
  );

  test('an order is placed as over REST', { tags: [`${ROW}.${market}-new-order`] }, async () => {
    const venue = await openVenue();
    const trader = await traderOn(venue, one, 'demo');
    const placed = await askOne(trader, `${market}_new_order`, {
      ...order,
      client_order_id: 'order-0001',
      type: 'limit',
      time_in_force: 'GTC',
      post_only: true,
      strict_validate: true,
    });
    expect(placed).toMatchObject({
      symbol,
      side: 'buy',
      status: 'new',
      post_only: true,
      ...more,
    });
    const { body } = await venue.call('GET', `/api/3/${market}/order/order-0001`, { as: 'demo' });
    expect(body).toMatchObject({ id: placed['id'], quantity: placed['quantity'] });
  });

  test('a list is placed as one', { tags: [`${ROW}.${market}-new-order-list`] }, async () => {
    const venue = await openVenue();
    const trader = await traderOn(venue, one, 'demo');
    trader.send({
      method: `${market}_new_order_list`,
      params: {
        contingency_type: 'oneTriggerOther',
        order_list_id: 'list-00001',
        orders: [
          { ...order, client_order_id: 'list-00001' },
          { ...order, client_order_id: 'list-00002', side: 'sell', price: '3000' },
        ],
      },
      id: 'list',
    });
    await trader.settle();
    const replies = trader.frames.filter(({ id }) => id === 'list');
    expect(replies).toMatchObject([
      { result: { client_order_id: 'list-00001', order_list_id: 'list-00001', status: 'new' } },
      {
        result: {
          client_order_id: 'list-00002',
          order_list_id: 'list-00001',
          status: 'suspended',
          inactive: true,
          contingency_type: 'oneTriggerOther',
        },
      },
    ]);
  });

  test(
    'another order takes the place of one',
    { tags: [`${ROW}.${market}-replace-order`] },
    async () => {
      const venue = await openVenue();
      const trader = await traderOn(venue, one, 'demo');
      const { id } = await askOne(trader, `${market}_new_order`, {
        ...order,
        client_order_id: 'order-0001',
      });
      venue.pass(1_000_000);
      const replaced = await askOne(trader, `${market}_replace_order`, {
        client_order_id: 'order-0001',
        new_client_order_id: 'order-0002',
        quantity: '0.7',
        price: '1999.999999',
        strict_validate: false,
      });
      expect(replaced).toMatchObject({ client_order_id: 'order-0002', status: 'new' });
      expect(Number(replaced['quantity'])).toBe(0.7);
      expect(Number(replaced['price'])).toBe(2000);
      expect(replaced['id']).not.toBe(id);
      const orders = await askList(trader, `${market}_get_orders`);
      expect(orders.map((left) => left['client_order_id'])).toEqual(['order-0002']);
    },
  );

  test('an order is canceled once', { tags: [`${ROW}.${market}-cancel-order`] }, async () => {
    const venue = await openVenue();
    const trader = await traderOn(venue, one, 'demo');
    const id = { client_order_id: 'order-0001' };
    await ask(trader, `${market}_new_order`, { ...order, ...id });
    expect(await ask(trader, `${market}_cancel_order`, id)).toMatchObject({
      ...id,
      status: 'canceled',
      report_type: 'canceled',
    });
    expect(await trader.request(`${market}_cancel_order`, id)).toMatchObject({
      error: { code: 20002, message: 'Order not found' },
    });
  });

  test(
    'all orders of the market are canceled',
    { tags: [`${ROW}.${market}-cancel-orders`] },
    async () => {
      const venue = await openVenue();
      const trader = await traderOn(venue, one, 'demo');
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0001' });
      await ask(trader, `${market}_new_order`, { ...order, client_order_id: 'order-0002' });
      const elsewhere = market === 'spot' ? undefined : { ...BUY, symbol: 'ETHUSDT' };
      if (elsewhere !== undefined) await ask(trader, 'spot_new_order', elsewhere);
      expect(await ask(trader, `${market}_cancel_orders`)).toMatchObject([
        { client_order_id: 'order-0001', report_type: 'canceled', status: 'canceled' },
        { client_order_id: 'order-0002', report_type: 'canceled', status: 'canceled' },
      ]);
      expect(await ask(trader, `${market}_get_orders`)).toEqual([]);
      expect(await askList(trader, 'spot_get_orders')).toHaveLength(
        elsewhere === undefined ? 0 : 1,
      );
    },
  );
});

test(
  'the reply has the last report of the order, behind its notifications',
  { tags: [`${ROW}.spot-new-order-reply`] },
  async () => {
    const venue = await openVenue();
    const other = await venue.tradingSocket('other');
    await ask(other, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
    const trader = await venue.tradingSocket('demo');
    await ask(trader, 'spot_subscribe');
    const reply = await askOne(trader, 'spot_new_order', { ...BUY, symbol: 'BTCUSDT' });
    expect(reply).toMatchObject({ report_type: 'trade', status: 'partiallyFilled' });
    expect(reported(trader, 'spot_order').at(-1)).toEqual(reply);
  },
);

test(
  'each order of a list has a reply, all with the id of the request',
  { tags: [`${ROW}.spot-new-order-list-replies`] },
  async () => {
    const venue = await openVenue();
    const trader = await venue.tradingSocket('demo');
    const orders = [BUY, { ...BUY, price: '1900', type: 'stopLimit', stop_price: '1950' }];
    trader.send({
      method: 'spot_new_order_list',
      params: {
        contingency_type: 'oneCancelOther',
        orders: orders.map((one, i) => ({
          ...one,
          symbol: 'ETHUSDT',
          client_order_id: `oco-000${i}`,
        })),
      },
      id: 77,
    });
    await trader.settle();
    const replies = trader.frames.filter(({ id }) => id === 77);
    expect(
      replies.map(({ result }) => (result as { client_order_id: string }).client_order_id),
    ).toEqual(['oco-0000', 'oco-0001']);
  },
);

test(
  'a replacement is reported with the order that it replaced and the time of that one',
  { tags: [`${ROW}.spot-replace-report`] },
  async () => {
    const venue = await openVenue();
    const trader = await venue.tradingSocket('demo');
    const placed = await askOne(trader, 'spot_new_order', {
      ...BUY,
      symbol: 'BTCUSDT',
      client_order_id: 'order-0001',
    });
    venue.pass(1_500_000);
    const replaced = await askOne(trader, 'spot_replace_order', {
      client_order_id: 'order-0001',
      new_client_order_id: 'order-0002',
      quantity: '0.25',
      price: '2100',
    });
    expect(replaced).toMatchObject({
      report_type: 'replaced',
      original_client_order_id: 'order-0001',
      status: 'new',
      created_at: placed['created_at'],
      updated_at: '2026-01-05T10:00:01.5Z',
      quantity: '0.25000',
      price: '2100.00',
    });
  },
);

test('a stop price is replaced too', { tags: [`${ROW}.spot-replace-order`] }, async () => {
  const venue = await openVenue();
  const trader = await venue.tradingSocket('demo');
  const stop = { ...BUY, type: 'stopLimit', stop_price: '2500', symbol: 'BTCUSDT' };
  await ask(trader, 'spot_new_order', { ...stop, client_order_id: 'order-0001' });
  const replaced = await askOne(trader, 'spot_replace_order', {
    client_order_id: 'order-0001',
    new_client_order_id: 'order-0002',
    quantity: '0.5',
    price: '2000',
    stop_price: '2600',
  });
  expect(replaced).toMatchObject({ stop_price: '2600.00', status: 'suspended' });
});
