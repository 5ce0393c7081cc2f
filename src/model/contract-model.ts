import type { Decimal } from './decimal.ts';

/** A contract as a venue in this process makes it; prices are undefined before the first is known. */
export interface ContractModel {
  readonly markPrice: Decimal | undefined;
  readonly indexPrice: Decimal | undefined;
  /** Of the coming funding; undefined where there is none. */
  readonly fundingRate: Decimal | undefined;
  /** +Infinity where it is not known. */
  readonly nextFundingAt: number;
  readonly fundingPeriodUs: number;
}
