import { type Decimal, ZERO } from '../../model/decimal.ts';
import type { SplitNumber } from '../../model/derivative.ts';
import { averagePremium, fundingRate } from '../../rules/margin/funding.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import type { Position } from './account.ts';

/** Index samples for the settlement of a cash-settled contract: the last hour, one a minute. */
const SETTLED_BY = 60;

/** A paid funding. */
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

/** A funding, or a possible one, without a known rate: the lots and the mark price at its time. */
export interface PendingFunding {
  readonly at: number;
  readonly mark: Decimal | undefined;
  readonly lots: readonly FundedLots[];
  /** False if no venue has announced it. */
  readonly isDue: boolean;
}

/** Funding data of a venue. */
export interface ReportedFunding {
  readonly rate: SplitNumber;
  /** When it is paid, and the payment after it; 0 if unknown. */
  readonly at: number;
  readonly nextAt: number;
}

/** Samples of a futures contract, and what follows from them. */
export class Contract {
  readonly instrument: number;
  /**
   * Rate of the coming funding, and the average premium of the period before, from which it
   * follows.
   */
  fundingRate: Decimal = fundingRate(ZERO);
  avgPremiumIndex: Decimal = ZERO;
  /** Latest sample. */
  premiumIndex: Decimal = ZERO;
  /** Time of the next funding; +Infinity before the first market data, and without funding. */
  nextFundingAt: number = Number.POSITIVE_INFINITY;
  /** Time of the funding after it, if a venue has sent it. */
  afterNextAt: number = Number.POSITIVE_INFINITY;
  /** Time of the last paid funding. */
  fundedAt: number = Number.NEGATIVE_INFINITY;
  /** Time between fundings. */
  periodUs: number = FUNDING_PERIOD_US;
  /** True if funding rates come from a venue only. */
  isReported = false;
  /** True if the venue sends rates without times. */
  isTimeless = false;
  /** False from a funding until the rate of the next one comes. */
  isRateKnown = true;
  pending: PendingFunding | undefined;
  /** Data of the funding after the coming one. */
  early: ReportedFunding | undefined;
  /** Timer ticket of the coming funding, -1 without one. */
  ticket = -1;
  /** Fundings not paid, as their rate never came. */
  missed = 0;
  #sum: Decimal = ZERO;
  #samples = 0;
  #indices: Decimal[] = [];

  /** `isReported` means that a venue sends the funding rates: none is paid before the first. */
  constructor(instrument: number, isReported: boolean) {
    this.instrument = instrument;
    if (isReported) this.awaitRate();
  }

  /** From now on a venue sends the funding rates: none is paid before the first. */
  awaitRate(): void {
    this.isReported = true;
    this.isRateKnown = false;
  }

  /** Funding rate if the current period ended now. */
  get indicativeFundingRate(): Decimal {
    return fundingRate(averagePremium(this.#sum, this.#samples));
  }

  /** Index samples of the last hour. */
  get indices(): readonly Decimal[] {
    return this.#indices;
  }

  /** Adds the sample of a minute. */
  sample(index: Decimal, premium: Decimal): void {
    this.premiumIndex = premium;
    this.#sum = this.#sum.plus(premium);
    this.#samples += 1;
    this.#indices.push(index);
    if (this.#indices.length > SETTLED_BY) this.#indices.shift();
  }

  /** Ends a period: its average gives the rate of the next funding, unless a venue sends it. */
  turn(): void {
    this.avgPremiumIndex = averagePremium(this.#sum, this.#samples);
    if (!this.isReported) this.fundingRate = fundingRate(this.avgPremiumIndex);
    this.#sum = ZERO;
    this.#samples = 0;
  }
}
