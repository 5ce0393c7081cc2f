import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import { accountTerms, type AccountTerms } from '../../rules/margin/account-terms.ts';
import { fundsFor } from '../../rules/margin/maintenance.ts';
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
  const all: { instrument: Instrument; terms: AccountTerms; mark: Decimal }[] = [];
  for (const { symbol } of state.positions) {
    const traded = instrument(symbol);
    const terms = accountTerms(traded, state);
    const mark = markPrice(symbol);
    if (terms === undefined || mark === undefined) return state;
    all.push({ instrument: traded, terms, mark });
  }
  const prices = (mul: (terms: AccountTerms) => Decimal): readonly (Decimal | undefined)[] => {
    const positions = all.map(({ instrument: traded, terms, mark }, index) => ({
      ...positionValue(traded, state.positions[index]),
      price: mark,
      rate: terms.rate,
      leverage: terms.leverage.times(mul(terms)),
    }));
    return positions.map((position, index) => {
      const { rate, leverage } = position;
      const funds = fundsFor(state.balance, positions, index);
      const { tickSize } = all[index].instrument;
      const price = thresholdPrice({ position, funds, rate, leverage }, tickSize);
      return price.greaterThan(0) ? price : undefined;
    });
  };
  const calls = prices(({ rules }) => rules.marginCallMul);
  const liquidations = prices(({ rules }) => rules.liquidationMul);
  return {
    ...state,
    positions: state.positions.map((held, index) => ({
      ...held,
      marginCallPrice: calls[index],
      liquidationPrice: liquidations[index],
    })),
  };
}
