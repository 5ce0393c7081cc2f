import { describe, expect, test } from 'vitest';
import { LAYOUT_NAMES, layoutOf, type LayoutName } from '../../../src/feeds/importers/layouts.ts';
import type { Period } from '../../../src/model/period.ts';
import type { ImportOptions } from '../../../src/feeds/importers/contract.ts';
import { CANDLE, QUOTE, SELL, TRADE } from '../../../src/model/events.ts';
import { isoTime, micros } from '../../../src/platform/time.ts';
import { filesOf, importTexts, rejectionOf, type Row } from './imported.ts';

const KLINES =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
const DBN = 'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size';
const OKX_CANDLES = 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm';

/** A file of a source, and what its first rows are. */
interface Sample {
  readonly layout: LayoutName | undefined;
  readonly file: string;
  readonly lines: readonly string[];
  readonly options?: ImportOptions;
  /** Of candles, where one row does not tell it. */
  readonly period?: Period;
  /** Start or stamp, then prices and sizes in ticks and lots. */
  readonly rows: readonly string[];
  readonly terms: Readonly<Record<string, unknown>>;
}

const FX = { symbol: 'EURUSD' } as const;
const CONTRACT = { contractSize: '0.01' } as const;

const SAMPLES: readonly Sample[] = [
  {
    layout: 'binance-klines',
    file: 'ETHUSDT-1m-2024-12-31.csv',
    lines: [
      '1735689480000,3.1,3.3,3.0,3.2,10.5,1735689539999,33.6,7,5.5,17.6,0',
      '1735689540000,3.2,3.2,3.2,3.2,0.0,1735689599999,0,0,0,0,0',
    ],
    rows: ['2024-12-31T23:58:00.000Z 31 33 30 32 105', '2024-12-31T23:59:00.000Z 32 32 32 32 0'],
    terms: { symbol: 'ETHUSDT', type: 'spot' },
  },
  {
    layout: 'binance-klines',
    file: 'ETHUSDT-1m-2025-01-01.csv',
    lines: [
      '1735689600000000,3.1,3.3,3.0,3.2,10.5,1735689659999999,33.6,7,5.5,17.6,0',
      '1735689660000000,3.2,3.4,3.1,3.3,1.5,1735689719999999,4.8,2,1.5,4.8,0',
    ],
    rows: ['2025-01-01T00:00:00.000Z 31 33 30 32 105', '2025-01-01T00:01:00.000Z 32 34 31 33 15'],
    terms: { symbol: 'ETHUSDT' },
  },
  {
    layout: 'binance-klines',
    file: 'futures/um/monthly/klines/ETHUSDT/1h/ETHUSDT-1h-2024-12.csv',
    period: 'H1',
    lines: [KLINES, '1735686000000,3.1,3.3,3.0,3.2,10.5,1735689599999,33.6,7,5.5,17.6,0'],
    rows: ['2024-12-31T23:00:00.000Z 31 33 30 32 105'],
    terms: { type: 'futures', contractType: 'perpetual' },
  },
  {
    layout: 'binance-klines',
    file: 'ETHUSD_PERP-1h-2024-12.csv',
    period: 'H1',
    lines: [KLINES, '1735686000000,3.1,3.3,3.0,3.2,105,1735689599999,340,7,50,160,0'],
    rows: ['2024-12-31T23:00:00.000Z 31 33 30 32 105'],
    terms: { type: 'futures', contractSize: '10', settlement: 'inverse' },
  },
  {
    layout: 'binance-trades',
    file: 'ETHUSDT-trades-2024-06-01.csv',
    lines: [
      '101,3.10,0.5,1.55,1717200000123,True,True',
      '102,3.11,0.7,2.177,1717200000123,False,True',
      '105,3.12,0.1,0.312,1717200001000,False,True',
    ],
    rows: [
      '2024-06-01T00:00:00.123Z sell 310 5 #101',
      '2024-06-01T00:00:00.123Z buy 311 7 #102',
      '2024-06-01T00:00:01.000Z buy 312 1 #105',
    ],
    terms: { symbol: 'ETHUSDT', type: 'spot' },
  },
  {
    layout: 'binance-futures-trades',
    file: 'ETHUSDT-trades-2024-06-01.csv',
    lines: ['id,price,qty,quote_qty,time,is_buyer_maker', '9,3.1,0.5,1.55,1717200000123,true'],
    rows: ['2024-06-01T00:00:00.123Z sell 31 5 #9'],
    terms: { type: 'futures', contractType: 'perpetual' },
  },
  {
    layout: 'binance-futures-trades',
    file: 'BTCUSD_PERP-trades-2021-06-01.csv',
    lines: ['9,36000.1,12,0.0333,1622505600001,true'],
    rows: ['2021-06-01T00:00:00.001Z sell 360001 12 #9'],
    terms: { type: 'futures', contractSize: '100', settlement: 'inverse' },
  },
  {
    layout: 'binance-aggtrades',
    file: 'ETHUSDT-aggTrades-2025-06-01.csv',
    lines: ['7,3.1,0.5,11,13,1748736000000123,False,True'],
    rows: ['2025-06-01T00:00:00.000123Z buy 31 5 #7'],
    terms: { type: 'spot' },
  },
  {
    layout: 'binance-futures-aggtrades',
    file: 'ETHUSDT-aggTrades-2021-06-01.csv',
    lines: ['7,3.1,0.5,11,13,1622505600000,true'],
    rows: ['2021-06-01T00:00:00.000Z sell 31 5 #7'],
    terms: { type: 'futures' },
  },
  {
    layout: 'binance-bookticker',
    file: 'ETHUSDT-bookTicker-2024-02-15.csv',
    lines: [
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      '5,3.1,10,3.2,20,1707955200005,1707955200009',
      '4,3.0,11,3.2,21,1707955200003,1707955200008',
    ],
    rows: [
      '2024-02-15T00:00:00.003Z 30 x 11 : 32 x 21 #4',
      '2024-02-15T00:00:00.005Z 31 x 10 : 32 x 20 #5',
    ],
    terms: { type: 'futures' },
  },
  {
    layout: 'kraken-ohlcvt',
    file: 'XBTUSD_5.csv',
    period: 'M5',
    lines: ['1704067200,42.1,42.5,42,42.3,1.25,9', '1704068100,42.3,42.3,42.3,42.3,0.5,1'],
    rows: [
      '2024-01-01T00:00:00.000Z 421 425 420 423 125',
      '2024-01-01T00:15:00.000Z 423 423 423 423 50',
    ],
    terms: { symbol: 'XBTUSD' },
  },
  {
    layout: 'kraken-trades',
    file: 'XBTUSD.csv',
    lines: ['1704067200,42.1,0.5', '1704067200,42.1,0.5', '1704067201,42.0,1.5'],
    rows: [
      '2024-01-01T00:00:00.000Z buy 421 5 #0',
      '2024-01-01T00:00:00.000Z buy 421 5 #0',
      '2024-01-01T00:00:01.000Z buy 420 15 #0',
    ],
    terms: { symbol: 'XBTUSD' },
  },
  {
    layout: 'kraken-trades',
    file: '.bitstampUSD.csv',
    lines: ['1704067200,42.100000000000,0.500000000000'],
    options: { symbol: 'BTCUSD' },
    rows: ['2024-01-01T00:00:00.000Z buy 421 5 #0'],
    terms: { symbol: 'BTCUSD' },
  },
  {
    layout: 'bitstamp-candles',
    file: 'bitstampUSD_1-min_data.csv',
    lines: [
      'Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price',
      '1325317920,4.39,4.39,4.38,4.39,0.45,2,4.39',
      '1325317980,NaN,NaN,NaN,NaN,NaN,NaN,NaN',
      '1325318040,4.4,4.4,4.4,4.4,1.5,6.6,4.4',
    ],
    options: { symbol: 'BTCUSD' },
    period: 'M1',
    rows: [
      '2011-12-31T07:52:00.000Z 439 439 438 439 45',
      '2011-12-31T07:54:00.000Z 440 440 440 440 150',
    ],
    terms: {},
  },
  {
    layout: 'cryptodatadownload',
    file: 'Gemini_ETHUSD_2024_1min.csv',
    lines: [
      'https://www.CryptoDataDownload.com',
      'Unix,Date,Symbol,Open,High,Low,Close,Volume ETH,Volume USD',
      '1704067260000,2024-01-01 00:01:00,ETH/USD,3.2,3.4,3.1,3.3,2.5,8.0',
      '1704067200,2024-01-01 00:00:00,ETH/USD,3.1,3.3,3.0,3.2,1.5,4.8',
    ],
    rows: ['2024-01-01T00:00:00.000Z 31 33 30 32 15', '2024-01-01T00:01:00.000Z 32 34 31 33 25'],
    terms: { symbol: 'ETHUSD' },
  },
  {
    layout: 'cryptodatadownload-dated',
    file: 'Coinbase_BTCUSD_1h.csv',
    lines: [
      'Please note the terms of use of www.CryptoDataDownload.com',
      'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      '2019-07-01 11-PM,BTCUSD,10,12,9,11,5,50',
      '2019-07-01 10-PM,BTCUSD,9,11,8,10,4,40',
    ],
    rows: ['2019-07-01T22:00:00.000Z 9 11 8 10 4', '2019-07-01T23:00:00.000Z 10 12 9 11 5'],
    terms: { symbol: 'BTCUSD' },
  },
  {
    layout: 'yfinance',
    file: 'eth.csv',
    lines: [
      'Price,Close,High,Low,Open,Volume',
      'Ticker,ETH-USD,ETH-USD,ETH-USD,ETH-USD,ETH-USD',
      'Date,,,,,',
      '2024-01-01,2352.3,2352.8,2265.1,2282.8,100',
      '2024-01-02,2355.8,2431.2,2332.1,2352.3,200',
    ],
    rows: ['2024-01-01T00:00:00.000Z 22828 23528 22651 23523 100'],
    terms: { symbol: 'ETH-USD' },
  },
  {
    layout: 'yfinance',
    file: 'ETH-USD.csv',
    lines: [
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2014-09-17,4.5,4.9,4.4,4.6,4.2,100',
      '2014-09-18,4.6,4.7,4.1,4.2,4.0,200',
    ],
    rows: ['2014-09-17T00:00:00.000Z 45 49 44 46 100'],
    terms: { symbol: 'ETH-USD' },
  },
  {
    layout: 'bybit-trades',
    file: 'ETHUSDT2021-06-01.csv',
    lines: [
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      '1622505601.5001,ETHUSDT,Sell,0.5,2700.15,MinusTick,7c2f-1,1.35e11,0.5,1350.075',
      '1622505600.0123,ETHUSDT,Buy,0.7,2700.2,PlusTick,5ab0-2,1.89e11,0.7,1890.14',
    ],
    rows: [
      '2021-06-01T00:00:00.012300Z buy 270020 7 #0',
      '2021-06-01T00:00:01.500100Z sell 270015 5 #0',
    ],
    terms: { symbol: 'ETHUSDT', type: 'futures', contractType: 'perpetual' },
  },
  {
    layout: 'bybit-trades',
    file: 'BTCUSD2021-06-01.csv',
    lines: [
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      '1622505600.0123,BTCUSD,Buy,700,37000.5,PlusTick,5ab0-2,1891851,0.0189,700',
    ],
    rows: ['2021-06-01T00:00:00.012300Z buy 370005 700 #0'],
    terms: { type: 'futures', contractSize: '1', settlement: 'inverse' },
  },
  {
    layout: 'bybit-spot-trades',
    file: 'ETHUSDT_2024-06-01.csv',
    lines: ['id,timestamp,price,volume,side,rpi', '1,1717200000001,3.1,0.5,buy,0'],
    rows: ['2024-06-01T00:00:00.001Z buy 31 5 #1'],
    terms: { symbol: 'ETHUSDT', type: 'spot' },
  },
  {
    layout: 'bybit-candles',
    file: 'ETHUSDT_60_2024-06-01_2024-06-30.csv',
    lines: ['2024.06.01 03:00,3.1,3.3,3.0,3.2,10', '2024.06.01 04:00,3.2,3.3,3.1,3.3,20'],
    rows: ['2024-06-01T00:00:00.000Z 31 33 30 32 10', '2024-06-01T01:00:00.000Z 32 33 31 33 20'],
    terms: { symbol: 'ETHUSDT' },
  },
  {
    layout: 'okx-trades',
    file: 'ETH-USDT-trades-2025-06-01.csv',
    lines: [
      'instrument_name,trade_id,side,price,size,created_time',
      'ETH-USDT,501,sell,2500.5,1.912e-05,1748707200008',
    ],
    rows: ['2025-05-31T16:00:00.008Z sell 25005 1912 #501'],
    terms: { symbol: 'ETH-USDT', type: 'spot' },
  },
  {
    layout: 'okx-trades',
    file: 'ETH-USDT-SWAP-trades-2022-06-01.csv',
    lines: [
      'trade_id/交易id,side/交易方向,size/数量,price/价格,created_time/成交时间',
      '501,buy,3,1900.5,1654012800123',
    ],
    options: CONTRACT,
    rows: ['2022-05-31T16:00:00.123Z buy 19005 3 #501'],
    terms: { symbol: 'ETH-USDT-SWAP', type: 'futures', contractSize: '0.01' },
  },
  {
    layout: 'okx-candles',
    file: 'ETH-USDT-candlesticks-2025-06-01.csv',
    lines: [
      OKX_CANDLES,
      'ETH-USDT,3.1,3.3,3.0,3.2,10,10,32,1748707200000,1',
      'ETH-USDT,3.1,3.3,3.0,3.2,10,10,32,1748707200000,1',
      'ETH-USDT,3.2,3.3,3.1,3.3,20,20,66,1748707260000,0',
    ],
    rows: ['2025-05-31T16:00:00.000Z 31 33 30 32 10', '2025-05-31T16:01:00.000Z 32 33 31 33 20'],
    terms: { symbol: 'ETH-USDT' },
  },
  {
    layout: undefined,
    file: 'ETHUSDT-1hour-2024-06-01.csv',
    lines: [
      'time,open,close,high,low,volume,turnover',
      '1717200000000,3.1,3.2,3.3,3.0,10,32',
      '1717203600000,3.2,3.3,3.4,3.1,20,66',
    ],
    rows: ['2024-06-01T00:00:00.000Z 31 33 30 32 10'],
    terms: { symbol: 'ETHUSDT' },
  },
  {
    layout: 'kucoin-trades',
    file: 'ETHUSDT-trades-2024-06-01.csv',
    lines: ['trade_id,trade_time,price,size,side', '7001,1717200000001,3.1,0.5,BUY'],
    rows: ['2024-06-01T00:00:00.001Z buy 31 5 #7001'],
    terms: { symbol: 'ETHUSDT', type: 'spot' },
  },
  {
    layout: 'kucoin-trades',
    file: 'ETHUSDTM-trades-2024-06-01.csv',
    lines: ['665a6ed0f1b2c3,1717200000001,3.1,5,sell'],
    options: { ...CONTRACT, symbol: 'ETHUSDTM', baseCurrency: 'ETH', quoteCurrency: 'USDT' },
    rows: ['2024-06-01T00:00:00.001Z sell 31 5 #0'],
    terms: { type: 'futures', contractSize: '0.01' },
  },
  {
    layout: 'gate-trades',
    file: 'ETH_USDT-202406.csv',
    lines: ['1717200000.123456,7001,3.1,0.5,1', '1717200001.5,7002,3.2,0.7,2'],
    rows: [
      '2024-06-01T00:00:00.123456Z sell 31 5 #7001',
      '2024-06-01T00:00:01.500Z buy 32 7 #7002',
    ],
    terms: { symbol: 'ETH-USDT' },
  },
  {
    layout: 'gate-futures-trades',
    file: 'ETH_USDT-202406.csv',
    lines: ['1717200000.123,7001,3.1,-5', '1717200001.5,7002,3.2,7'],
    options: CONTRACT,
    rows: ['2024-06-01T00:00:00.123Z sell 31 5 #7001', '2024-06-01T00:00:01.500Z buy 32 7 #7002'],
    terms: { type: 'futures', contractSize: '0.01' },
  },
  {
    layout: 'gate-candles',
    file: 'ETH_USDT-202406.csv',
    lines: ['1717200000,105,3.2,3.3,3.0,3.1', '1717203600,99,3.3,3.4,3.1,3.2'],
    rows: ['2024-06-01T00:00:00.000Z 31 33 30 32 105', '2024-06-01T01:00:00.000Z 32 34 31 33 99'],
    terms: { symbol: 'ETH-USDT' },
  },
  {
    layout: 'bitfinex-candles',
    file: 'BTCUSD.csv',
    lines: ['1717203600000,42,43,44,41,5', '1717200000000,41,42,45,40,7'],
    rows: ['2024-06-01T00:00:00.000Z 41 45 40 42 7', '2024-06-01T01:00:00.000Z 42 44 41 43 5'],
    terms: {},
  },
  {
    layout: 'coinbase-candles',
    file: 'BTC-USD.csv',
    lines: ['1717203600,41,44,42,43,5', '1717200000,40,45,41,42,7'],
    rows: ['2024-06-01T00:00:00.000Z 41 45 40 42 7', '2024-06-01T01:00:00.000Z 42 44 41 43 5'],
    terms: {},
  },
  {
    layout: 'bare-ohlcv',
    file: 'BTC-USD.csv',
    lines: ['1717200000,41,45,40,42,7', '1717203600,42,44,41,43,5'],
    rows: ['2024-06-01T00:00:00.000Z 41 45 40 42 7'],
    terms: {},
  },
  {
    layout: 'databento-ohlcv-raw',
    file: 'glbx-mdp3-20240102.ohlcv-1m.csv',
    lines: [
      'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol',
      '1704186000000000000,33,1,17,4800250000000,4801000000000,4800000000000,4800500000000,12,ESH4',
      '1704186060000000000,33,1,17,4800500000000,4801500000000,4800500000000,4801000000000,9,ESH4',
    ],
    options: { baseCurrency: 'ES', quoteCurrency: 'USD' },
    rows: ['2024-01-02T09:00:00.000Z 480025 480100 480000 480050 12'],
    terms: { symbol: 'ESH4', tickSize: '0.01' },
  },
  {
    layout: 'databento-ohlcv',
    file: 'xnas.ohlcv-1d.csv',
    lines: [
      'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol',
      '2024-01-02T00:00:00.000000000Z,35,2,38,16.950000000,17.050000000,16.900000000,17.000000000,500,ABC',
      '2024-01-03T00:00:00.000000000Z,35,2,38,17.000000000,17.100000000,16.950000000,17.050000000,400,ABC',
    ],
    options: { baseCurrency: 'ABC', quoteCurrency: 'USD' },
    rows: ['2024-01-02T00:00:00.000Z 1695 1705 1690 1700 500'],
    terms: { symbol: 'ABC' },
  },
  {
    layout: 'databento-trades-raw',
    file: 'xnas.trades.csv',
    lines: [
      `${DBN},flags,ts_in_delta,sequence,symbol`,
      '1704205800000200500,1704205800000100500,0,2,38,T,A,0,16950000000,100,0,165,501,ABC',
      '1704205800000300500,1704205800000100500,0,2,38,T,N,0,16960000000,50,0,165,502,ABC',
    ],
    options: { baseCurrency: 'ABC', quoteCurrency: 'USD' },
    rows: [
      '2024-01-02T14:30:00.000100Z sell 1695 100 #501',
      '2024-01-02T14:30:00.000100Z buy 1696 50 #502',
    ],
    terms: { symbol: 'ABC' },
  },
  {
    layout: 'databento-trades',
    file: 'xnas.trades.csv',
    lines: [
      `${DBN},flags,ts_in_delta,sequence,symbol`,
      '2024-01-02T14:30:00.000200500Z,2024-01-02T14:30:00.000100500Z,0,2,38,T,B,0,16.950000000,100,0,165,501,ABC',
    ],
    options: { baseCurrency: 'ABC', quoteCurrency: 'USD' },
    rows: ['2024-01-02T14:30:00.000100Z buy 1695 100 #501'],
    terms: {},
  },
  {
    layout: 'histdata-ticks',
    file: 'DAT_ASCII_EURUSD_T_202407.csv',
    lines: ['20240701 000000123,1.0710,1.0712,0', '20240701 000000456,1.0711,1.0713,0'],
    options: { ...FX, quoteSize: '1000000' },
    rows: ['2024-07-01T05:00:00.123Z 10710 x 1000000 : 10712 x 1000000 #0'],
    terms: {},
  },
  {
    layout: 'histdata-m1',
    file: 'DAT_ASCII_EURUSD_M1_202407.csv',
    lines: [
      '20240701 000000;1.0710;1.0712;1.0709;1.0711;0',
      '20240701 000100;1.0711;1.0713;1.0710;1.0712;0',
    ],
    options: FX,
    rows: ['2024-07-01T05:00:00.000Z 10710 10712 10709 10711 0'],
    terms: {},
  },
  {
    layout: 'histdata-mt',
    file: 'DAT_MT_EURUSD_M1_202401.csv',
    lines: [
      '2024.01.02,00:00,1.0710,1.0712,1.0709,1.0711,0',
      '2024.01.02,00:01,1.0711,1.0713,1.0710,1.0712,0',
    ],
    options: FX,
    rows: ['2024-01-02T05:00:00.000Z 10710 10712 10709 10711 0'],
    terms: {},
  },
  {
    layout: 'dukascopy-candles',
    file: 'EURUSD_Candlestick_1_M_BID_01.07.2024-31.07.2024.csv',
    lines: [
      'Gmt time,Open,High,Low,Close,Volume',
      '01.07.2024 00:00:00.000,1.0710,1.0712,1.0709,1.0711,55.5',
      '01.07.2024 00:01:00.000,1.0711,1.0713,1.0710,1.0712,44.5',
    ],
    options: FX,
    rows: ['2024-07-01T00:00:00.000Z 10710 10712 10709 10711 555'],
    terms: {},
  },
  {
    layout: 'dukascopy-ticks',
    file: 'eurusd-tick-2024-07-01.csv',
    lines: ['timestamp,askPrice,bidPrice,askVolume,bidVolume', '1719792000123,1.0712,1.0711,1.5,2'],
    options: FX,
    rows: ['2024-07-01T00:00:00.123Z 10711 x 20 : 10712 x 15 #0'],
    terms: {},
  },
];

/** A row as a sentence: when, and what. */
function told([, stampedAt, kind, flags, id, price, size, ask, askSize, open]: Row): string {
  const at = isoTime(micros(stampedAt));
  if (kind === CANDLE) return `${at} ${open} ${ask} ${askSize} ${price} ${size}`;
  if (kind === QUOTE) return `${at} ${price} x ${size} : ${ask} x ${askSize} #${id}`;
  expect(kind).toBe(TRADE);
  return `${at} ${(flags & SELL) === 0 ? 'buy' : 'sell'} ${price} ${size} #${id}`;
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const optionsOf = ({ options, period }: Sample): ImportOptions => ({
  ...options,
  ...(period === undefined ? {} : { period }),
});

describe('a file is recognised by what is in it', () => {
  test.each(
    SAMPLES.map((sample) => [sample.layout ?? 'by its header', sample.file, sample] as const),
  )('%s, as %s', async (_layout, file, sample) => {
    const { rows, report } = await importTexts(
      undefined,
      { [file]: textOf(sample.lines) },
      optionsOf(sample),
    );
    expect(rows.slice(0, sample.rows.length).map(told)).toEqual(sample.rows);
    expect(report.instrument).toMatchObject(sample.terms);
    const named = report.notes.find((note) => note.startsWith('Read as '));
    expect(named).toBe(sample.layout === undefined ? undefined : `Read as ${sample.layout}.`);
  });

  test('and every layout that is read has such a file', () => {
    const shownToRead = new Set(SAMPLES.map(({ layout }) => layout));
    const refused = LAYOUT_NAMES.filter((name) => layoutOf(name).refused !== undefined);
    const without = LAYOUT_NAMES.filter(
      (name) => !shownToRead.has(name) && !refused.includes(name),
    );
    expect(without).toEqual([]);
    expect(refused).toHaveLength(4);
  });

  test.each(
    SAMPLES.filter(
      (sample): sample is Sample & { readonly layout: LayoutName } => sample.layout !== undefined,
    ).map((sample) => [sample.layout, sample] as const),
  )('%s may be named, whatever the file is called', async (layout, sample) => {
    const options = {
      symbol: 'ABCUSDT',
      type: 'futures',
      ...CONTRACT,
      ...optionsOf(sample),
    } as const;
    const format = layoutOf(layout).rows === 'candles' ? 'ohlcv-csv' : 'events-csv';
    const files = { 'x.csv': textOf(sample.lines) };
    const imported = await importTexts(format, files, { ...options, layout });
    expect(imported.rows.slice(0, sample.rows.length).map(told)).toEqual(sample.rows);
  });

  test.each([
    [
      'bookDepth',
      'timestamp,percentage,depth,notional',
      '2024-01-01 00:00:08,-5,10,3',
      'no order book',
    ],
    [
      'liquidations',
      'time,side,order_type,time_in_force,original_quantity,price,average_price,order_status,last_fill_quantity,accumulated_fill_quantity',
      '1700000000000,SELL,LIMIT,IOC,1,2,2,FILLED,1,1',
      'no trades',
    ],
    [
      'the export of whole books',
      'symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty,pu',
      'BTCUSDT,1700000000000,1,2,b,snap,1,1,-1',
      'not read yet',
    ],
    [
      'mbp-1 of Databento',
      `${DBN},flags,ts_in_delta,sequence,bid_px_00,ask_px_00`,
      '1,1,1,2,38,A,B,0,1,1,0,1,1,1,1',
      'books and trades in one',
    ],
  ])('%s is refused with the reason', async (_what, header, row, says) => {
    const files = filesOf({ 'BTCUSDT-x.csv': `${header}\n${row}\n` });
    const error = await rejectionOf(undefined, files);
    expect(error.code).toBe('import-invalid');
    expect(error.message).toContain(says);
  });
});
