import { Decimal } from '../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import type { Side } from '../../src/model/order.ts';
import { NaiveMoney, needOf, type Need } from './naive-money.ts';
import { left, lifeOf, type NaiveOrder } from './naive-order.ts';
import { better, NaiveTape, type Open } from './naive-tape.ts';

export const other = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
export const pad = (name: string): string => name.padEnd(8, '-');

/** What the naive exchange knows, and what can be asked of it. */
export class NaiveState {
  readonly events: string[] = [];
  /** All active orders. */
  orders: NaiveOrder[] = [];
  readonly money = new NaiveMoney();
  protected readonly terms: ReadonlyMap<string, InstrumentTerms>;
  protected readonly tapes: ReadonlyMap<string, NaiveTape>;
  protected readonly used = new Set<string>();
  /** Triggered orders, first come first served. */
  protected readonly agenda: NaiveOrder[] = [];
  protected readonly printed = new Set<string>();
  protected turn = 0;
  protected trades = 0;

  constructor(terms: readonly InstrumentTerms[]) {
    this.terms = new Map(terms.map((t) => [t.symbol, t]));
    this.tapes = new Map(
      terms.map(({ symbol }) => [
        symbol,
        new NaiveTape(() => {
          for (const r of this.resting) {
            if (r.symbol !== symbol) continue;
            r.ahead = Math.min(r.ahead, this.tapeOf(symbol).shown(r.order.side, r.ticks));
          }
        }),
      ]),
    );
  }

  protected queue(symbol: string, side: Side): NaiveOrder[] {
    return this.resting
      .filter((r) => r.symbol === symbol && r.order.side === side)
      .sort((a, b) => (side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks) || a.came - b.came);
  }

  /** What an order could execute now, price by price. */
  protected reachable(r: NaiveOrder): Open[] {
    const side = other(r.order.side);
    const own = this.queue(r.symbol, side).map((q) => ({ ticks: q.ticks, lots: left(q) }));
    const levels = [...own, ...this.tapeOf(r.symbol).levels(side)]
      .filter((open) => r.ticks === 0 || !better(side, r.ticks, open.ticks))
      .sort((a, b) => (side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks));
    let rest = left(r);
    const reached: Open[] = [];
    for (const { ticks, lots } of levels) {
      reached.push({ ticks, lots: Math.min(rest, lots) });
      rest -= Math.min(rest, lots);
    }
    return reached;
  }

  /** What an order holds; a stop market buy a tenth more than its stop price, up to the tick. */
  protected need(r: NaiveOrder): Need {
    if (r.ticks === 0 && r.place === 'moving' && r.stop === 0) {
      return { currency: '', amount: new Decimal(0) };
    }
    const ticks = r.ticks === 0 ? new Decimal(r.stop).times('1.1').ceil().toNumber() : r.ticks;
    return needOf(this.termsOf(r.symbol), r.order.side, ticks, left(r));
  }

  protected marketNeed(r: NaiveOrder): Need {
    const terms = this.termsOf(r.symbol);
    if (r.order.side === 'sell') return needOf(terms, 'sell', 0, left(r));
    const needs = this.reachable(r).map((o) => needOf(terms, 'buy', o.ticks, o.lots).amount);
    return {
      currency: terms.quoteCurrency,
      amount: needs.reduce((sum, need) => sum.plus(need), new Decimal(0)),
    };
  }

  protected covers(r: NaiveOrder, need: Need, besides = r): boolean {
    const has = this.available(r.account, need.currency, besides);
    return r.order.side === 'buy'
      ? has.greaterThan(need.amount)
      : has.greaterThanOrEqualTo(need.amount);
  }

  protected tapeOf(symbol: string): NaiveTape {
    const tape = this.tapes.get(symbol);
    if (tape === undefined) throw new Error(`no tape ${symbol}`);
    return tape;
  }

  protected termsOf(symbol: string): InstrumentTerms {
    const terms = this.terms.get(symbol);
    if (terms === undefined) throw new Error(`no terms ${symbol}`);
    return terms;
  }

  get resting(): NaiveOrder[] {
    return this.orders.filter((r) => r.place === 'resting');
  }

  /** What the active orders of an account need. */
  reserved(account: number, currency: string, besides?: NaiveOrder): Decimal {
    return this.orders
      .filter((r) => r.account === account && r !== besides)
      .map((r) => this.need(r))
      .filter((need) => need.currency === currency)
      .reduce((sum, need) => sum.plus(need.amount), new Decimal(0));
  }

  available(account: number, currency: string, besides?: NaiveOrder): Decimal {
    return this.money.total(account, currency).minus(this.reserved(account, currency, besides));
  }

  protected failsAtEntry(r: NaiveOrder): boolean {
    const side = other(r.order.side);
    if (r.order.postOnly === true) {
      const own = this.queue(r.symbol, side).map((q) => q.ticks);
      const tape = this.tapeOf(r.symbol);
      const shown = tape.prices(side).filter((price) => tape.offered(side, price) > 0);
      return [...own, ...shown].some((price) => !better(side, r.ticks, price));
    }
    const reach = this.reachable(r).reduce((sum, open) => sum + open.lots, 0);
    return lifeOf(r) === 'FOK' && reach < left(r);
  }

  protected tell(event: 'new' | 'suspended' | 'replaced', r: NaiveOrder): void {
    const isSuspended = event === 'suspended' || r.place === 'waiting';
    const status = isSuspended ? 'suspended' : r.executed > 0 ? 'partiallyFilled' : 'new';
    this.events.push(`${event} ${pad(r.name)} ${status} ${r.executed}/${r.lots}`);
  }

  protected find(account: number, name: string): NaiveOrder | undefined {
    return this.orders.find((r) => r.account === account && r.name === name);
  }
}
