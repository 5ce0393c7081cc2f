import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';
import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { isNoLarger, most } from '../counting.ts';
import { isReducing, riskPosition } from '../margin/risk-position.ts';
import { worstSizes } from '../margin/worst.ts';
import type { RiskView } from '../view.ts';
import type { Checked } from './checked.ts';
import { buys } from './measures.ts';

/**
 * Worst-case position in an instrument, either way: for spot the base currency once every buy of it
 * has filled and no sell has, and on margin all longs of the symbol, or all its shorts. Margin
 * modes do not offset each other, as each can be closed or liquidated alone.
 */
export function positionRejection(checked: Checked): Rejection | undefined {
  const { limits, view } = checked;
  for (const [symbol, limit] of limits.maxPosition) {
    const instrument = view.instruments.find((one) => one.symbol === symbol);
    if (instrument === undefined) continue;
    const rejection =
      longRejection(checked, instrument, limit) ??
      shortRejection(checked, instrument, limit, 'risk-position');
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** Same as `positionRejection` for shorts, with their own limit. */
export function shortsRejection(checked: Checked): Rejection | undefined {
  for (const [symbol, limit] of checked.limits.maxShort ?? []) {
    const instrument = checked.view.instruments.find((one) => one.symbol === symbol);
    if (instrument === undefined) continue;
    const rejection = shortRejection(checked, instrument, limit, 'risk-short');
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

function longRejection(
  { requested, after, view }: Checked,
  instrument: Instrument,
  limit: Decimal,
): Rejection | undefined {
  const { symbol, baseCurrency: base } = instrument;
  const onMargin = requested.some((order) => opensAt(order, instrument));
  if (!onMargin && !requested.some((order) => buysOf(order, instrument, view))) return undefined;
  const measure = buys(base, view);
  const bought = instrument.isContract ? ZERO : most(after, measure);
  const held = instrument.isContract ? ZERO : view.holding(base);
  const longs = worstOnMargin(instrument, after, view).long;
  const position = held.plus(bought).plus(longs);
  if (!position.greaterThan(limit)) return undefined;
  const isNoLonger = longs.lessThanOrEqualTo(worstOnMargin(instrument, view.orders, view).long);
  if (isNoLonger && (instrument.isContract || isNoLarger(bought, view.orders, measure))) {
    return undefined;
  }
  return {
    code: 'risk-position',
    field: 'quantity',
    message: `With all open buys ${brief(position)} ${base} would be held, more than the ${brief(limit)} that ${symbol} may come to.`,
    limit: brief(limit),
  };
}

function shortRejection(
  { requested, after, view }: Checked,
  instrument: Instrument,
  limit: Decimal,
  code: 'risk-position' | 'risk-short',
): Rejection | undefined {
  if (!requested.some((order) => opensAt(order, instrument))) return undefined;
  const { short } = worstOnMargin(instrument, after, view);
  if (!short.greaterThan(limit)) return undefined;
  if (short.lessThanOrEqualTo(worstOnMargin(instrument, view.orders, view).short)) return undefined;
  const { symbol, baseCurrency } = instrument;
  return {
    code,
    field: 'quantity',
    message: `With all open sells ${brief(short)} ${baseCurrency} would be sold short, more than the ${brief(limit)} that ${symbol} may be.`,
    limit: brief(limit),
  };
}

/** Longs of a symbol in both margin modes together, and its shorts. */
function worstOnMargin(
  { symbol, margin }: Instrument,
  orders: readonly Order[],
  view: RiskView,
): { readonly long: Decimal; readonly short: Decimal } {
  let [long, short] = [ZERO, ZERO];
  for (const mode of MARGIN_MODES) {
    if (margin[mode] === undefined) continue;
    const worst = worstSizes(riskPosition(view, symbol, mode), orders);
    long = long.plus(worst.long);
    short = short.plus(worst.short);
  }
  return { long, short };
}

/** True for a margin order in an instrument that can do more than close. */
const opensAt = (order: Order, { symbol }: Instrument): boolean =>
  order.margin !== undefined && order.symbol === symbol && !isReducing(order);

/** True for a spot order that buys the base currency of an instrument, by any symbol. */
const buysOf = (order: Order, { baseCurrency, isContract }: Instrument, view: RiskView): boolean =>
  !isContract &&
  order.margin === undefined &&
  order.side === 'buy' &&
  view.instrument(order.symbol).baseCurrency === baseCurrency;
