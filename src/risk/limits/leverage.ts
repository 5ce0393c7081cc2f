import { brief, Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { accountTerms } from '../../rules/margin/account-terms.ts';
import { maintenance } from '../../rules/margin/maintenance.ts';
import {
  accountEquity,
  accountOrders,
  riskPositions,
  riskPositionsIn,
} from '../margin/risk-position.ts';
import { unitPrices, worstValue, type UnitPrices } from '../margin/worst-value.ts';
import { grows } from '../margin/worst.ts';
import type { RiskView } from '../view.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/**
 * Use of a margin account in the worst case of its open orders: its effective leverage, the value
 * of its positions ÷ its equity, and its margin use, their maintenance margin ÷ its equity.
 */
export function leverageRejection(checked: Checked): Rejection | undefined {
  const { requested, after, view, limits } = checked;
  const { maxLeverage, maxMarginUse } = limits;
  if (maxLeverage === undefined && maxMarginUse === undefined) return undefined;
  for (const position of riskPositions(requested, view)) {
    const { account } = position;
    if (account === undefined || !grows(position, { after, before: view.orders })) continue;
    const own = accountOrders(account, after, view);
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

/** Use of an account. */
export interface MarginUse {
  readonly equity: Decimal;
  /** Value of its positions, without sign. */
  readonly notional: Decimal;
  /** Maintenance margin of its positions. */
  readonly kept: Decimal;
}

/** Rejects a use beyond its limits; compared as products, so exact. */
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
      message: `Positions could reach ${brief(notional)} ${currency} on an equity of ${brief(equity)}: the leverage would exceed the limit of ${brief(maxLeverage)}.`,
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

/** Use of an account in the worst case of its orders, at its current equity. */
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
  for (const position of riskPositionsIn(account, orders, view)) {
    const value = worstValue(position, orders, prices);
    const terms = accountTerms(position.instrument, account);
    if (value === undefined || terms === undefined) {
      return marketUnknown(position.instrument.symbol, WHAT);
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

/** Rejection that names the first position without a mark price. */
function unmarked({ positions }: MarginAccountState, view: RiskView): Rejection {
  const position = positions.find(({ symbol }) => view.margin?.markPrice(symbol) === undefined);
  return marketUnknown(position?.symbol ?? '', WHAT);
}

const isMore = (then: MarginUse, now: MarginUse): boolean =>
  then.notional.greaterThan(now.notional) || then.kept.greaterThan(now.kept);

const ONE = new Decimal(1);
const WHAT = 'The largest leverage of a margin account';
