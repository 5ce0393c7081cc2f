import { brief, Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { accountTerms } from '../../rules/margin/account-terms.ts';
import { maintenance } from '../../rules/margin/maintenance.ts';
import { accountEquity, ordersOf, placesIn, placesOf } from '../margin/place.ts';
import { unitPrices, worstValue, type UnitPrices } from '../margin/worst-value.ts';
import { grows } from '../margin/worst.ts';
import type { RiskView } from '../view.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/**
 * How much of a margin account is used once all that is open has executed in the worst way: its
 * effective leverage, which is the value of its positions ÷ its equity, and its margin use, which is
 * what its positions must keep to not be liquidated ÷ its equity.
 */
export function leverageRejection(checked: Checked): Rejection | undefined {
  const { asked, after, view, limits } = checked;
  const { maxLeverage, maxMarginUse } = limits;
  if (maxLeverage === undefined && maxMarginUse === undefined) return undefined;
  for (const place of placesOf(asked, view)) {
    const { account } = place;
    if (account === undefined || !grows(place, { after, before: view.orders })) continue;
    const own = ordersOf(account, after, view);
    const prices = unitPrices(own, { view, limits, collar: undefined, limit: WHAT });
    if (isRejection(prices)) return prices;
    const then = usedBy(account, own, view, prices);
    if (isRejection(then)) return then;
    const now = usedBy(account, view.orders, view, prices);
    if (isRejection(now) || !isMore(then, now)) continue;
    const rejection = useRejection(then, account.currency, maxLeverage, maxMarginUse);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** What an account has come to. */
export interface MarginUse {
  readonly equity: Decimal;
  /** The value of its positions, without a sign. */
  readonly notional: Decimal;
  /** What they must keep, or the account is liquidated. */
  readonly kept: Decimal;
}

/** The rejection of a use beyond its limits; compared as products, so exact. */
export function useRejection(
  { equity, notional, kept }: MarginUse,
  currency: string,
  maxLeverage: Decimal | undefined,
  maxMarginUse: Decimal | undefined,
): Rejection | undefined {
  if (maxLeverage !== undefined && notional.greaterThan(equity.times(maxLeverage))) {
    return {
      code: 'risk-leverage',
      field: 'quantity',
      message: `Positions worth ${brief(notional)} ${currency} could come of an equity of ${brief(equity)}: the leverage would be above the ${brief(maxLeverage)} that may be.`,
      limit: brief(maxLeverage),
    };
  }
  if (maxMarginUse !== undefined && kept.greaterThan(equity.times(maxMarginUse))) {
    return {
      code: 'risk-margin-use',
      field: 'quantity',
      message: `Positions could come to need ${brief(kept)} ${currency} of an equity of ${brief(equity)}, more than the ${brief(maxMarginUse.times(100))} % that may be.`,
      limit: brief(maxMarginUse),
    };
  }
  return undefined;
}

/** What an account comes to in the worst case of orders, its equity being that of now. */
export function usedBy(
  account: MarginAccountState,
  orders: readonly Order[],
  view: RiskView,
  prices: UnitPrices,
): MarginUse | Rejection {
  const { margin } = view;
  const equity = margin && accountEquity(account, margin, (symbol) => view.instrument(symbol));
  if (equity === undefined) return unmarked(account, view);
  let [notional, kept] = [ZERO, ZERO];
  for (const place of placesIn(account, orders, view)) {
    const value = worstValue(place, orders, prices);
    const terms = accountTerms(place.instrument, account);
    if (value === undefined || terms === undefined) {
      return marketUnknown(place.instrument.symbol, WHAT);
    }
    const { leverage, rate, rules } = terms;
    notional = notional.plus(value);
    const limit = leverage.times(rules.liquidationMul);
    kept = kept.plus(
      maintenance({ quantity: ONE, value: ZERO, price: value, rate, leverage: limit }),
    );
  }
  return { equity, notional, kept };
}

/** Names the first position without a mark price. */
function unmarked({ positions }: MarginAccountState, view: RiskView): Rejection {
  const held = positions.find(({ symbol }) => view.margin?.markPrice(symbol) === undefined);
  return marketUnknown(held?.symbol ?? '', WHAT);
}

const isMore = (then: MarginUse, now: MarginUse): boolean =>
  then.notional.greaterThan(now.notional) || then.kept.greaterThan(now.kept);

const ONE = new Decimal(1);
const WHAT = 'The largest leverage of a margin account';
