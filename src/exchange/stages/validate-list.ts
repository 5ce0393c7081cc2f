import { Decimal } from '../../model/decimal.ts';
import type { NewOrder } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import { fundsRefusal } from '../../rules/funds.ts';
import type { ListTerms } from '../../rules/order-list.ts';
import { quoted } from '../../rules/quoted.ts';
import { BUY, sideCode } from '../orders/side.ts';
import type { State } from '../state/state.ts';
import { buyingPowerRefusal, measuredNeed, orderNeed } from './buying-power.ts';
import { estimateFill, estimateNext } from './fill-estimate.ts';
import { listRefusal, type Passed } from './guard.ts';
import { limitRefusal, memberRefusal } from './validate.ts';

/** An order list as it reaches the exchange. */
export interface NewList extends ListTerms {
  readonly orders: readonly NewOrder[];
}

/** Why a list is not taken; `instruments` are those of its orders, found already. */
export function placeListRefusal(
  state: State,
  account: number,
  instruments: readonly number[],
  list: NewList,
  at: Micros,
  passed?: Passed,
): Refusal | undefined {
  return (
    listRefusal(list, passed) ??
    idRefusal(state, account, list) ??
    membersRefusal(state, account, instruments, list, at, passed) ??
    limitsRefusal(state, account, instruments) ??
    listFundsRefusal(state, account, instruments, list, passed)
  );
}

function idRefusal(state: State, account: number, { orders }: NewList): Refusal | undefined {
  const id: unknown = orders[0].clientOrderId;
  // What is no text is refused as the id of its order.
  if (typeof id !== 'string' || !state.lists.has(account, id)) return undefined;
  return {
    code: 'order-list-id-invalid',
    field: 'orderListId',
    message: `A list with active orders has the id ${quoted(id)}; choose another first client order id.`,
  };
}

function membersRefusal(
  state: State,
  account: number,
  instruments: readonly number[],
  { contingencyType, orders }: NewList,
  at: Micros,
  passed?: Passed,
): Refusal | undefined {
  const triggers = contingencyType.startsWith('oneTrigger');
  for (const [index, order] of orders.entries()) {
    const waits = triggers && index > 0;
    const refusal = memberRefusal(state, account, instruments[index], order, at, waits, passed);
    if (refusal !== undefined) return inList(refusal, index);
  }
  return undefined;
}

function limitsRefusal(
  state: State,
  account: number,
  instruments: readonly number[],
): Refusal | undefined {
  for (const instrument of new Set(instruments)) {
    const on = instruments.filter((other) => other === instrument).length;
    const refusal = limitRefusal(state, account, instrument, instruments.length, on);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** All of an allOrNone, the dearest leg of an oneCancelOther, the primary of the others. */
function listFundsRefusal(
  state: State,
  account: number,
  instruments: readonly number[],
  { contingencyType, orders }: NewList,
  passed?: Passed,
): Refusal | undefined {
  if (contingencyType === 'allOrNone') return sumRefusal(state, account, instruments, orders);
  const count = contingencyType === 'oneCancelOther' ? orders.length : 1;
  for (const [index, order] of orders.entries()) {
    if (index >= count) break;
    const refusal = buyingPowerRefusal(state, account, instruments[index], order, passed);
    if (refusal !== undefined) return inList(refusal, index);
  }
  return undefined;
}

/** No order of an allOrNone pays with what another brings. */
function sumRefusal(
  state: State,
  account: number,
  instruments: readonly number[],
  orders: NewList['orders'],
): Refusal | undefined {
  const sums = new Map<number, { amount: Decimal; buys: boolean }>();
  for (const [index, order] of orders.entries()) {
    const instrument = instruments[index];
    const side = sideCode(order.side);
    const { baseIndex, quoteIndex } = state.schedules[instrument];
    const currency = side === BUY ? quoteIndex : baseIndex;
    const sum = sums.get(currency) ?? { amount: new Decimal(0), buys: false };
    sum.amount = sum.amount.plus(memberNeed(state, account, instrument, order, index));
    sum.buys ||= side === BUY;
    sums.set(currency, sum);
  }
  for (const [currency, { amount, buys }] of sums) {
    const available = state.ledger.available(account, currency);
    const name = state.ledger.balances[currency].currency;
    const refusal = fundsRefusal(buys ? 'buy' : 'sell', name, amount, available);
    if (refusal !== undefined) return { ...refusal, field: 'orders' };
  }
  return undefined;
}

/** What an order of an allOrNone needs, measured after those before it. */
function memberNeed(
  state: State,
  account: number,
  instrument: number,
  order: NewOrder,
  index: number,
): Decimal {
  const { side, ticks, lots } = order;
  const terms = [account, instrument, sideCode(side), ticks ?? 0, lots] as const;
  if (index === 0) estimateFill(state, ...terms);
  else estimateNext(state, ...terms);
  return side === 'buy' && ticks === undefined
    ? measuredNeed(state, account, instrument, order)
    : orderNeed(state, account, instrument, order);
}

/** A refusal of one order, told as one of the list. */
const inList = (refusal: Refusal, index: number): Refusal =>
  refusal.field === undefined
    ? refusal
    : { ...refusal, field: `orders[${index}].${refusal.field}` };
