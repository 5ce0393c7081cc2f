import type { TransactionQuery } from '../../../exchange/wallet/query.ts';
import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { boundNumber, boundTime, type Bound, type Sort } from '../../../wire/trading/paging.ts';
import type { TradingService } from '../service.ts';
import { lastMicroOf } from './last-micro.ts';

/** The requested part of an account's transactions in version 2. */
export interface PageParams {
  readonly currency?: string | undefined;
  readonly by: string;
  readonly sort: Sort;
  readonly from?: Bound | undefined;
  readonly till?: Bound | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The query of that page: by creation time, or by index. */
export function pageQuery(params: PageParams): Decoded<TransactionQuery> {
  const { currency, by, sort, from, till, limit, offset } = params;
  const page = {
    ...(currency === undefined ? {} : { currencies: [currency] }),
    sort,
    limit,
    offset,
  };
  if (by === 'index') {
    const [indexFrom, indexTill] = [numberOf(from), numberOf(till)];
    return decoded({
      ...page,
      orderBy: 'index',
      ...(indexFrom === undefined ? {} : { indexFrom }),
      ...(indexTill === undefined ? {} : { indexTill }),
    });
  }
  const [first, last] = [timeOf(from), timeOf(till)];
  for (const [name, given, read] of [
    ['from', from, first],
    ['till', till, last],
  ] as const) {
    if (given !== undefined && read === undefined) {
      return undecoded(fault(10001, `${name} must be a time up to the year 9999`, name));
    }
  }
  return decoded({
    ...page,
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { till: lastMicroOf(last) }),
  });
}

const numberOf = (bound: Bound | undefined): number | undefined =>
  bound === undefined ? undefined : boundNumber(bound);

const timeOf = (bound: Bound | undefined) => (bound === undefined ? undefined : boundTime(bound));

/** An account's transactions of a page, of one currency if given. */
export const transactionsOf = (
  service: TradingService,
  account: number,
  query: TransactionQuery,
): readonly Transaction[] | Rejection =>
  service.act(({ wallet }) => {
    for (const code of query.currencies ?? []) {
      const known = wallet.currency(code);
      if (isRejection(known)) return known;
    }
    return wallet.transactions(account, query);
  });
