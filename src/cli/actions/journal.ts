import { JournalReader } from '../../bot/journal/reader.ts';
import type { JournaledOrder } from '../../bot/journal/records.ts';
import { MillraceError } from '../../model/errors.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { isoTime, micros, parseIsoTime, parseSpanUs, type Micros } from '../../platform/time.ts';
import { eventWords, numbersOf, plainOrder } from '../journal/words.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** What the command line of `millrace journal` says. */
export interface JournalFlags {
  readonly order?: string;
  readonly since: string;
  readonly json?: true;
}

/** Shows a journal, or the events of one of its orders; its bot may run meanwhile. */
export function showJournal(path: string, flags: JournalFlags, terminal: Terminal): void {
  const since = sinceOf(flags.since);
  const reader = JournalReader.open(path);
  try {
    const { order: id } = flags;
    const lines =
      id === undefined
        ? overview(reader, since, flags, terminal)
        : story(reader, found(reader, id, path), flags, terminal);
    terminal.out.write(`${lines.join('\n')}\n`);
  } finally {
    reader.close();
  }
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

function found(reader: JournalReader, id: string, path: string): JournaledOrder {
  const order = reader.order(id);
  if (order !== undefined) return order;
  throw new MillraceError(
    'usage',
    `The journal ${path} has no order "${id}"; see "millrace journal ${path} --since 90d" for those it has.`,
    { field: '--order' },
  );
}

function overview(
  reader: JournalReader,
  since: Micros,
  { json }: JournalFlags,
  { out }: Terminal,
): readonly string[] {
  const orders = reader.orders(since);
  const findings = reader.findings(since);
  const plain = orders.map((order) => plainOrder(order, numbersOf(reader.instrumentOf(order.clientOrderId)))); // prettier-ignore
  const holdings = reader.holdings();
  const { account, identity, lastHeardAt, reconciledAt, states } = reader;
  if (json === true) {
    return [
      { kind: 'journal', account, identity, lastHeardAt, reconciledAt },
      ...states.map((state) => ({ kind: 'state', ...state })),
      ...holdings.map((holding) => ({ kind: 'holding', ...holding })),
      ...plain.map((order) => ({ kind: 'order', ...order })),
      ...findings.map((one) => ({ kind: 'finding', finding: one.kind, ...withoutKind(one) })),
    ].map((line) => JSON.stringify(line));
  }
  const title = (text: string): string => paint(out, 'bold', text);
  const ended = orders.filter(({ status }) => ENDS.has(status));
  const dropped = new Set(ended.slice(0, -ROWS_MAX));
  const shown = orders.filter((order) => !dropped.has(order));
  const latest = findings.slice(-ROWS_MAX);
  return [
    `${title(`journal of ${account}`)}  identity ${identity}, last heard ${timeText(lastHeardAt)}, last compared ${timeText(reconciledAt)}`,
    ...section(
      title('states'),
      states.map(({ scope, state, at, why }) => [scope, state, isoTime(at), why]),
    ),
    ...section(
      title('holdings by fills'),
      holdings.map(({ strategy, currency, change }) => [strategy, currency, change.toFixed()]),
    ),
    ...section(
      title(`orders that are open, or ended since ${isoTime(since)}`) + leftOut(orders, shown),
      shown.map((order) => orderRow(reader, order)),
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
      title(`findings since ${isoTime(since)}`) + leftOut(findings, latest),
      latest.map(({ at, kind, message }) => [isoTime(at), kind, message]),
    ),
  ];
}

/** What a person reads of what has ended or was found; a market maker ends thousands a day. */
const ROWS_MAX = 50;

const ENDS: ReadonlySet<JournaledOrder['status']> = new Set<JournaledOrder['status']>([
  'filled',
  'canceled',
  'expired',
  'rejected',
]);

const leftOut = (all: readonly unknown[], shown: readonly unknown[]): string =>
  all.length === shown.length
    ? ''
    : ` (${all.length - shown.length} earlier ones are left out; --json prints them)`;

function story(
  reader: JournalReader,
  order: JournaledOrder,
  { json }: JournalFlags,
  { out }: Terminal,
): readonly string[] {
  const { clientOrderId } = order;
  const numbers = numbersOf(reader.instrumentOf(clientOrderId));
  const events = reader.story(clientOrderId);
  if (json === true) {
    const { kind, ...rest } = { kind: 'order', ...plainOrder(order, numbers) };
    return [
      { kind, ...rest },
      ...events.map(({ kind: event, ...told }) => ({ kind: 'event', event, ...told })),
    ].map((line) => JSON.stringify(line));
  }
  return [
    paint(out, 'bold', `order ${clientOrderId} of ${order.strategy}: ${order.status}`),
    table([orderRow(reader, order)]),
    '',
    table(events.map((event) => [isoTime(event.at), event.kind, eventWords(event, numbers)])),
  ];
}

function orderRow(reader: JournalReader, order: JournaledOrder): readonly string[] {
  const { clientOrderId, strategy, symbol, side, lots, ticks, executedLots, status } = order;
  const { size, price } = numbersOf(reader.instrumentOf(clientOrderId));
  return [
    ...[clientOrderId, strategy, symbol, side, size(lots), price(ticks)],
    ...[size(executedLots), status, isoTime(order.intendedAt)],
  ];
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
