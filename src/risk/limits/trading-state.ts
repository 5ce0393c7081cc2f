import { brief } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import { isNoLarger, most } from '../counting.ts';
import type { Checked } from './checked.ts';
import { leftOf, sells } from './measures.ts';

/**
 * Running: everything. Halted and killed: nothing new. Reducing: sells alone, and no more of them
 * than is held, with all other open sells.
 */
export function stateRefusal(checked: Checked): Refusal | undefined {
  const { state } = checked.view;
  switch (state) {
    case 'running':
      return undefined;
    case 'reducing':
      return reducingRefusal(checked);
    case 'halted':
    case 'killed':
      return {
        code: 'trading-halted',
        message: `Trading is ${state}: open orders may be canceled, nothing new may be sent.`,
      };
  }
}

function reducingRefusal({ asked, after, view }: Checked): Refusal | undefined {
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
