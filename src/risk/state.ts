/**
 * Allowed actions of a strategy, or of all together:
 *
 * - `running`: everything.
 * - `reducing`: only orders that bring holdings nearer to zero.
 * - `halted`: nothing new; open orders may be canceled.
 * - `killed`: as halted, with every order canceled; only an operator ends it.
 */
export const TRADING_STATES = ['running', 'reducing', 'halted', 'killed'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/** The stricter of two states. */
export const stricter = (one: TradingState, other: TradingState): TradingState =>
  TRADING_STATES.indexOf(one) >= TRADING_STATES.indexOf(other) ? one : other;
