import { hasStopPrice } from '../../model/order.ts';
import type { Book, BookSide } from '../book/book.ts';
import type { Matching } from './match.ts';
import type { Reach } from './fill-estimate.ts';
import type { SelfMatch } from '../state/self-match.ts';
import type { ExchangeListener } from '../state/listener.ts';
import type { Holdings } from './reserve.ts';
import { isLeg, legs, type OrderLists, type OrderList } from '../orders/lists.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import { CLOSE_POSITION } from '../positions/flags.ts';
import type { FollowUps } from '../queues/follow-ups.ts';
import { NONE as NO_ORDER, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import { Remaining } from './remaining.ts';
import type { Intake } from './validate.ts';
import { BUY } from '../orders/side.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { Remainders } from '../orders/remainders.ts';
import type { StopBook } from '../book/stop-book.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const NONE = NO_ORDER;

/** The stations that an order passes. */
export interface LifeSetup {
  readonly orders: Orders;
  readonly register: OrderIndex;
  readonly books: readonly Book[];
  readonly tapes: readonly RecordedMarket[];
  readonly intake: Intake;
  readonly reach: Reach;
  readonly holdings: Holdings;
  readonly lists: OrderLists;
  readonly matching: Matching;
  readonly triggers: StopBook;
  readonly remainders: Remainders;
  readonly agenda: FollowUps<number | OrderList>;
  readonly listener: ExchangeListener;
  readonly selfMatch: SelfMatch;
  readonly positions: MarginAccounts;
  /** True where a stop leg cancels the others when it is triggered, and not with its first trade. */
  readonly cancelsOnTrigger: boolean;
}

/** Leads orders through their lives: waiting for a trigger, entering, executing, resting, ending. */
export class Life {
  declare private readonly orders: Orders;
  declare private readonly register: OrderIndex;
  declare private readonly books: readonly Book[];
  declare private readonly tapes: readonly RecordedMarket[];
  declare private readonly intake: Intake;
  declare private readonly reach: Reach;
  declare private readonly holdings: Holdings;
  declare private readonly lists: OrderLists;
  declare private readonly matching: Matching;
  declare private readonly triggers: StopBook;
  declare private readonly remaining: Remaining;
  declare private readonly agenda: FollowUps<number | OrderList>;
  declare private readonly listener: ExchangeListener;
  declare private readonly selfMatch: SelfMatch;
  declare private readonly positions: MarginAccounts;
  declare private readonly cancelsOnTrigger: boolean;

  constructor(setup: LifeSetup) {
    this.orders = setup.orders;
    this.register = setup.register;
    this.books = setup.books;
    this.tapes = setup.tapes;
    this.intake = setup.intake;
    this.reach = setup.reach;
    this.holdings = setup.holdings;
    this.lists = setup.lists;
    this.matching = setup.matching;
    this.triggers = setup.triggers;
    this.remaining = new Remaining(setup);
    this.agenda = setup.agenda;
    this.listener = setup.listener;
    this.selfMatch = setup.selfMatch;
    this.positions = setup.positions;
    this.cancelsOnTrigger = setup.cancelsOnTrigger;
  }

  /** A new order that was let in: it waits, or fails at entry, or executes. */
  begin(order: number): void {
    if (this.orders.suspended(order)) {
      this.holdings.hold(order);
      this.listener.order('suspended', order);
      this.triggers.wait(order, this.matching.comesAt);
    } else if (this.#failsAtEntry(order)) this.#end(order, 'expired');
    else {
      this.holdings.hold(order);
      this.listener.order('new', order);
      this.execute(order);
    }
  }

  /** A list that was let in: all its orders are told, then those that can execute do; a renewed one has its means. */
  beginList(list: OrderList, isRenewed = false): void {
    const orders = this.orders;
    const members = [...list.members];
    if (list.contingencyType === 'allOrNone' && this.#anyFails(members)) {
      for (const order of members) this.#end(order, 'expired');
      return;
    }
    for (const order of members) this.holdings.hold(order);
    for (const order of members) {
      const isSuspended = orders.suspended(order);
      this.listener.order(isSuspended ? 'suspended' : 'new', order);
      if (isSuspended && !this.lists.isInactive(order))
        this.triggers.wait(order, this.matching.comesAt);
    }
    this.#enterAll(members, isRenewed);
  }

  /** An order that takes another's place; it waits on where the other waited. */
  succeed(order: number): void {
    this.holdings.hold(order);
    this.listener.order('replaced', order);
    if (this.orders.status(order) !== 'suspended') this.#enter(order);
    else if (!this.lists.isInactive(order)) this.triggers.wait(order, this.matching.comesAt);
  }

  /** Does what trades have brought about, until nothing is left to do. */
  settle(): void {
    for (;;) {
      const item = this.agenda.shift();
      if (item === undefined) return;
      if (typeof item === 'number') this.#trigger(item);
      else this.#activate(item);
    }
  }

  /** Takes an order from where it stands and ends it; `byUser` where its owner asked for that. */
  withdraw(order: number, status: 'canceled' | 'expired', byUser = false): void {
    this.leave(order);
    this.#giveUp(order, status, byUser);
  }

  /** Takes an order from where it stands; inactive and triggered orders stand nowhere. */
  leave(order: number): void {
    const orders = this.orders;
    if (orders.level(order) === NONE) {
      this.remaining.callBack(order);
      return;
    }
    if (orders.suspended(order)) this.triggers.remove(order);
    else this.books[orders.instrument(order)].sides[orders.side(order)].remove(order);
  }

  /** An order of a list has executed: the legs that it excludes end, the secondaries of a primary become active. */
  after(order: number): void {
    const list = this.lists.of(order);
    if (list === undefined) return;
    const index = list.members.indexOf(order);
    if (isLeg(list, index)) this.#cancelOthers(order, legs(list));
    if (this.orders.left(order) > 0) return;
    this.lists.leave(order, list);
    if (list.waiting && index === 0) this.agenda.push(list);
  }

  /** An incoming order comes to a resting one of its account; false when that is its end. */
  met(taker: number, maker: number): boolean {
    const orders = this.orders;
    const mode = this.selfMatch.mode(orders.account(taker));
    if (mode === 'expireTaker') return false;
    const [own, resting] = [orders.left(taker), orders.left(maker)];
    if (mode !== 'decrement' || resting <= own) this.withdraw(maker, 'expired');
    else this.#decrease(maker, own);
    if (mode === 'expireBoth') return false;
    if (mode === 'expireMaker') return true;
    if (own <= resting) return false;
    this.#decrease(taker, resting);
    return true;
  }

  /** Takes lots off an order that keeps some. */
  #decrease(order: number, lots: number): void {
    const orders = this.orders;
    this.holdings.release(order);
    orders.setLots(order, orders.lots(order) - lots);
    this.holdings.hold(order);
    if (orders.level(order) !== NONE) {
      this.books[orders.instrument(order)].sides[orders.side(order)].shrink(order, lots);
    }
    this.listener.order('status', order);
  }

  /** True when one of several orders could not fill whole, each after those before it. */
  #anyFails(members: readonly number[]): boolean {
    const orders = this.orders;
    return members.some((order, index) => {
      const where = [orders.account(order), orders.instrument(order)] as const;
      const terms = [...where, orders.side(order), orders.ticks(order)] as const;
      const left = orders.left(order);
      if (index === 0) this.reach.measure(...terms, left);
      else this.reach.measureOn(...terms, left);
      return this.reach.lots < left;
    });
  }

  /** Lets those orders execute that are told as new and were not canceled since. */
  #enterAll(members: readonly number[], isRenewed = false): void {
    const orders = this.orders;
    for (const order of members) {
      if (order === NONE || !orders.active(order) || orders.status(order) !== 'new') continue;
      if (orders.level(order) === NONE) this.#enter(order, isRenewed && orders.margin(order) !== 0);
    }
  }

  /** The primary has filled: every secondary gets its means and is told, then those that can execute do. */
  #activate(list: OrderList): void {
    const orders = this.orders;
    list.waiting = false;
    const members = list.members.filter((order) => order !== NONE);
    for (const order of members) {
      list.active[list.members.indexOf(order)] = true;
      const waits = hasStopPrice(orders.type(order));
      const isMarket = orders.type(order) === 'market';
      if (!isMarket && !this.holdings.covers(order)) {
        this.#end(order, 'canceled');
        continue;
      }
      orders.setStatus(order, waits ? 'suspended' : 'new', this.matching.now);
      this.holdings.hold(order);
      this.listener.order(waits ? 'suspended' : 'new', order);
      if (waits) this.triggers.wait(order, this.matching.comesAt);
    }
    this.#enterAll(members);
  }

  /** The price has come to the stop price of an order. */
  #trigger(order: number): void {
    const orders = this.orders;
    if (!orders.active(order)) return;
    if (this.cancelsOnTrigger) this.#cancelLegs(order);
    if (orders.ticks(order) === 0) this.holdings.release(order);
    orders.setStatus(order, 'new', this.matching.now);
    if (orders.ticks(order) === 0) this.#shareOut(order);
    if (orders.margin(order) !== 0) this.positions.complete(order);
    const failure = this.#failure(order);
    if (failure === undefined) {
      this.listener.order('new', order);
      this.execute(order);
    } else this.#giveUp(order, failure);
  }

  /** An order that was told of executes, unless it fails now. */
  #enter(order: number, hasMeans = false): void {
    const failure = hasMeans && !this.#failsAtEntry(order) ? undefined : this.#failure(order);
    if (failure === undefined) this.execute(order);
    else this.#giveUp(order, failure);
  }

  /** How an order ends that cannot enter. */
  #failure(order: number): 'canceled' | 'expired' | undefined {
    if (!this.intake.canEnter(order)) return 'canceled';
    if (!this.#failsAtEntry(order)) return undefined;
    return (this.orders.margin(order) & CLOSE_POSITION) === 0 ? 'expired' : 'canceled';
  }

  /** An order that must not take and would, or must fill whole and cannot. */
  #failsAtEntry(order: number): boolean {
    const orders = this.orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const ticks = orders.ticks(order);
    if (orders.postOnly(order)) return this.reach.blocks(instrument, side, ticks);
    if (orders.timeInForce(order) !== 'FOK') return false;
    const isSpot = orders.margin(order) === 0;
    const left = isSpot ? orders.left(order) : this.positions.room(order);
    const account = orders.account(order);
    this.reach.measure(account, instrument, side, ticks, left, this.lists.ofLeg(order));
    return this.reach.lots < left;
  }

  /** Executes an order that was let in; what is left then rests, goes on as one that was there `since`, or expires. */
  execute(order: number, since: number = this.matching.comesAt): void {
    const orders = this.orders;
    if (this.lists.size > 0) this.#makeWay(order);
    const goesOn = this.matching.take(order);
    if (goesOn && orders.active(order) && orders.isLasting(order)) this.#rest(order);
    else if (goesOn && this.remaining.canGoOn(order)) this.remaining.goOn(order, since);
    else this.#stop(order);
  }

  /**
   * Lets the triggered orders go on that found too little and were there at `till`: the tape shows
   * something new.
   */
  goOn(instrument: number, till: number): void {
    const going = this.remaining.orders.upTo(instrument, till);
    if (going.length === 0) return;
    for (const order of going) {
      const since = this.remaining.callBack(order);
      if (since === undefined) continue;
      this.#shareOut(order);
      const failure = this.#failure(order);
      if (failure === undefined) this.execute(order, since);
      else this.#giveUp(order, failure);
    }
    this.settle();
  }

  /** An order that does not rest ends, unless it has been canceled with the position that it reduced. */
  #stop(order: number): void {
    const orders = this.orders;
    if (orders.left(order) === 0) this.register.end(order, 'filled', this.matching.now);
    else if (orders.active(order)) this.#giveUp(order, 'expired');
  }

  /** An order comes to rest at the end of the queue of its price. */
  #rest(order: number): void {
    const orders = this.orders;
    const instrument = orders.instrument(order);
    const book = this.books[instrument].sides[orders.side(order)];
    orders.setRestedAt(order, this.matching.comesAt);
    if (this.tapes[instrument].isBlank) book.append(order, Number.POSITIVE_INFINITY, 0);
    else this.#restBehind(order, book, this.tapes[instrument].sides[orders.side(order)]);
    if (this.lists.size > 0) this.#recount(order);
  }

  /** The same behind what the tape shows at its price. */
  #restBehind(order: number, book: BookSide, tape: RecordedSide): void {
    const ticks = this.orders.ticks(order);
    const pending = tape.joined(ticks, this.matching.now);
    book.append(order, tape.shown(ticks), pending);
  }

  #recount(order: number): void {
    const list = this.lists.of(order);
    if (list !== undefined) this.lists.recount(list);
  }

  /** Legs of a set never trade with each other: those that an incoming leg would come upon end. */
  #makeWay(order: number): void {
    const orders = this.orders;
    const list = this.lists.ofLeg(order);
    if (list === undefined) return;
    const sign = orders.side(order) === BUY ? 1 : -1;
    const inTheWay = legs(list).filter(
      (leg) =>
        leg !== order &&
        orders.status(leg) !== 'suspended' &&
        orders.level(leg) !== NONE &&
        orders.instrument(leg) === orders.instrument(order) &&
        orders.side(leg) !== orders.side(order) &&
        (orders.ticks(order) === 0 || sign * (orders.ticks(order) - orders.ticks(leg)) >= 0),
    );
    this.#cancelOthers(order, inTheWay);
  }

  /** Ends the legs that exclude an order. */
  #cancelLegs(order: number): void {
    const list = this.lists.ofLeg(order);
    if (list !== undefined) this.#cancelOthers(order, legs(list));
  }

  #cancelOthers(order: number, others: readonly number[]): void {
    for (const other of others) {
      if (other !== order && this.orders.active(other)) this.withdraw(other, 'canceled');
    }
  }

  /** What a leg held that executes at the market is held by the others. */
  #shareOut(order: number): void {
    const list = this.lists.ofLeg(order);
    if (list !== undefined) this.holdings.regroup(list);
  }

  /** Gives back what an order holds and ends it. */
  #giveUp(order: number, status: 'canceled' | 'expired', byUser = false): void {
    this.holdings.release(order);
    this.#end(order, status, byUser);
  }

  #end(order: number, status: 'canceled' | 'expired', byUser = false): void {
    this.register.end(order, status, this.matching.now);
    this.listener.order(status, order);
    const list = this.lists.of(order);
    if (list !== undefined) this.#leaveList(order, list, byUser);
  }

  /** What the end of an order means for its list. */
  #leaveList(order: number, list: OrderList, byUser: boolean): void {
    const index = list.members.indexOf(order);
    this.lists.leave(order, list);
    if (list.waiting && index === 0) {
      this.#cancelOthers(
        order,
        list.members.filter((member) => member !== NONE),
      );
    } else if (isLeg(list, index)) {
      if (byUser) this.#cancelOthers(order, legs(list));
      else this.holdings.regroup(list);
    }
  }
}
