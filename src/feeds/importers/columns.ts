import type { ImportOptions } from './contract.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './row-position.ts';

/** The names under which files have the fields of a candle, the likeliest first. */
export const BAR_COLUMNS = {
  timestamp: [
    ...['timestamp', 'open_time', 'start_time', 'time_open', 'time', 'datetime', 'unix', 'date'],
    ...['ts', 't'],
  ],
  open: ['open', 'open_price', 'o'],
  high: ['high', 'high_price', 'max', 'h'],
  low: ['low', 'low_price', 'min', 'l'],
  close: ['close', 'close_price', 'c'],
  volume: ['volume', 'vol', 'base_volume', 'v'],
} as const;

/** The same for the fields of a trade. */
export const TRADE_COLUMNS = {
  timestamp: [
    ...['timestamp', 'time', 'trade_time', 'transact_time', 'datetime', 'date', 'ts_event', 'ts'],
    ...['exchange_timestamp', 'created_at', 't'],
  ],
  received: ['local_timestamp', 'received_at', 'receive_time', 'ts_recv', 'ts_init'],
  price: ['price', 'px', 'trade_price', 'p'],
  size: ['size', 'amount', 'quantity', 'qty', 'volume', 'q', 'v'],
  side: ['side', 'taker_side', 'aggressor_side', 'aggressor', 'direction'],
  buyerMade: ['is_buyer_maker', 'buyer_maker', 'm'],
  id: ['id', 'trade_id', 'agg_trade_id', 'tid'],
  symbol: ['symbol', 'instrument', 'instrument_name', 'market', 'pair', 'ticker'],
} as const;

/** The same for the best bid and ask. */
export const QUOTE_COLUMNS = {
  timestamp: TRADE_COLUMNS.timestamp,
  received: TRADE_COLUMNS.received,
  id: ['update_id', 'id', 'sequence'],
  symbol: TRADE_COLUMNS.symbol,
  bid: ['bid', 'bid_price', 'best_bid_price', 'best_bid', 'bid_px'],
  bidSize: ['bid_size', 'bid_amount', 'bid_qty', 'best_bid_qty', 'bid_volume', 'bid_sz'],
  ask: ['ask', 'ask_price', 'best_ask_price', 'best_ask', 'ask_px'],
  askSize: ['ask_size', 'ask_amount', 'ask_qty', 'best_ask_qty', 'ask_volume', 'ask_sz'],
} as const;

/** The names to look for: the caller's for the field, or the usual ones. */
export function namesOf<Field extends string>(
  defaults: Readonly<Record<Field, readonly string[]>>,
  field: Field,
  options: ImportOptions,
): readonly string[] {
  const named = options.columns?.[field];
  return named === undefined ? defaults[field] : [named];
}

/**
 * The columns of a table by name. Only letters and digits count: `Open Time` is `open_time`. If every name
 * is in two languages, as in `price/价格`, the first counts.
 */
export class ColumnNames {
  readonly names: readonly string[];
  readonly #plain: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
    const isBilingual = names.length > 1 && names.every((name) => /^\w+\//.test(name));
    this.#plain = names.map((name) => plain(isBilingual ? name.replace(/\/.*$/s, '') : name));
  }

  /** Index of the first of these names, -1 if there is none; `volume*` is a prefix. */
  find(names: readonly string[]): number {
    for (const name of names) {
      const looked = plain(name);
      const index = name.endsWith('*')
        ? this.#plain.findIndex((column) => column.startsWith(looked))
        : this.#plain.indexOf(looked);
      if (index >= 0) return index;
    }
    return -1;
  }

  /** The same, with an error that names the existing columns if there is none. */
  need(names: readonly string[], position: RowPosition): number {
    const index = this.find(names);
    if (index >= 0) return index;
    throw position.malformed(
      `the columns are ${shown(this.names.join(', '))}`,
      `one named ${names.map((name) => `"${name}"`).join(' or ')}; name it with --column`,
    );
  }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
