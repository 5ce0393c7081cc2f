import { ZERO, type Decimal } from '../../model/decimal.ts';
import { averagePremium, fundingRate } from '../../rules/margin/funding.ts';

/** Index samples of the last hour, one a minute, that a cash-settled contract is settled by. */
const SETTLED_BY = 60;

/** A funding as it was paid. */
export interface Funding {
  readonly at: number;
  readonly fundingRate: Decimal;
  readonly avgPremiumIndex: Decimal;
  readonly nextFundingAt: number;
}

/** What is sampled of a futures contract, and what follows from it. */
export class Contract {
  readonly instrument: number;
  /** The rate of the coming funding and the average premium of the period before, which made it. */
  fundingRate: Decimal = fundingRate(ZERO);
  avgPremiumIndex: Decimal = ZERO;
  /** The latest sample. */
  premiumIndex: Decimal = ZERO;
  /** When the next funding is; +Infinity before the first look at the market, and without funding. */
  nextFundingAt: number = Number.POSITIVE_INFINITY;
  #sum: Decimal = ZERO;
  #samples = 0;
  #indices: Decimal[] = [];

  constructor(instrument: number) {
    this.instrument = instrument;
  }

  /** What the funding rate of the period under way would be if it ended now. */
  get indicativeFundingRate(): Decimal {
    return fundingRate(averagePremium(this.#sum, this.#samples));
  }

  /** The index samples of the last hour. */
  get indices(): readonly Decimal[] {
    return this.#indices;
  }

  /** Takes the sample of a minute. */
  sample(index: Decimal, premium: Decimal): void {
    this.premiumIndex = premium;
    this.#sum = this.#sum.plus(premium);
    this.#samples += 1;
    this.#indices.push(index);
    if (this.#indices.length > SETTLED_BY) this.#indices.shift();
  }

  /** A period has ended: its average fixes the rate of the next funding. */
  turn(nextFundingAt: number): void {
    this.avgPremiumIndex = averagePremium(this.#sum, this.#samples);
    this.fundingRate = fundingRate(this.avgPremiumIndex);
    this.nextFundingAt = nextFundingAt;
    this.#sum = ZERO;
    this.#samples = 0;
  }
}
