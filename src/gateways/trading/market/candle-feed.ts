import { MillraceError } from '../../../model/errors.ts';
import { periodEnd, periodStart, type Period } from '../../../model/period.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import { isoTime, micros } from '../../../platform/time.ts';
import { addBar, type CandleBar, type CandleHistory } from './candle-history.ts';
import { stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';

interface Reported {
  readonly t?: unknown;
  readonly o?: unknown;
  readonly c?: unknown;
  readonly h?: unknown;
  readonly l?: unknown;
  readonly v?: unknown;
}

const isSame = (one: CandleBar, other: CandleBar): boolean =>
  one.openedAt === other.openedAt &&
  one.open === other.open &&
  one.high === other.high &&
  one.low === other.low &&
  one.close === other.close &&
  one.volume === other.volume;

/**
 * Candles of one period: a CANDLE row for each when it is complete, that is when a later one begins, or
 * when its period is over by `settleUs` on the service's clock. The candle that is open when the market is
 * opened comes whole, as the service sends it from its start; those that ended before come from `history`.
 * A period without a trade has no row, as in recordings and histories, unless the service itself sends a
 * candle for it.
 *
 * After a loss, the candles since the last emitted one are fetched and emitted, the one that was open among
 * them. If the service changes a candle after it was emitted, a warning is logged and the candle is not
 * emitted again.
 */
export class CandleFeed implements Feed {
  readonly ch: string;
  readonly limit = 1;
  readonly mayBeEmpty = true;
  readonly #subscriptions: MarketSubscriptions;
  readonly #period: Period;
  readonly #settleUs: number;
  readonly #history: CandleHistory;
  #state: 'waiting' | 'catching-up' | 'live' = 'waiting';
  /** Every candle that opened until then was emitted, or ended before the market was opened. */
  #reportedTo: number;
  #reported: CandleBar | undefined;
  #open: CandleBar | undefined;
  /** Candles received while missed ones were fetched, by the start of their period. */
  #waiting = new Map<number, CandleBar>();
  #missedTo = Number.NaN;
  #cancel: Cancel = () => undefined;
  #life = 0;

  /** Candles that opened at `from` or later are emitted; if absent, those from the open one on. */
  constructor(
    subscriptions: MarketSubscriptions,
    period: Period,
    settleUs: number,
    history: CandleHistory,
    from = Number.POSITIVE_INFINITY,
  ) {
    this.ch = `candles/${period}`;
    this.#subscriptions = subscriptions;
    this.#period = period;
    this.#settleUs = settleUs;
    this.#history = history;
    this.#reportedTo = Math.min(periodStart(period, subscriptions.serviceNow()), from) - 1;
  }

  get isReady(): boolean {
    return this.#state === 'live';
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  take(_part: 'snapshot' | 'update', payload: unknown): boolean {
    if (!Array.isArray(payload)) return false;
    const bars: CandleBar[] = [];
    for (const one of payload as readonly unknown[]) {
      const bar = this.#read(one);
      if (bar === undefined) return false;
      bars.push(bar);
    }
    if (this.#state === 'waiting') this.#begin(bars);
    else if (this.#state === 'catching-up') for (const bar of bars) this.#wait(bar);
    else this.#takeAll(bars);
    return true;
  }

  lose(): void {
    this.#life += 1;
    this.#cancel();
    this.#state = 'waiting';
    this.#waiting.clear();
  }

  close(): void {
    this.lose();
  }

  #read(given: unknown): CandleBar | undefined {
    const reported = given as Reported | null;
    if (typeof reported !== 'object' || reported === null) return undefined;
    const { price, size } = this.#subscriptions;
    const bar: CandleBar = {
      openedAt: stampOf(reported.t),
      open: price.read(reported.o),
      high: price.read(reported.h),
      low: price.read(reported.l),
      close: price.read(reported.c),
      volume: size.read(reported.v),
    };
    return Object.values(bar).every((value: number) => value >= 0) ? bar : undefined;
  }

  /** The first frame after a connection: if it shows a later candle than the open one, some are missing. */
  #begin(bars: readonly CandleBar[]): void {
    const latest = bars.at(-1)?.openedAt ?? Number.NEGATIVE_INFINITY;
    const next = this.#open?.openedAt ?? periodEnd(this.#period, micros(this.#reportedTo));
    if (latest <= next) {
      this.#emitNew(bars);
      return;
    }
    this.#missedTo = latest;
    for (const bar of bars) this.#wait(bar);
    this.#state = 'catching-up';
    void this.#catchUp(next);
  }

  #wait(bar: CandleBar): void {
    this.#waiting.set(bar.openedAt, bar);
  }

  async #catchUp(from: number): Promise<void> {
    const life = this.#life;
    const isWanted = (): boolean => life === this.#life;
    const missed = await this.#subscriptions.read(
      () => this.#history.between(this.#subscriptions, this.#period, from, this.#missedTo),
      isWanted,
    );
    if (missed === undefined || !isWanted()) return;
    // Candles from the socket are newer than fetched ones.
    const bars = new Map([...missed.map((bar) => [bar.openedAt, bar] as const), ...this.#waiting]);
    this.#emitNew([...bars.values()].sort((one, other) => one.openedAt - other.openedAt));
  }

  #emitNew(bars: readonly CandleBar[]): void {
    this.#waiting.clear();
    this.#state = 'live';
    this.#takeAll(bars);
    this.#watch();
    this.#subscriptions.ready();
  }

  #takeAll(bars: readonly CandleBar[]): void {
    const life = this.#life;
    for (const bar of bars) {
      this.#take(bar);
      // The listener may have closed everything.
      if (life !== this.#life) return;
    }
  }

  #take(bar: CandleBar): void {
    const { openedAt } = bar;
    if (openedAt <= this.#reportedTo) {
      this.#late(bar);
      return;
    }
    const open = this.#open;
    if (open !== undefined && openedAt < open.openedAt) {
      // A new candle that is over, as a later one has begun.
      this.#emit(bar);
      return;
    }
    const isLater = open !== undefined && openedAt > open.openedAt;
    const isOther = open === undefined || isLater;
    this.#open = bar;
    if (isLater) this.#emit(open);
    if (isOther) this.#watch();
  }

  /** Waits for the end of the open candle. */
  #watch(): void {
    this.#cancel();
    const open = this.#open;
    if (open === undefined || this.#state !== 'live') return;
    const endsAt = periodEnd(this.#period, micros(open.openedAt));
    this.#cancel = this.#subscriptions.atService(endsAt + this.#settleUs, () => {
      const over = this.#open;
      if (over === undefined) return;
      this.#open = undefined;
      this.#emit(over);
    });
  }

  #emit(bar: CandleBar): void {
    this.#reportedTo = bar.openedAt;
    this.#reported = bar;
    const { rows } = this.#subscriptions;
    rows.clear();
    addBar(rows, bar, this.#subscriptions.now());
    this.#subscriptions.emit();
  }

  #late(bar: CandleBar): void {
    const reported = this.#reported;
    if (reported?.openedAt !== bar.openedAt || isSame(reported, bar)) return;
    this.#reported = bar;
    const { symbol } = this.#subscriptions.instrument;
    this.#subscriptions.warn(
      new MillraceError(
        'answer-invalid',
        `The service changed the ${this.#period} candle of ${symbol} from ${isoTime(micros(bar.openedAt))} after it was sent as complete.`,
        { field: 't' },
      ),
    );
  }
}
