import { NOTHING } from '../model/amount.ts';
import { basename } from 'node:path';
import type { CandleCount } from '../engine/market/instrument-market.ts';
import type { Recording } from '../feeds/reader.ts';
import type { RecordingSeries } from '../feeds/series.ts';
import type { Latency } from '../gateways/simulated.ts';
import type { NonSpotBalances } from '../gateways/simulated-non-spot-balances.ts';
import { algoTexts } from '../model/algo-order.ts';
import { decimal, ZERO, type Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { isoTime, type Micros } from '../platform/time.ts';
import { assumptionsOf, warningsOf } from './assumptions.ts';
import type { AssumedPaths } from './assumed-path.ts';
import { derivativesIn, marginAssumptions } from './contracts.ts';
import { idleWarning } from './idle.ts';
import type { Mark } from './metrics/mark.ts';
import type { Performance } from './metrics/performance.ts';
import { seriesOf } from './metrics/series.ts';
import type { Valuation } from './metrics/valuation.ts';
import type { BacktestPlan } from './plan.ts';
import { protectionWarnings } from './protection.ts';
import type { ResultRecorder } from './recorder.ts';
import { qualityWarnings } from './quality.ts';
import { portfolioWarnings } from './portfolio/assumptions.ts';
import type { RiskSettings } from '../risk/settings.ts';
import {
  HASH_FORMAT,
  RESULT_FORMAT,
  type BacktestResult,
  type BalanceRecord,
  type PlanRecord,
  type PortfolioRecord,
  type QualityRecord,
  type RecordingRecord,
} from './result.ts';
import type { RunHash } from './run-hash.ts';
import { strategySource } from './strategy-source.ts';

/** Inputs of a run: a plan with its files read, checked and with defaults. */
export interface Inputs {
  readonly plan: BacktestPlan;
  readonly recordings: readonly RecordingSeries[];
  readonly instruments: readonly Instrument[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly balances: ReadonlyMap<string, Decimal>;
  readonly latency: Latency;
  readonly seed: number;
  readonly dailyRates: Readonly<Record<string, string>>;
  readonly equityCurrency: string;
  readonly sampleUs: number;
  readonly firstAt: Micros;
  readonly tradingFrom: Micros;
  readonly endAt: Micros;
}

/** Outcome of a run. */
export interface Outcome {
  readonly performance: Performance;
  readonly recorder: ResultRecorder;
  /** Set if there are candles. */
  readonly paths: AssumedPaths | undefined;
  /** Breaches of running limits. */
  readonly breaches: readonly string[];
  /** Warnings of limits without a breach. */
  readonly riskWarnings: readonly string[];
  readonly valuation: Valuation;
  readonly marks: readonly Mark[];
  readonly hash: RunHash;
  readonly events: number;
  /** Candles that the strategy requested. */
  readonly candles: readonly CandleCount[];
  readonly portfolio: PortfolioRecord | undefined;
  /** Findings of the checks in each recording. */
  readonly quality: readonly (readonly QualityRecord[])[];
  /** Warnings of fundings without a recorded rate. */
  readonly missedFundings: readonly string[];
  /** Warnings of orders at old prices. */
  readonly oldPrices: readonly string[];
  readonly tillAt: Micros;
}

/** Adds every input of a run to its hash. */
export function hashInputs(hash: RunHash, inputs: Inputs): void {
  const { plan } = inputs;
  hash.add('format', HASH_FORMAT);
  hash.add('strategy', plan.strategy.name);
  const { strategy, sourceFile, strategyFile } = plan;
  const source = plan.source ?? strategySource(strategy, sourceFile ?? strategyFile);
  for (const module of source) hash.add('source', module);
  hash.add('parameters', inputs.parameters);
  for (const { fingerprint } of inputs.recordings) hash.add('recording', fingerprint);
  for (const { terms } of inputs.instruments) hash.add('instrument', terms);
  hash.add('latency', inputs.latency);
  hash.add('balances', Object.fromEntries(inputs.balances));
  hash.add('seed', inputs.seed);
  hash.add('range', [plan.from ?? null, plan.till ?? null, inputs.tradingFrom]);
  hash.add('measure', [inputs.equityCurrency, inputs.sampleUs]);
  const { dailyRates } = inputs;
  if (Object.keys(dailyRates).length > 0) {
    const rates = Object.entries(dailyRates).map(([name, rate]) => [name, decimal(rate).toFixed()]);
    hash.add('dailyRates', Object.fromEntries(rates));
  }
  if (plan.replenish !== undefined) hash.add('replenish', plan.replenish);
  if (plan.nonSpotBalances !== undefined)
    hash.add('nonSpotBalances', otherRecord(plan.nonSpotBalances));
  if (plan.portfolio !== undefined) hash.add('portfolio', plan.portfolio);
  if (plan.risk !== undefined) hash.add('risk', riskRecord(plan.risk));
}

/** The result of a run; closes its hash. */
export function assemble(inputs: Inputs, outcome: Outcome): BacktestResult {
  const { plan, instruments, latency, equityCurrency, sampleUs } = inputs;
  const { performance, recorder, valuation, marks, hash, events, tillAt } = outcome;
  const metrics = performance.finish(tillAt, events, sampleUs);
  const orders = recorder.orders.statistics();
  const balances = balancesOf(inputs, performance, valuation);
  hash.add(
    'balances',
    balances.map(({ currency, end }) => [currency, end]),
  );
  const { portfolio } = outcome;
  const margin = performance.books.record;
  if (margin !== undefined) hash.add('margin', margin);
  if (portfolio !== undefined) hash.add('portfolio', portfolio);
  const recordings = inputs.recordings.map((one, index) => ({
    ...recordingRecord(one),
    quality: outcome.quality[index],
  }));
  const { stopSymbols } = recorder.history;
  const circumstances = {
    instruments,
    recordings,
    latency,
    equityCurrency,
    sampleUs,
    stopSymbols,
    trailedSymbols: recorder.trailedSymbols,
    portfolio: plan.portfolio,
    isOnMargin: margin !== undefined,
    margin: instruments.flatMap((instrument, index) => marginOf(inputs, instrument, index)),
  };
  const outside = [...(plan.portfolio?.wallets.values() ?? [])].flatMap((one) => [...one.keys()]);
  const unvalued = [...new Set([...balances.map(({ currency }) => currency), ...outside])].filter(
    (currency) => !valuation.reaches(currency),
  );
  return {
    format: RESULT_FORMAT,
    hash: hash.digest(),
    strategy: {
      name: plan.strategy.name,
      summary: plan.strategy.summary,
      parameters: inputs.parameters,
    },
    recordings,
    instruments: instruments.map(({ terms }) => terms),
    plan: planRecord(inputs, tillAt),
    assumptions: assumptionsOf(circumstances),
    warnings: [
      ...inputs.recordings.flatMap(({ holes }) => holes),
      ...idleWarning({
        orders,
        candles: outcome.candles,
        replayedUs: tillAt - inputs.firstAt,
        isFailed: recorder.failure !== undefined,
      }),
      ...qualityWarnings(recordings),
      ...warningsOfRun(outcome),
      ...warningsOf(circumstances, metrics, orders, unvalued),
      ...(portfolio === undefined ? [] : portfolioWarnings(portfolio)),
      ...atWork(recorder),
      ...leftOut(performance.plotsLeftOut),
    ],
    metrics,
    orders,
    balances,
    ...(margin === undefined ? {} : { margin, payments: performance.payments }),
    ...(portfolio === undefined ? {} : { portfolio }),
    ...algoRows(recorder, instruments),
    series: seriesOf(performance, marks, sampleUs),
    orderHistory: recorder.history.rows,
    fills: performance.fills,
    trades: performance.trades.rows,
    logs: recorder.logs,
    ...(recorder.failure === undefined ? {} : { failure: recorder.failure }),
  };
}

/** Margin assumptions of an instrument. */
function marginOf(
  { plan, recordings, dailyRates }: Inputs,
  instrument: Instrument,
  index: number,
): ReturnType<typeof marginAssumptions> {
  const { meta, summary } = recordings[index];
  return marginAssumptions(instrument, meta.instrument, {
    isGiven: plan.margin?.[instrument.symbol] !== undefined,
    reported: derivativesIn(summary),
    dailyRates,
  });
}

/** Warnings from the run itself. */
const warningsOfRun = (outcome: Outcome): readonly string[] => [
  ...outcome.oldPrices,
  ...outcome.missedFundings,
  ...breachWarning(outcome.breaches),
  ...riskWarning(outcome.riskWarnings),
  ...protectionWarnings(outcome.recorder.unprotected, outcome.paths),
];

/** Warning of algo orders that the end of the run cut off. */
function atWork({ algoOrders }: ResultRecorder): readonly string[] {
  const ids = [...algoOrders.values()]
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  return [`The run ended while algo orders were at work: ${ids.join(', ')}.`];
}

/** Algo orders in the order of their start. */
function algoRows(
  { algoOrders }: ResultRecorder,
  instruments: readonly Instrument[],
): Pick<BacktestResult, 'algoOrders'> {
  if (algoOrders.size === 0) return {};
  const rows = [...algoOrders.values()].flatMap((order) =>
    instruments
      .filter(({ symbol }) => symbol === order.symbol)
      .map((instrument) => ({
        ...algoTexts(order, instrument),
        startedAt: isoTime(order.startedAt),
        endedAt: order.endedAt === undefined ? null : isoTime(order.endedAt),
      })),
  );
  return { algoOrders: rows };
}

function balancesOf(
  { balances }: Inputs,
  performance: Performance,
  valuation: Valuation,
): readonly BalanceRecord[] {
  const currencies = [...new Set([...balances.keys(), ...performance.totals.keys()])].sort();
  return currencies.map((currency) => {
    const end = performance.totals.get(currency) ?? NOTHING;
    const rate = valuation.rate(currency);
    return {
      currency,
      start: (balances.get(currency) ?? ZERO).toFixed(),
      end: end.toFixed(),
      value: rate === undefined ? null : end.times(rate).toFixed(),
    };
  });
}

/** Without the folder, which does not affect the run and differs between machines. */
function recordingRecord({
  path,
  fingerprint,
  meta,
  summary,
}: Recording): Omit<RecordingRecord, 'quality'> {
  const { rows, trades, quotes, levels, gaps, candles, firstAt, lastAt } = summary;
  return {
    name: basename(path),
    fingerprint,
    symbol: meta.instrument.symbol,
    layout: meta.layout,
    rows,
    trades,
    quotes,
    levels,
    gaps,
    candles,
    from: isoTime(firstAt),
    till: isoTime(lastAt),
    synthetic: meta.provenance.synthetic,
    importer: meta.provenance.importer,
    notes: meta.provenance.notes,
  };
}

const asText = (amounts: ReadonlyMap<string, Decimal>): Readonly<Record<string, string>> =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toFixed()]));

const otherRecord = ({
  wallet,
  derivatives,
}: NonSpotBalances): NonNullable<PlanRecord['nonSpotBalances']> => ({
  ...(wallet === undefined ? {} : { wallet: asText(wallet) }),
  ...(derivatives === undefined ? {} : { derivatives: asText(derivatives) }),
});

function planRecord(inputs: Inputs, tillAt: Micros): PlanRecord {
  const { latency, balances, seed, equityCurrency, sampleUs } = inputs;
  return {
    from: isoTime(inputs.firstAt),
    tradingFrom: isoTime(inputs.tradingFrom),
    till: isoTime(tillAt),
    balances: asText(balances),
    orderLatencyUs: latency.orderUs,
    reportLatencyUs: latency.reportUs,
    seed,
    equityCurrency,
    sampleUs,
    ...(inputs.plan.nonSpotBalances === undefined
      ? {}
      : { nonSpotBalances: otherRecord(inputs.plan.nonSpotBalances) }),
    ...(Object.keys(inputs.dailyRates).length === 0 ? {} : { dailyRates: inputs.dailyRates }),
  };
}

/** Limits as plain data. */
const riskRecord = (risk: RiskSettings): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(risk).map(([name, value]: readonly [string, unknown]) => [
      name,
      value instanceof Map ? Object.fromEntries(value) : (value ?? null),
    ]),
  );

const breachWarning = (breaches: readonly string[]): readonly string[] =>
  breaches.length === 0
    ? []
    : [
        `Limits were broken ${breaches.length === 1 ? 'once' : `${breaches.length} times`}, the first time: ${breaches[0]} From then on less was allowed, or nothing.`,
      ];

const riskWarning = (warnings: readonly string[]): readonly string[] =>
  warnings.length < 2
    ? warnings
    : [`${warnings[0]} The limits warned of such things ${warnings.length} times.`];

const leftOut = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `A report draws 16 plots; ${names.slice(0, 5).join(', ')} and what else came later is left out.`,
      ];
