import type { Fees } from '../ledger/fees.ts';
import type { Life } from '../stages/lifecycle.ts';
import type { OrderOpening } from '../orders/order-opening.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { Position } from '../positions/account.ts';
import { CROSSED, ISOLATED, REDUCE_ONLY } from '../positions/flags.ts';

/** What margin trading does with orders that nobody has placed, or that end without their owner's will. */
export class Hands {
  readonly #orders: Orders;
  readonly #register: OrderIndex;
  readonly #fees: Fees;
  readonly #life: Life;
  readonly #now: () => number;
  /** Client order ids made so far. */
  #named = 0;

  constructor(setup: {
    readonly orders: Orders;
    readonly register: OrderIndex;
    readonly fees: Fees;
    readonly life: Life;
    readonly now: () => number;
  }) {
    this.#orders = setup.orders;
    this.#register = setup.register;
    this.#fees = setup.fees;
    this.#life = setup.life;
    this.#now = setup.now;
  }

  /** Cancels an order that is still active, which its owner is told. */
  withdraw(order: number): void {
    if (this.#orders.active(order)) this.#life.withdraw(order, 'canceled');
  }

  /**
   * Sends an order over all of a position, which can only reduce it; 0 ticks for any price. `flags`
   * say what else it is (flags.ts).
   */
  reduce(position: Position, ticks: number, timeInForce: 'GTC' | 'IOC', flags: number): void {
    const { trader, mode } = position.account.key;
    const at = this.#now();
    this.#enter({
      account: trader,
      instrument: position.instrument,
      side: position.lots > 0 ? SELL : BUY,
      type: ticks === 0 ? 'market' : 'limit',
      timeInForce,
      postOnly: false,
      margin: (mode === 'cross' ? CROSSED : ISOLATED) | REDUCE_ONLY | flags,
      lots: position.size,
      ticks,
      expireAt: Number.POSITIVE_INFINITY,
      originalClientOrderId: undefined,
      executed: 0,
      createdAt: at,
      at,
    });
  }

  /** Takes an order in without asking, executes it, and does what follows. */
  #enter(opening: Omit<OrderOpening, 'tariff' | 'clientOrderId'>): void {
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
