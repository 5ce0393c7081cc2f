import { Decimal } from '../../model/decimal.ts';
import { slotName, type PortfolioTargets, type Slot } from '../../model/portfolio.ts';
import type { Refusal } from '../../model/refusals.ts';
import { edgeTitle, type Inquiry } from './inquiry.ts';
import type { LedgerRow } from './ledger.ts';
import type { RealMove } from './realizing.ts';
import type { PlanRequest } from './request.ts';
import type { Edge } from './edges.ts';

/** Why a move is made, as a sentence. */
export function whyMoved(
  { edge, after }: RealMove,
  before: readonly LedgerRow[],
  moves: readonly RealMove[],
): string {
  const [from, to] = [rowOf(before, edge.from), rowOf(before, edge.to)];
  const goesOn = moves.some((move) =>
    move.after.some((one) => one.move === moves.find((m) => m.edge === edge)?.id),
  );
  const starts = after.length === 0 && from !== undefined;
  const parts = [
    starts && (from.isIn ? `${title(from)} can spare it` : `${title(from)} is ${side(from)}`),
    after.length > 0 &&
      `it carries on what move ${after.map(({ move }) => move).join(' and ')} brings to ${slotName(edge.from)}`,
    !goesOn &&
      to !== undefined &&
      (to.isIn ? `${title(to)} has room for it` : `${title(to)} is ${side(to)}`),
    goesOn && `it goes on from ${slotName(edge.to)}`,
  ].filter((part) => part !== false);
  const sentence = `${parts.join('; ')}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The slots that no move leaves or reaches, and why. */
export function whyLeft(
  before: readonly LedgerRow[],
  moves: readonly RealMove[],
): readonly { readonly slot: Slot; readonly why: string }[] {
  const moved = new Set(moves.flatMap(({ edge }) => [slotName(edge.from), slotName(edge.to)]));
  return before
    .filter(({ slot }) => !moved.has(slotName(slot)))
    .map((row) => ({
      slot: row.slot,
      why: `${title(row)} is in its band of ${percent(row.weight)} ± ${percent(row.band)}, and no other slot needs it.`,
    }));
}

/**
 * Why no moves bring every slot into its band: the first one that nothing can be moved for, or that
 * stays outside. It is certain where all was looked into; else there may be moves that were not found.
 */
export function impossible(
  request: PlanRequest,
  before: readonly LedgerRow[],
  edges: readonly Edge[],
  inquiry: Inquiry,
  isCertain: boolean,
): Refusal {
  const { targets, worth } = request;
  const outside = before.filter(({ isIn }) => !isIn);
  // Where nothing can be moved at all, that is why; else any of them may be.
  const row = outside.find((one) => edgesFor(one, edges).length === 0) ?? outside[0] ?? before[0];
  if (row === undefined) return { code: 'plan-impossible', message: 'There is no slot.' };
  const name = slotName(row.slot);
  const isAbove = isAboveWeight(row);
  const own = edgesFor(row, edges);
  const refusals = own.flatMap((edge) => {
    const refusal = inquiry.refusals.get(edge.index);
    return refusal === undefined ? [] : [`${edgeTitle(edge)}: ${refusal.message}`];
  });
  const target = targets.slots.find((slot) => slotName(slot) === name);
  const held = isAbove && target !== undefined && isHeldByReserve(row, target, worth(target.asset));
  const why =
    own.length === 0
      ? whyAlone(row, request, edges)
      : held
        ? `its reserve of ${target.reserve.toFixed()} is more than its band has room for`
        : refusals.length > 0
          ? refusals.slice(0, 3).join(' ')
          : reachOf(targets);
  const none = isCertain
    ? 'no moves bring every slot into its band'
    : `no moves that do were found by ${inquiry.asked} offers, though there may be some`;
  const message = `${title(row)} is ${side(row)}, and ${none}: ${why}`;
  return { code: 'plan-impossible', field: name, message: `${message.replace(/\.$/, '')}.` };
}

const isAboveWeight = ({ share, weight }: LedgerRow): boolean => share.greaterThan(weight);

/** What could bring a slot that is outside of its band nearer to it. */
function edgesFor(row: LedgerRow, edges: readonly Edge[]): readonly Edge[] {
  const name = slotName(row.slot);
  const isAbove = isAboveWeight(row);
  return edges.filter(({ from, to }) => slotName(isAbove ? from : to) === name);
}

/** Why no carrier serves a slot; a place that is not there at all is told beside those that are. */
function whyAlone(
  row: LedgerRow,
  { holdings, carriers }: PlanRequest,
  edges: readonly Edge[],
): string {
  const slots = [...holdings, ...edges.flatMap(({ from, to }) => [from, to])];
  const places = new Set(slots.map(({ place }) => place));
  if (!places.has(row.slot.place)) {
    return `${row.slot.place} is no place of this portfolio, which has ${[...places].sort().join(', ')}`;
  }
  return `no carrier of ${carriers.length} moves anything ${isAboveWeight(row) ? 'out of' : 'into'} it`;
}

function isHeldByReserve(
  row: LedgerRow,
  { weight, band, reserve }: PortfolioTargets['slots'][number],
  price: Decimal | undefined,
): boolean {
  if (price === undefined || row.share.isZero()) return false;
  return reserve
    .times(price)
    .times(row.share)
    .greaterThan(row.worth.times(weight.plus(band)));
}

const reachOf = ({ minimumWorth }: PortfolioTargets): string =>
  `what others can spare or take, in moves worth ${minimumWorth.toFixed()} or more and after their costs, does not suffice`;

const rowOf = (rows: readonly LedgerRow[], slot: Slot): LedgerRow | undefined =>
  rows.find((row) => slotName(row.slot) === slotName(slot));

const title = ({ slot, share }: LedgerRow): string => `${slotName(slot)} at ${percent(share)}`;

const side = ({ share, weight, band }: LedgerRow): string =>
  share.greaterThan(weight)
    ? `above its band, which ends at ${percent(weight.plus(band))}`
    : `below its band, which begins at ${percent(weight.minus(band))}`;

/** `12.5 %`. */
const percent = (share: Decimal): string =>
  `${share.times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed()} %`;
