import { failureOf } from '../model/failure.ts';
import { valueText } from '../engine/commands/shown.ts';
import type { ConfiguredReplenish } from '../engine/account/replenishing.ts';
import type { Latency } from '../gateways/simulated.ts';
import type { NonSpotBalances } from '../gateways/simulated-non-spot-balances.ts';
import { decimal, type Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../model/instrument.ts';
import type { MarginTerms } from '../model/margin-terms.ts';
import {
  isoTime,
  micros,
  US_PER_DAY,
  US_PER_HOUR,
  US_PER_MINUTE,
  US_PER_MS,
  US_PER_SECOND,
  type Micros,
} from '../platform/time.ts';
import type { RiskSettings } from '../risk/settings.ts';
import type { Strategy } from '../strategy/define.ts';
import { tradedTerms } from './contracts.ts';
import type { RunPortfolio } from './portfolio/settings.ts';
import type { SourceModule } from './strategy-source.ts';

/** Inputs of a backtest. The same plan gives the same result to the byte. */
export interface BacktestPlan {
  readonly strategy: Strategy;
  /** Absolute path of its file, if known; for the location of a failure. */
  readonly strategyFile?: string;
  /** Absolute path of its source, if that is another file, as for built strategies. */
  readonly sourceFile?: string;
  /** That source as it was when the strategy was loaded; read for the run if absent. */
  readonly source?: readonly SourceModule[];
  /** Configuration values, to be checked against the strategy's schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Paths; each recording is one instrument. At equal times the first in the list goes first. */
  readonly recordings: readonly string[];
  /** Balances at the start: currency and amount as decimal text. */
  readonly balances: Readonly<Record<string, string>>;
  /** Wallet and derivatives balances at the start. They are not part of equity. */
  readonly nonSpotBalances?: NonSpotBalances;
  /** Holdings outside the account, which the strategy may rebalance. */
  readonly portfolio?: RunPortfolio;
  /** Rates that replace those of the recording, by symbol. */
  readonly fees?: Readonly<Record<string, FeeOverride>>;
  /** Margin terms that replace those of the recording, by symbol. */
  readonly margin?: Readonly<Record<string, readonly MarginTerms[]>>;
  /**
   * Daily interest rates by borrowed currency, as decimal text; one without a rate costs nothing.
   */
  readonly dailyRates?: Readonly<Record<string, string>>;
  /** Margin accounts that are replenished from spot automatically. */
  readonly replenish?: readonly ConfiguredReplenish[];
  /** Limits between the strategy and the venue, as a bot has them; none if absent. */
  readonly risk?: RiskSettings;
  readonly latency?: Partial<Latency>;
  /** Replaces the strategy's own warm-up. */
  readonly warmUpUs?: number;
  /** Seed of all random numbers; 1 if absent. */
  readonly seed?: number;
  /** Start of trading and measuring; earlier events are only for warm-up. */
  readonly from?: Micros;
  /** End of the replay, exclusive. */
  readonly till?: Micros;
  /** Currency of equity and metrics; the quote currency of the first recording if absent. */
  readonly equityCurrency?: string;
  /** Time between two samples of equity; chosen by the length of the run if absent. */
  readonly sampleUs?: number;
}

export interface FeeOverride {
  readonly takeRate?: string;
  readonly makeRate?: string;
  readonly feeCurrency?: string;
}

/** A home connection to an exchange on the same continent, not a rack next to it. */
export const DEFAULT_LATENCY: Latency = { orderUs: 20_000, reportUs: 20_000 };

export const DEFAULT_SEED = 1;

/** Most samples of a run without a sample period in its plan. */
const SAMPLES_MAX = 5_000;

const SAMPLE_STEPS: readonly number[] = [
  US_PER_SECOND,
  10 * US_PER_SECOND,
  US_PER_MINUTE,
  10 * US_PER_MINUTE,
  US_PER_HOUR,
];

/** The shortest of 1 s, 10 s, 1 min, 10 min, 1 h and 1 d with at most 5,000 samples. */
export function sampleStep(spanUs: number): number {
  return SAMPLE_STEPS.find((step) => spanUs / step <= SAMPLES_MAX) ?? US_PER_DAY;
}

/** Balances at the start. Throws `decimal-invalid` and `out-of-range`. */
export function startBalances(plan: BacktestPlan): ReadonlyMap<string, Decimal> {
  const balances = new Map<string, Decimal>();
  for (const [currency, amount] of Object.entries(plan.balances)) {
    const value = decimal(amount, `balances.${currency}`);
    if (value.isNegative()) {
      throw new MillraceError(
        'out-of-range',
        `The balance of ${currency} is ${amount}; an account starts with nothing or more.`,
        { field: `balances.${currency}` },
      );
    }
    balances.set(currency, value);
  }
  return balances;
}

/**
 * Daily interest rates by borrowed currency. Throws `decimal-invalid`, `out-of-range` for a rate
 * below 0 and `currency-unknown` for a currency that no symbol of the run can borrow.
 */
export function dailyRatesOf(
  { dailyRates = {} }: BacktestPlan,
  instruments: readonly Instrument[],
): Readonly<Record<string, string>> {
  const borrowed = new Set(
    instruments
      .filter(({ isContract, margin }) => !isContract && Object.keys(margin).length > 0)
      .flatMap(({ baseCurrency, quoteCurrency }) => [baseCurrency, quoteCurrency]),
  );
  for (const [currency, rate] of Object.entries(dailyRates)) {
    const field = `dailyRates.${currency}`;
    if (decimal(rate, field).isNegative())
      throw outOfRange(field, `is ${rate} and must be 0 or more`);
    if (borrowed.has(currency)) continue;
    throw new MillraceError(
      'currency-unknown',
      `Interest is given for ${currency}, which no spot symbol of the run borrows on margin${borrowed.size === 0 ? '; none has margin terms' : `; those that do borrow ${[...borrowed].join(', ')}`}.`,
      { field },
    );
  }
  return dailyRates;
}

/**
 * The instruments of the recordings with the plan's fees and margin terms. Throws `symbol-unknown`
 * and `instrument-invalid`.
 */
export function instrumentsOf(
  plan: BacktestPlan,
  recorded: readonly InstrumentTerms[],
): readonly Instrument[] {
  const symbols = recorded.map(({ symbol }) => symbol);
  for (const [field, what] of [
    ['fees', 'Fees'],
    ['margin', 'Margin terms'],
  ] as const) {
    for (const symbol of Object.keys(plan[field] ?? {})) {
      if (symbols.includes(symbol)) continue;
      throw new MillraceError(
        'symbol-unknown',
        `${what} are given for ${symbol}, of which there is no recording; the run has ${symbols.join(', ')}.`,
        { field: `${field}.${symbol}` },
      );
    }
  }
  return recorded.map((terms) => {
    const { symbol } = terms;
    const margin = plan.margin?.[symbol];
    return new Instrument({ ...tradedTerms(terms, margin), ...plan.fees?.[symbol] });
  });
}

/** Throws `out-of-range` for an initial holding that cannot be counted in lots. */
export function checkHoldings(
  balances: ReadonlyMap<string, Decimal>,
  instruments: readonly Instrument[],
): void {
  for (const { symbol, baseCurrency, quantityIncrement } of instruments) {
    const limit = quantityIncrement.times(Number.MAX_SAFE_INTEGER);
    const balance = balances.get(baseCurrency);
    if (balance === undefined || !balance.greaterThan(limit)) continue;
    throw outOfRange(
      `balances.${baseCurrency}`,
      `is ${balance.toFixed()} and can be ${limit.toFixed()} at most, 2^53 - 1 quantity increments of ${symbol}`,
    );
  }
}

/** Time ranges of the events of a run and its trading. */
export interface Range {
  readonly firstAt: Micros;
  readonly lastAt: Micros;
  readonly warmUpUs: number;
}

/**
 * Start of trading and end of the replay. Throws `out-of-range`, with the range of the recordings,
 * if no event is left to replay or to trade on.
 */
export function tradingSpan(
  { from, till }: BacktestPlan,
  { firstAt, lastAt, warmUpUs }: Range,
): { readonly tradingFrom: Micros; readonly endAt: Micros } {
  const span = `the recordings go from ${isoTime(firstAt)} to ${isoTime(lastAt)}`;
  if (till !== undefined && till <= firstAt) {
    throw outOfRange('till', `is ${isoTime(till)} and leaves no event: ${span}`);
  }
  if (from !== undefined && from > lastAt) {
    throw outOfRange('from', `is ${isoTime(from)} and leaves no event: ${span}`);
  }
  const endAt = micros(Math.min(lastAt, (till ?? Number.POSITIVE_INFINITY) - 1));
  const warmAt = firstAt + warmUpUs;
  if (warmAt > endAt) {
    const seconds = warmUpUs / US_PER_SECOND;
    throw outOfRange(
      'warmUpUs',
      `is ${warmUpUs}, and after a warm-up of ${seconds} s no event is left to trade on: ${span}${till === undefined ? '' : `, and the run ends at ${isoTime(till)}`}`,
    );
  }
  return { tradingFrom: micros(Math.max(from ?? 0, warmAt)), endAt };
}

/** The warm-up that a strategy needs, in microseconds. Throws `strategy-invalid`. */
export function warmUpOf(
  { name, warmUpMs }: Strategy,
  parameters: Readonly<Record<string, unknown>>,
): number {
  let ms: unknown;
  try {
    ms = warmUpMs?.(parameters) ?? 0;
  } catch (cause) {
    throw invalidWarmUp(name, `throws: ${failureOf(cause).message}`, cause);
  }
  if (
    typeof ms === 'number' &&
    ms >= 0 &&
    Number.isSafeInteger(ms * US_PER_MS) &&
    Number.isInteger(ms)
  ) {
    return ms * US_PER_MS;
  }
  throw invalidWarmUp(
    name,
    `gives ${valueText(ms)}, which is no whole number of milliseconds, 0 or more`,
  );
}

const invalidWarmUp = (name: string, what: string, cause?: unknown): MillraceError =>
  new MillraceError('strategy-invalid', `Strategy ${name}: warmUpMs ${what}.`, {
    field: 'warmUpMs',
    cause,
  });

/** Throws if a number of the plan is not a valid time or duration. */
export function checkSpans(plan: BacktestPlan): void {
  const spans = {
    'latency.orderUs': plan.latency?.orderUs,
    'latency.reportUs': plan.latency?.reportUs,
    warmUpUs: plan.warmUpUs,
  };
  for (const [field, value] of Object.entries(spans)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw outOfRange(field, `is ${value} and must be a whole number of microseconds, 0 or more`);
    }
  }
  const { sampleUs, seed, from, till } = plan;
  if (sampleUs !== undefined && !(Number.isSafeInteger(sampleUs) && sampleUs >= US_PER_SECOND)) {
    throw outOfRange('sampleUs', `is ${sampleUs} and must be a second (1000000) or more`);
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw outOfRange('seed', `is ${seed} and must be a whole number within ±2^53`);
  }
  for (const [field, value] of Object.entries({ from, till })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw outOfRange(field, `is ${value} and must be a time in whole microseconds since 1970`);
    }
  }
  if (from !== undefined && till !== undefined && from >= till) {
    throw outOfRange('till', 'must be later than from');
  }
}

const outOfRange = (field: string, why: string): MillraceError =>
  new MillraceError('out-of-range', `${field} ${why}.`, { field });
