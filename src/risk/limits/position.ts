import { brief } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import { isNoLarger, most } from '../counting.ts';
import type { Checked } from './checked.ts';
import { buys } from './measures.ts';

/** What is held of the base currency once every buy of it has filled and no sell has. */
export function positionRefusal({ asked, after, view, limits }: Checked): Refusal | undefined {
  for (const [symbol, limit] of limits.maxPosition) {
    const base = baseBought(symbol, { asked, view });
    if (base === undefined) continue;
    const measure = buys(base, view);
    const bought = most(after, measure);
    const position = view.holding(base).plus(bought);
    if (!position.greaterThan(limit) || isNoLarger(bought, view.orders, measure)) continue;
    return {
      code: 'risk-position',
      field: 'quantity',
      message: `With all open buys ${brief(position)} ${base} would be held, more than the ${brief(limit)} that ${symbol} may come to.`,
      limit: brief(limit),
    };
  }
  return undefined;
}

/** The base currency of a limited symbol where the request buys of it, by whichever symbol. */
function baseBought(
  symbol: string,
  { asked, view }: Pick<Checked, 'asked' | 'view'>,
): string | undefined {
  const base = view.instruments.find((one) => one.symbol === symbol)?.baseCurrency;
  const isBought = asked.some(
    (order) => order.side === 'buy' && view.instrument(order.symbol).baseCurrency === base,
  );
  return isBought ? base : undefined;
}
