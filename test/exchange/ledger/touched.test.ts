import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DirtyBalances } from '../../../src/exchange/ledger/dirty-balances.ts';

/** Some accounts far apart, so that there is room to be made, and few enough to come again. */
const account = fc.constantFrom(0, 1, 4, 5, 6, 77, 4_000);

const step = (currencies: number): fc.Arbitrary<readonly [number, number, number?]> => {
  const currency = fc.nat(currencies - 1);
  return fc.oneof(fc.tuple(account, currency), fc.tuple(account, currency, currency));
};

const history = fc
  .integer({ min: 1, max: 5 })
  .chain((currencies) =>
    fc.tuple(fc.constant(currencies), fc.array(fc.array(step(currencies), { maxLength: 12 }))),
  );

test('every balance that changed is reported once, in the order of the first change, request after request', () => {
  fc.assert(
    fc.property(history, ([currencies, requests]) => {
      const touched = new DirtyBalances(currencies);
      for (const steps of requests) {
        const expected = new Set<string>();
        for (const [row, first, second] of steps) {
          expected.add(`${row} ${first}`);
          if (second === undefined) touched.note(row, first);
          else {
            expected.add(`${row} ${second}`);
            touched.noteBoth(row, first, second);
          }
        }
        const reported = Array.from(
          { length: touched.count },
          (_, index) => `${touched.account(index)} ${touched.currency(index)}`,
        );
        expect(reported).toEqual([...expected]);
        touched.clear();
      }
    }),
    { numRuns: 300 },
  );
});

test('a hundred balances of one request are all reported', () => {
  const touched = new DirtyBalances(2);
  for (let row = 0; row < 50; row += 1) touched.noteBoth(row, 1, 0);
  expect(touched.count).toBe(100);
  expect([touched.account(98), touched.currency(98)]).toEqual([49, 1]);
  expect([touched.account(99), touched.currency(99)]).toEqual([49, 0]);
});
