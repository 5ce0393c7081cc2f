import type { InstrumentTerms } from '../../model/instrument.ts';
import type { BacktestResult, FillRow, TradeRow } from '../result.ts';
import { text } from './escape.ts';
import { clock, exact, money, padded, signedMoney, signedPercent } from './format.ts';

/** A table of more rows is no longer read but searched: the file of results holds all of them. */
export const ROWS_SHOWN = 500;

interface Column<T> {
  readonly title: string;
  /** What is shown. */
  readonly cell: (row: T) => string;
  /** What it is sorted by, and what a saved table holds: the exact figure. */
  readonly key: (row: T) => string | number;
  readonly tone?: (row: T) => string;
  readonly numeric?: boolean;
}

const toneOf = (value: string | number): string =>
  Number(value) > 0 ? 'up' : Number(value) < 0 ? 'down' : '';

function number<T>(title: string, field: keyof T, shown: (row: T) => string): Column<T> {
  return { title, cell: shown, key: (row) => String(row[field]), numeric: true };
}

function word<T>(title: string, field: keyof T): Column<T> {
  return { title, cell: (row) => String(row[field]), key: (row) => String(row[field]) };
}

function time<T>(title: string, read: (row: T) => string): Column<T> {
  return { title, cell: (row) => clock(read(row)), key: read };
}

/** Digits after the point of the prices and sizes of a symbol. */
type Digits = (symbol: string) => { readonly price: number; readonly size: number };

const tradeColumns = (digits: Digits): readonly Column<TradeRow>[] => [
  time('Opened', (row) => row.openedAt),
  time('Closed', (row) => row.closedAt),
  word('Symbol', 'symbol'),
  word('Side', 'side'),
  { ...number('Net', 'net', (row) => signedMoney(row.net)), tone: (row) => toneOf(row.net) },
  {
    ...number('Return', 'return', (row) => signedPercent(row.return)),
    tone: (row) => toneOf(row.return),
  },
  number('Size', 'size', (row) => padded(row.size, digits(row.symbol).size)),
  number('Entry', 'entryPrice', (row) => padded(row.entryPrice, digits(row.symbol).price)),
  number('Exit', 'exitPrice', (row) => padded(row.exitPrice, digits(row.symbol).price)),
  number('Fees', 'fees', (row) => money(row.fees)),
  number('MAE', 'mae', (row) => money(row.mae)),
  number('MFE', 'mfe', (row) => money(row.mfe)),
];

const fillColumns = (digits: Digits): readonly Column<FillRow>[] => [
  time('Time', (row) => row.at),
  word('Symbol', 'symbol'),
  { ...word('Side', 'side'), tone: (row) => (row.side === 'buy' ? 'up' : 'down') },
  number('Price', 'price', (row) => padded(row.price, digits(row.symbol).price)),
  number('Size', 'size', (row) => padded(row.size, digits(row.symbol).size)),
  number('Fee', 'fee', (row) => exact(row.fee)),
  word('Currency', 'feeCurrency'),
  {
    title: 'Role',
    cell: (row) => (row.taker ? 'taker' : 'maker'),
    key: (row) => (row.taker ? 'taker' : 'maker'),
  },
  word('Order', 'order'),
];

/** Round trips and fills, one above the other on paper and behind two tabs on a screen. */
export function tables({ trades, fills, instruments }: BacktestResult): string {
  const digits = digitsOf(instruments);
  // A column that says the same in every row says it once too often.
  const wanted = ({ title }: { title: string }): boolean =>
    title !== 'Symbol' || instruments.length > 1;
  const tradeTable = table(tradeColumns(digits).filter(wanted), trades.rows, trades.total);
  const fillTable = table(fillColumns(digits).filter(wanted), fills.rows, fills.total);
  return `<section class="card" id="tables">
  <div class="tabs" role="tablist">
    <button type="button" role="tab" aria-selected="true" aria-controls="trades">Round trips <span>${trades.total}</span></button>
    <button type="button" role="tab" aria-selected="false" aria-controls="fills">Fills <span>${fills.total}</span></button>
    <button type="button" class="csv">Save as CSV</button>
  </div>
  <div id="trades" role="tabpanel">${tradeTable ?? '<p class="none">No round trip was finished.</p>'}</div>
  <div id="fills" role="tabpanel" hidden>${fillTable ?? '<p class="none">Nothing was filled.</p>'}</div>
</section>`;
}

function table<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  total: number,
): string | undefined {
  if (rows.length === 0) return undefined;
  const head = columns.map(
    ({ title, numeric }) =>
      `<th${numeric === true ? ' class="n"' : ''} scope="col"><button type="button">${text(title)}</button></th>`,
  );
  const shown = rows.slice(0, ROWS_SHOWN);
  const body = shown.map(
    (row) => `<tr>${columns.map((column) => cell(column, row)).join('')}</tr>`,
  );
  const note =
    shown.length < total
      ? `<p class="note">The first ${shown.length} of ${total}; result.json beside this page has more.</p>`
      : '';
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>${note}`;
}

function cell<T>({ cell: shown, key, tone, numeric }: Column<T>, row: T): string {
  const names = [numeric === true ? 'n' : '', tone?.(row) ?? ''].filter((name) => name !== '');
  const attribute = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  return `<td${attribute} data-key="${text(key(row))}">${text(shown(row))}</td>`;
}

function digitsOf(instruments: readonly InstrumentTerms[]): Digits {
  const places = (step: string): number => step.split('.')[1]?.length ?? 0;
  const known = new Map(
    instruments.map(({ symbol, tickSize, quantityIncrement }) => [
      symbol,
      { price: places(tickSize), size: places(quantityIncrement) },
    ]),
  );
  return (symbol) => known.get(symbol) ?? { price: 2, size: 8 };
}
