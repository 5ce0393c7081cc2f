import { hasPrice } from '../model/order.ts';
import type { Agenda } from './agenda.ts';
import type { Book } from './book.ts';
import type { Intake } from './intake.ts';
import type { ExchangeListener } from './listener.ts';
import type { Matching } from './matching.ts';
import type { Orders } from './orders.ts';
import type { Reach } from './reach.ts';
import type { Register } from './register.ts';
import type { Settlement } from './settlement.ts';
import type { Tape } from './tape.ts';
import type { Triggers } from './triggers.ts';

/** The stations that an order passes. */
export interface LifeSetup {
  readonly orders: Orders;
  readonly register: Register;
  readonly books: readonly Book[];
  readonly tapes: readonly Tape[];
  readonly intake: Intake;
  readonly reach: Reach;
  readonly settlement: Settlement;
  readonly matching: Matching;
  readonly triggers: Triggers;
  readonly agenda: Agenda<number>;
  readonly listener: ExchangeListener;
}

/** Leads orders through their lives: waiting for a trigger, entering, executing, resting, ending. */
export class Life {
  readonly #orders: Orders;
  readonly #register: Register;
  readonly #books: readonly Book[];
  readonly #tapes: readonly Tape[];
  readonly #intake: Intake;
  readonly #reach: Reach;
  readonly #settlement: Settlement;
  readonly #matching: Matching;
  readonly #triggers: Triggers;
  readonly #agenda: Agenda<number>;
  readonly #listener: ExchangeListener;

  constructor(setup: LifeSetup) {
    this.#orders = setup.orders;
    this.#register = setup.register;
    this.#books = setup.books;
    this.#tapes = setup.tapes;
    this.#intake = setup.intake;
    this.#reach = setup.reach;
    this.#settlement = setup.settlement;
    this.#matching = setup.matching;
    this.#triggers = setup.triggers;
    this.#agenda = setup.agenda;
    this.#listener = setup.listener;
  }

  /** A new order that was let in: it waits, or fails at entry, or executes. */
  begin(order: number): void {
    const orders = this.#orders;
    if (orders.status(order) === 'suspended') {
      this.#settlement.hold(order, orders.left(order));
      this.#listener.order('suspended', order);
      this.#triggers.wait(order);
    } else if (this.#failsAtEntry(order)) {
      this.#end(order, 'expired');
    } else {
      if (orders.ticks(order) !== 0) this.#settlement.hold(order, orders.left(order));
      this.#listener.order('new', order);
      this.#execute(order);
    }
  }

  /** An order that takes another's place, its means held; it waits on where the other waited. */
  succeed(order: number): void {
    const orders = this.#orders;
    this.#settlement.hold(order, orders.left(order));
    this.#listener.order('replaced', order);
    if (orders.status(order) === 'suspended') this.#triggers.wait(order);
    else if (this.#failsAtEntry(order)) this.#giveUp(order, 'expired');
    else this.#execute(order);
  }

  /** Does what trades have brought about, until nothing is left to do. */
  settle(): void {
    for (;;) {
      const order = this.#agenda.shift();
      if (order === undefined) return;
      this.#trigger(order);
    }
  }

  /** Takes an order from where it stands and ends it. */
  withdraw(order: number, status: 'canceled' | 'expired'): void {
    this.leave(order);
    this.#giveUp(order, status);
  }

  /** Takes an order from where it stands. */
  leave(order: number): void {
    const orders = this.#orders;
    if (orders.status(order) === 'suspended') this.#triggers.remove(order);
    else this.#books[orders.instrument(order)].sides[orders.side(order)].remove(order);
  }

  /** The price has come to the stop price of an order. */
  #trigger(order: number): void {
    const orders = this.#orders;
    const isMarket = orders.ticks(order) === 0;
    if (isMarket) this.#settlement.release(order, orders.left(order));
    orders.setStatus(order, 'new', this.#matching.now);
    const status = !this.#intake.canEnter(order)
      ? 'canceled'
      : this.#failsAtEntry(order)
        ? 'expired'
        : undefined;
    if (status === undefined) {
      this.#listener.order('new', order);
      this.#execute(order);
    } else if (isMarket) this.#end(order, status);
    else this.#giveUp(order, status);
  }

  /** An order that must not take and would, or must fill whole and cannot. */
  #failsAtEntry(order: number): boolean {
    const orders = this.#orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const ticks = orders.ticks(order);
    if (orders.postOnly(order)) return this.#reach.blocks(instrument, side, ticks);
    if (orders.timeInForce(order) !== 'FOK') return false;
    const left = orders.left(order);
    this.#reach.measure(instrument, side, ticks, left);
    return this.#reach.lots < left;
  }

  /** Executes an order that was let in; what is left then rests or expires. */
  #execute(order: number): void {
    const orders = this.#orders;
    this.#matching.take(order);
    const left = orders.left(order);
    if (left === 0) {
      this.#register.end(order, 'filled', this.#matching.now);
      return;
    }
    const timeInForce = orders.timeInForce(order);
    if (!hasPrice(orders.type(order))) {
      this.#end(order, 'expired');
    } else if (timeInForce === 'IOC' || timeInForce === 'FOK') {
      this.#giveUp(order, 'expired');
    } else {
      const instrument = orders.instrument(order);
      const side = orders.side(order);
      const ahead = this.#tapes[instrument].sides[side].shown(orders.ticks(order));
      this.#books[instrument].sides[side].append(order, ahead);
    }
  }

  /** Gives back what an order holds and ends it. */
  #giveUp(order: number, status: 'canceled' | 'expired'): void {
    this.#settlement.release(order, this.#orders.left(order));
    this.#end(order, status);
  }

  #end(order: number, status: 'canceled' | 'expired'): void {
    this.#register.end(order, status, this.#matching.now);
    this.#listener.order(status, order);
  }
}
