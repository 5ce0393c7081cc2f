import type { z } from 'zod';
import { isRejection } from '../../../model/rejections.ts';
import type { TransactionQuery } from '../../../exchange/wallet/query.ts';
import type { WalletRequests } from '../../../exchange/requests/wallet.ts';
import type { TransactionSubtype } from '../../../exchange/wallet/transaction.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { rejectionFault } from '../../../wire/trading/rejections.ts';
import type { transactionFilters } from '../../../wire/trading/v3/calls/wallet.ts';
import {
  TRANSACTION_STATUSES,
  TRANSACTION_SUBTYPES,
  TRANSACTION_TYPES,
} from '../../../wire/trading/v3/records/wallet.ts';
import { lastMicroOf } from './last-micro.ts';

type Filters = z.output<typeof transactionFilters>;

const ORDERS = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
  id: 'id',
} as const;

/** The query of version 3's filters. An impossible word or currency is rejected. */
export function transactionQuery(
  wallet: WalletRequests,
  filters: Filters,
): Decoded<TransactionQuery> {
  const types = words(both(filters.types, filters.type), TRANSACTION_TYPES, 'types');
  if (types.kind === 'fault') return types;
  const given = both(filters.subtypes, filters.subtype);
  const subtypes = words(given, TRANSACTION_SUBTYPES, 'subtypes');
  if (subtypes.kind === 'fault') return subtypes;
  const statuses = words(filters.statuses, TRANSACTION_STATUSES, 'statuses');
  if (statuses.kind === 'fault') return statuses;
  for (const code of filters.currencies ?? []) {
    const currency = wallet.currency(code);
    if (isRejection(currency)) return undecoded(rejectionFault(currency, 3));
  }
  const { tx_ids, currencies, networks, id_from, id_till, from, till } = filters;
  return decoded({
    ...some('txIds', tx_ids),
    ...some('types', types.value),
    ...some('subtypes', subtypes.value as readonly TransactionSubtype[] | undefined),
    ...some('statuses', statuses.value),
    ...some('currencies', currencies),
    ...some('networks', networks),
    ...(id_from === undefined ? {} : { idFrom: id_from }),
    ...(id_till === undefined ? {} : { idTill: id_till }),
    ...(from === undefined ? {} : { from }),
    ...(till === undefined ? {} : { till: lastMicroOf(till) }),
    orderBy: ORDERS[filters.order_by],
    sort: filters.sort,
    limit: filters.limit,
    offset: filters.offset,
    grouped: filters.group_transactions,
  });
}

/** Clients use either name of a list. */
const both = (
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : [...one, ...other];

/** Words in any letter case, each of which must be one of a few. */
function words<W extends string>(
  given: readonly string[] | undefined,
  known: readonly W[],
  member: string,
): Decoded<readonly W[] | undefined> {
  if (given === undefined) return decoded(undefined);
  const found: W[] = [];
  for (const each of given) {
    const word = known.find((one) => one === each.toUpperCase());
    if (word === undefined) {
      const why = `${member} must be of ${known.join(', ')}, not ${JSON.stringify(each)}`;
      return undecoded(fault(10001, why, member));
    }
    found.push(word);
  }
  return decoded(found);
}

/** A filter with values; an empty list filters nothing. */
function some<K extends string, T>(
  key: K,
  values: readonly T[] | undefined,
): Partial<Record<K, readonly T[]>> {
  const filter: Partial<Record<string, readonly T[]>> = {};
  if (values !== undefined && values.length > 0) filter[key] = values;
  return filter;
}
