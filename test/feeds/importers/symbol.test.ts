import { describe, expect, test } from 'vitest';
import { splitSymbol, symbolOfFile } from '../../../src/feeds/importers/symbol.ts';

describe('a symbol', () => {
  test.each([
    ['BTCUSDT', 'BTC', 'USDT', 'spot'],
    ['ETHBTC', 'ETH', 'BTC', 'spot'],
    ['BTCFDUSD', 'BTC', 'FDUSD', 'spot'],
    ['xrp_eth', 'XRP', 'ETH', 'spot'],
    ['BTC/USDT:USDT', 'BTC', 'USDT', 'futures'],
    ['BTC-PERP', 'BTC', 'USD', 'futures'],
    ['BTCUSD_240628', 'BTC', 'USD', 'futures'],
    ['ETH-28JUN24', 'ETH', 'USD', 'futures'],
    ['BTC-PERPETUAL', 'BTC', 'USD', 'futures'],
    ['ETH-USDT-SWAP', 'ETH', 'USDT', 'futures'],
    ['XBTUSD', 'XBT', 'USD', 'spot'],
  ])('%s is of %s and %s', (symbol, baseCurrency, quoteCurrency, type) => {
    expect(splitSymbol(symbol)).toEqual({ baseCurrency, quoteCurrency, type });
  });

  test.each(['ABC', 'USDT', '', '-', 'PERP', 'XBTEUR-1', 'BINANCE-BTCUSDT', 'BTC-USD-YF'])(
    '"%s" names no currencies',
    (symbol) => {
      expect(splitSymbol(symbol)).toBeUndefined();
    },
  );

  test.each([
    ['/data/btc-perp-20211231-20220201_1m.csv.gz', 'BTC-PERP'],
    ['XRP_ETH-trades.json.gz', 'XRP-ETH'],
    ['spot_btcusdt_20240808.gz', 'BTCUSDT'],
    ['BTCUSDT-1m-2024-01.csv', 'BTCUSDT'],
    ['2022_1m.csv', undefined],
    // What a file's name shows has to be a pair, or it is asked for.
    ['XBTEUR_1.csv', 'XBTEUR'],
    ['Binance_BTCUSDT_1h.csv', 'BTCUSDT'],
    ['BTC-USD-yf.csv', 'BTC-USD'],
    ['my-data.csv', undefined],
  ])('of the file %s is %s', (file, symbol) => {
    expect(symbolOfFile(file)).toBe(symbol);
  });
});
