import { describe, expect, test } from 'vitest';
import { TradingClientV2 } from '../../../../src/gateways/trading/client/client-v2.ts';
import { decimal } from '../../../../src/model/decimal.ts';
import { micros } from '../../../../src/platform/time.ts';
import { Random } from '../../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { openVenue } from '../../../server/kit.ts';
import { CREDENTIALS, Ear, STARTED } from './listener.ts';
import { Service, until, type Asked } from './service.ts';

const P = 'client:trading-v2.stream-public';
const T = 'client:trading-v2.stream-trading';
const A = 'client:trading-v2.stream-account';

const AT = '2024-01-02T10:59:40.65Z';
const AT_READ = micros(Date.UTC(2024, 0, 2, 10, 59, 40, 650) * 1_000);

const SYMBOL = {
  id: 'ETHBTC',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  quantityIncrement: '0.0001',
  tickSize: '0.000001',
  takeLiquidityRate: '0.002',
  provideLiquidityRate: '0.001',
};
const SYMBOL_READ = expect.objectContaining({ id: 'ETHBTC', tickSize: decimal('0.000001') });
const CURRENCY = {
  id: 'BTC',
  fullName: 'Bitcoin',
  crypto: true,
  payinEnabled: true,
  payinPaymentId: false,
  payinConfirmations: 2,
  payoutEnabled: true,
  payoutIsPaymentId: false,
  delisted: false,
  transferEnabled: true,
  payoutFee: '0.0005',
  payoutMinimalAmount: '0.001',
  precisionPayout: 8,
  precisionTransfer: 8,
};
const CURRENCY_READ = expect.objectContaining({ id: 'BTC', payoutFee: decimal('0.0005') });
const TRADES = {
  data: [{ id: 54469813, price: '0.054670', quantity: '0.183', side: 'buy', timestamp: AT }],
  symbol: 'ETHBTC',
};
const TRADES_READ = {
  data: [
    {
      id: 54469813,
      price: decimal('0.05467'),
      quantity: decimal('0.183'),
      side: 'buy',
      timestamp: AT_READ,
    },
  ],
  symbol: 'ETHBTC',
};
const BAR = { open: '1', close: '2', min: '0.5', max: '3', volume: '4', volumeQuote: '8' };
const CANDLES = { data: [{ timestamp: AT, ...BAR }], symbol: 'ETHBTC', period: 'M30' };
const CANDLES_READ = {
  data: [
    {
      timestamp: AT_READ,
      open: decimal('1'),
      close: decimal('2'),
      min: decimal('0.5'),
      max: decimal('3'),
      volume: decimal('4'),
      volumeQuote: decimal('8'),
    },
  ],
  symbol: 'ETHBTC',
  period: 'M30',
};
const TICKER = {
  ask: '3',
  bid: '2.9',
  last: null,
  open: '2',
  low: '1',
  high: '4',
  volume: '10',
  volumeQuote: '25',
  timestamp: AT,
  symbol: 'ETHBTC',
};
const TICKER_READ = expect.objectContaining({ ask: decimal('3'), last: null, timestamp: AT_READ });
const BOOK = {
  ask: [{ price: '3', size: '0' }],
  bid: [{ price: '2', size: '1.5' }],
  symbol: 'ETHBTC',
  sequence: 8073827,
  timestamp: AT,
};
const BOOK_READ = {
  ask: [{ price: decimal('3'), size: decimal('0') }],
  bid: [{ price: decimal('2'), size: decimal('1.5') }],
  symbol: 'ETHBTC',
  sequence: 8073827,
  timestamp: AT_READ,
};
const BALANCE = { currency: 'BTC', available: '1.50', reserved: '0.1' };
const BALANCE_READ = { currency: 'BTC', available: decimal('1.5'), reserved: decimal('0.1') };
const ORDER = {
  clientOrderId: 'order-one',
  symbol: 'ETHBTC',
  side: 'buy',
  quantity: '0.5',
  price: '0.05',
} as const;
const REPORT = {
  ...ORDER,
  id: '4345697765',
  status: 'new',
  type: 'limit',
  timeInForce: 'GTC',
  cumQuantity: '0',
  createdAt: AT,
  updatedAt: AT,
  reportType: 'new',
};
const REPORT_READ = {
  ...ORDER,
  id: 4345697765,
  status: 'new',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: decimal('0.5'),
  price: decimal('0.05'),
  cumQuantity: decimal('0'),
  createdAt: AT_READ,
  updatedAt: AT_READ,
  reportType: 'new',
};
const REPLACED = { reportType: 'replaced', originalRequestClientOrderId: 'order-zero' };
const TRADE = { tradeId: 55051694, tradeQuantity: '0.1', tradePrice: '0.05', tradeFee: '-0.01' };
const TRADE_READ = {
  tradeId: 55051694,
  tradeQuantity: decimal('0.1'),
  tradePrice: decimal('0.05'),
  tradeFee: decimal('-0.01'),
};
const ACCOUNT = {
  symbol: 'ETHBTC',
  leverage: '10',
  marginBalance: '1',
  marginBalanceOrders: '0',
  marginBalanceRequired: '0.1',
  createdAt: AT,
  updatedAt: AT,
};
const ACCOUNT_READ = expect.objectContaining({ symbol: 'ETHBTC', leverage: decimal('10') });
const POSITION = { id: 5, symbol: 'ETHBTC', quantity: '-1', pnl: '0.5' };
const POSITION_READ = { ...POSITION, quantity: decimal('-1'), pnl: decimal('0.5') };
const MOVE = {
  id: 'd53ee9df',
  index: 76309415,
  currency: 'ETH',
  amount: '0.05',
  fee: '0.001',
  status: 'success',
  type: 'payin',
  createdAt: AT,
  updatedAt: AT,
};
const MOVE_READ = expect.objectContaining({ id: 'd53ee9df', amount: decimal('0.05') });

type Path = 'public' | 'trading' | 'account';
/** Row, socket, method, params, what is answered, what that is read as. */
type Case = readonly [string, Path, string, object, unknown, unknown];

const one = { symbol: 'ETHBTC' };
const withPeriod = { ...one, period: 'M30' };

const PUBLIC: readonly Case[] = [
  [`${P}.get-currency`, 'public', 'getCurrency', { currency: 'BTC' }, CURRENCY, CURRENCY_READ],
  [`${P}.get-currencies`, 'public', 'getCurrencies', {}, [CURRENCY], [CURRENCY_READ]],
  [`${P}.get-symbol`, 'public', 'getSymbol', one, SYMBOL, SYMBOL_READ],
  [`${P}.get-symbols`, 'public', 'getSymbols', {}, [SYMBOL], [SYMBOL_READ]],
  [`${P}.get-trades`, 'public', 'getTrades', { ...one, limit: 3 }, TRADES, TRADES_READ],
  [`${P}.unsubscribe-ticker`, 'public', 'unsubscribeTicker', one, true, true],
  [`${P}.unsubscribe-orderbook`, 'public', 'unsubscribeOrderbook', one, true, true],
  [`${P}.unsubscribe-trades`, 'public', 'unsubscribeTrades', one, true, true],
  [`${P}.unsubscribe-candles`, 'public', 'unsubscribeCandles', withPeriod, true, true],
];

const cancel = { clientOrderId: 'order-one' };
const replace = { ...cancel, requestClientId: 'order-two', quantity: '0.7', price: '0.06' };
const bound = { symbol: 'ETHBTC', marginBalance: '1' };
const replaced = { ...REPORT, ...REPLACED };

const ACCOUNTS: readonly Case[] = [
  [`${T}.new-order`, 'trading', 'newOrder', ORDER, REPORT, REPORT_READ],
  [`${T}.cancel-order`, 'trading', 'cancelOrder', cancel, REPORT, REPORT_READ],
  [
    ...([`${T}.cancel-replace-order`, 'trading', 'cancelReplaceOrder'] as const),
    ...([{ ...replace, strictValidate: true }, replaced, { ...REPORT_READ, ...REPLACED }] as const),
  ],
  [`${T}.get-orders`, 'trading', 'getOrders', {}, [REPORT], [REPORT_READ]],
  [`${T}.get-trading-balance`, 'trading', 'getTradingBalance', {}, [BALANCE], [BALANCE_READ]],
  [`${T}.margin`, 'trading', 'marginAccountsGet', {}, [ACCOUNT], [ACCOUNT_READ]],
  [`${T}.margin`, 'trading', 'marginAccountSet', bound, ACCOUNT, ACCOUNT_READ],
  [`${T}.margin`, 'trading', 'marginPositionClose', one, POSITION, POSITION_READ],
  [`${T}.margin`, 'trading', 'marginOrderNew', ORDER, REPORT, REPORT_READ],
  [`${T}.margin`, 'trading', 'marginOrderCancel', cancel, REPORT, REPORT_READ],
  [`${A}.get-balance`, 'account', 'getBalance', {}, [BALANCE], [BALANCE_READ]],
  [
    ...([`${A}.find-transactions`, 'account', 'findTransactions'] as const),
    ...([{ currency: 'ETH', from: AT, limit: 5, sort: 'DESC' }, [MOVE], [MOVE_READ]] as const),
  ],
  [
    ...([`${A}.load-transactions`, 'account', 'loadTransactions'] as const),
    ...([{ currency: 'ETH', from: 7, sort: 'ASC' }, [MOVE], [MOVE_READ]] as const),
  ],
  [`${A}.unsubscribe-transactions`, 'account', 'unsubscribeTransactions', {}, true, true],
  [`${A}.unsubscribe-balance`, 'account', 'unsubscribeBalance', {}, true, true],
];

/** Row, socket, the method that follows, its params, and what is told then, with what it is read as. */
type Followed = readonly [
  string,
  Path,
  string,
  object,
  readonly (readonly [string, unknown, unknown])[],
];

const FOLLOWED: readonly Followed[] = [
  [
    ...([`${P}.subscribe-ticker`, 'public', 'subscribeTicker', one] as const),
    [['ticker', TICKER, TICKER_READ]],
  ],
  [
    ...([`${P}.subscribe-orderbook`, 'public', 'subscribeOrderbook', one] as const),
    [
      ['snapshotOrderbook', BOOK, BOOK_READ],
      ['updateOrderbook', BOOK, BOOK_READ],
    ],
  ],
  [
    ...([`${P}.subscribe-trades`, 'public', 'subscribeTrades', { ...one, limit: 9 }] as const),
    [
      ['snapshotTrades', TRADES, TRADES_READ],
      ['updateTrades', TRADES, TRADES_READ],
    ],
  ],
  [
    ...([`${P}.subscribe-candles`, 'public', 'subscribeCandles', withPeriod] as const),
    [
      ['snapshotCandles', CANDLES, CANDLES_READ],
      ['updateCandles', CANDLES, CANDLES_READ],
    ],
  ],
  [
    ...([`${T}.subscribe-reports`, 'trading', 'subscribeReports', {}] as const),
    [
      ['activeOrders', [REPORT], [REPORT_READ]],
      ['report', REPORT, REPORT_READ],
    ],
  ],
  [
    ...([`${T}.report-fields`, 'trading', 'subscribeReports', {}] as const),
    ['status', 'new', 'canceled', 'expired', 'suspended', 'trade', 'replaced'].map(
      (reportType) =>
        [
          'report',
          { ...REPORT, ...TRADE, reportType },
          { ...REPORT_READ, ...TRADE_READ, reportType },
        ] as const,
    ),
  ],
  [
    ...([`${T}.margin`, 'trading', 'marginSubscribe', {}] as const),
    [
      ['marginOrders', [REPORT], [REPORT_READ]],
      ['marginOrderReport', REPORT, REPORT_READ],
      [
        'marginAccountReport',
        { ...ACCOUNT, reportType: 'updated', reportReason: 'flipTrade' },
        expect.objectContaining({ reportType: 'updated', reportReason: 'flipTrade' }),
      ],
    ],
  ],
  [
    ...([`${A}.subscribe-transactions`, 'account', 'subscribeTransactions', {}] as const),
    [['updateTransaction', MOVE, MOVE_READ]],
  ],
  [
    ...([`${A}.subscribe-balance`, 'account', 'subscribeBalance', {}] as const),
    [['balance', [BALANCE], [BALANCE_READ]]],
  ],
];

interface Asking {
  request(method: string, params?: object): Promise<unknown>;
}

/** A socket of version 2 that is live. */
async function open(service: Service, path: Path, ear: Ear = new Ear()): Promise<Asking> {
  const scheduler = new VirtualScheduler(STARTED);
  const url = service.url.replace('ws', 'http');
  const random = new Random(1);
  const client = new TradingClientV2({ url, credentials: CREDENTIALS, scheduler, random });
  const made = {
    public: () => client.marketSocket(ear),
    trading: () => client.tradingSocket(ear),
    account: () => client.accountSocket(ear),
  };
  const socket = made[path]();
  await socket.open();
  return socket;
}

const answering =
  (result: unknown) =>
  (asked: Asked): void => {
    asked.peer.answer(asked, asked.method === 'login' ? true : result);
  };

describe('a method of version 2 is asked and its answer read', () => {
  test.each([...PUBLIC, ...ACCOUNTS])(
    '[%s] on %s: %s',
    async (_, path, method, params, result, read) => {
      const service = await Service.open({ hears: answering(result) });
      const socket = await open(service, path);
      const dated = 'from' in params && params.from === AT ? { ...params, from: AT_READ } : params;
      expect(await socket.request(method, dated)).toEqual(read);
      expect((await service.received(method)).params).toEqual(params);
      expect(service.peer.path).toBe(`/api/2/ws/${path}`);
      expect(service.methods()).toEqual([...(path === 'public' ? [] : ['login']), method]);
    },
  );
});

describe('what version 2 sends is read', () => {
  test.each(FOLLOWED)('[%s] on %s: %s', async (_, path, method, params, reported) => {
    const service = await Service.open();
    const ear = new Ear();
    const socket = await open(service, path, ear);
    expect(await socket.request(method, params)).toBe(true);
    expect((await service.received(method)).params).toEqual(params);
    for (const [name, given] of reported) {
      service.peer.send({ jsonrpc: '2.0', method: name, params: given });
    }
    await until(() => {
      expect([ear.reported, ear.failures]).toEqual([
        reported.map(([name, , read]) => [name, read]),
        [],
      ]);
    });
  });
});

test(
  'its frames are those of JSON-RPC, offered to a fast reader first',
  { tags: [`${P}.envelope`] },
  async () => {
    const service = await Service.open();
    const ear = new Ear();
    const raw: string[] = [];
    Object.assign(ear, { raw: (frame: string) => raw.push(frame) > 1 });
    const socket = await open(service, 'public', ear);
    const frame = JSON.stringify({ jsonrpc: '2.0', method: 'updateTrades', params: TRADES });
    service.peer.send(frame);
    service.peer.send(frame);
    expect(await socket.request('subscribeTrades', one)).toBe(true);
    expect([raw, ear.reported, ear.failures]).toEqual([
      [frame, frame],
      [['updateTrades', TRADES_READ]],
      [],
    ]);
  },
);

test(
  'a client knows the addresses of the sockets',
  { tags: ['client:trading-v2.conv.stream-addresses'] },
  async () => {
    const service = await Service.open();
    for (const path of ['public', 'trading', 'account'] as const) await open(service, path);
    expect(service.peers.map(({ path }) => path)).toEqual([
      '/api/2/ws/public',
      '/api/2/ws/trading',
      '/api/2/ws/account',
    ]);
  },
);

test('the venue takes the logins of all its sockets, and the orders', async () => {
  const venue = await openVenue();
  const { scheduler } = venue;
  for (const scheme of ['hs256', 'basic'] as const) {
    const settings = { url: venue.base, scheduler, credentials: { ...CREDENTIALS, scheme } };
    const client = new TradingClientV2(settings);
    await client.accountSocket(new Ear()).open();
    await client.marketSocket(new Ear()).open();
    const socket = client.tradingSocket(new Ear());
    await socket.open();
    const clientOrderId = `order-${scheme}`;
    const placed = await socket.request('newOrder', { ...ORDER, side: 'buy', clientOrderId });
    expect(placed).toMatchObject({ clientOrderId, quantity: decimal('0.5'), reportType: 'new' });
    await client.close();
  }
});
