import { describe, expect, test } from 'vitest';
import {
  CANDLE,
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
  TRADE,
} from '../../../src/model/events.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const us = (text: string): number => Date.parse(text) * 1_000;
const ms = (text: string): number => Date.parse(text);
const grid = { tickSize: '0.1', quantityIncrement: '0.001' };

describe('derivative_ticker of Tardis', () => {
  const HEADER =
    'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price';
  const ticker = (...rows: string[]): string =>
    [HEADER, ...rows.map((row) => `binance-futures,BTCUSDT,${row}`), ''].join('\n');
  const AT = us('2024-03-04T08:00:00Z');

  test('becomes rows of what is new in each, with both times', async () => {
    const { rows, report, meta } = await importTexts(
      'tardis-csv',
      {
        'd.csv.gz': ticker(
          `90,100,${AT},0.0001,0.0002,80123.4565,61000.1,61001.23456789,61000.5`,
          `91,101,${AT},0.0001,0.0003,80123.4565,61000.2,61001.23456789,61000.5`,
          `92,102,${AT},-0.000183473092423284,,80124,61000.2,61001.23456789,61000.5`,
        ),
        't.csv': [
          'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
          'binance-futures,BTCUSDT,91,101,17,buy,61000.2,2',
          '',
        ].join('\n'),
      },
      grid,
    );
    expect(rows).toEqual([
      [100, 90, MARK, 0, 0, 610_005, 0, 0, 0, 0],
      [100, 90, INDEX, 0, 0, 610_012, 345_678_900_000_000, 0, 0, 0],
      [100, 90, FUNDING, 0, 0, 100_000, 0, AT, 0, 0],
      [100, 90, OPEN_INTEREST, LAST, 0, 500_000_000_000_000, 80_123_456, 0, 0, 0],
      [101, 91, TRADE, LAST, 17, 610_002, 2_000, 0, 0, 0],
      [102, 92, FUNDING, 0, 0, -183_473, -92_423_284, AT, 0, 0],
      [102, 92, OPEN_INTEREST, LAST, 0, 0, 80_124_000, 0, 0, 0],
    ]);
    expect(report).toMatchObject({
      trades: 1,
      marks: 1,
      indexes: 1,
      fundings: 2,
      openInterests: 2,
      emptyReadings: 0,
      instrument: { type: 'futures', contractType: 'perpetual' },
    });
    expect(meta.derivatives).toBe(true);
  });

  test('with empty cells says nothing of them, neither 0 nor a time', async () => {
    const { rows, report } = await importTexts(
      'tardis-csv',
      { 'd.csv': ticker('1,2,,,,,,,61000.5', '3,4,,0.0001,,0,,0,0', '5,6,,,,,61000.2,,') },
      grid,
    );
    expect(rows).toEqual([
      [2, 1, MARK, LAST, 0, 610_005, 0, 0, 0, 0],
      [4, 3, FUNDING, LAST, 0, 100_000, 0, 0, 0, 0],
    ]);
    expect(report.emptyReadings).toBe(3);
    expect(report.notes).toContain(
      'Mark prices, index prices or open interests of zero, left out: 3.',
    );
  });

  test('makes the tick size no finer than trades and last prices show', async () => {
    const rows = ticker('1,2,,,,5,61000.5,61001.23456789,61000.55555555');
    const { report } = await importTexts(
      'tardis-csv',
      { 'd.csv': rows },
      { quantityIncrement: '1' },
    );
    expect(report.instrument.tickSize).toBe('0.1');
    // No rate says that it is a perpetual.
    expect(report.instrument.contractType).toBeUndefined();
    const error = await rejectionOf('tardis-csv', filesOf({ 'd.csv': rows }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain('name it with --quantity-increment');
  });

  test.each([
    ['a price that is no number', '1,2,,,,,,,6x', 'the mark price "6x"'],
    ['a negative price', '1,2,,,,,,-1,', 'the index price "-1" is negative'],
    ['a rate that is none', '1,2,,nan,,,,,', 'the funding rate "nan"'],
    ['a time in nanoseconds', '1,2,1709539200000000000,1,,,,,', 'funding_timestamp "17095'],
    ['a rate of 19 decimals', '1,2,,0.0000000000000000001,,,,,', 'has more than 18 decimals'],
    ['a price that no parts hold', '1,2,,,,,,,1.00000000000000001', 'cannot be written exactly'],
  ])('is refused: %s', async (_, row, message) => {
    const error = await rejectionOf('tardis-csv', filesOf({ 'd.csv': ticker(row) }), grid);
    expect(error.message).toContain(message);
    expect(error.where).toMatch(/d\.csv:2$/);
  });

  test('is of futures, whatever the exchange, and never spot', async () => {
    const text = ticker('1,2,,,,,,,61000.5').replaceAll('binance-futures', 'dydx');
    const { report } = await importTexts('tardis-csv', { 'd.csv': text }, grid);
    expect(report.instrument.type).toBe('futures');
    const error = await rejectionOf('tardis-csv', filesOf({ 'd.csv': text }), {
      ...grid,
      type: 'spot',
    });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('BTCUSDT would be imported as spot');
  });

  test('is distinguished from options, which have mark prices too and are rejected', async () => {
    const header =
      'exchange,symbol,timestamp,local_timestamp,strike_price,bid_price,bid_amount,ask_price,ask_amount,mark_price';
    const row = 'deribit,BTC-28JUN24-70000-C,1,2,70000,0.1,1,0.2,1,0.15';
    const error = await rejectionOf(
      'tardis-csv',
      filesOf({ 'o.csv': `${header}\n${row}\n` }),
      grid,
    );
    expect(error.message).toContain('the header names');
  });
});

describe('markPriceUpdate of Binance', () => {
  const frame = (change: object = {}): string =>
    JSON.stringify({
      stream: 'btcusdt@markPrice@1s',
      data: {
        e: 'markPriceUpdate',
        E: 1_002,
        s: 'BTCUSDT',
        p: '11794.15000000',
        i: '11784.62659091',
        P: '11784.25641265',
        r: '0.00038167',
        T: 28_800_000,
        ...change,
      },
    });
  const capture = (...frames: string[]): string =>
    frames.map((one, index) => `${index + 1}999 ${one}\n`).join('');

  test('becomes rows, mark and index each time and the rate where it is new', async () => {
    const { rows, report, meta } = await importTexts(
      'binance-raw',
      { a: capture(frame(), frame({ E: 2_002 }), frame({ E: 3_002, r: '0.00038168' })) },
      grid,
    );
    const funding = 8 * US_PER_HOUR;
    expect(rows).toEqual([
      [1, 1_002_000, MARK, 0, 0, 117_941, 500_000_000_000_000, 0, 0, 0],
      [1, 1_002_000, INDEX, 0, 0, 117_846, 265_909_100_000_000, 0, 0, 0],
      [1, 1_002_000, FUNDING, LAST, 0, 381_670, 0, funding, 0, 0],
      [2, 2_002_000, MARK, 0, 0, 117_941, 500_000_000_000_000, 0, 0, 0],
      [2, 2_002_000, INDEX, LAST, 0, 117_846, 265_909_100_000_000, 0, 0, 0],
      [3, 3_002_000, MARK, 0, 0, 117_941, 500_000_000_000_000, 0, 0, 0],
      [3, 3_002_000, INDEX, 0, 0, 117_846, 265_909_100_000_000, 0, 0, 0],
      [3, 3_002_000, FUNDING, LAST, 0, 381_680, 0, funding, 0, 0],
    ]);
    expect(report).toMatchObject({ marks: 3, indexes: 3, fundings: 2, otherMessages: 0 });
    expect(report.instrument).toMatchObject({ type: 'futures', contractType: 'perpetual' });
    expect(meta.derivatives).toBe(true);
  });

  test('of a contract that ends has no funding', async () => {
    const { rows, report } = await importTexts(
      'binance-raw',
      { a: capture(frame({ r: '', T: 0 })) },
      grid,
    );
    expect(rows.map((row) => row[2])).toEqual([MARK, INDEX]);
    expect(report.instrument.contractType).toBeUndefined();
  });

  test('is left out where the symbol is imported as spot, as it was', async () => {
    const trade = JSON.stringify({
      e: 'trade',
      E: 1,
      s: 'BTCUSDT',
      t: 1,
      p: '11794.1',
      q: '1',
      T: 1,
      m: true,
    });
    const { report, meta } = await importTexts(
      'binance-raw',
      { a: capture(trade, frame()) },
      { ...grid, type: 'spot' },
    );
    expect(report).toMatchObject({ trades: 1, marks: 0, otherMessages: 1 });
    expect(meta.derivatives).toBeUndefined();
  });

  test('is found behind other frames though the grid is known, and asked for where it is all there is', async () => {
    const trade = JSON.stringify({
      e: 'trade',
      E: 1,
      s: 'BTCUSDT',
      t: 1,
      p: '11794.1',
      q: '1',
      T: 1,
      m: true,
      X: 'MARKET',
    });
    const { meta } = await importTexts('binance-raw', { a: capture(trade, trade, frame()) }, grid);
    expect(meta.derivatives).toBe(true);
    const error = await rejectionOf('binance-raw', filesOf({ a: capture(frame()) }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain('tick size of BTCUSDT cannot be read from these files');
  });

  test.each([
    ['without a mark price', { p: undefined }, '"p" is'],
    ['with a number for text', { i: 5 }, '"i" is'],
    ['with a rate and no time', { T: undefined }, '"T" is'],
  ])('is refused %s', async (_, change, message) => {
    const error = await rejectionOf('binance-raw', filesOf({ a: capture(frame(change)) }), grid);
    expect(error.message).toContain(message);
  });
});

describe('funding rates of the archive of Binance', () => {
  const HEADER = 'calc_time,funding_interval_hours,last_funding_rate';
  const midnight = us('2024-01-01T00:00:00Z');
  const row = (hour: number, late: number, interval: number, rate: string): string =>
    `${ms('2024-01-01T00:00:00Z') + hour * 3_600_000 + late},${interval},${rate}`;

  test('are paid at the whole minute, though their time is milliseconds late', async () => {
    const text = [HEADER, row(0, 0, 8, '0.00010000'), row(8, 2, 8, '-0.00002512'), ''].join('\n');
    const { rows, report } = await importTexts(
      'binance-futures-csv',
      { 'BTCUSDT-fundingRate-2024-01.csv': text },
      grid,
    );
    const h8 = 8 * US_PER_HOUR;
    const second = midnight + h8;
    expect(rows).toEqual([
      [midnight, midnight, FUNDING, LAST, 0, 100_000, 0, midnight, second, 0],
      [second + 2_000, second + 2_000, FUNDING, LAST, 0, -25_120, 0, second, second + h8, 0],
    ]);
    expect(report).toMatchObject({
      fundings: 2,
      instrument: { symbol: 'BTCUSDT', contractType: 'perpetual', quoteCurrency: 'USDT' },
    });
  });

  test('are read without a header too, in the order of their times, each once', async () => {
    const { rows } = await importTexts(
      'binance-futures-csv',
      {
        'BTCUSDT-fundingRate-2021-02.csv': `${row(16, 0, 8, '0.0003')}\n${row(8, 0, 8, '0.0002')}\n`,
        'BTCUSDT-fundingRate-2021-01.csv': `${row(0, 0, 8, '0.0001')}\n${row(8, 0, 8, '0.0002')}\n`,
      },
      grid,
    );
    expect(rows.map((one) => one[5])).toEqual([100_000, 200_000, 300_000]);
  });

  test.each([
    ['an interval of nothing', row(0, 0, 0, '0.0001'), 'funding_interval_hours "0"'],
    ['a time that is none', 'soon,8,0.0001', 'calc_time "soon"'],
    [
      'one time with two rates',
      `${row(0, 0, 8, '0.0001')}\n${row(0, 0, 8, '0.0002')}`,
      'the funding of 2024-01-01T00:00:00.000Z comes again with other numbers',
    ],
  ])('are refused: %s', async (_, text, message) => {
    const files = filesOf({ 'BTCUSDT-fundingRate-2024-01.csv': `${HEADER}\n${text}\n` });
    const error = await rejectionOf('binance-futures-csv', files, grid);
    expect(error.message).toContain(message);
  });

  test('need a tick size and an increment, which they do not have', async () => {
    const files = filesOf({
      'BTCUSDT-fundingRate-2024-01.csv': `${HEADER}\n${row(0, 0, 8, '0')}\n`,
    });
    const error = await rejectionOf('binance-futures-csv', files);
    expect(error.message).toContain('--tick-size');
  });
});

describe('metrics of the archive of Binance', () => {
  const HEADER =
    'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio';
  const metrics = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

  test('are open interest, stamped five minutes early from 2024-03-04 on', async () => {
    const { rows } = await importTexts(
      'binance-futures-csv',
      {
        'BTCUSDT-metrics-2024-03-03.csv': metrics(
          '2024-03-03 23:50:00,BTCUSDT,80000.1230000000,5.1,1',
          '2024-03-03 23:55:00,BTCUSDT,80001.0000000000,5.1,',
        ),
        'BTCUSDT-metrics-2024-03-04.csv': metrics('2024-03-04 00:00:00,BTCUSDT,80002.5,5.1,1'),
      },
      grid,
    );
    const midnight = us('2024-03-04T00:00:00Z');
    const early = midnight + 5 * US_PER_MINUTE;
    expect(rows.map(([at, stamped, kind, , , , lots]) => [at, stamped, kind, lots])).toEqual([
      [midnight - 10 * US_PER_MINUTE, midnight - 10 * US_PER_MINUTE, OPEN_INTEREST, 80_000_123],
      [midnight - 5 * US_PER_MINUTE, midnight - 5 * US_PER_MINUTE, OPEN_INTEREST, 80_001_000],
      [early, early, OPEN_INTEREST, 80_002_500],
    ]);
  });

  test('that come twice are one, zeros are none, and funding stands among them by its time', async () => {
    const { rows, report } = await importTexts(
      'binance-futures-csv',
      {
        'BTCUSDT-metrics-2022-03-07.csv': metrics(
          '2022-03-07 00:00:00,BTCUSDT,80000,5,1',
          '2022-03-07 00:00:00,BTCUSDT,80000,5,1',
          '2022-03-07 00:05:00,BTCUSDT,0,0,1',
          '2022-03-07 08:05:00,BTCUSDT,80003,5,1',
        ),
        'BTCUSDT-fundingRate-2022-03.csv': `calc_time,funding_interval_hours,last_funding_rate\n${ms('2022-03-07T08:00:00Z')},8,0.0001\n`,
      },
      grid,
    );
    expect(rows.map((row) => row[2])).toEqual([OPEN_INTEREST, FUNDING, OPEN_INTEREST]);
    expect(report).toMatchObject({ openInterests: 2, fundings: 1, emptyReadings: 1 });
  });

  test('of two symbols are refused, and so are files of something else', async () => {
    const two = metrics('2022-03-07 00:00:00,BTCUSDT,1,1,1', '2022-03-07 00:05:00,ETHUSDT,1,1,1');
    const error = await rejectionOf('binance-futures-csv', filesOf({ 'm.csv': two }), grid);
    expect(error.message).toContain('rows of BTCUSDT and of ETHUSDT');
    const klines = 'open_time,open,high,low,close,volume\n1,2,3,1,2,0\n';
    const other = await rejectionOf('binance-futures-csv', filesOf({ 'k.csv': klines }), grid);
    expect(other.message).toContain('give klines of mark and index prices to ohlcv-csv');
  });
});

describe('klines of mark prices', () => {
  const kline = (minute: number, close: string): string => {
    const start = ms('2024-03-04T00:00:00Z') + minute * 60_000;
    return `${start},61000.10,61010.00000001,60990.5,${close},0,${start + 59_999},0,60,0,0,0`;
  };
  const HEADER =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  const two = `${kline(0, '61001.12345678')}\n${kline(1, '61002')}\n`;
  const options = { symbol: 'BTCUSDT', quantityIncrement: '0.001' };

  test.each([
    ['with a header', `${HEADER}\n${two}`],
    ['without one, as old files are', two],
  ])('%s become candles that say what they are of', async (_, text) => {
    const { rows, meta, report } = await importTexts(
      'ohlcv-csv',
      { 'BTCUSDT-1m-2024-03.csv': text },
      { ...options, prices: 'mark' },
    );
    expect(meta).toMatchObject({ layout: 'candles', period: 'M1', prices: 'mark' });
    expect(meta.instrument).toMatchObject({ type: 'futures', tickSize: '0.00000001' });
    expect(rows).toHaveLength(2);
    const [, , kind, , , close, volume, high] = rows[0];
    expect([kind, close, volume, high]).toEqual([CANDLE, 6_100_112_345_678, 0, 6_101_000_000_001]);
    expect(report.roundedPrices).toBe(0);
    expect(report.notes.join()).toContain('at which nobody trades');
  });

  test('are not rounded to a tick size that does not hold them', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'k.csv': two }), {
      ...options,
      prices: 'index',
      tickSize: '0.1',
    });
    expect(error.code).toBe('off-grid');
  });

  test('of a premium, which may be negative, are refused', async () => {
    const premium = two.replaceAll(',60990.5,', ',-0.0005,');
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'k.csv': premium }), {
      ...options,
      prices: 'index',
    });
    expect(error.message).toContain('stands where a number should');
  });

  test('are candles of futures, and of no other format', async () => {
    const files = filesOf({ 'k.csv': two });
    const spot = await rejectionOf('ohlcv-csv', files, {
      ...options,
      prices: 'mark',
      type: 'spot',
    });
    expect(spot.message).toContain('BTCUSDT would be imported as spot');
    const trades = filesOf({ 't.json': '[[1700000000000,"1",null,"buy",1,2,2]]' });
    const other = await rejectionOf('freqtrade-trades', trades, { ...options, prices: 'mark' });
    expect(other.message).toContain('freqtrade-trades reads no candles of mark or index prices');
  });

  test('are no other twelve numbers', async () => {
    const odd = two.replaceAll('59999', '60000').replaceAll('119999', '120000');
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'k.csv': odd }), {
      ...options,
      prices: 'mark',
    });
    expect(error.message).toContain('the columns are "17095');
  });

  test('without the word are candles of trades, for files of spot have no header either', async () => {
    const spot = two.replaceAll(',0,60,', ',5,60,');
    const { meta } = await importTexts(
      'ohlcv-csv',
      { 'k.csv': spot },
      { ...options, tickSize: '0.01' },
    );
    expect(meta.prices).toBeUndefined();
    expect(meta.instrument.type).toBe('spot');
  });
});
