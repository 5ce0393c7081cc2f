import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../../src/model/decimal.ts';
import { Instrument } from '../../../../src/model/instrument.ts';
import { tickReader } from '../../../../src/gateways/trading/market/step-reader.ts';
import { SPOT } from '../../../exchange/margin/kit.ts';

const steps = fc.constantFrom('0.01', '0.00000001', '0.5', '0.25', '1', '5', '0.000025', '1000');

test('a float that a venue text was rounded to is read as the steps of that text', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 2 ** 51 - 1 }), (tickSize, count) => {
      const instrument = new Instrument({ ...SPOT, tickSize });
      const text = new Decimal(tickSize).times(count).toFixed();
      const reader = tickReader(instrument, () => undefined);
      // A step of more than one unit has fewer counts that a float tells apart.
      const isExact = new Decimal(text)
        .div(`1e-${instrument.tickSize.decimalPlaces()}`)
        .lt(2 ** 51);
      if (isExact) expect(reader.read(Number(text))).toBe(count);
    }),
  );
});

test('a float off the grid is rounded with a warning, and one of too many digits is none', () => {
  const warned: string[] = [];
  const instrument = new Instrument({ ...SPOT, tickSize: '0.01' });
  const reader = tickReader(instrument, ({ message }) => void warned.push(message));
  expect(reader.read(0.1 + 0.2)).toBeNaN();
  expect(reader.read(1.005)).toBe(100);
  expect(warned).toHaveLength(1);
});
