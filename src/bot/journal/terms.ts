import type { Instrument } from '../../model/instrument.ts';
import type { StoredMargin } from './stored-margin.ts';
import type { StoredHoldings } from './holdings.ts';
import type { InstrumentRows } from './instrument-rows.ts';
import type { OrderRows } from './order-rows.ts';
import type { StoredOrders } from './orders.ts';
import { isOtherGrid } from './regrid.ts';

interface Parts {
  readonly instruments: InstrumentRows;
  readonly rows: OrderRows;
  readonly orders: StoredOrders;
  readonly holdings: StoredHoldings;
  readonly margin: StoredMargin;
}

/**
 * Writes new terms of instruments and converts open orders to their grids, within a transaction that has
 * written everything else before. Returns the row of each.
 */
export function writeTerms(
  news: readonly Instrument[],
  { instruments, rows, orders, holdings, margin }: Parts,
): ReadonlyMap<Instrument, number> {
  const written = new Map<Instrument, number>();
  for (const instrument of news) {
    const id = instruments.insert(instrument);
    written.set(instrument, id);
    const before = instruments.find(instrument.symbol);
    if (before === undefined || !isOtherGrid(before, instrument)) continue;
    for (const kept of orders.regrid(before, instrument, id)) {
      rows.update(kept);
      rows.regridFills(kept.order.clientOrderId, before, instrument);
    }
    holdings.regrid(before, instrument);
    margin.regrid(before, instrument);
  }
  return written;
}
