import type { InstrumentTerms } from '../../model/instrument.ts';
import type { BacktestResult, FillRow, FirstRows, OrderRow, TradeRow } from '../result.ts';
import { text } from './escape.ts';
import { clock, exact, money, padded, signedMoney, signedPercent } from './format.ts';
import { listNumbers, positionInList } from './order-lists.ts';

/** Most rows of a table on the page; the table's file has all. */
export const ROWS_SHOWN = 500;

interface Column<T> {
  readonly title: string;
  /** Displayed text. */
  readonly cell: (row: T) => string;
  /** Sort key, and value in a saved table: the exact figure. */
  readonly key: (row: T) => string | number;
  readonly tone?: (row: T) => string;
  readonly numeric?: boolean;
  /** The order that the cell links to. */
  readonly leadsTo?: (row: T) => string | null;
}

/** Row attributes of a table. */
interface Marks<T> {
  /** The order of a row, as a link target. */
  readonly order: (row: T) => string;
  /** The list of a row, whose rows are shown together. */
  readonly list: (row: T) => string | null;
  /** The number of that list; neighbors are shaded differently. */
  readonly numbers: ReadonlyMap<string, number>;
}

const toneOf = (value: string | number): string =>
  Number(value) > 0 ? 'up' : Number(value) < 0 ? 'down' : '';

function number<T>(title: string, field: keyof T, visible: (row: T) => string): Column<T> {
  return { title, cell: visible, key: (row) => String(row[field]), numeric: true };
}

function word<T>(title: string, field: keyof T): Column<T> {
  return { title, cell: (row) => String(row[field]), key: (row) => String(row[field]) };
}

function time<T>(title: string, read: (row: T) => string): Column<T> {
  return { title, cell: (row) => (read(row) === '' ? '' : clock(read(row))), key: read };
}

/** A time of an order, without its day if that is the day of sending. */
const later = (title: string, read: (row: OrderRow) => string | null): Column<OrderRow> => ({
  title,
  cell: (row) => {
    const at = clock(read(row) ?? '');
    const [day] = clock(row.sentAt).split(' ');
    return at.startsWith(`${day} `) ? at.slice(day.length + 1) : at;
  },
  key: (row) => read(row) ?? '',
});

/** Decimals of the prices and sizes of a symbol. */
type Digits = (symbol: string) => { readonly price: number; readonly size: number };

const tradeColumns = (digits: Digits): readonly Column<TradeRow>[] => [
  time('Opened', (row) => row.openedAt),
  time('Closed', (row) => row.closedAt),
  word('Symbol', 'symbol'),
  word('Side', 'side'),
  margin(),
  forced(),
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
  margin(),
  forced(),
  // The venue's own orders have no row among the strategy's orders.
  { ...word('Order', 'order'), leadsTo: (row) => (row.forced === undefined ? row.order : null) },
];

/** Margin mode; empty for spot. */
function margin<T extends { readonly margin?: string }>(): Column<T> {
  return { title: 'Margin', cell: (row) => row.margin ?? '', key: (row) => row.margin ?? '' };
}

/** How the venue closed a position without an order of the strategy. */
function forced<T extends { readonly forced?: string }>(): Column<T> {
  return { title: 'Forced', cell: (row) => row.forced ?? '', key: (row) => row.forced ?? '' };
}

/** Displayed names of statuses. */
const STATUSES: Partial<Record<OrderRow['status'], string>> = {
  partiallyFilled: 'part filled',
  suspended: 'waiting',
};

/** An order's own fee rate. */
const ownRate = (title: string, name: 'takeRate' | 'makeRate'): Column<OrderRow> => ({
  ...number(title, name, (row) => row[name] ?? ''),
  key: (row) => row[name] ?? '',
});

const orderColumns = (
  digits: Digits,
  numbers: ReadonlyMap<string, number>,
): readonly Column<OrderRow>[] => {
  const price = (row: OrderRow, value: string | null): string =>
    value === null ? '' : padded(value, digits(row.symbol).price);
  return [
    time('Sent', (row) => row.sentAt),
    later('Triggered', (row) => row.triggeredAt),
    later('Ended', (row) => row.endedAt),
    word('Symbol', 'symbol'),
    {
      title: 'List',
      cell: (row) => positionInList(row, numbers),
      key: (row) => (row.list === null ? '' : `${row.list} ${positionInList(row, numbers)}`),
      leadsTo: (row) => row.list,
    },
    { ...word('Side', 'side'), tone: (row) => (row.side === 'buy' ? 'up' : 'down') },
    word('Type', 'type'),
    {
      ...number('Stop', 'stopPrice', (row) => price(row, row.stopPrice)),
      key: (row) => row.stopPrice ?? '',
    },
    { ...number('Price', 'price', (row) => price(row, row.price)), key: (row) => row.price ?? '' },
    ownRate('Taker rate', 'takeRate'),
    ownRate('Maker rate', 'makeRate'),
    number('Size', 'size', (row) => padded(row.size, digits(row.symbol).size)),
    number('Filled', 'filled', (row) => padded(row.filled, digits(row.symbol).size)),
    {
      title: 'Status',
      cell: (row) => STATUSES[row.status] ?? row.status,
      key: (row) => row.status,
    },
    word('Order', 'order'),
  ];
};

/** Holdings left at the end, which are in no finished round trip. */
function heldAtEnd({ balances, instruments, metrics }: BacktestResult): string {
  const bases = new Set(instruments.map(({ baseCurrency }) => baseCurrency));
  const { currency } = metrics.equity;
  const held = balances
    .filter((balance) => bases.has(balance.currency) && Number(balance.end) !== 0)
    .map(({ currency: base, end, value: amount }) => {
      const value =
        amount === null || base === currency ? '' : `, worth ${money(amount)} ${currency}`;
      return `${exact(end)} ${base}${value}`;
    });
  if (held.length === 0) return '';
  const unfinished = metrics.trades.unrealized;
  const result =
    Number(unfinished) === 0
      ? ''
      : ` Open lots are at ${signedMoney(unfinished)} ${currency}, their entry fees paid.`;
  return `<p class="note">Held at the end: ${text(held.join('; '))}.${text(result)}</p>`;
}

/** Round trips, fills and orders, as sections in print and tabs on a screen. */
export function tables(result: BacktestResult): string {
  const { trades, fills, orderHistory, instruments } = result;
  const digits = digitsOf(instruments);
  // Omits a column with the same value in every row.
  const isOnMargin = result.margin !== undefined;
  const isForced = (result.margin?.forcedFills ?? 0) > 0;
  const hidden = new Set([
    ...(isOnMargin ? [] : ['Margin']),
    ...(isForced ? [] : ['Forced']),
    ...(instruments.length > 1 ? [] : ['Symbol']),
    ...(orderHistory.rows.some(({ list }) => list !== null) ? [] : ['List']),
    ...(orderHistory.rows.some(({ stopPrice }) => stopPrice !== null) ? [] : ['Stop', 'Triggered']),
    ...(orderHistory.rows.some(({ takeRate }) => takeRate !== null) ? [] : ['Taker rate']),
    ...(orderHistory.rows.some(({ makeRate }) => makeRate !== null) ? [] : ['Maker rate']),
  ]);
  const isVisible = ({ title }: { title: string }): boolean => !hidden.has(title);
  const tradeTable = table('trades', tradeColumns(digits).filter(isVisible), trades);
  const fillTable = table('fills', fillColumns(digits).filter(isVisible), fills);
  const numbers = listNumbers(orderHistory.rows);
  const orderTable = table(
    'orders',
    orderColumns(digits, numbers).filter(isVisible),
    orderHistory,
    {
      order: (row) => row.order,
      list: (row) => row.list,
      numbers,
    },
  );
  return `<section class="card" id="tables">
  <div class="tabs" role="tablist">
    <button type="button" role="tab" aria-selected="true" aria-controls="trades">Round trips <span>${trades.total}</span></button>
    <button type="button" role="tab" aria-selected="false" aria-controls="fills">Fills <span>${fills.total}</span></button>
    <button type="button" role="tab" aria-selected="false" aria-controls="orders">Orders <span>${orderHistory.total}</span></button>
    <button type="button" class="csv">Save as CSV</button>
  </div>
  <div id="trades" role="tabpanel">${tradeTable ?? '<p class="none">No round trip was finished.</p>'}${heldAtEnd(result)}</div>
  <div id="fills" role="tabpanel" hidden>${fillTable ?? '<p class="none">Nothing was filled.</p>'}</div>
  <div id="orders" role="tabpanel" hidden>${orderTable ?? '<p class="none">No order was sent.</p>'}</div>
</section>`;
}

/** `name` is that of the file with every row. */
function table<T>(
  name: string,
  columns: readonly Column<T>[],
  { rows, total }: FirstRows<T>,
  marks?: Marks<T>,
): string | undefined {
  if (rows.length === 0) return undefined;
  const head = columns.map(
    ({ title, numeric }) =>
      `<th${numeric === true ? ' class="n"' : ''} scope="col"><button type="button">${text(title)}</button></th>`,
  );
  const visible = rows.slice(0, ROWS_SHOWN);
  const body = visible.map(
    (row) => `<tr${marked(row, marks)}>${columns.map((column) => cell(column, row)).join('')}</tr>`,
  );
  const note =
    visible.length < total
      ? `<p class="note">The first ${visible.length} of ${total}; ${name}.csv in this folder has all of them.</p>`
      : '';
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>${note}`;
}

function marked<T>(row: T, marks: Marks<T> | undefined): string {
  if (marks === undefined) return '';
  const list = marks.list(row);
  const band = list !== null && (marks.numbers.get(list) ?? 0) % 2 === 1 ? ' class="odd"' : '';
  const member = list === null ? '' : ` data-list="${text(list)}"${band}`;
  return ` id="order-${text(marks.order(row))}"${member}`;
}

function cell<T>({ cell: visible, key, tone, numeric, leadsTo }: Column<T>, row: T): string {
  const names = [numeric === true ? 'n' : '', tone?.(row) ?? ''].filter((name) => name !== '');
  const attribute = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  const order = leadsTo?.(row) ?? null;
  const inner = text(visible(row));
  const content = order === null ? inner : `<a href="#order-${text(order)}">${inner}</a>`;
  return `<td${attribute} data-key="${text(key(row))}">${content}</td>`;
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
