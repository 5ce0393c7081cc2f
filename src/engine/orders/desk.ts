import type { Instrument } from '../../model/instrument.ts';
import { hasPrice } from '../../model/order.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { priceOnGrid, quantityOnGrid, stopPriceOnGrid } from '../../rules/grid.ts';
import { replacementRefusal, type Replacement } from '../../rules/replacement.ts';
import type {
  Cancel,
  Change,
  Place,
  PlaceList,
  Quote,
  Replace,
  Target,
} from '../../strategy/commands.ts';
import type { PlaceRequest } from '../gateway.ts';
import type { DeskHost } from './desk-host.ts';
import { ListDesk } from './list-desk.ts';
import type { OwnList } from './own-list.ts';
import type { OwnOrder } from './own-order.ts';
import { showMisread, showRefused } from './refused.ts';
import { idRefusal, requestedOrder, termsAt, unknownSymbol, type RatedTerms } from './requested.ts';

type Replaced = Parameters<typeof replacementRefusal>[0];

export type Plain = Place | PlaceList | Replace | Cancel;

/** An order that a wish asks for; its terms are on the grid. */
export interface WishedTerms extends RatedTerms {
  readonly instrument: Instrument;
  readonly owner: () => void;
}

/**
 * Turns plain commands into requests, after the rules: what they refuse never leaves. Funds are
 * not judged here, the venue knows them better; it sees requests and fills in their true order.
 */
export class Desk {
  readonly #host: DeskHost;
  readonly #lists: ListDesk;

  constructor(host: DeskHost) {
    this.#host = host;
    this.#lists = new ListDesk(host);
  }

  /**
   * Does what a plain command says, or gives the reason why not. With `form`, the reason why it
   * cannot even be read, its fields may be of any type.
   */
  handle(command: Plain, form?: Refusal): Refusal | undefined {
    switch (command.kind) {
      case 'place':
        return form === undefined ? this.#place(command) : showMisread(this.#host, command, form);
      case 'placeList':
        return this.#lists.place(command, form);
      case 'replace':
        return this.#replace(command, form);
      case 'cancel':
        return form ?? this.#cancel(command);
    }
  }

  /**
   * Cancels every plain order, of one symbol or of all; a list with an order of the symbol as a
   * whole, since the end of one of its orders ends others.
   */
  cancelPlain(symbol?: string): void {
    const lists = new Set<OwnList>();
    for (const order of [...this.#host.orders.open()]) {
      if (order.owner !== undefined) continue;
      if (symbol !== undefined && order.symbol !== symbol) continue;
      const list = this.#host.orders.listOf(order);
      if (list === undefined) this.cancelOrder(order);
      else lists.add(list);
    }
    for (const list of lists) for (const order of list.close()) this.cancelOrder(order);
  }

  /**
   * Cancels the plain orders that a wish does not leave standing, lists as a whole, where that was not
   * asked yet; gives all of them that have not ended.
   */
  clear(wish: Target | Quote): readonly OwnOrder[] {
    if (wish.kind !== 'target' || wish.clears !== true) return [];
    const { orders } = this.#host;
    const { symbol } = wish;
    const standing = [...orders.open()].filter(
      (order) => order.owner === undefined && order.symbol === symbol,
    );
    for (const order of standing) {
      const list = orders.listOf(order);
      if (list === undefined) {
        if (!order.cancelAsked) this.cancelOrder(order);
      } else if (!list.isClosing) for (const one of list.close()) this.cancelOrder(one);
    }
    return standing;
  }

  /**
   * A list that is to end as a whole goes on ending when the order that was to take the others along
   * had filled before its cancel came.
   */
  refused({ request, clientOrderId, refusal }: RejectReport): void {
    if (request !== 'cancel' || refusal.code !== 'order-unknown') return;
    const { orders } = this.#host;
    const order = orders.find(clientOrderId);
    const list = order === undefined ? undefined : orders.listOf(order);
    if (list?.isClosing !== true) return;
    for (const next of list.closeOn()) this.cancelOrder(next);
  }

  cancelOrder(order: OwnOrder): void {
    const { clientOrderId, symbol } = order;
    order.cancelAsked = true;
    this.#host.send({ kind: 'cancel', clientOrderId, symbol }, order.owner !== undefined);
  }

  /** Places an order for a wish. */
  placeWished(terms: WishedTerms): OwnOrder {
    return this.#send(this.#host.nextId(), terms.instrument, terms, terms.owner);
  }

  /** Replaces an order of a wish; `lots` is the new total. */
  replaceWished(order: OwnOrder, lots: Lots, ticks: Ticks): OwnOrder {
    return this.#sendReplacement(order, this.#host.nextId(), { lots, ticks });
  }

  #place(command: Place): Refusal | undefined {
    const clientOrderId = command.clientOrderId ?? this.#host.nextId();
    const instrument = this.#host.instrument(command.symbol);
    if (instrument === undefined) {
      return showRefused(this.#host, command, clientOrderId, unknownSymbol(command.symbol));
    }
    const terms =
      idRefusal(this.#host.orders, clientOrderId) ?? termsAt(instrument, command, this.#host.now());
    if (isRefusal(terms)) return showRefused(this.#host, command, clientOrderId, terms);
    this.#send(clientOrderId, instrument, terms, undefined);
    return undefined;
  }

  #replace(command: Replace, form: Refusal | undefined): Refusal | undefined {
    if (form?.field?.endsWith('lientOrderId') === true) return form;
    const order = this.#plain(command.clientOrderId);
    const newId = command.newClientOrderId ?? this.#host.nextId();
    if (isRefusal(order)) return form ?? order;
    const change =
      form ?? idRefusal(this.#host.orders, newId) ?? changeOf(order.instrument, command);
    if (isRefusal(change)) return showRefused(this.#host, order, newId, change);
    const refusal = replacementRefusal(termsOf(order), change);
    if (refusal !== undefined) return showRefused(this.#host, order, newId, refusal);
    const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
    this.#sendReplacement(order, newId, { lots, ticks, stopTicks });
    return undefined;
  }

  #cancel({ clientOrderId }: Cancel): Refusal | undefined {
    const order = this.#plain(clientOrderId);
    if (isRefusal(order)) return order;
    this.cancelOrder(order);
    return undefined;
  }

  /** The open plain order of an id. */
  #plain(clientOrderId: string): OwnOrder | Refusal {
    const order = this.#host.orders.find(clientOrderId);
    const code = 'order-unknown';
    const field = 'clientOrderId';
    if (order === undefined || !order.isOpen) {
      return { code, field, message: `No order "${clientOrderId}" of this strategy is active.` };
    }
    if (order.owner === undefined) return order;
    return {
      code,
      field,
      message: `The order "${clientOrderId}" belongs to a wish for ${order.symbol}; change the wish instead.`,
    };
  }

  #send(
    clientOrderId: string,
    instrument: Instrument,
    terms: RatedTerms,
    owner: (() => void) | undefined,
  ): OwnOrder {
    const { side, type, lots, ticks, stopTicks, takeRate, makeRate } = terms;
    const order = this.#host.orders.add({
      clientOrderId,
      instrument,
      side,
      type,
      lots,
      ticks,
      stopTicks,
      takeRate,
      makeRate,
      owner,
    });
    const requested = requestedOrder(clientOrderId, instrument.symbol, terms);
    const request: PlaceRequest = { kind: 'place', ...requested };
    this.#host.send(request, owner !== undefined);
    this.#host.show(order.snapshot());
    return order;
  }

  #sendReplacement(
    order: OwnOrder,
    newClientOrderId: string,
    { lots, ticks, stopTicks }: Replacement & { readonly lots: Lots },
  ): OwnOrder {
    const { clientOrderId, instrument, side, type, membership, owner, takeRate, makeRate } = order;
    const successor = this.#host.orders.add({
      clientOrderId: newClientOrderId,
      instrument,
      side,
      type,
      lots,
      ticks,
      stopTicks,
      takeRate,
      makeRate,
      membership,
      replaces: order,
      owner,
    });
    this.#host.send(
      {
        kind: 'replace',
        clientOrderId,
        newClientOrderId,
        symbol: instrument.symbol,
        lots,
        ...(ticks === undefined || !hasPrice(type) ? {} : { ticks }),
        ...(stopTicks === undefined ? {} : { stopTicks }),
      },
      owner !== undefined,
    );
    this.#host.show(successor.snapshot());
    return successor;
  }
}

/** The terms of an order that a replacement is held against. */
const termsOf = ({ type, lots, executedLots, ticks, stopTicks }: OwnOrder): Replaced => ({
  type,
  lots,
  executedLots,
  ...(ticks === undefined ? {} : { ticks }),
  ...(stopTicks === undefined ? {} : { stopTicks }),
});

/** What a replacement sets, on the grid. */
function changeOf(instrument: Instrument, change: Change): Replacement | Refusal {
  const lots =
    change.quantity === undefined
      ? change.lots
      : quantityOnGrid(instrument, change.quantity, 'strict');
  if (isRefusal(lots)) return lots;
  const ticks =
    change.price === undefined ? change.ticks : priceOnGrid(instrument, change.price, 'strict');
  if (isRefusal(ticks)) return ticks;
  const stopTicks =
    change.stopPrice === undefined
      ? change.stopTicks
      : stopPriceOnGrid(instrument, change.stopPrice, 'strict');
  return isRefusal(stopTicks) ? stopTicks : { lots, ticks, stopTicks };
}
