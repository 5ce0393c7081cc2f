import { describe, expect, test } from 'vitest';
import { target } from 'millrace';
import { at, replay } from 'millrace/testing';
import emaCross from '../../strategies/ema-cross.ts';

describe('ema-cross', () => {
  test('goes long when the fast average rises above the slow one, and out when it falls below', () => {
    // Averages after 12: 11.33 and 11. After 9: 9.78 and 10.
    expect(
      replay(emaCross, { fast: 2, slow: 3, period: 'M5' }).candles('M5', [10, 10, 10, 12, 9]),
    ).toEqual([at('00:20', target('BTCUSDT', 0.5)), at('00:25', target('BTCUSDT', 0))]);
  });

  test('says nothing while the averages are equal or not warm', () => {
    const run = replay(emaCross, { fast: 2, slow: 3 });
    expect(run.candles('M1', [10, 12])).toEqual([]);
    expect(run.candles('M1', [10, 10, 10, 10, 10])).toEqual([]);
  });

  test('says where it stands as soon as it is warm, and then only what changes', () => {
    expect(replay(emaCross, { fast: 2, slow: 3 }).candles('M1', [10, 9, 8, 7, 6, 5])).toEqual([
      at('00:03', target('BTCUSDT', 0)),
    ]);
  });

  test('trades the configured symbol, candles and share', () => {
    const parameters = { symbol: 'ETHBTC', period: 'H1', fast: 2, slow: 3, share: 0.25 } as const;
    const instrument = { symbol: 'ETHBTC', baseCurrency: 'ETH', quoteCurrency: 'BTC' };
    const run = replay(emaCross, parameters, { instrument: { ...instrument, feeCurrency: 'BTC' } });
    expect(run.candles('H1', [10, 11, 12])).toEqual([at('03:00', target('ETHBTC', 0.25))]);
  });

  test('builds its candles from trades where the feed has none', () => {
    expect(
      replay(emaCross, { fast: 2, slow: 3 }).trades([
        ['00:00:10', 10],
        ['00:01:10', 10],
        ['00:02:10', 9],
        ['00:02:50', 12],
        ['00:03:01', 12],
      ]),
    ).toEqual([at('00:03', target('BTCUSDT', 0.5))]);
  });

  test('refuses a slow average that is not slower', () => {
    expect(() => replay(emaCross, { fast: 8, slow: 8 }).candles('M1', [1])).toThrow(
      'expected more candles than fast has',
    );
  });
});
