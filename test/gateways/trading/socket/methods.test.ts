import { describe, expect, test } from 'vitest';
import { WalletSocket } from '../../../../src/gateways/trading/socket/wallet.ts';
import { decimal } from '../../../../src/model/decimal.ts';
import { micros } from '../../../../src/platform/time.ts';
import { Random } from '../../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { CREDENTIALS, Ear, STARTED, tradingBench } from './listener.ts';
import { Service, until, type Asked } from './service.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const T = 'client:trading-v3.stream-trading';
const W = 'client:trading-v3.stream-wallet';

/** A method: what it is given, what is sent, what is answered and what that is read as. */
interface Case {
  readonly rows: readonly string[];
  readonly method: string;
  readonly params?: object;
  /** As they go over the wire; the same where absent. */
  readonly sent?: object;
  readonly result: unknown;
  readonly read: unknown;
}

const BALANCE = {
  currency: 'BTC',
  available: '0.5',
  reserved: '0.25',
  reserved_margin: '0.1',
  cross_margin_reserved: '0',
};
const BALANCE_READ = {
  currency: 'BTC',
  available: decimal('0.5'),
  reserved: decimal('0.25'),
  reserved_margin: decimal('0.1'),
  cross_margin_reserved: decimal('0'),
};
const FEE = { symbol: 'BTCUSDT', take_rate: '0.0025', make_rate: '-0.0001' };
const FEE_READ = {
  symbol: 'BTCUSDT',
  take_rate: decimal('0.0025'),
  make_rate: decimal('-0.0001'),
};
const without = (record: object, member: string): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== member));

const AT = '2024-01-02T10:59:40.65Z';
const AT_READ = micros(Date.UTC(2024, 0, 2, 10, 59, 40, 650) * 1_000);
const DATES = { created_at: AT, updated_at: AT };
const DATES_READ = { created_at: AT_READ, updated_at: AT_READ };

const POSITION = {
  id: 485267,
  symbol: 'BTCUSDT',
  quantity: '-0.00001',
  price_entry: '19126.3',
  ...DATES,
  price_margin_call: '20000.01',
  price_liquidation: '21000.5',
  pnl: '-0.0014',
};
const POSITION_READ = {
  id: 485267,
  symbol: 'BTCUSDT',
  quantity: decimal('-0.00001'),
  ...DATES_READ,
  price_entry: decimal('19126.3'),
  price_margin_call: decimal('20000.01'),
  price_liquidation: decimal('21000.5'),
  pnl: decimal('-0.0014'),
};
const ACCOUNT = {
  symbol: 'BTCUSDT',
  type: 'isolated',
  leverage: '10.00',
  ...DATES,
  currencies: [
    { code: 'USDT', margin_balance: '5.5', reserved_orders: '0', reserved_positions: '0.1' },
  ],
  positions: [POSITION],
};
const ACCOUNT_READ = {
  symbol: 'BTCUSDT',
  type: 'isolated',
  leverage: decimal('10'),
  ...DATES_READ,
  currencies: [
    {
      code: 'USDT',
      margin_balance: decimal('5.5'),
      reserved_orders: decimal('0'),
      reserved_positions: decimal('0.1'),
    },
  ],
  positions: [POSITION_READ],
};

const balancesOf = (market: 'spot' | 'futures'): readonly Case[] => [
  {
    rows: [`${T}.${market}-balances`],
    method: `${market}_balances`,
    result: [BALANCE],
    read: [BALANCE_READ],
  },
  {
    rows: [`${T}.${market}-balance`],
    method: `${market}_balance`,
    params: { currency: 'BTC' },
    result: without(BALANCE, 'currency'),
    read: without(BALANCE_READ, 'currency'),
  },
  {
    rows: [`${T}.${market}-fees`],
    method: `${market}_fees`,
    result: [FEE],
    read: [FEE_READ],
  },
  {
    rows: [`${T}.${market}-fee`],
    method: `${market}_fee`,
    params: { symbol: 'BTCUSDT' },
    result: without(FEE, 'symbol'),
    read: without(FEE_READ, 'symbol'),
  },
  {
    rows: [
      `${T}.${market}-balance-subscribe`,
      ...(market === 'spot' ? [`${T}.spot-balance-mode`] : []),
    ],
    method: `${market}_balance_subscribe`,
    params: { mode: 'batches' },
    result: true,
    read: true,
  },
  {
    rows: [
      `${T}.${market}-balance-subscribe`,
      ...(market === 'spot' ? [`${T}.spot-balance-mode`] : []),
    ],
    method: `${market}_balance_subscribe`,
    params: { mode: 'updates' },
    result: true,
    read: true,
  },
  {
    rows: [`${T}.${market}-balance-unsubscribe`],
    method: `${market}_balance_unsubscribe`,
    result: true,
    read: true,
  },
];

const marginOf = (market: 'margin' | 'futures'): readonly Case[] => [
  {
    rows: [`${T}.${market}-get-accounts`],
    method: `${market}_get_accounts`,
    result: [ACCOUNT],
    read: [ACCOUNT_READ],
  },
  {
    rows: [`${T}.${market}-set-account`],
    method: `${market}_set_account`,
    params: {
      symbol: 'BTCUSDT',
      margin_balance: decimal('5.50'),
      ...(market === 'futures' ? { leverage: '10' } : { strict_validate: true }),
    },
    sent: {
      symbol: 'BTCUSDT',
      margin_balance: '5.5',
      ...(market === 'futures' ? { leverage: '10' } : { strict_validate: true }),
    },
    result: ACCOUNT,
    read: ACCOUNT_READ,
  },
  {
    rows: [`${T}.${market}-close-position`],
    method: `${market}_close_position`,
    params: { symbol: 'BTCUSDT', price: decimal('19000.5'), strict_validate: true },
    sent: { symbol: 'BTCUSDT', price: '19000.5', strict_validate: true },
    result: POSITION,
    read: POSITION_READ,
  },
];

const MOVE = {
  id: 102703545,
  status: 'SUCCESS',
  type: 'DEPOSIT',
  subtype: 'BLOCKCHAIN',
  ...DATES,
  last_activity_at: AT,
  native: { tx_id: '76b70d1c', index: 1, currency: 'ETH', amount: '0.05', hash: '0xd3' },
};
const MOVE_READ = {
  id: 102703545,
  status: 'SUCCESS',
  type: 'DEPOSIT',
  subtype: 'BLOCKCHAIN',
  ...DATES_READ,
  last_activity_at: AT_READ,
  native: expect.objectContaining({ tx_id: '76b70d1c', amount: decimal('0.05'), currency: 'ETH' }),
};
const FILTER = { currencies: ['ETH', 'BTC'], from: AT_READ, limit: 7, sort: 'ASC' } as const;
const WALLET_BALANCE = { currency: 'ETH', available: '1.50', reserved: '0' };
const WALLET_BALANCE_READ = {
  currency: 'ETH',
  available: decimal('1.5'),
  reserved: decimal('0'),
};

const WALLET: readonly Case[] = [
  {
    rows: [`${W}.wallet-balances`],
    method: 'wallet_balances',
    result: [WALLET_BALANCE],
    read: [WALLET_BALANCE_READ],
  },
  {
    rows: [`${W}.wallet-balance`],
    method: 'wallet_balance',
    params: { currency: 'ETH' },
    result: without(WALLET_BALANCE, 'currency'),
    read: without(WALLET_BALANCE_READ, 'currency'),
  },
  ...['transactions', 'get_transactions'].map((method) => ({
    rows: [`${W}.${method.replace('_', '-')}`],
    method,
    params: FILTER,
    sent: { currencies: 'ETH,BTC', from: AT, limit: 7, sort: 'ASC' },
    result: [MOVE],
    read: [MOVE_READ],
  })),
  ...['subscribe', 'unsubscribe'].flatMap((verb) =>
    ['transactions', 'wallet_balances'].map((what) => ({
      rows: [`${W}.${verb}-${what.replace('_', '-')}`],
      method: `${verb}_${what}`,
      result: true,
      read: true,
    })),
  ),
];

const titled = (cases: readonly Case[]) =>
  cases.map((one) => [one.rows.join(' '), one.method, one] as const);

/** A service that takes logins and answers everything else with one result. */
const answering =
  (result: unknown) =>
  (asked: Asked): void => {
    asked.peer.answer(asked, asked.method === 'login' ? true : result);
  };

async function check(one: Case, make: (url: string) => Promise<object>): Promise<void> {
  const service = await Service.open({ hears: answering(one.result) });
  const socket = (await make(service.url)) as {
    request(method: string, params?: object): Promise<unknown>;
  };
  expect(await socket.request(one.method, one.params)).toEqual(one.read);
  const { params = {}, sent = params } = one;
  const { method, params: received, id } = await service.received(one.method);
  expect({ method, received, id }).toEqual({ method: one.method, received: sent, id: 2 });
}

const trading = async (url: string): Promise<object> => {
  const { socket } = tradingBench(url);
  await socket.open();
  return socket;
};

const wallet = async (url: string, listener: Ear = new Ear()): Promise<WalletSocket> => {
  const scheduler = new VirtualScheduler(STARTED);
  const made = { url, scheduler, random: new Random(1), listener: listener as never };
  const socket = new WalletSocket({ ...made, credentials: CREDENTIALS });
  await socket.open();
  return socket;
};

describe('a method is asked and its answer read', () => {
  eachRow('', titled([...balancesOf('spot'), ...balancesOf('futures')]))('%s', async (_, one) =>
    check(one, trading),
  );
  eachRow('', titled([...marginOf('margin'), ...marginOf('futures')]))('%s', async (_, one) =>
    check(one, trading),
  );
  eachRow('', titled(WALLET))('%s', async (_, one) => check(one, wallet));

  test('the wallet socket logs in before anything else', { tags: [`${W}.login`] }, async () => {
    const service = await Service.open({ hears: answering([]) });
    await (await wallet(service.url)).request('wallet_balances');
    expect(service.methods()).toEqual(['login', 'wallet_balances']);
    expect(service.asked[0].params).toMatchObject({ type: 'HS256', api_key: 'demo' });
  });

  test('the trading socket does too', { tags: [`${T}.login`] }, async () => {
    const service = await Service.open({ hears: answering([]) });
    const { socket } = tradingBench(service.url);
    await socket.open();
    await socket.request('spot_balances');
    expect(service.methods()).toEqual(['login', 'spot_balances']);
    expect(service.asked[0].params).toMatchObject({ type: 'HS256', api_key: 'demo' });
  });
});

describe('a notification is read', () => {
  const ACCOUNT_REPORT = { ...ACCOUNT, report_type: 'updated', report_reason: 'marginChanged' };
  const reportRead = {
    ...ACCOUNT_READ,
    report_type: 'updated',
    report_reason: 'marginChanged',
  };

  eachRow('', [
    [`${T}.notif-spot-balance`, 'spot_balance', [BALANCE], [BALANCE_READ]],
    [`${T}.notif-futures-balance`, 'futures_balance', [BALANCE], [BALANCE_READ]],
    [`${T}.notif-margin-account`, 'margin_account', ACCOUNT_REPORT, reportRead],
    [`${T}.notif-margin-account`, 'margin_accounts', [ACCOUNT_REPORT], [reportRead]],
    [`${T}.notif-margin-account`, 'futures_account', ACCOUNT_REPORT, reportRead],
    [`${T}.notif-margin-account`, 'futures_accounts', [ACCOUNT_REPORT], [reportRead]],
  ])('%s', async (method, params, read) => {
    const service = await Service.open();
    const { socket, ear } = tradingBench(service.url);
    await socket.open();
    service.peer.send({ jsonrpc: '2.0', method, params });
    await until(() => {
      expect([ear.reported, ear.failures]).toEqual([[[method, read]], []]);
    });
  });

  eachRow('', [
    [`${W}.notif-transaction-update`, 'transaction_update', MOVE, MOVE_READ],
    [`${W}.notif-wallet-balances`, 'wallet_balances', [WALLET_BALANCE], [WALLET_BALANCE_READ]],
    ...[WALLET_BALANCE, [WALLET_BALANCE]].map(
      (params) =>
        [
          `${W}.notif-wallet-balance-update`,
          'wallet_balance_update',
          params,
          [WALLET_BALANCE_READ],
        ] as const,
    ),
  ])('%s', async (method, params, read) => {
    const service = await Service.open();
    const ear = new Ear();
    await wallet(service.url, ear);
    service.peer.send({ jsonrpc: '2.0', method, params });
    await until(() => {
      expect([ear.reported, ear.failures]).toEqual([[[method, read]], []]);
    });
  });
});
