import { backtest, parameterSearch } from 'millrace/backtest';

// A loop of your own: the search proposes the sets, and this program runs them.

const search = parameterSearch({
  vary: { fast: '3..9', slow: [12, 24, 48] },
  search: 'tpe',
  trials: 6,
});
for (let set = search.ask(); set !== undefined; set = search.ask()) {
  const { metrics } = await backtest({
    strategy: 'ema-cross',
    parameters: set.parameters,
    recordings: ['config/sample/BTCUSDT.arrow'],
    balances: { USDT: '10000' },
  });
  search.report(set.index, Number(metrics.profit));
  console.log(set.index, set.parameters, metrics.profit);
}
