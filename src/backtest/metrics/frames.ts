import type { Amount } from '../../model/amount.ts';
import type { Micros } from '../../platform/time.ts';

/** State of one instrument at a frame, with the range of its price since the frame before. */
export interface FrameOfInstrument {
  /** Half ticks, NaN before the first price. */
  open: number;
  high: number;
  low: number;
  close: number;
  /** Holding at that time, in whole quantity increments. */
  held: Amount;
}

/** One point of a report's series. */
export interface InstrumentFrame {
  at: Micros;
  equity: Amount;
  /** Maximum drawdown ratio since the frame before. */
  drawdown: number;
  readonly instruments: readonly FrameOfInstrument[];
  /** Last plotted value of each name since the frame before; absent without plots. */
  plots?: Map<string, number> | undefined;
}

/**
 * Series with a bounded number of points: when there are too many, neighbors are merged in pairs,
 * with the last equity and position, the maximum drawdown and the whole range of the price.
 */
export class InstrumentFrames {
  readonly frames: InstrumentFrame[] = [];
  /** Samples per frame. */
  samplesPerFrame = 1;
  readonly #limit: number;
  #inLast = 0;

  /** A long run keeps between `limit` / 2 and `limit` points, plus its start. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds the next sample; the first one is the start of the run and is never merged. */
  add(frame: InstrumentFrame): void {
    if (this.#inLast > 0 && this.#inLast < this.samplesPerFrame && this.frames.length > 1) {
      merge(this.frames[this.frames.length - 1], frame);
      this.#inLast += 1;
      return;
    }
    this.frames.push(frame);
    this.#inLast = this.frames.length === 1 ? 0 : 1;
    if (this.frames.length > this.#limit) this.#halve();
  }

  #halve(): void {
    const { frames } = this;
    let kept = 1;
    for (let i = 1; i < frames.length; i += 2) {
      const frame = frames[i];
      if (i + 1 < frames.length) merge(frame, frames[i + 1]);
      frames[kept++] = frame;
    }
    // The newest frame has one sample so far, and may have become the second half of a pair.
    if ((frames.length - 1) % 2 === 0) this.#inLast += this.samplesPerFrame;
    frames.length = kept;
    this.samplesPerFrame *= 2;
  }
}

/** Adds a later frame to an earlier one. */
function merge(into: InstrumentFrame, next: InstrumentFrame): void {
  into.at = next.at;
  into.equity = next.equity;
  into.drawdown = Math.max(into.drawdown, next.drawdown);
  if (into.plots === undefined) into.plots = next.plots;
  else for (const [name, value] of next.plots ?? []) into.plots.set(name, value);
  next.instruments.forEach((from, index) => {
    const to = into.instruments[index];
    if (Number.isNaN(to.open)) to.open = from.open;
    to.high = Number.isNaN(to.high) ? from.high : Math.max(to.high, from.high);
    to.low = Number.isNaN(to.low) ? from.low : Math.min(to.low, from.low);
    to.close = from.close;
    to.held = from.held;
  });
}
