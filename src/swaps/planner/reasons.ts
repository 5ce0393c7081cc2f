import { Decimal, sumOf, ZERO } from '../../model/decimal.ts';
import { fullStop } from '../../model/full-stop.ts';
import {
  holdingName,
  type PortfolioTargets,
  type HoldingKey,
  type PriceOf,
} from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import { edgeTitle, type Inquiry } from './inquiry.ts';
import { boundsOf, type LedgerRow } from './ledger.ts';
import type { RealTransfer } from './realizing.ts';
import type { PlanRequest } from './request.ts';
import type { Edge } from './edges.ts';

/** Why a transfer is made, as a sentence. */
export function transferReason(
  { id, edge, after }: RealTransfer,
  before: readonly LedgerRow[],
  transfers: readonly RealTransfer[],
): string {
  const [from, to] = [rowOf(before, edge.from), rowOf(before, edge.to)];
  const goesOn = transfers.some((other) => other.after.some(({ transfer }) => transfer === id));
  const starts = after.length === 0 && from !== undefined;
  const parts = [
    starts && (from.isIn ? `${title(from)} can spare it` : `${title(from)} is ${side(from)}`),
    after.length > 0 &&
      `it passes on what transfer ${after.map(({ transfer }) => transfer).join(' and ')} brings to ${holdingName(edge.from)}`,
    !goesOn &&
      to !== undefined &&
      (to.isIn ? `${title(to)} has room for it` : `${title(to)} is ${side(to)}`),
    goesOn && `it goes on from ${holdingName(edge.to)}`,
  ].filter((part) => part !== false);
  const sentence = `${parts.join('; ')}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The holdings that send and receive nothing, and why. */
export function unmovedReasons(
  before: readonly LedgerRow[],
  transfers: readonly RealTransfer[],
): readonly { readonly holding: HoldingKey; readonly why: string }[] {
  const moved = new Set(
    transfers.flatMap(({ edge }) => [holdingName(edge.from), holdingName(edge.to)]),
  );
  return before
    .filter(({ holding }) => !moved.has(holdingName(holding)))
    .map((row) => ({
      holding: row.holding,
      why: `${title(row)} is in its band of ${goalOf(row)}, and no other holding needs it.`,
    }));
}

/**
 * Why no transfers bring every holding into its band, by the first holding that no route serves, else
 * the first that is outside. Without `isCertain` there may be transfers that were not found.
 */
export function impossibleRejection(
  request: PlanRequest,
  before: readonly LedgerRow[],
  edges: readonly Edge[],
  inquiry: Inquiry,
  isCertain: boolean,
): Rejection {
  const { targets, priceOf } = request;
  const outside = before.filter(({ isIn }) => !isIn);
  // A holding that no route serves is the reason; else any of them may be.
  const row = outside.find((one) => edgesFor(one, edges).length === 0) ?? outside[0];
  const name = holdingName(row.holding);
  const own = edgesFor(row, edges);
  const rejections = own.flatMap((edge) => {
    const rejection = inquiry.rejections.get(edge.index);
    return rejection === undefined ? [] : [`${edgeTitle(edge)}: ${rejection.message}`];
  });
  const { asset, reserve } = targets.holdings[before.indexOf(row)];
  const reserved = reserve.times(priceOf(asset) ?? ZERO);
  const why =
    own.length === 0
      ? noRouteReason(row, request, edges)
      : isHeldByReserve(row, reserved)
        ? `its reserve of ${reserve.toFixed()} is more than its band has room for`
        : rejections.length > 0
          ? rejections.slice(0, 3).join(' ')
          : row.band.isZero()
            ? `its band is 0, which leaves no room for what routes take and round off`
            : insufficientReason(targets);
  const none = isCertain
    ? 'no transfers bring every holding into its band'
    : `no transfers that do were found by ${inquiry.asked} offers, though there may be some`;
  const message = `${title(row)} is ${side(row)}, and ${none}: ${why}`;
  return { code: 'plan-impossible', field: name, message: fullStop(message) };
}

/**
 * Says what is missing where the portfolio has less value than all target amounts at the lower ends
 * of their bands. The need is rounded up and the portfolio down, to four decimals.
 */
export function amountsRejection(
  { holdings }: PortfolioTargets,
  before: readonly LedgerRow[],
  priceOf: PriceOf,
): Rejection | undefined {
  const fixed = holdings.filter((holding) => holding.amount !== undefined);
  const total = sumOf(before.map((row) => row.value));
  const needed = sumOf(
    fixed.map((holding) => boundsOf(holding)[0].times(priceOf(holding.asset) ?? ZERO)),
  );
  if (!needed.greaterThan(total)) return undefined;
  const whole = sumOf(fixed.map(({ asset, amount }) => amount.times(priceOf(asset) ?? ZERO)));
  const isOff = !whole.equals(needed);
  const up = (value: Decimal): string => value.toDecimalPlaces(4, Decimal.ROUND_UP).toFixed();
  const there = total.toDecimalPlaces(4, Decimal.ROUND_DOWN).toFixed();
  const message = `The amounts of ${fixed.map(holdingName).join(', ')} come to ${up(whole)}${isOff ? `, and to ${up(needed)} at the lower ends of their bands` : ''}; all holdings of the targets together are worth ${there}, so that ${up(needed.minus(total))} is missing.`;
  return { code: 'plan-impossible', field: 'amount', message, limit: there };
}

const isAboveWeight = (row: LedgerRow): boolean =>
  row.targetAmount === undefined
    ? row.share.greaterThan(row.weight)
    : row.amount.greaterThan(row.targetAmount);

/** Edges that could bring a holding nearer to its band. */
function edgesFor(row: LedgerRow, edges: readonly Edge[]): readonly Edge[] {
  const name = holdingName(row.holding);
  const isAbove = isAboveWeight(row);
  return edges.filter(({ from, to }) => holdingName(isAbove ? from : to) === name);
}

/** Why no route serves a holding; an unknown location is named beside the known ones. */
function noRouteReason(
  row: LedgerRow,
  { holdings, routes }: PlanRequest,
  edges: readonly Edge[],
): string {
  const known = [...holdings, ...edges.flatMap(({ from, to }) => [from, to])];
  const locations = new Set(known.map(({ location }) => location));
  if (!locations.has(row.holding.location)) {
    return `${row.holding.location} is no location of this portfolio, which has ${[...locations].sort().join(', ')}`;
  }
  return `no route of ${routes.length} transfers anything ${isAboveWeight(row) ? 'out of' : 'into'} it`;
}

/** True where a reserve of this value keeps a weight above its band; those of amounts are checked with the targets. */
function isHeldByReserve(row: LedgerRow, reserved: Decimal): boolean {
  if (row.targetAmount !== undefined || !isAboveWeight(row)) return false;
  return reserved.times(row.share).greaterThan(row.value.times(row.weight.plus(row.band)));
}

const insufficientReason = ({ minimumValue }: PortfolioTargets): string =>
  `what others can spare or take, in transfers worth ${minimumValue.toFixed()} or more and after their costs, does not suffice`;

const rowOf = (rows: readonly LedgerRow[], holding: HoldingKey): LedgerRow | undefined =>
  rows.find((row) => holdingName(row.holding) === holdingName(holding));

const title = ({ holding, share, amount }: LedgerRow): string =>
  `${holdingName(holding)} at ${share === undefined ? amount.toFixed() : percent(share)}`;

const side = (row: LedgerRow): string =>
  isAboveWeight(row)
    ? `above its band, which ends at ${endOf(row, row.band)}`
    : `below its band, which begins at ${endOf(row, row.band.negated())}`;

/** Where a band ends or begins, in the unit of the target. */
const endOf = (row: LedgerRow, by: Decimal): string =>
  row.targetAmount === undefined
    ? percent(row.weight.plus(by))
    : row.targetAmount.plus(by).toFixed();

/** `30 % ± 3 %` of the holdings with a weight, or `5000 ± 250`. */
const goalOf = (row: LedgerRow): string =>
  row.targetAmount === undefined
    ? `${percent(row.weight)} ± ${percent(row.band)}`
    : `${row.targetAmount.toFixed()} ± ${row.band.toFixed()}`;

/** `12.5 %`. */
const percent = (share: Decimal): string =>
  `${share.times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed()} %`;
