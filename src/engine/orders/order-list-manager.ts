import type { Instrument } from '../../model/instrument.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { bracketExitLots, bracketRejection, bracketSizeRejection } from '../../rules/bracket.ts';
import { openingMinimumRejection } from '../../rules/minimum.ts';
import { orderListRejection } from '../../rules/order-list.ts';
import type { ListOrder, PlaceList } from '../../strategy/commands.ts';
import type { NewOrder } from '../../model/order.ts';
import type { Trail } from '../../rules/trailing.ts';
import {
  idRejection,
  marginRejection,
  termsAt,
  requestedTrail,
  unknownSymbol,
} from './requested.ts';
import type { OrderManagerHost } from './order-manager-host.ts';
import { readableOrder, rejectedOrder } from './rejected.ts';

/** A checked order of a list. */
interface Member {
  readonly instrument: Instrument;
  readonly order: NewOrder;
  readonly trail: Trail | undefined;
}

/** Turns order lists into one request each, after the rules: a list is sent whole or not at all. */
export class OrderListManager {
  readonly #host: OrderManagerHost;

  constructor(host: OrderManagerHost) {
    this.#host = host;
  }

  /**
   * Places a list, or emits all its orders as rejected and returns why. With `form`, the rejection
   * of an unreadable list, its fields may be of any type.
   */
  place(command: PlaceList, form?: Rejection): Rejection | undefined {
    if (form !== undefined) return this.#show(command, namesOf(command, this.#host), form);
    const ids = command.orders.map((order) => order.clientOrderId ?? this.#host.nextId());
    const members = this.#members(command, ids);
    if (isRejection(members)) return this.#show(command, ids, members);
    this.#send(command, members);
    return undefined;
  }

  #members(
    { contingencyType, orders, bracket }: PlaceList,
    ids: readonly string[],
  ): readonly Member[] | Rejection {
    const members: Member[] = [];
    for (const [index, order] of orders.entries()) {
      // An order that waits for the first is checked once that has changed the position.
      const waits = index > 0 && contingencyType.startsWith('oneTrigger');
      const member = this.#member(order, ids[index], waits);
      if (isRejection(member)) return inList(member, index);
      members.push(member);
    }
    const listed = members.map(({ order }) => order);
    const rejection =
      orderListRejection({ contingencyType, orders: listed }) ?? marketsRejection(members);
    if (rejection !== undefined) return rejection;
    const isBracket = bracket === true && contingencyType === 'oneTriggerOneCancelOther';
    if (!isBracket) return members;
    const [{ instrument }] = members;
    const prices = bracketRejection(listed, instrument, this.#host.lastTicks(instrument.symbol));
    // On margin no fee reduces what is bought, and exits can only reduce.
    if (prices !== undefined || listed[0].margin !== undefined) return prices ?? members;
    return bracketSizeRejection(instrument, listed) ?? this.#sized(members);
  }

  /** Reduces the exits of a bracket to what the fees of its entry and their own leave to sell. */
  #sized(members: readonly Member[]): readonly Member[] {
    const [{ instrument, order: entry }] = members;
    const sized = members.map((member, index) => {
      const { order } = member;
      const most = index === 0 ? order.lots : bracketExitLots(instrument, entry, order);
      return order.lots <= most ? member : { ...member, order: { ...order, lots: most } };
    });
    if (sized.every((member, index) => member === members[index])) return members;
    const { baseCurrency, symbol } = instrument;
    const exits = new Set(sized.slice(1).map(({ order }) => order.lots));
    const exitLots = Math.min(...exits);
    this.#host.note(
      `The exits of the bracket ${entry.clientOrderId} are for ${[...exits].join(' and ')} of ${entry.lots} lots: the fees are taken in ${baseCurrency}, and so much is left to sell.`,
      { symbol, clientOrderId: entry.clientOrderId, entryLots: entry.lots, exitLots },
    );
    return sized;
  }

  #member(order: ListOrder, clientOrderId: string, waits: boolean): Member | Rejection {
    const instrument = this.#host.instrument(order.symbol);
    if (instrument === undefined) return unknownSymbol(order.symbol);
    const terms =
      idRejection(this.#host, clientOrderId, order.clientOrderId) ??
      termsAt(instrument, order, this.#host.now());
    if (isRejection(terms)) return terms;
    const rejection =
      marginRejection(this.#host, instrument, terms, waits) ??
      openingMinimumRejection(instrument, terms, this.#host.lastTicks(order.symbol));
    if (rejection !== undefined) return rejection;
    const trail = requestedTrail(instrument, order);
    if (isRejection(trail)) return trail;
    return { instrument, order: { ...terms, clientOrderId, symbol: order.symbol }, trail };
  }

  #send({ contingencyType }: PlaceList, members: readonly Member[]): void {
    const host = this.#host;
    const requested = members.map(({ order }) => order);
    const orderListId = requested[0].clientOrderId;
    const request = { kind: 'placeList', orderListId, contingencyType, orders: requested } as const;
    const orders = host.orders.request(request, false, host.now());
    host.send(request, false);
    for (const order of orders) host.show(order);
    const list = host.orders.listOf(orders[0]);
    if (list !== undefined) host.showList(list.snapshot());
    for (const { order, trail } of members) if (trail !== undefined) host.trail(order, trail);
  }

  /** Emits every order of a rejected list, and then the list. */
  #show(
    { contingencyType, orders }: PlaceList,
    ids: readonly string[],
    rejection: Rejection,
  ): Rejection {
    if (ids.length === 0) return rejection;
    const [orderListId] = ids;
    const emitted = ids.map((id, listIndex) => {
      const list = { orderListId, contingencyType, listIndex };
      return rejectedOrder(
        this.#host,
        readableOrder(this.#host, { ...orders[listIndex], clientOrderId: id }).terms,
        id,
        rejection,
        list,
      );
    });
    for (const order of emitted) this.#host.show(order);
    this.#host.showList(
      Object.freeze({
        orderListId,
        contingencyType,
        orders: Object.freeze(emitted),
        active: false,
      }),
    );
    return rejection;
  }
}

/** The ids of orders that may be invalid. */
function namesOf({ orders }: PlaceList, host: OrderManagerHost): readonly string[] {
  const given: unknown = orders;
  if (!Array.isArray(given)) return [];
  return (given as readonly unknown[]).map(
    (order) => readableOrder(host, Object(order) as object).id,
  );
}

/** A list is one request of the service, which is separate for each market and margin mode. */
function marketsRejection(members: readonly Member[]): Rejection | undefined {
  const [first] = members;
  const index = members.findIndex((member) => marketOf(member) !== marketOf(first));
  if (index < 0) return undefined;
  return {
    code: 'margin-mode-invalid',
    field: `orders[${index}].margin`,
    message: `The orders of a list trade on one market and margin: the first is on ${marketOf(first)}, and this one on ${marketOf(members[index])}.`,
    limit: marketOf(first),
  };
}

const marketOf = ({ instrument, order: { margin } }: Member): string =>
  margin === undefined ? 'spot' : `${margin.mode} ${instrument.isContract ? 'futures' : 'margin'}`;

const inList = (rejection: Rejection, index: number): Rejection => ({
  ...rejection,
  field: `orders[${index}].${rejection.field ?? ''}`,
});
