import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import type { Side } from '../../../src/model/order.ts';
import { Exact } from './decimal.ts';
import { NaiveMoney, needOf, type Need } from './money.ts';
import { left, lifeOf, setOf, type NaiveList, type NaiveOrder } from './order.ts';
import { DEFAULT_RULES, type NaiveRates, type NaiveRules } from './rules.ts';
import { better, NaiveTape, type Open } from './tape.ts';

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
  protected readonly agenda: (NaiveOrder | NaiveList)[] = [];
  protected readonly printed = new Set<string>();
  /** Symbols of which the market has shown anything. */
  protected readonly seen = new Set<string>();
  protected turn = 0;
  protected at = 0;
  /** From when on an order that comes now is held to have been there. */
  protected comesAt = 0;
  /** Lots of resting orders that the tape has filled. */
  protected filled = 0;
  protected trades = 0;
  /** Where a sweep on the way of a candle ended before its time. */
  protected haltedAt: number | undefined;

  protected readonly rules: NaiveRules;
  /** Rates of accounts on symbols, modes of accounts, symbols that take no orders, last prices. */
  readonly accountRates = new Map<string, NaiveRates>();
  readonly modes = new Map<number, string>();
  readonly closed = new Set<string>();
  protected readonly last = new Map<string, number>();

  constructor(terms: readonly InstrumentTerms[], rules: Partial<NaiveRules> = {}) {
    this.rules = { ...DEFAULT_RULES, ...rules };
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

  /**
   * What an order could execute now: at each price order by order, what the tape has before them
   * first. Of legs that exclude each other only the first can be had; `spent` are legs that cannot,
   * as they or others of their set have executed by then. An own order that it must not trade with
   * ends it, or is passed over, or takes its lots off.
   */
  protected reachable(r: NaiveOrder, spent = new Set(setOf(r))): Open[] {
    const side = other(r.order.side);
    const queue = this.queue(r.symbol, side);
    const levels = this.tapeOf(r.symbol).levels(side);
    const prices = [...new Set([...queue, ...levels].map(({ ticks }) => ticks))]
      .filter((ticks) => r.ticks === 0 || !better(side, r.ticks, ticks))
      .sort((a, b) => (side === 'buy' ? b - a : a - b));
    let rest = left(r);
    const reached: Open[] = [];
    const take = (ticks: number, lots: number): void => {
      const part = Math.min(rest, lots);
      if (part <= 0) return;
      reached.push({ ticks, lots: part });
      rest -= part;
    };
    for (const ticks of prices) {
      const shown = levels.find((level) => level.ticks === ticks)?.lots ?? 0;
      let passed = 0;
      for (const q of queue.filter((o) => o.ticks === ticks)) {
        const before = Math.max(0, Math.min(q.ahead, q.printable, shown) - passed);
        take(ticks, before);
        passed += before;
        if (rest === 0) return reached;
        const mode = this.modeOf(r.account);
        if (mode !== 'none' && q.account === r.account) {
          if (mode === 'decrement') rest -= Math.min(rest, left(q));
          else if (mode !== 'expireMaker') rest = 0;
        } else if (!spent.has(q)) {
          for (const leg of setOf(q)) spent.add(leg);
          take(ticks, left(q));
        }
        if (rest === 0) return reached;
      }
      take(ticks, shown - passed);
      if (rest === 0) return reached;
    }
    return reached;
  }

  protected modeOf(account: number): string {
    return this.modes.get(account) ?? this.rules.selfMatch;
  }

  /** What an order holds; a stop market buy a tenth more than its stop price, up to the tick. */
  protected need(r: NaiveOrder): Need {
    if (r.place === 'inactive' || (r.ticks === 0 && r.place === 'moving' && r.stop === 0)) {
      return { currency: '', amount: new Exact(0) };
    }
    const ticks = r.ticks === 0 ? new Exact(r.stop).times('1.1').ceil().toNumber() : r.ticks;
    return needOf(this.termsOf(r.symbol), r.rates, r.order.side, ticks, left(r));
  }

  protected marketNeed(r: NaiveOrder, spent?: Set<NaiveOrder>): Need {
    const terms = this.termsOf(r.symbol);
    if (r.order.side === 'sell') return needOf(terms, r.rates, 'sell', 0, left(r));
    const needs = this.reachable(r, spent).map(
      (o) => needOf(terms, r.rates, 'buy', o.ticks, o.lots).amount,
    );
    return {
      currency: terms.quoteCurrency,
      amount: needs
        .reduce((sum, need) => sum.plus(need), new Exact(0))
        .times(this.rules.marketBuyFactor),
    };
  }

  protected covers(r: NaiveOrder, need: Need, besides = r): boolean {
    const has = this.available(r.account, need.currency, setOf(besides));
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

  /** What the active orders of an account need: of legs that exclude each other the dearest counts. */
  reserved(account: number, currency: string, besides: readonly NaiveOrder[] = []): Exact {
    const seen = new Set(besides);
    let sum = new Exact(0);
    for (const r of this.orders) {
      if (r.account !== account || seen.has(r)) continue;
      const needs = setOf(r)
        .map((leg) => this.need(leg))
        .filter((need) => need.currency === currency);
      for (const leg of setOf(r)) seen.add(leg);
      sum = sum.plus(Exact.max(0, ...needs.map((need) => need.amount)));
    }
    return sum;
  }

  available(account: number, currency: string, besides: readonly NaiveOrder[] = []): Exact {
    return this.money.total(account, currency).minus(this.reserved(account, currency, besides));
  }

  protected failsOnAcceptance(r: NaiveOrder): boolean {
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

  protected emit(event: 'new' | 'suspended' | 'replaced' | 'status', r: NaiveOrder): void {
    const isSuspended = event === 'suspended' || r.place === 'waiting' || r.place === 'inactive';
    const status = isSuspended ? 'suspended' : r.executed > 0 ? 'partiallyFilled' : 'new';
    this.events.push(`${event} ${pad(r.name)} ${status} ${r.executed}/${r.lots}`);
  }

  protected find(account: number, name: string): NaiveOrder | undefined {
    return this.orders.find((r) => r.account === account && r.name === name);
  }
}
