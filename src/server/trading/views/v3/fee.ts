import type { SymbolFees } from '../../../../exchange/ledger/fees.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import type { fee, feeOfSymbol } from '../../../../wire/trading/v3/records/balance.ts';

/** What an account pays on a symbol, as an element of a list. */
export const feeView = ({ symbol, takeRate, makeRate }: SymbolFees): Writable<typeof fee> => ({
  symbol,
  take_rate: takeRate,
  make_rate: makeRate,
});

/** The same for a call that names the symbol. */
export const feeOfSymbolView = ({
  takeRate,
  makeRate,
}: SymbolFees): Writable<typeof feeOfSymbol> => ({
  symbol: undefined,
  take_rate: takeRate,
  make_rate: makeRate,
});
