import { Decimal, decimal } from '../../../src/model/decimal.ts';
import {
  parseHoldingKey,
  holdingName,
  type HoldingKey,
  type PriceOf,
} from '../../../src/model/portfolio.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  TransferRoute,
  NetworkFee,
  Offer,
} from '../../../src/swaps/execution/transfer-route.ts';

/** What moving by a pair takes: all in worth, but for the shares. */
export interface Tariff {
  readonly from: string;
  readonly to: string;
  readonly fixed: string;
  readonly share: string;
  /** So much less than expected may arrive, as a share. */
  readonly slip?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** Amounts go in steps of this; in units of the asset. */
  readonly step?: string;
  /** What the network takes of a coin, in its units. */
  readonly fee?: TariffFee | undefined;
}

export interface TariffFee {
  /** Its holding, and what there is of it. */
  readonly coin: string;
  readonly held: string;
  readonly expected: string;
  readonly most: string;
}

export function holding(name: string): HoldingKey {
  const found = parseHoldingKey(name);
  if (found === undefined) throw new Error(`${name} is no holding`);
  return found;
}

/** Offers by tariffs, and counts how often it is asked. */
export class TariffRoute implements TransferRoute {
  readonly kind = 'swap';
  asked = 0;
  /** Questions that are open, and the most that ever were. */
  open = 0;
  openMost = 0;

  readonly name: string;
  readonly tariffs: readonly Tariff[];
  readonly priceOf: PriceOf;

  constructor(name: string, tariffs: readonly Tariff[], priceOf: PriceOf) {
    this.name = name;
    this.tariffs = tariffs;
    this.priceOf = priceOf;
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    return this.tariffs.map(({ from, to }) => [holding(from), holding(to)]);
  }

  async offer(from: HoldingKey, to: HoldingKey, asked: Decimal): Promise<Offer | Rejection> {
    this.asked += 1;
    this.open += 1;
    this.openMost = Math.max(this.open, this.openMost);
    await Promise.resolve();
    this.open -= 1;
    return this.#offer(from, to, asked);
  }

  #offer(from: HoldingKey, to: HoldingKey, asked: Decimal): Offer | Rejection {
    const tariff = this.tariffs.find((one) => one.from === holdingName(from) && one.to === holdingName(to)); // prettier-ignore
    if (tariff === undefined) return { code: 'pair-unavailable', message: 'no such pair' };
    const [paid, got] = [this.priceOf(from.asset) ?? decimal('1'), this.priceOf(to.asset) ?? decimal('1')]; // prettier-ignore
    const send = tariff.step === undefined ? asked : asked.divToInt(tariff.step).times(tariff.step);
    const value = send.times(paid);
    const { fixed, share, slip = '0', minimum = '0', maximum = '1000000000', fee } = tariff;
    if (fee !== undefined && decimal(fee.most).greaterThan(fee.held)) {
      return { code: 'funds-insufficient', field: 'fee', message: `${fee.coin} has ${fee.held}.` };
    }
    if (value.lessThan(minimum) || !value.greaterThan(0)) {
      const limit = new Decimal(minimum).div(paid).toSignificantDigits(20, Decimal.ROUND_UP);
      return { code: 'amount-below-minimum', message: 'too little', limit: limit.toFixed() };
    }
    if (value.greaterThan(maximum)) {
      const limit = new Decimal(maximum).div(paid).toSignificantDigits(20, Decimal.ROUND_DOWN);
      return { code: 'amount-above-maximum', message: 'too much', limit: limit.toFixed() };
    }
    const arrives = value.times(new Decimal(1).minus(share)).minus(fixed);
    if (!arrives.greaterThan(0)) return { code: 'amount-below-fee', message: 'nothing is left' };
    const expected = arrives.div(got).toSignificantDigits(30, Decimal.ROUND_DOWN);
    const least = expected.times(new Decimal(1).minus(slip));
    return {
      route: this.name,
      kind: this.kind,
      from,
      to,
      send,
      least,
      expected,
      expiresAt: micros(60_000_000),
      durationUs: 1_000_000,
      ...(fee !== undefined && { networkFee: networkFeeOf(fee) }),
      terms: {},
    };
  }

  next(): undefined {
    return undefined;
  }

  perform = never;
  recall = never;
  observe = never;
}

const networkFeeOf = ({ coin, held, expected, most }: TariffFee): NetworkFee => ({
  of: 'payment',
  coin: holding(coin),
  held: decimal(held),
  expected: decimal(expected),
  most: decimal(most),
  isIncluded: false,
});

const never = (): Promise<never> => Promise.reject(new Error('a planner moves nothing'));
