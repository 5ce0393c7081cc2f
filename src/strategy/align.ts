import { isObservable, Observable, Subscription, timer } from 'rxjs';
import type { Candle } from '../model/candle.ts';
import { fullStop } from '../model/full-stop.ts';
import { MillraceError } from '../model/errors.ts';
import { knownMembers, membersOf, ownMembers, unknownName } from '../model/members.ts';
import { periodEnd } from '../model/period.ts';

/**
 * Most candles of a stream that wait for those of another; beyond that the oldest moment is
 * dropped.
 */
const WAITING_MAX = 1_000;

/** What happens to a moment with a missing candle. */
export interface AlignOptions {
  /**
   * `skip` drops the moment (the default), `carry` emits it with the last candle before the gap.
   */
  readonly missing?: 'skip' | 'carry';
  /** With `carry`: milliseconds that a moment waits for a missing candle; 1,000 if absent. */
  readonly wait?: number;
}

const OPTIONS = membersOf<AlignOptions>({ missing: true, wait: true });

/** Streams of candles, as an array or by name. */
export type CandleStreams =
  | readonly Observable<Candle>[]
  | Readonly<Record<string, Observable<Candle>>>;

/** One candle of each stream. */
export type Aligned<T extends CandleStreams> = { readonly [K in keyof T]: Candle };

/**
 * Joins candles of several symbols and periods in time: emits once for each moment at which a
 * candle of any stream ends, when every stream has its current candle. That is the one that ends at
 * the moment, or for a longer period the last that has ended.
 *
 *     align([market.candles('BTCUSDT', 'H1'), market.candles('ETHUSDT', 'H1')])
 *     align({ hour: market.candles('BTCUSDT', 'H1'), day: market.candles('BTCUSDT', 'D1') })
 *
 * A stream has a gap if a later candle comes without an earlier one: `skip` drops such moments, so
 * that all candles are always of one moment; `carry` emits them with the last candle before the
 * gap, whose `closedAt` gives its age, after `wait` or as soon as the gap is known. Moments come in
 * order and once. It completes when all streams have; throws `out-of-range` for invalid options.
 */
export function align<const T extends CandleStreams>(
  streams: T,
  options: AlignOptions = {},
): Observable<Aligned<T>> {
  const given: readonly unknown[] = isObject(streams) ? Object.values(streams) : [undefined];
  if (!given.every((stream) => isObservable(stream))) {
    throw outOfRange('streams', 'must be streams of candles, in a list or by their names');
  }
  if (!isObject(options)) throw outOfRange('options', 'must be an object, such as { missing }');
  const stray = unknownName(options, OPTIONS);
  if (stray !== undefined) {
    throw outOfRange(stray, `is no option; ${knownMembers(stray, OPTIONS)}`);
  }
  const { missing = 'skip', wait = 1_000 } = options;
  if (missing !== 'skip' && missing !== 'carry') {
    throw outOfRange('missing', `is ${String(missing)} and must be skip or carry`);
  }
  if (!Number.isFinite(wait) || wait < 0) {
    throw outOfRange('wait', `is ${String(wait)} and must be milliseconds, 0 or more`);
  }
  const all = Array.isArray(streams) ? { ...streams } : ownMembers(streams);
  const names = Object.keys(all);
  const sources = Object.values(all) as readonly Observable<Candle>[];
  return new Observable((subscriber) => {
    const subscription = new Subscription();
    const emit = (candles: readonly Candle[]): void => {
      const one = Array.isArray(streams)
        ? candles
        : Object.fromEntries(names.map((name, index) => [name, candles[index]]));
      subscriber.next(Object.freeze(one) as Aligned<T>);
    };
    const join = new Join(sources.length, missing === 'carry' ? wait : undefined, emit);
    subscription.add(() => {
      join.stop();
    });
    let open = sources.length;
    if (open === 0) subscriber.complete();
    for (const [index, source] of sources.entries()) {
      subscription.add(
        source.subscribe({
          next: (candle) => {
            join.take(index, candle);
          },
          error: (error: unknown) => {
            subscriber.error(error);
          },
          complete: () => {
            open -= 1;
            if (open > 0) return;
            join.end();
            subscriber.complete();
          },
        }),
      );
    }
    return subscription;
  });
}

const isObject = (given: unknown): boolean => typeof given === 'object' && given !== null;

/** One stream: the waiting candles, oldest first, and the last one before them. */
interface Queue {
  readonly waiting: Candle[];
  last: Candle | undefined;
}

/** Joins candles moment by moment. */
class Join {
  readonly #queues: readonly Queue[];
  /** How long a moment waits for a missing candle; forever if absent. */
  readonly #wait: number | undefined;
  readonly #emit: (candles: readonly Candle[]) => void;
  /** The latest moment that is done. */
  #doneAt = Number.NEGATIVE_INFINITY;
  #timer: Subscription | undefined;
  #timedAt = Number.NEGATIVE_INFINITY;

  constructor(count: number, wait: number | undefined, emit: (candles: readonly Candle[]) => void) {
    this.#queues = Array.from({ length: count }, () => ({ waiting: [], last: undefined }));
    this.#wait = wait;
    this.#emit = emit;
  }

  take(index: number, candle: Candle): void {
    const queue = this.#queues[index];
    if (candle.closedAt > this.#doneAt) queue.waiting.push(candle);
    // It comes after its moment was dropped, and is still the latest of its stream.
    else if (candle.closedAt > (queue.last?.closedAt ?? 0)) queue.last = candle;
    this.#goOn();
    if (queue.waiting.length > WAITING_MAX) this.#goOn(queue.waiting[0].closedAt);
  }

  /** Ends the wait: a missing candle stays missing. */
  end(): void {
    this.#goOn(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#timer?.unsubscribe();
  }

  /** Emits or drops all decided moments, and the undecided ones up to `givenUp`. */
  #goOn(givenUp = Number.NEGATIVE_INFINITY): void {
    for (;;) {
      const moment = Math.min(
        ...this.#queues.map(({ waiting }) => waiting.at(0)?.closedAt ?? NEVER),
      );
      if (moment === NEVER) break;
      const lacking = this.#queues.filter((queue) => !isCurrent(headAt(queue, moment), moment));
      const isOpen = lacking.some(({ waiting }) => waiting.length === 0);
      if (isOpen && moment > givenUp) {
        this.#waitFor(moment);
        return;
      }
      this.#finish(moment, lacking.length === 0 || this.#wait !== undefined);
    }
    this.#timer?.unsubscribe();
  }

  #finish(moment: number, isShown: boolean): void {
    this.#doneAt = moment;
    const candles: Candle[] = [];
    for (const queue of this.#queues) {
      if (queue.waiting.at(0)?.closedAt === moment) queue.last = queue.waiting.shift();
      if (queue.last !== undefined) candles.push(queue.last);
    }
    if (isShown && candles.length === this.#queues.length) this.#emit(candles);
  }

  #waitFor(moment: number): void {
    if (this.#wait === undefined || this.#timedAt === moment) return;
    this.#timer?.unsubscribe();
    this.#timedAt = moment;
    this.#timer = timer(this.#wait).subscribe(() => {
      this.#goOn(moment);
    });
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/** The candle of a stream that has ended by a moment. */
const headAt = ({ waiting, last }: Queue, moment: number): Candle | undefined =>
  waiting.at(0)?.closedAt === moment ? waiting[0] : last;

/** True for a candle without a successor in its stream. */
function isCurrent(candle: Candle | undefined, moment: number): boolean {
  if (candle === undefined) return false;
  const { period, openedAt, closedAt } = candle;
  const next = period === '1M' ? periodEnd(period, closedAt) : 2 * closedAt - openedAt;
  return moment < next;
}

const outOfRange = (field: string, why: string): MillraceError =>
  new MillraceError('out-of-range', fullStop(`align: ${field} ${why}`), {
    field,
  });
