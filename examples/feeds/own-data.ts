import { backtest } from 'millrace/backtest';
import { writeRecording, type CandleEvent } from 'millrace/feeds';

const instrument = {
  symbol: 'ETHUSDT',
  type: 'spot' as const,
  baseCurrency: 'ETH',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.0001',
  takeRate: '0.001',
  makeRate: '0.001',
  feeCurrency: 'USDT',
};

function* candles(): Generator<CandleEvent> {
  const start = Date.UTC(2026, 0, 1) * 1_000;
  for (let minute = 0; minute < 600; minute += 1) {
    const exchangeAt = start + minute * 60_000_000;
    const price = (3_000 + 50 * Math.sin(minute / 40)).toFixed(2);
    const numbers = { open: price, high: price, low: price, close: price, volume: '12.5' };
    yield { kind: 'candle', exchangeAt, receivedAt: exchangeAt + 60_000_000, ...numbers };
  }
}

const about = { instrument, period: '1m' as const, synthetic: true };
await writeRecording('waves.arrow', about, candles());
const run = await backtest({
  strategy: 'ema-cross',
  parameters: { symbol: 'ETHUSDT', fast: 5, slow: 20 },
  recordings: ['waves.arrow'],
  balances: { USDT: '10000' },
});
console.log(run.metrics.events, run.series.fills.length);
