/** What an API key may be allowed, by the names that the service shows its users. */
export const RIGHTS = {
  read: 'Orderbook, History, Trading balance',
  trade: 'Place/cancel orders',
  payment: 'Payment information',
  withdraw: 'Withdraw cryptocurrencies',
} as const;

/** A right that a key carries. */
export type Right = keyof typeof RIGHTS;

/** What a call asks for: nothing, any valid key, or a right. */
export type Access = 'public' | 'key' | Right;
