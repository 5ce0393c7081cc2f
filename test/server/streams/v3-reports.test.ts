import { describe, expect, test } from 'vitest';
import { openVenue } from '../kit.ts';
import { ask, askOne, BUY, MARKETS, SELL, reported, traderOn } from './trading-markets.ts';

const ROW = 'server:trading-v3.stream-trading';
const order = { ...BUY, symbol: 'BTCUSDT' } as const;

const ALWAYS = [
  ...['id', 'client_order_id', 'symbol', 'side', 'status', 'type', 'time_in_force'],
  ...['quantity', 'quantity_cumulative', 'post_only', 'created_at', 'updated_at', 'report_type'],
];

describe('reports of orders', () => {
  test(
    'every report has what identifies the order and how it stands',
    { tags: [`${ROW}.report-fields`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      await ask(socket, 'spot_subscribe');
      await ask(socket, 'spot_new_order', order);
      await ask(await venue.tradingSocket('other'), 'spot_new_order', {
        ...SELL,
        symbol: 'BTCUSDT',
      });
      await ask(socket, 'spot_new_order', {
        ...order,
        type: 'market',
        price: undefined,
        quantity: '0.1',
      });
      await ask(socket, 'spot_cancel_orders');
      const reports = reported(socket, 'spot_order');
      expect(reports.length).toBeGreaterThan(3);
      for (const report of reports)
        expect(Object.keys(report)).toEqual(expect.arrayContaining(ALWAYS));
      const [first] = reports;
      expect(typeof first?.['id']).toBe('number');
      expect(first).toMatchObject({ quantity: '0.50000', quantity_cumulative: '0.00000' });
    },
  );

  test(
    'what an order does not have is absent',
    { tags: [`${ROW}.report-conditional-fields`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const plain = await askOne(socket, 'spot_new_order', order);
      expect(plain).toHaveProperty('price', '2000.00');
      for (const absent of ['stop_price', 'expire_time', 'order_list_id', 'contingency_type']) {
        expect(plain).not.toHaveProperty(absent);
      }
      const market = await askOne(socket, 'spot_new_order', {
        ...order,
        price: undefined,
        type: 'stopMarket',
        stop_price: '3000',
      });
      expect(market).not.toHaveProperty('price');
      expect(market).toHaveProperty('stop_price', '3000.00');
      const dated = await askOne(socket, 'spot_new_order', {
        ...order,
        time_in_force: 'GTD',
        expire_time: '2026-01-06T00:00:00.250Z',
      });
      expect(dated).toHaveProperty('expire_time', '2026-01-06T00:00:00.25Z');
      const pair = [
        { ...order, client_order_id: 'list-00001' },
        { ...order, client_order_id: 'list-00002', side: 'sell', price: '9000' },
      ];
      await ask(socket, 'spot_new_order_list', {
        contingency_type: 'oneTriggerOther',
        orders: pair,
      });
      const listed = (await ask(socket, 'spot_get_orders')) as readonly object[];
      expect(listed.slice(-2)).toMatchObject([
        { order_list_id: 'list-00001', contingency_type: 'oneTriggerOther' },
        { order_list_id: 'list-00001', contingency_type: 'oneTriggerOther' },
      ]);
    },
  );

  test('each kind of event has its type', { tags: [`${ROW}.report-types`] }, async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    const other = await venue.tradingSocket('other');
    await ask(socket, 'spot_subscribe');
    const id = (n: number) => ({ client_order_id: `order-000${n}` });
    await ask(socket, 'spot_new_order', { ...order, ...id(1) });
    await ask(socket, 'spot_replace_order', {
      ...id(1),
      new_client_order_id: 'order-0002',
      quantity: '0.2',
      price: '2000',
    });
    await ask(other, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
    await ask(socket, 'spot_new_order', {
      ...order,
      type: 'stopLimit',
      stop_price: '9000',
      ...id(3),
    });
    await ask(socket, 'spot_cancel_order', id(3));
    await ask(socket, 'spot_new_order', { ...order, time_in_force: 'IOC', ...id(4) });
    const types = reported(socket, 'spot_order').map((one) => [one['report_type'], one['status']]);
    expect(types).toEqual([
      ['new', 'new'],
      ['replaced', 'new'],
      ['trade', 'filled'],
      ['suspended', 'suspended'],
      ['canceled', 'canceled'],
      ['new', 'new'],
      ['expired', 'expired'],
    ]);
  });

  test.each(MARKETS.map((one) => [one.market, one] as const))(
    'a trade of the market %s says what it was',
    { tags: [`${ROW}.report-trade-fields`] },
    async (market, one) => {
      const venue = await openVenue();
      const maker = await traderOn(venue, one, 'other');
      const taker = await traderOn(venue, one, 'demo');
      for (const socket of [maker, taker]) await ask(socket, `${market}_subscribe`);
      await ask(maker, `${market}_new_order`, { ...SELL, symbol: one.symbol });
      await ask(taker, `${market}_new_order`, { ...BUY, symbol: one.symbol });
      await maker.settle();
      const [made] = reported(maker, `${market}_order`).slice(-1);
      const [taken] = reported(taker, `${market}_order`).slice(-1);
      expect(taken).toMatchObject({ report_type: 'trade', trade_taker: true });
      expect(made).toMatchObject({ report_type: 'trade', trade_taker: false });
      expect(Number(taken?.['trade_quantity'])).toBe(0.2);
      expect(Number(taken?.['trade_price'])).toBe(2000);
      expect(taken?.['trade_fee']).toBe(market === 'futures' ? '0.280000000000' : '1.000000000000');
      expect(taken?.['trade_id']).toBe(made?.['trade_id']);
      expect(typeof taken?.['trade_id']).toBe('number');
      expect('trade_position_id' in (taken ?? {})).toBe(market !== 'spot');
    },
  );

  test('taker stands under both names', { tags: [`${ROW}.report-taker`] }, async () => {
    const venue = await openVenue();
    const maker = await venue.tradingSocket('other');
    await ask(maker, 'spot_subscribe');
    await ask(maker, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
    const taker = await venue.tradingSocket('demo');
    const taken = await askOne(taker, 'spot_new_order', order);
    expect(taken).toMatchObject({ taker: true, trade_taker: true });
    await maker.settle();
    expect(reported(maker, 'spot_order').at(-1)).toMatchObject({
      taker: false,
      trade_taker: false,
    });
  });

  test(
    'a stop order that its price activates is reported as new',
    { tags: [`${ROW}.report-activation`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const other = await venue.tradingSocket('other');
      await ask(socket, 'spot_subscribe');
      await ask(socket, 'spot_new_order', {
        ...order,
        type: 'stopLimit',
        stop_price: '2500',
        client_order_id: 'stop-00001',
      });
      await ask(other, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT', price: '2600' });
      await ask(other, 'spot_new_order', {
        ...BUY,
        symbol: 'BTCUSDT',
        price: '2600',
        quantity: '0.1',
      });
      await socket.settle();
      expect(
        reported(socket, 'spot_order').map((one) => [one['report_type'], one['status']]),
      ).toEqual([
        ['suspended', 'suspended'],
        ['new', 'new'],
      ]);
    },
  );
});
