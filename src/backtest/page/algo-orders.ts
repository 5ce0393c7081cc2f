import { decimal } from '../../model/decimal.ts';
import type { AlgoOrderRow, BacktestResult } from '../result.ts';
import { clock, exact, NONE, percent } from './format.ts';
import { plainTable } from './plain-table.ts';

/** Most algo orders on the page; the result file has all. */
const SHOWN_MAX = 500;

const HEADS = [
  ...['Began', 'Ended', 'Algo order', 'Kind', 'Symbol', 'Side', 'Status'],
  ...[
    'Quantity',
    'Done',
    'Bought',
    'Mean price',
    'Sold',
    'Mean price',
    'Arrival price',
    'Slippage',
  ],
];
const NUMBERS_FROM = 7;

/** Section of algo orders with fills and average prices, if there are any. */
export function algoOrders({ algoOrders: rows = [] }: BacktestResult): string {
  if (rows.length === 0) return '';
  const visible = rows.slice(0, SHOWN_MAX);
  const more =
    visible.length < rows.length
      ? `<p class="note">The first ${visible.length} of ${rows.length}; result.json in this folder has all.</p>`
      : '';
  return `<section class="card"><h2>Algo orders</h2>
${plainTable(HEADS, visible.map(cells), NUMBERS_FROM)}${more}
<p class="note">Mean prices are of child orders, before fees. Slippage is how much worse they are than the middle of best bid and ask at the start.</p>
</section>`;
}

function cells(row: AlgoOrderRow): readonly string[] {
  const { margin, why, quantity, boughtPrice, soldPrice, arrivalPrice, slippage } = row;
  const optional = (value: string | undefined): string =>
    value === undefined ? NONE : exact(value);
  return [
    clock(row.startedAt),
    row.endedAt === null ? 'at work' : clock(row.endedAt),
    ...[row.id, row.kind],
    margin === undefined ? row.symbol : `${row.symbol}, ${margin}`,
    row.side ?? 'both',
    why === undefined ? row.status : `${row.status}: ${why}`,
    optional(quantity),
    done(row),
    ...[exact(row.bought), optional(boughtPrice), exact(row.sold), optional(soldPrice)],
    ...[optional(arrivalPrice), optional(slippage)],
  ];
}

/** Filled share of the requested quantity; none if a value or levels were requested. */
function done({ quantity, side, bought, sold }: AlgoOrderRow): string {
  if (quantity === undefined || side === undefined) return NONE;
  const traded = decimal(side === 'buy' ? bought : sold);
  return percent(traded.div(quantity).toNumber(), 1);
}
