import { Decimal } from '../../../model/decimal.ts';
import type { Side } from '../../../model/order.ts';
import { isRejection } from '../../../model/rejections.ts';
import type { Lots } from '../../../model/units.ts';
import { Random } from '../../../platform/random.ts';
import { US_PER_MS } from '../../../platform/time.ts';
import type { Twap, Vwap } from '../../../strategy/commands.ts';
import type { Algorithm, AlgoTerms, Plan, Progress } from '../algorithm.ts';
import { invalid, requestedTicks, requestedLots } from '../asked.ts';

/** Terms of TWAP and VWAP. */
export interface ScheduleTerms extends AlgoTerms {
  readonly side: Side;
  readonly lots: Lots;
  readonly overUs: number;
  readonly slices: number;
  /** Worst price; none if absent. */
  readonly ticks?: number | undefined;
  /** Most random delay of a slice, as a fraction of the interval. */
  readonly jitter: number;
  /** Most of the market's volume since the last slice, as a fraction in decimal text. */
  readonly participation?: string | undefined;
  /**
   * Weights of the slices; `recent` for the volume of the interval before each; equal if absent.
   */
  readonly weights?: readonly number[] | 'recent' | undefined;
  readonly atEnd: 'leave' | 'market';
}

const SLOT = 'slice';
/** Most items of a command's list, less one. */
const PROFILE_MAX = 96;

/**
 * TWAP and VWAP: a market order at each slice, or an IOC limit order with a worst price. Each slice
 * takes its share of the remainder, so that unfilled lots are spread over the later ones, and the
 * last takes the rest.
 */
export const schedule: Algorithm<Twap | Vwap, ScheduleTerms> = {
  terms(command, instrument) {
    const { side, over, slices, jitter = 0, atEnd = 'leave', participation } = command;
    const lots = requestedLots(instrument, command);
    if (isRejection(lots)) return lots;
    const ticks = requestedTicks(instrument, command);
    if (isRejection(ticks)) return ticks;
    const overUs = Math.round(over * US_PER_MS);
    if (!Number.isSafeInteger(overUs) || overUs < slices) {
      return invalid('over', `over is ${over} and must be milliseconds, such as hours(1)`);
    }
    const weights = command.kind === 'twap' ? undefined : weightsOf(command);
    if (isRejection(weights)) return weights;
    return {
      side,
      lots,
      overUs,
      slices,
      jitter,
      atEnd,
      ticks,
      ...(participation === undefined ? {} : { participation: participation.toFixed() }),
      ...(weights === undefined ? {} : { weights }),
    };
  },

  plan(terms, progress, now) {
    const { side, lots, slices, overUs, ticks, participation } = terms;
    const left = lots - progress.filled(SLOT).lots;
    if (left <= 0) return { orders: [], ended: 'filled' };
    const endAt = progress.startedAt + overUs;
    const price = ticks === undefined ? {} : { ticks, isImmediate: true };
    const watch = participation === undefined && terms.weights !== 'recent' ? undefined : 'volume';
    if (now.at >= endAt) return afterEnd(terms, progress, left);
    const due = dueStep(terms, progress.startedAt, now.at);
    const wakeAt = due + 1 < slices ? stepAt(terms, progress.startedAt, due + 1) : endAt;
    if (due <= progress.step) return { orders: [], wakeAt, watch };
    const slice = capped(terms, progress, shareOf(terms, progress, due, left));
    const planned = slice > 0 ? [{ slot: SLOT, side, lots: slice, ...price }] : [];
    return { orders: planned, step: due, wakeAt, watch };
  },
};

/** A market order for the rest, whatever the worst price of the slices was, or nothing. */
function afterEnd({ side, atEnd, slices }: ScheduleTerms, { step }: Progress, left: number): Plan {
  if (atEnd === 'market') {
    const rest = { orders: [{ slot: SLOT, side, lots: left }] };
    return step < slices ? { ...rest, step: slices } : rest;
  }
  return { orders: [], ended: 'expired', why: `its time is over with ${left} lots left` };
}

function weightsOf({
  profile,
  slices,
}: Vwap): ScheduleTerms['weights'] | ReturnType<typeof invalid> {
  if (profile === undefined) return 'recent';
  const weights = profile.map(({ volume }) => volume);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.length !== slices || slices > PROFILE_MAX) {
    return invalid(
      'profile',
      `The profile has ${weights.length} volumes for ${slices} slices; it has one for each, ${PROFILE_MAX} at most`,
    );
  }
  if (total > 0 && Number.isSafeInteger(total)) return weights;
  return invalid('profile', 'The volumes of the profile are all 0, or too large');
}

/** Lots of a slice: its weight among those of all remaining slices. */
function shareOf(terms: ScheduleTerms, progress: Progress, step: number, left: number): number {
  const { weights, slices } = terms;
  const remaining = slices - step;
  if (remaining === 1) return left;
  if (Array.isArray(weights)) {
    const rest = (weights as readonly number[]).slice(step);
    const total = rest.reduce((sum, weight) => sum + weight, 0);
    return total === 0 ? 0 : floorOf(left, rest[0], total);
  }
  const { count, total } = progress.volumes;
  // How much the last interval was above the average of those before it.
  if (weights === 'recent' && step > 0 && count > 0 && total > 0) {
    const share = (BigInt(left) * BigInt(progress.volume) * BigInt(count)) / (BigInt(total) * BigInt(remaining)); // prettier-ignore
    return Number(share < BigInt(left) ? share : BigInt(left));
  }
  return Math.floor(left / remaining);
}

const floorOf = (left: number, weight: number, total: number): number =>
  Number((BigInt(left) * BigInt(weight)) / BigInt(total));

function capped({ participation }: ScheduleTerms, { volume }: Progress, slice: number): number {
  if (participation === undefined) return slice;
  return Math.min(slice, new Decimal(participation).times(volume).floor().toNumber());
}

/** The last due slice; -1 before the first. */
function dueStep(terms: ScheduleTerms, startedAt: number, at: number): number {
  const interval = terms.overUs / terms.slices;
  let step = Math.min(terms.slices - 1, Math.floor((at - startedAt) / interval) + 1);
  while (step >= 0 && stepAt(terms, startedAt, step) > at) step -= 1;
  return step;
}

/** When a slice is due, by the clock of the platform. */
function stepAt(terms: ScheduleTerms, startedAt: number, step: number): number {
  const { overUs, slices, jitter } = terms;
  const late = jitter === 0 ? 0 : Math.floor((overUs / slices) * jitter * chances(terms)[step]);
  return startedAt + Math.floor((overUs * step) / slices) + late;
}

const drawn = new WeakMap<ScheduleTerms, readonly number[]>();

/** A number from 0 to 1 for each slice; the id is the seed, so that a restart draws the same. */
function chances(terms: ScheduleTerms): readonly number[] {
  const known = drawn.get(terms);
  if (known !== undefined) return known;
  let seed = 0;
  for (const sign of terms.id) seed = (Math.imul(seed, 31) + (sign.codePointAt(0) ?? 0)) >>> 0;
  const random = new Random(seed);
  const made = Array.from({ length: terms.slices }, () => random.unit());
  drawn.set(terms, made);
  return made;
}
