import { Amount } from './amount.ts';
import { brief, Decimal, decimal, parseDecimal, unitsAt, ZERO } from './decimal.ts';
import { MillraceError } from './errors.ts';
import {
  marginRules,
  type MarginMode,
  type MarginRules,
  type MarginTerms,
} from './margin-terms.ts';
import { isSanitized, sanitize } from './plain-words.ts';
import { parseIsoTime } from '../platform/time.ts';
import { whole, type Lots, type Rounding, type Ticks } from './units.ts';

/** Terms of an instrument as in files and on the wire: numbers are decimal text. */
export interface InstrumentTerms {
  readonly symbol: string;
  readonly type: 'spot' | 'futures';
  /** Underlying currency of a futures; the trading service shows it as `underlying`. */
  readonly baseCurrency: string;
  readonly quoteCurrency: string;
  /** Prices are whole multiples of it. */
  readonly tickSize: string;
  /** Quantities are whole multiples of it, at least one. */
  readonly quantityIncrement: string;
  /** The least quantity of an order; one increment if absent. */
  readonly minQuantity?: string;
  /** The least value of an order, price times quantity, in the quote currency; none if absent. */
  readonly minNotional?: string;
  /** Taker fee, as a fraction of the trade's value. */
  readonly takeRate: string;
  /** Maker fee; negative for a rebate. */
  readonly makeRate: string;
  /** The quote currency in all published data; the base currency is possible. */
  readonly feeCurrency: string;
  /**
   * Of a futures: the size of quantity 1 in the base currency, or in the quote currency for an
   * inverse settlement; 1 of the base currency if absent.
   */
  readonly contractSize?: string;
  /**
   * Settlement of a futures in its quote currency, or `inverse` in its base currency; linear if
   * absent.
   */
  readonly settlement?: 'linear' | 'inverse';
  /** Whether a futures ends: never, or by a cash payment at its expiry. */
  readonly contractType?: 'perpetual' | 'cash_settled';
  /** Expiry of a cash-settled futures, as ISO 8601 in UTC. */
  readonly expiry?: string;
  /** Margin terms, one record for each mode; absent if it is not traded on margin. */
  readonly margin?: readonly MarginTerms[];
}

const MODES = {
  down: Decimal.ROUND_FLOOR,
  up: Decimal.ROUND_CEIL,
  near: Decimal.ROUND_HALF_DOWN,
} as const;

const COUNT_MAX = new Decimal(Number.MAX_SAFE_INTEGER);

/** A traded instrument: its terms, and conversions between decimals and whole ticks and lots. */
export class Instrument {
  readonly terms: InstrumentTerms;
  readonly tickSize: Decimal;
  readonly quantityIncrement: Decimal;
  /** The least lots of an order. */
  readonly minLots: Lots;
  /** The least value of an order, in the quote currency; absent if there is none. */
  readonly minNotional: Amount | undefined;
  readonly takeRate: Decimal;
  readonly makeRate: Decimal;
  /** Value of one tick times one lot, in the quote currency. */
  readonly tickValue: Decimal;
  /** Tick size, quantity increment and tick value as amounts. */
  readonly tickAmount: Amount;
  readonly lotAmount: Amount;
  readonly tickValueAmount: Amount;
  /** Margin terms of each mode in which it is traded. */
  readonly margin: Readonly<Partial<Record<MarginMode, MarginRules>>>;
  /** True for a contract, of which only positions exist: no base currency ever moves. */
  readonly isContract: boolean;
  /** Expiry of a cash-settled futures; +Infinity for everything else. */
  readonly expiresAt: number;

  /** Throws `instrument-invalid` for contradictory terms. */
  constructor(terms: InstrumentTerms) {
    this.terms = Object.freeze({ ...terms });
    this.tickSize = positive(terms, 'tickSize');
    this.quantityIncrement = positive(terms, 'quantityIncrement');
    const minQuantity = least(terms, 'minQuantity') ?? this.quantityIncrement;
    this.minLots = onGrid(minQuantity, this.quantityIncrement, 'up', 'lots') as Lots;
    const minNotional = least(terms, 'minNotional');
    this.minNotional = minNotional && Amount.of(minNotional);
    this.takeRate = rate(terms, 'takeRate');
    this.makeRate = rate(terms, 'makeRate');
    this.tickValue = this.tickSize.times(this.quantityIncrement);
    this.tickAmount = Amount.of(this.tickSize);
    this.lotAmount = Amount.of(this.quantityIncrement);
    this.tickValueAmount = Amount.of(this.tickValue);
    for (const field of ['symbol', 'baseCurrency', 'quoteCurrency'] as const) {
      if (terms[field] === '') throw invalid(terms, field, 'is empty');
      // Names are shown, and used in file names and requests.
      if (!isSanitized(terms[field]))
        throw invalid(terms, field, 'holds signs that cannot be shown');
    }
    if (terms.baseCurrency === terms.quoteCurrency) {
      throw invalid(terms, 'quoteCurrency', 'is the base currency too');
    }
    if (![terms.baseCurrency, terms.quoteCurrency].includes(terms.feeCurrency)) {
      throw invalid(terms, 'feeCurrency', 'is neither the base nor the quote currency');
    }
    checkContract(terms);
    this.isContract = terms.contractType !== undefined;
    this.expiresAt = expiryOf(terms);
    this.margin = marginOf(terms, this.takeRate);
  }

  get symbol(): string {
    return this.terms.symbol;
  }

  get baseCurrency(): string {
    return this.terms.baseCurrency;
  }

  get quoteCurrency(): string {
    return this.terms.quoteCurrency;
  }

  /** The decimal price of a number of ticks; exact. Throws `out-of-range` for the NaN of an empty side. */
  price(ticks: Ticks): Decimal {
    return this.tickSize.times(whole(ticks, 'ticks'));
  }

  /** The decimal quantity of a number of lots; exact. */
  size(lots: Lots): Decimal {
    return this.quantityIncrement.times(whole(lots, 'lots'));
  }

  /** Price times quantity in the quote currency; exact. */
  value(ticks: Ticks, lots: Lots): Decimal {
    return unsignedZero(this.tickValue.times(whole(ticks, 'ticks')).times(whole(lots, 'lots')));
  }

  /** The quantity of a number of lots; exact. */
  sizeAmount(lots: Lots): Amount {
    return this.lotAmount.timesCount(lots);
  }

  /** Price times quantity in the quote currency; exact. */
  valueAmount(ticks: Ticks, lots: Lots): Amount {
    return this.tickValueAmount.timesCounts(ticks, lots);
  }

  /**
   * Ticks of a price on the grid, or with a rounding the tick below, above or nearest to it
   * (nearest: ties toward zero). Throws `off-grid` for a price off the grid without a rounding,
   * `out-of-range` beyond 2^53 ticks, `decimal-invalid` for text that is not a number.
   */
  ticks(price: Decimal | string, rounding?: Rounding): Ticks {
    return onGrid(price, this.tickSize, rounding, 'ticks') as Ticks;
  }

  /**
   * Lots of a quantity on the grid, or with a rounding the lot below, above or nearest to it
   * (nearest: ties toward zero). Throws as `ticks` does.
   */
  lots(quantity: Decimal | string, rounding?: Rounding): Lots {
    return onGrid(quantity, this.quantityIncrement, rounding, 'lots') as Lots;
  }

  /** Ticks of a price, `undefined` if it is off the grid or beyond 2^53 ticks. */
  ticksExactly(price: Decimal): Ticks | undefined {
    return exactly(price, this.tickSize) as Ticks | undefined;
  }

  /** Lots of a quantity, `undefined` if it is off the grid or beyond 2^53 lots. */
  lotsExactly(size: Decimal): Lots | undefined {
    return exactly(size, this.quantityIncrement) as Lots | undefined;
  }
}

function onGrid(
  given: Decimal | string,
  step: Decimal,
  rounding: Rounding | undefined,
  unit: 'ticks' | 'lots',
): number {
  const field = unit === 'ticks' ? 'price' : 'quantity';
  const value = typeof given === 'string' ? decimal(given, field) : given;
  const count = countOf(value, step, rounding ?? 'near');
  if (count === undefined) {
    throw new MillraceError(
      'out-of-range',
      `${brief(value)} is not within ±${Number.MAX_SAFE_INTEGER} ${unit} of ${step.toFixed()}.`,
      { field: unit },
    );
  }
  if (rounding === undefined && !step.times(count).equals(value)) {
    const own = new Decimal(value);
    const [below, above] = [own.toNearest(step, MODES.down), own.toNearest(step, MODES.up)];
    const sentence = `The ${field} ${brief(value)} is no multiple of ${step.toFixed()}; the nearest are ${brief(below)} and ${brief(above)}.`;
    throw new MillraceError('off-grid', sentence, { field });
  }
  return count;
}

function exactly(value: Decimal, step: Decimal): number | undefined {
  if (isPowerOfTen(step)) return unitsAt(value, -step.e);
  const count = countOf(value, step, 'near');
  return count !== undefined && step.times(count).equals(value) ? count : undefined;
}

/**
 * Number of steps, `undefined` beyond 2^53 and for NaN. decimal.js rounds the whole quotient by its
 * exact remainder, whatever the precision; the conversion to a count divides again, but that
 * quotient is a whole number of at most 16 digits. Adding zero makes negative zero zero. The bound
 * is checked first, so that no quotient of a million digits is made.
 */
function countOf(value: Decimal, step: Decimal, rounding: Rounding): number | undefined {
  if (!value.isFinite() || value.abs().greaterThan(step.times(COUNT_MAX))) return undefined;
  const nearest = new Decimal(value).toNearest(step, MODES[rounding]);
  return nearest.div(step).toNumber() + 0;
}

/** True for the usual steps, powers of ten. */
const isPowerOfTen = ({ d }: Decimal): boolean => d.length === 1 && POWERS_OF_TEN.has(d[0]);
const POWERS_OF_TEN: ReadonlySet<number> = new Set([1, 10, 100, 1e3, 1e4, 1e5, 1e6]);

const unsignedZero = (value: Decimal): Decimal => (value.isZero() ? ZERO : value);

function positive(
  terms: InstrumentTerms,
  field: 'tickSize' | 'quantityIncrement' | 'contractSize' | 'minQuantity' | 'minNotional',
): Decimal {
  const text = terms[field] ?? '';
  const value = parseDecimal(text);
  if (value === undefined || !value.greaterThan(0)) {
    throw invalid(terms, field, `is "${text}" and must be a positive decimal`);
  }
  return value;
}

const least = (terms: InstrumentTerms, field: 'minQuantity' | 'minNotional'): Decimal | undefined =>
  terms[field] === undefined ? undefined : positive(terms, field);

function rate(terms: InstrumentTerms, field: 'takeRate' | 'makeRate'): Decimal {
  const value = parseDecimal(terms[field]);
  if (value === undefined || value.abs().greaterThanOrEqualTo(1)) {
    throw invalid(terms, field, `is "${terms[field]}" and must be a fraction such as "0.001"`);
  }
  return value;
}

/** Checks the terms that only contracts have. */
function checkContract(terms: InstrumentTerms): void {
  const { type, contractSize, settlement } = terms;
  for (const field of ['contractSize', 'settlement'] as const) {
    if (terms[field] !== undefined && type !== 'futures') {
      throw invalid(terms, field, 'belongs to futures');
    }
  }
  if (terms.minNotional !== undefined && settlement === 'inverse') {
    throw invalid(
      terms,
      'minNotional',
      'is in the quote currency, in which an inverse contract has no value',
    );
  }
  if (contractSize !== undefined) positive(terms, 'contractSize');
  if (settlement === undefined || settlement === 'linear' || settlement === 'inverse') return;
  throw invalid(terms, 'settlement', `is "${String(settlement)}" and must be linear or inverse`);
}

function expiryOf({ contractType, expiry, ...terms }: InstrumentTerms): number {
  if ((contractType === 'cash_settled') !== (expiry !== undefined)) {
    throw invalid(terms, 'expiry', 'belongs to cash-settled futures, and to nothing else');
  }
  if (contractType !== undefined && terms.type !== 'futures') {
    throw invalid(terms, 'contractType', 'belongs to futures');
  }
  if (expiry === undefined) return Number.POSITIVE_INFINITY;
  const at = parseIsoTime(expiry);
  if (at === undefined) throw invalid(terms, 'expiry', `is "${expiry}" and must be ISO 8601`);
  return at;
}

function marginOf(terms: InstrumentTerms, takeRate: Decimal): Instrument['margin'] {
  const rules = (terms.margin ?? []).map((marginTerms) =>
    marginRules(marginTerms, terms.symbol, takeRate),
  );
  if (rules.length > 0 && terms.feeCurrency !== terms.quoteCurrency) {
    throw invalid(terms, 'feeCurrency', 'must be the quote currency, in which margin is kept');
  }
  const byMode = Object.fromEntries(rules.map((one) => [one.mode, one]));
  if (Object.keys(byMode).length < rules.length) {
    throw invalid(terms, 'margin', 'has two records of one mode');
  }
  return Object.freeze(byMode);
}

const invalid = (terms: InstrumentTerms, field: string, why: string): MillraceError =>
  new MillraceError(
    'instrument-invalid',
    `Instrument ${sanitize(terms.symbol)}: ${field} ${why}.`,
    {
      field,
    },
  );
