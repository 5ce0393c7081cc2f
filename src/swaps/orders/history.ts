import type { Micros } from '../../platform/time.ts';
import type { ExchangeOrder } from './order.ts';

/** Filter of a client's orders; an absent member filters nothing. */
export interface OrderFilter {
  readonly ids?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
  /** Tickers of the payment. */
  readonly currencies?: readonly string[] | undefined;
  readonly payinAddresses?: readonly string[] | undefined;
  readonly payoutAddresses?: readonly string[] | undefined;
  /** Sent with the payout. */
  readonly payoutExtraId?: string | undefined;
  /** Created then or later. */
  readonly since?: Micros | undefined;
  /** Created earlier. */
  readonly before?: Micros | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of orders, newest first. */
export function historyOf(
  orders: readonly ExchangeOrder[],
  filter: OrderFilter,
): readonly ExchangeOrder[] {
  const { ids, states, currencies, payinAddresses, payoutAddresses, limit, offset } = filter;
  const { payoutExtraId, since, before } = filter;
  const passes = (wanted: readonly string[] | undefined, value: string): boolean =>
    wanted === undefined || wanted.includes(value);
  return orders
    .filter(
      (order) =>
        passes(ids, order.id) &&
        passes(states, order.state) &&
        passes(currencies, order.from) &&
        passes(payinAddresses, order.payinAddress) &&
        passes(payoutAddresses, order.payoutAddress) &&
        (payoutExtraId === undefined || order.payoutExtraId === payoutExtraId) &&
        (since === undefined || order.createdAt >= since) &&
        (before === undefined || order.createdAt < before),
    )
    .toReversed()
    .slice(offset, offset + limit);
}
