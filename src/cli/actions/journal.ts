import { confirm } from '../../bot/journal/confirmation.ts';
import { JournalReader } from '../../bot/journal/reader.ts';
import type { GriddedOrder } from '../../bot/journal/order-rows.ts';
import type { Order } from '../../model/order.ts';
import type { Instrument } from '../../model/instrument.ts';
import { MillraceError } from '../../model/errors.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { isoTime, micros, parseIsoTime, parseSpanUs, type Micros } from '../../platform/time.ts';
import { MARGIN_HEAD, marginRows, plainMargins } from '../journal/margin.ts';
import { formatEvent, formatMargin, numbersOf, orderWithDecimals } from '../journal/words.ts';
import { writeLines } from '../lines.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** Flags of `millrace journal`. */
export interface JournalFlags {
  readonly order?: string;
  readonly since: string;
  readonly json?: true;
  readonly check?: true;
  readonly accept?: true;
}

/** Shows a journal, or the events of one of its orders; its bot may be running. */
export async function showJournal(
  path: string,
  flags: JournalFlags,
  terminal: Terminal,
): Promise<void> {
  const since = sinceOf(flags.since);
  if (flags.accept === true) {
    await writeLines(accepted(path, flags), terminal);
    return;
  }
  const reader = JournalReader.open(path);
  try {
    const { order: id, json, check } = flags;
    if (check === true) await writeLines([checked(reader, path, flags)], terminal);
    else if (id !== undefined) {
      await writeLines(story(reader, found(reader, id, path), flags, terminal), terminal);
    } else if (json === true) await writeLines(jsonLines(reader, since), terminal);
    else await writeLines(overview(reader, since, terminal), terminal);
  } finally {
    reader.close();
  }
}

/** Confirms what the last start was rejected for; the journal itself may be missing. */
function accepted(path: string, { json }: JournalFlags): readonly string[] {
  const messages = confirm(path, process.pid, new SystemScheduler().now());
  if (json === true)
    return messages.map((message) => JSON.stringify({ kind: 'accepted', message }));
  if (messages.length === 0) return [`Nothing of the journal ${path} waits to be confirmed.`];
  return [...messages, 'Confirmed: the next start of its bot goes on with it.'];
}

function checked(reader: JournalReader, path: string, { json }: JournalFlags): string {
  const rows = reader.check();
  if (json === true) return JSON.stringify({ kind: 'check', rows });
  return `The journal ${path} is sound: all pages and ${rows} rows of it were read.`;
}

function sinceOf(text: string): Micros {
  const spanUs = parseSpanUs(text);
  const since =
    spanUs === undefined ? parseIsoTime(text) : micros(new SystemScheduler().now() - spanUs);
  if (since !== undefined) return since;
  throw new MillraceError(
    'usage',
    `--since is "${text}" and must be a span such as 2h or 7d, or a time such as 2026-11-20T08:00:00Z.`,
    { field: '--since' },
  );
}

function found(reader: JournalReader, id: string, path: string): Order {
  const order = reader.order(id);
  if (order !== undefined) return order;
  throw new MillraceError(
    'usage',
    `The journal ${path} has no order "${id}"; see "millrace journal ${path} --since 90d" for those it has.`,
    { field: '--order' },
  );
}

/** Everything as JSON lines, one at a time: there may be millions of them. */
function* jsonLines(reader: JournalReader, since: Micros): Generator<string> {
  const { account, identity, lastReceivedAt, reconciledAt, states } = reader;
  const line = (value: object): string => JSON.stringify(value);
  yield line({ kind: 'journal', account, identity, lastReceivedAt, reconciledAt });
  for (const state of states) yield line({ kind: 'state', ...state });
  for (const holding of reader.holdings()) yield line({ kind: 'holding', ...holding });
  for (const account of plainMargins(reader)) yield line(account);
  for (const { order, instrument } of reader.orders(since)) {
    yield line({ kind: 'order', ...orderWithDecimals(order, numbersOf(instrument)) });
  }
  for (const one of reader.discrepancies(since)) {
    yield line({ kind: 'discrepancy', discrepancy: one.kind, ...withoutKind(one) });
  }
}

function overview(reader: JournalReader, since: Micros, { out }: Terminal): readonly string[] {
  const { orders, leftOut: ordersLeftOut } = reader.latestOrders(since, ROWS_MAX);
  const { discrepancies: findings, leftOut: findingsLeftOut } = reader.latestDiscrepancies(
    since,
    ROWS_MAX,
  );
  const shown = orders.toSorted(byIntent);
  const { account, identity, lastReceivedAt, reconciledAt, states } = reader;
  const title = (text: string): string => paint(out, 'bold', text);
  return [
    `${title(`journal of ${account}`)}  identity ${identity}, last received ${timeText(lastReceivedAt)}, last compared ${timeText(reconciledAt)}`,
    ...section(
      title('states'),
      states.map(({ scope, state, at, why }) => [scope, state, isoTime(at), why]),
    ),
    ...section(
      title('holdings by fills'),
      reader
        .holdings()
        .map(({ strategy, currency, change }) => [strategy, currency, change.toFixed()]),
    ),
    ...section(title('margin accounts, as last reported'), marginRows(reader), MARGIN_HEAD),
    ...section(
      title(`orders that are open, or ended since ${isoTime(since)}`) + skipped(ordersLeftOut),
      shown.map(orderRow),
      [
        'order',
        'strategy',
        'symbol',
        'side',
        'quantity',
        'price',
        'executed',
        'status',
        'intended',
      ],
    ),
    ...section(
      title(`findings since ${isoTime(since)}`) + skipped(findingsLeftOut),
      findings.map(({ at, kind, message }) => [isoTime(at), kind, message]),
    ),
  ];
}

const byIntent = ({ order: one }: GriddedOrder, { order: other }: GriddedOrder): number =>
  one.requestedAt - other.requestedAt || (one.clientOrderId < other.clientOrderId ? -1 : 1);

/** Ended orders and discrepancies shown as text; a market maker ends thousands of orders a day. */
const ROWS_MAX = 50;

const skipped = (count: number): string =>
  count === 0 ? '' : ` (${count} earlier ones are left out; --json prints them)`;

function story(
  reader: JournalReader,
  order: Order,
  { json }: JournalFlags,
  { out }: Terminal,
): readonly string[] {
  const { clientOrderId } = order;
  const instrument = reader.instrumentOf(clientOrderId);
  const numbers = numbersOf(instrument);
  const events = reader.log(clientOrderId);
  if (json === true) {
    const { kind, ...rest } = { kind: 'order', ...orderWithDecimals(order, numbers) };
    return [
      { kind, ...rest },
      ...events.map(({ kind: event, ...reported }) => ({ kind: 'event', event, ...reported })),
    ].map((line) => JSON.stringify(line));
  }
  return [
    paint(out, 'bold', `order ${clientOrderId} of ${order.strategy}: ${order.status}`),
    table([orderRow({ order, instrument })]),
    '',
    table(events.map((event) => [isoTime(event.at), event.kind, formatEvent(event, numbers)])),
  ];
}

function orderRow({ order, instrument }: OrderWithInstrument): readonly string[] {
  const { clientOrderId, strategy, side, lots, ticks, filledLots, status } = order;
  const { size, price } = numbersOf(instrument);
  return [
    ...[clientOrderId, strategy, marketText(order), side],
    ...[order.margin?.closePosition === true ? 'all' : size(lots), price(ticks)],
    ...[size(filledLots), status, isoTime(order.requestedAt)],
  ];
}

/** The symbol of an order, and on which margin it is. */
const marketText = ({ symbol, margin }: Order): string =>
  margin === undefined ? symbol : `${symbol} (${formatMargin(margin)})`;

/** An order, and its instrument if known. */
interface OrderWithInstrument {
  readonly order: Order;
  readonly instrument: Instrument | undefined;
}

function section(
  title: string,
  rows: readonly (readonly string[])[],
  head?: readonly string[],
): readonly string[] {
  if (rows.length === 0) return ['', `${title}: none`];
  return ['', title, table(rows, head === undefined ? {} : { head })];
}

const withoutKind = <T extends { readonly kind: string }>({ kind: _, ...rest }: T): object => rest;

const timeText = (at: Micros | undefined): string => (at === undefined ? 'never' : isoTime(at));
