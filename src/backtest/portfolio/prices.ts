import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Worth } from '../../model/portfolio.ts';
import type { SimulatedVenue } from '../../gateways/simulated.ts';
import type { Mark } from '../metrics/mark.ts';
import type { PortfolioModel } from './settings.ts';

/**
 * What assets are worth now: a number, or the middle of the book of a symbol, and its last price
 * where no book is shown. Nothing for an asset whose price is to come.
 */
export function worthOf(
  worth: PortfolioModel['worth'],
  marks: readonly Mark[],
  venue: Pick<SimulatedVenue, 'levels'>,
): Worth {
  const bySymbol = new Map(marks.map((mark) => [mark.instrument.symbol, mark]));
  checkSymbols(worth, bySymbol);
  return (asset) => {
    const source = worth.get(asset);
    if (source === undefined || !('symbol' in source)) return source;
    const [bid] = venue.levels(source.symbol, 'sell', 1);
    const [ask] = venue.levels(source.symbol, 'buy', 1);
    if (bid !== undefined && ask !== undefined) return middle(bid[0], ask[0]);
    return bySymbol.get(source.symbol)?.price();
  };
}

const middle = (bid: Decimal, ask: Decimal): Decimal => bid.plus(ask).times('0.5');

function checkSymbols(worth: PortfolioModel['worth'], marks: ReadonlyMap<string, Mark>): void {
  for (const [asset, source] of worth) {
    if ('symbol' in source && !marks.has(source.symbol)) {
      throw new MillraceError(
        'symbol-unknown',
        `The worth of ${asset} is to be the price of ${source.symbol}, of which there is no recording; the run has ${[...marks.keys()].join(', ')}.`,
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
