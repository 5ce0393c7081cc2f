import type { Instrument } from '../../model/instrument.ts';
import { hasPrice, isOpen, type Order, type OrderTerms } from '../../model/order.ts';
import { cancelOf, type OrderRequest } from '../../model/order-request.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { RejectReport } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { priceOnGrid, quantityOnGrid, stopPriceOnGrid } from '../../rules/grid.ts';
import { openingMinimumRejection } from '../../rules/minimum.ts';
import { replacementFitRejection, type Replacement } from '../../rules/replacement.ts';
import type {
  Cancel,
  Change,
  Roundings,
  Place,
  OrderMarket,
  PlaceList,
  Quote,
  Replace,
  Target,
} from '../../strategy/commands.ts';
import type { OrderManagerHost } from './order-manager-host.ts';
import { OrderListManager } from './order-list-manager.ts';
import type { OwnList } from './own-list.ts';
import { showUnreadable, showRejected } from './rejected.ts';
import {
  idRejection,
  marginRejection,
  termsAt,
  requestedTrail,
  unknownSymbol,
} from './requested.ts';

export type Plain = Place | PlaceList | Replace | Cancel;

/**
 * Turns plain commands into requests, after the rules: a rejected command is never sent. Funds are
 * not checked here, as the venue knows them better: it sees requests and fills in their true order.
 */
export class OrderManager {
  readonly #host: OrderManagerHost;
  readonly #lists: OrderListManager;

  constructor(host: OrderManagerHost) {
    this.#host = host;
    this.#lists = new OrderListManager(host);
  }

  /**
   * Executes a plain command, or returns why not. With `form`, the rejection of an unreadable
   * command, its fields may be of any type.
   */
  handle(command: Plain, form?: Rejection): Rejection | undefined {
    switch (command.kind) {
      case 'place':
        return form === undefined
          ? this.#place(command)
          : showUnreadable(this.#host, command, form);
      case 'placeList':
        return this.#lists.place(command, form);
      case 'replace':
        return this.#replace(command, form);
      case 'cancel':
        return form ?? this.#cancel(command);
    }
  }

  /**
   * Cancels every plain order, of one market or all. A list with an order of the market is canceled
   * as a whole, since the end of one of its orders ends others.
   */
  cancelPlain(market?: OrderMarket): void {
    const lists = new Set<OwnList>();
    for (const order of this.#host.orders.open()) {
      if (order.managed) continue;
      if (market !== undefined && !isAt(order, market)) continue;
      const list = this.#host.orders.listOf(order);
      if (list === undefined) this.cancelOrder(order);
      else lists.add(list);
    }
    for (const list of lists) for (const order of list.close()) this.cancelOrder(order);
  }

  /**
   * Cancels the plain orders that a managed order replaces, lists as a whole, unless requested
   * already; returns all of them that have not ended.
   */
  clear(managedOrder: Target | Quote): readonly Order[] {
    if (managedOrder.kind !== 'target' || managedOrder.clears !== true) return [];
    const { orders } = this.#host;
    const resting = orders.open().filter((order) => !order.managed && isAt(order, managedOrder));
    for (const order of resting) {
      const list = orders.listOf(order);
      if (list === undefined) {
        if (!order.cancelRequested) this.cancelOrder(order);
      } else if (!list.isClosing) for (const candidate of list.close()) this.cancelOrder(candidate);
    }
    return resting;
  }

  /**
   * Continues to cancel a list as a whole when the order that was to end the others had filled
   * before its cancel arrived.
   */
  rejected({ request, clientOrderId, rejection }: RejectReport): void {
    if (request !== 'cancel' || rejection.code !== 'order-unknown') return;
    const { orders } = this.#host;
    const order = orders.find(clientOrderId);
    const list = order === undefined ? undefined : orders.listOf(order);
    if (list?.isClosing !== true) return;
    for (const next of list.closeOn()) this.cancelOrder(next);
  }

  cancelOrder(order: Order): void {
    this.#send(cancelOf(order), order.managed);
  }

  /** An open order, or one that ended a short time ago. */
  find(clientOrderId: string): Order | undefined {
    return this.#host.orders.find(clientOrderId);
  }

  /**
   * Places a managed order, whose terms are on the grid; returns its client order id. `made`
   * receives it before anything is sent.
   */
  placeManaged(symbol: string, terms: OrderTerms, made?: (clientOrderId: string) => void): string {
    const clientOrderId = this.#host.nextId();
    made?.(clientOrderId);
    this.#send({ kind: 'place', ...terms, clientOrderId, symbol }, true);
    return clientOrderId;
  }

  /**
   * Replaces a managed order; `lots` is the new total. Returns the client order id of the new one.
   */
  replaceManaged(order: Order, lots: Lots, ticks: Ticks): string {
    const clientOrderId = this.#host.nextId();
    this.#sendReplacement(order, clientOrderId, { lots, ticks });
    return clientOrderId;
  }

  /**
   * Moves the stop price of an order, and its limit price; returns the client order id of the new
   * one.
   */
  moveStop(order: Order, stopTicks: Ticks, ticks: Ticks | undefined): string {
    const clientOrderId = this.#host.nextId();
    this.#sendReplacement(order, clientOrderId, { lots: order.lots, ticks, stopTicks });
    return clientOrderId;
  }

  #place(command: Place): Rejection | undefined {
    const clientOrderId = command.clientOrderId ?? this.#host.nextId();
    const instrument = this.#host.instrument(command.symbol);
    if (instrument === undefined) {
      return showRejected(this.#host, command, clientOrderId, unknownSymbol(command.symbol));
    }
    const terms =
      idRejection(this.#host, clientOrderId, command.clientOrderId) ??
      termsAt(instrument, command, this.#host.now());
    const rejection = isRejection(terms)
      ? terms
      : (marginRejection(this.#host, instrument, terms) ??
        openingMinimumRejection(instrument, terms, this.#host.lastTicks(command.symbol)));
    if (isRejection(terms) || rejection !== undefined) {
      return showRejected(this.#host, command, clientOrderId, rejection ?? (terms as Rejection));
    }
    const trail = requestedTrail(instrument, command);
    if (isRejection(trail)) return showRejected(this.#host, command, clientOrderId, trail);
    const order = { ...terms, clientOrderId, symbol: command.symbol };
    this.#send({ kind: 'place', ...order }, false);
    if (trail !== undefined) this.#host.trail(order, trail);
    return undefined;
  }

  #replace(command: Replace, form: Rejection | undefined): Rejection | undefined {
    if (form?.field?.endsWith('lientOrderId') === true) return form;
    const order = this.#plain(command.clientOrderId);
    const newId = command.newClientOrderId ?? this.#host.nextId();
    if (isRejection(order)) return form ?? order;
    const change =
      form ??
      idRejection(this.#host, newId, command.newClientOrderId) ??
      this.#changeOf(order.symbol, command);
    if (isRejection(change)) return showRejected(this.#host, order, newId, change);
    const rejection = replacementFitRejection(order, change);
    if (rejection !== undefined) return showRejected(this.#host, order, newId, rejection);
    const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
    this.#sendReplacement(order, newId, { lots, ticks, stopTicks });
    return undefined;
  }

  #cancel({ clientOrderId }: Cancel): Rejection | undefined {
    const order = this.#plain(clientOrderId);
    if (isRejection(order)) return order;
    this.cancelOrder(order);
    return undefined;
  }

  /** The open plain order of an id. */
  #plain(clientOrderId: string): Order | Rejection {
    const order = this.#host.orders.find(clientOrderId);
    const code = 'order-unknown';
    const field = 'clientOrderId';
    if (order === undefined || !isOpen(order)) {
      return { code, field, message: `No order "${clientOrderId}" of this strategy is active.` };
    }
    if (!order.managed) return order;
    return {
      code,
      field,
      message: `The order "${clientOrderId}" belongs to a managed order for ${order.symbol}; change that instead.`,
    };
  }

  #sendReplacement(
    { clientOrderId, symbol, type, managed, margin }: Order,
    newClientOrderId: string,
    { lots, ticks, stopTicks }: Replacement & { readonly lots: Lots },
  ): void {
    this.#send(
      {
        kind: 'replace',
        clientOrderId,
        newClientOrderId,
        symbol,
        lots,
        ticks: hasPrice(type) ? ticks : undefined,
        stopTicks,
        ...(margin === undefined ? {} : { margin: margin.mode }),
      },
      managed,
    );
  }

  /** Records the orders of a request, sends it and emits them. */
  #send(request: OrderRequest, managed: boolean): void {
    const host = this.#host;
    const orders = host.orders.request(request, managed, host.now());
    host.send(request, managed);
    for (const order of orders) host.show(order);
  }

  #changeOf(symbol: string, change: Change & Roundings): Replacement | Rejection {
    const instrument = this.#host.instrument(symbol);
    return instrument === undefined ? unknownSymbol(symbol) : changeOf(instrument, change);
  }
}

/** True for an order of that market: a symbol on spot or in a margin mode. */
const isAt = ({ symbol, margin }: Order, market: OrderMarket): boolean =>
  symbol === market.symbol && margin?.mode === market.margin;

/** Changes of a replacement, on the grid. */
function changeOf(instrument: Instrument, change: Change & Roundings): Replacement | Rejection {
  const { priceRounding: prices = 'strict', quantityRounding: quantities = 'strict' } = change;
  const lots =
    change.quantity === undefined
      ? change.lots
      : quantityOnGrid(instrument, change.quantity, quantities);
  if (isRejection(lots)) return lots;
  const ticks =
    change.price === undefined ? change.ticks : priceOnGrid(instrument, change.price, prices);
  if (isRejection(ticks)) return ticks;
  const stopTicks =
    change.stopPrice === undefined
      ? change.stopTicks
      : stopPriceOnGrid(instrument, change.stopPrice, prices);
  return isRejection(stopTicks) ? stopTicks : { lots, ticks, stopTicks };
}
