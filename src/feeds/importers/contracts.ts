import type { InstrumentTerms } from '../../model/instrument.ts';

/** Terms of a contract by a venue's rules, besides its currencies. */
export type ContractTerms = Pick<InstrumentTerms, 'contractSize' | 'settlement'>;

/** Coin-margined at Binance: `BTCUSD_PERP`, `ETHUSD_240628`. */
const BINANCE_COIN = /^([A-Z0-9]+)USD_(?:PERP|\d{6})$/i;

/**
 * Terms of a coin-margined contract of Binance, else `undefined`. A contract of BTC is 100 USD, of all
 * others 10 USD (`contractSize` of
 * https://developers.binance.com/docs/derivatives/coin-margined-futures/market-data/rest-api/Exchange-Information).
 */
export function binanceContract(symbol: string | undefined): ContractTerms | undefined {
  const base = BINANCE_COIN.exec(symbol ?? '')?.[1];
  if (base === undefined) return undefined;
  return { contractSize: base.toUpperCase() === 'BTC' ? '100' : '10', settlement: 'inverse' };
}

/** Terms of a contract by the name of its exchange at Tardis, if known. */
export function tardisContract(exchange: string, symbol: string): ContractTerms | undefined {
  if (exchange === 'binance-delivery') return binanceContract(symbol);
  if (exchange === 'bitmex' && symbol === 'XBTUSD') {
    return { contractSize: '1', settlement: 'inverse' };
  }
  return undefined;
}
