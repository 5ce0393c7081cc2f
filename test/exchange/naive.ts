import type { Side } from '../../src/model/order.ts';
import type { Level, Order } from './kit.ts';
import { NaiveMatching } from './naive-matching.ts';
import { typeOf, waitsForRise, type NaiveOrder } from './naive-order.ts';
import { other } from './naive-state.ts';

const SYMBOL = 'BTCUSDT';

/**
 * The rules of docs/fills.md and docs/protocol-choices.md once more: slow, obvious, Decimals and
 * arrays, nothing shared with the exchange but the names of things. Tells the same lines.
 */
export class NaiveExchange extends NaiveMatching {
  /** Gives the code of a refusal. */
  place(account: number, name: string, order: Order): string | undefined {
    if (this.used.has(`${account} ${name}`)) return 'client-order-id-taken';
    const r = this.make(account, name, order);
    const need = r.type === 'market' ? this.marketNeed(r) : this.need(r);
    if (!this.covers(r, need)) return 'funds-insufficient';
    this.used.add(`${account} ${name}`);
    this.orders.push(r);
    if (r.stop !== 0) {
      this.tell('suspended', r);
      this.wait(r);
    } else if (this.failsAtEntry(r)) this.end(r, 'expired');
    else {
      this.tell('new', r);
      this.enter(r);
    }
    this.settle();
    return undefined;
  }

  cancel(account: number, name: string): string | undefined {
    const found = this.find(account, name);
    if (found === undefined) return 'order-unknown';
    this.end(found, 'canceled');
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
    if (change.ticks !== undefined && old.ticks === 0) return 'type-invalid';
    if (change.stop !== undefined && old.stop === 0) return 'type-invalid';
    const { ticks = old.ticks, lots = old.lots, stop = old.stop } = change;
    if (lots <= old.executed) return 'quantity-below-executed';
    if (ticks === old.ticks && lots === old.lots && stop === old.stop) return 'order-unchanged';
    if (old.place !== 'waiting' && stop !== old.stop) return 'type-invalid';
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
    };
    if (!this.covers(r, this.need(r), old)) return 'funds-insufficient';
    this.used.add(`${account} ${newName}`);
    this.orders = this.orders.filter((q) => q !== old);
    this.orders.push(r);
    this.tell('replaced', r);
    if (r.place === 'waiting') this.wait(r);
    else {
      r.place = 'moving';
      if (this.failsAtEntry(r)) this.end(r, 'expired');
      else this.enter(r);
    }
    this.settle();
    return undefined;
  }

  /** Time comes: orders expire one by one. */
  advance(at: number): void {
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
    let rest = this.print(symbol, hit, ticks, lots, true);
    if (!tape.hasBook) {
      rest = this.print(symbol, aggressor, ticks, rest, false);
      tape.print(ticks, rest);
    }
    this.traded(symbol, ticks);
    this.settle();
  }

  /** A candle goes through all prices: open, the extreme against its direction, the other, close. */
  candle(open: number, high: number, low: number, close: number, volume: number): void {
    const tape = this.tapeOf(SYMBOL);
    if (tape.hasBook) return;
    const way = close >= open ? [low, high, close] : [high, low, close];
    let rest = volume;
    let price = open;
    let side: Side = close >= open ? 'buy' : 'sell';
    const tradeAt = (): void => {
      if (this.printed.has(SYMBOL) || volume === 0) return;
      tape.print(price, rest);
      this.traded(SYMBOL, price);
      this.settle();
      const open = (s: Side): number =>
        tape.levels(s).find((level) => level.ticks === price)?.lots ?? 0;
      rest = Math.max(0, rest - (rest - open('buy')) - (rest - open('sell')));
    };
    tradeAt();
    for (const to of way) {
      for (;;) {
        const stops = this.orders
          .filter((r) => r.place === 'waiting' && r.symbol === SYMBOL)
          .filter((r) => waitsForRise(r) === to > price)
          .map((r) => r.stop)
          .filter((stop) => (to > price ? stop > price && stop <= to : stop < price && stop >= to));
        const next = to > price ? Math.min(to, ...stops) : Math.max(to, ...stops);
        const moved = next !== price;
        price = next;
        rest = this.print(SYMBOL, side, price, rest, false);
        if (moved) tradeAt();
        if (price === to) break;
      }
      side = other(side);
    }
    tape.print(close, rest);
    this.settle();
  }

  snapshot(levels: readonly Level[], sequence: number, symbol = SYMBOL): void {
    this.tapeOf(symbol).snapshot(levels, sequence);
    this.cross(symbol);
  }

  depth(levels: readonly Level[], sequence: number, symbol = SYMBOL): void {
    this.tapeOf(symbol).depth(levels, sequence);
    this.cross(symbol);
  }

  quote(bid: readonly [number, number], ask: readonly [number, number], sequence: number): void {
    this.tapeOf(SYMBOL).quote(bid, ask, sequence);
    this.cross(SYMBOL);
  }

  gap(): void {
    this.tapeOf(SYMBOL).gap();
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
      place: 'moving',
    };
  }
}
