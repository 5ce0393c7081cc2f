import type { FeedContents } from '../../engine/market/feed-contents.ts';
import { openRecording, type Recording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import { checkSpot } from '../../rules/spot.ts';

/** The recordings of one symbol, one after the other, as they were recorded. */
export class Reel {
  readonly instrument: Instrument;
  /** The period of its candles, where it holds candles. */
  readonly period: Period | undefined;
  readonly #recordings: readonly Recording[];

  /** Throws `recording-invalid` where the recordings are not of one kind, or overlap; `futures-unsupported` for futures. */
  constructor(recordings: readonly Recording[]) {
    const sorted = recordings.toSorted((a, b) => a.summary.firstAt - b.summary.firstAt);
    const [first, ...others] = sorted;
    for (const { meta, path } of sorted) checkSpot(meta.instrument, path);
    let before = first;
    for (const next of others) {
      checkFollows(before, next);
      before = next;
    }
    this.instrument = new Instrument(first.meta.instrument);
    this.period = first.meta.period;
    this.#recordings = sorted;
  }

  get symbol(): string {
    return this.instrument.symbol;
  }

  get firstAt(): number {
    return this.#recordings[0].summary.firstAt;
  }

  /** True where there is nothing to play. */
  get isEmpty(): boolean {
    return this.#recordings.every(({ summary }) => summary.rows === 0);
  }

  get hasTrades(): boolean {
    return this.#has('trades');
  }

  get hasQuotes(): boolean {
    return this.#has('quotes');
  }

  get hasBook(): boolean {
    return this.#has('levels') || this.#has('resets');
  }

  /** What can be listened to when candles of `period` are made of its trades. */
  contents(period: Period): FeedContents {
    return {
      trades: this.hasTrades,
      levels: this.hasBook,
      quotes: this.hasQuotes,
      candlePeriod: this.period ?? (this.hasTrades ? period : undefined),
    };
  }

  *batches(): Generator<EventColumns, void, undefined> {
    for (const recording of this.#recordings) yield* recording.batches();
  }

  close(): void {
    for (const recording of this.#recordings) recording.close();
  }

  #has(what: 'trades' | 'quotes' | 'levels' | 'resets'): boolean {
    return this.#recordings.some(({ summary }) => summary[what] > 0);
  }
}

/** Opens recordings and puts those of a symbol together; closes them all where one cannot be used. */
export function openReels(paths: readonly string[]): readonly Reel[] {
  const opened: Recording[] = [];
  try {
    const bySymbol = new Map<string, Recording[]>();
    for (const path of paths) {
      const recording = openRecording(path);
      opened.push(recording);
      const { symbol } = recording.meta.instrument;
      const others = bySymbol.get(symbol);
      if (others === undefined) bySymbol.set(symbol, [recording]);
      else others.push(recording);
    }
    return [...bySymbol.values()].map((recordings) => new Reel(recordings));
  } catch (error) {
    for (const recording of opened) recording.close();
    throw error;
  }
}

function checkFollows(before: Recording, next: Recording): void {
  const fault = faultOf(before, next);
  if (fault === undefined) return;
  throw new MillraceError(
    'recording-invalid',
    `${next.path} cannot follow ${before.path}: ${fault}.`,
    { where: next.path },
  );
}

function faultOf(before: Recording, next: Recording): string | undefined {
  const { symbol } = next.meta.instrument;
  if (before.meta.layout !== next.meta.layout || before.meta.period !== next.meta.period) {
    return `of ${symbol} either all recordings hold events or all hold candles of one period`;
  }
  for (const field of ['tickSize', 'quantityIncrement'] as const) {
    if (before.meta.instrument[field] !== next.meta.instrument[field]) {
      return `its ${field} is another`;
    }
  }
  const overlap = next.summary.rows > 0 && next.summary.firstAt < before.summary.lastAt;
  return overlap ? `the two were recorded at the same time` : undefined;
}
