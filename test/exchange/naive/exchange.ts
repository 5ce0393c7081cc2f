import type { ContingencyType, Side } from '../../../src/model/order.ts';
import type { Level, Order } from '../kit.ts';
import { exact, Exact } from './decimal.ts';
import { NaiveMatching } from './matching.ts';
import {
  isTriggered,
  numberOf,
  typeOf,
  waitsForRise,
  type NaiveList,
  type NaiveOrder,
} from './order.ts';
import type { NaiveRates } from './rules.ts';
import { other } from './state.ts';
import type { Open } from './tape.ts';

const SYMBOL = 'BTCUSDT';

/**
 * The rules of docs/fills.md and docs/protocol-choices.md once more: slow, obvious, Decimals and
 * arrays, no code shared with the exchange, the names of things alone. Tells the same lines.
 */
export class NaiveExchange extends NaiveMatching {
  /** When the last candle opened, and the least time between two that followed each other. */
  #candleAt = -Infinity;
  #apart = Infinity;

  /** Gives the code of a rejection. */
  place(account: number, name: string, order: Order): string | undefined {
    const r = this.make(account, name, order);
    if (this.closed.has(r.symbol)) return 'symbol-suspended';
    if (this.used.has(`${account} ${name}`)) return 'client-order-id-taken';
    if (this.refusesStop(r)) return 'stop-price-reached';
    const need = r.type === 'market' ? this.marketNeed(r) : this.need(r);
    if (!this.covers(r, need)) return 'funds-insufficient';
    this.used.add(`${account} ${name}`);
    this.orders.push(r);
    if (r.stop !== 0) {
      this.emit('suspended', r);
      this.wait(r);
    } else if (this.failsOnAcceptance(r)) this.end(r, 'expired');
    else {
      this.emit('new', r);
      this.enter(r);
    }
    this.settle();
    return undefined;
  }

  /** A list of the right shape; gives the code of a rejection. */
  placeList(
    account: number,
    type: ContingencyType,
    named: readonly (readonly [name: string, order: Order])[],
  ): string | undefined {
    const made = named.map(([name, order]) => this.make(account, name, order));
    const followers = type === 'oneTriggerOther' || type === 'oneTriggerOneCancelOther';
    for (const [i, r] of made.entries()) {
      if (this.closed.has(r.symbol)) return 'symbol-suspended';
      if (!(followers && i > 0) && this.refusesStop(r)) return 'stop-price-reached';
    }
    const spent = new Set<NaiveOrder>();
    const needs = made.map((r) => {
      if (type !== 'allOrNone') return r.type === 'market' ? this.marketNeed(r) : this.need(r);
      if (r.type === 'market' && r.order.side === 'buy') return this.marketNeed(r, spent);
      this.reachable(r, spent);
      return r.type === 'market' ? this.marketNeed(r) : this.need(r);
    });
    const paying = type === 'oneCancelOther' || type === 'allOrNone' ? made.length : 1;
    for (const [i, r] of made.entries()) {
      if (i >= paying) break;
      const same = needs.filter(({ currency }) => currency === needs[i].currency);
      const amount =
        type === 'allOrNone'
          ? same.reduce((sum, need) => sum.plus(need.amount), new Exact(0))
          : needs[i].amount;
      const buys = made.some((q, at) => q.order.side === 'buy' && same.includes(needs[at]));
      const has = this.available(account, needs[i].currency);
      const strict = type === 'allOrNone' ? buys : r.order.side === 'buy';
      if (strict ? !has.greaterThan(amount) : has.lessThan(amount)) return 'funds-insufficient';
    }
    for (const [name] of named) this.used.add(`${account} ${name}`);
    this.orders.push(...made);
    const waiting = type === 'oneTriggerOther' || type === 'oneTriggerOneCancelOther';
    const list: NaiveList = { type, members: new Map(made.entries()), waiting };
    for (const r of made) r.list = list;
    if (type === 'allOrNone') {
      const seen = new Set<NaiveOrder>();
      const fails = made.some((r) => {
        const lots = this.reachable(r, seen).reduce((sum, open) => sum + open.lots, 0);
        return lots < r.lots;
      });
      if (fails) {
        for (const r of made) this.end(r, 'expired');
        return undefined;
      }
    }
    for (const [i, r] of made.entries()) {
      if (waiting && i > 0) r.place = 'inactive';
      this.emit(r.place === 'inactive' || r.stop !== 0 ? 'suspended' : 'new', r);
      if (r.place !== 'inactive' && r.stop !== 0) this.wait(r);
    }
    this.enterAll(made);
    this.settle();
    return undefined;
  }

  cancel(account: number, name: string): string | undefined {
    const found = this.find(account, name);
    if (found === undefined) return 'order-unknown';
    this.end(found, 'canceled', true);
    return undefined;
  }

  replace(
    account: number,
    name: string,
    newName: string,
    change: { ticks?: number; lots?: number; stop?: number },
  ): string | undefined {
    const old = this.find(account, name);
    if (old === undefined) return 'order-unknown';
    if (this.closed.has(old.symbol)) return 'symbol-suspended';
    if (change.ticks !== undefined && old.ticks === 0) return 'type-invalid';
    if (change.stop !== undefined && old.stop === 0) return 'type-invalid';
    const { ticks = old.ticks, lots = old.lots, stop = old.stop } = change;
    if (lots <= old.executed) return 'quantity-below-executed';
    if (ticks === old.ticks && lots === old.lots && stop === old.stop) return 'order-unchanged';
    if (old.place !== 'waiting' && old.place !== 'inactive' && stop !== old.stop)
      return 'type-invalid';
    if (this.used.has(`${account} ${newName}`)) return 'client-order-id-taken';
    const r: NaiveOrder = {
      ...old,
      name: newName,
      turn: (this.turn += 1),
      order: old.ticks === 0 ? old.order : { ...old.order, ticks },
      lots,
      ticks,
      stop,
      ahead: 0,
      printable: 0,
      restedAt: 0,
    };
    if (r.place === 'waiting' && change.stop !== undefined && this.refusesStop(r))
      return 'stop-price-reached';
    if (r.place !== 'inactive' && !this.covers(r, this.need(r), old)) {
      if (this.rules.unaffordable !== 'cancel') return 'funds-insufficient';
      this.end(old, 'canceled', true);
      return undefined;
    }
    this.used.add(`${account} ${newName}`);
    this.orders = this.orders.filter((q) => q !== old);
    this.orders.push(r);
    old.list?.members.set(numberOf(old), r);
    this.emit('replaced', r);
    if (r.place === 'waiting') this.wait(r);
    else if (r.place !== 'inactive') {
      r.place = 'moving';
      const failure = this.failure(r);
      if (failure !== undefined) this.end(r, failure);
      else this.enter(r);
    }
    this.settle();
    return undefined;
  }

  /** What the tape shows best of a side; undefined when that is nothing or not known. */
  shown(side: Side): Open | undefined {
    return this.tapeOf(SYMBOL).displayed(side);
  }

  /** Time comes: orders expire one by one. */
  advance(at: number): void {
    this.at = at;
    this.comesAt = at;
    for (const tape of this.tapes.values()) {
      tape.at = at;
      if (at > tape.closeEndsAt) tape.print(0, 0);
    }
    for (;;) {
      const [due] = this.orders
        .filter((r) => r.expireAt <= at)
        .sort((a, b) => a.expireAt - b.expireAt || a.turn - b.turn);
      if (due === undefined) return;
      this.end(due, 'expired');
    }
  }

  trade(aggressor: Side, ticks: number, lots: number, symbol = SYMBOL): void {
    const hit = other(aggressor);
    const tape = this.tapeOf(symbol);
    this.printed.add(symbol);
    this.seen.add(symbol);
    const pending = tape.pending(hit, ticks);
    const counted = tape.printed(hit, ticks, lots);
    const before = this.filled;
    let rest = this.sweep(symbol, hit, ticks, lots);
    if (rest > 0) rest = this.touch(symbol, hit, ticks, rest, counted, pending);
    if (tape.hasBook) tape.passed(hit, ticks, lots - counted - (this.filled - before));
    else {
      tape.print(ticks, this.sweep(symbol, aggressor, ticks, rest));
      this.goOn(symbol);
    }
    this.traded(symbol, ticks);
    this.settle();
  }

  /**
   * A candle goes through all prices: open, the extreme against its direction, the other, close.
   * Orders that came when it was under way see its close only.
   */
  candle(
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    periodUs: number,
  ): void {
    const tape = this.tapeOf(SYMBOL);
    this.seen.add(SYMBOL);
    if (tape.hasBook) return;
    const way = close >= open ? [low, high, close] : [high, low, close];
    const till = this.at - 0.99 * periodUs;
    const triggers = volume > 0 && !this.printed.has(SYMBOL);
    let rest = volume;
    let price = open;
    const first: Side = close >= open ? 'buy' : 'sell';
    let side = first;
    const offer = (act: () => void): void => {
      tape.print(price, rest);
      act();
      const open = (s: Side): number =>
        tape.levels(s).find((level) => level.ticks === price)?.lots ?? 0;
      rest = Math.max(0, rest - (rest - open('buy')) - (rest - open('sell')));
    };
    const tradeAt = (): void => {
      if (!triggers) return;
      offer(() => {
        this.traded(SYMBOL, price, till);
        this.settle();
      });
    };
    this.comesAt = this.at - periodUs;
    if (triggers) {
      offer(() => {
        this.goOn(SYMBOL, till);
      });
    }
    tradeAt();
    for (const to of way) {
      for (;;) {
        const stops = this.orders
          .filter((r) => r.place === 'waiting' && r.symbol === SYMBOL)
          .filter((r) => waitsForRise(r) === to > price)
          .map((r) => r.stop)
          .filter((stop) => (to > price ? stop > price && stop <= to : stop < price && stop >= to));
        const next = to > price ? Math.min(to, ...stops) : Math.max(to, ...stops);
        rest = this.sweep(SYMBOL, side, next, rest, till, triggers);
        const halted = this.haltedAt;
        const from = price;
        price = next;
        if (halted !== undefined) {
          this.settle();
          price = to < from ? Math.min(from, halted) : Math.max(from, halted);
        }
        if (halted !== undefined || price !== from) tradeAt();
        if (halted === undefined && price === to) break;
      }
      side = other(side);
    }
    this.comesAt = this.at;
    for (const late of [first, other(first)]) rest = this.sweep(SYMBOL, late, close, rest);
    // What goes on takes of the volume, whichever side it is on.
    if (triggers) offer(() => this.goOn(SYMBOL));
    tape.print(close, rest, this.closeEndsAt(periodUs));
    if (triggers) this.traded(SYMBOL, close);
    this.settle();
  }

  /** How long the close of a candle can be taken: until the next one is due. */
  private closeEndsAt(periodUs: number): number {
    const openedAt = this.at - periodUs;
    if (openedAt > this.#candleAt) {
      this.#apart = Math.min(this.#apart, openedAt - this.#candleAt);
    }
    this.#candleAt = openedAt;
    const apart = this.#apart === Infinity ? 0 : this.#apart;
    return this.at + Math.max(periodUs, apart);
  }

  snapshot(levels: readonly Level[], sequence: number, symbol = SYMBOL): void {
    this.seen.add(symbol);
    this.tapeOf(symbol).snapshot(levels, sequence);
    this.cross(symbol);
  }

  depth(levels: readonly Level[], sequence: number, symbol = SYMBOL): void {
    this.seen.add(symbol);
    this.tapeOf(symbol).depth(levels, sequence);
    this.cross(symbol);
  }

  quote(bid: readonly [number, number], ask: readonly [number, number], sequence: number): void {
    this.seen.add(SYMBOL);
    if (this.tapeOf(SYMBOL).quote(bid, ask, sequence)) this.cross(SYMBOL);
  }

  gap(): void {
    this.seen.add(SYMBOL);
    this.tapeOf(SYMBOL).gap();
  }

  /** True where an order waits for a price that the last trade has reached, and that is refused. */
  protected refusesStop(r: NaiveOrder): boolean {
    const last = this.last.get(r.symbol);
    if (this.rules.stopReached !== 'refuse' || r.stop === 0 || last === undefined) return false;
    return isTriggered(r, last);
  }

  /** What an order pays: the rates of its account, where it asks for more that. */
  protected ratesOf(account: number, { symbol = SYMBOL, takeRate, makeRate }: Order): NaiveRates {
    const terms = this.termsOf(symbol);
    const { take, make } = this.accountRates.get(`${account} ${symbol}`) ?? {
      take: exact(terms.takeRate),
      make: exact(terms.makeRate),
    };
    return {
      take: takeRate === undefined ? take : Exact.max(take, exact(takeRate)),
      make: makeRate === undefined ? make : Exact.max(make, exact(makeRate)),
    };
  }

  protected make(account: number, name: string, order: Order): NaiveOrder {
    return {
      name,
      account,
      order,
      symbol: order.symbol ?? SYMBOL,
      type: typeOf(order),
      turn: (this.turn += 1),
      came: 0,
      lots: order.lots,
      executed: 0,
      ticks: order.ticks ?? 0,
      stop: order.stop ?? 0,
      expireAt: order.expireAt ?? Infinity,
      ahead: 0,
      printable: 0,
      restedAt: 0,
      place: 'moving',
      rates: this.ratesOf(account, order),
      list: undefined,
    };
  }
}
