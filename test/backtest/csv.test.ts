import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, textOfCell } from '../../src/backtest/csv.ts';
import { fieldsOf } from '../../src/feeds/importers/csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd', "'+cmd"],
  ['-order-1', "'-order-1"],
  ["'=quoted", "''=quoted"],
  ['=A1,B1', '"\'=A1,B1"'],
  ['-0.5', '-0.5'],
  ['+1e-7', '+1e-7'],
  ["it's", "it's"],
])('the text %s is the cell %s, which no spreadsheet runs as a formula', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('a number is a cell as it is, negative too', () => {
  expect([csvCell(-1.5), csvCell(-0), csvCell(null), csvCell(true)]).toEqual([
    '-1.5',
    '0',
    '',
    'true',
  ]);
});

test('every text is read back from its cell, and no cell but a number begins as a formula does', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@\'\t\r," 1.e') });
  fc.assert(
    fc.property(text, (given) => {
      const [field = ''] = fieldsOf(csvCell(given), ',');
      expect(textOfCell(field)).toBe(given);
      if (/^[=+\-@\t\r]/.test(field)) expect(Number.isNaN(Number(field))).toBe(false);
    }),
  );
});
