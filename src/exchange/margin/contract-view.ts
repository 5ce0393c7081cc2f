import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { INTEREST_RATE } from '../../rules/margin/funding.ts';
import type { Position } from '../positions/account.ts';
import type { Contract } from '../positions/contract.ts';
import type { MarkPrices } from '../positions/prices.ts';

/** What everybody may know of a futures contract; prices are undefined before the first is known. */
export interface ContractView {
  readonly symbol: string;
  readonly contractType: 'perpetual' | 'cash_settled';
  readonly markPrice: Decimal | undefined;
  readonly indexPrice: Decimal | undefined;
  /** Rate of the coming funding, and the average premium of the period before, which made it. */
  readonly fundingRate: Decimal;
  readonly avgPremiumIndex: Decimal;
  /** What the rate would be if the period under way ended now. */
  readonly indicativeFundingRate: Decimal;
  /** The latest sample. */
  readonly premiumIndex: Decimal;
  readonly interestRate: Decimal;
  /** +Infinity where there is no funding. */
  readonly nextFundingAt: number;
  /** How far fundings are apart. */
  readonly fundingPeriodUs: number;
  /** Lots that are long, those of the tape included, as a quantity. */
  readonly openInterest: Decimal;
}

/** Draws a contract up. */
export function contractView(
  terms: Instrument,
  contract: Contract,
  prices: MarkPrices,
  positionsOn: readonly (readonly Position[])[],
): ContractView {
  const { instrument, fundingRate, avgPremiumIndex, indicativeFundingRate, premiumIndex } =
    contract;
  // The tape holds the opposite of what the accounts hold together, so the larger side is all there is.
  let longs = 0n;
  let shorts = 0n;
  for (const { lots } of positionsOn[instrument]) {
    if (lots > 0) longs += BigInt(lots);
    else shorts -= BigInt(lots);
  }
  return {
    symbol: terms.symbol,
    contractType: terms.terms.contractType ?? 'perpetual',
    markPrice: prices.price(instrument),
    indexPrice: prices.index(instrument),
    fundingRate,
    avgPremiumIndex,
    indicativeFundingRate,
    premiumIndex,
    interestRate: INTEREST_RATE,
    nextFundingAt: contract.nextFundingAt,
    fundingPeriodUs: contract.periodUs,
    openInterest: terms.quantityIncrement.times((longs > shorts ? longs : shorts).toString()),
  };
}
