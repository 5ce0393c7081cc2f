import type { StatusAnswer } from '../../bot/control/client.ts';
import type { NotificationLine } from '../../bot/api/bot-event.ts';
import type {
  BalanceLine,
  OtherBalanceLine,
  UnknownBalanceLine,
  MarginAccountLine,
  MarginOwner,
  MarginPositionLine,
  OrderLine,
  PortfolioStatus,
  PositionLine,
  StrategyStatus,
} from '../../bot/api/bot-api.ts';
import type { TradingState } from '../../risk/state.ts';
import { clockText, spanText, US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

type Out = Terminal['out'];

const COLOURS = { running: 'green', reducing: 'yellow', halted: 'red', killed: 'red' } as const;

const state = (of: TradingState, out: Out): string => paint(out, COLOURS[of], of);

const ago = (at: Micros, now: Micros): string => `${spanText(now - at)} ago`;

const results = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join(', ');

/** Formats a bot's state, its strategies, its accounts and their markets. */
export function statusText(status: StatusAnswer, out: Out): string {
  const { name, mode, pid, startedAt, at, ready, why, accounts, strategies } = status;
  const readiness = ready ? 'ready' : paint(out, 'yellow', 'not ready');
  const because = why === undefined ? '' : ` (${why})`;
  const since = `process ${pid}, since ${clockText(startedAt)} (${spanText(at - startedAt)})`;
  const head = `${paint(out, 'bold', name)} (${mode}) is ${state(status.state, out)}${because}, ${readiness}; ${since}`;
  const strategyRows = strategies.map((one) => [
    ...[one.name, state(one.state, out), one.session],
    ...[String(one.openOrders), String(one.unknownOrders)],
    ...[results(one.dayResult), one.why ?? ''],
  ]);
  const accountRows = accounts.map((one) => [
    one.name,
    state(one.state, out),
    one.connectionState === 'live' ? 'live' : paint(out, 'red', one.connectionState),
    one.reconciledAt === undefined ? 'not yet' : ago(one.reconciledAt, at),
    String(one.discrepancies),
    one.why ?? '',
  ]);
  const marketRows = accounts.flatMap((one) =>
    Object.entries(one.markets).map(([symbol, { connectionState, lastAt }]) => [
      symbol,
      one.name,
      connectionState === 'live' ? 'live' : paint(out, 'red', connectionState),
      lastAt === undefined ? 'never' : ago(lastAt, at),
    ]),
  );
  const margin = accounts.flatMap((one) => one.margin);
  return [
    head,
    '',
    table(strategyRows, {
      head: ['strategy', 'state', 'session', 'open', 'unknown', 'day result', 'why'],
      right: [3, 4],
    }),
    ...algoText(strategies),
    '',
    table(accountRows, {
      head: ['account', 'state', 'connection', 'compared', 'discrepancies', 'why'],
      right: [4],
    }),
    ...(margin.length === 0 ? [] : ['', marginAccountsText(margin, out)]),
    ...(marketRows.length === 0
      ? []
      : ['', table(marketRows, { head: ['market', 'account', 'connection', 'last received'] })]),
    ...notificationText(status.notifications ?? []),
    ...(status.portfolio === undefined ? [] : portfolioText(status.portfolio, at)),
  ].join('\n');
}

/** Delivery of notifications by target. */
function notificationText(lines: readonly NotificationLine[]): readonly string[] {
  if (lines.length === 0) return [];
  const rows = lines.map(({ name, kind, sent, waiting, dropped, why = '' }) => [
    ...[name, kind, String(sent), String(waiting), String(dropped), why],
  ]);
  const head = ['notifications', 'by', 'sent', 'waiting', 'dropped', 'why'];
  return ['', table(rows, { head, right: [2, 3, 4] })];
}

/** The algo orders of all strategies, those that are at work first. */
function algoText(strategies: readonly StrategyStatus[]): readonly string[] {
  const rows = strategies.flatMap(({ name, algoOrders = [] }) =>
    algoOrders.map((one) => ({ name, isOver: one.endedAt !== undefined, one })),
  );
  if (rows.length === 0) return [];
  const cells = rows
    .toSorted((one, other) => Number(one.isOver) - Number(other.isOver))
    .map(({ name, one: { id, kind, symbol, status, why = '', ...numbers } }) => [
      ...[name, id, kind, symbol, status],
      ...[numbers.quantity ?? '', numbers.bought, numbers.boughtPrice ?? ''],
      ...[numbers.sold, numbers.soldPrice ?? '', numbers.slippage ?? '', why],
    ]);
  const head = ['strategy', 'algo order', 'kind', 'symbol', 'status', 'quantity'];
  const traded = ['bought', 'at', 'sold', 'at', 'slippage', 'why'];
  return ['', table(cells, { head: [...head, ...traded], right: [5, 6, 7, 8, 9, 10] })];
}

/** Holdings by location, and the state of the last rebalance. */
function portfolioText({ strategy, holdings, last }: PortfolioStatus, now: Micros): string[] {
  const rows = holdings.map(({ holding, amount }) => [holding, amount]);
  const text = ['', table(rows, { head: [`holding (${strategy})`, 'amount'], right: [1] })];
  if (last === undefined) return text;
  const { transfers } = last;
  text.push('', `The last rebalance, ${ago(last.at, now)}, is ${last.state}: ${last.message}`);
  if (transfers.length === 0) return text;
  const moved = transfers.map((one) => [
    ...[one.from, one.to, one.send, one.arrived ?? '', one.state, one.reason ?? ''],
  ]);
  const head = ['from', 'to', 'sends', 'arrived', 'state', 'why'];
  return [...text, '', table(moved, { head, right: [2, 3] })];
}

/** Above a minute as a clock time, below as a duration, for orders that are still active. */
const age = (at: Micros, now: Micros): string =>
  now - at < 24 * 60 * US_PER_MINUTE ? ago(at, now) : clockText(at);

/** `limit`, and on margin `limit, isolated, reduce only`. */
const orderTypeText = ({ type, margin, reduceOnly, closePosition }: OrderLine): string =>
  [
    type,
    ...(margin === undefined ? [] : [margin]),
    ...(reduceOnly === true ? ['reduce only'] : []),
    ...(closePosition === true ? ['close position'] : []),
  ].join(', ');

export const ordersText = (orders: readonly OrderLine[], now: Micros): string =>
  orders.length === 0
    ? 'No order is open.'
    : table(
        orders.map((one) => [
          one.clientOrderId,
          one.isOrphan === true ? `${one.strategy} (not configured)` : one.strategy,
          ...[one.account, one.symbol, one.side, orderTypeText(one)],
          ...[
            one.status,
            one.closePosition === true ? 'all' : one.quantity,
            one.executed,
            one.price ?? '',
            one.stopPrice ?? '',
          ],
          age(one.sentAt, now),
        ]),
        {
          head: [
            ...['order', 'strategy', 'account', 'symbol', 'side', 'type', 'status'],
            ...['quantity', 'filled', 'price', 'stop price', 'sent'],
          ],
          right: [7, 8, 9, 10],
        },
      );

/** Spot positions, then margin positions if there are any. */
export function positionsText(positions: readonly PositionLine[], out: Out): string {
  if (positions.length === 0) return 'Nothing is held.';
  const spot = positions.filter((one) => one.accountType === 'spot');
  const margin = positions.filter((one) => one.accountType !== 'spot');
  const rows = spot.map((one) => [
    ...[one.strategy, one.symbol, one.quantity],
    ...[one.entry ?? '', one.value ?? ''],
  ]);
  const head = ['strategy', 'symbol', 'quantity', 'entry', 'value'];
  return [
    ...(spot.length === 0 ? [] : [table(rows, { head, right: [2, 3, 4] })]),
    ...(margin.length === 0 ? [] : [marginPositionsText(margin, out)]),
  ].join('\n\n');
}

/** Positions on margin alone. */
export const marginPositionsText = (positions: readonly MarginPositionLine[], out: Out): string =>
  table(
    positions.map((one) => [
      ...[ownerText(one, out), one.account, one.symbol, one.accountType, one.quantity, one.entry],
      ...[one.mark ?? '', one.unrealizedPnl ?? '', one.realizedPnl, one.carry],
      ...[one.leverage ?? '', one.marginCallPrice ?? '', one.liquidationPrice ?? ''],
      one.distance === undefined ? '' : `${(one.distance * 100).toFixed(1)} %`,
    ]),
    {
      head: [
        ...[
          'strategy',
          'account',
          'symbol',
          'account type',
          'quantity',
          'entry',
          'mark',
          'unrealized',
        ],
        ...['realized', 'carry', 'leverage', 'margin call', 'liquidation', 'distance'],
      ],
      right: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    },
  );

const ownerText = ({ strategy, foreign, isOrphan, shared }: MarginOwner, out: Out): string => {
  if (shared === true && strategy === '') return '(shared, net)';
  if (foreign === true) return paint(out, 'yellow', '(foreign)');
  return isOrphan === true ? `${strategy} (not configured)` : strategy;
};

/** The margin account of an account or order: `isolated`, `cross` or `cross futures`. */
const marginAccountText = ({ accountType, market }: MarginAccountLine): string =>
  market === 'futures' ? `${accountType} futures` : accountType;

/**
 * Balances on spot, those of wallet and derivatives, and the funds of margin accounts, if there are any.
 */
export function balancesText(
  balances: readonly (BalanceLine | UnknownBalanceLine)[],
  out: Out,
): string {
  if (balances.length === 0) return 'No balance is known.';
  const spot = balances.filter((one) => one.accountType === 'spot');
  const margin = balances.filter((one) => 'market' in one);
  const other = balances.filter(isOther);
  const rows = spot.map((one) => [one.account, one.currency, one.available, one.reserved]);
  const head = ['account', 'currency', 'available', 'reserved'];
  return [
    ...(spot.length === 0 ? [] : [table(rows, { head, right: [2, 3] })]),
    ...nonSpotBalancesTexts(other),
    ...(margin.length === 0 ? [] : [marginAccountsText(margin, out)]),
  ].join('\n\n');
}

const isOther = (
  one: BalanceLine | UnknownBalanceLine,
): one is OtherBalanceLine | UnknownBalanceLine =>
  one.accountType === 'wallet' || one.accountType === 'derivatives';

function nonSpotBalancesTexts(
  lines: readonly (OtherBalanceLine | UnknownBalanceLine)[],
): readonly string[] {
  const known = lines.filter((one) => 'currency' in one);
  const unknown = lines.filter((one) => 'why' in one);
  const rows = known.map((one) => [
    ...[one.account, one.accountType, one.currency, one.available, one.reserved],
    one.reservedMargin ?? '',
  ]);
  const head = ['account', 'account type', 'currency', 'available', 'reserved', 'on margin'];
  return [
    ...(known.length === 0 ? [] : [table(rows, { head, right: [3, 4, 5] })]),
    ...unknown.map(({ account, accountType, why }) => `${account}, ${accountType}: ${why}`),
  ];
}

function marginAccountsText(accounts: readonly MarginAccountLine[], out: Out): string {
  const hasNews = accounts.some(({ last }) => last !== undefined);
  const rows = accounts.map((one) => [
    ...[one.account, marginAccountText(one), one.symbol ?? '', one.currency, ownerText(one, out)],
    one.state === 'normal' ? 'normal' : paint(out, 'red', 'margin call'),
    ...[one.balance, one.reserved, one.available, one.equity ?? ''],
    ...[one.leverage ?? '', one.effectiveLeverage ?? '', String(one.positions)],
    ...(hasNews
      ? [one.last === undefined ? '' : `${clockText(one.last.at)} ${one.last.text}`]
      : []),
  ]);
  const head = [
    ...['account', 'margin', 'symbol', 'currency', 'strategy', 'state', 'balance', 'reserved'],
    ...['available', 'equity', 'leverage', 'effective', 'positions'],
    ...(hasNews ? ['last'] : []),
  ];
  return table(rows, { head, right: [6, 7, 8, 9, 10, 11, 12] });
}
