import type { Side } from '../../src/model/order.ts';
import { byTrigger, isTriggered, left, lifeOf, type NaiveOrder } from './naive-order.ts';
import { NaiveState, other, pad } from './naive-state.ts';
import { better } from './naive-tape.ts';

/** How the naive exchange brings orders together, and what trades bring about. */
export class NaiveMatching extends NaiveState {
  protected take(taker: NaiveOrder): void {
    const side = other(taker.order.side);
    const { symbol } = taker;
    while (left(taker) > 0) {
      const tape = this.tapeOf(symbol).levels(side).at(0);
      const maker = this.queue(symbol, side).at(0);
      const prices = [tape, maker].flatMap((x) => (x === undefined ? [] : [x.ticks]));
      if (prices.length === 0) return;
      const best = side === 'buy' ? Math.max(...prices) : Math.min(...prices);
      if (taker.ticks !== 0 && better(side, taker.ticks, best)) return;
      const shown = tape?.ticks === best ? tape.lots : 0;
      if (maker === undefined || maker.ticks !== best) {
        this.takeTape(taker, side, best, Math.min(left(taker), shown));
      } else if (Math.min(maker.ahead, shown) > 0) {
        const lots = Math.min(left(taker), maker.ahead, shown);
        for (const r of this.queue(symbol, side)) if (r.ticks === best) r.ahead -= lots;
        this.takeTape(taker, side, best, lots);
      } else {
        const lots = Math.min(left(taker), left(maker));
        this.bargain(best, lots, maker, taker);
      }
    }
  }

  protected takeTape(taker: NaiveOrder, side: Side, ticks: number, lots: number): void {
    this.tapeOf(taker.symbol).take(side, ticks, lots);
    this.bargain(ticks, lots, undefined, taker);
  }

  protected print(
    symbol: string,
    hit: Side,
    ticks: number,
    lots: number,
    atTouch: boolean,
  ): number {
    let rest = lots;
    for (;;) {
      const r = this.queue(symbol, hit).at(0);
      if (r === undefined || rest === 0) return rest;
      if (better(hit, ticks, r.ticks) || (ticks === r.ticks && !atTouch)) return rest;
      if (r.ticks === ticks) {
        const gone = Math.min(rest, r.ahead);
        rest -= gone;
        for (const q of this.queue(symbol, hit)) if (q.ticks === ticks) q.ahead -= gone;
        if (rest === 0) return 0;
      }
      const part = Math.min(rest, left(r));
      this.bargain(r.ticks, part, r, undefined);
      rest -= part;
    }
  }

  protected cross(symbol: string): void {
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
  }

  /** A trade; where maker or taker is not an order, it is the tape. */
  protected bargain(ticks: number, lots: number, maker?: NaiveOrder, taker?: NaiveOrder): void {
    this.trades += 1;
    if (maker !== undefined) this.execute(maker, ticks, lots, false);
    if (taker !== undefined) this.execute(taker, ticks, lots, true);
    for (const r of [maker, taker]) if (r !== undefined) this.traded(r.symbol, ticks);
  }

  protected execute(r: NaiveOrder, ticks: number, lots: number, taker: boolean): void {
    const { side } = r.order;
    r.executed += lots;
    this.money.trade(this.termsOf(r.symbol), r.account, side, ticks, lots, taker);
    if (left(r) === 0) this.orders = this.orders.filter((q) => q !== r);
    const status = left(r) === 0 ? 'filled' : 'partiallyFilled';
    this.events.push(
      `trade ${this.trades} ${pad(r.name)} ${side} ${lots}@${ticks} ${taker ? 'taker' : 'maker'} ${status} ${r.executed}/${r.lots}`,
    );
  }

  protected enter(r: NaiveOrder): void {
    this.take(r);
    if (left(r) === 0) return;
    if (r.ticks === 0 || lifeOf(r) === 'IOC' || lifeOf(r) === 'FOK') {
      this.end(r, 'expired');
      return;
    }
    r.ahead = this.tapeOf(r.symbol).shown(r.order.side, r.ticks);
    r.place = 'resting';
    r.came = this.turn += 1;
  }

  protected end(r: NaiveOrder, status: 'canceled' | 'expired'): void {
    this.orders = this.orders.filter((q) => q !== r);
    this.events.push(`${status} ${pad(r.name)} ${status} ${r.executed}/${r.lots}`);
  }

  protected wait(r: NaiveOrder): void {
    r.place = 'waiting';
    r.came = this.turn += 1;
  }

  /** Every order that waited for this price is triggered. */
  protected traded(symbol: string, ticks: number): void {
    const reached = this.orders
      .filter((r) => r.place === 'waiting' && r.symbol === symbol && isTriggered(r, ticks))
      .sort(byTrigger);
    for (const r of reached) r.place = 'triggered';
    this.agenda.push(...reached);
  }

  protected settle(): void {
    for (let r = this.agenda.shift(); r !== undefined; r = this.agenda.shift()) {
      r.place = 'moving';
      if (r.ticks === 0 && !this.covers(r, this.marketNeed(r))) this.end(r, 'canceled');
      else if (this.failsAtEntry(r)) this.end(r, 'expired');
      else {
        this.tell('new', r);
        this.enter(r);
      }
    }
  }
}
