import type { Fees } from '../ledger/fees.ts';
import type { Life } from '../life.ts';
import type { OrderOpening } from '../orders/order-opening.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { Register } from '../orders/register.ts';

/** What margin trading does with orders that nobody has placed, or that end without their owner's will. */
export class Hands {
  readonly #orders: Orders;
  readonly #register: Register;
  readonly #fees: Fees;
  readonly #life: Life;
  /** Client order ids made so far. */
  #named = 0;

  constructor(setup: {
    readonly orders: Orders;
    readonly register: Register;
    readonly fees: Fees;
    readonly life: Life;
  }) {
    this.#orders = setup.orders;
    this.#register = setup.register;
    this.#fees = setup.fees;
    this.#life = setup.life;
  }

  /** Cancels an order that is still active, which its owner is told. */
  withdraw(order: number): void {
    if (this.#orders.active(order)) this.#life.withdraw(order, 'canceled');
  }

  /** Takes an order in without asking, executes it, and does what follows. */
  enter(opening: Omit<OrderOpening, 'tariff' | 'clientOrderId'>): void {
    const { account, instrument } = opening;
    const tariff = this.#fees.enter(account, instrument, {});
    const clientOrderId = this.#name(account);
    this.#life.begin(this.#register.open({ ...opening, tariff, clientOrderId }));
    this.#life.settle();
  }

  /** A client order id that the account does not use. */
  #name(account: number): string {
    let name: string;
    do {
      this.#named += 1;
      name = `system-${String(this.#named).padStart(8, '0')}`;
    } while (this.#register.find(account, name) !== NONE);
    return name;
  }
}
