import fc from 'fast-check';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NumberTable } from '../../../src/backtest/tables/number-table.ts';
import { TextColumn } from '../../../src/backtest/tables/text-column.ts';
import { Amount } from '../../../src/model/amount.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { runs, seed } from '../../kit/size.ts';

const amount = fc
  .tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.integer({ min: 0, max: 30 }))
  .map(([units, places]) => Amount.units(units, places));

test('a table gives every number and every amount back, whatever else was added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.double(), amount), { maxLength: 40 }), (rows) => {
      const table = new NumberTable(3);
      for (const [number, value] of rows) {
        const row = table.add();
        table.set(row, 0, number);
        table.setAmount(row, 1, value);
      }
      expect(table.length).toBe(rows.length);
      rows.forEach(([number, value], row) => {
        expect(table.get(row, 0)).toBe(number);
        expect(table.amount(row, 1)).toEqual(value);
      });
    }),
  );
});

test('rows of a long table keep their values beyond each block', () => {
  const table = new NumberTable(2);
  for (let row = 0; row < 20_000; row += 1) table.set(table.add(), 1, row);
  for (let row = 0; row < 20_000; row += 1) {
    expect([table.get(row, 0), table.get(row, 1)]).toEqual([0, row]);
  }
});

test('a table with room for two blocks gives back what was set last, wherever its rows are', () => {
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 1 }), fc.double());
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40_000 }), fc.array(change), (count, changes) => {
      const table = new NumberTable(2, 1);
      const plain: number[] = [];
      for (let row = 0; row < count; row += 1) {
        table.set(table.add(), 1, row);
        plain.push(0, row);
      }
      for (const [at, field, value] of changes) {
        const row = at % count;
        table.set(row, field, value);
        plain[2 * row + field] = value;
        const other = (row * 7_919 + 4_096) % count;
        expect(table.get(other, field)).toBe(plain[2 * other + field]);
      }
      for (let row = count - 1; row >= 0; row -= 1) {
        if (
          Object.is(table.get(row, 0), plain[2 * row]) &&
          table.get(row, 1) === plain[2 * row + 1]
        ) {
          continue;
        }
        expect([table.get(row, 0), table.get(row, 1)]).toEqual(plain.slice(2 * row, 2 * row + 2));
      }
    }),
    { numRuns: runs(100), seed: seed(5) },
  );
});

test('a column of texts gives back each of them, from memory and from its file', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 6 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.nat({ max: 30_000 }), (texts, count) => {
      const column = new TextColumn(60_000);
      const textOf = (index: number): string => `${texts[index % texts.length]}${index}`;
      for (let index = 0; index < count; index += 1) column.push(textOf(index));
      expect(column.length).toBe(count);
      const probes = Array.from({ length: 40 }, (_, step) => (step * 4_099) % Math.max(1, count));
      const inOrder = Array.from({ length: count }, (_, index) => index);
      const order = [...inOrder, ...(count === 0 ? [] : probes)];
      expect(order.every((index) => column.at(index) === textOf(index))).toBe(true);
    }),
    { numRuns: runs(50), seed: seed(6) },
  );
});

test('a run that fits neither in memory nor on the disk says what to do', () => {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(temporaryFolder(), 'none');
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  const table = new NumberTable(2, 1);
  const fill = (): void => {
    for (let row = 0; row < 20_000; row += 1) table.add();
  };
  expect(fill).toThrow(expect.objectContaining({ code: 'file-unwritable' }));
  expect(fill).toThrow(/TMPDIR/);
});
