import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberTable } from '../../../src/backtest/tables/number-table.ts';
import { Amount } from '../../../src/model/amount.ts';

const amount = fc
  .tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.integer({ min: 0, max: 30 }))
  .map(([units, places]) => Amount.units(units, places));

test('a table gives every number and every amount back, whatever else it was told', () => {
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

test('rows of a long table keep what they were told beyond each block', () => {
  const table = new NumberTable(2);
  for (let row = 0; row < 20_000; row += 1) table.set(table.add(), 1, row);
  for (let row = 0; row < 20_000; row += 1) {
    expect([table.get(row, 0), table.get(row, 1)]).toEqual([0, row]);
  }
});
