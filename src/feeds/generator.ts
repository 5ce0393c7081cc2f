import { withDefaults } from '../model/members.ts';
import { decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../model/instrument.ts';
import type { Period } from '../model/period.ts';
import { Random } from '../platform/random.ts';
import { isoTime, parseIsoTime, type Micros } from '../platform/time.ts';
import { nextTurn } from '../platform/turn.ts';
import type { JsonValue, RecordingMeta, RecordingSummary } from './recording.ts';
import { writeBars } from './synthetic/bars.ts';
import { SyntheticMarket } from './synthetic/market.ts';
import type { RowSink } from './row-sink.ts';
import { BAR_LIMITS, MARKET_LIMITS, PERPETUAL_LIMITS, type Limits } from './synthetic/limits.ts';
import {
  DEFAULT_BARS,
  DEFAULT_MARKET,
  DEFAULT_PERPETUAL,
  type BarParameters,
  type MarketParameters,
  type PerpetualParameters,
} from './synthetic/parameters.ts';
import { Perpetual } from './synthetic/perpetual.ts';
import { FairPriceWalk, type FairPrice } from './synthetic/value.ts';
import { RecordingWriter } from './writer.ts';

/** A book and trades. */
export interface MarketOptions {
  readonly seed: number;
  readonly instrument: InstrumentTerms;
  readonly startAt: Micros;
  readonly durationUs: number;
  readonly market?: Partial<MarketParameters>;
  /** Makes it a perpetual, with mark and index price, funding and open interest beside the same market. */
  readonly perpetual?: Partial<PerpetualParameters>;
}

/** Candles with closes so near each other that averages cross exactly and often. */
export interface BarOptions {
  readonly seed: number;
  readonly instrument: InstrumentTerms;
  readonly startAt: Micros;
  readonly period: Period;
  readonly count: number;
  readonly bars?: Partial<BarParameters>;
}

export type GeneratorOptions = MarketOptions | BarOptions;

export const GENERATOR = 'generator';

/** Writes synthetic rows; the same options have the same rows. Throws `parameter-invalid`. */
export function generate(options: GeneratorOptions, sink: RowSink): void {
  const steps = making(options, sink);
  while (steps.next().done !== true);
}

/** The same in steps; each yields how much is done, 0 to 1. */
function making(options: GeneratorOptions, sink: RowSink): Generator<number, void, undefined> {
  const random = new Random(options.seed);
  const instrument = new Instrument(options.instrument);
  checkLength(options);
  if ('period' in options) {
    const parameters = withDefaults(DEFAULT_BARS, options.bars);
    checkParameters(parameters, DEFAULT_BARS, BAR_LIMITS);
    const startTicks = ticksOf(instrument, parameters.startPrice);
    return writeBars(sink, random, parameters, { ...options, startTicks }, options.period);
  }
  return marketOf(options, random, besideOf(options, sink)).run(
    options.startAt,
    options.durationUs,
  );
}

/** Distance between the seeds of a market and of its derivative rows. */
const SEED_APART = 0x5f3759df;

/** The sink of a market, behind the generator of perpetual rows if there is one. */
function besideOf(options: MarketOptions, sink: RowSink): RowSink {
  const { perpetual, seed, startAt, instrument, market } = options;
  if (perpetual === undefined) return sink;
  if (instrument.type !== 'futures') {
    throw new MillraceError('parameter-invalid', 'A perpetual is made of futures, not of spot.', {
      field: 'perpetual',
    });
  }
  const parameters = withDefaults(DEFAULT_PERPETUAL, perpetual);
  checkParameters(parameters, DEFAULT_PERPETUAL, PERPETUAL_LIMITS);
  const { delayUs } = withDefaults(DEFAULT_MARKET, market);
  return new Perpetual(sink, new Random(seed + SEED_APART), parameters, startAt, delayUs);
}

function marketOf(
  { instrument, market }: Pick<MarketOptions, 'instrument' | 'market'>,
  random: Random,
  sink: RowSink,
  value?: FairPrice,
): SyntheticMarket {
  const parameters = withDefaults(DEFAULT_MARKET, market);
  checkParameters(parameters, DEFAULT_MARKET, MARKET_LIMITS);
  const startTicks = ticksOf(new Instrument(instrument), parameters.startPrice);
  return new SyntheticMarket(
    sink,
    random,
    parameters,
    value ?? new FairPriceWalk(random, parameters, startTicks),
  );
}

/** Throws `parameter-invalid` for parameters that cannot generate a market. */
export const checkMarket = (parameters: MarketParameters): void => {
  checkParameters(parameters, DEFAULT_MARKET, MARKET_LIMITS);
};

/**
 * A market that has no end, event by event: each step writes the rows of the next one. With `priceOf`
 * its makers follow that, and nothing of the parameters of the value counts. Throws
 * `parameter-invalid`.
 */
export function endlessMarket(
  options: Omit<MarketOptions, 'durationUs'>,
  sink: RowSink,
  priceOf?: (random: Random) => FairPrice,
): Generator<number, void, undefined> {
  const random = new Random(options.seed);
  const market = marketOf(options, random, sink, priceOf?.(random));
  return market.run(options.startAt, Number.POSITIVE_INFINITY);
}

/** Metadata of a generated recording: all options needed to generate it again. */
export function generatorMeta(options: GeneratorOptions): RecordingMeta {
  const { instrument, seed } = options;
  const startAt = isoTime(options.startAt);
  const parameters: Record<string, JsonValue> =
    'period' in options
      ? { startAt, count: options.count, ...withDefaults(DEFAULT_BARS, options.bars) }
      : {
          startAt,
          durationUs: options.durationUs,
          ...withDefaults(DEFAULT_MARKET, options.market),
          ...perpetualOf(options),
        };
  const provenance = {
    importer: GENERATOR,
    sources: [],
    synthetic: true,
    seed,
    parameters,
    notes: ['Synthetic: no market ever traded like this; results on it prove nothing but wiring.'],
  };
  return 'period' in options
    ? { layout: 'candles', period: options.period, instrument, provenance }
    : {
        layout: 'events',
        ...(options.perpetual === undefined ? {} : { derivatives: true }),
        instrument,
        provenance,
      };
}

/** Absent for a market alone, as before. */
const perpetualOf = ({ perpetual }: MarketOptions): Record<string, JsonValue> =>
  perpetual === undefined ? {} : { perpetual: { ...withDefaults(DEFAULT_PERPETUAL, perpetual) } };

/** The options that a generated recording was made with; throws `recording-invalid` for others. */
export function optionsOf(meta: RecordingMeta): GeneratorOptions {
  const { instrument, provenance, period } = meta;
  const { seed, parameters = {} } = provenance;
  const { startAt: start, durationUs, count, perpetual, ...shape } = parameters;
  const startAt = typeof start === 'string' ? parseIsoTime(start) : undefined;
  const length = period === undefined ? durationUs : count;
  if (provenance.importer !== GENERATOR || seed === undefined || startAt === undefined) {
    throw new MillraceError('recording-invalid', 'The recording was not generated by Millrace.');
  }
  if (typeof length !== 'number') {
    throw new MillraceError('recording-invalid', 'The recording does not say how long it is.');
  }
  return period === undefined
    ? {
        seed,
        instrument,
        startAt,
        durationUs: length,
        market: shape,
        ...(perpetual === undefined
          ? {}
          : { perpetual: perpetual as Partial<PerpetualParameters> }),
      }
    : { seed, instrument, startAt, period, count: length, bars: shape };
}

/** Generates a recording into a file; nothing stays behind when it fails. */
export function generateRecording(path: string, options: GeneratorOptions): RecordingSummary {
  const writer = RecordingWriter.create(path, generatorMeta(options), { replaceUnfinished: true });
  try {
    generate(options, writer);
    return writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Steps between two turns of the event loop: a few milliseconds of work. */
const STEPS_PER_TURN = 1 << 12;

/** Like `generateRecording`, in turns: throws the signal's reason, and nothing stays behind. */
export async function generateInTurns(
  path: string,
  options: GeneratorOptions,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<RecordingSummary> {
  const writer = RecordingWriter.create(path, generatorMeta(options), { replaceUnfinished: true });
  try {
    let step = 0;
    for (const share of making(options, writer)) {
      step += 1;
      if (step % STEPS_PER_TURN !== 0) continue;
      onProgress(share);
      await nextTurn();
      signal.throwIfAborted();
    }
    return writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

function ticksOf(instrument: Instrument, startPrice: string): number {
  const ticks = instrument.ticksExactly(decimal(startPrice, 'startPrice'));
  if (ticks !== undefined && ticks > 0) return ticks;
  throw new MillraceError(
    'off-grid',
    `startPrice: ${startPrice} is no positive multiple of the tick size ${instrument.terms.tickSize}.`,
    { field: 'startPrice' },
  );
}

/** A recording of this many candles of a minute is two centuries long. */
const BARS_MAX = 100_000_000;

function checkLength(options: GeneratorOptions): void {
  const { startAt } = options;
  if ('period' in options) {
    checkNumber('count', options.count, { least: 1, most: BARS_MAX, whole: true });
    return;
  }
  const most = Number.MAX_SAFE_INTEGER - startAt - MARKET_LIMITS.delayUs.most;
  checkNumber('durationUs', options.durationUs, { least: 1, most, whole: true });
}

/** Every parameter is of the type of its default, every number within its limits. */
function checkParameters<P extends object>(
  parameters: P,
  defaults: P,
  limits: Readonly<Record<string, Limits>>,
): void {
  for (const [name, given] of Object.entries(defaults) as [string, unknown][]) {
    const value: unknown = parameters[name as keyof P];
    if (typeof value !== typeof given) {
      throw new MillraceError('parameter-invalid', `${name} must be a ${typeof given}.`, {
        field: name,
      });
    }
    if (typeof value === 'number') checkNumber(name, value, limits[name]);
  }
}

function checkNumber(name: string, value: number, { least, most, whole }: Limits): void {
  if (value >= least && value <= most && (whole !== true || Number.isInteger(value))) return;
  const kind = whole === true ? 'whole number' : 'number';
  throw new MillraceError(
    'parameter-invalid',
    `${name} is ${value} and must be a ${kind} from ${least} to ${most}.`,
    { field: name },
  );
}
