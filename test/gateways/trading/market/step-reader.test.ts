import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { StepReader } from '../../../../src/gateways/trading/market/step-reader.ts';
import { lotReader, tickReader } from '../../../../src/gateways/trading/market/step-reader.ts';
import { Decimal, parseDecimal } from '../../../../src/model/decimal.ts';
import type { MillraceError } from '../../../../src/model/errors.ts';
import { Instrument } from '../../../../src/model/instrument.ts';

const instrumentOf = (tickSize: string, quantityIncrement = '0.00001'): Instrument =>
  new Instrument({
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize,
    quantityIncrement,
    takeRate: '0',
    makeRate: '0',
    feeCurrency: 'USDT',
  });

const silent = (warning: MillraceError): void => {
  throw warning;
};

const STEPS = ['0.01', '1', '0.5', '0.25', '10', '2500', '0.00000001', '0.000000000000000001'];

/** What a number of steps must be, by decimals alone; undefined off the grid and beyond 2^53. */
function exactly(text: string, step: string): number | undefined {
  const value = parseDecimal(text);
  if (value === undefined || value.isNegative()) return undefined;
  const count = value.div(new Decimal(step));
  return count.isInteger() && count.lessThanOrEqualTo(Number.MAX_SAFE_INTEGER)
    ? count.toNumber()
    : undefined;
}

describe('a reader of prices', () => {
  test.each([
    ['61837.63', '0.01', 6_183_763],
    ['61837.6300', '0.01', 6_183_763],
    ['61837', '0.01', 6_183_700],
    ['0', '0.01', 0],
    ['0.00', '0.01', 0],
    ['007.5', '0.5', 15],
    ['90071992547409.91', '0.01', Number.MAX_SAFE_INTEGER],
    ['9007199254740991', '1', Number.MAX_SAFE_INTEGER],
    ['0.000000000000000003', '0.000000000000000001', 3],
    ['1e-2', '0.01', 1],
    ['+1.25', '0.25', 5],
    ['5000', '2500', 2],
  ])('%s in steps of %s is %d', (text, step, steps) => {
    expect(tickReader(instrumentOf(step), silent).read(text)).toBe(steps);
  });

  test.each(['', '.', '1.', '.5', '-1', '1,5', 'abc', ' 1', '1 ', '0x10', 'NaN', '1.2.3', '١'])(
    '%j is no number',
    (text) => {
      expect(tickReader(instrumentOf('0.01'), silent).read(text)).toBeNaN();
    },
  );

  test.each([undefined, null, {}, [], true])('%j is no number either', (given) => {
    expect(tickReader(instrumentOf('0.01'), silent).read(given)).toBeNaN();
  });

  it('reads a number without quotes as long as it has no more digits than a double holds', () => {
    const reader = tickReader(instrumentOf('0.01'), silent);
    expect(reader.read(61_837.63)).toBe(6_183_763);
    expect(reader.read(1_234_567_890_123.456)).toBeNaN();
  });

  test.each(['90071992547409.92', '90071992547409920', '1e30'])(
    '%s is beyond 2^53 ticks of 0.01 and no number',
    (text) => {
      expect(tickReader(instrumentOf('0.01'), silent).read(text)).toBeNaN();
    },
  );

  it('rounds what is off the grid to the nearest tick, a half towards zero, and warns once', () => {
    const warnings: MillraceError[] = [];
    const reader = tickReader(instrumentOf('0.01'), (warning) => warnings.push(warning));
    expect(reader.read('1.005')).toBe(100);
    expect(reader.read('1.0051')).toBe(101);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ code: 'off-grid', field: 'price' });
    expect(warnings[0]?.message).toContain('BTCUSDT, 1.005, that is no multiple of 0.01');
  });

  it('never takes a quantity above zero for zero, as that would delete a level', () => {
    const warnings: MillraceError[] = [];
    const reader = lotReader(instrumentOf('0.01', '0.1'), (warning) => warnings.push(warning));
    expect(reader.read('0.0001')).toBe(1);
    expect(reader.read('0.26')).toBe(3);
    expect(reader.read('0.0000')).toBe(0);
    expect(warnings.map(({ field }) => field)).toEqual(['quantity']);
  });

  it('reads every decimal text just as decimals do', () => {
    const digits = fc.stringMatching(/^\d{1,18}$/);
    const text = fc.oneof(
      digits,
      fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
      fc.tuple(fc.bigInt(0n, 10n ** 16n), fc.nat(17)).map(([units, places]) => {
        const padded = String(units).padStart(places + 1, '0');
        return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
      }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...STEPS), (given, step) => {
        const warned: unknown[] = [];
        const reader: StepReader = tickReader(instrumentOf(step), (warning) =>
          warned.push(warning),
        );
        const read = reader.read(given);
        const expected = exactly(given, step);
        if (expected === undefined) expect(Number.isNaN(read) || warned.length === 1).toBe(true);
        else expect([read, warned]).toEqual([expected, []]);
      }),
      { seed: 20_260_105, numRuns: 4_000 },
    );
  });

  it('reads back every whole number of steps that is written in the usual way', () => {
    const steps = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(steps, fc.constantFrom(...STEPS), (count, step) => {
        const text = new Decimal(step).times(count).toFixed();
        expect(tickReader(instrumentOf(step), silent).read(text)).toBe(count);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
});
