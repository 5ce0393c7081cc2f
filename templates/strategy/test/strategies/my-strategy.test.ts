import assert from 'node:assert/strict';
import { test } from 'node:test';
import { target } from 'millrace';
import { at, replay } from 'millrace/testing';
import strategy from '../../strategies/my-strategy.ts';

test('my-strategy buys when the fast average crosses above the slow one, and sells below', () => {
  const run = replay(strategy, { period: 'M5', fast: 2, slow: 3 });
  assert.deepEqual(run.candles('M5', [10, 10, 10, 12, 9]), [
    at('00:20', target('BTCUSDT', 0.5)),
    at('00:25', target('BTCUSDT', 0)),
  ]);
});

test('my-strategy is silent while its averages are equal', () => {
  const run = replay(strategy, { fast: 2, slow: 3 });
  assert.deepEqual(run.candles('M1', [10, 10, 10, 10, 10]), []);
});

test('my-strategy rejects a slow average that is not slower', () => {
  const run = replay(strategy, { fast: 8, slow: 8 });
  assert.throws(() => run.candles('M1', [10]), /expected more candles than fast/);
});
