/**
 * What a strategy, or all of them together, may do.
 *
 * - `running`: everything.
 * - `reducing`: only orders that bring what is held nearer to nothing.
 * - `halted`: nothing new; orders that stand may be canceled.
 * - `killed`: as halted, and every order was canceled; it takes a person to leave it.
 */
export const TRADING_STATES = ['running', 'reducing', 'halted', 'killed'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/** The stricter of two states. */
export const stricter = (one: TradingState, other: TradingState): TradingState =>
  TRADING_STATES.indexOf(one) >= TRADING_STATES.indexOf(other) ? one : other;
