import assert from 'node:assert/strict';
import { test } from 'node:test';
import { myIndicator } from '../../indicators/my-indicator.ts';

test('my-indicator is the mean range of the last candles, and silent before', () => {
  const next = myIndicator(2)();
  const candles = [
    { highTicks: 12, lowTicks: 10 },
    { highTicks: 16, lowTicks: 12 },
    { highTicks: 20, lowTicks: 14 },
  ];
  assert.deepEqual(
    candles.map((candle) => next(candle)),
    [undefined, 3, 5],
  );
});

test('my-indicator starts again in each run', () => {
  const length = myIndicator(1);
  assert.equal(length()({ highTicks: 12, lowTicks: 10 }), 2);
  assert.equal(length()({ highTicks: 16, lowTicks: 10 }), 6);
});
