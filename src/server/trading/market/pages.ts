import type { Page } from '../../../exchange/market-data/page.ts';
import type { TradePage } from '../../../exchange/market-data/public-trades.ts';
import type { Micros } from '../../../platform/time.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { Bound, Sort } from '../../../wire/trading/paging.ts';
import { pageOf } from '../orders/page.ts';

/** Parameters of a list that is bounded by times. */
export interface Times {
  readonly from?: Micros | undefined;
  readonly till?: Micros | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset?: number;
}

/** The page of candles, or of whatever else has times alone. */
export const timesPage = ({ from, till, sort, limit, offset = 0 }: Times): Page => ({
  from: from ?? Number.NEGATIVE_INFINITY,
  till: till ?? Number.POSITIVE_INFINITY,
  sort,
  limit,
  offset,
});

/** The page of trades, bounded by times or by ids. */
export const tradesPage = (params: {
  readonly by: string;
  readonly sort: Sort;
  readonly from?: Bound | undefined;
  readonly till?: Bound | undefined;
  readonly limit: number;
  readonly offset?: number;
}): Decoded<TradePage> => {
  const page = pageOf({ ...params, offset: params.offset ?? 0 });
  return page.kind === 'fault' ? page : decoded(page.value);
};

/** The same of a call that knows times alone. */
export const tradesPageOfTimes = (params: Times): Decoded<TradePage> => {
  const { from, till } = params;
  return tradesPage({
    ...params,
    by: 'timestamp',
    from: from === undefined ? undefined : { kind: 'time', at: from },
    till: till === undefined ? undefined : { kind: 'time', at: till },
  });
};
