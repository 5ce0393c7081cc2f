import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { buyReserve, fee } from '../../src/rules/funds.ts';
import { parts, wholeFunds } from '../../src/rules/whole-funds.ts';
import { count, rateText, stepText } from '../kit/exact.ts';
import { instrumentOf } from '../kit/instruments.ts';

const hostile = fc.record({
  tickSize: stepText,
  quantityIncrement: stepText,
  takeRate: rateText,
  makeRate: rateText,
  t: count,
  l: count,
});

describe('amounts in whole parts', () => {
  test('are what the decimal formulas give, times one part', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const quote = instrumentOf(terms);
        const base = instrumentOf({ ...terms, feeCurrency: 'BTC' });
        const whole = wholeFunds(quote);
        const inQuote = (amount: number | bigint): string =>
          whole.quotePart.times(String(amount)).toFixed();
        const inBase = (amount: number | bigint): string =>
          whole.basePart.times(String(amount)).toFixed();
        const [T, L] = [ticks(t), lots(l)];
        const value = quote.value(T, L);
        expect(inQuote(parts(t, l, whole.value))).toBe(value.toFixed());
        expect(inQuote(parts(t, l, whole.reserve))).toBe(buyReserve(value, quote).toFixed());
        expect(inQuote(parts(t, l, whole.take))).toBe(fee(quote, T, L, quote.takeRate).toFixed());
        expect(inQuote(parts(t, l, whole.make))).toBe(fee(quote, T, L, quote.makeRate).toFixed());
        expect(inBase(parts(1, l, whole.value))).toBe(quote.size(L).toFixed());
        expect(inBase(parts(1, l, whole.take))).toBe(fee(base, T, L, base.takeRate).toFixed());
      }),
    );
  });

  test('are numbers exactly as long as they are below 2^53', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const { take } = wholeFunds(instrumentOf(terms));
        const exact = BigInt(t) * BigInt(l) * take.large;
        const amount = parts(t, l, take);
        expect(BigInt(amount)).toBe(exact);
        expect(Object.is(amount, -0)).toBe(false);
        const limit = BigInt(Number.MAX_SAFE_INTEGER);
        const small = exact >= -limit && exact <= limit && !Number.isNaN(take.small);
        expect(typeof amount).toBe(small ? 'number' : 'bigint');
      }),
    );
  });

  test('of BTCUSDT at 0.25 and 0.12 % are ten-thousandths of the quantum', () => {
    const whole = wholeFunds(instrumentOf());
    expect(whole.quotePart.toFixed()).toBe('0.00000000001');
    expect(whole.basePart.toFixed()).toBe('0.000000001');
    expect([whole.value, whole.take, whole.make, whole.reserve].map(({ small }) => small)).toEqual([
      10_000, 25, 12, 10_025,
    ]);
    // 0.5 BTC at 61837.63: 30918.815 USDT, fee 77.2970375.
    expect(parts(6_183_763, 50_000, whole.value)).toBe(3_091_881_500_000_000);
    expect(parts(6_183_763, 50_000, whole.take)).toBe(7_729_703_750_000);
  });

  test('take the rates of an account, rebates among them', () => {
    const rates = { takeRate: decimal('0.001'), makeRate: decimal('-0.00005') };
    const whole = wholeFunds(instrumentOf(), rates);
    expect(whole.make).toEqual({ small: -5, large: -5n });
    expect(whole.reserve).toEqual({ small: 100_100, large: 100_100n });
    expect(parts(0, 5, whole.make)).toBe(0);
  });

  test('a factor beyond 2^53 has no number form, and amounts are BigInts', () => {
    const whole = wholeFunds(instrumentOf({ takeRate: '0.000000000000000001', makeRate: '0' }));
    expect(whole.value.small).toBeNaN();
    expect(whole.take).toEqual({ small: 1, large: 1n });
    expect(parts(2, 3, whole.value)).toBe(6n * 10n ** 18n);
    expect(new Decimal(whole.quotePart).toFixed()).toBe(`0.${'0'.repeat(24)}1`);
  });
});
