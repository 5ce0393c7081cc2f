import type { ContractView } from '../../../../exchange/margin/views.ts';
import type { Funding } from '../../../../exchange/positions/contract.ts';
import { MillraceError } from '../../../../model/errors.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import { INTEREST_RATE } from '../../../../rules/margin/funding.ts';
import { atScale } from '../../../../wire/trading/printing.ts';
import type {
  funding as fundingRecord,
  futuresInfo,
} from '../../../../wire/trading/v3/records/market.ts';
import type { TradingService } from '../../service.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { finePriceText } from '../market-numbers.ts';

/** State of a contract. One without funding has no funding members. */
function futuresInfoView(
  instrument: Instrument,
  view: ContractView,
  at: Micros,
): Writable<typeof futuresInfo> {
  const { markPrice, indexPrice, nextFundingAt } = view;
  return {
    contract_type: view.contractType,
    mark_price: markPrice === undefined ? null : finePriceText(instrument, markPrice),
    index_price: indexPrice === undefined ? null : finePriceText(instrument, indexPrice),
    open_interest: atScale(view.openInterest, instrument.quantityIncrement),
    premium_index: view.premiumIndex,
    ...(Number.isFinite(nextFundingAt)
      ? {
          funding_rate: view.fundingRate,
          next_funding_time: nextFundingAt as Micros,
          indicative_funding_rate: view.indicativeFundingRate,
          avg_premium_index: view.avgPremiumIndex,
          interest_rate: view.interestRate,
        }
      : {}),
    timestamp: at,
  };
}

/** Present state of an instrument's contract. */
export function futuresInfoOf(
  service: TradingService,
  index: number,
): Writable<typeof futuresInfo> {
  const view = service.exchange.margin.contract(index);
  const instrument = service.exchange.instruments[index];
  if (view === undefined) {
    throw new MillraceError('internal', `${instrument.symbol} is no contract.`);
  }
  return futuresInfoView(instrument, view, service.now());
}

/** A funding as it was paid. */
export const fundingView = (funding: Funding): Writable<typeof fundingRecord> => ({
  timestamp: funding.at as Micros,
  funding_rate: funding.fundingRate,
  avg_premium_index: funding.avgPremiumIndex,
  next_funding_time: funding.nextFundingAt as Micros,
  interest_rate: INTEREST_RATE,
});
