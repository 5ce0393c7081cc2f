import type { Instrument } from '../../model/instrument.ts';
import { hasPrice, type Side } from '../../model/order.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
import { priceOnGrid, quantityOnGrid } from '../../rules/grid.ts';
import { orderTerms } from '../../rules/order-draft.ts';
import type { OrderTerms } from '../../rules/order-shape.ts';
import { replacementRefusal, type Replacement } from '../../rules/replacement.ts';
import type { Cancel, Change, Place, Replace } from '../../strategy/commands.ts';
import type { TrackedOrder } from '../../strategy/context.ts';
import type { OrderRequest, PlaceRequest } from '../gateway.ts';
import type { Orders } from './orders.ts';
import type { OwnOrder } from './own-order.ts';

/** What the desk needs of its surroundings. */
export interface DeskHost {
  readonly orders: Orders;
  /** The next client order id of the engine's own making. */
  nextId(): string;
  now(): Micros;
  instrument(symbol: string): Instrument | undefined;
  send(request: OrderRequest, wished: boolean): void;
  /** Shows an order to the strategy. */
  show(order: TrackedOrder): void;
}

type Replaced = Parameters<typeof replacementRefusal>[0];

export type Plain = Place | Replace | Cancel;

/** An order that a wish asks for; its terms are on the grid. */
export interface WishedTerms extends OrderTerms {
  readonly instrument: Instrument;
  readonly owner: () => void;
}

/**
 * Turns plain commands into requests, after the rules: what they refuse never leaves. Funds are
 * not judged here, the venue knows them better; it sees requests and fills in their true order.
 */
export class Desk {
  readonly #host: DeskHost;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  /**
   * Does what a plain command says, or gives the reason why not. With `form`, the reason why it
   * cannot even be read, its fields may be of any type.
   */
  handle(command: Plain, form?: Refusal): Refusal | undefined {
    switch (command.kind) {
      case 'place':
        return form === undefined ? this.#place(command) : this.#misplace(command, form);
      case 'replace':
        return this.#replace(command, form);
      case 'cancel':
        return form ?? this.#cancel(command);
    }
  }

  /** Cancels every plain order, of one symbol or of all. */
  cancelPlain(symbol?: string): void {
    for (const order of [...this.#host.orders.open()]) {
      if (order.owner !== undefined) continue;
      if (symbol === undefined || order.symbol === symbol) this.cancelOrder(order);
    }
  }

  cancelOrder(order: OwnOrder): void {
    const { clientOrderId, symbol } = order;
    this.#host.send({ kind: 'cancel', clientOrderId, symbol }, order.owner !== undefined);
  }

  /** Places an order for a wish. */
  placeWished(terms: WishedTerms): OwnOrder {
    return this.#send(this.#host.nextId(), terms.instrument, terms, terms.owner);
  }

  /** Replaces an order of a wish; `lots` is the new total. */
  replaceWished(order: OwnOrder, lots: Lots, ticks: Ticks): OwnOrder {
    return this.#sendReplacement(order, this.#host.nextId(), lots, ticks);
  }

  #place(command: Place): Refusal | undefined {
    const clientOrderId = command.clientOrderId ?? this.#host.nextId();
    const instrument = this.#host.instrument(command.symbol);
    if (instrument === undefined) {
      return this.#showRefused(command, clientOrderId, unknownSymbol(command.symbol));
    }
    const terms =
      this.#idRefusal(clientOrderId) ?? orderTerms(instrument, command, 'strict', this.#host.now());
    if (isRefusal(terms)) return this.#showRefused(command, clientOrderId, terms);
    this.#send(clientOrderId, instrument, terms, undefined);
    return undefined;
  }

  /** An order that cannot be read is shown as far as it can be. */
  #misplace(command: Place, form: Refusal): Refusal {
    const { clientOrderId, symbol, side, lots }: Readonly<Record<string, unknown>> = { ...command };
    const id = typeof clientOrderId === 'string' ? clientOrderId : this.#host.nextId();
    const asked = {
      symbol: typeof symbol === 'string' ? symbol : '',
      side: side === 'sell' ? ('sell' as const) : ('buy' as const),
      lots: (typeof lots === 'number' ? lots : 0) as Lots,
    };
    return this.#showRefused(asked, id, form);
  }

  #replace(command: Replace, form: Refusal | undefined): Refusal | undefined {
    if (form?.field?.endsWith('lientOrderId') === true) return form;
    const order = this.#plain(command.clientOrderId);
    const newId = command.newClientOrderId ?? this.#host.nextId();
    if (isRefusal(order)) return order;
    const change = form ?? this.#idRefusal(newId) ?? changeOf(order.instrument, command);
    if (isRefusal(change)) return this.#showRefused(order, newId, change);
    const refusal = replacementRefusal(termsOf(order), change);
    if (refusal !== undefined) return this.#showRefused(order, newId, refusal);
    const { lots = order.lots, ticks = order.ticks } = change;
    this.#sendReplacement(order, newId, lots, ticks);
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

  #idRefusal(clientOrderId: string): Refusal | undefined {
    const form = clientOrderIdRefusal(clientOrderId);
    if (form !== undefined || this.#host.orders.find(clientOrderId) === undefined) return form;
    return {
      code: 'client-order-id-taken',
      field: 'clientOrderId',
      message: `An order "${clientOrderId}" of this strategy is active or was until lately.`,
    };
  }

  #send(
    clientOrderId: string,
    instrument: Instrument,
    terms: OrderTerms,
    owner: (() => void) | undefined,
  ): OwnOrder {
    const { side, type, timeInForce, lots, ticks, stopTicks, expireAt, postOnly } = terms;
    const order = this.#host.orders.add({
      clientOrderId,
      instrument,
      side,
      type,
      lots,
      ticks,
      stopTicks,
      owner,
    });
    const request: PlaceRequest = {
      kind: 'place',
      clientOrderId,
      symbol: instrument.symbol,
      side,
      type,
      timeInForce,
      lots,
      ...(ticks === undefined ? {} : { ticks }),
      ...(stopTicks === undefined ? {} : { stopTicks }),
      ...(expireAt === undefined ? {} : { expireAt }),
      postOnly,
    };
    this.#host.send(request, owner !== undefined);
    this.#host.show(order.snapshot());
    return order;
  }

  #sendReplacement(
    order: OwnOrder,
    newClientOrderId: string,
    lots: Lots,
    ticks: Ticks | undefined,
  ): OwnOrder {
    const { clientOrderId, instrument, side, type, stopTicks, owner } = order;
    const successor = this.#host.orders.add({
      clientOrderId: newClientOrderId,
      instrument,
      side,
      type,
      lots,
      ticks,
      stopTicks,
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
      },
      owner !== undefined,
    );
    this.#host.show(successor.snapshot());
    return successor;
  }

  /** A refused order is shown all the same, so that the strategy hears of it where it looks. */
  #showRefused(
    asked: { readonly symbol: string; readonly side: Side; readonly lots?: Lots },
    clientOrderId: string,
    refusal: Refusal,
  ): Refusal {
    const { symbol, side, lots = 0 as Lots } = asked;
    this.#host.show(
      Object.freeze({
        clientOrderId,
        symbol,
        side,
        status: 'rejected',
        lots,
        executedLots: 0 as Lots,
        wished: false,
        refusal,
      }),
    );
    return refusal;
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
  return isRefusal(ticks) ? ticks : { lots, ticks };
}

export const unknownSymbol = (symbol: string): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `The venue has no symbol "${symbol}".`,
});
