import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Worth } from '../../../model/portfolio.ts';
import type { PortfolioModel } from './settings.ts';
import type { ModelledVenue } from './venue.ts';

/** Which symbols have prices, and those that their books do not tell. */
export interface Prices {
  readonly symbols: readonly string[];
  /** Why there are no others: `of which there is no recording; the run has`. */
  readonly others: string;
  /** The last price of a symbol, where there is one. */
  last(symbol: string): Decimal | undefined;
}

/**
 * What assets are worth now: a number, or the middle of the book of a symbol, and its last price
 * where no book is shown. Nothing for an asset whose price is to come.
 */
export function worthOf(
  worth: PortfolioModel['worth'],
  prices: Prices,
  venue: Pick<ModelledVenue, 'levels'>,
): Worth {
  checkSymbols(worth, prices);
  return (asset) => {
    const source = worth.get(asset);
    if (source === undefined || !('symbol' in source)) return source;
    const [bid] = venue.levels(source.symbol, 'sell', 1);
    const [ask] = venue.levels(source.symbol, 'buy', 1);
    if (bid !== undefined && ask !== undefined) return middle(bid[0], ask[0]);
    return prices.last(source.symbol);
  };
}

const middle = (bid: Decimal, ask: Decimal): Decimal => bid.plus(ask).times('0.5');

function checkSymbols(worth: PortfolioModel['worth'], { symbols, others }: Prices): void {
  for (const [asset, source] of worth) {
    if ('symbol' in source && !symbols.includes(source.symbol)) {
      throw new MillraceError(
        'symbol-unknown',
        `The worth of ${asset} is to be the price of ${source.symbol}, ${others} ${symbols.join(', ')}.`,
        { field: `portfolio.worth.${asset}` },
      );
    }
    if (!('symbol' in source) && !source.greaterThan(ZERO)) {
      throw new MillraceError('out-of-range', `The worth of ${asset} must be above zero.`, {
        field: `portfolio.worth.${asset}`,
      });
    }
  }
}
