import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { product } from '../../model/units.ts';
import { unrealisedPnl } from '../../rules/margin/position-value.ts';
import type { Direction } from '../../rules/margin/quotient.ts';
import { orderReserve, positionReserve } from '../../rules/margin/reserve.ts';
import { isLeg, type OrderLists } from '../orders/lists.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import { type MarginAccount, amountOf, type Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import { LIQUIDATION, REDUCE_ONLY } from '../positions/flags.ts';
import type { MarkPrices } from '../positions/prices.ts';

/** An order that is not in yet. */
export interface Candidate {
  readonly instrument: number;
  readonly side: number;
  readonly lots: number;
  /** Value in ticks × lots of so many of its lots, those first that would execute first. */
  valueOf(lots: number): bigint;
}

/**
 * What of a margin account's funds is held. Of each symbol: for its position, and for its orders,
 * either those that buy or those that sell, whichever needs more. Orders against a position first
 * take from it, the oldest first, and hold for what goes beyond it; of the legs of a set that exclude
 * each other the dearest of a side counts; orders that only reduce and inactive ones hold nothing.
 */
export class Reserves {
  readonly #instruments: readonly Instrument[];
  readonly #orders: Orders;
  readonly #stops: StopPrices;
  readonly #lists: OrderLists;
  readonly #register: OrderIndex;
  readonly #accounts: MarginAccounts;
  readonly #prices: MarkPrices;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly orders: Orders;
    readonly stops: StopPrices;
    readonly lists: OrderLists;
    readonly register: OrderIndex;
    readonly accounts: MarginAccounts;
    readonly prices: MarkPrices;
  }) {
    this.#instruments = setup.instruments;
    this.#orders = setup.orders;
    this.#stops = setup.stops;
    this.#lists = setup.lists;
    this.#register = setup.register;
    this.#accounts = setup.accounts;
    this.#prices = setup.prices;
  }

  /** What is held for the orders of an account, one more among them, or one less. */
  ofOrders(account: MarginAccount, candidate?: Candidate, without = NONE): Decimal {
    const orders = this.active(account).filter((order) => order !== without);
    return this.#ofOrders(account, orders, 'up', candidate);
  }

  /** What is held for its positions, open losses included. */
  ofPositions(account: MarginAccount): Decimal {
    let sum = ZERO;
    for (const position of account.positions.values()) {
      sum = sum.plus(this.#ofPosition(position, 'up', this.#lossOf(position)));
    }
    return sum;
  }

  /** True while the funds reach for what positions and orders need apart from open losses. */
  areCovered(account: MarginAccount): boolean {
    let need = this.#ofOrders(account, this.active(account), 'down');
    for (const position of account.positions.values()) {
      need = need.plus(this.#ofPosition(position, 'down', ZERO));
    }
    return account.balance.greaterThanOrEqualTo(need);
  }

  /** The active orders of an account, oldest first. */
  active(account: MarginAccount): number[] {
    const orders = this.#orders;
    const found: number[] = [];
    for (
      let order = this.#register.first(account.key.trader);
      order !== NONE;
      order = orders.accountNext(order)
    ) {
      if (orders.margin(order) === 0) continue;
      if (this.#accounts.ofOrder(order) === account) found.push(order);
    }
    return found;
  }

  /** The youngest order that holds funds, undefined where none does. */
  youngest(account: MarginAccount): number | undefined {
    return this.active(account).findLast((order) => this.#counts(order));
  }

  /** Value of an instrument's orders that would make a position larger, the larger side. */
  growth(account: MarginAccount, instrument: number, candidate?: Candidate): Decimal {
    const orders = this.active(account);
    return amountOf(
      this.#instruments[instrument],
      this.#openValue(account, orders, instrument, candidate),
    );
  }

  #ofOrders(
    account: MarginAccount,
    orders: readonly number[],
    direction: Direction,
    candidate?: Candidate,
  ): Decimal {
    const instruments = new Set(orders.map((order) => this.#orders.instrument(order)));
    if (candidate !== undefined) instruments.add(candidate.instrument);
    let sum = ZERO;
    for (const instrument of instruments) {
      const { leverage, rate } = this.#accounts.deal(account, instrument);
      const value = this.#openValue(account, orders, instrument, candidate);
      const amount = amountOf(this.#instruments[instrument], value);
      sum = sum.plus(orderReserve(amount, leverage, rate, direction));
    }
    return sum;
  }

  #ofPosition(position: Position, direction: Direction, loss: Decimal): Decimal {
    const { leverage, rate } = this.#accounts.deal(position.account, position.instrument);
    return positionReserve({ value: position.value.value, leverage, rate, loss }, direction);
  }

  #lossOf(position: Position): Decimal {
    const price = this.#prices.price(position.instrument);
    return price === undefined ? ZERO : unrealisedPnl(position.value, price).negated();
  }

  #openValue(
    account: MarginAccount,
    orders: readonly number[],
    instrument: number,
    candidate?: Candidate,
  ): bigint {
    const lots = account.positions.get(instrument)?.lots ?? 0;
    const own = orders.filter((order) => this.#orders.instrument(order) === instrument);
    const onSide = (side: number, reducible: number): bigint => {
      let left = Math.max(0, reducible);
      let sum = 0n;
      for (const order of own) {
        if (this.#orders.side(order) !== side || !this.#counts(order)) continue;
        const size = this.#orders.left(order);
        const reducing = Math.min(left, size);
        left -= reducing;
        sum += BigInt(this.#stops.reserveTicks(order)) * BigInt(size - reducing);
      }
      if (candidate?.instrument !== instrument || candidate.side !== side) return sum;
      const reducing = Math.min(left, candidate.lots);
      return sum + candidate.valueOf(candidate.lots) - candidate.valueOf(reducing);
    };
    const buys = onSide(BUY, -lots);
    const sells = onSide(SELL, lots);
    return buys > sells ? buys : sells;
  }

  /** True for an order that needs funds of its own to execute. */
  #counts(order: number): boolean {
    const orders = this.#orders;
    if ((orders.margin(order) & (REDUCE_ONLY | LIQUIDATION)) !== 0) return false;
    if (orders.ticks(order) === 0 && orders.status(order) !== 'suspended') return false;
    const list = this.#lists.of(order);
    if (list === undefined) return true;
    const index = list.members.indexOf(order);
    if (!list.active[index]) return false;
    if (!isLeg(list, index)) return true;
    const rivals = list.members.filter(
      (other, at) =>
        other !== NONE &&
        list.active[at] &&
        isLeg(list, at) &&
        (orders.margin(other) & REDUCE_ONLY) === 0 &&
        orders.side(other) === orders.side(order) &&
        orders.instrument(other) === orders.instrument(order),
    );
    return rivals.every((other) => !this.#isDearer(other, order));
  }

  /** Of two that need as much the first counts. */
  #isDearer(one: number, other: number): boolean {
    const value = (order: number): number | bigint =>
      product(this.#stops.reserveTicks(order), this.#orders.left(order));
    const [a, b] = [value(one), value(other)];
    return a > b || (a === b && this.#orders.id(one) < this.#orders.id(other));
  }
}
