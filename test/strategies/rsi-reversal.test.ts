import { describe, expect, test } from 'vitest';
import { flat, place } from 'millrace';
import { at, replay } from 'millrace/testing';
import rsiReversal from '../../strategies/rsi-reversal.ts';

const PARAMETERS = { length: 2, period: 'M5' } as const;
const BUY = place('BTCUSDT', { type: 'market', side: 'buy', quantity: '0.01' });

describe('rsi-reversal', () => {
  test('buys what fell, once, and leaves when it has risen', () => {
    const run = replay(rsiReversal, PARAMETERS, { fills: true });
    expect(run.candles('M5', [100, 99.5, 99, 98.9, 101, 102])).toEqual([
      at('00:15', BUY),
      at('00:25', flat('BTCUSDT')),
    ]);
  });

  test('gives up when the price has lost too much', () => {
    const run = replay(rsiReversal, PARAMETERS, { fills: true });
    expect(run.candles('M5', [100, 99.5, 99, 97.1, 97, 90])).toEqual([
      at('00:15', BUY),
      at('00:25', flat('BTCUSDT')),
      at('00:30', BUY),
    ]);
  });

  test('says nothing before the index is warm', () => {
    expect(replay(rsiReversal, { ...PARAMETERS, length: 5 }).candles('M5', [5, 4, 3])).toEqual([]);
  });

  test('refuses a high that is not above the low', () => {
    expect(() => replay(rsiReversal, { low: 50, high: 50 }).candles('M5', [1])).toThrow(
      'expected more than low is',
    );
  });
});
