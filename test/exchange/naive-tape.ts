import type { Side } from '../../src/model/order.ts';
import type { Level } from './kit.ts';

export interface Open {
  readonly ticks: number;
  readonly lots: number;
}

/** What the recorded market shows, by the rules of docs/fills.md, kept in maps. */
export class NaiveTape {
  readonly depths = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  readonly #taken = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  #quote: { buy: Open; sell: Open; sequence: number; printed: boolean } | undefined;
  #known = false;
  hasBook = false;
  #resetting = false;
  #sequence = 0;
  /** Called after any change of what it shows. */
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  snapshot(levels: readonly Level[], sequence: number): void {
    this.hasBook = true;
    this.#change(() => {
      if (sequence !== 0 && sequence < this.#sequence) this.#quote = undefined;
      this.#known = false;
      this.#sequence = 0;
      this.depths.buy.clear();
      this.depths.sell.clear();
    });
    this.#resetting = true;
    this.depth(levels, sequence);
  }

  depth(levels: readonly Level[], sequence: number): void {
    const counts = sequence === 0 || sequence > this.#sequence;
    for (const [side, ticks, lots] of levels) {
      if (!counts) continue;
      this.#change(() => this.depths[side === 'bid' ? 'buy' : 'sell'].set(ticks, lots));
    }
    this.#change(() => {
      if (counts) this.#sequence = sequence;
      if (this.#quote !== undefined && (sequence === 0 || sequence >= this.#quote.sequence)) {
        this.#quote = undefined;
      }
      if (this.#resetting) this.#known = true;
      this.#resetting = false;
    });
  }

  /** Gives false when the book or the quote that it has is newer. */
  quote(bid: readonly [number, number], ask: readonly [number, number], sequence: number): boolean {
    this.hasBook = true;
    if (sequence !== 0 && sequence <= this.#sequence) return false;
    if (sequence !== 0 && sequence < (this.#quote?.sequence ?? 0)) return false;
    this.#change(() => {
      this.#quote = {
        buy: { ticks: bid[0], lots: bid[1] },
        sell: { ticks: ask[0], lots: ask[1] },
        sequence,
        printed: false,
      };
    });
    return true;
  }

  gap(): void {
    this.#change(() => {
      this.#known = false;
      this.#resetting = false;
      this.#quote = undefined;
    });
  }

  /** Prices that may show something. */
  prices(side: Side): number[] {
    return [
      ...this.depths[side].keys(),
      ...(this.#quote === undefined ? [] : [this.#quote[side].ticks]),
    ];
  }

  /** Remembers what an order took from a level. */
  take(side: Side, ticks: number, lots: number): void {
    this.#taken[side].set(ticks, (this.#taken[side].get(ticks) ?? 0) + lots);
  }

  /** Size that the tape shows, Infinity where it is not known. */
  shown(side: Side, ticks: number): number {
    const quote = this.#quote?.[side];
    if (this.#quote?.printed === true) return Infinity;
    if (quote !== undefined) {
      if (quote.lots === 0 || better(side, ticks, quote.ticks)) return 0;
      if (ticks === quote.ticks) return quote.lots;
    }
    return this.#known ? (this.depths[side].get(ticks) ?? 0) : Infinity;
  }

  /** Size that is known to be there for a taker, taken or not. */
  offered(side: Side, ticks: number): number {
    if (this.#quote?.printed === true) {
      return ticks === this.#quote[side].ticks ? this.#quote[side].lots : 0;
    }
    const shown = this.shown(side, ticks);
    return shown === Infinity ? 0 : shown;
  }

  /** After any change of the tape: what was taken of changed levels is forgotten, queues are cut. */
  #change(alter: () => void): void {
    const before = (['buy', 'sell'] as const).flatMap((side) =>
      [...this.#taken[side].keys()].map((ticks) => ({
        side,
        ticks,
        lots: this.shown(side, ticks),
      })),
    );
    alter();
    for (const { side, ticks, lots } of before) {
      if (this.shown(side, ticks) !== lots) this.#taken[side].delete(ticks);
    }
    this.#changed();
  }

  /** Without a book: what a print shows can be had at its price. Queues are left alone. */
  print(ticks: number, lots: number): void {
    this.#taken.buy.clear();
    this.#taken.sell.clear();
    this.#quote = { buy: { ticks, lots }, sell: { ticks, lots }, sequence: 0, printed: true };
  }

  /** Open tape levels of a side, best first. */
  levels(side: Side): Open[] {
    const quote = this.#quote?.[side];
    const prices = new Set(this.depths[side].keys());
    if (quote !== undefined) prices.add(quote.ticks);
    return [...prices]
      .map((ticks) => ({
        ticks,
        lots: this.offered(side, ticks) - (this.#taken[side].get(ticks) ?? 0),
      }))
      .filter((open) => open.lots > 0)
      .sort((a, b) => (side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks));
  }
}

/** True when a price is nearer to the other side than another, as seen from a resting order. */
export const better = (side: Side, a: number, b: number): boolean =>
  side === 'buy' ? a > b : a < b;
