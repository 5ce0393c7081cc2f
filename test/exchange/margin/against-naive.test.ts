import fc from 'fast-check';
import { expect, test } from 'vitest';
import { step, reportedStep } from './random-steps.ts';
import { MarginHarness } from './harness.ts';
import { runs, seed } from '../../kit/size.ts';

const size = { minLength: 20, maxLength: 80, size: 'max' } as const;
const steps = fc.array(step, size);

test('balances, positions, prices, reserves and the pool are at every step what slow books say', () => {
  let liquidations = 0;
  let settlements = 0;
  let beyond = 0;
  let prices = 0;
  fc.assert(
    fc.property(steps, (taken) => {
      const world = new MarginHarness();
      world.check();
      for (const it of taken) {
        world.take(it);
        world.check();
      }
      liquidations += world.liquidations;
      settlements += world.settlements;
      beyond += world.beyond;
      prices += world.prices;
    }),
    { numRuns: runs(50), seed: seed(1) },
  );
  expect(liquidations).toBeGreaterThan(0);
  expect(settlements).toBeGreaterThan(0);
  expect(beyond).toBeGreaterThan(0);
  expect(prices).toBeGreaterThan(0);
}, 60_000);

test('marks and fundings of the venue are applied as a naive implementation does', () => {
  let fundings = 0;
  let marks = 0;
  let liquidations = 0;
  fc.assert(
    fc.property(fc.array(reportedStep, size), (taken) => {
      const world = new MarginHarness();
      for (const it of taken) {
        world.take(it);
        world.check();
      }
      fundings += world.reported.fundings;
      marks += world.reported.marks;
      liquidations += world.liquidations;
    }),
    { numRuns: runs(150), seed: seed(5) },
  );
  expect(fundings).toBeGreaterThan(10);
  expect(marks).toBeGreaterThan(20);
  expect(liquidations).toBeGreaterThan(0);
}, 60_000);

test('reports after a rejected request are as if it had never been sent', () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(steps, (taken) => {
      const all = new MarginHarness();
      const accepted = taken.filter((it) => {
        const reported = all.floor.log.length;
        const rejection = all.take(it);
        if (rejection === undefined) return true;
        codes.add(rejection.code);
        expect(all.floor.log.length).toBe(reported);
        return false;
      });
      const without = new MarginHarness();
      for (const it of accepted) expect(without.take(it)).toBeUndefined();
      expect(without.floor.log).toEqual(all.floor.log);
      expect(without.shown()).toEqual(all.shown());
      expect(without.floor.exchange.orders.issued).toBe(all.floor.exchange.orders.issued);
    }),
    { numRuns: runs(15), seed: seed(3) },
  );
  expect(codes.size).toBeGreaterThan(4);
}, 60_000);
