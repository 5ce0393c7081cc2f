import { ZERO, Decimal } from '../../model/decimal.ts';
import { holdingName, type HoldingKey, type PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection, type RejectionCode } from '../../model/rejections.ts';
import { feeValue } from '../execution/plan.ts';
import { isSoundFee } from '../execution/soundness.ts';
import type { NetworkFee, Offer } from '../execution/transfer-route.ts';
import { ARRIVAL_MIN, Curve, STEP, type EdgeFee } from './curve.ts';
import type { PlannerLimits } from './request.ts';
import type { Edge } from './edges.ts';

/** Significant digits of requested amounts; further digits of a float are noise. */
const DIGITS = 9;
/** Amounts stay inside a bound by this share, as floats and limited digits may miss it. */
const BOUND_EPSILON = 1e-8;

const TOO_MUCH: ReadonlySet<RejectionCode> = new Set([
  ...(['amount-above-maximum', 'liquidity-insufficient'] as const),
]);
const TOO_LITTLE: ReadonlySet<RejectionCode> = new Set([
  ...(['amount-below-minimum', 'amount-below-fee', 'quantity-below-minimum'] as const),
]);

/** A loss may not bring a share into its band. */
const NEXT_TO_NOTHING: Rejection = {
  code: 'amount-below-fee',
  message: 'Next to nothing would arrive of so little.',
};

/** Requests offers, each pair and amount once and a few at a time, and keeps what they show. */
export class Inquiry {
  /** By index of the edge. */
  readonly curves: readonly Curve[];
  /** The last rejection on an edge, by its index. */
  readonly rejections = new Map<number, Rejection>();
  /** The fee of the last offer on an edge, by its index, where it is paid beside what is sent. */
  readonly fees = new Map<number, NetworkFee>();
  readonly #priceOf: PriceOf;
  readonly #limits: PlannerLimits;
  readonly #answers = new Map<string, Promise<Offer | Rejection>>();
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(
    edges: readonly Edge[],
    minimumValue: Decimal,
    priceOf: PriceOf,
    limits: PlannerLimits,
  ) {
    this.#priceOf = priceOf;
    this.#limits = limits;
    this.curves = edges.map(() => new Curve(minimumValue.toNumber()));
  }

  /** Offers requested. */
  get asked(): number {
    return this.#answers.size;
  }

  /** Offers that may be requested. */
  get offersMax(): number {
    return this.#limits.offers;
  }

  get isExhausted(): boolean {
    return this.asked >= this.offersMax;
  }

  /** The amount of an asset with this value, in the digits of a request. */
  amountOf(value: number, asset: string, rounding: 'up' | 'down'): Decimal {
    const price = this.#priceOf(asset)?.toNumber() ?? Infinity;
    const mode = rounding === 'up' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN;
    return new Decimal((value / price).toPrecision(12)).toSignificantDigits(DIGITS, mode);
  }

  /** An offer, requested now or known; `undefined` where no more may be requested. */
  async ask(edge: Edge, amount: Decimal): Promise<Offer | Rejection | undefined> {
    const key = `${edge.index} ${amount.toFixed()}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.isExhausted) return undefined;
    const answer = this.#askNow(edge, amount);
    this.#answers.set(key, answer);
    const given = await answer;
    if (isRejection(given)) this.#applyRejection(edge, amount, given);
    else this.#addPoint(edge, given);
    return given;
  }

  async #askNow({ route, from, to }: Edge, amount: Decimal): Promise<Offer | Rejection> {
    if (this.#open >= this.#limits.atOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#open += 1;
    try {
      const offer = await route.offer(from, to, amount);
      if (isRejection(offer)) return offer;
      if (isAnswer(offer, from, to, amount))
        return this.#losesNearlyAll(offer) ? NEXT_TO_NOTHING : offer;
      return { code: 'venue-refused', message: `${route.name} offers what was not asked for.` };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code: 'venue-unreachable', message };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#open -= 1;
      else next();
    }
  }

  /** 0 for a coin of fees without a price; edges have prices. */
  #price({ asset }: HoldingKey): Decimal {
    return this.#priceOf(asset) ?? ZERO;
  }

  #losesNearlyAll({ from, to, send, least, networkFee }: Offer): boolean {
    const [paid, got] = [this.#price(from), this.#price(to)];
    const fee = networkFee === undefined ? ZERO : feeValue(networkFee, networkFee.expected, this.#priceOf); // prettier-ignore
    return !least.times(got).minus(fee).greaterThan(send.times(paid).times(ARRIVAL_MIN));
  }

  /** A fee paid beside what is sent, for the curve. */
  #edgeFee(index: number, fee: NetworkFee | undefined): EdgeFee | undefined {
    if (fee === undefined || fee.isIncluded) return undefined;
    this.fees.set(index, fee);
    const { coin, expected, most, held } = fee;
    const price = this.#price(coin);
    return {
      coin: holdingName(coin),
      value: expected.times(price).toNumber(),
      most: most.times(price).toNumber(),
      share: held === undefined || most.isZero() ? 0 : most.div(held).toNumber(),
      held: held === undefined ? 0 : held.times(price).toNumber(),
    };
  }

  #addPoint({ index, from, to }: Edge, { send, least, expected, networkFee }: Offer): void {
    const [paid, got] = [this.#price(from), this.#price(to)];
    this.curves[index].add({
      send: send.times(paid).toNumber(),
      least: least.times(got).toNumber(),
      expected: expected.times(got).toNumber(),
      fee: this.#edgeFee(index, networkFee),
    });
  }

  #applyRejection({ index, from }: Edge, amount: Decimal, rejection: Rejection): void {
    const curve = this.curves[index];
    const price = this.#price(from).toNumber();
    const asked = amount.toNumber() * price;
    const limit = rejection.limit === undefined ? Number.NaN : Number(rejection.limit) * price;
    this.rejections.set(index, rejection);
    if (TOO_LITTLE.has(rejection.code)) {
      const isNamed = limit * (1 + BOUND_EPSILON) >= asked;
      const least = Math.max(limit, asked) * (1 + BOUND_EPSILON);
      // Rounding missed a known bound: it moves inwards.
      const inner = curve.minimum < least ? least : curve.minimum + 2 * (least - asked);
      if (isNamed) curve.raiseMinimum(inner);
      else curve.rejectAsTooLittle(asked);
    } else if (TOO_MUCH.has(rejection.code)) {
      const isNamed = limit * (1 - BOUND_EPSILON) <= asked;
      const most = isNamed ? Math.min(limit, asked) * (1 - BOUND_EPSILON) : asked / STEP;
      const inner = curve.maximum > most ? most : curve.maximum - 2 * (asked - most);
      curve.maximum = Math.min(curve.maximum, inner);
    } else curve.maximum = 0;
  }
}

/** True for an offer of what was requested: the same holdings, and no more than the amount. */
export const isAnswer = (
  { send, least, expected, networkFee, ...offer }: Offer,
  from: HoldingKey,
  to: HoldingKey,
  amount: Decimal,
): boolean =>
  holdingName(offer.from) === holdingName(from) &&
  holdingName(offer.to) === holdingName(to) &&
  [send, least, expected].every((one) => one.isFinite()) &&
  send.greaterThan(0) &&
  !send.greaterThan(amount) &&
  !least.isNegative() &&
  !expected.lessThan(least) &&
  isSoundFee(networkFee);

/** `USDC@ethereum to BTC@bitcoin by swaps`. */
export const edgeTitle = ({ route, from, to }: Edge): string =>
  `${holdingName(from)} to ${holdingName(to)} by ${route.name}`;
