import { describe, expect, test } from 'vitest';
import { cancelAll, place } from 'millrace';
import { at, replay, type TestLevel } from 'millrace/testing';
import bookImbalance from '../../strategies/book-imbalance.ts';

const PARAMETERS = { levels: 2, threshold: 0.5, quantity: '0.0001' };

/** Books with these sizes at 100.00 and 100.10, and a third level that is not weighed. */
const book = (time: string, bidSize: number, askSize: number) =>
  [
    time,
    [
      [100, bidSize / 2],
      [99, bidSize / 2],
      [98, 1_000],
    ],
    [
      ['100.10', askSize / 2],
      [101, askSize / 2],
      [102, 5_000],
    ],
  ] as const satisfies readonly [string, readonly TestLevel[], readonly TestLevel[]];

const buy = (lots: number) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 10_000, lots, postOnly: true });
const sell = (lots: number) =>
  place('BTCUSDT', { type: 'limit', side: 'sell', ticks: 10_010, lots, postOnly: true });

const replayHolding = (btc: string) =>
  replay(bookImbalance, PARAMETERS, { balances: { USDT: '10000', BTC: btc } });

describe('book-imbalance', () => {
  test('joins the best bid when far more is bid than offered', () => {
    // (3 - 1) / (3 + 1) is the threshold itself.
    expect(replayHolding('0').book([book('00:01', 2.9, 1), book('00:02', 3, 1)])).toEqual([
      at('00:02', cancelAll('BTCUSDT')),
      at('00:02', buy(10)),
    ]);
  });

  test('asks once, for as long as the weight has not turned', () => {
    expect(
      replayHolding('0').book([
        book('00:01', 9, 1),
        book('00:02', 1, 1),
        book('00:03', 8, 1),
        book('00:04', 1, 2.9),
      ]),
    ).toHaveLength(2);
  });

  test('offers what it holds when the weight turns, and withdraws its bid', () => {
    expect(replayHolding('0.00004').book([book('00:01', 9, 1), book('00:02', 1, 9)])).toEqual([
      at('00:01', cancelAll('BTCUSDT')),
      at('00:01', buy(6)),
      at('00:02', cancelAll('BTCUSDT')),
      at('00:02', sell(4)),
    ]);
  });

  test('only withdraws when there is nothing left to do', () => {
    expect(replayHolding('0').book([book('00:01', 1, 9)])).toEqual([
      at('00:01', cancelAll('BTCUSDT')),
    ]);
    expect(replayHolding('0.0001').book([book('00:01', 9, 1)])).toEqual([
      at('00:01', cancelAll('BTCUSDT')),
    ]);
  });

  test('keeps still while a side of the book is empty', () => {
    expect(replayHolding('0').book([['00:01', [[100, 5]], []]])).toEqual([]);
  });
});
