import type { OrderRequest } from '../../model/order-request.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';

/**
 * An order before it was placed again: at the exchange of this process it is a new order for the rest, to
 * all others it is the same one.
 */
export interface PreviousRun {
  readonly filledLots: number;
  readonly order: VenueOrder;
  /** Placed again as a limit order, since its stop price was reached. */
  readonly wasTriggered: boolean;
}

export const previousRunOf = (order: VenueOrder): PreviousRun => ({
  filledLots: order.filledLots,
  order,
  wasTriggered:
    order.stopTicks !== undefined && order.status !== 'suspended' && order.inactive !== true,
});

/** An order of the exchange as the order that it continues. */
export function continued(order: VenueOrder, previous: PreviousRun): VenueOrder {
  const { filledLots, order: was, wasTriggered } = previous;
  const isReplacement = order.clientOrderId !== was.clientOrderId;
  const original = isReplacement ? order.originalClientOrderId : was.originalClientOrderId;
  const { orderListId, contingencyType } = was;
  return {
    ...order,
    ...(original === undefined ? {} : { originalClientOrderId: original }),
    ...(wasTriggered ? { type: was.type } : {}),
    ...(wasTriggered && was.stopTicks !== undefined ? { stopTicks: was.stopTicks } : {}),
    ...(orderListId === undefined ? {} : { orderListId }),
    ...(contingencyType === undefined ? {} : { contingencyType }),
    status: order.status === 'new' && filledLots > 0 ? 'partiallyFilled' : order.status,
    lots: (order.lots + filledLots) as Lots,
    filledLots: (order.filledLots + filledLots) as Lots,
    createdAt: was.createdAt,
  };
}

/** A replacement as the exchange of this process takes it: for the remaining quantity at its start. */
export function forTheRest(
  request: Extract<OrderRequest, { kind: 'replace' }>,
  { filledLots, wasTriggered }: PreviousRun,
): Extract<OrderRequest, { kind: 'replace' }> {
  const { stopTicks, ...rest } = request;
  const lots = (request.lots - filledLots) as Lots;
  return wasTriggered || stopTicks === undefined ? { ...rest, lots } : { ...rest, stopTicks, lots };
}
