import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/backtest/canonical.ts';
import {
  checkSpans,
  instrumentsOf,
  sampleStep,
  startBalances,
  type BacktestPlan,
} from '../../src/backtest/plan.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { micros, US_PER_DAY, US_PER_HOUR, US_PER_MINUTE } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';

const plan = (fields: Partial<BacktestPlan>): BacktestPlan =>
  ({ recordings: [], parameters: {}, balances: {}, ...fields }) as BacktestPlan;

/** Code and field of the error that a call throws. */
function rejection(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof MillraceError) return `${error.code} ${error.field ?? ''}`;
    throw error;
  }
  return 'nothing was thrown';
}

describe('a plan', () => {
  test('is sampled as often as gives at most 5,000 samples', () => {
    expect(sampleStep(0)).toBe(1_000_000);
    expect(sampleStep(5_000_000_000)).toBe(1_000_000);
    expect(sampleStep(5_000_000_001)).toBe(10_000_000);
    expect(sampleStep(US_PER_DAY)).toBe(US_PER_MINUTE);
    expect(sampleStep(30 * US_PER_DAY)).toBe(10 * US_PER_MINUTE);
    expect(sampleStep(200 * US_PER_DAY)).toBe(US_PER_HOUR);
    expect(sampleStep(365 * US_PER_DAY)).toBe(US_PER_DAY);
  });

  test('takes balances exactly and refuses negative ones and what is no number', () => {
    const exact = '0.100000000000000000000000001';
    expect(
      startBalances(plan({ balances: { USDT: exact } }))
        .get('USDT')
        ?.toFixed(),
    ).toBe(exact);
    expect(rejection(() => startBalances(plan({ balances: { USDT: '-1' } })))).toBe(
      'out-of-range balances.USDT',
    );
    expect(rejection(() => startBalances(plan({ balances: { USDT: '1,000' } })))).toBe(
      'decimal-invalid balances.USDT',
    );
  });

  test('replaces the fees of a recording and refuses those of a symbol that it does not have', () => {
    const { terms } = instrumentOf();
    const [instrument] = instrumentsOf(plan({ fees: { BTCUSDT: { takeRate: '0.0001' } } }), [
      terms,
    ]);
    expect(instrument.terms).toEqual({ ...terms, takeRate: '0.0001' });
    expect(rejection(() => instrumentsOf(plan({ fees: { ETHUSDT: {} } }), [terms]))).toBe(
      'symbol-unknown fees.ETHUSDT',
    );
  });

  test('refuses spans and seeds that are none', () => {
    expect(rejection(() => checkSpans(plan({ latency: { orderUs: -1 } })))).toBe(
      'out-of-range latency.orderUs',
    );
    expect(rejection(() => checkSpans(plan({ latency: { reportUs: 0.5 } })))).toBe(
      'out-of-range latency.reportUs',
    );
    expect(rejection(() => checkSpans(plan({ warmUpUs: Number.NaN })))).toBe(
      'out-of-range warmUpUs',
    );
    expect(rejection(() => checkSpans(plan({ sampleUs: 999_999 })))).toBe('out-of-range sampleUs');
    expect(rejection(() => checkSpans(plan({ seed: 1.5 })))).toBe('out-of-range seed');
    expect(rejection(() => checkSpans(plan({ from: micros(5), till: micros(5) })))).toBe(
      'out-of-range till',
    );
    expect(rejection(() => checkSpans(plan({ from: micros(5), till: micros(6), seed: -3 })))).toBe(
      'nothing was thrown',
    );
  });
});

describe('canonical JSON', () => {
  test('does not depend on the order in which fields were set', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: null }], a: 'x' })).toBe(
      '{"a":"x","b":[1,{"c":null,"d":2}]}',
    );
    expect(canonicalJson({ a: 'x', b: [1, { c: null, d: 2 }], e: undefined })).toBe(
      canonicalJson({ b: [1, { d: 2, c: null }], a: 'x' }),
    );
  });

  test('writes decimals and big whole numbers exactly', () => {
    expect(canonicalJson([new Decimal('1e-18'), 2n ** 64n])).toBe(
      '["0.000000000000000001","18446744073709551616"]',
    );
  });
});
