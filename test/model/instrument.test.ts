import { Decimal as PlainDecimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { lots, ticks, type Lots, type Rounding, type Ticks } from '../../src/model/units.ts';
import { count, Exact, signedText, stepText } from '../kit/exact.ts';
import { instrumentOf } from '../kit/instruments.ts';

const PLACES = 40;

/** A decimal text as a whole number of 1e-40. */
const units = (text: string): bigint => BigInt(new Exact(text).times(`1e${PLACES}`).toFixed());

/** Steps in a value by long division on BigInts: an implementation of rounding of its own. */
function naiveCount(text: string, step: string, rounding: Rounding): bigint {
  const value = units(text);
  const size = units(step);
  const truncated = value / size;
  const rest = value % size;
  if (rest === 0n) return truncated;
  const away = truncated + (value < 0n ? -1n : 1n);
  if (rounding === 'down') return value < 0n ? away : truncated;
  if (rounding === 'up') return value < 0n ? truncated : away;
  const twice = 2n * (rest < 0n ? -rest : rest);
  return twice > size ? away : truncated;
}

const safe = (value: bigint): boolean =>
  value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);

describe('from whole ticks and lots to decimals', () => {
  test('prices, sizes and values are exact for hostile steps', () => {
    fc.assert(
      fc.property(stepText, stepText, count, count, (tickSize, quantityIncrement, t, l) => {
        const instrument = instrumentOf({ tickSize, quantityIncrement });
        const price = new Exact(tickSize).times(t);
        const size = new Exact(quantityIncrement).times(l);
        expect(instrument.price(ticks(t)).toFixed()).toBe(price.toFixed());
        expect(instrument.size(lots(l)).toFixed()).toBe(size.toFixed());
        expect(instrument.value(ticks(t), lots(l)).toFixed()).toBe(price.times(size).toFixed());
      }),
    );
  });

  test('1e-18 ticks with 1e15 quantities keep every digit', () => {
    const instrument = instrumentOf({ tickSize: '1e-18', quantityIncrement: '1e-18' });
    expect(instrument.price(ticks(1)).toFixed()).toBe('0.000000000000000001');
    expect(instrument.value(ticks(1e15 - 1), lots(Number.MAX_SAFE_INTEGER)).toFixed()).toBe(
      new Exact(1e15 - 1).times(Number.MAX_SAFE_INTEGER).times('1e-36').toFixed(),
    );
  });

  test('no negative zero comes out', () => {
    const instrument = instrumentOf();
    const zeros = [
      instrument.price(-0 as Ticks),
      instrument.size(-0 as Lots),
      instrument.value(ticks(-5), lots(0)),
      instrument.value(ticks(0), lots(-5)),
    ];
    for (const zero of zeros) expect(Object.is(zero.toNumber(), 0)).toBe(true);
  });

  test('the NaN price of an empty side is an error, not a decimal', () => {
    const instrument = instrumentOf();
    const outOfRange = expect.objectContaining({ code: 'out-of-range' });
    expect(() => instrument.price(Number.NaN as Ticks)).toThrow(outOfRange);
    expect(() => instrument.size(0.5 as Lots)).toThrow(outOfRange);
    expect(() => instrument.value(ticks(1), (2 ** 53) as Lots)).toThrow(outOfRange);
  });
});

describe('from decimals to whole ticks and lots', () => {
  const rounding = fc.constantFrom<Rounding>('down', 'up', 'near');

  test('every rounding agrees with long division on BigInts', () => {
    fc.assert(
      fc.property(signedText, stepText, rounding, (text, step, mode) => {
        const instrument = instrumentOf({ tickSize: step, quantityIncrement: step });
        const expected = naiveCount(text, step, mode);
        const value = decimal(text);
        if (safe(expected)) {
          expect(instrument.ticks(value, mode)).toBe(Number(expected));
          expect(instrument.lots(value, mode)).toBe(Number(expected));
        } else {
          const outOfRange = expect.objectContaining({ code: 'out-of-range' });
          expect(() => instrument.ticks(value, mode)).toThrow(outOfRange);
          expect(() => instrument.lots(value, mode)).toThrow(outOfRange);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('exactly: the count on the grid, nothing off it', () => {
    fc.assert(
      fc.property(signedText, stepText, (text, step) => {
        const instrument = instrumentOf({ tickSize: step, quantityIncrement: step });
        const onGrid = units(text) % units(step) === 0n;
        const expected = units(text) / units(step);
        const answer = onGrid && safe(expected) ? Number(expected) : undefined;
        expect(instrument.ticksExactly(decimal(text))).toBe(answer);
        expect(instrument.lotsExactly(decimal(text))).toBe(answer);
      }),
      { numRuns: 500 },
    );
  });

  test('without a rounding: the count on the grid, as text too, and a sentence off it', () => {
    fc.assert(
      fc.property(signedText, stepText, (text, step) => {
        const instrument = instrumentOf({ tickSize: step, quantityIncrement: step });
        const answers = [
          () => instrument.ticks(text),
          () => instrument.ticks(decimal(text)),
          () => instrument.lots(text),
        ];
        const expected = units(text) / units(step);
        const code = safe(naiveCount(text, step, 'near')) ? 'off-grid' : 'out-of-range';
        for (const answer of answers) {
          if (units(text) % units(step) === 0n && safe(expected)) {
            expect(answer()).toBe(Number(expected));
          } else expect(answer).toThrow(expect.objectContaining({ code }));
        }
      }),
      { numRuns: 500 },
    );
    const instrument = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.00001' });
    expect(() => instrument.lots('0.010001')).toThrow(
      'The quantity 0.010001 is no multiple of 0.00001; the nearest are 0.01 and 0.01001.',
    );
    expect(() => instrument.ticks('ten')).toThrow('price: "ten" is not a decimal number');
  });

  test('a price made of ticks is those ticks again, in every rounding', () => {
    fc.assert(
      fc.property(stepText, count, rounding, (tickSize, t, mode) => {
        const instrument = instrumentOf({ tickSize });
        const price = instrument.price(ticks(t));
        expect(instrument.ticksExactly(price)).toBe(t);
        expect(instrument.ticks(price, mode)).toBe(t);
      }),
    );
  });

  test('near the step: a last digit 40 places down decides', () => {
    const instrument = instrumentOf({ tickSize: '1' });
    const half = decimal('0.5');
    const above = half.plus(decimal('1e-40'));
    expect(instrument.ticks(half, 'near')).toBe(0);
    expect(instrument.ticks(above, 'near')).toBe(1);
    expect(instrument.ticks(half.negated(), 'near')).toBe(0);
    expect(instrument.ticks(above.negated(), 'near')).toBe(-1);
    expect(instrument.ticksExactly(decimal('1').plus(decimal('1e-40')))).toBeUndefined();
  });

  test('a tie survives more digits than decimal.js keeps', () => {
    const instrument = instrumentOf({ tickSize: '1' });
    const hair = new Exact('0.5').plus('1e-900');
    expect(instrument.ticks(hair, 'near')).toBe(1);
    expect(instrument.ticksExactly(new Exact('1').plus('1e-900'))).toBeUndefined();
  });

  test('decimals of another precision are taken whole', () => {
    const Coarse = PlainDecimal.clone({ precision: 3 });
    const instrument = instrumentOf({ tickSize: '0.01' });
    expect(instrument.ticks(new Coarse('61837.639'), 'down')).toBe(6183763);
    expect(instrument.ticksExactly(new Coarse('61837.63'))).toBe(6183763);
    expect(instrument.ticksExactly(new Coarse('61837.639'))).toBeUndefined();
  });

  test.each(['down', 'up', 'near'] as const)('no negative zero comes out of %s', (mode) => {
    const instrument = instrumentOf({ tickSize: '1' });
    const results = ['-0.4', '0.4', '-0.6', '-0'].map((text) =>
      instrument.ticks(decimal(text), mode),
    );
    for (const result of results) expect(Object.is(result, -0)).toBe(false);
    expect(Object.is(instrument.ticksExactly(new Decimal(-0)), 0)).toBe(true);
  });

  test.each(['Infinity', '-Infinity', 'NaN', '1e9000', '-1e9000000000'])(
    'a decimal of %s is out of range at once',
    (text) => {
      const instrument = instrumentOf();
      const value = new Decimal(text);
      expect(() => instrument.ticks(value, 'near')).toThrow(
        expect.objectContaining({ code: 'out-of-range' }),
      );
      expect(instrument.ticksExactly(value)).toBeUndefined();
    },
  );

  test('2^53 - 1 ticks are the last', () => {
    const instrument = instrumentOf({ tickSize: '1e-18' });
    const last = instrument.price(ticks(Number.MAX_SAFE_INTEGER));
    expect(last.toFixed()).toBe('0.009007199254740991');
    expect(instrument.ticks(last, 'near')).toBe(Number.MAX_SAFE_INTEGER);
    const beyond = last.plus(decimal('1e-19'));
    expect(() => instrument.ticks(beyond, 'near')).toThrow(
      '0.0090071992547409911 is not within ±9007199254740991 ticks of 0.000000000000000001.',
    );
    expect(instrument.ticksExactly(last.plus(decimal('1e-18')))).toBeUndefined();
  });
});

describe('terms', () => {
  test('are kept as given, and frozen', () => {
    const instrument = instrumentOf();
    expect(instrument.symbol).toBe('BTCUSDT');
    expect(instrument.baseCurrency).toBe('BTC');
    expect(instrument.quoteCurrency).toBe('USDT');
    expect(instrument.tickValue.toFixed()).toBe('0.0000001');
    expect(Object.isFrozen(instrument.terms)).toBe(true);
  });

  test.each<[Partial<InstrumentTerms>, string]>([
    [{ tickSize: '0' }, 'tickSize'],
    [{ tickSize: '-0.01' }, 'tickSize'],
    [{ tickSize: '0x10' }, 'tickSize'],
    [{ quantityIncrement: '' }, 'quantityIncrement'],
    [{ quantityIncrement: 'Infinity' }, 'quantityIncrement'],
    [{ takeRate: '1' }, 'takeRate'],
    [{ takeRate: 'NaN' }, 'takeRate'],
    [{ makeRate: '-1' }, 'makeRate'],
    [{ feeCurrency: 'EUR' }, 'feeCurrency'],
    [{ contractSize: '100' }, 'contractSize'],
    [{ settlement: 'inverse' }, 'settlement'],
    [{ type: 'futures', contractSize: '0' }, 'contractSize'],
    [{ type: 'futures', settlement: 'backwards' as never }, 'settlement'],
    [{ symbol: '' }, 'symbol'],
    [{ baseCurrency: '' }, 'baseCurrency'],
    [{ quoteCurrency: '' }, 'quoteCurrency'],
    [{ quoteCurrency: 'BTC' }, 'quoteCurrency'],
  ])('%j contradict themselves', (terms, field) => {
    expect(() => instrumentOf(terms)).toThrow(
      expect.objectContaining({ code: 'instrument-invalid', field }),
    );
  });

  test('a rebate and a fee in the base currency are possible', () => {
    const instrument = instrumentOf({ makeRate: '-0.0001', feeCurrency: 'BTC' });
    expect(instrument.makeRate.toFixed()).toBe('-0.0001');
  });
});

test('amounts of lots and values are those of the decimals', () => {
  const instrument = instrumentOf({ tickSize: '0.05', quantityIncrement: '0.002' });
  expect(instrument.sizeAmount(lots(7)).toFixed()).toBe(instrument.size(lots(7)).toFixed());
  expect(instrument.valueAmount(ticks(3), lots(7)).toFixed()).toBe(
    instrument.value(ticks(3), lots(7)).toFixed(),
  );
  expect(instrument.minNotional).toBeUndefined();
  expect(instrumentOf({ minNotional: '2.50' }).minNotional?.toFixed()).toBe('2.5');
});

test('a name with a sign that is not seen is refused', () => {
  expect(() => instrumentOf({ symbol: 'BTC\u202eUSDT' })).toThrow(
    expect.objectContaining({ code: 'instrument-invalid', field: 'symbol' }),
  );
});

test('a number off the grid or beyond it names its field', () => {
  const instrument = instrumentOf({ tickSize: '0.05' });
  expect(() => instrument.ticks(decimal('0.07'))).toThrow(
    expect.objectContaining({ code: 'off-grid', field: 'price' }),
  );
  expect(() => instrument.ticks(decimal('1e30'))).toThrow(
    expect.objectContaining({ code: 'out-of-range', field: 'ticks' }),
  );
});
