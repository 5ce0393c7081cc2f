import type { MarginMode } from '../model/margin-terms.ts';
import { ownMembers } from '../model/members.ts';
import { commandFactory } from './arguments.ts';

/**
 * A symbol traded on margin: with separate funds, or with those of all symbols of its settlement
 * currency. Used wherever a command or a stream takes a market; a plain symbol is spot.
 */
export interface MarginSymbol<Mode extends MarginMode = MarginMode> {
  readonly symbol: string;
  readonly margin: Mode;
}

/** Where an order trades: a spot symbol as text, or the result of `isolated` or `cross`. */
export type Where = string | MarginSymbol;

/**
 * The symbol on isolated margin: its positions have their own margin account. A futures is a
 * contract, which is only traded on margin.
 *
 *     target(isolated('BTCUSDT'), -0.5)
 */
export const isolated = commandFactory(
  'isolated(symbol)',
  (symbol: string): MarginSymbol<'isolated'> => Object.freeze({ symbol, margin: 'isolated' }),
);

/** The symbol on cross margin: one margin account for all positions of its settlement currency. */
export const cross = commandFactory('cross(symbol)', (symbol: string): MarginSymbol<'cross'> =>
  Object.freeze({ symbol, margin: 'cross' }),
);

/**
 * Market members of a command. Any other value is kept under its name, for the engine to reject.
 */
export const orderMarketOf = (where: unknown): Readonly<Record<string, unknown>> =>
  typeof where === 'object' && where !== null ? ownMembers(where) : { symbol: where };

/** The markets that a strategy can take as a parameter: `z.enum(MARKETS)`. */
export const MARKETS = ['spot', 'isolated', 'cross'] as const;
export type MarketName = (typeof MARKETS)[number];

/** The symbol in the market of a parameter. */
export function on(symbol: string, market: MarketName): Where {
  if (market === 'spot') return symbol;
  if (market === 'cross' || market === 'isolated')
    return market === 'cross' ? cross(symbol) : isolated(symbol);
  // The engine rejects other values of the parameter by name.
  return Object.freeze({ symbol, margin: String(market) as MarginMode });
}
