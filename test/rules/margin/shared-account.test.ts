import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { Side } from '../../../src/model/order.ts';
import type { Fill } from '../../../src/model/report.ts';
import { lots as asLots, ticks as asTicks, type Lots } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { fundingPayment } from '../../../src/rules/margin/funding.ts';
import { closedPart, positionAfterFill } from '../../../src/rules/margin/position-fill.ts';
import { unrealizedPnl } from '../../../src/rules/margin/position-value.ts';
import { positionReserve } from '../../../src/rules/margin/reserve.ts';
import {
  cashOf,
  filledShare,
  lotsAt,
  NO_PARTS,
  sharedReport,
  shareOf,
  withShare,
  type SharedParts,
} from '../../../src/rules/margin/shared-account.ts';
import { splitAmount, splitLots } from '../../../src/rules/margin/split.ts';
import { perpetual } from '../../exchange/margin/kit.ts';

/** Ticks of 1, lots of 0.001: the figures of the worked example. */
const PERP = perpetual({ tickSize: '1', quantityIncrement: '0.001', takeRate: '0.0005' });
const { symbol } = PERP;
const AT = micros(1_000);

const OPEN: MarginAccountState = {
  mode: 'cross',
  isContract: true,
  currency: 'USDT',
  isOpen: true,
  leverage: decimal('10'),
  balance: ZERO,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions: [],
};

/** A venue with one netted account, which its strategies share; it does all with exact decimals. */
class Shared {
  account = OPEN;
  parts: SharedParts = NO_PARTS;
  #id = 0;

  report(more: Partial<MarginAccountReport>, asker?: string) {
    const report: MarginAccountReport = {
      kind: 'marginAccount',
      at: AT,
      reason: 'updated',
      account: this.account,
      ...more,
    };
    const sharing = { requester: asker, instrument: () => PERP };
    const { parts, events } = sharedReport(this.parts, report, sharing);
    this.parts = parts;
    return events;
  }

  bring(amount: Decimal, strategy?: string): void {
    this.account = { ...this.account, balance: this.account.balance.plus(amount) };
    this.report({ reason: 'marginChanged' }, strategy);
  }

  fill(strategy: string, side: Side, size: number, price: number, fee: Decimal): void {
    const fill: Fill = {
      id: (this.#id += 1),
      clientOrderId: `${strategy}-1`,
      symbol,
      side,
      at: AT,
      ticks: asTicks(price),
      lots: asLots(size),
      fee: Amount.of(fee),
      feeCurrency: 'USDT',
      taker: true,
      margin: 'cross',
    };
    const share = filledShare(shareOf(this.parts, strategy, this.account), PERP, fill);
    this.parts = withShare(this.parts, share);
    const newId = (): number => fill.id;
    const { open, pnl } = positionAfterFill(this.position, PERP, fill, { fee, newId });
    this.#put(open, pnl.minus(fee));
    this.report({ reason: 'openTrade', position: open });
  }

  get position(): VenuePosition | undefined {
    return this.account.positions[0];
  }

  funding(mark: number, rate: Decimal, isReported = true): void {
    const lots = this.position?.lots ?? 0;
    const price = new Decimal(mark);
    const amount = fundingPayment(PERP.size(lots as Lots), price, rate);
    this.#put(this.position, amount);
    const carry = { kind: 'funding' as const, amount, ...(isReported ? { price, rate } : {}) };
    this.report({ carry, position: this.position ?? none() });
  }

  interest(amount: Decimal): void {
    this.#put(this.position, amount.negated());
    this.report({ carry: { kind: 'interest', amount: amount.negated() }, position: this.position });
  }

  /** The venue closes lots of the net position. */
  force(size: number, price: number, fee: Decimal) {
    const held = this.position;
    if (held === undefined) return [];
    const side = held.lots > 0 ? 'sell' : 'buy';
    const { pnl, rest } = closedPart(held, PERP, size, PERP.value(asTicks(price), asLots(size)));
    const after = { ...held, ...rest };
    this.#put(after.lots === 0 ? undefined : after, pnl.minus(fee));
    const forced = { id: 1, side, ticks: asTicks(price), lots: asLots(size), fee } as const;
    return this.report({ reason: 'liquidated', end: 'liquidated', position: after, forced });
  }

  of(strategy: string): MarginAccountState {
    return shareOf(this.parts, strategy, this.account).state;
  }

  held(strategy: string): number {
    return lotsAt(this.of(strategy), symbol);
  }

  balance(strategy: string): string {
    return this.of(strategy).balance.toFixed();
  }

  #put(position: VenuePosition | undefined, change: Decimal): void {
    const balance = this.account.balance.plus(change);
    this.account = { ...this.account, balance, positions: position ? [position] : [] };
  }
}

const none = (): VenuePosition => ({
  id: 0,
  symbol,
  lots: 0,
  entryPrice: ZERO,
  entryValue: ZERO,
  realizedPnl: ZERO,
  fees: ZERO,
  carry: ZERO,
  createdAt: AT,
  updatedAt: AT,
});

/** What a part has beyond what its position holds at a mark price, before open orders. */
function free(state: MarginAccountState, mark: number): string {
  const rate = decimal('0.0005');
  const leverage = decimal('10');
  return state.positions
    .reduce((left, { lots, entryValue: value }) => {
      const quantity = PERP.size(lots as Lots);
      const loss = unrealizedPnl({ quantity, value }, new Decimal(mark)).negated();
      return left.minus(positionReserve({ value, leverage, rate, loss }));
    }, state.balance)
    .toFixed();
}

/** An account of 1,000: A and B brought 400 each, and 200 are nobody's. */
function opened(): Shared {
  const shared = new Shared();
  shared.bring(decimal('200'));
  shared.bring(decimal('400'), 'A');
  shared.bring(decimal('400'), 'B');
  return shared;
}

describe('the worked figures', () => {
  test('each strategy holds for its own position, though the account is flat and holds nothing', () => {
    const shared = opened();
    shared.fill('A', 'sell', 100, 20_000, decimal('1'));
    expect(free(shared.of('A'), 20_000)).toBe('197.9');
    shared.fill('B', 'buy', 100, 20_000, decimal('1'));
    expect(shared.account.positions).toEqual([]);
    expect(shared.account.balance.toFixed()).toBe('998');
    expect([free(shared.of('A'), 20_000), free(shared.of('B'), 20_000)]).toEqual([
      '197.9',
      '197.9',
    ]);
    // At 21,000 A's loss is held, and B's gain raises nothing until it is realized.
    expect([free(shared.of('A'), 21_000), free(shared.of('B'), 21_000)]).toEqual([
      '97.85',
      '197.9',
    ]);
    expect(shared.parts.foreign).toEqual({ cash: decimal('200'), lots: {} });
  });

  test('B may leave at any time, and the short of A is still covered', () => {
    const shared = opened();
    shared.fill('A', 'sell', 100, 20_000, decimal('1'));
    shared.fill('B', 'buy', 100, 20_000, decimal('1'));
    shared.fill('B', 'sell', 100, 21_000, decimal('1.05'));
    expect(shared.balance('B')).toBe('497.95');
    shared.bring(decimal('-497.95'), 'B');
    expect(shared.of('B').isOpen).toBe(false);
    // What is left bears the short: 599 of funds less the loss of 100, which the account has realized.
    const [held] = shared.account.positions;
    expect(shared.account.balance.toFixed()).toBe('499');
    expect([held?.lots, held?.entryValue.toFixed()]).toEqual([-100, '2100']);
    expect(free(shared.of('A'), 21_000)).toBe('97.85');
  });

  test('funding is linear: A receives 0.20 and B pays it, and the account nothing', () => {
    const shared = opened();
    shared.fill('A', 'sell', 100, 20_000, decimal('1'));
    shared.fill('B', 'buy', 100, 20_000, decimal('1'));
    shared.funding(20_000, decimal('0.0001'));
    expect([shared.balance('A'), shared.balance('B')]).toEqual(['399.2', '398.8']);
    expect(shared.account.balance.toFixed()).toBe('998');
  });

  test.each([true, false])(
    'of −0.2 and −0.1 two thirds and one third are paid (rate known: %s)',
    (isReported) => {
      const shared = opened();
      shared.fill('A', 'sell', 200, 20_000, decimal('2'));
      shared.fill('B', 'sell', 100, 20_000, decimal('1'));
      shared.funding(20_000, decimal('0.0001'), isReported);
      expect([shared.balance('A'), shared.balance('B')]).toEqual(['398.4', '399.2']);
    },
  );

  test('of a liquidation of −0.2 and −0.1 two thirds and one third of the fees, and results by the own entries', () => {
    const shared = opened();
    shared.fill('A', 'sell', 200, 20_000, decimal('2'));
    shared.fill('B', 'sell', 100, 19_000, decimal('0.95'));
    const events = shared.force(300, 21_000, decimal('33'));
    expect(events.map(({ strategy, forced }) => [strategy, forced?.lots])).toEqual([['A', 0], ['B', 0]]); // prettier-ignore
    // A: 398 − 22 of fees − 200; B: 399.05 − 11 − 200.
    expect([shared.balance('A'), shared.balance('B')]).toEqual(['176', '188.05']);
    expect(events.map(({ forced }) => forced?.realizedPnl.toFixed())).toEqual(['-200', '-200']);
    expect(events.map(({ forced }) => forced?.fees.toFixed())).toEqual(['24', '11.95']);
  });

  test('a forced close takes of the side of the net position alone', () => {
    const shared = opened();
    shared.fill('A', 'sell', 200, 20_000, ZERO);
    shared.fill('B', 'buy', 50, 20_000, ZERO);
    shared.force(150, 21_000, decimal('15'));
    expect([shared.held('A'), shared.held('B')]).toEqual([-50, 50]);
    expect([shared.balance('A'), shared.balance('B')]).toEqual(['235', '400']);
    expect(shared.account.positions).toEqual([]);
  });

  test('interest is shared by the lots on the side of the net position', () => {
    const shared = opened();
    shared.fill('A', 'buy', 200, 20_000, ZERO);
    shared.fill('B', 'sell', 50, 20_000, ZERO);
    shared.fill('C', 'buy', 100, 20_000, ZERO);
    shared.interest(decimal('0.3'));
    expect(['A', 'B', 'C'].map((one) => shared.balance(one))).toEqual(['399.8', '400', '-0.1']);
  });

  test('losses of a strategy beyond its funds are paid by unowned funds first and then by the others in proportion', () => {
    const shared = opened();
    shared.bring(decimal('100'), 'C');
    shared.fill('A', 'buy', 1_000, 20_000, ZERO);
    shared.force(1_000, 19_150, ZERO);
    // A lost 850 of its 400: 200 are nobody's, and of 250 B bears four fifths.
    expect(['A', 'B', 'C'].map((one) => shared.balance(one))).toEqual(['0', '200', '50']);
    expect(shared.account.balance.toFixed()).toBe('250');
    expect(shared.parts.foreign.cash.toFixed()).toBe('0');
  });

  test("what somebody else trades and brings is nobody's", () => {
    const shared = opened();
    shared.fill('A', 'buy', 100, 20_000, ZERO);
    const held = shared.position ?? none();
    const more = { ...held, lots: 300, entryValue: held.entryValue.times(3) };
    shared.account = { ...shared.account, positions: [more] };
    shared.report({ reason: 'openTrade', position: more, byOthers: true });
    expect(shared.parts.foreign.lots).toEqual({ [symbol]: 200 });
    expect(shared.held('A')).toBe(100);
    shared.force(300, 20_000, decimal('30'));
    // A has a third of the lots, and pays a third of the fees.
    expect([shared.held('A'), shared.balance('A')]).toEqual([0, '390']);
  });
});

describe('parts of whole lots and of amounts', () => {
  test('add up to the whole, and none is more than is held', () => {
    const held = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(held, fc.nat(100), fc.integer(), (weights, percent, units) => {
        const all = weights.reduce((sum, one) => sum + one, 0);
        const lots = Math.floor((all * percent) / 100);
        const parts = splitLots(lots, weights);
        expect(parts.reduce((sum, one) => sum + one, 0)).toBe(lots);
        parts.forEach((part, index) => {
          const weight = weights[index] ?? 0;
          expect(part).toBeLessThanOrEqual(weight);
          expect(Math.abs(part - (lots * weight) / Math.max(1, all))).toBeLessThan(1);
        });
        if (all === 0) return;
        const amount = new Decimal(units).div(1_000);
        expect(Decimal.sum(...splitAmount(amount, weights))).toEqual(amount);
      }),
    );
  });
});

const NAMES = ['A', 'B', 'C'] as const;
const strategy = fc.constantFrom(...NAMES);
const price = fc.integer({ min: 15_000, max: 25_000 });
const cents = (max: number) => fc.integer({ min: 0, max }).map((one) => new Decimal(one).div(100));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('fill' as const), strategy, side: fc.constantFrom<Side>('buy', 'sell'), size: fc.integer({ min: 1, max: 400 }), price, fee: cents(300) }) }, // prettier-ignore
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('funding' as const), price, rate: fc.integer({ min: -9, max: 9 }).map((one) => new Decimal(one).div(70_000)), isReported: fc.boolean() }) }, // prettier-ignore
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('interest' as const), amount: cents(500) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bring' as const), strategy, amount: cents(50_000) }) }, // prettier-ignore
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('force' as const), percent: fc.integer({ min: 1, max: 100 }), price, fee: cents(3_000) }) }, // prettier-ignore
);

/** What each strategy has, by its own trades alone: lots and cash as plain sums. */
class Naive {
  readonly cash = new Map<string, Decimal>(NAMES.map((name) => [name, ZERO]));
  readonly lots = new Map<string, number>(NAMES.map((name) => [name, 0]));

  add(name: string, lots: number, cash: Decimal): void {
    this.lots.set(name, (this.lots.get(name) ?? 0) + lots);
    this.cash.set(name, (this.cash.get(name) ?? ZERO).plus(cash));
  }
}

test('whatever happens, the parts are the account to the last digit, and each is what its own trades made', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), price, (steps, mark) => {
      const shared = new Shared();
      const naive = new Naive();
      for (const one of steps) {
        const before = new Map(NAMES.map((name) => [name, shared.of(name)]));
        if (one.kind === 'bring') {
          shared.bring(one.amount, one.strategy);
          naive.add(one.strategy, 0, one.amount);
        } else if (one.kind === 'fill') {
          const { side, size, fee } = one;
          shared.fill(one.strategy, side, size, one.price, fee);
          const signed = side === 'buy' ? size : -size;
          const cost = new Decimal(one.price).times(signed).div(1_000);
          naive.add(one.strategy, signed, cost.negated().minus(fee));
        } else if (one.kind === 'funding') {
          shared.funding(one.price, one.rate, one.isReported);
          const isShared = one.isReported || shared.position !== undefined;
          for (const name of NAMES) {
            const lots = naive.lots.get(name) ?? 0;
            const paid = new Decimal(one.price).times(lots).div(1_000).times(one.rate).negated();
            naive.add(name, 0, isShared ? paid : ZERO);
          }
        } else if (one.kind === 'interest') {
          if (shared.position === undefined) continue;
          shared.interest(one.amount);
          addShared(naive, shared, one.amount.negated());
        } else {
          const held = shared.position?.lots ?? 0;
          const size = Math.ceil((Math.abs(held) * one.percent) / 100);
          if (size === 0) continue;
          shared.force(size, one.price, one.fee);
          addForced(naive, { before, shared, size, held }, one);
        }
        // Deficits are borne by the others: the sums stay, whoever bears them.
        expect(shared.parts.foreign).toEqual({ cash: ZERO, lots: {} });
        const states = NAMES.map((name) => shared.of(name));
        expect(states.reduce((sum, state) => sum + lotsAt(state, symbol), 0)).toBe(shared.position?.lots ?? 0); // prettier-ignore
        expect(Decimal.sum(...states.map(cashOf))).toEqual(cashOf(shared.account));
        expect(Decimal.sum(...states.map((state) => equity(state, mark)))).toEqual(equity(shared.account, mark)); // prettier-ignore
        const isBorne = hasDeficit(naive);
        for (const name of NAMES) {
          expect(lotsAt(shared.of(name), symbol)).toBe(naive.lots.get(name));
          const cash = cashOf(shared.of(name));
          const apart = cash.minus(naive.cash.get(name) ?? ZERO).abs();
          if (isBorne) naive.cash.set(name, cash);
          else expect(apart.lessThan('0.000001')).toBe(true);
        }
      }
    }),
  );
});

/** True where a strategy without a position has less than nothing by its own trades: others bore it. */
const hasDeficit = ({ cash, lots }: Naive): boolean =>
  NAMES.some((name) => lots.get(name) === 0 && cash.get(name)?.isNegative() === true);

const equity = (state: MarginAccountState, mark: number): Decimal =>
  state.positions.reduce(
    (sum, { lots, entryValue: value }) =>
      sum.plus(unrealizedPnl({ quantity: PERP.size(lots as Lots), value }, new Decimal(mark))),
    state.balance,
  );

/** By the lots on the side of the net position. */
function addShared(naive: Naive, shared: Shared, amount: Decimal): void {
  const net = Math.sign(shared.position?.lots ?? 0);
  const own = NAMES.map((name) => Math.max(0, net * (naive.lots.get(name) ?? 0)));
  const all = own.reduce((sum, one) => sum + one, 0);
  NAMES.forEach((name, index) => {
    naive.add(name, 0, amount.times(own[index] ?? 0).div(all));
  });
}

/** By the lots that were taken of each, which are within one lot of its part of them. */
function addForced(
  naive: Naive,
  { before, shared, size, held }: { readonly before: ReadonlyMap<string, MarginAccountState>; readonly shared: Shared; readonly size: number; readonly held: number }, // prettier-ignore
  { price: at, fee }: { readonly price: number; readonly fee: Decimal },
): void {
  const was = NAMES.map((name) => lotsAt(before.get(name) ?? OPEN, symbol));
  const side = was.map((one) => Math.max(0, Math.sign(held) * one));
  const all = side.reduce((sum, one) => sum + one, 0);
  NAMES.forEach((name, index) => {
    const change = shared.held(name) - (was[index] ?? 0);
    expect(Math.abs(Math.abs(change) - (size * (side[index] ?? 0)) / all)).toBeLessThan(1);
    const cost = new Decimal(at).times(change).div(1_000);
    naive.add(name, change, cost.negated().minus(fee.times(Math.abs(change)).div(size)));
  });
}
