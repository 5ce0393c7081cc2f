import type { Instrument } from '../../model/instrument.ts';
import { hasStopPrice, isOpen, type Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { OwnList } from './own-list.ts';

/** Lost protection of a holding. */
export interface Unprotected {
  readonly symbol: string;
  /** The order that ended last. */
  readonly clientOrderId: string;
  readonly orderListId?: string;
  /** Lots without a protective order, and the total. */
  readonly lots: number;
  readonly ofLots: number;
  readonly rejection: Rejection;
}

/** Lots that orders were to trade, and lots that they traded. */
interface Cover {
  readonly due: number;
  readonly done: number;
  readonly whose: string;
}

/**
 * Whether a holding lost its protection with an order that has just ended: the exits of a list
 * ended before they traded the lots of its first order, or a stop order expired with a remainder.
 * Ends that the strategy requested do not count. Each list is reported once.
 */
export function protectionLost(order: Order, list: OwnList | undefined): Unprotected | undefined {
  const { clientOrderId, symbol } = order;
  if (isOpen(order) || order.status === 'rejected') return undefined;
  const stop = list === undefined ? undefined : stopLost(order, list);
  if (stop !== undefined) return stop;
  const cover = list === undefined ? plainCover(order) : listCover(list);
  if (cover === undefined || cover.done >= cover.due) return undefined;
  if (list === undefined && order.rejection?.code === 'protection-ended') return undefined;
  if (list !== undefined) list.isUnprotected = true;
  const lots = cover.due - cover.done;
  const rejection: Rejection = {
    code: 'protection-ended',
    message: `${cover.whose} ended: ${lots} of ${cover.due} lots of ${symbol} stand without protection.`,
  };
  const of = list === undefined ? {} : { orderListId: list.orderListId };
  return { symbol, clientOrderId, ...of, lots, ofLots: cover.due, rejection };
}

/** A stop that its list ended because the other exit filled in part: the remainder has no stop. */
function stopLost(order: Order, list: OwnList): Unprotected | undefined {
  const { clientOrderId, symbol, side, status, type } = order;
  if (list.hasLostStop || status !== 'canceled' || !hasStopPrice(type) || isRequested(list)) {
    return undefined;
  }
  const other = list.orders.find(
    (candidate) =>
      candidate.clientOrderId !== order.clientOrderId &&
      candidate.side === side &&
      isOpen(candidate) &&
      candidate.filledLots > 0,
  );
  if (other === undefined) return undefined;
  list.hasLostStop = true;
  const lots = other.lots - other.filledLots;
  return {
    symbol,
    clientOrderId,
    orderListId: list.orderListId,
    lots,
    ofLots: other.lots,
    rejection: {
      code: 'protection-ended',
      message: `The stop ${clientOrderId} ended as ${other.clientOrderId} filled in part: ${lots} of ${other.lots} lots of ${symbol} stand without a stop.`,
    },
  };
}

/** Why an exit was canceled when it was to become active, if it was. */
export function neverActive(
  order: Order,
  list: OwnList | undefined,
  { baseCurrency, quoteCurrency }: Pick<Instrument, 'baseCurrency' | 'quoteCurrency'>,
): Rejection | undefined {
  if (list === undefined || order.status !== 'canceled' || !order.endedInactive) return undefined;
  const [entry] = list.orders;
  if (entry.clientOrderId === order.clientOrderId || entry.status !== 'filled' || isRequested(list))
    return undefined;
  const currency = order.side === 'sell' ? baseCurrency : quoteCurrency;
  return {
    code: 'protection-ended',
    message: `The venue canceled the order when its entry had filled, as it does where the account lacks the ${currency} that it needs.`,
  };
}

/** A triggered sell that expired with a remainder. */
function plainCover(order: Order): Cover | undefined {
  if (order.managed || !isSpent(order)) return undefined;
  const { timeInForce } = order.venueOrder ?? {};
  const how = timeInForce === 'FOK' ? ', which fills whole or not at all,' : '';
  const whose = `The ${timeInForce ?? ''} ${order.type} ${order.clientOrderId}${how} has`;
  return { due: order.lots, done: order.filledLots, whose };
}

/** True for a triggered sell that expired at once with its remainder. */
const isSpent = ({ side, type, status, venueOrder }: Order): boolean =>
  side === 'sell' &&
  status === 'expired' &&
  hasStopPrice(type) &&
  (venueOrder?.timeInForce === 'IOC' || venueOrder?.timeInForce === 'FOK');

function listCover(list: OwnList): Cover | undefined {
  const { contingencyType, orders, orderListId } = list;
  if (list.isActive || list.isUnprotected || isRequested(list)) return undefined;
  const whose = `The exits of the list ${orderListId} have`;
  switch (contingencyType) {
    case 'allOrNone':
      return undefined;
    case 'oneCancelOther': {
      const tried = orders.some((leg) => isSpent(leg) || leg.filledLots > 0);
      if (!tried || orders.some(({ side }) => side === 'buy')) return undefined;
      return { due: most(orders), done: executed(orders), whose };
    }
    case 'oneTriggerOther':
    case 'oneTriggerOneCancelOther': {
      const [entry, ...others] = orders;
      const exits = others.filter(
        ({ side, symbol }) => side !== entry.side && symbol === entry.symbol,
      );
      const requested = contingencyType === 'oneTriggerOther' ? total(exits) : most(exits);
      const due = Math.min(entry.filledLots, requested);
      return { due, done: executed(exits), whose };
    }
  }
}

/** True if the strategy has ended the exits itself. */
const isRequested = ({ closedBy, contingencyType, orders }: OwnList): boolean =>
  closedBy === 'strategy' ||
  orders.some(
    ({ cancelRequested, status }, index) =>
      cancelRequested &&
      status === 'canceled' &&
      (index > 0 || contingencyType === 'oneCancelOther'),
  );

const executed = (orders: readonly Order[]): number =>
  orders.reduce((sum, { filledLots }) => sum + filledLots, 0);

const total = (orders: readonly Order[]): number => orders.reduce((sum, { lots }) => sum + lots, 0);

const most = (orders: readonly Order[]): number =>
  orders.reduce((largest, { lots }) => Math.max(largest, lots), 0);
