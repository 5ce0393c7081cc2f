import type { Access } from './rights.ts';
import type { Quota } from '../sliding-window.ts';

/** Scope of a limit: the calls of one address, or those of one account whatever its keys. */
export type Scope = 'ip' | 'account';

/** One row of the specification's table: calls that share a counter, and their quota. */
export interface RateLimit extends Quota {
  readonly scope: Scope;
  /** REST: patterns of paths below the prefix. Sockets: names of methods. */
  readonly covers: readonly string[];
}

/**
 * The REST limits of version 3. A call counts in one row of each scope, that of the longest pattern that
 * its path matches; `/a/*` matches `/a` too. Patterns of one row share its counter.
 */
export const V3_REST_LIMITS = {
  'ip-default': { scope: 'ip', covers: ['/*'], rate: 20, burst: 30 },
  'ip-public': { scope: 'ip', covers: ['/public/*'], rate: 30, burst: 50 },
  'ip-wallet': { scope: 'ip', covers: ['/wallet/*'], rate: 10, burst: 10 },
  'ip-spot-order': { scope: 'ip', covers: ['/spot/order/*'], rate: 300, burst: 450 },
  'ip-margin': {
    scope: 'ip',
    covers: ['/margin/order/*', '/margin/account/*', '/margin/position/*'],
    rate: 300,
    burst: 450,
  },
  'ip-futures': {
    scope: 'ip',
    covers: ['/futures/order/*', '/futures/account/*', '/futures/position/*'],
    rate: 300,
    burst: 450,
  },
  'ip-convert-config': { scope: 'ip', covers: ['/transfer-convert/config'], rate: 10, burst: 10 },
  'account-wallet': {
    scope: 'account',
    covers: ['/wallet/*', '/transfer-convert/config'],
    rate: 20,
    burst: 30,
  },
  'account-sub-account': { scope: 'account', covers: ['/sub-account/*'], rate: 20, burst: 30 },
} as const satisfies Record<string, RateLimit>;

/** New connections of one address to each of the sockets of version 3. */
export const V3_CONNECTION_LIMIT = { rate: 10, burst: 10 } as const satisfies Quota;

const each = <const M extends readonly string[]>(markets: M, methods: readonly string[]) =>
  markets.flatMap((market) => methods.map((method) => `${market}_${method}`));

const MARKETS = ['spot', 'margin', 'futures'] as const;

/**
 * The socket limits of version 3, per account. Methods of one row share its counter. Reads that the
 * specification does not list (`spot_balance`, `spot_get_orders` and so on) count with those that it does,
 * and cancels with the orders.
 */
export const V3_TRADING_LIMITS: Readonly<Record<string, RateLimit>> = {
  'trading-subscribe': {
    scope: 'account',
    covers: [
      'login',
      ...each(MARKETS, ['subscribe', 'unsubscribe']),
      ...each(['spot', 'futures'], ['balance_subscribe', 'balance_unsubscribe']),
      'futures_balance',
    ],
    rate: 5,
    burst: 0,
  },
  'trading-read': {
    scope: 'account',
    covers: [
      ...['spot_balances', 'spot_balance', 'spot_fee', 'spot_fees'],
      ...['futures_balances', 'futures_fee', 'futures_fees'],
      ...['margin_get_accounts', 'futures_get_accounts'],
      ...each(MARKETS, ['get_orders']),
    ],
    rate: 20,
    burst: 10,
  },
  'trading-order': {
    scope: 'account',
    covers: [
      ...each(MARKETS, ['new_order', 'new_order_list', 'replace_order']),
      ...each(MARKETS, ['cancel_order', 'cancel_orders']),
      ...each(['margin', 'futures'], ['set_account', 'close_position']),
    ],
    rate: 300,
    burst: 200,
  },
};

/** The limits of `/ws/wallet`, per account. */
export const V3_WALLET_LIMITS: Readonly<Record<string, RateLimit>> = {
  'wallet-login': { scope: 'account', covers: ['login'], rate: 2, burst: 10 },
  'wallet-methods': {
    scope: 'account',
    covers: [
      ...['subscribe_transactions', 'unsubscribe_transactions'],
      ...['subscribe_wallet_balances', 'unsubscribe_wallet_balances'],
      ...['wallet_balances', 'wallet_balance', 'transactions', 'get_transactions'],
    ],
    rate: 5,
    burst: 10,
  },
};

/** The limits of version 2, in requests per second; socket methods count with the calls they mirror. */
export const V2_LIMITS = {
  'v2-market-data': { scope: 'ip', rate: 100, burst: 0 },
  'v2-trading': { scope: 'account', rate: 300, burst: 0 },
  'v2-other': { scope: 'account', rate: 10, burst: 0 },
} as const satisfies Record<string, Quota & { readonly scope: Scope }>;

/** The most active and suspended orders of an account. */
export const ORDERS_MAX = { total: 25_000, perSymbol: 2_000 } as const;

export type V3RestLimit = keyof typeof V3_REST_LIMITS;
export type V2Limit = keyof typeof V2_LIMITS;

/** The limits of a call of version 3: one per address, and one per account or none. */
export function v3RestLimits(path: string): readonly V3RestLimit[] {
  const rows = Object.entries(V3_REST_LIMITS) as [V3RestLimit, RateLimit][];
  return (['ip', 'account'] as const).flatMap((scope) => {
    let best: { readonly name: V3RestLimit; readonly length: number } | undefined;
    for (const [name, row] of rows) {
      if (row.scope !== scope) continue;
      const length = Math.max(...row.covers.map((pattern) => matchLength(pattern, path)));
      if (length > (best?.length ?? -1)) best = { name, length };
    }
    return best === undefined ? [] : [best.name];
  });
}

/** The limit of a socket method; `undefined` for a method that no row names. */
export const methodLimit = (
  table: Readonly<Record<string, RateLimit>>,
  method: string,
): string | undefined => Object.keys(table).find((name) => table[name]?.covers.includes(method));

/** The limit that a call of version 2 counts in. */
export function v2Limit(method: string, path: string): V2Limit {
  if (path === '/public' || path.startsWith('/public/')) return 'v2-market-data';
  const trades = /^\/(margin\/)?order(\/|$)|^\/margin\/position(\/|$)/.test(path);
  return trades && method !== 'GET' ? 'v2-trading' : 'v2-other';
}

/** The limit of a socket method of version 2, by its permission. */
export function v2MethodLimit(access: Access): V2Limit {
  if (access === 'public') return 'v2-market-data';
  return access === 'trade' ? 'v2-trading' : 'v2-other';
}

/** Length of the matching part of a pattern; −1 if it does not match. */
function matchLength(pattern: string, path: string): number {
  if (!pattern.endsWith('/*')) return pattern === path ? pattern.length : -1;
  const stem = pattern.slice(0, -2);
  return path === stem || path.startsWith(`${stem}/`) ? stem.length : -1;
}
