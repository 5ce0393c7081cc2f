import type { MarginMode } from '../model/margin-terms.ts';
import { ownMembers } from '../model/members.ts';
import { taking } from './arguments.ts';

/**
 * A symbol traded on margin: with funds bound to it alone, or with those of all symbols of its settlement
 * currency. Taken wherever a command or a stream names a place to trade; a plain symbol is spot.
 */
export interface MarginSymbol<Mode extends MarginMode = MarginMode> {
  readonly symbol: string;
  readonly margin: Mode;
}

/** Where an order trades: a spot symbol as text, or what `isolated` and `cross` give. */
export type Where = string | MarginSymbol;

/**
 * The symbol on isolated margin: a margin account of its own bears its positions. Of a futures that is
 * its contract, which is traded on margin alone.
 *
 *     target(isolated('BTCUSDT'), -0.5)
 */
export const isolated = taking('isolated(symbol)', (symbol: string): MarginSymbol<'isolated'> =>
  Object.freeze({ symbol, margin: 'isolated' }),
);

/** The symbol on cross margin: one margin account bears all positions of its settlement currency. */
export const cross = taking('cross(symbol)', (symbol: string): MarginSymbol<'cross'> =>
  Object.freeze({ symbol, margin: 'cross' }),
);

/** What a command says of its place. What is no place is kept under its name, for the engine to refuse. */
export const orderMarketOf = (where: unknown): Readonly<Record<string, unknown>> =>
  typeof where === 'object' && where !== null ? ownMembers(where) : { symbol: where };

/** The markets that a strategy can take as a parameter: `z.enum(MARKETS)`. */
export const MARKETS = ['spot', 'isolated', 'cross'] as const;
export type MarketName = (typeof MARKETS)[number];

/** The symbol in the market that a parameter names. */
export function on(symbol: string, market: MarketName): Where {
  if (market === 'spot') return symbol;
  if (market === 'cross' || market === 'isolated')
    return market === 'cross' ? cross(symbol) : isolated(symbol);
  // Whatever else a parameter says is for the engine to refuse by its name.
  return Object.freeze({ symbol, margin: String(market) as MarginMode });
}
