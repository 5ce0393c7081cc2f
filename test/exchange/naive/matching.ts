import type { Side } from '../../../src/model/order.ts';
import {
  byTrigger,
  isLegNumber,
  isTriggered,
  left,
  lifeOf,
  numberOf,
  setOf,
  type NaiveList,
  type NaiveOrder,
} from './order.ts';
import { NaiveState, other, pad } from './state.ts';
import { better } from './tape.ts';

/** How the naive exchange brings orders together, and what trades bring about. */
export class NaiveMatching extends NaiveState {
  /** Gives false where an own order, with which it must not trade, ends it. */
  protected take(taker: NaiveOrder): boolean {
    const side = other(taker.order.side);
    const { symbol } = taker;
    while (left(taker) > 0) {
      const tape = this.tapeOf(symbol).levels(side).at(0);
      const maker = this.queue(symbol, side).at(0);
      const prices = [tape, maker].flatMap((x) => (x === undefined ? [] : [x.ticks]));
      if (prices.length === 0) return true;
      const best = side === 'buy' ? Math.max(...prices) : Math.min(...prices);
      if (taker.ticks !== 0 && better(side, taker.ticks, best)) return true;
      const shown = tape?.ticks === best ? tape.lots : 0;
      if (maker === undefined || maker.ticks !== best) {
        this.takeTape(taker, side, best, Math.min(left(taker), shown));
      } else if (Math.min(maker.ahead, maker.printable, shown) > 0) {
        const lots = Math.min(left(taker), maker.ahead, maker.printable, shown);
        for (const r of this.queue(symbol, side)) {
          if (r.ticks !== best) continue;
          r.ahead -= lots;
          r.printable -= lots;
        }
        this.takeTape(taker, side, best, lots);
      } else if (maker.account === taker.account && this.modeOf(taker.account) !== 'none') {
        if (!this.meets(taker, maker)) return false;
      } else {
        const lots = Math.min(left(taker), left(maker));
        this.bargain(best, lots, maker, taker);
      }
    }
    return true;
  }

  /** Two orders of one account do not trade; gives false where the incoming one ends. */
  protected meets(taker: NaiveOrder, maker: NaiveOrder): boolean {
    const [own, resting] = [left(taker), left(maker)];
    switch (this.modeOf(taker.account)) {
      case 'expireTaker':
        return false;
      case 'expireMaker':
        this.end(maker, 'expired');
        return true;
      case 'expireBoth':
        this.end(maker, 'expired');
        return false;
      default:
        if (resting <= own) this.end(maker, 'expired');
        else this.decrease(maker, own);
        if (own <= resting) return false;
        this.decrease(taker, resting);
        return true;
    }
  }

  protected decrease(r: NaiveOrder, lots: number): void {
    r.lots -= lots;
    this.emit('status', r);
  }

  protected takeTape(taker: NaiveOrder, side: Side, ticks: number, lots: number): void {
    this.tapeOf(taker.symbol).take(side, ticks, lots);
    this.bargain(ticks, lots, undefined, taker);
  }

  /** A print fills the orders that it went through. */
  protected sweep(
    symbol: string,
    hit: Side,
    ticks: number,
    lots: number,
    till = Infinity,
    halts = false,
  ): number {
    let rest = lots;
    this.haltedAt = undefined;
    for (;;) {
      const r = this.queue(symbol, hit).find(({ restedAt }) => restedAt <= till);
      if (r === undefined || rest === 0 || !better(hit, r.ticks, ticks)) return rest;
      const part = Math.min(rest, left(r));
      this.filled += part;
      this.bargain(r.ticks, part, r, undefined);
      rest -= part;
      if (!halts || this.agenda.length === 0) continue;
      // On the way of a candle what a fill brings about comes before the way goes on.
      this.haltedAt = r.ticks;
      return rest;
    }
  }

  /** A print at its own price; the display had lost some of its lots before, and some more. */
  protected touch(
    symbol: string,
    hit: Side,
    ticks: number,
    lots: number,
    counted: number,
    pending: number,
  ): number {
    const queue = (): NaiveOrder[] => this.queue(symbol, hit).filter((r) => r.ticks === ticks);
    if (queue().length === 0) return lots;
    const fresh = Math.max(0, lots - counted);
    let filled = 0;
    for (let r = queue().at(0); r !== undefined; r = queue().at(0)) {
      r.printable = Math.min(r.printable, r.ahead + pending);
      const byPrints = lots - filled - Math.max(0, r.printable);
      const byDisplay = fresh - filled - Math.max(0, r.ahead);
      const part = Math.min(Math.max(byPrints, byDisplay), left(r));
      if (part <= 0) break;
      filled += part;
      this.filled += part;
      this.bargain(ticks, part, r, undefined);
      if (left(r) > 0) break;
    }
    for (const r of queue()) {
      r.printable -= lots - filled;
      r.ahead -= Math.max(0, fresh - filled);
    }
    return queue().length === 0 ? lots - filled : 0;
  }

  protected cross(symbol: string): void {
    if (!this.tapeOf(symbol).hasBook) return;
    for (const side of ['buy', 'sell'] as const) {
      for (;;) {
        const order = this.queue(symbol, side).at(0);
        const tape = this.tapeOf(symbol).levels(other(side)).at(0);
        if (order === undefined || tape === undefined) break;
        if (side === 'buy' ? tape.ticks > order.ticks : tape.ticks < order.ticks) break;
        const lots = Math.min(tape.lots, left(order));
        this.tapeOf(symbol).take(other(side), tape.ticks, lots);
        this.bargain(order.ticks, lots, order, undefined);
      }
    }
    this.settle();
    this.goOn(symbol);
  }

  /** A trade; where maker or taker is not an order, it is the tape. */
  protected bargain(ticks: number, lots: number, maker?: NaiveOrder, taker?: NaiveOrder): void {
    this.trades += 1;
    if (maker !== undefined) this.execute(maker, ticks, lots, false);
    if (taker !== undefined) this.execute(taker, ticks, lots, true);
    for (const r of [maker, taker]) if (r !== undefined) this.executed(r);
    const symbol = (maker ?? taker)?.symbol;
    if (symbol !== undefined) this.traded(symbol, ticks);
  }

  protected execute(r: NaiveOrder, ticks: number, lots: number, taker: boolean): void {
    const { side } = r.order;
    r.executed += lots;
    const rate = taker ? r.rates.take : r.rates.make;
    this.money.trade(this.termsOf(r.symbol), r.account, side, ticks, lots, rate);
    if (left(r) === 0) this.orders = this.orders.filter((q) => q !== r);
    const status = left(r) === 0 ? 'filled' : 'partiallyFilled';
    this.events.push(
      `trade ${this.trades} ${pad(r.name)} ${side} ${lots}@${ticks} ${taker ? 'taker' : 'maker'} ${status} ${r.executed}/${r.lots}`,
    );
  }

  protected enter(r: NaiveOrder, since = this.comesAt): void {
    // Legs of one set never trade with each other.
    const side = other(r.order.side);
    for (const leg of setOf(r)) {
      if (leg.place !== 'resting' || leg.symbol !== r.symbol || leg.order.side !== side) continue;
      if (r.ticks === 0 || !better(side, r.ticks, leg.ticks)) this.end(leg, 'canceled');
    }
    const goesOn = this.take(r);
    if (left(r) === 0) return;
    if (goesOn && this.canGoOn(r)) {
      r.place = 'going';
      r.restedAt = since;
      r.came = this.turn += 1;
      return;
    }
    if (!goesOn || r.ticks === 0 || lifeOf(r) === 'IOC' || lifeOf(r) === 'FOK') {
      this.end(r, 'expired');
      return;
    }
    const { side: own } = r.order;
    const tape = this.tapeOf(r.symbol);
    r.ahead = tape.shown(own, r.ticks);
    tape.joined(own, r.ticks);
    r.printable = r.ahead + tape.pending(own, r.ticks);
    r.restedAt = this.comesAt;
    r.place = 'resting';
    r.came = this.turn += 1;
  }

  /** A triggered market order whose rest the tape, without a book, does not know to find nothing. */
  protected canGoOn(r: NaiveOrder): boolean {
    if (r.ticks !== 0 || r.stop === 0 || !this.orders.includes(r)) return false;
    if (this.tapeOf(r.symbol).hasBook || !this.seen.has(r.symbol)) return false;
    return this.covers(r, this.need({ ...r, place: 'going' }));
  }

  /** Those that found too little and were there by `till` try what the tape shows now. */
  protected goOn(symbol: string, till = Infinity): void {
    const going = this.orders
      .filter((r) => r.place === 'going' && r.symbol === symbol && r.restedAt <= till)
      .sort((a, b) => a.came - b.came);
    if (going.length === 0) return;
    for (const r of going) {
      if (r.place !== 'going' || !this.orders.includes(r)) continue;
      r.place = 'moving';
      const failure = this.failure(r);
      if (failure !== undefined) this.end(r, failure);
      else this.enter(r, r.restedAt);
    }
    this.settle();
  }

  protected end(r: NaiveOrder, status: 'canceled' | 'expired', byUser = false): void {
    if (!this.orders.includes(r)) return;
    this.orders = this.orders.filter((q) => q !== r);
    this.events.push(`${status} ${pad(r.name)} ${status} ${r.executed}/${r.lots}`);
    const { list } = r;
    if (list === undefined) return;
    const number = numberOf(r);
    list.members.delete(number);
    const rest = [...list.members].sort(([a], [b]) => a - b);
    const isPrimary = list.waiting && number === 0;
    if (!isPrimary && !(byUser && isLegNumber(list, number))) return;
    for (const [other, member] of rest) {
      if (isPrimary || isLegNumber(list, other)) this.end(member, 'canceled');
    }
  }

  protected wait(r: NaiveOrder): void {
    r.place = 'waiting';
    r.restedAt = this.comesAt;
    r.came = this.turn += 1;
  }

  /** Every order that waited for this price is triggered. */
  protected traded(symbol: string, ticks: number, till = Infinity): void {
    this.last.set(symbol, ticks);
    const reached = this.orders
      .filter((r) => r.place === 'waiting' && r.symbol === symbol && isTriggered(r, ticks))
      .filter((r) => r.restedAt <= till)
      .sort(byTrigger);
    for (const r of reached) r.place = 'triggered';
    this.agenda.push(...reached);
  }

  protected settle(): void {
    for (let item = this.agenda.shift(); item !== undefined; item = this.agenda.shift()) {
      if ('members' in item) this.activate(item);
      else if (this.orders.includes(item)) {
        if (this.rules.ocoCancel === 'trigger') {
          for (const leg of setOf(item)) if (leg !== item) this.end(leg, 'canceled');
        }
        item.place = 'moving';
        const failure = this.failure(item);
        if (failure !== undefined) this.end(item, failure);
        else {
          this.emit('new', item);
          this.enter(item);
        }
      }
    }
  }

  /** The primary has filled: all secondaries are told first, then they execute. */
  protected activate(list: NaiveList): void {
    list.waiting = false;
    const members = [...list.members].sort(([a], [b]) => a - b).map(([, r]) => r);
    for (const r of members) {
      if (r.type !== 'market' && !this.covers(r, { ...this.need({ ...r, place: 'moving' }) })) {
        this.end(r, 'canceled');
        continue;
      }
      r.place = 'moving';
      this.emit(r.stop === 0 ? 'new' : 'suspended', r);
      if (r.stop !== 0) this.wait(r);
    }
    this.enterAll(members);
  }

  protected enterAll(members: readonly NaiveOrder[]): void {
    for (const r of members) {
      if (r.place !== 'moving' || !this.orders.includes(r)) continue;
      const failure = this.failure(r);
      if (failure !== undefined) this.end(r, failure);
      else this.enter(r);
    }
  }

  protected failure(r: NaiveOrder): 'canceled' | 'expired' | undefined {
    if (r.ticks === 0 && !this.covers(r, this.marketNeed(r))) return 'canceled';
    return this.failsOnAcceptance(r) ? 'expired' : undefined;
  }

  /** What an execution means for the list of an order. */
  protected executed(r: NaiveOrder): void {
    for (const leg of setOf(r)) if (leg !== r) this.end(leg, 'canceled');
    if (left(r) > 0 || r.list === undefined) return;
    const number = numberOf(r);
    r.list.members.delete(number);
    if (r.list.waiting && number === 0) this.agenda.push(r.list);
  }
}
