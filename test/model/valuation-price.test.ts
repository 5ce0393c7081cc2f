import { expect, test } from 'vitest';
import { ValuationPrice } from '../../src/model/valuation-price.ts';
import { instrumentOf } from '../kit/instruments.ts';

const instrument = instrumentOf({ tickSize: '0.01' });

test('the middle of the best quote counts until there is a candle or a trade, and is exact', () => {
  const value = new ValuationPrice();
  expect(value.price(instrument)).toBeUndefined();
  expect(value.quote(Number.NaN, 103)).toBe(false);
  expect(value.quote(100, 103)).toBe(true);
  expect(value.price(instrument)?.toFixed()).toBe('1.015');
  expect(value.quote(100, 103)).toBe(false);
  // A side is empty: the middle before stands.
  expect(value.quote(90, Number.NaN)).toBe(false);
  expect(value.halfTicks).toBe(203);
  expect(value.candle(110)).toBe(true);
  expect(value.quote(100, 103)).toBe(false);
  expect(value.price(instrument)?.toFixed()).toBe('1.1');
});

test('a trade counts from the first one on, whatever candles and quotes say', () => {
  const value = new ValuationPrice();
  value.candle(110);
  expect(value.trade(120)).toBe(true);
  expect(value.trade(120)).toBe(false);
  expect(value.candle(115)).toBe(false);
  expect(value.quote(1, 2)).toBe(false);
  expect(value.halfTicks).toBe(240);
});
