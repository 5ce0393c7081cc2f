import { withDefaults } from '../model/members.ts';
import { AccountGateway } from '../engine/account-gateway.ts';
import { Engine, type EngineOptions } from '../engine/engine.ts';
import { takeRxjsTime } from '../engine/event-time.ts';
import type { FeedContents } from '../engine/market/feed-contents.ts';
import { OrderStore } from '../engine/orders/order-store.ts';
import { Quality } from './quality.ts';
import type { Recording } from '../feeds/reader.ts';
import { openSeries, type RecordingSeries } from '../feeds/series.ts';
import { SimulatedVenue, type Latency } from '../gateways/simulated.ts';
import type { Decimal } from '../model/decimal.ts';
import { MillraceError, type ErrorCode } from '../model/errors.ts';
import { InstrumentState } from '../model/instrument-state.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { Report } from '../model/report.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { micros } from '../platform/time.ts';
import { VirtualScheduler } from '../platform/virtual-scheduler.ts';
import { parseParameters } from '../strategy/parameters.ts';
import { FUNDED } from '../model/derivative-state.ts';
import { AssumedPaths } from './assumed-path.ts';
import { checkTraded, derivativesIn, missedFunding } from './contracts.ts';
import { Mark } from './metrics/mark.ts';
import { OldPrices } from './old-prices.ts';
import { OrderHistory } from './metrics/order-history.ts';
import { Performance } from './metrics/performance.ts';
import { Valuation } from './metrics/valuation.ts';
import {
  checkHoldings,
  checkSpans,
  dailyRatesOf,
  DEFAULT_LATENCY,
  DEFAULT_SEED,
  instrumentsOf,
  sampleStep,
  startBalances,
  tradingSpan,
  warmUpOf,
  type BacktestPlan,
} from './plan.ts';
import type { MeasuredPortfolio, MeasuredPortfolioDependencies } from './portfolio/measured.ts';
import { ResultRecorder } from './recorder.ts';
import { RiskGate } from './risk-gate.ts';
import { assemble, hashInputs, type Inputs } from './assembly.ts';
import type { BacktestResult } from './result.ts';
import { replay, type BacktestOptions } from './replay.ts';
import { RunHash } from './run-hash.ts';
import { Sampler } from './sampler.ts';

export type { BacktestOptions, Progress } from './replay.ts';

/** Characters of a client order id's prefix, besides its number. */
const ID_PREFIX_LENGTH = 16;

/** Limits of the result; orders, fills, round trips and samples are all kept. */
const LIMITS = { points: 2_000, rows: 10_000, orders: 10_000, plots: 16, logs: 1_000 };

/**
 * Runs a strategy on recordings against the simulated exchange. The same plan gives the same result
 * to the byte. Throws MillraceError for a plan that cannot be run; a strategy that throws is
 * stopped, and the result says so.
 */
export async function runBacktest(
  plan: BacktestPlan,
  options: BacktestOptions = {},
): Promise<BacktestResult> {
  checkSpans(plan);
  const recordings = openSeries(plan.recordings);
  try {
    return await runOn(plan, recordings, options);
  } finally {
    for (const recording of recordings) recording.close();
  }
}

/**
 * Same as `runBacktest` on open recordings, which stay open: the whole run, its stages in order.
 */
export async function runOn(
  plan: BacktestPlan,
  recordings: readonly RecordingSeries[],
  options: BacktestOptions,
): Promise<BacktestResult> {
  // 1. Instruments and time range.
  const inputs = inputsOf(plan, recordings);
  const { instruments, latency, firstAt, tradingFrom, endAt } = inputs;
  const scheduler = new VirtualScheduler(firstAt, () => {
    const error = circle(plan.strategy.name);
    // An error that continues after the strategy was stopped is outside the engine, and ends the
    // run.
    if (engine.state === 'failed') throw error;
    engine.fail(error);
  });

  // 2. Market states and measures.
  const states = instruments.map((instrument) => new InstrumentState(instrument));
  const { marks, valuation, performance, hash, recorder, oldPrices } = measuresOf(
    inputs,
    states,
    (symbol) => venue.margin?.markPrice(symbol),
  );
  const paths = pathsOf(recordings);

  // 3. Destination of orders.
  const funded = fundedIn(recordings);
  const watching = { recorder, oldPrices, paths, marks, funded };
  const venue: SimulatedVenue = venueOf(inputs, states, scheduler, watching);

  const { risk, account } = accountOf(plan, { venue, scheduler, latency, recorder, states });
  const measured = await openPortfolio(inputs, { scheduler, venue, marks, performance, hash });

  // 4. The engine.
  const engine: Engine = engineOf(inputs, {
    gateway: account,
    portfolio: measured?.portfolio,
    scheduler,
    states: bySymbol(states),
    audit: (event) => {
      recorder.received(event);
    },
  });

  // 5. The replay: time, then venue, then strategy, row by row.
  const quality = new Quality(recordings, states, { memo: options.quality, endAt });
  const samples = new Sampler(performance, scheduler, tradingFrom, inputs.sampleUs);
  const span = { firstAt, endAt, till: plan.till };
  const { portfolio } = measured ?? {};
  const { inspectors } = quality;
  const among = { recordings, states, marks, inspectors, samples, scheduler, venue, engine };
  const events = await inItsTime(engine, scheduler, async () => {
    engine.start();
    throwIfUnfit(engine);
    const count = await replay({ ...among, paths, portfolio, risk }, span, options);
    samples.end(scheduler.now());
    engine.stop();
    return count;
  });

  // 6. The result.
  return assemble(inputs, {
    performance,
    recorder,
    paths,
    breaches: risk?.breaches ?? [],
    riskWarnings: risk?.warnings ?? [],
    valuation,
    marks,
    hash,
    events,
    candles: engine.candleCounts,
    portfolio: measured?.record(),
    quality: quality.found(),
    oldPrices: oldPrices.warnings(),
    missedFundings: instruments.flatMap(({ symbol }, index) =>
      missedFunding(symbol, venue.exchange.margin.missedFundings(index)),
    ),
    tillAt: scheduler.now(),
  });
}

/** Runs work while RxJS timers use the time of the run. */
async function inItsTime<T>(
  engine: Engine,
  scheduler: VirtualScheduler,
  work: () => Promise<T>,
): Promise<T> {
  const releaseTime = takeRxjsTime(scheduler, (error) => {
    engine.fail(error);
  });
  try {
    return await work();
  } finally {
    releaseTime();
  }
}

/** The engine of the run's strategy. */
function engineOf(
  { plan, parameters, recordings, tradingFrom }: Inputs,
  parts: Pick<EngineOptions, 'gateway' | 'portfolio' | 'scheduler' | 'states' | 'audit'>,
): Engine {
  return new Engine({
    ...parts,
    strategy: plan.strategy,
    parameters,
    warmUpUntil: tradingFrom,
    feeds: new Map(recordings.map((each) => [each.meta.instrument.symbol, contentsOf(each)])),
    clientOrderIdPrefix: plan.strategy.name.slice(0, ID_PREFIX_LENGTH),
    replenish: plan.replenish,
    // The recorder gets them from the venue, when they happen.
    auditsReports: false,
  });
}

/** Observers of the venue's events, when they happen. */
interface Watching {
  readonly recorder: ResultRecorder;
  readonly oldPrices: OldPrices;
  readonly paths: AssumedPaths | undefined;
  readonly marks: readonly Mark[];
  readonly funded: ReturnType<typeof fundedIn>;
}

function venueOf(
  { plan, instruments, latency, balances, dailyRates }: Inputs,
  states: readonly InstrumentState[],
  scheduler: VirtualScheduler,
  { recorder, oldPrices, paths, marks, funded }: Watching,
): SimulatedVenue {
  return new SimulatedVenue({
    venue: 'simulated',
    instruments,
    scheduler,
    latency,
    balances,
    nonSpotBalances: plan.nonSpotBalances,
    exchange: {
      recordedBooks: states.map(({ book }) => book),
      margin: { reportedFunding: funded, dailyRates },
    },
    observer: (report) => {
      recorder.seen(report);
      oldPrices.report(report);
      paths?.report(report);
    },
    marginObserver: (report) => {
      recorder.seenMargin(report);
    },
    candlePath: (instrument, ticks) => {
      marks[instrument].candlePath(ticks);
    },
  });
}

interface AccountParts {
  readonly venue: SimulatedVenue;
  readonly scheduler: Scheduler;
  readonly latency: Latency;
  readonly recorder: ResultRecorder;
  readonly states: readonly InstrumentState[];
}

/** The account of the run, and its limits, if the plan has any. */
function accountOf(
  { risk: limits, strategy: { name: strategy } }: BacktestPlan,
  { venue, scheduler, latency, recorder, states }: AccountParts,
): { readonly risk: RiskGate | undefined; readonly account: AccountGateway } {
  const orders = new OrderStore();
  const observer = (report: Report): void => {
    recorder.seen(report);
  };
  const parts = {
    venue,
    strategy,
    orders,
    scheduler,
    delayUs: latency.reportUs,
    states: bySymbol(states),
  };
  const marginObserver = (report: MarginReport): void => {
    recorder.seenMargin(report);
  };
  const risk = limits && new RiskGate({ ...parts, limits, observer, marginObserver });
  const account = new AccountGateway({ venue: risk ?? venue, store: orders, strategy, scheduler });
  return { risk, account };
}

const bySymbol = (states: readonly InstrumentState[]): ReadonlyMap<string, InstrumentState> =>
  new Map(states.map((state) => [state.instrument.symbol, state]));

/** The measures of the run. */
function measuresOf(
  inputs: Inputs,
  states: readonly InstrumentState[],
  markPrice: (symbol: string) => Decimal | undefined,
) {
  const { plan, instruments, balances } = inputs;
  const marks = states.map((state) => new Mark(state));
  const valuation = new Valuation(marks, inputs.equityCurrency);
  const performance = new Performance(marks, valuation, balances, LIMITS, markPrice);
  const hash = new RunHash();
  hashInputs(hash, inputs);
  const history = new OrderHistory(instruments, LIMITS.orders);
  const recorder = new ResultRecorder(performance, hash, history, LIMITS.logs, plan.strategyFile);
  return { marks, valuation, performance, hash, recorder, oldPrices: new OldPrices(marks) };
}

/** Loads the portfolio code, if a plan has one; a run without it pays nothing for it. */
async function openPortfolio(
  { plan, latency, seed }: Inputs,
  dependencies: Omit<MeasuredPortfolioDependencies, 'latency' | 'seed'>,
): Promise<MeasuredPortfolio | undefined> {
  if (plan.portfolio === undefined) return undefined;
  const { openMeasured } = await import('./portfolio/measured.ts');
  return openMeasured(plan.portfolio, { ...dependencies, latency, seed });
}

const circle = (name: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} goes round in a circle: it answers its own orders or timers again and again while no time passes.`,
  );

/**
 * Throws if the strategy requested data that the run lacks: then the plan is wrong, not the
 * strategy.
 */
function throwIfUnfit({ state, failure }: Engine): void {
  const codes: readonly ErrorCode[] = [
    'feed-lacks',
    'symbol-unknown',
    'currency-unknown',
    'balances-unsupported',
    'period-unknown',
    'margin-forbidden',
    'margin-mode-invalid',
    'rxjs-foreign',
  ];
  if (state !== 'failed' || !(failure instanceof MillraceError)) return;
  if (codes.includes(failure.code)) throw failure;
}

function inputsOf(plan: BacktestPlan, recordings: readonly RecordingSeries[]): Inputs {
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
  for (const recording of recordings) checkTraded(recording);
  const instruments = instrumentsOf(
    plan,
    recordings.map(({ meta }) => meta.instrument),
  );
  const parameters = parseParameters(plan.strategy, plan.parameters);
  const firstAt = micros(Math.min(...filled.map(({ summary }) => summary.firstAt)));
  const lastAt = micros(Math.max(...filled.map(({ summary }) => summary.lastAt)));
  const warmUpUs = plan.warmUpUs ?? warmUpOf(plan.strategy, parameters);
  const { tradingFrom, endAt } = tradingSpan(plan, { firstAt, lastAt, warmUpUs });
  const balances = startBalances(plan);
  checkHoldings(balances, instruments);
  const latency: Latency = withDefaults(DEFAULT_LATENCY, plan.latency);
  return {
    plan,
    recordings,
    instruments,
    parameters,
    balances,
    latency,
    seed: plan.seed ?? DEFAULT_SEED,
    dailyRates: dailyRatesOf(plan, instruments),
    equityCurrency: plan.equityCurrency ?? instruments[0].quoteCurrency,
    sampleUs: plan.sampleUs ?? sampleStep(Math.max(0, endAt - tradingFrom)),
    firstAt,
    tradingFrom,
    endAt,
  };
}

/** Symbols whose recordings have funding rates. */
const fundedIn = (recordings: readonly Recording[]): readonly string[] =>
  recordings
    .filter(({ summary }) => (derivativesIn(summary) & FUNDED) !== 0)
    .map(({ meta }) => meta.instrument.symbol);

const contentsOf = ({ meta, summary }: Recording): FeedContents => ({
  trades: summary.trades > 0,
  levels: summary.levels > 0,
  quotes: summary.quotes > 0,
  candlePeriod: meta.period,
  derivatives: derivativesIn(summary),
  firstAt: summary.firstAt,
});

/** Only for candles: trades or a book would decide instead. */
function pathsOf(recordings: readonly Recording[]): AssumedPaths | undefined {
  const symbols = recordings.map(({ meta, summary }) => {
    const { candles, trades, levels, quotes } = summary;
    return candles > 0 && trades + levels + quotes === 0 ? meta.instrument.symbol : undefined;
  });
  return symbols.every((symbol) => symbol === undefined) ? undefined : new AssumedPaths(symbols);
}
