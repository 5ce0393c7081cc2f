import type { NewOrder } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import { listFormRejection, orderFormRejection } from '../../rules/order-list.ts';
import { quoted } from '../../rules/quoted.ts';
import { NONE } from '../orders/orders.ts';
import { marketOf, type OrderMarket } from '../positions/flags.ts';
import { beginList, beginOrder, beginSuccessor, runFollowUps } from '../stages/execute.ts';
import { cancelFast, placeFast } from '../stages/fast-path.ts';
import type { NewList, Passed } from '../stages/guard.ts';
import { openList, openOrder, openSuccessor } from '../stages/open.ts';
import { placeListRejection, placeRejection, replaceRejection } from '../stages/validate.ts';
import { cancelOrder } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { begin, beginActive, finish } from './pipeline.ts';

/** Order requests; the methods of `Exchange` document them. */

export function place(
  state: State,
  account: number,
  order: NewOrder,
  at: Micros,
  passed?: Passed,
): Rejection | undefined {
  const stopped = beginActive(state, account, at) ?? orderFormRejection(order);
  if (stopped !== undefined) return finish(state, stopped);
  const instrument = state.symbols.index(order.symbol);
  if (instrument === NONE) return finish(state, state.symbols.unknown(order.symbol));
  if (!placeFast(state, account, instrument, order)) {
    const placement = { account, instrument, order, passed };
    const rejection = placeRejection(state, placement);
    if (rejection !== undefined) return finish(state, rejection);
    beginOrder(state, openOrder(state, placement));
  }
  if (state.followUps.length > 0) runFollowUps(state);
  return finish(state);
}

export function placeList(
  state: State,
  account: number,
  list: NewList,
  at: Micros,
  passed?: Passed,
): Rejection | undefined {
  const stopped = beginActive(state, account, at) ?? listFormRejection(list);
  if (stopped !== undefined) return finish(state, stopped);
  const instruments = state.symbols.findAll(list.orders);
  if (isRejection(instruments)) return finish(state, instruments);
  const placements = list.orders.map((order, index) => {
    return { account, instrument: instruments[index], order, passed };
  });
  const rejection = placeListRejection(state, list, placements);
  if (rejection !== undefined) return finish(state, rejection);
  beginList(state, openList(state, list, placements), passed === 'restored');
  runFollowUps(state);
  return finish(state);
}

export function replace(
  state: State,
  account: number,
  change: OrderChange,
  at: Micros,
  passed?: Passed,
): Rejection | undefined {
  const stopped = beginActive(state, account, at) ?? orderFormRejection(change);
  if (stopped !== undefined) return finish(state, stopped);
  const old = state.index.active(account, change.clientOrderId);
  if (old === NONE) return finish(state, unknownOrder(change.clientOrderId));
  const rejection = replaceRejection(state, account, old, change, passed);
  if (rejection?.code === 'funds-insufficient' && state.rules.cancelsUnaffordable) {
    cancelOrder(state, old, 'canceled', true);
    return finish(state);
  }
  if (rejection !== undefined) return finish(state, rejection);
  beginSuccessor(state, openSuccessor(state, old, change));
  runFollowUps(state);
  return finish(state);
}

export function cancel(
  state: State,
  account: number,
  clientOrderId: string,
  at: Micros,
): Rejection | undefined {
  begin(state, account, at);
  const order = state.index.active(account, clientOrderId);
  if (order === NONE) return finish(state, unknownOrder(clientOrderId));
  if (!cancelFast(state, order)) cancelOrder(state, order, 'canceled', true);
  return finish(state);
}

export function cancelAll(
  state: State,
  account: number,
  at: Micros,
  symbol?: string,
  market?: OrderMarket,
): number {
  const { orders, index, instruments } = state;
  begin(state, account, at);
  const instrument = symbol === undefined ? undefined : state.symbols.index(symbol);
  const before = index.activeCount(account);
  for (const order of index.listed(account, instrument)) {
    if (!orders.active(order)) continue; // It ended with another of its list.
    if (market === undefined || market === marketOf(order, orders, instruments)) {
      cancelOrder(state, order, 'canceled', true);
    }
  }
  finish(state);
  return before - index.activeCount(account);
}

export const unknownOrder = (clientOrderId: string): Rejection => ({
  code: 'order-unknown',
  field: 'clientOrderId',
  message: `No active order has the client order id ${quoted(clientOrderId)}.`,
});
