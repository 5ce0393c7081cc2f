import { report, walkForward } from 'millrace/backtest';

// Each set is chosen in a window of training and trades in the test after it.

const result = await walkForward({
  backtest: {
    strategy: 'ema-cross',
    recordings: ['config/sample/BTCUSDT.arrow'],
    balances: { USDT: '10000' },
  },
  vary: { fast: [3, 6] },
  objective: 'profit',
  train: '3h',
  test: '2h',
  gap: '10m',
});
const { folds, stitched, stability, efficiency } = result;
for (const { test, chosen, rank, ranked } of folds) {
  console.log(test.from, chosen?.parameters, rank, 'of', ranked);
}
console.log(stitched.totalReturn, stitched.maxDrawdown, efficiency, stability);
report(result, 'walk-forward.html');
