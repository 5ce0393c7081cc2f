import type { ShownStatus } from '../../bot/control/client.ts';
import type {
  BalanceLine,
  OrderLine,
  PortfolioStatus,
  PositionLine,
} from '../../bot/api/bot-api.ts';
import type { TradingState } from '../../risk/state.ts';
import { isoTime, US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

type Out = Terminal['out'];

const COLOURS = { running: 'green', reducing: 'yellow', halted: 'red', killed: 'red' } as const;

const state = (of: TradingState, out: Out): string => paint(out, COLOURS[of], of);

/** To the second, as people read it. */
const clock = (at: Micros): string => `${isoTime(at).slice(0, 19).replace('T', ' ')}Z`;

/** `3s`, `2m 5s`, `4h 12m`, `3d 7h`: the two largest parts. */
export function spanText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / US_PER_SECOND));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

const ago = (at: Micros, now: Micros): string => `${spanText(now - at)} ago`;

const results = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join(', ');

/** A bot for people: how it stands, its strategies, its accounts and their markets. */
export function statusText(status: ShownStatus, out: Out): string {
  const { name, mode, pid, startedAt, at, ready, why, accounts, strategies } = status;
  const readiness = ready ? 'ready' : paint(out, 'yellow', 'not ready');
  const because = why === undefined ? '' : ` (${why})`;
  const since = `process ${pid}, since ${clock(startedAt)} (${spanText(at - startedAt)})`;
  const head = `${paint(out, 'bold', name)} (${mode}) is ${state(status.state, out)}${because}, ${readiness}; ${since}`;
  const strategyRows = strategies.map((one) => [
    ...[one.name, state(one.state, out), one.session],
    ...[String(one.openOrders), String(one.unknownOrders)],
    ...[results(one.dayResult), one.why ?? ''],
  ]);
  const accountRows = accounts.map((one) => [
    one.name,
    state(one.state, out),
    one.hearing === 'live' ? 'live' : paint(out, 'red', one.hearing),
    one.reconciledAt === undefined ? 'not yet' : ago(one.reconciledAt, at),
    String(one.findings),
    one.why ?? '',
  ]);
  const marketRows = accounts.flatMap((one) =>
    Object.entries(one.markets).map(([symbol, { hearing, lastAt }]) => [
      symbol,
      one.name,
      hearing === 'live' ? 'live' : paint(out, 'red', hearing),
      lastAt === undefined ? 'never' : ago(lastAt, at),
    ]),
  );
  return [
    head,
    '',
    table(strategyRows, {
      head: ['strategy', 'state', 'session', 'open', 'unknown', 'day result', 'why'],
      right: [3, 4],
    }),
    '',
    table(accountRows, {
      head: ['account', 'state', 'hearing', 'compared', 'findings', 'why'],
      right: [4],
    }),
    ...(marketRows.length === 0
      ? []
      : ['', table(marketRows, { head: ['market', 'account', 'hearing', 'last heard'] })]),
    ...(status.portfolio === undefined ? [] : portfolioText(status.portfolio, at)),
  ].join('\n');
}

/** What is held in each slot, and how the last rebalance stands. */
function portfolioText({ strategy, holdings, last }: PortfolioStatus, now: Micros): string[] {
  const rows = holdings.map(({ slot, amount }) => [slot, amount]);
  const text = ['', table(rows, { head: [`slot (${strategy})`, 'holds'], right: [1] })];
  if (last === undefined) return text;
  const { moves } = last;
  text.push('', `The last rebalance, ${ago(last.at, now)}, is ${last.state}: ${last.message}`);
  if (moves.length === 0) return text;
  const moved = moves.map((one) => [
    ...[one.from, one.to, one.send, one.arrived ?? '', one.state, one.reason ?? ''],
  ]);
  const head = ['from', 'to', 'sends', 'arrived', 'state', 'why'];
  return [...text, '', table(moved, { head, right: [2, 3] })];
}

/** A minute and more is told by the clock, less as a span: orders are looked at while they live. */
const age = (at: Micros, now: Micros): string =>
  now - at < 24 * 60 * US_PER_MINUTE ? ago(at, now) : clock(at);

export const ordersText = (orders: readonly OrderLine[], now: Micros): string =>
  orders.length === 0
    ? 'No order is open.'
    : table(
        orders.map((one) => [
          one.clientOrderId,
          one.isOrphan === true ? `${one.strategy} (not configured)` : one.strategy,
          ...[one.account, one.symbol, one.side, one.type],
          ...[one.status, one.quantity, one.executed, one.price ?? '', one.stopPrice ?? ''],
          age(one.sentAt, now),
        ]),
        {
          head: [
            ...['order', 'strategy', 'account', 'symbol', 'side', 'type', 'status'],
            ...['quantity', 'executed', 'price', 'stop price', 'sent'],
          ],
          right: [7, 8, 9, 10],
        },
      );

export const positionsText = (positions: readonly PositionLine[]): string =>
  positions.length === 0
    ? 'Nothing is held.'
    : table(
        positions.map((one) => [
          ...[one.strategy, one.symbol, one.quantity],
          ...[one.entry ?? '', one.worth ?? ''],
        ]),
        { head: ['strategy', 'symbol', 'quantity', 'entry', 'worth'], right: [2, 3, 4] },
      );

export const balancesText = (balances: readonly BalanceLine[]): string =>
  balances.length === 0
    ? 'No balance is known.'
    : table(
        balances.map((one) => [one.account, one.currency, one.available, one.reserved]),
        { head: ['account', 'currency', 'available', 'reserved'], right: [2, 3] },
      );
