import type { ImportOptions } from './contract.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './place.ts';

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
  symbol: ['symbol', 'instrument', 'market', 'pair'],
} as const;

/** The names to look for: the one that the caller gave for the field, or the usual ones. */
export function namesOf<Field extends string>(
  defaults: Readonly<Record<Field, readonly string[]>>,
  field: Field,
  options: ImportOptions,
): readonly string[] {
  const named = options.columns?.[field];
  return named === undefined ? defaults[field] : [named];
}

/** The columns of a table by name. Letters and digits alone decide: `Open Time` is `open_time`. */
export class ColumnNames {
  readonly names: readonly string[];
  readonly #plain: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
    this.#plain = names.map(plain);
  }

  /** Index of the first of these names that is there, -1 when none is. */
  find(names: readonly string[]): number {
    for (const name of names) {
      const index = this.#plain.indexOf(plain(name));
      if (index >= 0) return index;
    }
    return -1;
  }

  /** The same, and an error that names what is there when none is. */
  need(names: readonly string[], place: RowPosition): number {
    const index = this.find(names);
    if (index >= 0) return index;
    throw place.malformed(
      `the columns are ${shown(this.names.join(', '))}`,
      `one named ${names.map((name) => `"${name}"`).join(' or ')}; name it with --column`,
    );
  }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
