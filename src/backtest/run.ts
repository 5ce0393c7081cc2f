import { Engine } from '../engine/engine.ts';
import { takeRxjsTime } from '../engine/event-time.ts';
import type { FeedContents } from '../engine/market/feed-contents.ts';
import { merge } from '../feeds/merge.ts';
import { openRecording, type Recording } from '../feeds/reader.ts';
import { SimulatedVenue, type Latency } from '../gateways/simulated.ts';
import { MillraceError, type ErrorCode } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import { micros, type Micros } from '../platform/time.ts';
import { nextTurn } from '../platform/turn.ts';
import { VirtualScheduler } from '../platform/virtual-scheduler.ts';
import { parseParameters } from '../strategy/parameters.ts';
import { Mark } from './metrics/mark.ts';
import { Performance } from './metrics/performance.ts';
import { Valuation } from './metrics/valuation.ts';
import {
  checkSpans,
  DEFAULT_LATENCY,
  DEFAULT_SEED,
  instrumentsOf,
  sampleStep,
  startBalances,
  type BacktestPlan,
} from './plan.ts';
import { Recorder } from './recorder.ts';
import { assemble, hashInputs, type Inputs } from './assembly.ts';
import type { BacktestResult } from './result.ts';
import { RunHash } from './run-hash.ts';

/** Rows between two turns of the event loop. */
const ROWS_PER_TURN = 1 << 17;

/** As much as a client order id has room for beside its number. */
const ID_PREFIX_LENGTH = 16;

/** How much of a run is kept for its report. */
const LIMITS = { points: 2_000, rows: 100_000, plots: 16, logs: 1_000 };

export interface BacktestOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the run early: `runBacktest` then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Rows between two turns of the event loop, 131,072 where absent; the result does not depend on it. */
  readonly rowsPerTurn?: number;
}

export interface Progress {
  /** How much of the time to replay has passed, 0 to 1. */
  readonly share: number;
  /** Event time. */
  readonly at: Micros;
  readonly events: number;
}

/**
 * Runs a strategy on recordings against the simulated exchange. The same plan gives the same
 * result to the byte. Throws MillraceError for a plan that cannot be run; a strategy that throws
 * is stopped, and the result says so.
 */
export async function runBacktest(
  plan: BacktestPlan,
  options: BacktestOptions = {},
): Promise<BacktestResult> {
  checkSpans(plan);
  const recordings: Recording[] = [];
  try {
    for (const path of plan.recordings) recordings.push(openRecording(path));
    return await replay(plan, recordings, options);
  } finally {
    for (const recording of recordings) recording.close();
  }
}

/** The whole run, its stages in order. */
async function replay(
  plan: BacktestPlan,
  recordings: readonly Recording[],
  options: BacktestOptions,
): Promise<BacktestResult> {
  // 1. What is traded, and when.
  const inputs = inputsOf(plan, recordings);
  const { instruments, balances, latency, firstAt, tradingFrom, endAt } = inputs;
  const scheduler = new VirtualScheduler(firstAt);

  // 2. Who measures.
  const marks = instruments.map((instrument, i) => new Mark(instrument, levelsOnly(recordings[i])));
  const valuation = new Valuation(marks, inputs.equityCurrency);
  const performance = new Performance(marks, valuation, balances, LIMITS);
  const hash = new RunHash();
  hashInputs(hash, inputs);
  const recorder = new Recorder(performance, hash, LIMITS.logs);

  // 3. Where orders go.
  const venue = new SimulatedVenue({
    venue: 'simulated',
    instruments,
    scheduler,
    latency,
    balances,
    witness: (report) => {
      recorder.seen(report);
    },
  });

  // 4. Who decides.
  const engine = new Engine({
    strategy: plan.strategy,
    parameters: inputs.parameters,
    gateway: venue,
    scheduler,
    feeds: new Map(recordings.map((each) => [each.meta.instrument.symbol, contentsOf(each)])),
    warmUpUntil: tradingFrom,
    clientOrderIdPrefix: plan.strategy.name.slice(0, ID_PREFIX_LENGTH),
    audit: (event) => {
      recorder.heard(event);
    },
  });

  // 5. The road: time, then venue, then strategy, row by row.
  const samples = new Sampler(performance, scheduler, tradingFrom, inputs.sampleUs);
  const rowsPerTurn = options.rowsPerTurn ?? ROWS_PER_TURN;
  let events = 0;
  let sinceTurn = 0;
  const releaseTime = takeRxjsTime(scheduler, (error) => {
    engine.fail(error);
  });
  try {
    engine.start();
    throwIfUnfit(engine);
    for (const segment of merge(recordings, plan.till === undefined ? {} : { till: plan.till })) {
      const { source, columns, start, end } = segment;
      for (let row = start; row < end;) {
        const stop = Math.min(end, row + rowsPerTurn - sinceTurn);
        pass(columns, row, stop, source, scheduler, marks[source], venue, engine);
        events += stop - row;
        sinceTurn += stop - row;
        row = stop;
        if (sinceTurn < rowsPerTurn) continue;
        sinceTurn = 0;
        const at = scheduler.now();
        options.onProgress?.({ share: (at - firstAt) / Math.max(1, endAt - firstAt), at, events });
        await nextTurn();
        options.signal?.throwIfAborted();
      }
    }
    // What is due at the time of the last event still happens: an order without latency, its report.
    scheduler.advanceTo(scheduler.now());
    samples.end(scheduler.now());
    engine.stop();
  } finally {
    releaseTime();
  }
  options.onProgress?.({ share: 1, at: scheduler.now(), events });

  // 6. What came of it.
  return assemble(inputs, {
    performance,
    recorder,
    valuation,
    marks,
    hash,
    events,
    tillAt: scheduler.now(),
  });
}

/** A strategy that asks for what the run does not have has not failed: the plan is wrong. */
function throwIfUnfit({ state, failure }: Engine): void {
  const codes: readonly ErrorCode[] = ['feed-lacks', 'symbol-unknown', 'currency-unknown'];
  if (state !== 'failed' || !(failure instanceof MillraceError)) return;
  if (codes.includes(failure.code)) throw failure;
}

/** A run of rows of one recording. Tasks that are due come before the row of their time. */
function pass(
  columns: EventColumns,
  start: number,
  end: number,
  source: number,
  scheduler: VirtualScheduler,
  mark: Mark,
  venue: SimulatedVenue,
  engine: Engine,
): void {
  const { receivedAt } = columns;
  let now: number = scheduler.now();
  for (let row = start; row < end; row += 1) {
    const at = receivedAt[row];
    if (at > now) now = at;
    scheduler.advanceTo(now as Micros);
    mark.observe(columns, row);
    venue.market(source, columns, row);
    engine.market(source, columns, row);
  }
}

/**
 * Takes a sample of equity when warm-up ends, before what happens then, at every whole period after
 * it and at the end, each time after what happens then.
 */
class Sampler {
  readonly #performance: Performance;
  readonly #scheduler: VirtualScheduler;
  readonly #periodUs: number;
  #lastAt = Number.NaN;

  constructor(
    performance: Performance,
    scheduler: VirtualScheduler,
    startAt: Micros,
    periodUs: number,
  ) {
    this.#performance = performance;
    this.#scheduler = scheduler;
    this.#periodUs = periodUs;
    scheduler.at(startAt, () => {
      this.#take(startAt);
    });
  }

  /** Takes the last sample, for a period that need not be whole. */
  end(at: Micros): void {
    if (at !== this.#lastAt) this.#performance.sample(at, at - this.#lastAt === this.#periodUs);
  }

  #take(at: Micros): void {
    if (this.#performance.sample(at, at - this.#lastAt === this.#periodUs)) this.#lastAt = at;
    // A microsecond later, everything of the time of the sample has happened.
    const next = micros(at + this.#periodUs);
    this.#scheduler.at(micros(next + 1), () => {
      this.#take(next);
    });
  }
}

function inputsOf(plan: BacktestPlan, recordings: readonly Recording[]): Inputs {
  const [first] = recordings;
  const filled = recordings.filter(({ summary }) => summary.rows > 0);
  if (first === undefined) {
    throw new MillraceError('usage', 'A backtest needs a recording; name at least one.', {
      field: 'recordings',
    });
  }
  if (filled.length === 0) {
    throw new MillraceError(
      'recording-invalid',
      `${first.path} has no rows: record or import it again.`,
      {
        where: first.path,
      },
    );
  }
  const instruments = instrumentsOf(
    plan,
    recordings.map(({ meta }) => meta.instrument),
  );
  const parameters = parseParameters(plan.strategy, plan.parameters);
  const firstAt = micros(Math.min(...filled.map(({ summary }) => summary.firstAt)));
  const lastAt = micros(Math.max(...filled.map(({ summary }) => summary.lastAt)));
  const endAt = micros(Math.min(lastAt, (plan.till ?? Number.POSITIVE_INFINITY) - 1));
  const warmUpUs = plan.warmUpUs ?? 1_000 * (plan.strategy.warmUpMs?.(parameters) ?? 0);
  const tradingFrom = micros(Math.max(plan.from ?? 0, firstAt + warmUpUs));
  const latency: Latency = { ...DEFAULT_LATENCY, ...plan.latency };
  return {
    plan,
    recordings,
    instruments,
    parameters,
    balances: startBalances(plan),
    latency,
    seed: plan.seed ?? DEFAULT_SEED,
    equityCurrency: plan.equityCurrency ?? instruments[0].quoteCurrency,
    sampleUs: plan.sampleUs ?? sampleStep(Math.max(0, endAt - tradingFrom)),
    firstAt,
    tradingFrom,
    endAt,
  };
}

const contentsOf = ({ meta, summary }: Recording): FeedContents => ({
  trades: summary.trades > 0,
  levels: summary.levels > 0,
  quotes: summary.quotes > 0,
  candlePeriod: meta.period,
});

const levelsOnly = ({ summary }: Recording): boolean =>
  summary.trades === 0 && summary.quotes === 0 && summary.candles === 0;
