import { micros, US_PER_HOUR } from '../../platform/time.ts';
import type { MarketOptions } from '../generator.ts';

/** What the sample that comes with Millrace is made of. */
export const SAMPLE: MarketOptions = {
  seed: 20240304,
  instrument: {
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
    takeRate: '0.0025',
    makeRate: '0.0012',
    feeCurrency: 'USDT',
  },
  startAt: micros(Date.UTC(2024, 2, 4) * 1_000),
  durationUs: 8 * US_PER_HOUR,
};
