import type { Instrument } from '../../../model/instrument.ts';
import type { MarginMode } from '../../../model/margin-terms.ts';

/** The markets of the service, whose orders it keeps apart; names of methods begin with them. */
export const MARKETS = ['spot', 'margin', 'futures'] as const;
export type AccountMarketApi = (typeof MARKETS)[number];

/** Markets with positions. */
export type MarginMarket = Exclude<AccountMarketApi, 'spot'>;

/** The market of an order: futures for contracts, else margin or spot. */
export const marketOf = (
  { isContract }: Pick<Instrument, 'isContract'>,
  margin: MarginMode | undefined,
): AccountMarketApi => {
  if (isContract) return 'futures';
  return margin === undefined ? 'spot' : 'margin';
};

/** The markets on which something can be traded with these instruments; spot always. */
export const marketsOf = (instruments: readonly Instrument[]): readonly AccountMarketApi[] =>
  MARKETS.filter(
    (market) =>
      market === 'spot' ||
      instruments.some(
        ({ isContract, margin }) =>
          isContract === (market === 'futures') && Object.keys(margin).length > 0,
      ),
  );
