import { MillraceError } from '../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import type { ContractTerms } from './contracts.ts';
import { splitSymbol, type SymbolParts } from './symbol.ts';

/** The caller's terms of the instrument; others are inferred, and marked as inferred. */
export type KnownTerms = { readonly [Field in keyof InstrumentTerms]?: InstrumentTerms[Field] };

/** Terms found in the files. */
export interface FoundTerms {
  /** `undefined` if the format does not name it. */
  readonly symbol: string | undefined;
  readonly type?: 'spot' | 'futures' | undefined;
  /** Of a contract, if the venue's rules have them. */
  readonly contract?: ContractTerms | undefined;
  /** True if the files have funding rates, which nothing else is paid by. */
  readonly isPerpetual?: boolean | undefined;
  /** Set if the symbol itself does not show them. */
  readonly parts?: SymbolParts | undefined;
  /** The finest price and quantity steps seen; undefined if the files have none that is on a grid. */
  readonly tickSize: string | undefined;
  readonly quantityIncrement: string | undefined;
}

/** A term of every instrument; others of a contract are not guessed. */
type TermName = {
  [Field in keyof InstrumentTerms]-?: undefined extends InstrumentTerms[Field] ? never : Field;
}[keyof InstrumentTerms];

export interface SettledTerms {
  readonly terms: InstrumentTerms;
  /** Terms given neither by the caller nor explicitly by the files. */
  readonly inferred: readonly TermName[];
}

const STEPS = {
  tickSize: ['tick size', '--tick-size 0.1'],
  quantityIncrement: ['quantity increment', '--quantity-increment 0.001'],
} as const;

/** The usual public rate of a spot venue, used by default. */
const RATE = '0.001';

/**
 * Joins given and found terms. Throws `usage` if neither has the symbol or its currencies,
 * `instrument-invalid` if the terms contradict themselves.
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
      `currencies of ${symbol} cannot be read from its name`,
      '--base-currency BTC --quote-currency USDT',
    );
  };
  const step = (field: 'tickSize' | 'quantityIncrement'): string => {
    const { [field]: seen } = found;
    if (seen !== undefined) return settle(field, seen);
    const [what, how] = STEPS[field];
    throw unnamed(field, `${what} of ${symbol} cannot be read from these files`, how);
  };
  const quoteCurrency = known.quoteCurrency ?? part('quoteCurrency');
  const type =
    known.type ??
    found.type ??
    (found.contract === undefined ? settle('type', parts?.type ?? 'spot') : 'futures');
  const terms: InstrumentTerms = {
    symbol,
    type,
    baseCurrency: known.baseCurrency ?? part('baseCurrency'),
    quoteCurrency,
    tickSize: known.tickSize ?? step('tickSize'),
    quantityIncrement: known.quantityIncrement ?? step('quantityIncrement'),
    takeRate: known.takeRate ?? settle('takeRate', RATE),
    makeRate: known.makeRate ?? settle('makeRate', RATE),
    feeCurrency: known.feeCurrency ?? settle('feeCurrency', quoteCurrency),
    minNotional: known.minNotional,
    ...contractOf(known, found, type, symbol),
  };
  return { terms: new Instrument(terms).terms, inferred };
}

/** Throws `usage` if a contract that settles in its base currency is called spot. */
function contractOf(
  known: KnownTerms,
  found: FoundTerms,
  type: InstrumentTerms['type'],
  symbol: string,
): ContractTerms & Pick<InstrumentTerms, 'contractType'> {
  const contractType =
    known.contractType ?? (found.isPerpetual === true ? ('perpetual' as const) : undefined);
  const contractSize = known.contractSize ?? found.contract?.contractSize;
  const settlement = known.settlement ?? found.contract?.settlement;
  if (type === 'spot' && settlement === 'inverse') {
    throw new MillraceError(
      'usage',
      `${symbol} is an inverse contract${contractSize === undefined ? '' : ` of ${contractSize}`}: as spot each contract would count as 1 of its base currency. Import it as futures.`,
      { field: 'type' },
    );
  }
  // Given for spot, they are rejected as contradictory; found for spot, they are left out.
  if (type === 'spot' && known.contractSize === undefined && known.settlement === undefined) {
    return {};
  }
  return {
    contractSize,
    settlement,
    contractType,
  };
}

const unnamed = (field: string, what: string, how: string): MillraceError =>
  new MillraceError('usage', `The ${what}; name it with ${how}.`, { field });
