import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';

/** A spot instrument like the trading service's sample symbol, with the terms that matter changed. */
export const instrumentOf = (terms: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
    takeRate: '0.0025',
    makeRate: '0.0012',
    feeCurrency: 'USDT',
    ...terms,
  });
