import { expect } from 'vitest';
import { isLeg } from '../../../src/exchange/orders/lists.ts';
import type { MarginAccountView } from '../../../src/exchange/margin/views.ts';
import { REDUCE_ONLY } from '../../../src/exchange/positions/flags.ts';
import type { MarginReport } from '../../../src/exchange/positions/report.ts';
import { BUY } from '../../../src/exchange/orders/side.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import {
  FIRST_ACCOUNT,
  instrument,
  MarginFloor,
  onMargin,
  perpetual,
  POOL,
  type MarginOrder,
} from './kit.ts';
import {
  NaiveAccount,
  naiveLimitTicks,
  naiveOrderReserve,
  naivePositionReserve,
  type NaiveHolding,
  type NaiveOrder,
} from './naive.ts';
import { SYMBOLS, type Step, type Tradable } from './random-steps.ts';
import { ReportedContract } from './reported-contract.ts';

const RATE = '0.001';
/** The terms of the contract say what is reckoned with; what is paid as taker is less. */
const CONTRACT_RATE = '0.003';
const rateOf = (one: string): string => (one === 'BTCUSDT_PERP' ? CONTRACT_RATE : RATE);
const FORCED = '0.005';
const LEVERAGE = 5;

/** The exchange and the naive account of each margin account, fed by what is told. */
export class MarginHarness {
  readonly floor: MarginFloor;
  readonly naive = new Map<string, NaiveAccount>();
  #reported = 0;
  #carries = new Map<number, Decimal>();
  liquidations = 0;
  settlements = 0;
  beyond = 0;
  /** Positions whose prices were compared. */
  prices = 0;
  /** What the venue tells of the contract. */
  readonly reported: ReportedContract;
  /** By account: since when it holds the position in the contract that it has. */
  readonly #since = new Map<string, number>();

  constructor() {
    const margin = onMargin({ maxInitialLeverage: String(LEVERAGE), forceCloseFee: FORCED });
    const terms = { margin, makeRate: '-0.0001' };
    this.floor = new MarginFloor(
      [
        instrument(terms),
        instrument({ ...terms, symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
        perpetual({
          ...terms,
          margin: margin.map((one) => ({ ...one, reserveRate: CONTRACT_RATE })),
        }),
      ],
      { nameHoldUs: 0, margin: { dailyRates: { USDT: '0.02', BTC: '0.03' }, impactValue: '500' } },
    );
    this.reported = new ReportedContract(
      this.floor,
      () => this.#held(),
      () => {
        this.read();
      },
    );
    this.floor.exchange.margin.insure('USDT', new Decimal(2), 'margin');
    this.floor.exchange.margin.insure('USDT', new Decimal(1), 'futures');
    for (let i = 0; i < 3; i += 1) {
      const opened = this.floor.account({ USDT: '1500', BTC: '20' }, '1500');
      expect(opened).toBe(FIRST_ACCOUNT + i);
      for (const one of SYMBOLS) this.#set(opened, one, 'isolated', 120);
      this.#set(opened, 'BTCUSDT', 'cross', 120);
      this.#set(opened, 'BTCUSDT_PERP', 'cross', 120);
    }
    this.read();
  }

  #set(trader: number, one: Tradable, how: MarginMode, balance: number): Rejection | undefined {
    const leverage = how === 'isolated' ? { leverage: String(LEVERAGE) } : {};
    return this.floor.set(trader, String(balance), { symbol: one, mode: how, ...leverage });
  }

  /** Takes a step; gives why it was refused. */
  take(it: Step): Rejection | undefined {
    const rejection = this.#take(it);
    this.read();
    return rejection;
  }

  #take(it: Step): Rejection | undefined {
    const { floor } = this;
    switch (it.act) {
      case 'place':
        return floor.place(FIRST_ACCOUNT + it.account, it.name, this.#order(it));
      case 'cancel':
        return floor.cancel(FIRST_ACCOUNT + it.account, it.name);
      case 'replace': {
        const { ticks, lots } = it;
        return floor.replace(FIRST_ACCOUNT + it.account, it.name, it.to, { ticks, lots });
      }
      case 'close': {
        const { symbol } = it;
        return floor.close(FIRST_ACCOUNT + it.account, { symbol, mode: it.mode || 'cross' });
      }
      case 'set':
        return this.#set(FIRST_ACCOUNT + it.account, it.symbol, it.mode || 'cross', it.balance);
      case 'bracket':
        return this.#bracket(it);
      default:
        this.#pass(it);
        return undefined;
    }
  }

  /** What happens without any account's doing. */
  #pass(it: Step & { act: 'quote' | 'index' | 'print' | 'wait' | 'mark' | 'funding' }): void {
    const { floor } = this;
    if (it.act === 'mark') this.reported.emitMark(new Decimal(it.thousandths).div(1_000));
    else if (it.act === 'funding') {
      const at = Math.max(1, floor.at + it.inUs);
      this.reported.emitFunding(it.rate, at, it.nextUs === 0 ? 0 : at + it.nextUs);
    } else if (it.act === 'quote') floor.quote(it.ticks - 1, it.ticks + 1, it.lots, it.symbol);
    else if (it.act === 'print') floor.print(it.ticks, it.lots, it.side, it.symbol);
    else if (it.act === 'wait') this.reported.wait(floor.at + it.us);
    else floor.exchange.margin.index(2, new Decimal(it.index), micros(floor.at));
  }

  /** Who holds lots of the contract, by what the naive books say. */
  #held(): Map<string, { lots: number; since: number }> {
    const held = new Map<string, { lots: number; since: number }>();
    for (const [key, { positions }] of this.naive) {
      const lots = positions.get('BTCUSDT_PERP')?.lots ?? 0;
      if (lots !== 0) held.set(key, { lots, since: this.#since.get(key) ?? 0 });
    }
    return held;
  }

  #order({ symbol: one, order: terms, mode: how }: Step & { act: 'place' }): MarginOrder {
    const common = { symbol: one, side: terms.side, margin: how };
    if (terms.kind === 'stop') {
      const closing = terms.closes && how !== false;
      return {
        ...common,
        type: 'stopMarket',
        stopTicks: terms.ticks,
        ...(closing ? { closePosition: true } : { lots: terms.lots }),
      };
    }
    const { reduceOnly } = terms;
    const flags = how === false ? {} : { reduceOnly };
    return {
      ...common,
      ...flags,
      lots: terms.lots,
      ...(terms.kind === 'limit' ? { ticks: terms.ticks } : { timeInForce: 'IOC' as const }),
    };
  }

  #bracket(it: Step & { act: 'bracket' }): Rejection | undefined {
    const out = it.side === 'buy' ? 'sell' : 'buy';
    const common = { symbol: it.symbol, lots: it.lots };
    return this.floor.list(FIRST_ACCOUNT + it.account, 'oneTriggerOneCancelOther', {
      [`${it.name}a`]: { ...common, side: it.side, ticks: 100 },
      [`${it.name}b`]: {
        ...common,
        side: out,
        ticks: it.side === 'buy' ? 110 : 90,
        reduceOnly: true,
      },
      [`${it.name}c`]: {
        ...common,
        side: out,
        type: 'stopMarket',
        stopTicks: it.side === 'buy' ? 90 : 110,
      },
    });
  }

  /** Books what was told since the last call. */
  read(): void {
    const { reports } = this.floor;
    for (; this.#reported < reports.length; this.#reported += 1)
      this.#book(reports[this.#reported]);
  }

  #book(report: MarginReport): void {
    const key = keyOf(report);
    if (report.type === 'created' && report.reason !== 'flipTrade') {
      const opened = new NaiveAccount();
      opened.balance = report.marginBalance;
      this.naive.set(key, opened);
      return;
    }
    const naive = this.naive.get(key);
    if (naive === undefined) throw new Error(`never opened: ${key}`);
    const { trade, position } = report;
    if (report.reason === 'marginChanged') naive.balance = report.marginBalance;
    else if (trade !== undefined && position !== undefined) {
      const before = naive.positions.get(position.symbol)?.lots ?? 0;
      const isOpened = before === 0 || Math.sign(before) === -Math.sign(before + trade.lots);
      if (isOpened && position.symbol === 'BTCUSDT_PERP') this.#since.set(key, report.at);
      expect(naive.trade(position.symbol, trade.lots, trade.ticks)).toEqual(trade.pnl);
      this.#checkReducing(trade.clientOrderId, report.trader, before, before + trade.lots);
      naive.balance = naive.balance.minus(trade.fee);
      if (trade.end === 'liquidated') this.liquidations += 1;
      if (trade.id === 0) this.settlements += 1;
    } else if (position !== undefined) {
      const paid = position.carry.minus(this.#carries.get(position.id) ?? 0);
      this.#carries.set(position.id, position.carry);
      naive.balance = naive.balance.plus(paid);
      this.reported.book(key, report);
    } else if (report.reason === 'closed') this.naive.delete(key);
    // What an account lacks when its last position is gone is paid by others.
    if (naive.positions.size === 0 && naive.balance.lessThan(0)) naive.balance = new Decimal(0);
  }

  /** An order that only reduces never turns a position around and never makes one. */
  #checkReducing(id: string | undefined, trader: number, before: number, after: number): void {
    if (id === undefined) return;
    const slot = this.floor.exchange.activeOrder(trader, id);
    if (slot < 0 || (this.floor.exchange.orders.marginFlags(slot) & REDUCE_ONLY) === 0) return;
    expect(Math.abs(after)).toBeLessThan(Math.abs(before));
    expect(after === 0 || Math.sign(after) === Math.sign(before)).toBe(true);
  }

  /** All margin accounts and balances, as text. */
  shown(): string[] {
    const { exchange } = this.floor;
    const lines: string[] = [];
    for (let trader = FIRST_ACCOUNT; trader < FIRST_ACCOUNT + 3; trader += 1) {
      for (const view of exchange.margin.accounts(trader)) lines.push(JSON.stringify(view));
      for (const currency of ['USDT', 'BTC']) lines.push(this.floor.row(trader, currency));
    }
    return lines;
  }

  check(): void {
    this.#checkSums();
    for (let trader = FIRST_ACCOUNT; trader < FIRST_ACCOUNT + 3; trader += 1) {
      for (const currency of ['USDT', 'BTC']) {
        expect(new Decimal(this.floor.row(trader, currency)).isNegative()).toBe(false);
      }
      this.#checkAccounts(trader);
    }
  }

  #checkSums(): void {
    const { floor } = this;
    expect(floor.sum('USDT')).toBe('4502');
    expect(floor.sum('BTC')).toBe('60');
    expect(floor.sum('ETH')).toBe('0');
    expect(floor.sum('USDT', floor.exchange.derivatives)).toBe('4501');
    // The pool has lent what open positions cost, and has what they bought.
    const held = { BTC: 0, ETH: 0 };
    const cost = { spot: new Decimal(0), contract: new Decimal(0) };
    for (const [key, { positions }] of this.naive) {
      for (const [one, position] of positions) {
        if (one === 'BTCUSDT') held.BTC += position.lots;
        if (one === 'ETHUSDT') held.ETH += position.lots;
        const kind = key.includes('contract') ? 'contract' : 'spot';
        cost[kind] = cost[kind].plus(position.cost);
      }
    }
    expect(floor.row(POOL, 'BTC')).toBe(String(held.BTC));
    expect(floor.row(POOL, 'ETH')).toBe(String(held.ETH));
    expect(new Decimal(floor.row(POOL)).plus(cost.spot).toFixed()).toBe('0');
    const futures = floor.row(POOL, 'USDT', 0, floor.exchange.derivatives);
    expect(new Decimal(futures).plus(cost.contract).toFixed()).toBe('0');
  }

  #checkAccounts(trader: number): void {
    const views = this.floor.exchange.margin.accounts(trader);
    for (const view of views) {
      const naive = this.naive.get(keyOf({ ...view, trader }));
      if (naive === undefined) throw new Error('an account that was never told of');
      expect(view.marginBalance.toFixed()).toBe(naive.balance.toFixed());
      if (view.positions.length === 0) expect(view.marginBalance.isNegative()).toBe(false);
      const shown = view.positions.map((one) => [one.symbol, one.quantity.toNumber()]).sort();
      const booked = [...naive.positions].map(([one, { lots: size }]) => [one, size]).sort();
      expect(shown).toEqual(booked);
      let held = new Decimal(0);
      for (const position of view.positions) {
        const value = naive.positions.get(position.symbol)?.cost.abs() ?? new Decimal(0);
        held = held.plus(
          naivePositionReserve(value, position.pnl.negated(), LEVERAGE, rateOf(position.symbol)),
        );
      }
      if (view.mode === 'isolated') this.#checkLimit(trader, view, naive);
      this.#checkPrices(view, naive);
      expect(view.reservedPositions.toFixed()).toBe(held.toFixed());
      expect(view.reservedOrders.toFixed()).toBe(this.#orderReserve(trader, view, naive).toFixed());
    }
  }

  /** At which prices a margin call and a liquidation come, as they are shown. */
  #checkPrices(view: MarginAccountView, naive: NaiveAccount): void {
    const holdings = view.positions.map(({ symbol: one, pnl }): NaiveHolding => {
      const { cost = new Decimal(0), lots = 0 } = naive.positions.get(one) ?? {};
      const paid = cost.abs();
      return { lots, cost: paid, value: lots > 0 ? paid.plus(pnl) : paid.minus(pnl) };
    });
    for (const [index, position] of view.positions.entries()) {
      const others = holdings.filter((_, other) => other !== index);
      const limit = (mul: number): number =>
        naiveLimitTicks(
          naive.balance,
          holdings[index],
          others,
          LEVERAGE * mul,
          rateOf(position.symbol),
        );
      expect(position.priceMarginCall.toNumber()).toBe(limit(1.5));
      expect(position.priceLiquidation.toNumber()).toBe(limit(2));
      this.prices += 1;
    }
  }

  /** Beyond its limit an account has no orders: they were the first thing to go. */
  #checkLimit(trader: number, view: MarginAccountView, naive: NaiveAccount): void {
    for (const { symbol: one, pnl } of view.positions) {
      const { cost = new Decimal(0), lots = 0 } = naive.positions.get(one) ?? {};
      const value = lots > 0 ? cost.plus(pnl) : cost.negated().minus(pnl);
      const left = view.marginBalance.plus(pnl).minus(value.times(rateOf(one)));
      if (left.times(2 * LEVERAGE).greaterThan(value)) continue;
      this.beyond += 1;
      expect(this.#orders(trader, one as Tradable, 'isolated')).toEqual([]);
    }
  }

  #orderReserve(
    trader: number,
    view: { mode: MarginMode; isContract: boolean; symbol: string | undefined },
    naive: NaiveAccount,
  ): Decimal {
    const symbols = SYMBOLS.filter((one) =>
      view.symbol === undefined
        ? view.isContract === (one === 'BTCUSDT_PERP')
        : view.symbol === one,
    );
    return symbols.reduce((sum, one) => {
      const orders = this.#orders(trader, one, view.mode);
      const position = naive.positions.get(one)?.lots ?? 0;
      return sum.plus(naiveOrderReserve(orders, position, LEVERAGE, rateOf(one)));
    }, new Decimal(0));
  }

  /** Active orders that need funds, found by looking at every name that was ever used. */
  #orders(trader: number, one: Tradable, how: MarginMode): NaiveOrder[] {
    const { exchange } = this.floor;
    const { orders, stops, lists } = exchange;
    const names = Array.from({ length: 10 }, (_, n) => [
      `o${n}`,
      `o${n}a`,
      `o${n}b`,
      `o${n}c`,
    ]).flat();
    const found: NaiveOrder[] = [];
    for (const id of names) {
      const slot = exchange.activeOrder(trader, id.padEnd(8, '-'));
      if (slot < 0 || orders.instrument(slot) !== exchange.instrument(one)) continue;
      const flags = orders.marginFlags(slot);
      if ((flags & (how === 'cross' ? 2 : 1)) === 0 || (flags & REDUCE_ONLY) !== 0) continue;
      const list = lists.of(slot);
      const index = list?.members.indexOf(slot) ?? 0;
      if (list?.active[index] === false) continue;
      const stop = stops.ticks(slot);
      found.push({
        id: orders.id(slot),
        side: orders.side(slot) === BUY ? 'buy' : 'sell',
        lots: orders.remaining(slot),
        ticks: orders.ticks(slot) === 0 ? Math.ceil((stop * 11) / 10) : orders.ticks(slot),
        set: list !== undefined && isLeg(list, index) ? list.id : undefined,
      });
    }
    return found;
  }
}

const keyOf = (one: {
  trader: number;
  mode: MarginMode;
  isContract: boolean;
  symbol: string | undefined;
}): string =>
  [one.trader, one.mode, one.isContract ? 'contract' : 'spot', one.symbol ?? ''].join(' ');
