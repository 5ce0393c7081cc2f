import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount, rate, sizeByRisk, sizeByVolatility, type RiskSize } from '../../src/index.ts';
import { instrumentOf } from '../kit/instruments.ts';

/** Ticks of 0.01 and lots of 0.001: a tick of a lot is 0.00001. */
const STEPS = { tickSize: '0.01', quantityIncrement: '0.001' } as const;
const free = instrumentOf({ ...STEPS, takeRate: '0', makeRate: '0' });
const paid = instrumentOf({ ...STEPS, takeRate: '0.001', makeRate: '0.0005' });

const basis = { equity: amount('1000'), risk: rate('0.01'), entryTicks: 10_000, stopTicks: 9_900 };

describe('sizeByRisk', () => {
  test('loses the share of the equity at the stop, fees included, and no more', () => {
    // 10 at risk; a lot loses 100 ticks, which is 0.001.
    expect(sizeByRisk(free, { ...basis, leverage: rate('3') })).toMatchObject({
      lots: 10_000,
      limitedBy: 'size',
    });
    // The fees of both add (10000 + 9900) × 0.001 ticks: 0.001199 a lot.
    expect(sizeByRisk(paid, basis).lots).toBe(8_340);
    expect(sizeByRisk(free, { ...basis, stopTicks: 10_100 }).lots).toBe(10_000);
  });

  test('takes no more than leverage and budget bear', () => {
    const near = { ...basis, stopTicks: 9_999 };
    // A lot is worth 0.1 and the equity 1,000.
    expect(sizeByRisk(free, near)).toMatchObject({ lots: 10_000, limitedBy: 'leverage' });
    expect(sizeByRisk(free, { ...near, leverage: rate('5') }).lots).toBe(50_000);
    // An order that costs all of the budget would be refused.
    expect(sizeByRisk(free, { ...near, budget: amount('100') })).toMatchObject({
      lots: 999,
      limitedBy: 'budget',
    });
    expect(sizeByRisk(paid, { ...near, budget: amount('100') }).lots).toBe(999);
  });

  test.each<[string, Partial<RiskSize>, string, string]>([
    ['less than a lot', { equity: amount('0.05') }, 'quantity-below-minimum', 'lots'],
    [
      'less than the smallest value',
      { equity: amount('1'), minNotional: amount('5') },
      'amount-below-minimum',
      'minNotional',
    ],
    ['no budget', { budget: amount('0') }, 'quantity-below-minimum', 'lots'],
    ['no distance', { stopTicks: 10_000 }, 'request-invalid', 'stopTicks'],
    ['half a tick', { entryTicks: 0.5 }, 'request-invalid', 'entryTicks'],
    ['a risk of nothing', { risk: rate('0') }, 'request-invalid', 'risk'],
    ['a risk above all', { risk: rate('1.1') }, 'request-invalid', 'risk'],
    ['a negative equity', { equity: amount('-1') }, 'request-invalid', 'equity'],
    ['no leverage', { leverage: rate('0') }, 'request-invalid', 'leverage'],
  ])('is none, and says why: %s', (_, given, code, field) => {
    const size = sizeByRisk(free, { ...basis, ...given });
    expect(size).toMatchObject({ lots: 0, rejection: { code, field } });
    expect(size.rejection?.message.endsWith('.')).toBe(true);
  });

  test('is the most lots that keep all bounds, counted one by one in whole numbers', () => {
    const units = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(units, units, units, units, (cents, entryTicks, distance, budgetCents) => {
        const stopTicks = entryTicks + distance;
        const size = sizeByRisk(paid, {
          equity: amount((cents / 100).toFixed(2)),
          risk: rate('0.02'),
          entryTicks,
          stopTicks,
          leverage: rate('2'),
          budget: amount((budgetCents / 100_000).toFixed(5)),
        });
        // In 10^-8: a tick of a lot is 1000 of them, and its fee of 0.1 % one.
        const loss = distance * 1_000 + (entryTicks + stopTicks);
        const fits = (lots: number): boolean =>
          lots * loss <= cents * 20_000 &&
          lots * entryTicks * 1_000 <= 2 * cents * 1_000_000 &&
          lots * entryTicks * 1_001 < 2 * budgetCents * 1_000;
        let most = 0;
        while (fits(most + 1)) most += 1;
        expect(size.lots).toBe(most);
      }),
    );
  });
});

describe('sizeByVolatility', () => {
  test('gives the equity the volatility that it is to have', () => {
    const of = { equity: amount('1000'), target: rate('0.2'), ticks: 10_000 };
    // 1,000 × 0.2 ÷ 0.5 is 400, in lots of 0.1.
    expect(sizeByVolatility(free, { ...of, volatility: 0.5 })).toMatchObject({
      lots: 4_000,
      limitedBy: 'size',
    });
    expect(sizeByVolatility(free, { ...of, volatility: 0.1 })).toMatchObject({
      lots: 10_000,
      limitedBy: 'leverage',
    });
    for (const volatility of [0, Number.NaN, -1]) {
      expect(sizeByVolatility(free, { ...of, volatility })).toMatchObject({
        lots: 0,
        rejection: { code: 'request-invalid', field: 'volatility' },
      });
    }
  });
});
