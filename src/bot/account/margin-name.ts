import type { MarginAccountPlace } from '../../model/margin-account.ts';

/** A margin account in words, within a sentence. */
export const marginName = ({ mode, symbol, isContract, currency }: MarginAccountPlace): string =>
  `the ${mode} margin account of ${symbol ?? `${currency} ${isContract ? 'futures' : 'spot'}`}`;
