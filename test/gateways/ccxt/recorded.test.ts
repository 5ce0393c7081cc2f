import ccxt from 'ccxt';
import { describe, expect, test, vi } from 'vitest';
import { CcxtAccount } from '../../../src/gateways/ccxt/account.ts';
import { CLIENT_ORDER_ID_FORMS } from '../../../src/gateways/ccxt/client-order-ids.ts';
import type { CcxtModule } from '../../../src/gateways/ccxt/exchange.ts';
import { readInstruments } from '../../../src/gateways/ccxt/terms.ts';
import { venueRules } from '../../../src/gateways/ccxt/venues.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { Report } from '../../../src/model/report.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { recordedExchange, type Answer } from './recorded.ts';

const module = ccxt as unknown as CcxtModule;
const SYMBOLS: Readonly<Record<string, string>> = {
  binance: 'BTC/USDT',
  bybit: 'BTC/USDT',
  okx: 'BTC/USDT',
  kraken: 'BTC/USD',
  hyperliquid: 'HYPE/USDC',
};
const IDS = Object.keys(SYMBOLS);
const OPENED = micros(1_764_000_000_000_000);

/** An open account at an exchange whose venue answers from a table, and what is told of it. */
async function account(id: string, answers: Readonly<Record<string, Answer>>) {
  const symbol = SYMBOLS[id] ?? '';
  const all = { ...BALANCES[id], ...answers };
  const { exchange, calls } = recordedExchange(id, all);
  const market = recordedExchange(id, all, 'float').exchange;
  const scheduler = new VirtualScheduler(OPENED);
  const rules = venueRules(id);
  const reports: Report[] = [];
  const opened = new CcxtAccount({
    exchange,
    rules,
    form: CLIENT_ORDER_ID_FORMS[rules.clientOrderIds ?? 'plain'],
    scheduler,
    random: new Random(1),
    pollUs: 1_000_000,
    warn: () => undefined,
    instruments: () =>
      readInstruments(module, { market, account: exchange }, [symbol], {
        hasKey: false,
        warn: () => undefined,
      }),
  });
  Object.assign(exchange.has, { fetchTime: false });
  await opened.open({
    report: (report) => void reports.push(report),
    margin: () => undefined,
    connectionState: () => undefined,
  });
  calls.length = 0;
  const orders = (): readonly Report[] => reports.filter(({ kind }) => kind !== 'balance');
  return { account: opened, scheduler, calls, orders, symbol };
}

/** No money is needed here: what is sent decides. */
const BALANCES: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  binance: {
    'api/v3/account': { json: { balances: [{ asset: 'USDT', free: '100.10', locked: '0.90' }] } },
  },
  bybit: {
    'wallet-balance': {
      json: {
        retCode: 0,
        result: {
          list: [
            {
              accountType: 'UNIFIED',
              coin: [{ coin: 'USDT', walletBalance: '101', locked: '0.90', equity: '101' }],
            },
          ],
        },
      },
    },
  },
  okx: {
    'account/balance': {
      json: {
        code: '0',
        data: [
          {
            details: [{ ccy: 'USDT', eq: '101', availBal: '100.1', frozenBal: '0.9' }],
            uTime: '1764000000000',
          },
        ],
      },
    },
  },
  kraken: {
    'private/BalanceEx': {
      json: { error: [], result: { ZUSD: { balance: '101', hold_trade: '0.9' } } },
    },
  },
  hyperliquid: {
    spotClearinghouseState: {
      json: { balances: [{ coin: 'USDC', token: 0, total: '101', hold: '0.9' }] },
    },
    userAbstraction: { json: 'disabled' },
  },
};

const place = (symbol: string, more: Partial<PlaceRequest> = {}): PlaceRequest => ({
  kind: 'place',
  clientOrderId: 'maker-0000001',
  symbol,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  lots: lots(1_000_000),
  ticks: ticks(332_000),
  ...more,
});

describe('the filters of an exchange', () => {
  test.each([
    ['binance', ['0.01', '0.00001', '0.00001', '5', '0.001', '0.001']],
    ['bybit', ['0.1', '0.000001', '0.000011', '5', '0.001', '0.001']],
    ['okx', ['0.1', '0.00000001', '0.00001', undefined, '0.0015', '0.001']],
    ['kraken', ['0.1', '0.00000001', '0.00005', '0.5', '0.004', '0.0025']],
    ['hyperliquid', ['0.001', '0.01', undefined, '10', '0.0007', '0.0004']],
  ])('become terms of an instrument, digit by digit (%s)', async (id, expected) => {
    const market = recordedExchange(id, {}, 'float').exchange;
    const own = recordedExchange(id).exchange;
    const options = { hasKey: false, warn: () => undefined };
    const symbols = [SYMBOLS[id] ?? ''];
    const [{ terms }] = await readInstruments(module, { market, account: own }, symbols, options);
    const { tickSize, quantityIncrement, minQuantity, minNotional, takeRate, makeRate } = terms;
    expect([tickSize, quantityIncrement, minQuantity, minNotional, takeRate, makeRate]).toEqual(
      expected,
    );
  });

  test('name the symbol that is not there, and one that is near', async () => {
    const market = recordedExchange('binance', {}, 'float').exchange;
    const own = recordedExchange('binance').exchange;
    const options = { hasKey: false, warn: () => undefined };
    const read = readInstruments(module, { market, account: own }, ['BTC/USTD'], options);
    await expect(read).rejects.toThrow(
      'binance has no symbol BTC/USTD; symbols are those of ccxt, such as BTC/USDT. Did you mean "BTC/USDT"?',
    );
  });
});

/** What each exchange answers to an order that it takes, and how the order is named there. */
const TAKEN: Readonly<
  Record<string, { readonly at: string; readonly json: unknown; readonly sent: RegExp }>
> = {
  binance: {
    at: 'api/v3/order',
    json: {
      symbol: 'BTCUSDT',
      orderId: 28,
      clientOrderId: 'maker-0000001',
      transactTime: 1_764_000_000_123,
      price: '3320.00000000',
      origQty: '10.00000000',
      executedQty: '0.00000000',
      status: 'NEW',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'BUY',
    },
    sent: /newClientOrderId=maker-0000001.*quantity=10&price=3320&/,
  },
  bybit: {
    at: 'v5/order/create',
    json: {
      retCode: 0,
      retMsg: 'OK',
      result: { orderId: '1321003749386327552', orderLinkId: 'maker-0000001' },
      time: 1_764_000_000_123,
    },
    sent: /"orderLinkId":"maker-0000001","price":"33200".*"qty":"1"/,
  },
  okx: {
    at: 'trade/batch-orders',
    json: {
      code: '0',
      msg: '',
      data: [
        { clOrdId: 'makerZ00000001', ordId: '312269865356374016', sCode: '0', sMsg: '', tag: '' },
      ],
    },
    sent: /"sz":"0.01".*"px":"33200","clOrdId":"makerZ00000001"/,
  },
  kraken: {
    at: 'private/AddOrder',
    json: {
      error: [],
      result: {
        txid: ['OL7LNO-R4SAD-6UINEU'],
        descr: { order: 'buy 0.01000000 XBTUSD @ limit 33200.0' },
      },
    },
    sent: /volume=0.01&cl_ord_id=maker-0000001&price=33200/,
  },
  hyperliquid: {
    at: '"type":"order"',
    json: {
      status: 'ok',
      response: { type: 'order', data: { statuses: [{ resting: { oid: 77_738_308 } }] } },
    },
    sent: /"p":"332","s":"10000".*"c":"0x[0-9a-f]{32}"/,
  },
};

describe('an order', () => {
  test.each(IDS)(
    'is sent with its digits and a client order id that %s takes, and is new once it is taken',
    async (id) => {
      const { at, json, sent } = TAKEN[id];
      const { account: at5, calls, orders, symbol } = await account(id, { [at]: { json } });
      at5.send(place(symbol));
      await vi.waitFor(() => expect(orders()).not.toEqual([]));
      const all = calls.map(({ body }) => decodeURIComponent(body));
      expect(all.filter((body) => sent.test(body))).toHaveLength(1);
      expect(all.join(' ')).not.toMatch(/approveBuilderFee|setReferrer|"builder"/);
      expect(orders()).toMatchObject([
        { kind: 'new', order: { clientOrderId: 'maker-0000001', status: 'new', filledLots: 0 } },
      ]);
      await at5.close();
    },
  );

  test.each<[string, string, Answer, string]>([
    [
      'binance',
      'api/v3/order',
      {
        status: 400,
        json: { code: -2010, msg: 'Account has insufficient balance for requested action.' },
      },
      'funds-insufficient',
    ],
    [
      'binance',
      'api/v3/order',
      { status: 400, json: { code: -1013, msg: 'Filter failure: NOTIONAL' } },
      'request-invalid',
    ],
    [
      'binance',
      'api/v3/order',
      { status: 429, json: { code: -1003, msg: 'Too many requests.' } },
      'venue-unavailable',
    ],
    [
      'binance',
      'api/v3/order',
      {
        status: 401,
        json: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' },
      },
      'venue-unavailable',
    ],
    [
      'bybit',
      'v5/order/create',
      { json: { retCode: 170_131, retMsg: 'Insufficient balance.' } },
      'funds-insufficient',
    ],
    [
      'bybit',
      'v5/order/create',
      { json: { retCode: 170_140, retMsg: 'Order value exceeded lower limit.' } },
      'request-invalid',
    ],
    [
      'okx',
      'trade/batch-orders',
      {
        json: {
          code: '1',
          data: [{ sCode: '51008', sMsg: 'Insufficient balance', ordId: '', clOrdId: '' }],
          msg: '',
        },
      },
      'funds-insufficient',
    ],
    [
      'okx',
      'trade/batch-orders',
      {
        json: {
          code: '1',
          data: [
            { sCode: '51016', sMsg: 'Client order ID already exists.', ordId: '', clOrdId: '' },
          ],
          msg: '',
        },
      },
      'request-invalid',
    ],
    [
      'kraken',
      'private/AddOrder',
      { json: { error: ['EOrder:Insufficient funds'] } },
      'funds-insufficient',
    ],
    [
      'kraken',
      'private/AddOrder',
      { json: { error: ['EAPI:Rate limit exceeded'] } },
      'venue-unavailable',
    ],
    [
      'hyperliquid',
      '"type":"order"',
      {
        json: {
          status: 'ok',
          response: {
            type: 'order',
            data: { statuses: [{ error: 'Insufficient spot balance asset=10107' }] },
          },
        },
      },
      'funds-insufficient',
    ],
  ])('that %s rejects is rejected for that reason (%s %o)', async (id, at, answer, code) => {
    const { account: at5, orders, symbol } = await account(id, { [at]: answer });
    at5.send(place(symbol));
    await vi.waitFor(() => expect(orders()).not.toEqual([]));
    expect(orders()).toMatchObject([{ kind: 'rejected', request: 'place', rejection: { code } }]);
    await at5.close();
  });

  test.each<[string, string, Answer]>([
    [
      'binance',
      'api/v3/order',
      {
        status: 503,
        json: {
          code: -1007,
          msg: 'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
        },
      },
    ],
    ['binance', 'api/v3/order', { status: 502, json: {} }],
    ['bybit', 'v5/order/create', { fails: new ccxt.RequestTimeout('no answer within 10000 ms') }],
    [
      'okx',
      'trade/batch-orders',
      { fails: new ccxt.NetworkError('fetch failed: read ECONNRESET') },
    ],
    ['kraken', 'private/AddOrder', { json: { error: ['EService:Timeout'] } }],
    ['hyperliquid', '"type":"order"', { json: 'no JSON of that form' }],
  ])('has an unknown outcome where %s says neither yes nor no (%s %o)', async (id, at, answer) => {
    const { account: at5, orders, symbol } = await account(id, { [at]: answer });
    at5.send(place(symbol));
    await vi.waitFor(() => expect(orders()).not.toEqual([]));
    expect(orders()).toMatchObject([
      { kind: 'outcome-unknown', request: 'place', clientOrderId: 'maker-0000001' },
    ]);
    await at5.close();
  });

  test.each<[string, Partial<PlaceRequest>, string]>([
    ['binance', { ticks: ticks(100), lots: lots(100_000) }, 'value-below-minimum'],
    ['bybit', { lots: lots(10) }, 'quantity-below-minimum'],
    ['binance', { type: 'stopLimit', stopTicks: ticks(1) }, 'type-invalid'],
    ['binance', { timeInForce: 'Day' }, 'time-in-force-invalid'],
    ['hyperliquid', { timeInForce: 'FOK' }, 'time-in-force-invalid'],
    ['hyperliquid', { type: 'market', timeInForce: 'IOC', ticks: undefined }, 'type-invalid'],
    ['hyperliquid', { ticks: ticks(332_001) }, 'price-off-tick'],
    ['kraken', { clientOrderId: 'long-enough-0000001' }, 'client-order-id-invalid'],
    ['okx', { margin: { mode: 'cross' } }, 'margin-forbidden'],
  ])('that %s does not take is refused before it is sent (%o)', async (id, more, code) => {
    const { account: at5, orders, calls, scheduler, symbol } = await account(id, {});
    at5.send(place(symbol, more));
    expect(orders()).toEqual([]);
    scheduler.advanceTo(scheduler.now());
    expect(orders()).toMatchObject([{ kind: 'rejected', rejection: { code } }]);
    expect(calls).toEqual([]);
    await at5.close();
  });

  test('is not replaced where that is not one step', async () => {
    const { account: at5, orders, scheduler, symbol } = await account('binance', {});
    const ids = { clientOrderId: 'maker-0000001', newClientOrderId: 'maker-0000002' };
    at5.send({ kind: 'replace', ...ids, symbol, lots: lots(1) });
    scheduler.advanceTo(scheduler.now());
    expect(orders()).toMatchObject([
      { kind: 'rejected', rejection: { code: 'replace-unavailable' } },
    ]);
    await at5.close();
  });
});

/** Orders of the name maker-0000001 as each exchange lists them: status, executed, and how that is read. */
const LISTED: readonly (readonly [string, string, unknown, string, number])[] = [
  [
    'binance',
    'api/v3/allOrders',
    [binanceOrder('PARTIALLY_FILLED', '0.25')],
    'partiallyFilled',
    25_000,
  ],
  ['binance', 'api/v3/allOrders', [binanceOrder('CANCELED', '0.25')], 'canceled', 25_000],
  ['binance', 'api/v3/allOrders', [binanceOrder('EXPIRED', '0')], 'expired', 0],
  ['bybit', 'v5/order/realtime', bybitOrders('New', '0'), 'new', 0],
  [
    'bybit',
    'v5/order/history',
    bybitOrders('PartiallyFilledCanceled', '0.25'),
    'canceled',
    250_000,
  ],
  [
    'okx',
    'trade/orders-pending',
    okxOrders('partially_filled', '0.25'),
    'partiallyFilled',
    25_000_000,
  ],
  ['okx', 'trade/orders-history', okxOrders('filled', '1'), 'filled', 100_000_000],
  [
    'kraken',
    'private/OpenOrders',
    { error: [], result: { open: krakenOrder('open', '0.25') } },
    'partiallyFilled',
    25_000_000,
  ],
  [
    'kraken',
    'private/ClosedOrders',
    { error: [], result: { closed: krakenOrder('canceled', '0.00') } },
    'canceled',
    0,
  ],
  ['hyperliquid', 'historicalOrders', [hyperliquidOrder('canceled', '0.75')], 'canceled', 25],
];

function binanceOrder(status: string, executedQty: string): unknown {
  const when = { time: 1_764_000_000_000, updateTime: 1_764_000_000_500 };
  return {
    symbol: 'BTCUSDT',
    orderId: 28,
    clientOrderId: 'maker-0000001',
    price: '3320.00',
    origQty: '1',
    executedQty,
    cummulativeQuoteQty: '830',
    status,
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    ...when,
  };
}

function bybitOrders(orderStatus: string, cumExecQty: string): unknown {
  const when = { createdTime: '1764000000000', updatedTime: '1764000000500' };
  const order = {
    symbol: 'BTCUSDT',
    orderId: '1321003749386327552',
    orderLinkId: 'maker-0000001',
    price: '33200',
    qty: '1',
    cumExecQty,
    orderStatus,
    timeInForce: 'GTC',
    orderType: 'Limit',
    side: 'Buy',
    ...when,
  };
  return { retCode: 0, retMsg: 'OK', result: { category: 'spot', list: [order] } };
}

function okxOrders(state: string, accFillSz: string): unknown {
  const when = { cTime: '1764000000000', uTime: '1764000000500' };
  return {
    code: '0',
    msg: '',
    data: [
      {
        instType: 'SPOT',
        instId: 'BTC-USDT',
        ordId: '312269865356374016',
        clOrdId: 'makerZ00000001',
        px: '33200',
        sz: '1',
        accFillSz,
        state,
        ordType: 'limit',
        side: 'buy',
        tdMode: 'cash',
        ...when,
      },
    ],
  };
}

function krakenOrder(status: string, executed: string): unknown {
  const descr = { pair: 'XBTUSD', type: 'buy', ordertype: 'limit', price: '33200.0' };
  return {
    'OL7LNO-R4SAD-6UINEU': {
      status,
      cl_ord_id: 'maker-0000001',
      userref: 0,
      opentm: 1_764_000_000.5,
      closetm: 1_764_000_001.5,
      vol: '1.00000000',
      vol_exec: executed,
      cost: '0',
      fee: '0',
      price: '0',
      misc: '',
      oflags: 'fciq',
      descr,
    },
  };
}

function hyperliquidOrder(status: string, sz: string): unknown {
  const cloid = CLIENT_ORDER_ID_FORMS.hex128.write('maker-0000001');
  const order = {
    coin: '@0',
    side: 'B',
    limitPx: '33.2',
    sz,
    origSz: '1.0',
    oid: 77_738_308,
    timestamp: 1_764_000_000_000,
    tif: 'Gtc',
    orderType: 'Limit',
    cloid,
  };
  return { order, status, statusTimestamp: 1_764_000_000_500 };
}

/** Lists that a venue has nothing in. */
const EMPTY: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  binance: { openOrders: { json: [] }, myTrades: { json: [] } },
  bybit: {
    'v5/order/realtime': { json: { retCode: 0, result: { list: [] } } },
    'v5/order/history': { json: { retCode: 0, result: { list: [] } } },
    'v5/execution/list': { json: { retCode: 0, result: { list: [] } } },
  },
  okx: {
    'orders-pending': { json: { code: '0', data: [] } },
    'orders-history': { json: { code: '0', data: [] } },
    fills: { json: { code: '0', data: [] } },
  },
  kraken: {
    OpenOrders: { json: { error: [], result: { open: {} } } },
    ClosedOrders: { json: { error: [], result: { closed: {} } } },
    TradesHistory: { json: { error: [], result: { trades: {} } } },
  },
  hyperliquid: {
    frontendOpenOrders: { json: [] },
    historicalOrders: { json: [] },
    userFills: { json: [] },
    orderStatus: { json: { status: 'unknownOid' } },
  },
};

describe('a snapshot', () => {
  test.each(LISTED)(
    'reads an order that %s lists in %s (%#)',
    async (id, at, json, status, filledLots) => {
      const { account: at5, scheduler } = await account(id, {
        [at]: { json },
        ...EMPTY[id],
        [at]: { json },
      });
      const { orders, ended, balances } = await at5.snapshot(scheduler.now(), ['maker-0000001']);
      const [order, ...others] = [...orders, ...ended];
      expect(order).toMatchObject({
        clientOrderId: 'maker-0000001',
        status,
        filledLots,
        type: 'limit',
        side: 'buy',
      });
      expect(others).toEqual([]);
      const [{ available, reserved }] = balances;
      expect([available.toFixed(), reserved.toFixed()]).toEqual(['100.1', '0.9']);
      await at5.close();
    },
  );

  test('reads fills with their fees, and names them by their orders', async () => {
    const trade = {
      symbol: 'BTCUSDT',
      id: 9_007,
      orderId: 28,
      price: '3319.99000000',
      qty: '0.25000000',
      quoteQty: '829.9975',
      commission: '0.00025000',
      commissionAsset: 'BTC',
      time: 1_764_000_000_500,
      isBuyer: true,
      isMaker: false,
    };
    const { account: at5, scheduler } = await account('binance', {
      'api/v3/allOrders': { json: [binanceOrder('PARTIALLY_FILLED', '0.25')] },
      myTrades: { json: [trade] },
      openOrders: { json: [] },
    });
    const { fills } = await at5.snapshot(scheduler.now());
    expect(fills.map((fill) => ({ ...fill, fee: fill.fee.toFixed() }))).toEqual([
      {
        id: 9_007,
        clientOrderId: 'maker-0000001',
        symbol: 'BTC/USDT',
        side: 'buy',
        ticks: 331_999,
        lots: 25_000,
        fee: '0.00025',
        feeCurrency: 'BTC',
        taker: true,
        at: 1_764_000_000_500_000,
      },
    ]);
    await at5.close();
  });
});
