import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AVAILABLE, CROSS, MARGIN, Purse, RESERVED } from '../../../src/exchange/ledger/purse.ts';
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

test('holds what a Decimal holds, through every change of scale and width', () => {
  let long = 0;
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40, size: 'max' }), (operations) => {
      const purse = new Purse('X');
      purse.grow(4);
      const factors = [decimal('0.01')].map((value) => ({ value, factor: purse.factor(value) }));
      const cells = new Map<string, Decimal>();
      const cell = (row: number, pocket: number): Decimal =>
        cells.get(`${row} ${pocket}`) ?? new Decimal(0);
      for (const { kind, row, pocket, a, b, which, text } of operations) {
        const { value, factor } = factors[which % factors.length];
        const product = value.times(a).times(b);
        switch (kind) {
          case 'add':
            purse.add(row, pocket, a, b, factor);
            cells.set(`${row} ${pocket}`, cell(row, pocket).plus(product));
            break;
          case 'subtract':
            purse.subtract(row, pocket, a, b, factor);
            cells.set(`${row} ${pocket}`, cell(row, pocket).minus(product));
            break;
          case 'move': {
            const to = (pocket + 1) % 4;
            purse.move(row, pocket, to, a, b, factor);
            cells.set(`${row} ${pocket}`, cell(row, pocket).minus(product));
            cells.set(`${row} ${to}`, cell(row, to).plus(product));
            break;
          }
          case 'pay': {
            const last = factors[factors.length - 1];
            purse.pay(row, a, b, factor, b, 7, last.factor);
            cells.set(`${row} ${RESERVED}`, cell(row, RESERVED).minus(product));
            const rest = product.minus(last.value.times(b).times(7));
            cells.set(`${row} ${AVAILABLE}`, cell(row, AVAILABLE).plus(rest));
            break;
          }
          case 'compare': {
            const expected = cell(row, AVAILABLE).comparedTo(product);
            expect(Math.sign(purse.compare(row, a, b, factor))).toBe(expected);
            const many = BigInt(a) * BigInt(b);
            expect(Math.sign(purse.compareCount(row, many, factor))).toBe(expected);
            break;
          }
          case 'deposit':
            purse.deposit(row, decimal(text).times(a));
            cells.set(`${row} 0`, cell(row, AVAILABLE).plus(decimal(text).times(a)));
            break;
          case 'change': {
            const amount = decimal(text).times(which % 2 === 0 ? a : -a);
            purse.change(row, pocket, amount);
            cells.set(`${row} ${pocket}`, cell(row, pocket).plus(amount));
            break;
          }
          case 'factor':
            factors.push({ value: decimal(text), factor: purse.factor(decimal(text)) });
            break;
          case 'grow':
            purse.grow(40);
            break;
        }
      }
      for (let row = 0; row < 4; row += 1) {
        for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
          const units = purse.units(row, pocket);
          if (units > 2n ** 53n) long += 1;
          expect(purse.amount(row, pocket).toFixed()).toBe(
            cell(row, pocket).isZero() ? '0' : cell(row, pocket).toFixed(),
          );
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(long).toBeGreaterThan(100);
});

test('a count beyond 2^53 is compared exactly', () => {
  const purse = new Purse('X');
  purse.grow(1);
  const one = purse.factor(decimal('0.001'));
  purse.deposit(0, decimal('20000000000000000'));
  expect(purse.compareCount(0, 20_000_000_000_000_000_000n, one)).toBe(0);
  expect(purse.compareCount(0, 20_000_000_000_000_000_001n, one)).toBe(-1);
  expect(purse.compareCount(0, 19_999_999_999_999_999_999n, one)).toBe(1);
  expect(purse.compareCount(0, 5, one)).toBeGreaterThan(0);
});

test('grows after it became wide, and comes back to limbs when a finer unit still leaves room', () => {
  const purse = new Purse('X');
  purse.grow(1);
  purse.deposit(0, decimal('1'.padEnd(40, '0')));
  purse.grow(3);
  purse.deposit(2, decimal('0.5'));
  expect(purse.amount(0, AVAILABLE).toFixed()).toBe('1'.padEnd(40, '0'));
  expect(purse.amount(2, AVAILABLE).toFixed()).toBe('0.5');
});

test('becomes wide when a sum passes two limbs though its parts do not, up or down', () => {
  const purse = new Purse('X');
  purse.grow(2);
  // 5e30 is below 2^103 units, three of it are not.
  const part = purse.factor(decimal('5e30'));
  for (let i = 0; i < 3; i += 1) {
    purse.add(0, AVAILABLE, 1, 1, part);
    purse.subtract(1, RESERVED, 1, 1, part);
  }
  expect(purse.amount(0, AVAILABLE).toFixed()).toBe(`15${'0'.repeat(30)}`);
  expect(purse.amount(1, RESERVED).toFixed()).toBe(`-15${'0'.repeat(30)}`);

  const other = new Purse('Y');
  other.grow(1);
  const same = other.factor(decimal('5e30'));
  for (let i = 0; i < 4; i += 1) other.subtract(0, AVAILABLE, 1, 1, same);
  expect(other.compare(0, 1, 1, same)).toBeLessThan(0);
  expect(other.amount(0, AVAILABLE).toFixed()).toBe(`-2${'0'.repeat(31)}`);
});
