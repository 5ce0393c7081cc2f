import { describe, expect, test } from 'vitest';
import type { Ticker } from '../../../src/exchange/market-data/ticker.ts';
import { micros, US_PER_DAY, US_PER_HOUR } from '../../../src/platform/time.ts';
import { Floor, instrumentOf } from '../kit.ts';

const START = 1_790_000_000_000_000;

function open(): { floor: Floor; ticker: () => Ticker } {
  const floor = new Floor([instrumentOf({ tickSize: '0.01', quantityIncrement: '0.001' })], {
    marketData: {},
  });
  floor.at = START;
  return {
    floor,
    ticker: () => {
      const found = floor.exchange.marketData?.ticker(0, micros(floor.at));
      if (found === undefined) throw new Error('There is no market data.');
      return found;
    },
  };
}

describe('the ticker', () => {
  test('has no prices before anything happened', () => {
    const { ticker } = open();
    const { bid, ask, lastTicks, lastId, openTicks, highTicks, lowTicks, changePercent } = ticker();
    expect([bid, ask, lastTicks, lastId, openTicks, highTicks, lowTicks, changePercent]).toEqual(
      Array.from({ length: 8 }, () => undefined),
    );
    expect(ticker().changeTicks).toBeUndefined();
    expect([ticker().volume, ticker().volumeQuote].map(String)).toEqual(['0', '0']);
  });

  test('has the trades of 24 hours, each until it is exactly 24 hours old', () => {
    const { floor, ticker } = open();
    floor.trade('buy', 10_000, 500);
    floor.at += US_PER_HOUR;
    floor.trade('sell', 9_000, 250);
    floor.at += US_PER_HOUR;
    floor.trade('sell', 9_500, 250);
    expect(ticker()).toMatchObject({ openTicks: 10_000, highTicks: 10_000, lowTicks: 9_000 });
    expect([ticker().volume, ticker().volumeQuote].map(String)).toEqual(['1', '96.25']);
    floor.pass(22 * US_PER_HOUR - 1);
    expect(ticker().volume.toFixed()).toBe('1');
    floor.pass(1);
    // It is the last one at or before then, so it is what the day opened with.
    expect(ticker()).toMatchObject({ openTicks: 10_000, highTicks: 9_500, lowTicks: 9_000 });
    expect([ticker().volume, ticker().volumeQuote].map(String)).toEqual(['0.5', '46.25']);
    floor.pass(US_PER_HOUR);
    expect(ticker()).toMatchObject({ openTicks: 9_000, highTicks: 9_500, lowTicks: 9_500 });
    expect(ticker().changeTicks).toBe(500);
    expect(ticker().changePercent?.toFixed()).toBe('5.5556');
  });

  test('keeps the last price as high and low where nothing was traded in 24 hours', () => {
    const { floor, ticker } = open();
    floor.trade('buy', 10_000, 500);
    floor.pass(3 * US_PER_DAY);
    expect(ticker()).toMatchObject({
      lastTicks: 10_000,
      openTicks: 10_000,
      highTicks: 10_000,
      lowTicks: 10_000,
      lastId: 1,
      changeTicks: 0,
      at: START + 3 * US_PER_DAY,
    });
    expect(ticker().volume.toFixed()).toBe('0');
  });

  test('shows the best prices of the published book, own orders among them', () => {
    const { floor, ticker } = open();
    const account = floor.account({ USDT: '5000' });
    floor.quote([9_900, 3], [10_100, 4]);
    floor.place(account, 'a', { side: 'buy', ticks: 9_950, lots: 7 });
    expect(ticker()).toMatchObject({
      bid: { ticks: 9_950, lots: 7 },
      ask: { ticks: 10_100, lots: 4 },
    });
  });

  test('reproduces the percentage of the published sample', () => {
    const { floor, ticker } = open();
    floor.trade('buy', 2_914_513, 1);
    floor.trade('buy', 2_997_915, 1);
    expect(ticker().changePercent?.toFixed()).toBe('2.8616');
  });
});
