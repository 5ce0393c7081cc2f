import { ZERO, Decimal } from '../../model/decimal.ts';
import { holdingName, type PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection, type RejectionCode } from '../../model/rejections.ts';
import type { NetworkFee, Offer } from '../execution/transfer-route.ts';
import { isSoundFee } from '../execution/soundness.ts';
import { ARRIVES, Curve, STEP, type EdgeFee } from './curve.ts';
import type { PlannerLimits } from './request.ts';
import type { Edge } from './edges.ts';

/** Digits of the amounts that are asked for; what a float has beyond them is noise. */
const DIGITS = 9;
/** A bound is kept by this part of it more, as floats and the digits of amounts may miss it. */
const HAIR = 1e-8;

const TOO_MUCH: ReadonlySet<RejectionCode> = new Set([
  ...(['amount-above-maximum', 'liquidity-insufficient'] as const),
]);
const TOO_LITTLE: ReadonlySet<RejectionCode> = new Set([
  ...(['amount-below-minimum', 'amount-below-fee', 'quantity-below-minimum'] as const),
]);

/** Money is not burned to bring a share to where it is wanted. */
const BURNT: Rejection = {
  code: 'amount-below-fee',
  message: 'Next to nothing would arrive of so little.',
};

/** Asks routes for offers, each pair and amount once and a few at a time, and learns of them. */
export class Inquiry {
  /** What is known of each edge, by its place. */
  readonly curves: readonly Curve[];
  /** Why an edge brings nothing, by its place. */
  readonly rejections = new Map<number, Rejection>();
  /** The fee of the last offer on each edge that has one beside what is sent, by its place. */
  readonly fees = new Map<number, NetworkFee>();
  readonly #priceOf: PriceOf;
  readonly #limits: PlannerLimits;
  readonly #answers = new Map<string, Promise<Offer | Rejection>>();
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

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

  /** Offers that were asked for. */
  get asked(): number {
    return this.#answers.size;
  }

  /** Offers that may be asked for. */
  get most(): number {
    return this.#limits.offers;
  }

  /** True where nothing more may be asked. */
  get isSpent(): boolean {
    return this.asked >= this.most;
  }

  /** An amount of an asset of so much worth, with as many digits as are asked for. */
  amountOf(value: number, asset: string, rounding: 'up' | 'down'): Decimal {
    const price = this.#priceOf(asset)?.toNumber() ?? Infinity;
    const mode = rounding === 'up' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN;
    return new Decimal((value / price).toPrecision(12)).toSignificantDigits(DIGITS, mode);
  }

  /** An offer, asked now or known; nothing where no more may be asked. */
  async ask(edge: Edge, amount: Decimal): Promise<Offer | Rejection | undefined> {
    const key = `${edge.index} ${amount.toFixed()}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.isSpent) return undefined;
    const answer = this.#askNow(edge, amount);
    this.#answers.set(key, answer);
    const given = await answer;
    if (isRejection(given)) this.#learnBound(edge, amount, given);
    else this.#learn(edge, given);
    return given;
  }

  async #askNow({ route, from, to }: Edge, amount: Decimal): Promise<Offer | Rejection> {
    if (this.#underWay >= this.#limits.atOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#underWay += 1;
    try {
      const offer = await route.offer(from, to, amount);
      if (isRejection(offer)) return offer;
      const isOwn =
        holdingName(offer.from) === holdingName(from) && holdingName(offer.to) === holdingName(to);
      if (isOwn && isSound(offer, amount)) return this.#burns(offer) ? BURNT : offer;
      return { code: 'venue-refused', message: `${route.name} offers what was not asked for.` };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code: 'venue-unreachable', message };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }

  #burns({ from, to, send, least, networkFee }: Offer): boolean {
    const [paid, got] = [this.#priceOf(from.asset), this.#priceOf(to.asset)];
    if (paid === undefined || got === undefined) return false;
    const fee = networkFee === undefined ? ZERO : this.#feeValue(networkFee);
    return !least.times(got).minus(fee).greaterThan(send.times(paid).times(ARRIVES));
  }

  /** What is expected of a fee that is no part of what is sent; 0 where its coin has no price. */
  #feeValue({ coin, expected, isIncluded }: NetworkFee): Decimal {
    return isIncluded ? ZERO : expected.times(this.#priceOf(coin.asset) ?? ZERO);
  }

  /** A fee beside what is sent, as curves have it. */
  #edgeFee(index: number, fee: NetworkFee | undefined): EdgeFee | undefined {
    if (fee === undefined || fee.isIncluded) return undefined;
    this.fees.set(index, fee);
    const { coin, most, held } = fee;
    const price = this.#priceOf(coin.asset) ?? ZERO;
    return {
      coin: holdingName(coin),
      value: this.#feeValue(fee).toNumber(),
      most: most.times(price).toNumber(),
      share: held === undefined || most.isZero() ? 0 : most.div(held).toNumber(),
      held: held === undefined ? 0 : held.times(price).toNumber(),
    };
  }

  #learn({ index, from, to }: Edge, { send, least, expected, networkFee }: Offer): void {
    const [paid, got] = [this.#priceOf(from.asset), this.#priceOf(to.asset)];
    if (paid === undefined || got === undefined) return;
    this.curves[index]?.learn({
      send: send.times(paid).toNumber(),
      least: least.times(got).toNumber(),
      expected: expected.times(got).toNumber(),
      fee: this.#edgeFee(index, networkFee),
    });
  }

  #learnBound({ index, from }: Edge, amount: Decimal, rejection: Rejection): void {
    const curve = this.curves[index];
    const price = this.#priceOf(from.asset)?.toNumber();
    if (curve === undefined || price === undefined) return;
    const asked = amount.toNumber() * price;
    const limit = rejection.limit === undefined ? Number.NaN : Number(rejection.limit) * price;
    this.rejections.set(index, rejection);
    if (TOO_LITTLE.has(rejection.code)) {
      const isNamed = limit * (1 + HAIR) >= asked;
      const least = Math.max(limit, asked) * (1 + HAIR);
      // A bound that was known was missed by what was rounded off: a step further in it is kept.
      const inner = curve.minimum < least ? least : curve.minimum + 2 * (least - asked);
      if (isNamed) curve.confine(inner);
      else curve.refuse(asked);
    } else if (TOO_MUCH.has(rejection.code)) {
      const isNamed = limit * (1 - HAIR) <= asked;
      const most = isNamed ? Math.min(limit, asked) * (1 - HAIR) : asked / STEP;
      const inner = curve.maximum > most ? most : curve.maximum - 2 * (asked - most);
      curve.maximum = Math.min(curve.maximum, inner);
    } else curve.maximum = 0;
  }
}

/** An offer sends no more than was asked for, and more than nothing. */
export const isSound = ({ send, least, expected, networkFee }: Offer, amount: Decimal): boolean =>
  [send, least, expected].every((one) => one.isFinite()) &&
  send.greaterThan(0) &&
  !send.greaterThan(amount) &&
  !least.isNegative() &&
  !expected.lessThan(least) &&
  isSoundFee(networkFee);

/** What an edge is called in sentences: `USDC@ethereum to BTC@bitcoin by swaps`. */
export const edgeTitle = ({ route, from, to }: Edge): string =>
  `${holdingName(from)} to ${holdingName(to)} by ${route.name}`;
