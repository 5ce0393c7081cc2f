import type { Exchange } from '../../../src/exchange/exchange.ts';
import { NONE } from '../../../src/exchange/orders/orders.ts';
import { periodStart, type Period } from '../../../src/model/period.ts';
import { micros } from '../../../src/platform/time.ts';

/** A trade as it was told. */
export interface Reported {
  readonly instrument: number;
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
  readonly side: number;
  readonly at: number;
}

const DAY_US = 86_400_000_000;

/** The book of an instrument from scratch: for each price what the tape shows less what was taken, and each order. */
export function bookOf(
  exchange: Exchange,
  instrument: number,
): { bids: [number, number][]; asks: [number, number][] } {
  const sides = [0, 1].map((side) => {
    const tape = exchange.recorded[instrument].sides[side];
    const book = exchange.books[instrument].sides[side];
    const lots = new Map<number, number>();
    for (let ticks = 90; ticks <= 110; ticks += 1) {
      const shown = tape.shown(ticks);
      const open = Number.isFinite(shown) ? shown - tape.taken(ticks) : 0;
      if (open > 0) lots.set(ticks, open);
    }
    for (let level = book.best(); level !== NONE; level = book.below(book.key(level))) {
      for (let order = book.head(level); order !== NONE; order = exchange.orders.next(order)) {
        const ticks = exchange.orders.ticks(order);
        lots.set(ticks, (lots.get(ticks) ?? 0) + exchange.orders.remaining(order));
      }
    }
    return lots;
  });
  const [bids, asks] = sides;
  const bid = Math.max(...bids.keys());
  const ask = Math.min(...asks.keys());
  const isShown = ([ticks]: [number, number]): boolean => !(ask <= ticks && ticks <= bid);
  return {
    bids: [...bids].filter(isShown).sort((a, b) => b[0] - a[0]),
    asks: [...asks].filter(isShown).sort((a, b) => a[0] - b[0]),
  };
}

/** The ticker's figures from all trades there ever were. */
export function dayOf(
  trades: readonly Reported[],
  now: number,
): Record<string, number | bigint | undefined> {
  const inside = trades.filter((t) => t.at > now - DAY_US && t.at <= now);
  const before = trades.filter((t) => t.at <= now - DAY_US);
  const last = trades.at(-1)?.ticks;
  const prices = inside.map((t) => t.ticks);
  return {
    last,
    open: (before.at(-1) ?? inside.at(0))?.ticks,
    high: inside.length === 0 ? last : Math.max(...prices),
    low: inside.length === 0 ? last : Math.min(...prices),
    lots: inside.reduce((sum, t) => sum + BigInt(t.lots), 0n),
    value: inside.reduce((sum, t) => sum + BigInt(t.lots) * BigInt(t.ticks), 0n),
  };
}

/** The candles of a period from all trades there ever were. */
export function candlesOf(trades: readonly Reported[], period: Period): unknown[] {
  const groups = new Map<number, Reported[]>();
  for (const trade of trades) {
    const start = periodStart(period, micros(trade.at));
    groups.set(start, [...(groups.get(start) ?? []), trade]);
  }
  return [...groups].map(([start, group]) => [
    start,
    group[0].ticks,
    Math.max(...group.map((t) => t.ticks)),
    Math.min(...group.map((t) => t.ticks)),
    group[group.length - 1].ticks,
    group.reduce((sum, t) => sum + BigInt(t.lots), 0n),
    group.reduce((sum, t) => sum + BigInt(t.lots) * BigInt(t.ticks), 0n),
  ]);
}
