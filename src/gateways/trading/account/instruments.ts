import { MillraceError } from '../../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../../model/instrument.ts';
import { isoTime } from '../../../platform/time.ts';
import type { TradingClient } from '../client/client.ts';

type Rest = TradingClient['rest'];
/** Symbols by their codes, as the service lists them. */
export type Symbols = Awaited<ReturnType<Rest['getSymbols']>>;
/** What an account pays, for each symbol. */
export type Fees = Awaited<ReturnType<Rest['getSpotFees']>>;

type Warn = (warning: MillraceError) => void;
type GivenSymbol = Symbols[string];

/**
 * The spot symbols of the service as instruments, with the fee rates of the account where it tells
 * them. Symbols whose terms contradict themselves are left out, each with a warning; contracts are
 * left out without one, as they are no spot symbols.
 */
export function instrumentsOf(symbols: Symbols, fees: Fees, warn: Warn): readonly Instrument[] {
  const rates = new Map(fees.map((fee) => [fee.symbol, fee]));
  return Object.entries(symbols).flatMap(([symbol, given]) => {
    if (given.type !== 'spot') return [];
    const terms = { type: 'spot', baseCurrency: given.base_currency ?? '' } as const;
    return instrumentOf(symbol, { ...given, ...rates.get(symbol) }, terms, warn);
  });
}

/**
 * The contracts of the service as instruments, of which market data is recorded. Their margin terms are
 * told to those with a key alone, and are not among these.
 */
export const contractsOf = (symbols: Symbols, warn: Warn): readonly Instrument[] =>
  Object.entries(symbols).flatMap(([symbol, given]) => {
    if (given.type !== 'futures') return [];
    const { contract_type: contractType, expiry } = given;
    const terms = {
      type: 'futures',
      baseCurrency: given.base_currency ?? given.underlying ?? '',
      ...(contractType === undefined ? {} : { contractType }),
      ...(expiry === undefined || expiry === null ? {} : { expiry: isoTime(expiry) }),
    } as const;
    return instrumentOf(symbol, given, terms, warn);
  });

function instrumentOf(
  symbol: string,
  given: Pick<GivenSymbol, 'take_rate' | 'make_rate'> & GivenSymbol,
  kind: Pick<InstrumentTerms, 'type' | 'baseCurrency' | 'contractType' | 'expiry'>,
  warn: Warn,
): readonly Instrument[] {
  try {
    const instrument = new Instrument({
      symbol,
      ...kind,
      quoteCurrency: given.quote_currency,
      tickSize: given.tick_size.toFixed(),
      quantityIncrement: given.quantity_increment.toFixed(),
      takeRate: given.take_rate.toFixed(),
      makeRate: given.make_rate.toFixed(),
      feeCurrency: given.fee_currency,
    });
    return [instrument];
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    warn(error);
    return [];
  }
}
