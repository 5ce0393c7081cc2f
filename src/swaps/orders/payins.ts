import type { Cancel } from '../../platform/scheduler.ts';
import type { ChainTransaction, ChainWorld } from '../chains/chain-world.ts';
import type { OrderCurrencies } from './currencies.ts';
import type { ExchangeOrder, Payin, Stray } from './order.ts';
import type { ExchangeOrderIndex } from './order-index.ts';

/** Handles payments. */
export interface PayinHandler {
  /** The first payment of an order that waits for it. */
  paid(order: ExchangeOrder, payin: Payin): void;
  /** Another payment to the address of an order; it becomes a new order. */
  paidAgain(order: ExchangeOrder, payin: Payin): void;
  /** A known payment has one confirmation more. */
  confirmed(order: ExchangeOrder, payin: Payin): void;
}

export interface PayinsSetup {
  readonly chains: ChainWorld;
  readonly currencies: OrderCurrencies;
  readonly register: ExchangeOrderIndex;
  readonly handler: PayinHandler;
}

/** Watches the payin addresses of all orders, and knows to which order each payment belongs. */
export class Payins {
  readonly #setup: PayinsSetup;
  /** The order of each payin address. */
  readonly #addresses = new Map<string, string>();
  /** The order that a payment belongs to. */
  readonly #payments = new Map<string, string>();
  readonly #strays = new Map<string, Stray>();
  readonly #leave: Cancel;

  constructor(setup: PayinsSetup) {
    this.#setup = setup;
    this.#leave = setup.chains.follow((transaction) => {
      this.#received(transaction);
    });
  }

  /** Watches the address of an order. */
  watch({ id, from, payinAddress }: ExchangeOrder): void {
    const { chain } = this.#setup.currencies.of(from);
    this.#addresses.set(`${chain.code} ${payinAddress}`, id);
  }

  /** Assigns a payin address to an order. */
  assign({ id, from }: ExchangeOrder, { hash, index }: Payin): void {
    const { chain } = this.#setup.currencies.of(from);
    this.#payments.set(`${chain.code} ${hash} ${index}`, id);
  }

  /** Releases an ended order: later payments to its address belong to nobody. */
  forget({ id, from, payinAddress, payin }: ExchangeOrder): void {
    const { chain } = this.#setup.currencies.of(from);
    const address = `${chain.code} ${payinAddress}`;
    if (this.#addresses.get(address) === id) this.#addresses.delete(address);
    if (payin === undefined) return;
    this.#payments.delete(`${chain.code} ${payin.hash} ${payin.index}`);
  }

  /** True if a payment to an order's address was not returned yet. */
  hasStray(id: string): boolean {
    return this.strays().some(({ order, returnHash }) => order === id && returnHash === undefined);
  }

  /** Payments that belong to no order, oldest first. */
  strays(): readonly Stray[] {
    return [...this.#strays.values()];
  }

  /** Records that a stray payment was returned. */
  returned(stray: Stray, returnHash: string): Stray {
    const noted = { ...stray, returnHash };
    for (const [key, known] of this.#strays) if (known === stray) this.#strays.set(key, noted);
    return noted;
  }

  close(): void {
    this.#leave();
  }

  #received(transaction: ChainTransaction): void {
    const { network, to, hash, index, lots, confirmations } = transaction;
    const owner = this.#addresses.get(`${network} ${to}`);
    if (owner === undefined) return;
    const { register, handler } = this.#setup;
    const key = `${network} ${hash} ${index}`;
    if (this.#strays.has(key)) return;
    const payin = { hash, index, lots, confirmations };
    const known = this.#payments.get(key);
    if (known !== undefined) {
      handler.confirmed(register.of(known), payin);
      return;
    }
    const order = register.of(owner);
    if (!this.#belongs(order, transaction)) {
      const { token, memo } = transaction;
      const stray = { order: owner, token, hash, index, lots };
      this.#strays.set(key, memo === undefined ? stray : { ...stray, memo });
    } else if (order.state === 'waiting') handler.paid(order, payin);
    else handler.paidAgain(order, payin);
  }

  /** True for a payment of the right currency with the required extra id. */
  #belongs({ from, payinExtraId }: ExchangeOrder, { token, memo }: ChainTransaction): boolean {
    if (token !== this.#setup.currencies.of(from).terms.id) return false;
    return payinExtraId === undefined || payinExtraId === memo;
  }
}
