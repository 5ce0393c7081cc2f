import type { PortfolioPlan } from '../../bot/rebalancing/rebalancer.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { isoTime } from '../../platform/time.ts';
import type { TransferRecord, NetworkFee } from '../../swaps/execution/transfer-route.ts';
import type { TransferReport, RebalanceReport } from '../../swaps/execution/report.ts';
import type { LedgerRow } from '../../swaps/planner/ledger.ts';
import type { Plan, PlanEffort, PlanFee } from '../../swaps/planner/plan.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

type Out = Terminal['out'];

const MONEY_PLACES = 2;

/** An amount rounded to the cent; the JSON has the exact one. */
const money = (value: Decimal): string => value.toFixed(MONEY_PLACES);

/** Digits of a fee, which is often far below a cent; rounded up, as for all payments. */
const FEE_DIGITS = 3;

/** `0.000131 ETH@ethereum`. */
const formatFee = (amount: Decimal, coin: HoldingKey): string =>
  `${amount.toSignificantDigits(FEE_DIGITS, Decimal.ROUND_UP).toFixed()} ${holdingName(coin)}`;

const percent = (share: Decimal): string => `${share.times(100).toFixed(2)} %`;

/** Formats a plan: the portfolio before and after, the transfers with reasons, and unfinished transfers. */
export function formatPlan(
  plan: PortfolioPlan,
  underWay: readonly TransferRecord[],
  out: Out,
): string {
  const title = (text: string): string => paint(out, 'bold', text);
  const lines = [title('portfolio'), ledger(plan), ''];
  if (plan.transfers.length === 0)
    lines.push('Everything is in its band: there is nothing to move.');
  else lines.push(title('transfers'), transfers(plan), '', ...reasons(plan), '', ...cost(plan));
  lines.push(...plan.warnings);
  for (const { holding, why } of plan.leftAlone)
    lines.push(`${holdingName(holding)} is left alone: ${why}`);
  for (const { name, why } of plan.leftOut) lines.push(`${name} is left out: ${why}`);
  if (underWay.length > 0) lines.push('', ...underWay.map(formatUnfinished), UNDER_WAY);
  return `${lines.join('\n')}\n`;
}

const UNDER_WAY =
  'That rebalance is under way, and what is on its way is in no holding above. --execute goes on with it before anything new is planned.';

const formatUnfinished = ({ id, state, send, sent = send, from, to }: TransferRecord): string =>
  `${id}: the transfer of ${sent.toFixed()} ${holdingName(from)} to ${holdingName(to)} is ${state}.`;

function ledger({ before, after }: Plan): string {
  const rows = before.map((row, index) => {
    const then = after[index] ?? row;
    return [
      holdingName(row.holding),
      ...[row.amount.toFixed(), shareOf(row), standing(row)],
      ...[then.amount.toFixed(), shareOf(then), standing(then)],
      goalOf(row),
    ];
  });
  const head = ['holding', 'amount', 'share', '', 'at least after', 'share', '', 'target'];
  return table(rows, { head, right: [1, 2, 4, 5] });
}

/** Share of the value of all weighted holdings; an amount has none. */
const shareOf = ({ share }: LedgerRow): string => (share === undefined ? '' : percent(share));

const goalOf = (row: LedgerRow): string =>
  row.targetAmount === undefined
    ? `${percent(row.weight)} ± ${percent(row.band)}`
    : `${row.targetAmount.toFixed()} ± ${row.band.toFixed()}`;

const standing = ({ isIn }: LedgerRow): string => (isIn ? 'in' : 'out');

/** Head of the column of fees, which is there if there are any. */
const FEE_HEAD = 'fee of the network';

function transfers(plan: Plan): string {
  const hasFees = plan.fees.length > 0;
  const rows = plan.transfers.map(({ transfer, cost: costs }) => {
    const { id, offer, after } = transfer;
    const waits = after.map((source) => source.transfer).join(', ');
    return [
      id,
      waits === '' ? '' : `after ${waits}`,
      offer.route,
      `${offer.send.toFixed()} ${holdingName(offer.from)}`,
      `${offer.expected.toFixed()} ${holdingName(offer.to)}`,
      `≥ ${offer.least.toFixed()}`,
      ...(hasFees ? [plannedFee(offer.networkFee)] : []),
      money(costs),
    ];
  });
  const fee = hasFees ? [FEE_HEAD] : [];
  const head = ['transfer', '', 'by', 'sends', 'for', 'at the least', ...fee, 'costs'];
  return table(rows, { head, right: [head.length - 1] });
}

function plannedFee(fee: NetworkFee | undefined): string {
  if (fee === undefined) return '';
  const { expected, most, coin, isIncluded } = fee;
  return isIncluded ? `${formatFee(most, coin)}, part of what it sends` : formatFee(expected, coin);
}

/** Why each transfer is made; a line each, as they are too long for a column. */
const reasons = ({ transfers: made }: Plan): readonly string[] =>
  made.map(({ transfer: { id }, why }) => `${id}: ${why}`);

function cost({ cost: costs, costAtMost, moved, fees, plan, effort }: Plan): readonly string[] {
  return [
    `They cost ${money(costs)} (${money(costAtMost)} at the most, by these offers) to move ${money(moved)}; they may cost ${money(plan.maximumCost)}.`,
    ...fees.map(feeTotal),
    `This is ${cheapness(effort)}, by ${effort.offers} offers and straight lines between them.`,
  ];
}

/** Fees of all transfers in one asset. */
function feeTotal({ coin, expected, most, value }: PlanFee): string {
  const valueText = value === undefined ? '' : `, worth ${money(value)}`;
  return `The fees of networks are about ${formatFee(expected, coin)}${valueText}; at the most ${formatFee(most, coin)}.`;
}

/** How near to the cheapest a plan is known to be; rounded up. */
function cheapness({ isExact, within }: PlanEffort): string {
  if (isExact) return 'the cheapest there is';
  if (within === undefined) return 'the cheapest that was found';
  const most = within.times(100).toDecimalPlaces(1, Decimal.ROUND_UP);
  return `the cheapest that was found, of which another one might save ${most.toFixed()} % at the most`;
}

/** A plan for programs; amounts are exact text. */
export const planJson = (plan: PortfolioPlan, underWay: readonly TransferRecord[]): object => ({
  kind: 'plan',
  id: plan.plan.id,
  transfers: plan.transfers.map(({ transfer, cost: costs, why }) => ({
    id: transfer.id,
    after: transfer.after.map((source) => source.transfer),
    route: transfer.offer.route,
    from: holdingName(transfer.offer.from),
    to: holdingName(transfer.offer.to),
    send: transfer.offer.send.toFixed(),
    expected: transfer.offer.expected.toFixed(),
    least: transfer.offer.least.toFixed(),
    networkFee: transfer.offer.networkFee && feeJson(transfer.offer.networkFee),
    cost: costs.toFixed(),
    why,
  })),
  cost: plan.cost.toFixed(),
  costAtMost: plan.costAtMost.toFixed(),
  maximumCost: plan.plan.maximumCost.toFixed(),
  moved: plan.moved.toFixed(),
  fees: plan.fees.map(({ coin, expected, most, value }) => ({
    coin: holdingName(coin),
    expected: expected.toFixed(),
    most: most.toFixed(),
    value: value?.toFixed(),
  })),
  warnings: plan.warnings,
  before: plan.before.map(ledgerJson),
  after: plan.after.map(ledgerJson),
  leftAlone: plan.leftAlone.map(({ holding, why }) => ({ holding: holdingName(holding), why })),
  leftOut: plan.leftOut,
  underWay: underWay.map(({ id, state, paying, from, to, send, sent = send }) => ({
    id,
    state,
    paying,
    from: holdingName(from),
    to: holdingName(to),
    send: sent.toFixed(),
  })),
  effort: plan.effort,
});

const feeJson = ({ of, coin, expected, most, isIncluded }: NetworkFee): object => ({
  of,
  coin: holdingName(coin),
  expected: expected.toFixed(),
  most: most.toFixed(),
  isIncluded,
});

const ledgerJson = (row: LedgerRow): object => ({
  holding: holdingName(row.holding),
  amount: row.amount.toFixed(),
  value: row.value.toFixed(),
  ...(row.targetAmount === undefined
    ? { share: row.share.toFixed(), weight: row.weight.toFixed() }
    : { targetAmount: row.targetAmount.toFixed() }),
  band: row.band.toFixed(),
  isIn: row.isIn,
});

/** A line about the last event. */
export function happeningLine({ at, happening }: RebalanceReport): string {
  const about = happening.transfer === undefined ? '' : ` ${happening.transfer}`;
  return `${isoTime(at)}  ${happening.kind}${about}  ${happening.message}`;
}

/** A report for programs. */
export const reportJson = ({ at, happening, state, plans }: RebalanceReport): object => ({
  kind: 'report',
  at: isoTime(at),
  state,
  happened: happening.kind,
  transfer: happening.transfer,
  message: happening.message,
  plans: plans.map((plan) => ({
    id: plan.id,
    cost: plan.cost.toFixed(),
    plannedCost: plan.plannedCost.toFixed(),
    transfers: plan.transfers.map(({ record, late }) => ({
      id: record.id,
      state: record.state,
      late,
      send: record.send.toFixed(),
      sent: record.sent?.toFixed(),
      arrived: record.arrived?.toFixed(),
      refunded: record.refunded?.toFixed(),
      paidFee: record.paidFee && {
        coin: holdingName(record.paidFee.coin),
        amount: record.paidFee.amount.toFixed(),
        isIncluded: record.paidFee.isIncluded,
      },
      reason: record.reason,
    })),
  })),
});

/** How all ended, transfer by transfer. */
export function formatEnd({ plans, state, happening }: RebalanceReport, out: Out): string {
  const all = plans.flatMap(({ transfers: made }) => made);
  const hasFees = all.some(({ record }) => formatPaidFee(record) !== '');
  const rows = all.map((transfer) => transferRow(transfer, hasFees));
  const total = plans.map(({ cost: costs }) => money(costs)).join(' + ');
  const head = ['transfer', 'by', 'sent', 'arrived', ...(hasFees ? [FEE_HEAD] : []), 'state', ''];
  const lines = [paint(out, 'bold', 'transfers'), table(rows, { head }), ''];
  lines.push(
    state === 'running'
      ? happening.message
      : `They cost ${total}${paidTotal(plans)}. "millrace rebalance --plan" shows the portfolio now.`,
  );
  return `${lines.join('\n')}\n`;
}

function transferRow(
  { record, planned, late }: TransferReport,
  hasFees: boolean,
): readonly string[] {
  const { from, to } = planned.offer;
  return [
    record.id,
    record.route,
    `${(record.paying ? (record.sent ?? record.send) : ZERO).toFixed()} ${holdingName(from)}`,
    record.arrived === undefined ? '' : `${record.arrived.toFixed()} ${holdingName(to)}`,
    ...(hasFees ? [formatPaidFee(record)] : []),
    late ? `${record.state}, late` : record.state,
    record.reason ?? '',
  ];
}

/** Network fee of a transfer; if unknown, the expected one. */
function formatPaidFee({ paying, paidFee, networkFee }: TransferRecord): string {
  if (paidFee !== undefined) return formatFee(paidFee.amount, paidFee.coin);
  if (!paying || networkFee === undefined) return '';
  return `about ${formatFee(networkFee.expected, networkFee.coin)}`;
}

/** Network fees by asset, as the chains report them. */
function paidTotal(plans: RebalanceReport['plans']): string {
  const coins = new Map<string, { coin: HoldingKey; amount: Decimal }>();
  for (const { record } of plans.flatMap(({ transfers: made }) => made)) {
    if (record.paidFee === undefined) continue;
    const { coin, amount } = record.paidFee;
    const before = coins.get(holdingName(coin))?.amount ?? ZERO;
    coins.set(holdingName(coin), { coin, amount: before.plus(amount) });
  }
  if (coins.size === 0) return '';
  const paid = [...coins.values()].map(({ coin, amount }) => formatFee(amount, coin));
  return `, with ${paid.join(' and ')} as fees of networks`;
}
