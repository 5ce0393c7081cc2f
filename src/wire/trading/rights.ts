/** Permissions of an API key, by the service's names. */
export const RIGHTS = {
  read: 'Orderbook, History, Trading balance',
  trade: 'Place/cancel orders',
  payment: 'Payment information',
  withdraw: 'Withdraw cryptocurrencies',
} as const;

/** A permission of a key. */
export type Right = keyof typeof RIGHTS;

/** Requirement of a call: none, any valid key, or a permission. */
export type Access = 'public' | 'key' | Right;
