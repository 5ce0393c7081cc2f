import { expect, test } from 'vitest';
import { priceAmount, priceOf, Prices } from '../../src/model/prices.ts';
import type { Ticks } from '../../src/model/units.ts';
import { instrumentOf } from '../kit/instruments.ts';

const NOTHING = Number.NaN as Ticks;
const instrument = instrumentOf({ tickSize: '0.01' });

/** Prices beside a best that a test sets; NaN for an empty side. */
function pricesWith() {
  const best = { bidTicks: NOTHING, askTicks: NOTHING, stale: true };
  const prices = new Prices(best);
  const show = (bidTicks: number, askTicks: number, stale = false): boolean => {
    Object.assign(best, { bidTicks, askTicks, stale });
    return prices.bestChanged();
  };
  const all = (): readonly number[] => [
    prices.valuation,
    prices.reference,
    prices.touch('buy'),
    prices.touch('sell'),
  ];
  return { prices, show, all };
}

test('the middle of the best quote is the valuation until there is a candle or a trade, and is exact', () => {
  const { prices, show } = pricesWith();
  expect(priceOf(instrument, prices.valuation)).toBeUndefined();
  expect(priceAmount(instrument, prices.valuation)).toBeUndefined();
  expect(show(Number.NaN, 103)).toBe(false);
  expect(show(100, 103)).toBe(true);
  expect(priceOf(instrument, prices.valuation)?.toFixed()).toBe('1.015');
  expect(priceAmount(instrument, prices.valuation)?.toDecimal().toFixed()).toBe('1.015');
  expect(show(100, 103)).toBe(false);
  // A side is empty: the middle before stands.
  expect(show(90, Number.NaN)).toBe(false);
  expect(prices.valuation).toBe(203);
  // They are stale: so it does.
  expect(show(90, 95, true)).toBe(false);
  expect(prices.candle(110)).toBe(true);
  expect(show(100, 103)).toBe(false);
  expect(priceOf(instrument, prices.valuation)?.toFixed()).toBe('1.1');
});

test('a trade is the valuation from the first one on, whatever candles and quotes say', () => {
  const { prices, show } = pricesWith();
  prices.candle(110);
  expect(prices.trade(120)).toBe(true);
  expect(prices.trade(120)).toBe(false);
  expect(prices.candle(115)).toBe(false);
  expect(show(1, 2)).toBe(false);
  expect(prices.valuation).toBe(240);
});

test('once trades have ended the next candle is the valuation again', () => {
  const { prices, show } = pricesWith();
  prices.trade(120);
  prices.tradesEnded();
  expect(show(1, 2)).toBe(false);
  expect(prices.valuation).toBe(240);
  expect(prices.candle(115)).toBe(true);
});

test('what the valuation follows is known', () => {
  const { prices, show } = pricesWith();
  const followed = () => [prices.hasPrinted, prices.followsTrades];
  show(100, 103);
  expect(followed()).toEqual([false, false]);
  prices.candle(110);
  expect(followed()).toEqual([true, false]);
  prices.trade(110);
  expect(followed()).toEqual([true, true]);
  prices.tradesEnded();
  expect(followed()).toEqual([true, false]);
});

test('trades that end before there was one leave it to quotes', () => {
  const { prices, show } = pricesWith();
  prices.tradesEnded();
  expect(prices.hasPrinted).toBe(false);
  expect(show(100, 102)).toBe(true);
  expect(priceAmount(instrument, prices.valuation)?.toFixed()).toBe('1.01');
});

test('reference and touch are those of the best bid and ask, and where they are not known the valuation', () => {
  const { prices, show, all } = pricesWith();
  expect(all()).toEqual([NaN, NaN, NaN, NaN]);
  prices.trade(110);
  expect(all()).toEqual([220, 220, 220, 220]);
  show(100, 103);
  expect(all()).toEqual([220, 203, 206, 200]);
  // One side shows where the market is not, and nothing to take on the other.
  show(100, Number.NaN);
  expect(all()).toEqual([220, 220, NaN, 200]);
  show(Number.NaN, Number.NaN);
  expect(all()).toEqual([220, 220, 220, 220]);
  show(100, 103, true);
  expect(all()).toEqual([220, 220, 220, 220]);
});
