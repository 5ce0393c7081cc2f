import { expect, test } from 'vitest';
import { assumptionsOf, warningsOf, type Circumstances } from '../../src/backtest/assumptions.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { walkedResult } from '../kit/backtest-result.ts';

const result = walkedResult({ minutes: 10 });
const [recording] = result.recordings;

const run = (stopSymbols: readonly string[], trades: number, candles = 0): Circumstances => ({
  instruments: [instrumentOf()],
  recordings: [{ ...recording, trades, candles }],
  latency: { orderUs: 0, reportUs: 0 },
  equityCurrency: 'USDT',
  sampleUs: 1_000_000,
  stopSymbols: new Set(stopSymbols),
});

const warned = (circumstances: Circumstances): boolean =>
  warningsOf(circumstances, result.metrics, result.orders, []).some((one) =>
    one.includes("only the strategy's own trades trigger its stop orders"),
  );

test('a run with stop orders is warned of where no trade can trigger them, and no other', () => {
  expect(warned(run(['BTCUSDT'], 0))).toBe(true);
  expect(warned(run(['BTCUSDT'], 1))).toBe(false);
  expect(warned(run(['BTCUSDT'], 0, 1))).toBe(false);
  expect(warned(run([], 0))).toBe(false);
});

test('how stop orders are triggered is reported where there were some', () => {
  const reported = (circumstances: Circumstances): boolean =>
    assumptionsOf(circumstances).some((one) => one.startsWith('A stop or take-profit order'));
  expect(reported(run(['BTCUSDT'], 1))).toBe(true);
  expect(reported(run([], 1))).toBe(false);
});

test('how trailing stops move is reported where candles alone move them', () => {
  const reported = (trades: number, trailed: readonly string[]): boolean =>
    assumptionsOf({ ...run([], trades, 9), trailedSymbols: new Set(trailed) }).some((one) =>
      one.startsWith('A trailing stop of BTCUSDT stays where it is during a candle'),
    );
  expect(reported(0, ['BTCUSDT'])).toBe(true);
  expect(reported(1, ['BTCUSDT'])).toBe(false);
  expect(reported(0, [])).toBe(false);
});

test('orders, replacements, cancels and managed orders that were refused are counted apart', () => {
  const orders = {
    ...result.orders,
    sent: 246,
    rejected: 246,
    refusedCancels: 2,
    refusedManagedOrders: 1,
    rejections: { 'funds-insufficient': 246, 'order-unknown': 3 },
    firstRejections: { 'funds-insufficient': 'Too dear.', 'order-unknown': 'Not there.' },
  };
  expect(warningsOf(run([], 1), result.metrics, orders, [])).toContainEqual(
    'Refused were 246 orders by the venue, 2 cancels, 1 managed order: 246 funds-insufficient (the first: Too dear), 3 order-unknown (the first: Not there).',
  );
  const one = {
    ...orders,
    sent: 1,
    rejected: 1,
    refusedCancels: 0,
    refusedManagedOrders: 0,
  };
  expect(warningsOf(run([], 1), result.metrics, one, []).join()).toContain(
    'Refused was 1 order by the venue: ',
  );
  expect(warningsOf(run([], 1), result.metrics, result.orders, []).join()).not.toContain('Refused');
});
