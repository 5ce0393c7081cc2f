import type { MarginAccountId } from '../../model/margin-account.ts';

/** Names a margin account within a sentence. */
export const marginName = ({ mode, symbol, isContract, currency }: MarginAccountId): string =>
  `the ${mode} margin account of ${symbol ?? `${currency} ${isContract ? 'futures' : 'spot'}`}`;
