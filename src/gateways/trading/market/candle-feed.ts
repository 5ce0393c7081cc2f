import { MillraceError } from '../../../model/errors.ts';
import { periodEnd, periodStart, type Period } from '../../../model/period.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import { isoTime, micros } from '../../../platform/time.ts';
import { addBar, type Bar, type CandleHistory } from './candle-history.ts';
import { stampOf, type Desk, type Feed } from './desk.ts';

interface Told {
  readonly t?: unknown;
  readonly o?: unknown;
  readonly c?: unknown;
  readonly h?: unknown;
  readonly l?: unknown;
  readonly v?: unknown;
}

const isSame = (one: Bar, other: Bar): boolean =>
  one.openedAt === other.openedAt &&
  one.open === other.open &&
  one.high === other.high &&
  one.low === other.low &&
  one.close === other.close &&
  one.volume === other.volume;

/**
 * Candles of one period: a CANDLE row for each when it is complete, that is when a later one begins,
 * or when its period is over by `settleUs` on the service's clock. The candle that is open when the
 * market is opened comes whole, as the service tells it from its start; those that ended before are
 * the business of `history`. A period without a trade has no row, as in recordings and histories,
 * unless the service itself tells a candle of it.
 *
 * After a loss, the candles since the last that was told are fetched and told, the one that was open
 * among them. A candle that the service changes after it was told is warned of, and not told again.
 */
export class CandleFeed implements Feed {
  readonly ch: string;
  readonly limit = 1;
  readonly mayBeEmpty = true;
  readonly #desk: Desk;
  readonly #period: Period;
  readonly #settleUs: number;
  readonly #history: CandleHistory;
  #state: 'waiting' | 'catching-up' | 'live' = 'waiting';
  /** Everything that opened until then has been told, or ended before the market was opened. */
  #toldTo: number;
  #told: Bar | undefined;
  #open: Bar | undefined;
  /** What came while missed candles were fetched, by the start of its period. */
  #waiting = new Map<number, Bar>();
  #missedTo = Number.NaN;
  #cancel: Cancel = () => undefined;
  #life = 0;

  /** Candles that opened at `from` or later are told; where absent, those from the open one on. */
  constructor(
    desk: Desk,
    period: Period,
    settleUs: number,
    history: CandleHistory,
    from = Number.POSITIVE_INFINITY,
  ) {
    this.ch = `candles/${period}`;
    this.#desk = desk;
    this.#period = period;
    this.#settleUs = settleUs;
    this.#history = history;
    this.#toldTo = Math.min(periodStart(period, desk.serviceNow()), from) - 1;
  }

  get isReady(): boolean {
    return this.#state === 'live';
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  take(_part: 'snapshot' | 'update', payload: unknown): boolean {
    if (!Array.isArray(payload)) return false;
    const bars: Bar[] = [];
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

  #read(given: unknown): Bar | undefined {
    const told = given as Told | null;
    if (typeof told !== 'object' || told === null) return undefined;
    const { price, size } = this.#desk;
    const bar: Bar = {
      openedAt: stampOf(told.t),
      open: price.read(told.o),
      high: price.read(told.h),
      low: price.read(told.l),
      close: price.read(told.c),
      volume: size.read(told.v),
    };
    return Object.values(bar).every((value: number) => value >= 0) ? bar : undefined;
  }

  /** The first frame after a connection: where it shows a later candle than was open, some are missing. */
  #begin(bars: readonly Bar[]): void {
    const latest = bars.at(-1)?.openedAt ?? Number.NEGATIVE_INFINITY;
    const next = this.#open?.openedAt ?? periodEnd(this.#period, micros(this.#toldTo));
    if (latest <= next) {
      this.#goOn(bars);
      return;
    }
    this.#missedTo = latest;
    for (const bar of bars) this.#wait(bar);
    this.#state = 'catching-up';
    void this.#catchUp(next);
  }

  #wait(bar: Bar): void {
    this.#waiting.set(bar.openedAt, bar);
  }

  async #catchUp(from: number): Promise<void> {
    const life = this.#life;
    const isWanted = (): boolean => life === this.#life;
    const missed = await this.#desk.read(
      () => this.#history.between(this.#desk, this.#period, from, this.#missedTo),
      isWanted,
    );
    if (missed === undefined || !isWanted()) return;
    // What came over the socket is newer than what was fetched.
    const bars = new Map([...missed.map((bar) => [bar.openedAt, bar] as const), ...this.#waiting]);
    this.#goOn([...bars.values()].sort((one, other) => one.openedAt - other.openedAt));
  }

  #goOn(bars: readonly Bar[]): void {
    this.#waiting.clear();
    this.#state = 'live';
    this.#takeAll(bars);
    this.#watch();
    this.#desk.ready();
  }

  #takeAll(bars: readonly Bar[]): void {
    const life = this.#life;
    for (const bar of bars) {
      this.#take(bar);
      // Whoever was told may have closed everything.
      if (life !== this.#life) return;
    }
  }

  #take(bar: Bar): void {
    const { openedAt } = bar;
    if (openedAt <= this.#toldTo) {
      this.#late(bar);
      return;
    }
    const open = this.#open;
    if (open !== undefined && openedAt < open.openedAt) {
      // Never seen until now, and over, as a later one has begun.
      this.#tell(bar);
      return;
    }
    const isLater = open !== undefined && openedAt > open.openedAt;
    const isOther = open === undefined || isLater;
    this.#open = bar;
    if (isLater) this.#tell(open);
    if (isOther) this.#watch();
  }

  /** Waits for the end of the open candle. */
  #watch(): void {
    this.#cancel();
    const open = this.#open;
    if (open === undefined || this.#state !== 'live') return;
    const endsAt = periodEnd(this.#period, micros(open.openedAt));
    this.#cancel = this.#desk.atService(endsAt + this.#settleUs, () => {
      const over = this.#open;
      if (over === undefined) return;
      this.#open = undefined;
      this.#tell(over);
    });
  }

  #tell(bar: Bar): void {
    this.#toldTo = bar.openedAt;
    this.#told = bar;
    const { rows } = this.#desk;
    rows.clear();
    addBar(rows, bar, this.#desk.now());
    this.#desk.tell();
  }

  #late(bar: Bar): void {
    const told = this.#told;
    if (told?.openedAt !== bar.openedAt || isSame(told, bar)) return;
    this.#told = bar;
    const { symbol } = this.#desk.instrument;
    this.#desk.warn(
      new MillraceError(
        'answer-invalid',
        `The service changed the ${this.#period} candle of ${symbol} from ${isoTime(micros(bar.openedAt))} after it was told as complete.`,
        { field: 't' },
      ),
    );
  }
}
