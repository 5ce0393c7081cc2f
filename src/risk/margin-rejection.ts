import { brief, ZERO, type Decimal } from '../model/decimal.ts';
import { marginAccountKey, type MarginAccountState } from '../model/margin-account.ts';
import type { MarginRequest } from '../model/order-request.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import { usedBy, useRejection } from './limits/leverage.ts';
import { isNearer, tooNear } from './limits/liquidation-distance.ts';
import { marketUnknown } from './limits/market-unknown.ts';
import { shortestDistance } from './margin/distance.ts';
import { riskPosition } from './margin/risk-position.ts';
import { unitPrices } from './margin/worst-value.ts';
import type { RiskSettings } from './settings.ts';
import type { RiskView } from './view.ts';

/**
 * Why a margin account setting is rejected. Funds that come to an account pass in every state. A
 * leverage must not exceed `maxLeverage`. Taking funds from an account with positions or orders, or
 * changing its liquidation leverage, must leave it within the limits of its use and its distance to
 * liquidation, unless they become no worse; while trading is not running, nothing is taken from an
 * account with positions.
 */
export function marginRejection(
  request: MarginRequest,
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  const { leverage, mode, symbol } = request;
  const { account } = riskPosition(view, symbol, mode);
  if (account === undefined) return settingRejection(leverage, account, limits);
  const { balance = account.balance } = request;
  const then = { ...account, balance, leverage: leverage ?? account.leverage };
  return (
    stateRejection(account, then, view) ??
    settingRejection(leverage, account, limits) ??
    (isWeaker(account, then) ? afterRejection(account, then, view, limits) : undefined)
  );
}

/** Rejects a changed leverage; an account's current one may be set again. */
function settingRejection(
  leverage: Decimal | undefined,
  account: MarginAccountState | undefined,
  { maxLeverage }: RiskSettings,
): Rejection | undefined {
  if (leverage === undefined || maxLeverage === undefined) return undefined;
  if (!leverage.greaterThan(maxLeverage) || account?.leverage?.equals(leverage) === true) {
    return undefined;
  }
  return {
    code: 'risk-leverage',
    field: 'leverage',
    message: `A leverage of ${brief(leverage)} is above the ${brief(maxLeverage)} that may be.`,
    limit: brief(maxLeverage),
  };
}

function stateRejection(
  account: MarginAccountState,
  then: MarginAccountState,
  { state }: RiskView,
): Rejection | undefined {
  if (state === 'running' || account.positions.length === 0 || !isWeaker(account, then)) {
    return undefined;
  }
  return {
    code: state === 'reducing' ? 'trading-reducing' : 'trading-halted',
    field: then.balance.lessThan(account.balance) ? 'balance' : 'leverage',
    message: `Trading is ${state}: a margin account with positions keeps its funds and its leverage; more funds may come.`,
    limit: brief(account.balance),
  };
}

/** True if funds leave, or the leverage changes. */
const isWeaker = (account: MarginAccountState, then: MarginAccountState): boolean =>
  then.balance.lessThan(account.balance) || !isSameLeverage(account.leverage, then.leverage);

const isSameLeverage = (one: Decimal | undefined, other: Decimal | undefined): boolean =>
  one === undefined || other === undefined ? one === other : one.equals(other);

/** Whether the account stays within its limits with its current positions and orders. */
function afterRejection(
  account: MarginAccountState,
  then: MarginAccountState,
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  if (account.positions.length === 0 && !holdsOrders(account, view)) return undefined;
  const unknown = account.positions.find(
    ({ symbol }) => view.margin?.markPrice(symbol) === undefined,
  );
  if (unknown !== undefined) return marketUnknown(unknown.symbol, WHAT);
  const field = then.balance.lessThan(account.balance) ? 'balance' : 'leverage';
  const after = withAccount(view, account, then);
  const rejection =
    usedRejection(account, then, { view, after, limits }) ??
    distanceRejection(account, then, { view, after, limits });
  return rejection && { ...rejection, field };
}

/** The views before and after a request, and its limits. */
interface Change {
  readonly view: RiskView;
  readonly after: RiskView;
  readonly limits: RiskSettings;
}

function usedRejection(
  account: MarginAccountState,
  then: MarginAccountState,
  { view, after, limits }: Change,
): Rejection | undefined {
  const { maxLeverage, maxMarginUse } = limits;
  if (maxLeverage === undefined && maxMarginUse === undefined) return undefined;
  const own = view.orders.filter(({ margin }) => margin?.mode === account.mode);
  const prices = unitPrices(own, { view, limits, collar: undefined, limit: WHAT });
  if (isRejection(prices)) return prices;
  const use = usedBy(then, view.orders, after, prices);
  if (isRejection(use)) return use;
  const before = usedBy(account, view.orders, view, prices);
  const isWorse =
    isRejection(before) || use.equity.lessThan(before.equity) || use.kept.greaterThan(before.kept);
  return isWorse ? useRejection(use, account.currency, maxLeverage, maxMarginUse) : undefined;
}

function distanceRejection(
  account: MarginAccountState,
  then: MarginAccountState,
  { view, after, limits }: Change,
): Rejection | undefined {
  const { minLiquidationDistance: least } = limits;
  if (least === undefined) return undefined;
  const now = { view, limits, orders: view.orders };
  const distance = shortestDistance(then, { ...now, view: after });
  if (distance === 'unknown') return marketUnknown(account.symbol ?? account.currency, WHAT);
  if (distance === undefined || !isNearer(distance, least)) return undefined;
  const before = shortestDistance(account, now);
  const isWorse =
    before === undefined || before === 'unknown' || distance.share.lessThan(before.share);
  return isWorse ? tooNear(distance, least, 'balance') : undefined;
}

const holdsOrders = ({ reservedOrders }: MarginAccountState, { orders }: RiskView): boolean =>
  reservedOrders.greaterThan(ZERO) || orders.some(({ margin }) => margin !== undefined);

/** The view with another state of an account. */
function withAccount(
  view: RiskView,
  account: MarginAccountState,
  then: MarginAccountState,
): RiskView {
  const { margin } = view;
  if (margin === undefined) return view;
  const key = marginAccountKey(account);
  const of = (each: MarginAccountState): MarginAccountState =>
    marginAccountKey(each) === key ? then : each;
  return {
    ...view,
    margin: {
      accounts: margin.accounts.map(of),
      find: (instrument, mode) => {
        const found = margin.find(instrument, mode);
        return found && of(found);
      },
      markPrice: (symbol) => margin.markPrice(symbol),
    },
  };
}

const WHAT = 'Taking funds from a margin account';
