import type { Side } from '../../../src/model/order.ts';
import type { Level } from '../kit.ts';

export interface Open {
  readonly ticks: number;
  readonly lots: number;
}

/** Lots at a price that the display lost, or that were printed. */
interface Reported {
  readonly side: Side;
  readonly ticks: number;
  readonly at: number;
  lots: number;
}

/** All prices of the histories that are tried, and some more. */
const PRICES = Array.from({ length: 21 }, (_, index) => 90 + index);
const SIDES = ['buy', 'sell'] as const;
const WINDOW_US = 100_000;

/** What the recorded market shows, by the rules of docs/fills.md, kept in maps. */
export class NaiveTape {
  readonly depths = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  readonly #taken = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  #quote: { buy: Open; sell: Open; sequence: number; printed: boolean } | undefined;
  #known = false;
  at = 0;
  /** What the display lost and no print explained; what was printed and the display did not lose. */
  readonly #lost: Reported[] = [];
  readonly #prints: Reported[] = [];
  hasBook = false;
  /** The last time at which the close of a candle can be taken. */
  closeEndsAt = Infinity;
  #resetting = false;
  #sequence = 0;
  /** Called after any change of what it shows. */
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  snapshot(levels: readonly Level[], sequence: number): void {
    this.#watch(() => {
      this.#openBook();
      this.#change(() => {
        this.#known = false;
        if (sequence !== 0 && sequence < this.#sequence) this.#quote = undefined;
        this.#sequence = 0;
        this.depths.buy.clear();
        this.depths.sell.clear();
      });
      this.#resetting = true;
      this.#message(levels, sequence, (row) => {
        row();
      });
    });
  }

  depth(levels: readonly Level[], sequence: number): void {
    this.#message(levels, sequence, (row) => {
      this.#watch(row);
    });
  }

  /** A depth message, row by row, and its end. */
  #message(levels: readonly Level[], sequence: number, each: (row: () => void) => void): void {
    const counts = sequence === 0 || sequence > this.#sequence;
    for (const [side, ticks, lots] of levels) {
      if (!counts) continue;
      each(() => {
        this.#change(() => this.depths[side === 'bid' ? 'buy' : 'sell'].set(ticks, lots));
      });
    }
    each(() => {
      this.#change(() => {
        if (counts && sequence !== 0) this.#sequence = sequence;
        if (this.#quote !== undefined && (sequence === 0 || sequence >= this.#quote.sequence)) {
          this.#quote = undefined;
        }
        if (this.#resetting) this.#known = true;
        this.#resetting = false;
      });
    });
  }

  /** Looks at all that is shown before and after, and notes what was lost. The first book is no loss. */
  #watch(alter: () => void): void {
    const first = !this.hasBook;
    const before = SIDES.map((side) => PRICES.map((ticks) => this.shown(side, ticks)));
    alter();
    if (first) return;
    SIDES.forEach((side, s) => {
      PRICES.forEach((ticks, p) => {
        const now = this.shown(side, ticks);
        const had = before[s][p];
        if (had <= now) return;
        const lots = had - now - this.#explain(this.#prints, side, ticks, had - now);
        if (lots > 0) this.#lost.push({ side, ticks, lots, at: this.at });
      });
    });
  }

  /** A trade is printed; gives how many of its lots the display had lost before. */
  printed(side: Side, ticks: number, lots: number): number {
    if (!this.hasBook) return 0;
    return this.#explain(this.#lost, side, ticks, lots);
  }

  /** Lots of a print that went from the queue and that the display had not lost before. */
  passed(side: Side, ticks: number, lots: number): void {
    if (lots > 0) this.#prints.push({ side, ticks, lots, at: this.at });
  }

  /** An order comes to a price: the prints so far have not passed it, and explain nothing more. */
  joined(side: Side, ticks: number): void {
    for (const print of this.#prints) {
      if (print.side === side && print.ticks === ticks) print.lots = 0;
    }
  }

  /** Lots that the display lost a moment ago and no print explained yet. */
  pending(side: Side, ticks: number): number {
    return this.#recent(this.#lost, side, ticks).reduce((sum, reported) => sum + reported.lots, 0);
  }

  /** Crosses out what was told the other way, the oldest first; gives how many lots. */
  #explain(reported: readonly Reported[], side: Side, ticks: number, lots: number): number {
    let explained = 0;
    for (const other of this.#recent(reported, side, ticks)) {
      const part = Math.min(other.lots, lots - explained);
      other.lots -= part;
      explained += part;
    }
    return explained;
  }

  #recent(reported: readonly Reported[], side: Side, ticks: number): Reported[] {
    return reported.filter(
      (one) => one.side === side && one.ticks === ticks && this.at - one.at <= WINDOW_US,
    );
  }

  /** Gives false when the book or the quote that it has is newer. */
  quote(bid: readonly [number, number], ask: readonly [number, number], sequence: number): boolean {
    if (sequence !== 0 && sequence <= this.#sequence) return false;
    if (sequence !== 0 && sequence < (this.#quote?.sequence ?? 0)) return false;
    this.#watch(() => {
      this.#openBook();
      this.#change(() => {
        this.#quote = {
          buy: { ticks: bid[0], lots: bid[1] },
          sell: { ticks: ask[0], lots: ask[1] },
          sequence,
          printed: false,
        };
      });
    });
    return true;
  }

  /** From the first sign of a book on, prints no longer stand for one. */
  #openBook(): void {
    if (this.hasBook) return;
    this.hasBook = true;
    this.closeEndsAt = Infinity;
    this.#quote = undefined;
    this.#taken.buy.clear();
    this.#taken.sell.clear();
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

  /** The best price that shows something, taken or not. */
  displayed(side: Side): Open | undefined {
    const prices = side === 'buy' ? [...PRICES].reverse() : PRICES;
    return prices
      .map((ticks) => ({ ticks, lots: this.offered(side, ticks) }))
      .find((open) => open.lots > 0);
  }

  /** Size that is known to be there for a taker, taken or not. */
  offered(side: Side, ticks: number): number {
    if (this.#quote?.printed === true) {
      return ticks === this.#quote[side].ticks ? this.#quote[side].lots : 0;
    }
    const shown = this.shown(side, ticks);
    return shown === Infinity ? 0 : shown;
  }

  /** After any change of the tape no more is taken than is shown, and queues are cut. */
  #change(alter: () => void): void {
    alter();
    for (const side of SIDES) {
      for (const [ticks, lots] of this.#taken[side]) {
        this.#taken[side].set(ticks, Math.min(lots, this.shown(side, ticks)));
      }
    }
    this.#changed();
  }

  /** Without a book: what a print shows can be had at its price. Queues are left alone. */
  print(ticks: number, lots: number, endsAt = Infinity): void {
    this.closeEndsAt = endsAt;
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
