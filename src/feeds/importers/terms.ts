import { MillraceError } from '../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { splitSymbol, type SymbolParts } from './symbol.ts';

/** What the caller knows of the instrument; the rest is inferred, and marked as inferred. */
export type KnownTerms = { readonly [Field in keyof InstrumentTerms]?: InstrumentTerms[Field] };

/** What the files tell of it. */
export interface FoundTerms {
  /** `undefined` where the format does not name it. */
  readonly symbol: string | undefined;
  readonly type?: 'spot' | 'futures' | undefined;
  /** Where the symbol itself does not tell them. */
  readonly parts?: SymbolParts | undefined;
  /** The finest price and quantity steps seen. */
  readonly tickSize: string;
  readonly quantityIncrement: string;
}

/** A term that everything traded has; what else there may be to a contract is not guessed. */
type TermName = {
  [Field in keyof InstrumentTerms]-?: undefined extends InstrumentTerms[Field] ? never : Field;
}[keyof InstrumentTerms];

export interface SettledTerms {
  readonly terms: InstrumentTerms;
  /** The fields that were given neither by the caller nor, in so many words, by the files. */
  readonly inferred: readonly TermName[];
}

/** The usual public rate of a spot venue, taken where the caller names none. */
const RATE = '0.001';

/**
 * Joins what is known and what was found. Throws `usage` when the symbol or its currencies can
 * be had from neither, `instrument-invalid` when the terms contradict themselves.
 */
export function settleTerms(known: KnownTerms, found: FoundTerms): SettledTerms {
  const inferred: TermName[] = [];
  const settle = <T extends string>(field: TermName, guess: T): T => {
    inferred.push(field);
    return guess;
  };
  const symbol = known.symbol ?? found.symbol;
  if (symbol === undefined)
    throw unnamed('symbol', 'symbol is not in the file', '--symbol BTCUSDT');
  const parts =
    known.symbol === undefined ? (found.parts ?? splitSymbol(symbol)) : splitSymbol(symbol);
  const part = (field: 'baseCurrency' | 'quoteCurrency'): string => {
    if (parts !== undefined) return settle(field, parts[field]);
    throw unnamed(
      field,
      `currencies of ${symbol} cannot be told from its name`,
      '--base-currency BTC --quote-currency USDT',
    );
  };
  const quoteCurrency = known.quoteCurrency ?? part('quoteCurrency');
  const terms: InstrumentTerms = {
    symbol,
    type: known.type ?? found.type ?? settle('type', parts?.type ?? 'spot'),
    baseCurrency: known.baseCurrency ?? part('baseCurrency'),
    quoteCurrency,
    tickSize: known.tickSize ?? settle('tickSize', found.tickSize),
    quantityIncrement:
      known.quantityIncrement ?? settle('quantityIncrement', found.quantityIncrement),
    takeRate: known.takeRate ?? settle('takeRate', RATE),
    makeRate: known.makeRate ?? settle('makeRate', RATE),
    feeCurrency: known.feeCurrency ?? settle('feeCurrency', quoteCurrency),
  };
  return { terms: new Instrument(terms).terms, inferred };
}

const unnamed = (field: string, what: string, how: string): MillraceError =>
  new MillraceError('usage', `The ${what}; name it with ${how}.`, { field });
