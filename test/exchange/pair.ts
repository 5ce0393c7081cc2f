import fc from 'fast-check';
import assert from 'node:assert/strict';
import { FUND, HOUSE, POOL, RECORDED_MARKET } from '../../src/exchange/ledger/ledger.ts';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../src/exchange/ledger/balances.ts';
import type { RuleOptions } from '../../src/exchange/state/options.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import type { ContingencyType } from '../../src/model/order.ts';
import { Invariants } from './invariants.ts';
import { Floor, TERMS, type Order } from './kit.ts';
import { Exact } from './naive/decimal.ts';
import { NaiveExchange } from './naive/exchange.ts';
import { shaped } from './random-lists.ts';
import { ruling, step, type Ruling, type Step } from './random-steps.ts';

/** Terms of the instruments, what an account begins with, and the rules that are not the usual ones. */
export interface Variant {
  readonly terms?: Partial<InstrumentTerms>;
  readonly funds: string;
  readonly rules?: Omit<RuleOptions, 'marketBuyFactor'> & { readonly marketBuyFactor?: string };
}

export const VARIANTS: readonly Variant[] = [
  { funds: '5000' },
  { terms: { makeRate: '-0.0005' }, funds: '1200', rules: { selfMatch: 'expireTaker' } },
  {
    terms: { takeRate: '-0.0001', makeRate: '-0.0005' },
    funds: '1000',
    rules: { selfMatch: 'decrement', unaffordable: 'cancel' },
  },
  { terms: { feeCurrency: 'BTC' }, funds: '1500', rules: { ocoCancel: 'trigger' } },
  {
    terms: { feeCurrency: 'BTC', makeRate: '-0.0001' },
    funds: '5000',
    rules: { stopReached: 'refuse', selfMatch: 'expireBoth' },
  },
  {
    terms: { tickSize: '0.25', quantityIncrement: '0.05', takeRate: '0.00075' },
    funds: '20',
    rules: { marketBuyFactor: '1.1', selfMatch: 'expireMaker' },
  },
  { terms: { feeCurrency: 'BTC', takeRate: '-0.01', makeRate: '-0.02' }, funds: '900' },
  // One tick and lot is 1e-36 of a quote, and a fee rate divides that by 1e18 once more.
  {
    terms: {
      tickSize: '0.000000000000000001',
      quantityIncrement: '0.000000000000000001',
      takeRate: '0.000000000000000001',
    },
    funds: '0.000000000000000000000000000000005',
  },
  // Large numbers of large units.
  {
    terms: { tickSize: '1000000000000000', quantityIncrement: '1000000000000000' },
    funds: '5e33',
    rules: { ocoCancel: 'trigger', selfMatch: 'decrement' },
  },
];

/** The exchange and the naive one beside each other. */
export class Pair {
  readonly floor: Floor;
  readonly naive: NaiveExchange;
  readonly accounts: readonly number[];
  readonly #deposits: ReadonlyMap<string, Exact>;
  #sequence = 10;
  #names = 0;
  readonly #invariants = new Invariants();
  /** The list that was placed in this step. */
  #list: { readonly type: ContingencyType; readonly names: readonly string[] } | undefined;

  constructor({ funds, terms: change, rules = {} }: Variant, sharesBooks = false) {
    const terms = { ...TERMS, ...change };
    // Bought with the base currency of the other, at about one lot of it for one of its own.
    const second: InstrumentTerms = {
      ...terms,
      symbol: 'ETHBTC',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      feeCurrency: 'BTC',
      tickSize: new Exact(terms.quantityIncrement).div(100).toFixed(),
      quantityIncrement: '1',
    };
    const { marketBuyFactor, ...others } = rules;
    const options: RuleOptions =
      marketBuyFactor === undefined
        ? others
        : { ...others, marketBuyFactor: decimal(marketBuyFactor) };
    this.floor = new Floor([new Instrument(terms), new Instrument(second)], options, sharesBooks);
    this.naive = new NaiveExchange([terms, second], rules);
    const base = new Exact(terms.quantityIncrement).times(25).toFixed();
    const quote = new Exact(funds).toFixed();
    this.accounts = [0, 1, 2].map(() => this.floor.account({ USDT: quote, BTC: base, ETH: '25' }));
    for (const number of this.accounts) {
      this.naive.money.add(number, 'USDT', new Exact(quote));
      this.naive.money.add(number, 'BTC', new Exact(base));
      this.naive.money.add(number, 'ETH', new Exact(25));
    }
    this.#deposits = new Map([
      ['USDT', new Exact(quote).times(3)],
      ['BTC', new Exact(base).times(3)],
      ['ETH', new Exact(75)],
    ]);
  }

  /** Does a step on both and compares all that they tell. */
  step(action: Step | Ruling): void {
    const [given, expected] = this.#both(action);
    assert.equal(given?.code, expected);
    const reported = this.floor.reported();
    const events = reported.filter((line) => !line.startsWith('balance'));
    assert.deepEqual(events, this.naive.events.splice(0));
    if (this.#list !== undefined) {
      this.#invariants.list(this.#list.type, this.#list.names, given === undefined, reported);
      this.#list = undefined;
    }
    this.#invariants.read(reported);
    for (const number of this.accounts) {
      for (const currency of ['USDT', 'BTC', 'ETH']) {
        const { available, reserved } = this.floor.exchange.balance(number, currency);
        assert.equal(available.toFixed(), this.naive.available(number, currency).toFixed());
        assert.equal(reserved.toFixed(), this.naive.reserved(number, currency).toFixed());
      }
    }
    this.#checkBalances(reported);
    this.#checkBooks();
  }

  /** What accounts have changes by trades among them alone, and is never less than nothing. */
  #checkBalances(reported: readonly string[]): void {
    const { ledger } = this.floor.exchange;
    ledger.balances.forEach((budget, currency) => {
      let sum = new Exact(0);
      for (const account of [HOUSE, RECORDED_MARKET, POOL, FUND, ...this.accounts]) {
        for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
          if (budget.units(account, pocket) !== 0n) sum = sum.plus(budget.amount(account, pocket));
        }
      }
      assert.equal(sum.toFixed(), this.#deposits.get(budget.currency)?.toFixed());
      for (const account of this.accounts) {
        assert.equal(ledger.available(account, currency).isNegative(), false);
        assert.equal(ledger.reserved(account, currency).isNegative(), false);
      }
    });
    // A step of two market events tells a balance twice; the last one holds.
    const balances = new Map<string, string>();
    for (const line of reported.filter((l) => l.startsWith('balance'))) {
      const [, number, currency, available, reserved] = line.split(' ');
      balances.set(`${number} ${currency}`, `${available} ${reserved}`);
    }
    for (const [key, balance] of balances) {
      const [number, currency] = key.split(' ');
      assert.equal(this.floor.balance(Number(number), currency), balance);
    }
  }

  /** The orders in a book never cross each other. */
  #checkBooks(): void {
    let resting = 0;
    for (const book of this.floor.exchange.books) {
      const [bids, asks] = book.sides;
      const bid = bids.best() < 0 ? -Infinity : bids.key(bids.best());
      const ask = asks.best() < 0 ? Infinity : -asks.key(asks.best());
      assert.ok(bid < ask, 'the book is crossed');
      resting += bids.count + asks.count;
    }
    assert.equal(resting, this.naive.resting.length);
  }

  /** What the owner of the exchange sets. */
  #rule(action: Ruling): void {
    const { exchange } = this.floor;
    const { naive } = this;
    switch (action.kind) {
      case 'status':
        exchange.statuses.set(action.symbol, action.status);
        if (action.status === 'working') naive.closed.delete(action.symbol);
        else naive.closed.add(action.symbol);
        return;
      case 'fees': {
        const { symbol, rates } = action;
        const number = this.accounts[action.account];
        const key = `${number} ${symbol}`;
        if (rates === undefined) {
          exchange.fees.set(number, symbol);
          naive.accountRates.delete(key);
          return;
        }
        const { take, make } = rates;
        exchange.fees.set(number, symbol, { takeRate: decimal(take), makeRate: decimal(make) });
        naive.accountRates.set(key, { take: new Exact(take), make: new Exact(make) });
        return;
      }
      case 'selfMatch': {
        const number = this.accounts[action.account];
        exchange.selfMatch.set(number, action.mode);
        if (action.mode === undefined) naive.modes.delete(number);
        else naive.modes.set(number, action.mode);
        return;
      }
    }
  }

  #both(action: Step | Ruling): [ReturnType<Floor['place']>, string | undefined] {
    const { floor, naive } = this;
    switch (action.kind) {
      case 'status':
      case 'fees':
      case 'selfMatch':
        this.#rule(action);
        return [undefined, undefined];
      case 'limit':
      case 'stop':
      case 'market': {
        const number = this.accounts[action.account];
        const order: Order = {
          symbol: action.symbol,
          side: action.side,
          lots: action.lots,
          ...this.#kindOf(action),
          ...(action.takeRate === undefined ? {} : { takeRate: action.takeRate }),
          ...(action.makeRate === undefined ? {} : { makeRate: action.makeRate }),
        };
        const name = `o${(this.#names += 1)}`;
        return [floor.place(number, name, order), naive.place(number, name, order)];
      }
      case 'list': {
        const number = this.accounts[action.account];
        const orders = shaped(action.type, action.parts, this.floor.at).map(
          (order) => [`o${(this.#names += 1)}`, order] as const,
        );
        this.#list = { type: action.type, names: orders.map(([name]) => name) };
        return [
          floor.placeList(number, action.type, orders),
          naive.placeList(number, action.type, orders),
        ];
      }
      case 'cancel': {
        const number = this.accounts[action.account];
        const name = this.#picked(number, action.pick);
        return [floor.cancel(number, name), naive.cancel(number, name)];
      }
      case 'replace': {
        const number = this.accounts[action.account];
        const name = this.#picked(number, action.pick);
        const newName = `o${(this.#names += 1)}`;
        const change = {
          ticks: action.ticks,
          lots: action.lots,
          stop: action.stop,
        };
        const rejection = floor.replace(number, name, newName, change);
        if (floor.log.some((line) => line.startsWith('replaced'))) {
          this.#invariants.replaced(name, newName);
        }
        return [rejection, naive.replace(number, name, newName, change)];
      }
      default:
        this.#tape(action);
        return [undefined, undefined];
    }
  }

  #tape(
    action: Exclude<Step, { kind: 'limit' | 'stop' | 'market' | 'list' | 'cancel' | 'replace' }>,
  ): void {
    const { floor, naive } = this;
    switch (action.kind) {
      case 'trade':
        floor.trade(action.side, action.ticks, action.lots, indexOf(action.symbol));
        naive.trade(action.side, action.ticks, action.lots, action.symbol);
        return;
      case 'depth':
      case 'snapshot': {
        const number = this.#number(action.sequence);
        floor[action.kind](action.levels, number, indexOf(action.symbol));
        naive[action.kind](action.levels, number, action.symbol);
        return;
      }
      case 'quote': {
        const number = this.#number(action.sequence);
        const ask = [action.bid[0] + action.spread, action.askLots] as const;
        floor.quote(action.bid, ask, number);
        naive.quote(action.bid, ask, number);
        return;
      }
      case 'wait':
        this.#wait(action.us);
        return;
      case 'twice':
        this.#twice(action);
        return;
      case 'gap':
        floor.gap();
        naive.gap();
        return;
      case 'candle': {
        const [open, close, a, b] = action.prices;
        const high = Math.max(open, close, a, b);
        const low = Math.min(open, close, a, b);
        floor.candle(open, high, low, close, action.lots, action.periodUs);
        naive.candle(open, high, low, close, action.lots, action.periodUs);
        return;
      }
    }
  }

  #wait(us: number): void {
    this.floor.pass(us);
    this.naive.advance(this.floor.at);
  }

  /** A trade takes lots of the best level, or all of it and goes on for as many at the next price. */
  #twice(action: Extract<Step, { kind: 'twice' }>): void {
    const { side } = action;
    const symbol = 'BTCUSDT';
    const best = this.naive.shown(side);
    if (best === undefined) return;
    const left = Math.max(0, best.lots - action.lots);
    const print = (): void => {
      this.#tape({
        kind: 'trade',
        symbol,
        side: side === 'buy' ? 'sell' : 'buy',
        ticks: best.ticks,
        lots: best.lots - left,
      });
    };
    const display = (): void => {
      const name = side === 'buy' ? 'bid' : 'ask';
      const rest = this.naive.shown(side === 'buy' ? 'sell' : 'buy');
      if (action.by !== 'quote' || rest === undefined) {
        const kind = action.by === 'snapshot' ? 'snapshot' : 'depth';
        this.#tape({ kind, symbol, levels: [[name, best.ticks, left]], sequence: 0 });
        return;
      }
      const beyond = side === 'buy' ? best.ticks - 1 : best.ticks + 1;
      const own = left > 0 ? ([best.ticks, left] as const) : ([beyond, 3] as const);
      const other = [rest.ticks, rest.lots] as const;
      const [bid, ask] = side === 'buy' ? [own, other] : [other, own];
      this.floor.quote(bid, ask);
      this.naive.quote(bid, ask, 0);
    };
    const [first, second] = action.displayFirst ? [display, print] : [print, display];
    first();
    this.#wait(action.us);
    second();
  }

  /** What tells the kinds of orders from each other. */
  #kindOf(action: Step & { kind: 'limit' | 'stop' | 'market' }): Partial<Order> {
    if (action.kind === 'market') return { timeInForce: action.life };
    const { ticks } = action;
    const life: Partial<Order> =
      action.life === 'postOnly'
        ? { postOnly: true }
        : action.life === 'GTD'
          ? { timeInForce: 'GTD', expireAt: this.floor.at + 40 }
          : { timeInForce: action.life };
    if (action.kind === 'limit') return { ticks, ...life };
    const { type, stop } = action;
    if (type === 'stopLimit' || type === 'takeProfitLimit') return { type, stop, ticks, ...life };
    return action.life === 'postOnly' ? { type, stop } : { type, stop, ...life };
  }

  /** An active order of the account where there is one, else a name that may be dead or unknown. */
  #picked(account: number, pick: number): string {
    const own = this.naive.orders.filter((r) => r.account === account);
    return own.length > 0 && pick > 2 ? own[pick % own.length].name : `o${pick}`;
  }

  /** 0 for none, else a number near the ones before, sometimes not newer. */
  #number(change: number): number {
    if (change === 0) return 0;
    this.#sequence += change;
    return this.#sequence;
  }
}

const indexOf = (name: string): number => (name === 'BTCUSDT' ? 0 : 1);

/** A history of an exchange: with which terms and rules, and what happens. */
export const history = fc.tuple(
  fc.constantFrom(...VARIANTS),
  fc.array(fc.oneof({ weight: 24, arbitrary: step }, { weight: 1, arbitrary: ruling }), {
    maxLength: 60,
    size: 'max',
  }),
);

/**
 * Plays a history on both, and throws where they differ or something is not as it must be. Half of
 * the exchanges share the recorded books with others, who take the rows in.
 */
export function play([variant, steps]: readonly [Variant, readonly (Step | Ruling)[]]): void {
  const pair = new Pair(variant, steps.length % 2 === 1);
  for (const action of steps) pair.step(action);
}
