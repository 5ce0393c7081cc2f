import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Untold } from '../../../src/bot/paper/untold.ts';
import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import type { BalanceReport } from '../../../src/model/report.ts';
import { micros } from '../../../src/platform/time.ts';

const step = fc.oneof(
  // A move, which the exchange reports once or more while it happens, or not at all.
  fc.record({
    kind: fc.constant('move' as const),
    amount: fc.integer({ min: -9, max: 9 }),
    reports: fc.integer({ min: 0, max: 2 }),
  }),
  // An order of the strategy, whose fill and balance are heard together.
  fc.record({ kind: fc.constant('fill' as const), amount: fc.integer({ min: -9, max: 9 }) }),
  fc.constant({ kind: 'hear' as const }),
  fc.constant({ kind: 'restart' as const }),
);

test('what was heard and what is untold are together what there is, but for fills that were not heard', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [total, fills, heard, heardFills] = [1_000, 0, 1_000, 0];
      let kept: ReadonlyMap<string, Decimal> = new Map();
      const keep = (untold: ReadonlyMap<string, Decimal>): void => {
        kept = new Map(untold);
      };
      let untold = new Untold(kept, keep);
      let queue: { report: BalanceReport; total: number; fills: number }[] = [];
      const report = (): void => {
        const one = reportOf(total);
        queue.push({ report: one, total, fills });
        untold.reported(one);
      };
      for (const one of steps) {
        if (one.kind === 'move') {
          untold.moved(
            () => new Map([['USDT', new Decimal(total)]]),
            () => {
              total += one.amount;
              for (let count = 0; count < one.reports; count += 1) report();
            },
          );
        } else if (one.kind === 'fill') {
          total += one.amount;
          fills += one.amount;
          report();
        } else if (one.kind === 'hear') {
          const next = queue.shift();
          if (next !== undefined) {
            [heard, heardFills] = [next.total, next.fills];
            untold.told(next.report);
          }
        } else {
          // What was not heard of is forgotten, but for moves; the opening balance is told at once.
          total = heard + (kept.get('USDT') ?? ZERO).toNumber();
          [fills, queue] = [heardFills, []];
          untold = new Untold(kept, keep);
          heard = total;
          untold.told(reportOf(total));
        }
        const left = (kept.get('USDT') ?? ZERO).toNumber();
        expect(heard + left + (fills - heardFills)).toBe(total);
      }
    }),
    { numRuns: 500 },
  );
});

const reportOf = (total: number): BalanceReport => ({
  ...{ kind: 'balance', at: micros(0), currency: 'USDT' },
  ...{ available: new Decimal(total), reserved: ZERO },
});
