import type { MarginAccountId } from '../../model/margin-account.ts';

/** A margin account in words, within a sentence. */
export const marginName = ({ mode, symbol, isContract, currency }: MarginAccountId): string =>
  `the ${mode} margin account of ${symbol ?? `${currency} ${isContract ? 'futures' : 'spot'}`}`;
