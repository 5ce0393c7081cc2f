import { type Decimal, ZERO } from '../../model/decimal.ts';
import type { SplitNumber } from '../../model/derivative.ts';
import { averagePremium, fundingRate } from '../../rules/margin/funding.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import type { Position } from './account.ts';

/** Index samples of the last hour, one a minute, that a cash-settled contract is settled by. */
const SETTLED_BY = 60;

/** A funding as it was paid. */
export interface Funding {
  readonly at: number;
  readonly fundingRate: Decimal;
  readonly avgPremiumIndex: Decimal;
  readonly nextFundingAt: number;
}

/** Lots that a funding is paid for. */
export interface FundedLots {
  readonly position: Position;
  readonly lots: number;
}

/** A time at which a funding is, or may be, whose rate is not known yet: who was there, and at which mark. */
export interface PendingFunding {
  readonly at: number;
  readonly mark: Decimal | undefined;
  readonly lots: readonly FundedLots[];
  /** False where nobody has said that there is one. */
  readonly isDue: boolean;
}

/** What a venue says of a funding. */
export interface ReportedFunding {
  readonly rate: SplitNumber;
  /** When it is paid, and the payment after it; 0 where that is not said. */
  readonly at: number;
  readonly nextAt: number;
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
  /** The funding after it, where a venue has sent that. */
  afterNextAt: number = Number.POSITIVE_INFINITY;
  /** When a funding was paid last. */
  fundedAt: number = Number.NEGATIVE_INFINITY;
  /** How far fundings are apart. */
  periodUs: number = FUNDING_PERIOD_US;
  /** True where the rates of fundings come from a venue alone. */
  isReported = false;
  /** True where it sends them without times. */
  isTimeless = false;
  /** False from a funding until the rate of the next one comes. */
  isRateKnown = true;
  pending: PendingFunding | undefined;
  /** What was sent of the funding after the coming one. */
  early: ReportedFunding | undefined;
  /** Ticket of the coming funding, -1 without one. */
  ticket = -1;
  /** Fundings that were not paid, as their rate never came. */
  missed = 0;
  #sum: Decimal = ZERO;
  #samples = 0;
  #indices: Decimal[] = [];

  /** `isReported` says that a venue will send the rates of its fundings: none is paid before. */
  constructor(instrument: number, isReported: boolean) {
    this.instrument = instrument;
    if (isReported) this.awaitRate();
  }

  /** A venue will send the rates of its fundings: none is paid before. */
  awaitRate(): void {
    this.isReported = true;
    this.isRateKnown = false;
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

  /** A period has ended: its average fixes the rate of the next funding, where no venue sends it. */
  turn(): void {
    this.avgPremiumIndex = averagePremium(this.#sum, this.#samples);
    if (!this.isReported) this.fundingRate = fundingRate(this.avgPremiumIndex);
    this.#sum = ZERO;
    this.#samples = 0;
  }
}
