import { Decimal } from '../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import type { Side } from '../../src/model/order.ts';
import type { Level, Order } from './kit.ts';
import { better, NaiveTape, type Open } from './naive-tape.ts';

interface Resting {
  readonly name: string;
  readonly account: number;
  readonly order: Order;
  /** Grows with time; a replacement gets a new one. */
  readonly turn: number;
  lots: number;
  executed: number;
  ticks: number;
  /** Tape lots before it by the display, which knows of some prints before they come. */
  ahead: number;
  /** Tape lots before it by the prints alone. */
  printable: number;
}

const other = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/**
 * The rules of docs/fills.md once more, for one instrument: slow, obvious, Decimals and arrays,
 * nothing shared with the exchange but the names of things. Tells the same lines.
 */
export class NaiveExchange {
  readonly events: string[] = [];
  readonly available = new Map<string, Decimal>();
  resting: Resting[] = [];
  readonly #terms: InstrumentTerms;
  readonly #used = new Set<string>();
  #turn = 0;
  #trades = 0;

  readonly #tape = new NaiveTape(() => {
    for (const r of this.resting) {
      r.ahead = Math.min(r.ahead, this.#tape.shown(r.order.side, r.ticks));
    }
  });

  constructor(terms: InstrumentTerms) {
    this.#terms = terms;
  }

  deposit(account: number, currency: string, amount: string): void {
    this.#add(account, currency, new Decimal(amount));
  }

  reserved(account: number, currency: string): Decimal {
    return this.resting
      .filter((r) => r.account === account)
      .map((r) => this.#reserve(r.order.side, r.ticks, r.lots - r.executed))
      .filter((need) => need.currency === currency)
      .reduce((sum, need) => sum.plus(need.amount), new Decimal(0));
  }

  /** Lets time pass. */
  set at(at: number) {
    this.#tape.at = at;
  }

  /** What the tape shows best of a side; undefined when that is nothing or not known. */
  shown(side: Side): Open | undefined {
    return this.#tape.displayed(side);
  }

  /** Gives the code of a refusal. */
  place(account: number, name: string, order: Order): string | undefined {
    if (this.#used.has(`${account} ${name}`)) return 'client-order-id-taken';
    const need =
      order.ticks === undefined
        ? this.#marketNeed(order)
        : this.#reserve(order.side, order.ticks, order.lots);
    if (!this.#covers(account, order.side, need.amount, need.currency)) return 'funds-insufficient';
    this.#used.add(`${account} ${name}`);
    const resting: Resting = {
      name,
      account,
      order,
      turn: (this.#turn += 1),
      lots: order.lots,
      executed: 0,
      ticks: order.ticks ?? 0,
      ahead: 0,
      printable: 0,
    };
    const reach = this.#reachable(order).reduce((sum, open) => sum + open.lots, 0);
    if (this.#failsAtEntry(resting) || (isFok(order) && reach < order.lots)) {
      this.events.push(`expired ${pad(name)} expired 0/${order.lots}`);
      return undefined;
    }
    this.events.push(`new ${pad(name)} new 0/${order.lots}`);
    this.#enter(resting);
    return undefined;
  }

  cancel(account: number, name: string): string | undefined {
    const found = this.#find(account, name);
    if (found === undefined) return 'order-unknown';
    this.#leave(found);
    this.events.push(`canceled ${pad(name)} canceled ${found.executed}/${found.lots}`);
    return undefined;
  }

  replace(
    account: number,
    name: string,
    newName: string,
    change: { ticks?: number; lots?: number },
  ): string | undefined {
    const old = this.#find(account, name);
    if (old === undefined) return 'order-unknown';
    const { ticks = old.ticks, lots = old.lots } = change;
    if (lots <= old.executed) return 'quantity-below-executed';
    if (ticks === old.ticks && lots === old.lots) return 'order-unchanged';
    if (this.#used.has(`${account} ${newName}`)) return 'client-order-id-taken';
    const need = this.#reserve(old.order.side, ticks, lots - old.executed);
    const held = this.#reserve(old.order.side, old.ticks, old.lots - old.executed);
    this.#add(account, need.currency, held.amount);
    const covered = this.#covers(account, old.order.side, need.amount, need.currency);
    this.#add(account, need.currency, held.amount.neg());
    if (!covered) return 'funds-insufficient';
    this.#used.add(`${account} ${newName}`);
    this.#leave(old);
    const status = old.executed > 0 ? 'partiallyFilled' : 'new';
    this.events.push(`replaced ${pad(newName)} ${status} ${old.executed}/${lots}`);
    const replacement: Resting = {
      ...old,
      name: newName,
      order: { ...old.order, ticks },
      turn: (this.#turn += 1),
      lots,
      ticks,
      ahead: 0,
      printable: 0,
    };
    if (this.#failsAtEntry(replacement)) {
      this.events.push(`expired ${pad(newName)} expired ${old.executed}/${lots}`);
    } else this.#enter(replacement);
    return undefined;
  }

  trade(aggressor: Side, ticks: number, lots: number): void {
    const hit = other(aggressor);
    const pending = this.#tape.pending(hit, ticks);
    const counted = this.#tape.printed(hit, ticks, lots);
    let left = this.#sweep(hit, ticks, lots);
    left = left === 0 ? 0 : this.#touch(hit, ticks, left, counted, pending);
    if (this.#tape.hasBook) return;
    this.#tape.print(ticks, this.#sweep(aggressor, ticks, left));
  }

  candle(open: number, high: number, low: number, close: number, volume: number): void {
    if (this.#tape.hasBook) return;
    const falling = (left: number): number => this.#sweep('buy', low, left);
    const rising = (left: number): number => this.#sweep('sell', high, left);
    this.#tape.print(close, close >= open ? rising(falling(volume)) : falling(rising(volume)));
  }

  snapshot(levels: readonly Level[], sequence: number): void {
    this.#tape.snapshot(levels, sequence);
    this.#cross();
  }

  depth(levels: readonly Level[], sequence: number): void {
    this.#tape.depth(levels, sequence);
    this.#cross();
  }

  quote(bid: readonly [number, number], ask: readonly [number, number], sequence: number): void {
    this.#tape.quote(bid, ask, sequence);
    this.#cross();
  }

  gap(): void {
    this.#tape.gap();
  }

  #queue(side: Side): Resting[] {
    return this.resting
      .filter((r) => r.order.side === side)
      .sort((a, b) => (side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks) || a.turn - b.turn);
  }

  /** What an order could execute now, price by price. */
  #reachable(order: Order): Open[] {
    const side = other(order.side);
    const own = this.#queue(side).map((r) => ({ ticks: r.ticks, lots: r.lots - r.executed }));
    const levels = [...own, ...this.#tape.levels(side)]
      .filter((open) => order.ticks === undefined || !better(side, order.ticks, open.ticks))
      .sort((a, b) => (side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks));
    let left = order.lots;
    const reached: Open[] = [];
    for (const { ticks, lots } of levels) {
      reached.push({ ticks, lots: Math.min(left, lots) });
      left -= Math.min(left, lots);
    }
    return reached;
  }

  #failsAtEntry({ order, ticks }: Resting): boolean {
    if (order.postOnly !== true) return false;
    const side = other(order.side);
    const prices = [...this.#queue(side).map((r) => r.ticks), ...this.#tape.prices(side)];
    return prices.some((price) => {
      const rests = this.resting.some((r) => r.order.side === side && r.ticks === price);
      return (rests || this.#tape.offered(side, price) > 0) && !better(side, ticks, price);
    });
  }

  #enter(order: Resting): void {
    if (order.ticks !== 0) {
      const need = this.#reserve(order.order.side, order.ticks, order.lots - order.executed);
      this.#add(order.account, need.currency, need.amount.neg());
    }
    this.#take(order);
    if (order.executed === order.lots) return;
    if (order.order.ticks === undefined || order.order.timeInForce === 'IOC') {
      if (order.ticks !== 0) this.#leave(order);
      this.events.push(`expired ${pad(order.name)} expired ${order.executed}/${order.lots}`);
      return;
    }
    const { side } = order.order;
    order.ahead = this.#tape.shown(side, order.ticks);
    order.printable = order.ahead + this.#tape.pending(side, order.ticks);
    this.resting.push(order);
  }

  #take(taker: Resting): void {
    const side = other(taker.order.side);
    while (taker.executed < taker.lots) {
      const left = taker.lots - taker.executed;
      const tape = this.#tape.levels(side).at(0);
      const maker = this.#queue(side).at(0);
      const prices = [tape, maker].flatMap((x) => (x === undefined ? [] : [x.ticks]));
      if (prices.length === 0) return;
      const best = side === 'buy' ? Math.max(...prices) : Math.min(...prices);
      if (taker.ticks !== 0 && better(side, taker.ticks, best)) return;
      const shown = tape?.ticks === best ? tape.lots : 0;
      if (maker === undefined || maker.ticks !== best) {
        this.#takeTape(taker, side, best, Math.min(left, shown));
      } else if (Math.min(maker.ahead, maker.printable, shown) > 0) {
        const lots = Math.min(left, maker.ahead, maker.printable, shown);
        this.#takeTape(taker, side, best, lots);
        for (const r of this.#at(side, best)) {
          r.ahead -= lots;
          r.printable -= lots;
        }
      } else {
        const lots = Math.min(left, maker.lots - maker.executed);
        this.#trades += 1;
        this.#execute(maker, best, lots, false);
        this.#execute(taker, best, lots, true);
      }
    }
  }

  #takeTape(taker: Resting, side: Side, ticks: number, lots: number): void {
    this.#tape.take(side, ticks, lots);
    this.#trades += 1;
    this.#execute(taker, ticks, lots, true);
  }

  /** A print fills the orders that it went through. */
  #sweep(hit: Side, ticks: number, lots: number): number {
    let left = lots;
    for (const r of this.#queue(hit)) {
      if (left === 0 || !better(hit, r.ticks, ticks)) return left;
      const part = Math.min(left, r.lots - r.executed);
      this.#trades += 1;
      this.#execute(r, r.ticks, part, false);
      left -= part;
    }
    return left;
  }

  /** A print at its own price; the display had lost some of its lots before, and some more. */
  #touch(hit: Side, ticks: number, lots: number, counted: number, pending: number): number {
    const queue = this.#at(hit, ticks);
    if (queue.length === 0) return lots;
    const fresh = Math.max(0, lots - counted);
    let filled = 0;
    for (const r of queue) {
      r.printable = Math.min(r.printable, r.ahead + pending);
      const byPrints = lots - filled - Math.max(0, r.printable);
      const byDisplay = fresh - filled - Math.max(0, r.ahead);
      const part = Math.min(Math.max(byPrints, byDisplay), r.lots - r.executed);
      if (part <= 0) break;
      this.#trades += 1;
      this.#execute(r, ticks, part, false);
      filled += part;
      if (r.executed < r.lots) break;
    }
    for (const r of this.#at(hit, ticks)) {
      r.printable -= lots - filled;
      r.ahead -= Math.max(0, fresh - filled);
    }
    return this.#at(hit, ticks).length === 0 ? lots - filled : 0;
  }

  #at(side: Side, ticks: number): Resting[] {
    return this.#queue(side).filter((r) => r.ticks === ticks);
  }

  #cross(): void {
    if (!this.#tape.hasBook) return;
    for (const side of ['buy', 'sell'] as const) {
      for (;;) {
        const order = this.#queue(side).at(0);
        const tape = this.#tape.levels(other(side)).at(0);
        if (order === undefined || tape === undefined) break;
        if (side === 'buy' ? tape.ticks > order.ticks : tape.ticks < order.ticks) break;
        const lots = Math.min(tape.lots, order.lots - order.executed);
        this.#tape.take(other(side), tape.ticks, lots);
        this.#trades += 1;
        this.#execute(order, order.ticks, lots, false);
      }
    }
  }

  #execute(r: Resting, ticks: number, lots: number, taker: boolean): void {
    const { baseCurrency, quoteCurrency, tickSize, quantityIncrement } = this.#terms;
    const { takeRate, makeRate, feeCurrency } = this.#terms;
    const { side } = r.order;
    if (r.ticks !== 0) {
      const freed = this.#reserve(side, r.ticks, lots);
      this.#add(r.account, freed.currency, freed.amount);
    }
    r.executed += lots;
    const size = new Decimal(quantityIncrement).times(lots);
    const value = new Decimal(tickSize).times(ticks).times(size);
    const sign = side === 'buy' ? 1 : -1;
    this.#add(r.account, baseCurrency, size.times(sign));
    this.#add(r.account, quoteCurrency, value.times(-sign));
    const charged = feeCurrency === quoteCurrency ? value : size;
    const fee = charged.times(taker ? takeRate : makeRate);
    this.#add(r.account, feeCurrency, fee.neg());
    const status = r.executed === r.lots ? 'filled' : 'partiallyFilled';
    if (r.executed === r.lots) this.resting = this.resting.filter((q) => q !== r);
    this.events.push(
      `trade ${this.#trades} ${pad(r.name)} ${side} ${lots}@${ticks} ${taker ? 'taker' : 'maker'} ${status} ${r.executed}/${r.lots}`,
    );
  }

  #reserve(side: Side, ticks: number, lots: number): { currency: string; amount: Decimal } {
    const { takeRate, makeRate, baseCurrency, quoteCurrency, feeCurrency } = this.#terms;
    const rate = Decimal.max(takeRate, makeRate);
    const size = new Decimal(this.#terms.quantityIncrement).times(lots);
    const value = size.times(this.#terms.tickSize).times(ticks);
    if (side === 'buy') {
      return { currency: quoteCurrency, amount: value.plus(value.times(rate)) };
    }
    const more = feeCurrency === baseCurrency ? size.times(Decimal.max(rate, 0)) : 0;
    return { currency: baseCurrency, amount: size.plus(more) };
  }

  #marketNeed(order: Order): { currency: string; amount: Decimal } {
    if (order.side === 'sell') return this.#reserve('sell', 0, order.lots);
    const needs = this.#reachable(order).map((o) => this.#reserve('buy', o.ticks, o.lots).amount);
    return {
      currency: this.#terms.quoteCurrency,
      amount: needs.reduce((sum, need) => sum.plus(need), new Decimal(0)),
    };
  }

  #covers(account: number, side: Side, amount: Decimal, currency: string): boolean {
    const has = this.available.get(`${account} ${currency}`) ?? new Decimal(0);
    return side === 'buy' ? has.greaterThan(amount) : has.greaterThanOrEqualTo(amount);
  }

  #leave(r: Resting): void {
    const held = this.#reserve(r.order.side, r.ticks, r.lots - r.executed);
    this.#add(r.account, held.currency, held.amount);
    this.resting = this.resting.filter((q) => q !== r);
  }

  #find(account: number, name: string): Resting | undefined {
    return this.resting.find((r) => r.account === account && r.name === name);
  }

  #add(account: number, currency: string, amount: Decimal): void {
    const key = `${account} ${currency}`;
    this.available.set(key, (this.available.get(key) ?? new Decimal(0)).plus(amount));
  }
}

const isFok = (order: Order): boolean =>
  order.timeInForce === 'FOK' || (order.ticks === undefined && order.timeInForce === undefined);

const pad = (name: string): string => name.padEnd(8, '-');
