import { brief, type Decimal } from '../../model/decimal.ts';
import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { isNoLarger, most } from '../counting.ts';
import { isReducing, riskPosition } from '../margin/risk-position.ts';
import { sizesOf } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { nonNegative, sells } from './measures.ts';

/**
 * Running: everything. Halted and killed: nothing new. Reducing: orders that bring a holding or a
 * position nearer to zero. On spot only sells, with all other open sells at most the holding; on
 * margin at most the opposite position, with all other open orders of the side, so that a position
 * never flips.
 */
export function stateRejection(checked: Checked): Rejection | undefined {
  const { state } = checked.view;
  switch (state) {
    case 'running':
      return undefined;
    case 'reducing':
      return reducingRejection(checked);
    case 'halted':
    case 'killed':
      return {
        code: 'trading-halted',
        message: `Trading is ${state}: open orders may be canceled, nothing new may be sent.`,
      };
  }
}

function reducingRejection(checked: Checked): Rejection | undefined {
  const spot = checked.requested.filter(({ margin }) => margin === undefined);
  return (
    (spot.length === 0 ? undefined : spotRejection({ ...checked, requested: spot })) ??
    marginRejection(checked)
  );
}

function spotRejection({ requested, after, view }: Checked): Rejection | undefined {
  if (requested.some(({ side }) => side === 'buy')) {
    return {
      code: 'trading-reducing',
      field: 'side',
      message: 'Trading is reducing: what is held may be sold, nothing may be bought.',
    };
  }
  for (const base of new Set(requested.map(({ symbol }) => view.instrument(symbol).baseCurrency))) {
    const measure = sells(base, view);
    const sum = most(after, measure);
    const held = view.holding(base);
    if (!sum.greaterThan(held) || isNoLarger(sum, view.orders, measure)) continue;
    return {
      code: 'trading-reducing',
      field: 'quantity',
      message: `Trading is reducing: ${brief(held)} ${base} is held and all sells would come to ${brief(sum)}.`,
      limit: brief(nonNegative(held)),
    };
  }
  return undefined;
}

/** Orders that only reduce pass: they cannot flip a position. */
function marginRejection({ requested, after, view }: Checked): Rejection | undefined {
  for (const order of requested) {
    const { margin, side, symbol } = order;
    if (margin === undefined || isReducing(order)) continue;
    const position = riskPosition(view, symbol, margin.mode);
    const closable = nonNegative(side === 'buy' ? position.size.negated() : position.size);
    const measures = [sizesOf(position, side, true), sizesOf(position, side, false)] as const;
    const measure = (one: Order): Decimal => measures[0](one).plus(measures[1](one));
    const sum = most(after, measure);
    if (!sum.greaterThan(closable) || isNoLarger(sum, view.orders, measure)) continue;
    const what = side === 'buy' ? 'short' : 'long';
    return {
      code: 'trading-reducing',
      field: 'quantity',
      message: `Trading is reducing: the ${what} in ${symbol} on ${margin.mode} margin is ${brief(closable)}, and all ${side}s would come to ${brief(sum)}.`,
      limit: brief(closable),
    };
  }
  return undefined;
}
