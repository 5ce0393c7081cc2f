import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Factor } from '../../../src/exchange/ledger/amount.ts';
import {
  AVAILABLE,
  CROSS,
  MARGIN,
  CurrencyBalances,
  RESERVED,
} from '../../../src/exchange/ledger/balances.ts';
import { Decimal, decimal } from '../../../src/model/decimal.ts';

const count = fc.oneof(fc.nat({ max: 1_000_000 }), fc.maxSafeNat());
const factorText = fc.constantFrom(
  '0.01',
  '1',
  '-0.0000025',
  '0.000000000000000000000000000000000001001',
  '1000000000000000',
  '0',
);
const operation = fc.record({
  kind: fc.constantFrom(
    'add',
    'subtract',
    'move',
    'hold',
    'pay',
    'compare',
    'deposit',
    'change',
    'factor',
    'grow',
  ),
  row: fc.nat({ max: 3 }),
  pocket: fc.constantFrom(AVAILABLE, RESERVED, MARGIN, CROSS),
  a: count,
  b: fc.oneof(fc.constant(1), count),
  which: fc.nat({ max: 5 }),
  text: factorText,
});

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** A purse, and beside it its cells as Decimals. */
class Pair {
  readonly budget = new CurrencyBalances('X');
  readonly #factors = [decimal('0.01')].map((value) => this.#factorOf(value));
  readonly #cells = new Map<string, Decimal>();

  constructor() {
    this.budget.grow(4);
  }

  cell(row: number, pocket: number): Decimal {
    return this.#cells.get(`${row} ${pocket}`) ?? new Decimal(0);
  }

  apply(operation: Operation): void {
    const { kind, row, pocket, a, b, which, text } = operation;
    const { budget } = this;
    const { value, factor } = this.#factors[which % this.#factors.length];
    const product = value.times(a).times(b);
    switch (kind) {
      case 'add':
        budget.add(row, pocket, a, b, factor);
        this.#add(row, pocket, product);
        return;
      case 'subtract':
        budget.subtract(row, pocket, a, b, factor);
        this.#add(row, pocket, product.negated());
        return;
      case 'move':
        budget.move(row, pocket, (pocket + 1) % 4, a, b, factor);
        this.#add(row, pocket, product.negated());
        this.#add(row, (pocket + 1) % 4, product);
        return;
      case 'hold':
        this.#hold(row, a, b, which % 2, product, factor);
        return;
      case 'pay':
        this.#pay(row, a, b, product, factor);
        return;
      case 'compare':
        this.#compare(row, a, b, product, factor);
        return;
      case 'deposit':
        budget.deposit(row, decimal(text).times(a));
        this.#add(row, AVAILABLE, decimal(text).times(a));
        return;
      case 'change': {
        const amount = decimal(text).times(which % 2 === 0 ? a : -a);
        budget.change(row, pocket, amount);
        this.#add(row, pocket, amount);
        return;
      }
      case 'factor':
        this.#factors.push(this.#factorOf(decimal(text)));
        return;
      case 'grow':
        budget.grow(40);
        return;
    }
  }

  #add(row: number, pocket: number, amount: Decimal): void {
    this.#cells.set(`${row} ${pocket}`, this.cell(row, pocket).plus(amount));
  }

  /** What it holds is covered; where it says that it is not, or cannot tell, it leaves all as it is. */
  #hold(row: number, a: number, b: number, more: number, product: Decimal, factor: Factor): void {
    if (!this.budget.hold(row, a, b, factor, more)) return;
    const rest = this.cell(row, AVAILABLE).minus(product);
    expect(rest.greaterThan(0) || (more === 0 && rest.isZero())).toBe(true);
    expect(product.isNegative()).toBe(false);
    this.#add(row, AVAILABLE, product.negated());
    this.#add(row, RESERVED, product);
  }

  #pay(row: number, a: number, b: number, held: Decimal, factor: Factor): void {
    const last = this.#factors[this.#factors.length - 1];
    this.budget.pay(row, a, b, factor, b, 7, last.factor);
    this.#add(row, RESERVED, held.negated());
    this.#add(row, AVAILABLE, held.minus(last.value.times(b).times(7)));
  }

  #compare(row: number, a: number, b: number, product: Decimal, factor: Factor): void {
    const expected = this.cell(row, AVAILABLE).comparedTo(product);
    expect(Math.sign(this.budget.compare(row, a, b, factor))).toBe(expected);
    expect(Math.sign(this.budget.compareCount(row, BigInt(a) * BigInt(b), factor))).toBe(expected);
  }

  #factorOf(value: Decimal): { readonly value: Decimal; readonly factor: Factor } {
    return { value, factor: this.budget.factor(value) };
  }
}

test('holds what a Decimal holds, through every change of scale and width', () => {
  let long = 0;
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40, size: 'max' }), (operations) => {
      const pair = new Pair();
      for (const each of operations) pair.apply(each);
      for (let row = 0; row < 4; row += 1) {
        for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
          if (pair.budget.units(row, pocket) > 2n ** 53n) long += 1;
          const expected = pair.cell(row, pocket);
          const text = expected.isZero() ? '0' : expected.toFixed();
          expect(pair.budget.amount(row, pocket).toFixed()).toBe(text);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(long).toBeGreaterThan(100);
});

test('holds a few units exactly where they are covered, beside few or very many that are held already', () => {
  let held = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: -5, max: 60 }),
      fc.constantFrom(0n, 5n, 2n ** 52n - 30n, 2n ** 60n),
      fc.nat({ max: 8 }),
      fc.nat({ max: 8 }),
      fc.nat({ max: 1 }),
      (available, reserved, a, b, more) => {
        const budget = new CurrencyBalances('X');
        budget.grow(1);
        const one = budget.factor(decimal('1'));
        budget.change(0, AVAILABLE, decimal(String(available)));
        budget.change(0, RESERVED, decimal(String(reserved)));
        const isHeld = budget.hold(0, a, b, one, more);
        const moved = isHeld ? BigInt(a * b) : 0n;
        if (isHeld) held += 1;
        expect(budget.units(0, AVAILABLE)).toBe(BigInt(available) - moved);
        expect(budget.units(0, RESERVED)).toBe(reserved + moved);
        if (available - a * b < more) expect(isHeld).toBe(false);
        else if (reserved < 10n) expect(isHeld).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(held).toBeGreaterThan(500);
});

test('holds all that is available, or all but one unit, and no more than that', () => {
  const budget = new CurrencyBalances('X');
  budget.grow(2);
  const one = budget.factor(decimal('0.01'));
  budget.deposit(0, decimal('0.06'));
  expect(budget.hold(0, 3, 2, one, 1)).toBe(false);
  expect(budget.hold(0, 7, 1, one, 0)).toBe(false);
  expect(budget.hold(0, 5, 1, one, 1)).toBe(true);
  expect(budget.hold(0, 1, 1, one, 0)).toBe(true);
  expect(budget.amount(0, AVAILABLE).toFixed()).toBe('0');
  expect(budget.amount(0, RESERVED).toFixed()).toBe('0.06');
  // What is below zero covers nothing, whatever its lower half looks like.
  budget.subtract(1, AVAILABLE, 1, 1, one);
  expect(budget.hold(1, 1, 1, one, 0)).toBe(false);
});

test('a count beyond 2^53 is compared exactly', () => {
  const budget = new CurrencyBalances('X');
  budget.grow(1);
  const one = budget.factor(decimal('0.001'));
  budget.deposit(0, decimal('20000000000000000'));
  expect(budget.compareCount(0, 20_000_000_000_000_000_000n, one)).toBe(0);
  expect(budget.compareCount(0, 20_000_000_000_000_000_001n, one)).toBe(-1);
  expect(budget.compareCount(0, 19_999_999_999_999_999_999n, one)).toBe(1);
  expect(budget.compareCount(0, 5, one)).toBeGreaterThan(0);
});

test('grows after it became wide, and comes back to limbs when a finer unit still leaves room', () => {
  const budget = new CurrencyBalances('X');
  budget.grow(1);
  budget.deposit(0, decimal('1'.padEnd(40, '0')));
  budget.grow(3);
  budget.deposit(2, decimal('0.5'));
  expect(budget.amount(0, AVAILABLE).toFixed()).toBe('1'.padEnd(40, '0'));
  expect(budget.amount(2, AVAILABLE).toFixed()).toBe('0.5');
});

test('becomes wide when a sum passes two limbs though its parts do not, up or down', () => {
  const budget = new CurrencyBalances('X');
  budget.grow(2);
  // 5e30 is below 2^103 units, three of it are not.
  const part = budget.factor(decimal('5e30'));
  for (let i = 0; i < 3; i += 1) {
    budget.add(0, AVAILABLE, 1, 1, part);
    budget.subtract(1, RESERVED, 1, 1, part);
  }
  expect(budget.amount(0, AVAILABLE).toFixed()).toBe(`15${'0'.repeat(30)}`);
  expect(budget.amount(1, RESERVED).toFixed()).toBe(`-15${'0'.repeat(30)}`);

  const other = new CurrencyBalances('Y');
  other.grow(1);
  const same = other.factor(decimal('5e30'));
  for (let i = 0; i < 4; i += 1) other.subtract(0, AVAILABLE, 1, 1, same);
  expect(other.compare(0, 1, 1, same)).toBeLessThan(0);
  expect(other.amount(0, AVAILABLE).toFixed()).toBe(`-2${'0'.repeat(31)}`);
});
