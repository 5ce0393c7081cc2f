import {
  backtest,
  deflatedSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeMoments,
  stationaryBootstrap,
} from 'millrace/backtest';

const { series } = await backtest({
  strategy: 'ema-cross',
  recordings: ['config/sample/BTCUSDT.arrow'],
  balances: { USDT: '10000' },
});
const { equity } = series.equity;
const returns = Array.from(equity.subarray(1), (now, at) => now / equity[at] - 1);
const moments = sharpeMoments(returns);
console.log('above 0', probabilisticSharpe(moments));
console.log('deflated', deflatedSharpe(moments, { trials: 20, variance: 0.0004 }));
console.log('periods that it takes', minimumTrackRecord(moments, -1));
const draws = stationaryBootstrap(returns, (drawn) => sharpeMoments(drawn).sharpe, { draws: 200 });
console.log('95 % between', draws[5], draws[194]);
