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
  /** Of runs before on the same recordings: whether rows are sound does not depend on who trades. */
  readonly quality?: QualityMemo;
}

export interface Progress {
  /** How much of the time to replay has passed, 0 to 1. */
  readonly share: number;
  /** Event time. */
  readonly at: Micros;
  readonly events: number;
}

/** The stations of the road, in their order; each recording has the state, the mark and the inspector of its place. */
export interface ReplayParts {
  readonly recordings: readonly Recording[];
  readonly scheduler: VirtualScheduler;
  /** What is known of the markets: each row is taken in there, and all others read it. */
  readonly states: readonly InstrumentState[];
  readonly marks: readonly Mark[];
  /** They judge each row beside the book that takes it in; none where that was done before. */
  readonly inspectors: readonly Inspector[];
  /** Takes the samples of equity. */
  readonly samples: Sampler;
  readonly venue: SimulatedVenue;
  readonly engine: Engine;
  /** Who watches what the paths of candles decide, where there are candles. */
  readonly paths?: AssumedPaths | undefined;
  /** Inventory beside the account, where there is any. */
  readonly portfolio?: LocalPortfolio | undefined;
  /** Limits that receive every row, where there are any. */
  readonly risk?: RiskGate | undefined;
}

/** The time to replay. */
export interface ReplayRange {
  readonly firstAt: Micros;
  readonly endAt: Micros;
  readonly till: Micros | undefined;
}

/**
 * Sends every row through the replay: time, then state and price, then venue, then strategy. Returns the number of
 * rows; throws the reason of the signal.
 */
export async function replay(
  route: ReplayParts,
  { firstAt, endAt, till }: ReplayRange,
  { onProgress, signal, rowsPerTurn = ROWS_PER_TURN }: BacktestOptions,
): Promise<number> {
  const { recordings, scheduler, engine, portfolio } = route;
  let events = 0;
  let nextStop = rowsPerTurn;
  // What a strategy promised itself at its start is settled here, however short the run is.
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
  // What is due at the time of the last event still happens: an order without latency, its report.
  scheduler.advanceTo(scheduler.now());
  if (portfolio !== undefined) await wait(route, portfolio, scheduler.now());
  await giveWay(engine);
  onProgress?.({ share: 1, at: scheduler.now(), events });
  return events;
}

/**
 * Yields to the event loop. What a strategy does meanwhile, by a promise or a timer of its own, is at no
 * time of the recording, so the engine is paused.
 */
async function giveWay(engine: Engine): Promise<void> {
  engine.pause();
  await nextTurn();
  engine.resume();
}

/**
 * Brings time to a row where a portfolio may have something to do before it: one time after the other, and
 * at each what the venue and the engine do first. The portfolio works in promises, so the engine is paused
 * meanwhile and gets the outcome then. It is left paused.
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
  // Whoever waits for this promise comes a moment later, in which nobody may give a command.
  engine.pause();
}

/**
 * A run of rows of one recording. Tasks that are due come before the row of their time. Returns the
 * row that it came to: before the end where a portfolio has to be waited for.
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
    // Rows of one message have one time; what is asked for meanwhile is due before the next of them.
    if (at > since || scheduler.nextAt <= now) scheduler.advanceTo(now as Micros);
    since = now;
    // What is said of a derivative beside its market is no price at which anything is valued.
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
