import { MillraceError } from '../../../model/errors.ts';
import { Instrument } from '../../../model/instrument.ts';
import type { TradingClient } from '../client/client.ts';

type Rest = TradingClient['rest'];
/** Symbols by their codes, as the service lists them. */
export type Symbols = Awaited<ReturnType<Rest['getSymbols']>>;
/** What an account pays, for each symbol. */
export type Fees = Awaited<ReturnType<Rest['getSpotFees']>>;

/**
 * The spot symbols of the service as instruments, with the fee rates of the account where it tells
 * them. Symbols whose terms contradict themselves are left out, each with a warning; contracts are
 * left out without one, as they are no spot symbols.
 */
export function instrumentsOf(
  symbols: Symbols,
  fees: Fees,
  warn: (warning: MillraceError) => void,
): readonly Instrument[] {
  const rates = new Map(fees.map((fee) => [fee.symbol, fee]));
  return Object.entries(symbols).flatMap(([symbol, given]) => {
    if (given.type !== 'spot') return [];
    const { take_rate, make_rate } = rates.get(symbol) ?? given;
    try {
      const instrument = new Instrument({
        symbol,
        type: 'spot',
        baseCurrency: given.base_currency ?? '',
        quoteCurrency: given.quote_currency,
        tickSize: given.tick_size.toFixed(),
        quantityIncrement: given.quantity_increment.toFixed(),
        takeRate: take_rate.toFixed(),
        makeRate: make_rate.toFixed(),
        feeCurrency: given.fee_currency,
      });
      return [instrument];
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      warn(error);
      return [];
    }
  });
}
