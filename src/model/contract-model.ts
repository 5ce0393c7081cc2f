import type { Decimal } from './decimal.ts';

/**
 * A contract computed by a venue in this process; prices are undefined before the first is known.
 */
export interface ContractModel {
  readonly markPrice: Decimal | undefined;
  readonly indexPrice: Decimal | undefined;
  /** Rate of the coming funding; undefined without one. */
  readonly fundingRate: Decimal | undefined;
  /** +Infinity if unknown. */
  readonly nextFundingAt: number;
  readonly fundingPeriodUs: number;
}
