import { LAST, LEVEL, QUOTE, RESET, SELL } from '../../model/events.ts';
import type { EventRows } from '../rows.ts';
import type { StepReader } from '../trading/market/step-reader.ts';
import type { Given } from './exchange.ts';

/** Parsers of an instrument's numbers. */
export interface GridReaders {
  readonly price: StepReader;
  readonly size: StepReader;
}

type Levels = Map<number, number>;

/**
 * The book of a symbol as ccxt keeps it, whole each time: its changes become rows, and the whole of it the
 * first time and after a loss. A level that falls out of the venue's depth is removed.
 */
export class CcxtBook {
  readonly #readers: GridReaders;
  readonly #depth: 'full' | 'top';
  #bids: Levels = new Map();
  #asks: Levels = new Map();
  #isWhole = false;
  #quote = '';

  constructor(readers: GridReaders, depth: 'full' | 'top') {
    this.#readers = readers;
    this.#depth = depth;
  }

  /** The next message starts a new book. */
  lose(): void {
    this.#isWhole = false;
    this.#quote = '';
  }

  /** Adds rows for a whole book. False if it has a number that cannot be read. */
  take(given: Given, receivedAt: number, rows: EventRows): boolean {
    const bids = this.#levels(given.bids);
    const asks = this.#levels(given.asks);
    if (bids === undefined || asks === undefined) return false;
    const stamp = Number(given.timestamp) * 1_000;
    const stampedAt = Number.isSafeInteger(stamp) && stamp > 0 ? stamp : receivedAt;
    const nonce = Number(given.nonce);
    const sequence = Number.isSafeInteger(nonce) && nonce > 0 ? nonce : 0;
    if (this.#depth === 'top') {
      this.#best(bids, asks, { receivedAt, stampedAt }, rows);
      return true;
    }
    const add = (kind: number, flags: number, ticks: number, lots: number): void =>
      rows.add(receivedAt, stampedAt, kind, flags, sequence, ticks, lots, 0, 0, 0);
    if (!this.#isWhole) {
      add(RESET, 0, 0, 0);
      this.#bids.clear();
      this.#asks.clear();
      this.#isWhole = true;
    }
    changes(this.#bids, bids, (ticks, lots) => add(LEVEL, 0, ticks, lots));
    changes(this.#asks, asks, (ticks, lots) => add(LEVEL, SELL, ticks, lots));
    this.#bids = bids;
    this.#asks = asks;
    rows.end();
    return true;
  }

  #best(
    bids: Levels,
    asks: Levels,
    { receivedAt, stampedAt }: { readonly receivedAt: number; readonly stampedAt: number },
    rows: EventRows,
  ): void {
    const bid = bids.size === 0 ? 0 : Math.max(...bids.keys());
    const ask = asks.size === 0 ? 0 : Math.min(...asks.keys());
    const [bidLots, askLots] = [bids.get(bid) ?? 0, asks.get(ask) ?? 0];
    const quote = `${bid} ${bidLots} ${ask} ${askLots}`;
    if (quote === this.#quote) return;
    this.#quote = quote;
    rows.add(receivedAt, stampedAt, QUOTE, LAST, 0, bid, bidLots, ask, askLots, 0);
  }

  /** Ticks and lots of a side; `undefined` if one cannot be read. */
  #levels(given: unknown): Levels | undefined {
    const levels: Levels = new Map();
    if (!Array.isArray(given)) return undefined;
    for (const level of given as readonly (readonly unknown[])[]) {
      const ticks = this.#readers.price.read(level[0]);
      const lots = this.#readers.size.read(level[1]);
      if (!(ticks > 0 && lots >= 0)) return undefined;
      if (lots > 0) levels.set(ticks, (levels.get(ticks) ?? 0) + lots);
    }
    return levels;
  }
}

/** Changes that bring one side to another. */
function changes(before: Levels, after: Levels, add: (ticks: number, lots: number) => void): void {
  for (const ticks of before.keys()) if (!after.has(ticks)) add(ticks, 0);
  for (const [ticks, lots] of after) if (before.get(ticks) !== lots) add(ticks, lots);
}
