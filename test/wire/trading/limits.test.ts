import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/wire/trading/call.ts';
import {
  methodLimit,
  ORDERS_MAX,
  V2_LIMITS,
  v2Limit,
  v2MethodLimit,
  V3_CONNECTION_LIMIT,
  V3_REST_LIMITS,
  V3_TRADING_LIMITS,
  V3_WALLET_LIMITS,
  v3RestLimits,
} from '../../../src/wire/trading/limits.ts';
import { RateLimiter } from '../../../src/wire/trading/rate-limiter.ts';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import { TRADING_METHODS } from '../../../src/wire/trading/v3/streams/trading.ts';
import { WALLET_METHODS } from '../../../src/wire/trading/v3/streams/wallet.ts';

/** Of a call its limits as the specification writes them: rate + burst by address and by account. */
const quotas = (path: string): string =>
  v3RestLimits(path)
    .map((name) => V3_REST_LIMITS[name])
    .map(({ scope, rate, burst }) => `${scope} ${rate}+${burst}`)
    .join(', ');

describe('REST limits of version 3', () => {
  test.each([
    ['/public/symbol', 'ip 30+50'],
    ['/public', 'ip 30+50'],
    ['/publicity', 'ip 20+30'],
    ['/spot/balance', 'ip 20+30'],
    ['/spot/order', 'ip 300+450'],
    ['/spot/order/list', 'ip 300+450'],
    ['/spot/order/abcdefgh', 'ip 300+450'],
    ['/spot/history/order', 'ip 20+30'],
    ['/margin/order', 'ip 300+450'],
    ['/margin/account/isolated/BTCUSDT', 'ip 300+450'],
    ['/margin/position', 'ip 300+450'],
    ['/margin/config', 'ip 20+30'],
    ['/futures/order', 'ip 300+450'],
    ['/futures/account', 'ip 300+450'],
    ['/futures/position/isolated/BTCUSDT_PERP', 'ip 300+450'],
    ['/futures/balance', 'ip 20+30'],
    ['/wallet/balance', 'ip 10+10, account 20+30'],
    ['/transfer-convert/config', 'ip 10+10, account 20+30'],
    ['/transfer-convert/other', 'ip 20+30'],
    ['/sub-account', 'ip 20+30, account 20+30'],
    ['/sub-account/transfer/sub-to-sub', 'ip 20+30, account 20+30'],
    ['/nowhere', 'ip 20+30'],
  ])('%s counts in %s', (path, expected) => {
    expect(quotas(path)).toBe(expected);
  });

  test('orders of spot, margin and futures are counted apart', () => {
    const names = ['/spot/order', '/margin/order', '/futures/order'].flatMap(v3RestLimits);
    expect(new Set(names).size).toBe(3);
  });

  test('every call counts in one limit of its address', () => {
    for (const { path } of Object.values<Call>(V3_CALLS)) {
      const scopes = v3RestLimits(path).map((name) => V3_REST_LIMITS[name].scope);
      expect(scopes.filter((scope) => scope === 'ip')).toHaveLength(1);
    }
  });

  test('sockets are opened at 10 a second and 10 more', () => {
    expect(V3_CONNECTION_LIMIT).toEqual({ rate: 10, burst: 10 });
  });
});

const quotaOf = (table: typeof V3_TRADING_LIMITS, method: string): string => {
  const row = table[methodLimit(table, method) ?? ''];
  return row === undefined ? 'none' : `${row.scope} ${row.rate}+${row.burst}`;
};

describe('socket limits of version 3', () => {
  test.each([
    ['login', 'account 5+0'],
    ...['spot', 'margin', 'futures'].flatMap((market) => [
      [`${market}_subscribe`, 'account 5+0'],
      [`${market}_unsubscribe`, 'account 5+0'],
      [`${market}_new_order`, 'account 300+200'],
      [`${market}_new_order_list`, 'account 300+200'],
      [`${market}_replace_order`, 'account 300+200'],
    ]),
    ['spot_balance_subscribe', 'account 5+0'],
    ['spot_balance_unsubscribe', 'account 5+0'],
    ['futures_balance', 'account 5+0'],
    ['spot_balances', 'account 20+10'],
    ['spot_fee', 'account 20+10'],
    ['margin_get_accounts', 'account 20+10'],
    ['futures_get_accounts', 'account 20+10'],
    ['futures_balances', 'account 20+10'],
    ['futures_fee', 'account 20+10'],
    ['no_such_method', 'none'],
  ])('trading: %s counts in %s', (method, expected) => {
    expect(quotaOf(V3_TRADING_LIMITS, method)).toBe(expected);
  });

  test.each([
    ['login', 'account 2+10'],
    ...[
      'subscribe_transactions',
      'unsubscribe_transactions',
      'subscribe_wallet_balances',
      'unsubscribe_wallet_balances',
      'wallet_balances',
      'wallet_balance',
      'transactions',
    ].map((method) => [method, 'account 5+10']),
  ])('wallet: %s counts in %s', (method, expected) => {
    expect(quotaOf(V3_WALLET_LIMITS, method)).toBe(expected);
  });

  test('every method has a limit', () => {
    const without = [
      ...Object.keys(TRADING_METHODS).filter((name) => !methodLimit(V3_TRADING_LIMITS, name)),
      ...Object.keys(WALLET_METHODS).filter((name) => !methodLimit(V3_WALLET_LIMITS, name)),
    ];
    expect(without).toEqual([]);
  });

  test('no method is named by two rows', () => {
    for (const table of [V3_TRADING_LIMITS, V3_WALLET_LIMITS]) {
      const all = Object.values(table).flatMap(({ covers }) => covers);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe('limits of version 2', () => {
  test('are 100 for market data by address, 300 for trading and 10 for the rest by account', () => {
    expect(V2_LIMITS).toEqual({
      'v2-market-data': { scope: 'ip', rate: 100, burst: 0 },
      'v2-trading': { scope: 'account', rate: 300, burst: 0 },
      'v2-other': { scope: 'account', rate: 10, burst: 0 },
    });
  });

  test.each([
    ['GET', '/public/ticker', 'v2-market-data'],
    ['POST', '/order', 'v2-trading'],
    ['PUT', '/order/abcdefgh', 'v2-trading'],
    ['DELETE', '/order', 'v2-trading'],
    ['PATCH', '/margin/order/abcdefgh', 'v2-trading'],
    ['DELETE', '/margin/position/BTCUSDT', 'v2-trading'],
    ['GET', '/order', 'v2-other'],
    ['GET', '/history/order', 'v2-other'],
    ['POST', '/account/transfer', 'v2-other'],
    ['POST', '/orders', 'v2-other'],
  ])('%s %s counts in %s', (method, path, expected) => {
    expect(v2Limit(method, path)).toBe(expected);
  });

  test('methods of sockets count by what they may do', () => {
    expect((['public', 'trade', 'read', 'payment'] as const).map(v2MethodLimit)).toEqual([
      'v2-market-data',
      'v2-trading',
      'v2-other',
      'v2-other',
    ]);
  });

  test('only calls that trade count as trading', () => {
    const trading = Object.entries<Call>(V2_CALLS)
      .filter(([, { method, path }]) => v2Limit(method, path) === 'v2-trading')
      .map(([, { access }]) => access);
    expect(new Set(trading)).toEqual(new Set(['trade']));
  });
});

describe('a rate limiter', () => {
  const limiter = () => new RateLimiter(V3_REST_LIMITS);
  const calls = (count: number, take: () => string | undefined): readonly (string | undefined)[] =>
    Array.from({ length: count }, take);

  test('answers rate and burst of an address, whoever calls, and refuses the next', () => {
    const limits = limiter();
    const names = v3RestLimits('/spot/balance');
    let calledBy = 0;
    const reported = calls(51, () =>
      limits.take(names, { ip: 'a', account: String(++calledBy) }, 0),
    );
    expect(reported.filter((name) => name !== undefined)).toEqual(['ip-default']);
    expect(limits.waitUs(names, { ip: 'a' }, 400_000)).toBe(600_000);
    expect(limits.take(names, { ip: 'b' }, 0)).toBeUndefined();
    expect(limits.take(names, { ip: 'a' }, 1_000_000)).toBeUndefined();
  });

  test('counts an account over its addresses', () => {
    const limits = limiter();
    const names = v3RestLimits('/wallet/balance');
    let from = 0;
    const reported = calls(51, () => limits.take(names, { ip: String(++from), account: 'x' }, 0));
    expect(reported.filter((name) => name !== undefined)).toEqual(['account-wallet']);
  });

  test('a call that one limit refuses counts in no other', () => {
    const limits = limiter();
    const names = v3RestLimits('/wallet/balance');
    calls(20, () => limits.take(names, { ip: 'a', account: 'x' }, 0));
    const rejected = calls(100, () => limits.take(names, { ip: 'a', account: 'x' }, 0));
    expect(new Set(rejected)).toEqual(new Set(['ip-wallet']));
    let from = 0;
    const elsewhere = calls(31, () => limits.take(names, { ip: String(++from), account: 'x' }, 0));
    expect(elsewhere.filter((name) => name !== undefined)).toEqual(['account-wallet']);
  });

  test('has no limit of accounts for who has none', () => {
    const limits = limiter();
    const reported = calls(60, () => limits.take(['account-sub-account'], { ip: 'a' }, 0));
    expect(reported.every((name) => name === undefined)).toBe(true);
    expect(limits.waitUs(['account-sub-account'], { ip: 'a' }, 0)).toBe(0);
  });
});

test('an account may have 25000 orders, 2000 of a symbol', () => {
  expect(ORDERS_MAX).toEqual({ total: 25_000, perSymbol: 2_000 });
});
