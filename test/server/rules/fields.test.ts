import { describe, expect, test } from 'vitest';
import { openMarket, type Body } from '../spot/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const STOP = { stop_price: '0.06' } as const;
const NO_PRICE = { price: undefined } as const;

describe('an order is refused with HTTP 400', () => {
  eachRow<[tag: string, what: string, order: Body, code: number]>('server:trading-v3.rule.', [
    ['symbol-required', 'without a symbol', { symbol: undefined }, 10001],
    ['side-required', 'without a side', { side: undefined }, 10001],
    ['side-required', 'with the side hold', { side: 'hold' }, 10001],
    ['type-values', 'of the type iceberg', { type: 'iceberg' }, 20049],
    ['type-invalid-code', 'of the type Limit', { type: 'Limit' }, 20049],
    ['type-market-without-price', 'without price and type', NO_PRICE, 10001],
    ['tif-values', 'with the time in force GTX', { time_in_force: 'GTX' }, 20048],
    ['tif-invalid-code', 'with the time in force gtc', { time_in_force: 'gtc' }, 20048],
    [
      'tif-invalid-code',
      'as a market order that should rest',
      { type: 'market', ...NO_PRICE, time_in_force: 'GTC' },
      20048,
    ],
    ['expire-time-required', 'with GTD without a time', { time_in_force: 'GTD' }, 10001],
    ['quantity-required', 'without a quantity', { quantity: undefined }, 10001],
    ['price-required-limit', 'as limit without a price', { type: 'limit', ...NO_PRICE }, 10001],
    [
      'price-required-limit',
      'as stopLimit without a price',
      { type: 'stopLimit', ...STOP, ...NO_PRICE },
      10001,
    ],
    [
      'price-required-limit',
      'as takeProfitLimit without a price',
      { type: 'takeProfitLimit', ...STOP, ...NO_PRICE },
      10001,
    ],
    ['stop-price-required', 'as stopLimit without a stop price', { type: 'stopLimit' }, 10001],
    [
      'stop-price-required',
      'as stopMarket without a stop price',
      { type: 'stopMarket', ...NO_PRICE },
      10001,
    ],
    [
      'stop-price-required',
      'as takeProfitLimit without a stop price',
      { type: 'takeProfitLimit' },
      10001,
    ],
    [
      'stop-price-required',
      'as takeProfitMarket without a stop price',
      { type: 'takeProfitMarket', ...NO_PRICE },
      10001,
    ],
    ['rounded-to-zero', 'where the quantity becomes zero', { quantity: '0.00005' }, 2011],
    [
      'strict-validate-price',
      'off the tick with strict_validate',
      { price: '0.0460165', strict_validate: true },
      2022,
    ],
    [
      'strict-validate-quantity',
      'off the increment with strict_validate',
      { quantity: '1.00005', strict_validate: true },
      2012,
    ],
  ])('%s', async (_what, order, code) => {
    const { demo } = await openMarket();
    expect(await demo.orderRejected(order)).toMatchObject({ status: 400, code });
  });

  test(
    'on a symbol that is suspended, with 20010',
    { tags: ['server:trading-v3.rule.symbol-not-working'] },
    async () => {
      const { venue, demo } = await openMarket();
      await demo.order({ client_order_id: 'order-0001' });
      venue.trading.exchange.statuses.set('ETHBTC', 'suspended');
      expect(await demo.orderRejected({})).toMatchObject({ status: 400, code: 20010 });
      expect(await demo.order({ symbol: 'ETHUSDT' })).toMatchObject({ status: 'new' });
      expect(await demo.cancel('order-0001')).toMatchObject({ status: 'canceled' });
    },
  );

  test('on a symbol that is unknown, or of futures, with 2001', async () => {
    const { demo } = await openMarket();
    for (const symbol of ['ETHDOGE', 'ETH-BTC', 'ETHUSDT_PERP']) {
      expect(await demo.orderRejected({ symbol })).toMatchObject({ status: 400, code: 2001 });
    }
  });
});

describe('a symbol or currency', () => {
  test('is read in any letter case, in a body, a query and a path, and written in capitals', async () => {
    const { venue, demo } = await openMarket();
    expect(await demo.order({ symbol: 'ethBTC', client_order_id: 'any-case' })).toMatchObject({
      symbol: 'ETHBTC',
    });
    const get = async (path: string) =>
      (await venue.call('GET', `/api/3${path}`, { as: 'demo' })).body;
    expect(await get('/spot/order?symbol=ethbtc')).toMatchObject([{ symbol: 'ETHBTC' }]);
    expect(await get('/spot/fee/ethbtc')).toHaveProperty('take_rate');
    expect(await get('/spot/balance/eth')).toHaveProperty('available');
    expect(await get('/public/symbol/EthBtc')).toMatchObject({ base_currency: 'ETH' });
    expect(await get('/public/ticker?symbols=ethbtc,btcusdt')).toHaveProperty('BTCUSDT');
    expect(await get('/public/currency?currencies=eth')).toHaveProperty('ETH');
  });
});

describe('an order', () => {
  eachRow<[tags: string, what: string, order: Body, shown: Body]>('', [
    [
      'server:trading-v3.rule.type-default-limit',
      'without a type is a limit order',
      {},
      { type: 'limit', price: '0.050000', status: 'new' },
    ],
    [
      'server:trading-v3.rule.tif-default-limit-gtc',
      'of the type limit is GTC where nothing is said',
      { type: 'limit' },
      { time_in_force: 'GTC' },
    ],
    [
      'server:trading-v3.rule.tif-default-limit-gtc',
      'of the type stopLimit is GTC where nothing is said',
      { type: 'stopLimit', ...STOP },
      { time_in_force: 'GTC' },
    ],
    [
      'server:trading-v3.rule.tif-default-limit-gtc',
      'of the type takeProfitLimit is GTC where nothing is said',
      { type: 'takeProfitLimit', ...STOP },
      { time_in_force: 'GTC' },
    ],
    [
      'server:trading-v3.rule.tif-default-market-fok',
      'of the type market is FOK where nothing is said',
      { type: 'market', ...NO_PRICE },
      { time_in_force: 'FOK' },
    ],
    [
      'server:trading-v3.rule.tif-default-market-fok',
      'of the type stopMarket is FOK where nothing is said',
      { type: 'stopMarket', ...NO_PRICE, ...STOP },
      { time_in_force: 'FOK' },
    ],
    [
      'server:trading-v3.rule.tif-default-market-fok',
      'of the type takeProfitMarket is FOK where nothing is said',
      { type: 'takeProfitMarket', ...NO_PRICE, ...STOP },
      { time_in_force: 'FOK' },
    ],
  ])('%s', async (_what, order, shown) => {
    const { demo } = await openMarket();
    expect(await demo.order(order)).toMatchObject(shown);
  });

  test.each(['market', 'stopMarket', 'takeProfitMarket'])(
    'without a price is taken as %s',
    { tags: ['server:trading-v3.rule.type-market-without-price'] },
    async (type) => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      const stop = type === 'market' ? {} : STOP;
      const order = await demo.order({ type, ...NO_PRICE, ...stop });
      expect(order).toMatchObject({ type, status: type === 'market' ? 'filled' : 'suspended' });
      expect(order).not.toHaveProperty('price');
    },
  );

  test.each<[type: string, order: Body]>([
    ['limit', {}],
    ['market', NO_PRICE],
    ['stopLimit', STOP],
    ['stopMarket', { ...NO_PRICE, ...STOP }],
    ['takeProfitLimit', STOP],
    ['takeProfitMarket', { ...NO_PRICE, ...STOP }],
  ])(
    'can be of the type %s',
    { tags: ['server:trading-v3.rule.type-values'] },
    async (type, order) => {
      const { demo } = await openMarket();
      expect(await demo.order({ type, ...order })).toMatchObject({ type });
    },
  );

  test.each<[timeInForce: string, order: Body]>([
    ['GTC', {}],
    ['IOC', {}],
    ['FOK', {}],
    ['Day', {}],
    ['GTD', { expire_time: '2026-01-05T11:00:00Z' }],
  ])(
    'can have the time in force %s',
    { tags: ['server:trading-v3.rule.tif-values'] },
    async (timeInForce, order) => {
      const { demo } = await openMarket();
      const placed = await demo.order({ time_in_force: timeInForce, ...order });
      expect(placed).toMatchObject({ time_in_force: timeInForce });
      expect(placed['expire_time']).toBe(order['expire_time']);
    },
  );
});

describe('off its grid', () => {
  test.each([
    ['0.0460164', '0.046016'],
    ['0.0460165', '0.046016'],
    ['0.04601651', '0.046017'],
    ['0.0460166', '0.046017'],
  ])(
    'the price %s is taken as %s without strict_validate',
    { tags: ['server:trading-v3.rule.strict-off-round-price-half-down'] },
    async (given, taken) => {
      const { demo } = await openMarket();
      const order = await demo.order({ price: given, strict_validate: false });
      expect(order['price']).toBe(taken);
    },
  );

  test.each([
    ['1.00004', '1.0000'],
    ['1.00005', '1.0000'],
    ['1.000051', '1.0001'],
    ['1.00006', '1.0001'],
  ])(
    'the quantity %s is taken as %s without strict_validate',
    { tags: ['server:trading-v3.rule.strict-off-round-quantity-half-down'] },
    async (given, taken) => {
      const { demo } = await openMarket();
      const order = await demo.order({ quantity: given, strict_validate: false });
      expect(order['quantity']).toBe(taken);
    },
  );

  test(
    'nothing is refused where strict_validate is left out',
    { tags: ['server:trading-v3.rule.strict-default-off'] },
    async () => {
      const { demo } = await openMarket();
      expect(await demo.order({ price: '0.0460165', quantity: '1.00006' })).toMatchObject({
        price: '0.046016',
        quantity: '1.0001',
      });
    },
  );

  test(
    'nothing rests: what the book shows are whole ticks and increments',
    { tags: ['server:trading-v3.rule.quantity-increment-divisible'] },
    async () => {
      const { venue, demo } = await openMarket();
      await demo.order({ price: '0.0460165', quantity: '1.00006' });
      await demo.order({ side: 'sell', price: '0.0512345678', quantity: '0.98765' });
      const { body } = await venue.call('GET', '/api/3/public/orderbook/ETHBTC');
      expect(body).toMatchObject({
        bid: [['0.046016', '1.0001']],
        ask: [['0.051235', '0.9876']],
      });
    },
  );
});
