import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUSE, TAPE } from '../../src/exchange/ledger.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import { Floor, TERMS, type Order } from './kit.ts';
import { NaiveExchange } from './naive.ts';
import { shaped } from './random-lists.ts';
import { step, type Step } from './random-steps.ts';

const VARIANTS: readonly (Partial<InstrumentTerms> & { readonly funds: string })[] = [
  { funds: '5000' },
  { makeRate: '-0.0005', funds: '1200' },
  { takeRate: '-0.0001', makeRate: '-0.0005', funds: '1000' },
  { feeCurrency: 'BTC', funds: '1500' },
  { feeCurrency: 'BTC', makeRate: '-0.0001', funds: '5000' },
  { tickSize: '0.25', quantityIncrement: '0.05', takeRate: '0.00075', funds: '20' },
  // One tick and lot is 1e-36 of a quote, and a fee rate divides that by 1e18 once more.
  {
    tickSize: '0.000000000000000001',
    quantityIncrement: '0.000000000000000001',
    takeRate: '0.000000000000000001',
    funds: '0.000000000000000000000000000000005',
  },
  // Large numbers of large units.
  { tickSize: '1000000000000000', quantityIncrement: '1000000000000000', funds: '5e33' },
];

/** The exchange and the naive one beside each other. */
class Pair {
  readonly floor: Floor;
  readonly naive: NaiveExchange;
  readonly accounts: readonly number[];
  readonly #deposits: ReadonlyMap<string, Decimal>;
  #sequence = 10;
  #names = 0;

  constructor(variant: (typeof VARIANTS)[number]) {
    const { funds, ...change } = variant;
    const terms = { ...TERMS, ...change };
    // Bought with the base currency of the other, at about one lot of it for one of its own.
    const second: InstrumentTerms = {
      ...terms,
      symbol: 'ETHBTC',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      feeCurrency: 'BTC',
      tickSize: new Decimal(terms.quantityIncrement).div(100).toFixed(),
      quantityIncrement: '1',
    };
    this.floor = new Floor([new Instrument(terms), new Instrument(second)]);
    this.naive = new NaiveExchange([terms, second]);
    const base = new Decimal(terms.quantityIncrement).times(25).toFixed();
    const quote = new Decimal(funds).toFixed();
    this.accounts = [0, 1, 2].map(() => this.floor.account({ USDT: quote, BTC: base, ETH: '25' }));
    for (const number of this.accounts) {
      this.naive.money.add(number, 'USDT', new Decimal(quote));
      this.naive.money.add(number, 'BTC', new Decimal(base));
      this.naive.money.add(number, 'ETH', new Decimal(25));
    }
    this.#deposits = new Map([
      ['USDT', new Decimal(quote).times(3)],
      ['BTC', new Decimal(base).times(3)],
      ['ETH', new Decimal(75)],
    ]);
  }

  /** Does a step on both and compares all that they tell. */
  step(action: Step): void {
    const [given, expected] = this.#both(action);
    expect(given?.code).toBe(expected);
    const told = this.floor.told();
    expect(told.filter((line) => !line.startsWith('balance'))).toEqual(this.naive.events.splice(0));
    for (const number of this.accounts) {
      for (const currency of ['USDT', 'BTC', 'ETH']) {
        const { available, reserved } = this.floor.exchange.balance(number, currency);
        expect(available.toFixed()).toBe(this.naive.available(number, currency).toFixed());
        expect(reserved.toFixed()).toBe(this.naive.reserved(number, currency).toFixed());
      }
    }
    this.#invariants(told);
  }

  /** What holds after every step, whatever the rules. */
  #invariants(told: readonly string[]): void {
    const { ledger } = this.floor.exchange;
    ledger.purses.forEach((purse, currency) => {
      let sum = new Decimal(0);
      for (const account of [HOUSE, TAPE, ...this.accounts]) {
        sum = sum
          .plus(ledger.available(account, currency))
          .plus(ledger.reserved(account, currency));
      }
      expect(sum.toFixed()).toBe(this.#deposits.get(purse.currency)?.toFixed());
      for (const account of this.accounts) {
        expect(ledger.available(account, currency).isNegative()).toBe(false);
        expect(ledger.reserved(account, currency).isNegative()).toBe(false);
      }
    });
    let resting = 0;
    for (const book of this.floor.exchange.books) {
      const [bids, asks] = book.sides;
      const bid = bids.best() < 0 ? -Infinity : bids.key[bids.best()];
      const ask = asks.best() < 0 ? Infinity : -asks.key[asks.best()];
      expect(bid).toBeLessThan(ask);
      resting += bids.count + asks.count;
    }
    expect(resting).toBe(this.naive.resting.length);
    // A step of two market events tells a balance twice; the last one holds.
    const balances = new Map<string, string>();
    for (const line of told.filter((l) => l.startsWith('balance'))) {
      const [, number, currency, available, reserved] = line.split(' ');
      balances.set(`${number} ${currency}`, `${available} ${reserved}`);
    }
    for (const [key, balance] of balances) {
      const [number, currency] = key.split(' ');
      expect(this.floor.balance(Number(number), currency)).toBe(balance);
    }
  }

  #both(action: Step): [ReturnType<Floor['place']>, string | undefined] {
    const { floor, naive } = this;
    switch (action.kind) {
      case 'limit':
      case 'stop':
      case 'market': {
        const number = this.accounts[action.account];
        const order: Order = {
          symbol: action.symbol,
          side: action.side,
          lots: action.lots,
          ...this.#kindOf(action),
        };
        const name = `o${(this.#names += 1)}`;
        return [floor.place(number, name, order), naive.place(number, name, order)];
      }
      case 'list': {
        const number = this.accounts[action.account];
        const orders = shaped(action.type, action.parts, this.floor.at).map(
          (order) => [`o${(this.#names += 1)}`, order] as const,
        );
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
          ...(action.ticks === undefined ? {} : { ticks: action.ticks }),
          ...(action.lots === undefined ? {} : { lots: action.lots }),
          ...(action.stop === undefined ? {} : { stop: action.stop }),
        };
        return [
          floor.replace(number, name, newName, change),
          naive.replace(number, name, newName, change),
        ];
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

test('does, step by step, what a slow and obvious exchange does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...VARIANTS),
      fc.array(step, { maxLength: 60, size: 'max' }),
      (variant, steps) => {
        const pair = new Pair(variant);
        for (const action of steps) pair.step(action);
      },
    ),
    { numRuns: Number(process.env['MILLRACE_RUNS'] ?? 150) },
  );
});
