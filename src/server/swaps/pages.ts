import type { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import type { TokenTerms } from '../../swaps/tokens.ts';

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly limit: number;
  readonly offset: number;
  /** Of the whole list. */
  readonly total: number;
  readonly pages: number;
}

/** Cuts a page out of a list. */
export const pageOf = <T>(
  items: readonly T[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Page<T> => ({
  items: items.slice(offset, offset + limit),
  limit,
  offset,
  total: items.length,
  pages: Math.ceil(items.length / limit),
});

export interface TokenSearch {
  /** Looked for in symbol, name and contract address, in capital or small letters. */
  readonly q?: string | undefined;
  /** `id` of a network. */
  readonly network?: number | undefined;
}

/** The tokens of the list that a search finds, in the order of the list. */
export function findTokens(
  service: SwapIntents,
  { q = '', network }: TokenSearch,
): readonly TokenTerms[] {
  const sought = q.toLowerCase();
  return service.tokens.filter(
    (token) =>
      (network === undefined || service.networkOf(token).id === network) &&
      [token.asset, token.name, token.contract].some((text) => text.toLowerCase().includes(sought)),
  );
}
