import type { Engine } from '../engine/engine.ts';
import { merge } from '../feeds/merge.ts';
import type { Inspector } from '../feeds/quality/inspector.ts';
import type { Recording } from '../feeds/reader.ts';
import type { SimulatedVenue } from '../gateways/simulated.ts';
import { isMarket, type EventColumns } from '../model/events.ts';
import { CANDLES, type InstrumentState } from '../model/instrument-state.ts';
import type { Micros } from '../platform/time.ts';
import { nextTurn } from '../platform/turn.ts';
import type { VirtualScheduler } from '../platform/virtual-scheduler.ts';
import type { AssumedPaths } from './assumed-path.ts';
import type { QualityMemo } from './quality.ts';
import { Mark } from './metrics/mark.ts';
import type { LocalPortfolio } from './portfolio/portfolio.ts';
import type { RiskGate } from './risk-gate.ts';
import type { Sampler } from './sampler.ts';

/** Rows between two turns of the event loop. */
const ROWS_PER_TURN = 1 << 17;

export interface BacktestOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the run early: `runBacktest` then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Rows between two turns of the event loop, 131,072 if absent; the result does not depend on it. */
  readonly rowsPerTurn?: number;
  /** Findings of earlier runs on the same recordings, as they do not depend on the strategy. */
  readonly quality?: QualityMemo;
}

export interface Progress {
  /** Share of the replayed time, 0 to 1. */
  readonly share: number;
  /** Event time. */
  readonly at: Micros;
  readonly events: number;
}

/**
 * Stages of the replay, in order; each recording has the state, the mark and the inspector at its
 * index.
 */
export interface ReplayParts {
  readonly recordings: readonly Recording[];
  readonly scheduler: VirtualScheduler;
  /** Market states: each row is applied there, and all others read it. */
  readonly states: readonly InstrumentState[];
  readonly marks: readonly Mark[];
  /** Inspectors check each row with its book; none if that was done before. */
  readonly inspectors: readonly Inspector[];
  /** Takes the samples of equity. */
  readonly samples: Sampler;
  readonly venue: SimulatedVenue;
  readonly engine: Engine;
  /** Counts the decisions of candle paths, with candles. */
  readonly paths?: AssumedPaths | undefined;
  /** Holdings outside the account, if there are any. */
  readonly portfolio?: LocalPortfolio | undefined;
  /** Limits that receive every row, if there are any. */
  readonly risk?: RiskGate | undefined;
}

/** Time range of the replay. */
export interface ReplayRange {
  readonly firstAt: Micros;
  readonly endAt: Micros;
  readonly till: Micros | undefined;
}

/**
 * Passes every row through the replay: time, then state and price, then venue, then strategy.
 * Returns the number of rows; throws the reason of the signal.
 */
export async function replay(
  route: ReplayParts,
  { firstAt, endAt, till }: ReplayRange,
  { onProgress, signal, rowsPerTurn = ROWS_PER_TURN }: BacktestOptions,
): Promise<number> {
  const { recordings, scheduler, engine, portfolio } = route;
  let events = 0;
  let nextStop = rowsPerTurn;
  // Settles the strategy's own promises from its start, however short the run is.
  await giveWay(engine);
  for (const segment of merge(recordings, till === undefined ? {} : { till })) {
    const { source, columns, start, end } = segment;
    for (let row = start; row < end;) {
      const stop = Math.min(end, row + nextStop - events);
      const reached = pass(route, source, columns, row, stop);
      events += reached - row;
      row = reached;
      if (reached < stop && portfolio !== undefined) {
        await wait(route, portfolio, columns.receivedAt[reached]);
        engine.resume();
      }
      if (events < nextStop) continue;
      nextStop += rowsPerTurn;
      const at = scheduler.now();
      onProgress?.({ share: (at - firstAt) / Math.max(1, endAt - firstAt), at, events });
      await giveWay(engine);
      signal?.throwIfAborted();
    }
  }
  // Runs what is due at the time of the last event: an order without latency, its report.
  scheduler.advanceTo(scheduler.now());
  if (portfolio !== undefined) await wait(route, portfolio, scheduler.now());
  await giveWay(engine);
  onProgress?.({ share: 1, at: scheduler.now(), events });
  return events;
}

/**
 * Yields to the event loop. The engine is paused, as promises and timers of a strategy's own run at
 * no time of the recording.
 */
async function giveWay(engine: Engine): Promise<void> {
  engine.pause();
  await nextTurn();
  engine.resume();
}

/**
 * Advances to the time of a row in steps, if a portfolio may have work before it; at each step
 * venue and engine come first. The portfolio works in promises, so the engine is paused meanwhile
 * and gets the result then. It is left paused.
 */
async function wait(
  { scheduler, engine }: ReplayParts,
  portfolio: LocalPortfolio,
  receivedAt: number,
): Promise<void> {
  const till = Math.max(scheduler.now(), receivedAt);
  for (;;) {
    const next = Math.min(scheduler.nextAt, portfolio.nextAt);
    if (next > till) break;
    scheduler.advanceTo(Math.max(next, scheduler.now()) as Micros);
    if (portfolio.nextAt > scheduler.now()) continue;
    engine.pause();
    await portfolio.settle();
    engine.resume();
    portfolio.emit();
  }
  // The caller continues a moment later, in which no command is allowed.
  engine.pause();
}

/**
 * Replays rows of one recording. Tasks that are due come before the row of their time. Returns the
 * row it reached: before the end if a portfolio needs time.
 */
function pass(
  {
    scheduler,
    states,
    marks,
    inspectors,
    samples,
    venue,
    engine,
    paths,
    portfolio,
    risk,
  }: ReplayParts,
  source: number,
  columns: EventColumns,
  start: number,
  end: number,
): number {
  const state = states[source];
  const mark = marks[source];
  const inspector = inspectors.at(source);
  const { receivedAt } = columns;
  let now: number = scheduler.now();
  let since = Number.NEGATIVE_INFINITY;
  for (let row = start; row < end; row += 1) {
    const at = receivedAt[row];
    if (at > now) now = at;
    if (portfolio !== undefined && Math.min(portfolio.nextAt, scheduler.nextAt) <= now) return row;
    // Rows of one message have one time; requests in between are due before the next of them.
    if (at > since || scheduler.nextAt <= now) scheduler.advanceTo(now as Micros);
    since = now;
    // Derivative data is not a valuation price.
    if (!isMarket(columns.kind[row])) {
      inspector?.before(columns, row);
      const reported = state.take(columns, row);
      venue.market(source, columns, row);
      if (reported !== 0) engine.follow(source, reported, columns, row);
      continue;
    }
    mark.seenAt = now;
    inspector?.before(columns, row);
    const changes = state.take(columns, row);
    inspector?.after(columns, row);
    if ((changes & Mark.SHOWN) !== 0) mark.rowBegins(columns, row);
    if (samples.isWaiting) samples.priced(now as Micros);
    if (paths === undefined) venue.market(source, columns, row);
    else {
      paths.enter(source, columns, row);
      venue.market(source, columns, row);
      paths.leave();
    }
    if ((changes & CANDLES) !== 0) mark.rowEnds();
    if (risk !== undefined) {
      risk.received(source);
      if (risk.isKilled) engine.stop();
    }
    if (changes !== 0) engine.follow(source, changes, columns, row);
  }
  return end;
}
