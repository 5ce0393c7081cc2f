import { brief, type Decimal } from '../../model/decimal.ts';
import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { isNoLarger, most } from '../counting.ts';
import { isReducing, riskPosition } from '../margin/risk-position.ts';
import { sizesOf } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { leftOf, sells } from './measures.ts';

/**
 * Running: everything. Halted and killed: nothing new. Reducing: what brings a holding or a position
 * nearer to nothing. Of spot sells alone, and no more of them than is held, with all other open sells;
 * on margin no more than is held the other way, with all other open orders of the side, so that a
 * position never turns around.
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
  const spot = checked.asked.filter(({ margin }) => margin === undefined);
  return (
    (spot.length === 0 ? undefined : spotRejection({ ...checked, asked: spot })) ??
    marginRejection(checked)
  );
}

function spotRejection({ asked, after, view }: Checked): Rejection | undefined {
  if (asked.some(({ side }) => side === 'buy')) {
    return {
      code: 'trading-reducing',
      field: 'side',
      message: 'Trading is reducing: what is held may be sold, nothing may be bought.',
    };
  }
  for (const base of new Set(asked.map(({ symbol }) => view.instrument(symbol).baseCurrency))) {
    const measure = sells(base, view);
    const sum = most(after, measure);
    const held = view.holding(base);
    if (!sum.greaterThan(held) || isNoLarger(sum, view.orders, measure)) continue;
    return {
      code: 'trading-reducing',
      field: 'quantity',
      message: `Trading is reducing: ${brief(held)} ${base} is held and all sells would come to ${brief(sum)}.`,
      limit: brief(leftOf(held)),
    };
  }
  return undefined;
}

/** What only reduces passes: it cannot turn a position around. */
function marginRejection({ asked, after, view }: Checked): Rejection | undefined {
  for (const order of asked) {
    const { margin, side, symbol } = order;
    if (margin === undefined || isReducing(order)) continue;
    const position = riskPosition(view, symbol, margin.mode);
    const closable = leftOf(side === 'buy' ? position.size.negated() : position.size);
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
