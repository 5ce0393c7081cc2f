import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { PriceOf } from '../../../model/portfolio.ts';
import type { PortfolioModel } from './settings.ts';
import type { LocalVenue } from './venue.ts';

/** The symbols with prices, and prices that are not from books. */
export interface MarketPrices {
  readonly symbols: readonly string[];
  /** Why there are no others: `of which there is no recording; the run has`. */
  readonly others: string;
  /** The last price of a symbol, if there is one. */
  last(symbol: string): Decimal | undefined;
}

/**
 * Present prices of assets: a number, or a symbol's mid price, and its last price if there is no book.
 * Nothing for an asset whose price is not known yet.
 */
export function valueOf(
  sources: PortfolioModel['prices'],
  prices: MarketPrices,
  venue: Pick<LocalVenue, 'levels'>,
): PriceOf {
  checkSymbols(sources, prices);
  return (asset) => {
    const source = sources.get(asset);
    if (source === undefined || !('symbol' in source)) return source;
    const [bid] = venue.levels(source.symbol, 'sell', 1);
    const [ask] = venue.levels(source.symbol, 'buy', 1);
    if (bid !== undefined && ask !== undefined) return middle(bid[0], ask[0]);
    return prices.last(source.symbol);
  };
}

const middle = (bid: Decimal, ask: Decimal): Decimal => bid.plus(ask).times('0.5');

function checkSymbols(sources: PortfolioModel['prices'], { symbols, others }: MarketPrices): void {
  for (const [asset, source] of sources) {
    if ('symbol' in source && !symbols.includes(source.symbol)) {
      throw new MillraceError(
        'symbol-unknown',
        `The price of ${asset} is to be that of ${source.symbol}, ${others} ${symbols.join(', ')}.`,
        { field: `portfolio.prices.${asset}` },
      );
    }
    if (!('symbol' in source) && !source.greaterThan(ZERO)) {
      throw new MillraceError('out-of-range', `The price of ${asset} must be above zero.`, {
        field: `portfolio.prices.${asset}`,
      });
    }
  }
}
