import type { BacktestResult, FillRow, TradeRow } from '../result.ts';
import { text } from './escape.ts';
import { clock, exact, money, signedMoney, signedPercent } from './format.ts';

/** A table of more rows is no longer read but searched: the file of results holds all of them. */
export const ROWS_SHOWN = 500;

interface Column<T> {
  readonly title: string;
  /** What is shown. */
  readonly cell: (row: T) => string;
  /** What it is sorted by: a number, or text where it is no number. */
  readonly key: (row: T) => string | number;
  readonly tone?: (row: T) => string;
  readonly numeric?: boolean;
}

const toneOf = (value: string | number): string =>
  Number(value) > 0 ? 'up' : Number(value) < 0 ? 'down' : '';

const TRADES: readonly Column<TradeRow>[] = [
  { title: 'Opened', cell: (row) => clock(row.openedAt), key: (row) => row.openedAt },
  { title: 'Closed', cell: (row) => clock(row.closedAt), key: (row) => row.closedAt },
  { title: 'Symbol', cell: (row) => row.symbol, key: (row) => row.symbol },
  { title: 'Side', cell: (row) => row.side, key: (row) => row.side },
  number('Size', (row) => exact(row.size), 'size'),
  number('Entry', (row) => price(row.entryPrice), 'entryPrice'),
  number('Exit', (row) => price(row.exitPrice), 'exitPrice'),
  number('Fees', (row) => money(row.fees), 'fees'),
  { ...number<TradeRow>('Net', (row) => signedMoney(row.net), 'net'), tone: (r) => toneOf(r.net) },
  {
    title: 'Return',
    cell: (row) => signedPercent(row.return),
    key: (row) => row.return,
    tone: (row) => toneOf(row.return),
    numeric: true,
  },
  number('MAE', (row) => money(row.mae), 'mae'),
  number('MFE', (row) => money(row.mfe), 'mfe'),
];

const FILLS: readonly Column<FillRow>[] = [
  { title: 'Time', cell: (row) => clock(row.at), key: (row) => row.at },
  { title: 'Symbol', cell: (row) => row.symbol, key: (row) => row.symbol },
  {
    title: 'Side',
    cell: (row) => row.side,
    key: (row) => row.side,
    tone: (row) => (row.side === 'buy' ? 'up' : 'down'),
  },
  number('Price', (row) => exact(row.price), 'price'),
  number('Size', (row) => exact(row.size), 'size'),
  number('Fee', (row) => exact(row.fee), 'fee'),
  { title: '', cell: (row) => row.feeCurrency, key: (row) => row.feeCurrency },
  {
    title: 'Role',
    cell: (row) => (row.taker ? 'taker' : 'maker'),
    key: (row) => (row.taker ? 1 : 0),
  },
  { title: 'Order', cell: (row) => row.order, key: (row) => row.order },
];

/** Round trips and fills, one above the other on paper and behind two tabs on a screen. */
export function tables({ trades, fills }: BacktestResult): string {
  return `<section class="card" id="tables">
  <div class="tabs" role="tablist">
    <button role="tab" aria-selected="true" aria-controls="trades">Round trips <span>${trades.total}</span></button>
    <button role="tab" aria-selected="false" aria-controls="fills">Fills <span>${fills.total}</span></button>
    <button class="csv" type="button">Save as CSV</button>
  </div>
  ${table('trades', TRADES, trades.rows, trades.total, 'No round trip was finished.')}
  ${table('fills', FILLS, fills.rows, fills.total, 'Nothing was filled.')}
</section>`;
}

function table<T>(
  id: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  total: number,
  none: string,
): string {
  const hidden = id === 'trades' ? '' : ' hidden';
  if (rows.length === 0)
    return `<div id="${id}" role="tabpanel"${hidden}><p class="none">${none}</p></div>`;
  const head = columns
    .map(
      ({ title, numeric }) =>
        `<th${numeric === true ? ' class="n"' : ''} scope="col"><button type="button">${text(title)}</button></th>`,
    )
    .join('');
  const shown = rows.slice(0, ROWS_SHOWN);
  const body = shown.map(
    (row) => `<tr>${columns.map((column) => cell(column, row)).join('')}</tr>`,
  );
  const note =
    shown.length < total
      ? `<p class="note">The first ${shown.length} of ${total}; result.json beside this page has more.</p>`
      : '';
  return `<div id="${id}" role="tabpanel"${hidden}>
<div class="scroll"><table><thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>${note}</div>`;
}

function cell<T>({ cell, key, tone, numeric }: Column<T>, row: T): string {
  const names = [numeric === true ? 'n' : '', tone?.(row) ?? ''].filter((name) => name !== '');
  const attribute = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  return `<td${attribute} data-key="${text(key(row))}">${text(cell(row))}</td>`;
}

function number<T>(title: string, cell: (row: T) => string, field: keyof T): Column<T> {
  return { title, cell, key: (row) => String(row[field]), numeric: true };
}

/** Mean prices may have twenty digits; a reader wants the first decimals. */
const price = (value: string): string => {
  const shown = exact(value);
  return shown.replace(/(\.\d{4})\d+$/, '$1');
};
