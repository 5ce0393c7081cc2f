import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import { accountTerms, type AccountTerms } from '../../rules/margin/account-terms.ts';
import { maintenance } from '../../rules/margin/maintenance.ts';
import { unrealizedPnl } from '../../rules/margin/position-value.ts';
import { thresholdPrice } from '../../rules/margin/threshold-price.ts';
import { positionValue } from './risk-position.ts';

/** Inputs of the prices of positions. */
export interface MarkedInstruments {
  readonly instrument: (symbol: string) => Instrument;
  readonly markPrice: (symbol: string) => Decimal | undefined;
}

/**
 * An account with the margin-call and liquidation price of each position, by the formulas of the
 * venue, the others at their mark prices. Without those prices while a mark price is unknown.
 */
export function withThresholds(
  state: MarginAccountState,
  { instrument, markPrice }: MarkedInstruments,
): MarginAccountState {
  const all = state.positions.map((position) => ({
    held: position,
    terms: accountTerms(instrument(position.symbol), state),
    mark: markPrice(position.symbol),
  }));
  if (all.some(({ terms, mark }) => terms === undefined || mark === undefined)) return state;
  const price = (of: VenuePosition, mul: (terms: AccountTerms) => Decimal): Decimal | undefined => {
    let funds = state.balance;
    let found: Decimal | undefined;
    for (const { held, terms, mark } of all) {
      if (terms === undefined || mark === undefined || held === of) continue;
      const value = positionValue(instrument(held.symbol), held);
      const leverage = terms.leverage.times(mul(terms));
      const kept = maintenance({ ...value, price: mark, rate: terms.rate, leverage });
      funds = funds.plus(unrealizedPnl(value, mark)).minus(kept);
    }
    const own = all.find(({ held }) => held === of)?.terms;
    if (own !== undefined) {
      const traded = instrument(of.symbol);
      const position = positionValue(traded, of);
      const leverage = own.leverage.times(mul(own));
      found = thresholdPrice({ position, funds, rate: own.rate, leverage }, traded.tickSize);
    }
    return found?.greaterThan(ZERO) === true ? found : undefined;
  };
  return {
    ...state,
    positions: state.positions.map((position) => ({
      ...position,
      marginCallPrice: price(position, ({ rules }) => rules.marginCallMul),
      liquidationPrice: price(position, ({ rules }) => rules.liquidationMul),
    })),
  };
}
