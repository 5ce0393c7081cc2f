import type { RouteOffer } from '../account/route.ts';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import { slotName, type Slot, type PriceOf } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { MoveChange, MoveRecord } from '../../../swaps/execution/carrier.ts';
import type { TransfersInFlight, Leg } from './transfers-in-flight.ts';
import type { OutsideFunds } from './outside-funds.ts';
import { floored, type ModelledRoute } from './route.ts';
import type { ServiceModel } from './settings.ts';
import { meanOf } from './span.ts';

const ONE = new Decimal(1);
/** The worth by which the impact of a service is stated. */
const IMPACT_VALUE = 1_000;

export interface ServiceParts {
  readonly model: ServiceModel;
  readonly priceOf: PriceOf;
  readonly outside: OutsideFunds;
  readonly inFlight: TransfersInFlight;
}

/** A swap from wallet to wallet, by a swap intent or by an exchange order. */
export class ModelledService implements ModelledRoute {
  readonly from: Slot;
  readonly to: Slot;
  readonly opening: NonNullable<ModelledRoute['opening']>;
  readonly paying: string;
  readonly #parts: ServiceParts;

  constructor(from: Slot, to: Slot, parts: ServiceParts) {
    const isSwap = parts.model.kind === 'swap';
    this.from = from;
    this.to = to;
    this.opening = {
      name: isSwap ? 'createIntent' : 'createOrder',
      open: (move) => this.#open(move),
    };
    this.paying = isSwap ? 'approve' : 'payIn';
    this.#parts = parts;
  }

  /** The market price less spread and impact, less the fee; rounded down. */
  offer(send: Decimal): RouteOffer | Rejection {
    const { model, inFlight } = this.#parts;
    if (inFlight.happens(model.chances.refused)) {
      return { code: 'venue-refused', message: `There is no offer for ${this.#name()} now.` };
    }
    const prices = this.#prices();
    if (prices === undefined) {
      return { code: 'rate-missing', message: `Nothing says yet what ${this.#name()} is worth.` };
    }
    const bound = this.#bound(send, prices.from);
    if (bound !== undefined) return bound;
    const expected = this.#brings(send, prices);
    const least = floored(expected.times(ONE.minus(model.slippage)), model.decimals);
    if (!least.greaterThan(0)) {
      const limit = model.fee.dividedBy(prices.from).toSignificantDigits(9, Decimal.ROUND_UP);
      const message = `Of ${send.toFixed()} ${this.from.asset} the fee leaves nothing.`;
      return { code: 'amount-below-fee', message, limit: limit.toFixed() };
    }
    const durationUs = meanOf(model.confirm) + meanOf(model.deliver);
    return { send, least, expected, validUs: model.validUs, durationUs, terms: {} };
  }

  pay(move: MoveRecord): Promise<MoveChange> {
    return Promise.resolve(this.#pay(move));
  }

  #pay(move: MoveRecord): MoveChange {
    const { model, outside, inFlight } = this.#parts;
    const { id, send } = move;
    if (inFlight.happens(model.chances.failed)) {
      return inFlight.stand(id, { state: 'failed', reason: 'The service declined it.' });
    }
    if (!outside.leaveWallet(this.from, send)) {
      const reason = `${slotName(this.from)} does not hold ${send.toFixed()} any more.`;
      return inFlight.stand(id, { state: 'failed', reason });
    }
    const isRefunded = inFlight.happens(model.chances.refunded);
    const arrives = this.#arrives(move);
    const seenUs = inFlight.draw(model.confirm);
    const at = inFlight.after(seenUs + inFlight.draw(model.deliver));
    return inFlight.stand(id, { state: 'approved', data: { paid: true } }, [
      { at: inFlight.after(seenUs), change: { state: 'deposited' }, postings: [] },
      { at, ...(isRefunded ? this.#refund(send) : this.#delivery(send, arrives)) },
    ]);
  }

  async #open({ send }: MoveRecord): Promise<MoveChange> {
    const { model, inFlight } = this.#parts;
    await inFlight.pass(inFlight.draw(model.accept));
    if (inFlight.happens(model.chances.expired)) {
      return { state: 'planned', reason: `The offer for ${send.toFixed()} no longer stood.` };
    }
    return { state: 'created', data: { opened: true } };
  }

  #delivery(send: Decimal, arrived: Decimal): Omit<Leg, 'at'> {
    return {
      change: { state: 'fulfilled', arrived },
      postings: [
        { to: 'service', asset: this.from.asset, amount: send },
        { to: 'service', asset: this.to.asset, amount: arrived.negated() },
        { to: 'wallet', slot: this.to, amount: arrived },
      ],
    };
  }

  #refund(send: Decimal): Omit<Leg, 'at'> {
    const reason = 'The service could not deliver and gave the money back.';
    return {
      change: { state: 'refunded', refunded: send, reason },
      postings: [{ to: 'wallet', slot: this.from, amount: send }],
    };
  }

  /** Between the least and what is expected, by chance; rounded down. */
  #arrives({ least, expected }: MoveRecord): Decimal {
    const { model, inFlight } = this.#parts;
    if (least.equals(expected)) return expected;
    const drawn = expected.minus(expected.minus(least).times(inFlight.unit()));
    return Decimal.max(least, floored(drawn, model.decimals));
  }

  #brings(send: Decimal, prices: Prices): Decimal {
    const { spread, impact, fee, decimals } = this.#parts.model;
    const value = send.times(prices.from);
    const lost = spread.plus(impact.times(value).dividedBy(IMPACT_VALUE));
    const left = value.times(ONE.minus(lost)).minus(fee);
    return Decimal.max(ZERO, floored(left.dividedBy(prices.to), decimals));
  }

  /** More brings no more from where the impact of another unit takes all of it. */
  #bound(send: Decimal, price: Decimal): Rejection | undefined {
    const { minimum, maximum, impact, spread } = this.#parts.model;
    const value = send.times(price);
    const { asset } = this.from;
    if (value.lessThan(minimum)) {
      const limit = minimum.dividedBy(price).toSignificantDigits(9, Decimal.ROUND_UP).toFixed();
      const message = `Less than ${limit} ${asset} is not taken.`;
      return { code: 'amount-below-minimum', message, limit };
    }
    const peak = impact.isZero()
      ? undefined
      : ONE.minus(spread).times(IMPACT_VALUE).dividedBy(impact.times(2));
    const most = [maximum, peak].filter((one) => one !== undefined);
    const bound = most.length === 0 ? undefined : Decimal.min(...most);
    if (bound === undefined || !value.greaterThan(bound)) return undefined;
    const limit = bound.dividedBy(price).toSignificantDigits(9, Decimal.ROUND_DOWN).toFixed();
    const message = `More than ${limit} ${asset} is not taken.`;
    return { code: 'amount-above-maximum', message, limit };
  }

  #prices(): Prices | undefined {
    const { priceOf } = this.#parts;
    const [from, to] = [priceOf(this.from.asset), priceOf(this.to.asset)];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  #name(): string {
    return `${slotName(this.from)} to ${slotName(this.to)}`;
  }
}

interface Prices {
  readonly from: Decimal;
  readonly to: Decimal;
}
