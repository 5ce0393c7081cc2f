import fc from 'fast-check';
import assert from 'node:assert/strict';
import { expect, test, vi } from 'vitest';
import { BookSide } from '../../src/exchange/book/book.ts';
import { OrderIndex } from '../../src/exchange/orders/order-index.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { Floor, TERMS, type Order } from './kit.ts';
import { MarginFloor } from './margin/kit.ts';
import { VARIANTS, type Variant } from './pair.ts';
import { Exact } from './naive/decimal.ts';
import { runs, seed } from '../kit/size.ts';

const HISTORIES = runs(400);

const ticks = fc.integer({ min: 96, max: 104 });
const lots = fc.integer({ min: 1, max: 9 });
const account = fc.nat({ max: 2 });
const side = fc.constantFrom('buy', 'sell');

/** What happens on a market that no tape shows: mostly plain orders, some that are not, and their ends. */
const action = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('place'),
      account,
      order: fc.record({ side, lots, ticks, timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC') }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('place'),
      account,
      order: fc.record({ side, lots, timeInForce: fc.constant('IOC') }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('place'),
      account,
      order: fc.record({ side, lots, ticks, stop: ticks, type: fc.constant('stopLimit') }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('place'),
      account,
      order: fc.record({ side, lots: fc.constant(2 ** 50), ticks }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('cancel'), account, pick: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again'), account, pick: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fees'),
      account,
      makeRate: fc.constantFrom(undefined, '0.004', '-0.0003'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait'), us: fc.integer({ min: 1, max: 4e7 }) }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/**
 * A floor with accounts that act and one that only has a list of orders on another symbol, and may not
 * trade with itself. While it has, and for who asks for the rate that all pay, there is no short way.
 */
class World {
  readonly floor: Floor;
  readonly #accounts: readonly number[];
  readonly #bystander: number;
  readonly #rates: { readonly makeRate?: string };
  readonly #unusual = new Set<number>();
  /** Names that each account gave to orders, the latest first. */
  readonly #placed: ReadonlyMap<number, string[]>;
  #names = 0;

  constructor({ terms: change, funds }: Variant, isShort: boolean) {
    const terms = { ...TERMS, ...change };
    const other = { ...terms, symbol: 'ETHUSDT', baseCurrency: 'ETH', feeCurrency: 'USDT' };
    this.floor = new Floor([new Instrument(terms), new Instrument(other)]);
    const base = new Exact(terms.quantityIncrement).times(25).toFixed();
    const balances = { USDT: new Exact(funds).toFixed(), BTC: base, ETH: base };
    this.#accounts = [0, 1, 2].map(() => this.floor.account(balances));
    this.#placed = new Map(this.#accounts.map((number) => [number, []]));
    this.#bystander = this.floor.account(balances);
    const leg = { symbol: 'ETHUSDT', side: 'sell', lots: 1 } as const;
    const rejection = this.floor.placeList(this.#bystander, 'oneCancelOther', [
      ['leg1', { ...leg, ticks: 300 }],
      ['leg2', { ...leg, ticks: 90, stop: 90, type: 'stopLimit' }],
    ]);
    assert.equal(rejection, undefined);
    this.floor.exchange.selfMatch.set(this.#bystander, 'expireTaker');
    this.#rates = isShort ? {} : { makeRate: terms.makeRate };
    if (isShort) {
      this.floor.cancel(this.#bystander, 'leg1');
      this.floor.exchange.selfMatch.set(this.#bystander);
    }
    this.floor.reported();
  }

  /** Does it, and gives how it was refused and all that was told. */
  act(one: Action): unknown {
    const rejection = this.#done(one);
    return [rejection?.code, rejection?.message, this.floor.reported()];
  }

  /** Every balance of those who act, of the house, and the numbers given so far. */
  state(): unknown {
    const { ledger, orders } = this.floor.exchange;
    const rows = [0, 1, 2, 3, ...this.#accounts];
    return [
      ledger.balances.map((budget) => rows.map((row) => [0, 1].map((p) => budget.units(row, p)))),
      orders.issued,
    ];
  }

  #done(one: Action): Rejection | undefined {
    if (one.kind === 'wait') {
      this.floor.pass(one.us);
      return undefined;
    }
    const number = this.#accounts[one.account];
    if (one.kind === 'fees') {
      this.#setFees(number, one.makeRate);
      return undefined;
    }
    // Who pays by a tariff of his own goes the long way, and may still be whom a short one meets.
    const rates = this.#unusual.has(number) ? {} : this.#rates;
    if (one.kind === 'place') {
      const order: Order = { ...one.order, ...rates };
      const name = `o${(this.#names += 1)}`;
      this.#placed.get(number)?.unshift(name);
      return this.floor.place(number, name, order);
    }
    const name = `o${1 + (one.pick % (this.#names + 1))}`;
    if (one.kind === 'cancel') {
      // Mostly one of its latest, which may well rest.
      const own = this.#placed.get(number) ?? [];
      return this.floor.cancel(number, own[one.pick % 8] ?? name);
    }
    return this.floor.place(number, name, { side: 'buy', lots: 1, ticks: 97, ...rates });
  }

  #setFees(account: number, makeRate: string | undefined): void {
    const { fees } = this.floor.exchange;
    if (makeRate === undefined) {
      fees.set(account, 'BTCUSDT');
      this.#unusual.delete(account);
    } else {
      fees.set(account, 'BTCUSDT', { takeRate: decimal('0.005'), makeRate: decimal(makeRate) });
      this.#unusual.add(account);
    }
  }
}

test('a plain order on the fast path is reported, settled and rejected like one on the general path', () => {
  let filled = 0;
  // What nothing calls but the fast path, once it has taken an order or a cancel, and its matching.
  const placed = vi.spyOn(OrderIndex.prototype, 'openPlain');
  const canceled = vi.spyOn(OrderIndex.prototype, 'clearAway');
  const crossed = vi.spyOn(BookSide.prototype, 'shrinkFirst');
  fc.assert(
    fc.property(
      fc.constantFrom(...VARIANTS),
      fc.array(action, { minLength: 1, maxLength: 60, size: 'max' }),
      (variant, actions) => {
        const short = new World(variant, true);
        const long = new World(variant, false);
        for (const one of actions) {
          const reported = short.act(one);
          assert.deepEqual(reported, long.act(one));
          if (JSON.stringify(reported).includes('taker filled')) filled += 1;
        }
        assert.deepEqual(short.state(), long.state());
      },
    ),
    { numRuns: HISTORIES, seed: seed(5) },
  );
  // Else both went the long way, and nothing was compared.
  expect(filled).toBeGreaterThan(HISTORIES);
  expect(placed.mock.calls.length).toBeGreaterThan(5 * HISTORIES);
  expect(canceled.mock.calls.length).toBeGreaterThan(HISTORIES / 2);
  expect(crossed.mock.calls.length).toBeGreaterThan(HISTORIES);
  vi.restoreAllMocks();
}, 120_000);

test('a taker on the short way that comes to a margin order goes on the long way, and pays for all', () => {
  const floor = new MarginFloor();
  const spot = floor.account({ BTC: '10' });
  const margin = floor.account({ USDT: '5000' });
  const taker = floor.account({ USDT: '1000' });
  floor.set(margin, '1000');
  floor.place(spot, 'spot1', { margin: false, side: 'sell', lots: 2, ticks: 100 });
  floor.place(margin, 'margin', { side: 'sell', lots: 3, ticks: 100 });
  floor.place(spot, 'spot2', { margin: false, side: 'sell', lots: 4, ticks: 101 });
  floor.log.length = 0;
  const order = { margin: false, side: 'buy', lots: 8, ticks: 101 } as const;
  expect(floor.place(taker, 'taker', order)).toBeUndefined();
  expect(floor.log.filter((line) => /^(new|trade)/.test(line))).toEqual([
    'new taker--- 0/8',
    ...['trade spot1--- sell 2@100', 'trade taker--- buy 2@100'],
    ...['trade margin-- sell 3@100', 'trade taker--- buy 3@100'],
    ...['trade spot2--- sell 3@101', 'trade taker--- buy 3@101'],
  ]);
  // 2 × 100 + 3 × 100 + 3 × 101 = 803, and 0.1% of it.
  const has = (account: number, currency: string): string[] =>
    Object.values(floor.exchange.balance(account, currency)).map((amount) => amount.toFixed());
  expect(has(taker, 'USDT')).toEqual(['196.197', '0']);
  expect(has(taker, 'BTC')).toEqual(['8', '0']);
  expect(has(spot, 'USDT')).toEqual(['503', '0']);
  expect(has(spot, 'BTC')).toEqual(['4', '1']);
});
