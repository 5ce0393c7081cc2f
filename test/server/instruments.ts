import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import type { MarginMode, MarginTerms } from '../../src/model/margin-terms.ts';

const margin = (marginMode: MarginMode, maxInitialLeverage: string): MarginTerms => ({
  marginMode,
  marginCallLeverageMul: '1.50',
  liquidationLeverageMul: '2.00',
  maxInitialLeverage,
  forceCloseFee: '0.05',
  enabled: true,
  active: true,
});

const TERMS: readonly InstrumentTerms[] = [
  {
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
    takeRate: '0.0025',
    makeRate: '0.0012',
    feeCurrency: 'USDT',
    margin: [margin('isolated', '25.00'), margin('cross', '25.00')],
  },
  {
    symbol: 'ETHUSDT',
    type: 'spot',
    baseCurrency: 'ETH',
    quoteCurrency: 'USDT',
    tickSize: '0.001',
    quantityIncrement: '0.0001',
    takeRate: '0.0025',
    makeRate: '0.0012',
    feeCurrency: 'USDT',
    margin: [margin('isolated', '20.00'), margin('cross', '20.00')],
  },
  {
    symbol: 'ETHBTC',
    type: 'spot',
    baseCurrency: 'ETH',
    quoteCurrency: 'BTC',
    tickSize: '0.000001',
    quantityIncrement: '0.0001',
    takeRate: '0.002',
    makeRate: '0.001',
    feeCurrency: 'BTC',
  },
  {
    symbol: 'ETHUSDT_PERP',
    type: 'futures',
    contractType: 'perpetual',
    baseCurrency: 'ETH',
    quoteCurrency: 'USDT',
    tickSize: '0.001',
    quantityIncrement: '0.001',
    takeRate: '0.0007',
    makeRate: '0.0002',
    feeCurrency: 'USDT',
    margin: [margin('isolated', '75.00'), margin('cross', '75.00')],
  },
];

/** The symbols that the venue of these tests trades. */
export const instruments = (): readonly Instrument[] => TERMS.map((terms) => new Instrument(terms));
