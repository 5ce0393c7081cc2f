import type { Random } from '../../../src/platform/random.ts';
import type { TestVenue } from '../kit.ts';

/** A request of a history. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly as?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const MEMBERS = ['demo', 'other', 'demo-sub'] as const;
const SPOT = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'] as const;
const PRICES = { BTCUSDT: 62_000, ETHUSDT: 3_400, ETHBTC: 0.0548 } as const;
const STEPS = { BTCUSDT: 2, ETHUSDT: 3, ETHBTC: 6 } as const;
const ADMIN = { authorization: 'Bearer admin' } as const;

/** The price of a symbol, a little off. */
const near = (random: Random, symbol: (typeof SPOT)[number], off: number): string =>
  (PRICES[symbol] * (1 + off * (random.unit() - 0.5))).toFixed(STEPS[symbol]);

const orderId = (number: number): string => `history-${number}`;

type Maker = (random: Random, number: number) => Sent;

const pick = <T>(random: Random, from: readonly T[]): T => from[random.integer(0, from.length - 1)];

const order: Maker = (random, number) => {
  const symbol = pick(random, SPOT);
  const type = pick(random, ['limit', 'limit', 'limit', 'market', 'stopLimit'] as const);
  const side = pick(random, ['buy', 'sell'] as const);
  const price = near(random, symbol, 0.02);
  return {
    method: 'POST',
    path: '/api/3/spot/order',
    as: pick(random, MEMBERS),
    form: {
      symbol,
      side,
      type,
      client_order_id: orderId(number),
      quantity: (random.integer(1, 20) / (symbol === 'BTCUSDT' ? 10_000 : 1_000)).toFixed(4),
      ...(type === 'market' ? {} : { price }),
      ...(type === 'stopLimit' ? { stop_price: price } : {}),
      ...(random.chance(0.3) && type === 'limit'
        ? { time_in_force: 'GTD', expire_time: '2026-01-05T10:00:30.000Z' }
        : {}),
    },
  };
};

const list: Maker = (_random, number) => ({
  method: 'POST',
  path: '/api/3/spot/order/list',
  as: 'demo',
  json: {
    contingency_type: 'oneCancelOther',
    order_list_id: `history-list-${number}-0`,
    orders: [
      { type: 'limit', price: '63000' },
      { type: 'stopLimit', price: '50000', stop_price: '51000' },
    ].map((one, leg) => ({
      ...one,
      symbol: 'BTCUSDT',
      side: 'sell',
      quantity: '0.001',
      time_in_force: 'GTC',
      client_order_id: `history-list-${number}-${leg}`,
    })),
  },
});

const margin: Maker = (random, number) =>
  pick<Sent>(random, [
    {
      method: 'PUT',
      path: '/api/3/futures/account/isolated/ETHUSDT_PERP',
      as: 'demo',
      form: { margin_balance: String(random.integer(500, 2_000)), leverage: '10' },
    },
    {
      method: 'PUT',
      path: '/api/3/margin/account/isolated/BTCUSDT',
      as: 'demo',
      form: { margin_balance: String(random.integer(500, 2_000)), leverage: '5' },
    },
    {
      method: 'POST',
      path: '/api/3/futures/order',
      as: 'demo',
      form: {
        symbol: 'ETHUSDT_PERP',
        type: 'market',
        quantity: '0.5',
        margin_mode: 'isolated',
        side: pick(random, ['buy', 'sell']),
        client_order_id: `history-future-${number}`,
      },
    },
    {
      method: 'POST',
      path: '/api/3/margin/order',
      as: 'demo',
      form: {
        symbol: 'BTCUSDT',
        type: 'market',
        quantity: '0.01',
        margin_mode: 'isolated',
        side: pick(random, ['buy', 'sell']),
        client_order_id: `history-margin-${number}`,
      },
    },
  ]);

const wallet: Maker = (random) =>
  pick<Sent>(random, [
    {
      method: 'POST',
      path: '/api/3/wallet/transfer',
      as: 'demo',
      form: { currency: 'USDT', amount: '25', source: 'wallet', destination: 'spot' },
    },
    {
      method: 'POST',
      path: '/api/3/wallet/crypto/withdraw',
      as: 'demo',
      form: {
        currency: 'ETH',
        amount: '0.5',
        address: '0x063aA85AD815219C347D18f0a51D5639874AB12F',
      },
    },
    { method: 'POST', path: '/api/3/wallet/crypto/address', as: 'demo', form: { currency: 'BTC' } },
    {
      method: 'POST',
      path: '/api/3/wallet/internal/withdraw',
      as: 'demo',
      form: { currency: 'USDT', amount: '3', by: 'username', identifier: 'other' },
    },
    {
      method: 'POST',
      path: '/api/3/sub-account/transfer',
      as: 'demo',
      form: { sub_account_id: '5', currency: 'USDT', amount: '2', type: 'to_sub_account' },
    },
  ]);

const admin: Maker = (random) =>
  pick<Sent>(random, [
    {
      method: 'POST',
      path: '/admin/deposits',
      headers: ADMIN,
      json: { member: 'other', currency: 'BTC', amount: '0.25' },
    },
    {
      method: 'POST',
      path: '/admin/airdrops',
      headers: ADMIN,
      json: { member: 'demo', currency: 'USDT', amount: '7' },
    },
    {
      method: 'POST',
      path: '/admin/symbols',
      headers: ADMIN,
      json: { symbol: 'SOLUSDC', status: pick(random, ['suspended', 'working']) },
    },
    {
      method: 'POST',
      path: '/admin/locks',
      headers: ADMIN,
      json: { member: 'demo', currency: 'BTC', amount: '0.01', until: '2026-01-05T10:00:20.000Z' },
    },
    {
      method: 'POST',
      path: '/admin/faults',
      headers: ADMIN,
      json: { seed: 1, clockSkewMs: random.integer(0, 3) },
    },
  ]);

const USDC = { source_chain: 1, source_token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' };

const swap: Maker = (random) => ({
  method: 'POST',
  path: '/affiliate/v1/quotes/best',
  headers: { 'x-api-key': 'demo-affiliate' },
  json: {
    ...USDC,
    dest_chain: 2,
    dest_token: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
    amount: String(random.integer(10, 500)),
    slippage_bps: '50',
  },
});

const cancel: Maker = (random, number) => {
  const as = pick(random, MEMBERS);
  const id = orderId(random.integer(0, number));
  return pick(random, [
    { method: 'DELETE', path: `/api/3/spot/order/${id}`, as },
    {
      method: 'PATCH',
      path: `/api/3/spot/order/${id}`,
      as,
      form: { new_client_order_id: orderId(number), quantity: '0.002', price: '61000.00' },
    },
  ]);
};

const MAKERS: readonly Maker[] = [
  ...[order, order, order, order, cancel, cancel],
  ...[list, margin, wallet, admin, swap],
];

/** What opens the accounts that later requests need. */
const FIRST: readonly Sent[] = [
  {
    method: 'PUT',
    path: '/api/3/futures/account/isolated/ETHUSDT_PERP',
    as: 'demo',
    form: { margin_balance: '1000', leverage: '10' },
  },
  {
    method: 'PUT',
    path: '/api/3/margin/account/isolated/BTCUSDT',
    as: 'demo',
    form: { margin_balance: '1000', leverage: '5' },
  },
];

/** What was asked, and how each venue answered it. */
export type Answered = readonly (readonly [string, ...number[]])[];

/** Sends the same requests by chance to venues of one clock, time passing between them. */
export async function play(
  venues: readonly [TestVenue, ...TestVenue[]],
  random: Random,
  from: number,
  count: number,
): Promise<Answered> {
  const answered: [string, ...number[]][] = [];
  for (let number = from; number < from + count; number += 1) {
    const { method, path, ...ask } = FIRST[number] ?? pick(random, MAKERS)(random, number);
    const statuses: number[] = [];
    for (const venue of venues) statuses.push((await venue.call(method, path, ask)).status);
    answered.push([`${method} ${path}`, ...statuses]);
    venues[0].pass(random.integer(0, 400_000));
  }
  return answered;
}
