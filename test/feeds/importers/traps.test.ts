import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { SortedRows } from '../../../src/feeds/importers/sorted-rows.ts';
import { filesOf, importPaths, importTexts, rejectionOf } from './imported.ts';

const HEADER = 'time,open,high,low,close,volume';
const bars = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const trades = (...rows: string[]): string => `${rows.join('\n')}\n`;
/** A trade of spot at Binance, so many milliseconds into a day. */
const trade = (id: number, ms: number, price = '3.1'): string =>
  `${id},${price},0.5,1.55,${1_717_200_000_000 + ms},True,True`;
const idsOf = (imported: { readonly rows: readonly (readonly number[])[] }): number[] =>
  imported.rows.map((row) => row[4]);

describe('rows that are out of order', () => {
  test('are sorted and counted where two halves alternate', async () => {
    const lines = [1, 2, 3, 4].flatMap((n) => [trade(n, n * 10), trade(n + 4, (n + 4) * 10)]);
    const imported = await importTexts(undefined, {
      'ETHUSDT-trades-2024-06.csv': trades(...lines),
    });
    expect(idsOf(imported)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(imported.report).toMatchObject({ unorderedRows: 3, missingTrades: 0, trades: 8 });
    expect(imported.report.notes.join()).toContain('all were sorted by time: 3.');
  });

  test('are found behind the rows that a guess looks at', async () => {
    const lines = Array.from({ length: 10_050 }, (_, n) => trade(n + 1, n));
    lines.push(trade(5, 4), trade(20_000, 20_000));
    const { report } = await importTexts(undefined, {
      'ETHUSDT-trades-2024-06.csv': trades(...lines),
    });
    expect(report).toMatchObject({ trades: 10_051, repeatedTrades: 1, unorderedRows: 1 });
    expect(report.missingTrades).toBe(20_000 - 10_050 - 1);
  });

  test('keep the order of one time turned round, where the newest is the first', async () => {
    const row = (id: string, second: number, price: string): string =>
      `16225056${second}.0,ETHUSDT,Buy,1,${price},PlusTick,${id},1,1,1`;
    const { rows } = await importTexts(undefined, {
      'ETHUSDT2021-06-01.csv': trades(
        'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
        ...[row('d', 2, '4'), row('c', 1, '3'), row('b', 1, '2'), row('a', 1, '1')],
      ).replaceAll('16225056', '162250560'),
    });
    expect(rows.map((one) => one[5])).toEqual([1, 2, 3, 4]);
  });

  test('may be files that were named in the wrong order', async () => {
    const [one, two] = [bars('2024-01-01,1,2,1,2,5'), bars('2024-01-02,2,2,1,1,6')];
    const { report } = await importTexts(
      'ohlcv-csv',
      { 'BTCUSDT-2.csv': two, 'BTCUSDT-1.csv': one },
      { period: 'D1' },
    );
    expect(report).toMatchObject({ candles: 2, unorderedRows: 1, gaps: [] });
  });
});

describe('rows that come again', () => {
  test('are dropped where they are trades with ids, and refused where one differs', async () => {
    const again = trades(trade(1, 0), trade(1, 0), trade(2, 5));
    const imported = await importTexts(undefined, { 'ETHUSDT-trades-2024-06-01.csv': again });
    expect(idsOf(imported)).toEqual([1, 2]);
    expect(imported.report.repeatedTrades).toBe(1);
    const other = trades(trade(1, 0), trade(1, 0, '3.2'), trade(2, 5));
    const error = await rejectionOf(undefined, filesOf({ 'ETHUSDT-trades-2024-06-01.csv': other }));
    expect(error.message).toContain('has the id of another of that time, and other numbers');
    expect(error.where).toMatch(/2024-06-01\.csv:2$/);
  });

  test('are dropped by the text of their ids too', async () => {
    const row = (id: string): string => `1622505601.0,ETHUSDT,Buy,1,5,PlusTick,${id},1,1,1`;
    const text = trades(
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      ...[row('a-1'), row('b-2'), row('a-1')],
    );
    const { report } = await importTexts(undefined, { 'ETHUSDT2021-06-01.csv': text });
    expect(report).toMatchObject({ trades: 2, repeatedTrades: 1 });
  });

  test('stay where they have no ids, unless files overlap, which is refused', async () => {
    const [early, late] = ['1704067200,42.1,0.5\n1704067201,42.1,0.5\n', '1704067201,42.1,0.5\n'];
    const follow = await importTexts(undefined, { 'a/XBTUSD.csv': early, 'b/XBTUSD.csv': late });
    expect(follow.report.trades).toBe(3);
    const paths = filesOf({ 'a/XBTUSD.csv': early, 'b/XBTUSD.csv': `1704067200,9,9\n${late}` });
    const error = await rejectionOf(undefined, paths);
    expect(error.message).toContain('trades without ids may be equal and both true');
  });

  test('of another day may have the same id at Bybit spot', async () => {
    const day = (ms: number): string =>
      `id,timestamp,price,volume,side\n1,${ms},3.1,0.5,buy\n2,${ms + 1},3.1,0.5,buy\n`;
    const { report } = await importTexts(undefined, {
      'ETHUSDT_2024-06-01.csv': day(1_717_200_000_000),
      'ETHUSDT_2024-06-02.csv': day(1_717_286_400_000),
    });
    expect(report).toMatchObject({ trades: 4, repeatedTrades: 0, missingTrades: 0 });
  });
});

describe('what a file lacks is said', () => {
  test('where it ends before the day of its name does', async () => {
    const { report } = await importTexts(undefined, {
      'ETHUSDT-trades-2024-06-01.csv': trades(trade(1, 0), trade(2, 9 * 3_600_000)),
    });
    expect(report.partialFiles).toEqual([
      'ETHUSDT-trades-2024-06-01.csv ends at 2024-06-01T09:00:00.000Z, and its name promises a whole day',
    ]);
  });

  test('and not where a day of Hong Kong is whole', async () => {
    const header = 'instrument_name,trade_id,side,price,size,created_time';
    const from = Date.parse('2025-05-31T16:00:00Z');
    const { report } = await importTexts(undefined, {
      'ETH-USDT-trades-2025-06-01.csv': `${header}\nETH-USDT,1,buy,1,1,${from}\nETH-USDT,2,buy,1,1,${from + 86_399_000}\n`,
    });
    expect(report.partialFiles).toEqual([]);
    expect(report.notes.join()).toContain('A file holds a day of Hong Kong');
  });

  test('where a symbol is dead: no volume, and one price to the end', async () => {
    const dead = ['03', '04', '05', '06'].map((day) => `2024-01-${day},2,2,2,2,0`);
    const text = bars('2024-01-01,1,2,1,2,5', '2024-01-02,2,2,1,2,6', ...dead);
    const { report } = await importTexts('ohlcv-csv', { 'FTMUSDT-1d.csv': text });
    expect(report).toMatchObject({ candles: 6, deadCandles: 4 });
    expect(report.notes.join()).toContain('as of a symbol that is delisted: 4.');
  });

  test('where no candle has a volume', async () => {
    const text = bars('2024-01-01,1,2,1,2,0', '2024-01-02,2,2,1,1,0');
    const { report } = await importTexts('ohlcv-csv', { 'EURUSD.csv': text });
    expect(report.notes.join()).toContain('No candle has a volume');
  });

  test('where the rows are cut in the middle of a line', async () => {
    const text = trades(trade(1, 0), trade(2, 5)).slice(0, -20);
    const error = await rejectionOf(undefined, filesOf({ 'ETHUSDT-trades-2024-06-01.csv': text }));
    expect(error.code).toBe('import-invalid');
  });
});

describe('what could be taken for something else', () => {
  test('is refused: contracts without the size of one', async () => {
    const text =
      'instrument_name,trade_id,side,price,size,created_time\nBTC-USDT-SWAP,1,buy,1,1,1748707200008\n';
    const files = filesOf({ 'BTC-USDT-SWAP-trades-2025-06-01.csv': text });
    const error = await rejectionOf(undefined, files);
    expect(error).toMatchObject({ code: 'usage', field: 'contractSize' });
    expect(error.message).toContain('Sizes of BTC-USDT-SWAP are contracts');
  });

  test('is refused: contracts of a coin as spot', async () => {
    const files = filesOf({
      'BTCUSD_PERP-trades-2021-06-01.csv': '9,36000.1,12,0.03,1622505600001,true\n',
    });
    const error = await rejectionOf(undefined, files, { type: 'spot' });
    expect(error.message).toContain('is an inverse contract of 100');
  });

  test('is refused: klines of mark prices as those of trades', async () => {
    const kline = '1735689480000,3.1,3.3,3.0,3.2,0,1735689539999,0,60,0,0,0\n';
    const files = filesOf({ 'ETHUSDT-1m-2024-12-31.csv': kline });
    const error = await rejectionOf(undefined, files);
    expect(error.message).toContain('say --prices mark or index');
    const { meta } = await importPaths(undefined, files, {
      prices: 'mark',
      quantityIncrement: '0.1',
    });
    expect(meta.prices).toBe('mark');
  });

  test('is refused: columns whose high is not the highest', async () => {
    const text = bars('2024-01-01,1,2,3,1,5', '2024-01-02,2,1,3,2,6');
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': text }));
    expect(error.message).toContain('of 2 of 2 candles');
  });

  test('is refused: numbers without names, of which more than one order may be right', async () => {
    const files = filesOf({ 'BTCUSDT.csv': '1717200000,5,5,5,5,5\n1717203600,5,5,5,5,5\n' });
    const error = await rejectionOf(undefined, files);
    expect(error.message).toContain('bare-ohlcv or bitfinex-candles');
  });

  test('is reported: an order of columns that only the prices show', async () => {
    const { report } = await importTexts(undefined, {
      'BTCUSD.csv': '1717200000,41,45,40,42,7\n1717203600,42,44,41,43,5\n',
    });
    expect(report.notes[0]).toMatch(/^The format was recognised as ohlcv-csv, which is a guess/);
  });

  test('is refused: two instruments in one file, and read where one is named', async () => {
    const text =
      'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol\n' +
      ['A', 'B', 'A', 'B']
        .map(
          (name, n) => `2024-01-0${1 + (n >> 1)}T00:00:00.000000000Z,35,2,38,1,2,1,2,${n},${name}`,
        )
        .join('\n');
    const files = filesOf({ 'x.ohlcv-1d.csv': `${text}\n` });
    const known = { baseCurrency: 'B', quoteCurrency: 'USD' };
    expect((await rejectionOf(undefined, files, known)).message).toContain(
      'a row of B after rows of A',
    );
    const { rows } = await importPaths(undefined, files, { ...known, symbol: 'B' });
    expect(rows.map((row) => row[6])).toEqual([1, 3]);
  });

  test('is refused: daily candles that begin in Hong Kong, and periods that there are not', async () => {
    const days = bars('1667404800000,1,2,1,2,5', '1667491200000,1,2,1,2,5');
    const error = await rejectionOf(undefined, filesOf({ 'BTC-USDT.csv': days }));
    expect(error.message).toContain('at OKX those of UTC are called 1Dutc');
    const two = '1735689600000,1,2,1,2,5,1735696799999,1,1,1,1,0\n';
    const hours = await rejectionOf(undefined, filesOf({ 'ETHUSDT-2h-2025-01.csv': two }));
    expect(hours).toMatchObject({ code: 'period-unknown' });
  });

  test('is required: what a file has that nothing in it says', async () => {
    const error = await rejectionOf(undefined, filesOf({ 'BTCUSDT.csv': 'a,b\n1,2\n' }));
    expect(error.message).toContain('is of no known format');
    expect(error.message).toContain('--mapping');
  });

  test('is refused: bids and asks without a size', async () => {
    const files = filesOf({
      'DAT_ASCII_EURUSD_T_202407.csv': '20240701 000000123,1.0710,1.0712,0\n',
    });
    expect((await rejectionOf(undefined, files)).message).toContain('--quote-size');
  });

  test('is refused: a format or tickers that are not there', async () => {
    const files = filesOf({ 'x.csv': 'Price,Close,Close\nTicker,A,B\nDate,,\n2024-01-01,1,2\n' });
    const tickers = await rejectionOf(undefined, files);
    expect(tickers.message).toContain('the file has the tickers A, B');
    const name = await rejectionOf('binance-trade' as 'parquet', files);
    expect(name.message).toContain('did you mean binance-trades?');
  });
});

describe('times without an offset', () => {
  const summer = bars(
    '2024-10-27 01:00:00,100,101,99,100,5',
    '2024-10-27 02:00:00,100,102,100,101,6',
    '2024-10-27 02:00:00,101,103,101,102,7',
    '2024-10-27 03:00:00,102,104,102,103,8',
  );
  const hours = (rows: readonly (readonly number[])[]): number[] =>
    rows.map((row) => (row[1] / 3_600_000_000) % 24);

  test('are of the zone that is named, also in the hour that comes twice', async () => {
    const { rows, report } = await importTexts(
      'ohlcv-csv',
      { 'BTCUSDT.csv': summer },
      { zone: 'Europe/Berlin' },
    );
    expect(hours(rows)).toEqual([23, 0, 1, 2]);
    expect(report.gaps).toEqual([]);
  });

  test('are UTC where no zone is named, which is said and here contradicts itself', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': summer }));
    expect(error.message).toContain('comes again with other numbers');
  });

  test('skip the hour that there is not', async () => {
    const spring = bars(
      '2024-03-10 00:00:00,100,101,99,100,5',
      '2024-03-10 01:00:00,100,102,100,101,6',
      '2024-03-10 03:00:00,101,103,101,102,7',
    );
    const zone = 'America/New_York';
    const { rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': spring }, { zone });
    expect(hours(rows)).toEqual([5, 6, 7]);
    const never = filesOf({ 'BTCUSDT.csv': spring.replace('03:00:00', '02:00:00') });
    const error = await rejectionOf('ohlcv-csv', never, { zone });
    expect(error.message).toContain('does not exist in its zone');
  });

  test.each([
    ['comes once', [0, 1, 3]],
    ['is the first', [1, 2, 3]],
    ['is the last', [0, 1]],
    ['stands in falling order', [3, 2, 1, 0]],
  ])('are refused where the hour that comes twice %s', async (_what, picked) => {
    const lines = summer.trim().split('\n').slice(1);
    const files = filesOf({ 'BTCUSDT.csv': bars(...picked.map((index) => lines[index])) });
    const error = await rejectionOf('ohlcv-csv', files, { zone: 'Europe/Berlin', period: 'H1' });
    expect(error.message).toContain('comes twice in its zone');
  });

  test('are refused for a zone that there is not', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': summer }), {
      zone: 'Mars/Base',
    });
    expect(error).toMatchObject({ code: 'usage', field: 'zone' });
  });
});

describe('a mapping', () => {
  test('reads decimal commas, days of another form, and columns of other names', async () => {
    const text =
      'Kurse der Bank\nDatum;Erster;Hoch;Tief;Letzter;Menge\n' +
      '01.02.2024;1.042,5;1.044,0;1.041,5;1.043,5;10,5\n02.02.2024;1.043,5;1.045;1.040;1.041;2\n';
    const { rows, report } = await importTexts(
      undefined,
      { 'BTCEUR.csv': text },
      {
        mapping: {
          rows: 'candles',
          skipLines: 1,
          decimalMark: ',',
          thousandsMark: '.',
          timeFormat: 'DD.MM.YYYY',
          zone: 'UTC',
          columns: {
            timestamp: 'Datum',
            open: 'Erster',
            high: 'Hoch',
            low: 'Tief',
            close: 'Letzter',
            volume: 'Menge',
          },
        },
      },
    );
    expect(rows[0].slice(5)).toEqual([10_435, 105, 10_440, 10_415, 10_425]);
    expect(report.period).toBe('D1');
  });

  test('reads trades by place, with sides, multipliers and rows of one instrument', async () => {
    const { rows } = await importTexts(
      undefined,
      { 'trades.txt': '1717200000|X|1000|2|up\n1717200001|Y|1|1|up\n1717200002|X|1100|3|down\n' },
      {
        symbol: 'BTCUSDT',
        mapping: {
          rows: 'trades',
          header: false,
          separator: '|',
          columns: { timestamp: 1, price: 3, size: 4, side: 5 },
          sides: { buy: ['up'], sell: ['down'] },
          multiplier: { price: '0.01', size: '100' },
          only: { 'column 2': 'X' },
        },
      },
    );
    expect(rows.map((row) => [row[3] & 1, row[5], row[6]])).toEqual([
      [0, 10, 200],
      [1, 11, 300],
    ]);
  });

  test('reads quotes with one size', async () => {
    const { rows } = await importTexts(
      undefined,
      { 'EURUSD.csv': 'ts,b,a\n1717200000,1.1,1.2\n1717200001,,1.2\n' },
      {
        mapping: {
          rows: 'quotes',
          columns: { timestamp: 'ts', bid: 'b', ask: 'a' },
          quoteSize: '5',
        },
      },
    );
    expect(rows.map((row) => [row[5], row[6], row[7], row[8]])).toEqual([
      [11, 5, 12, 5],
      [0, 0, 12, 5],
    ]);
  });

  test.each([
    ['a place beyond the columns', { timestamp: 9 }, 'expected one named'],
    ['a name that is not there', { timestamp: 'when' }, '"when"'],
  ])('is refused with %s', async (_what, columns, says) => {
    const error = await rejectionOf(undefined, filesOf({ 'EURUSD.csv': 'ts,b,a\n1,1,2\n' }), {
      mapping: { rows: 'quotes', columns },
    });
    expect(error.message).toContain(says);
  });

  test('is refused with a time format that names no day', async () => {
    const error = await rejectionOf(undefined, filesOf({ 'EURUSD.csv': 'ts,b,a\n1,1,2\n' }), {
      mapping: { rows: 'quotes', columns: { timestamp: 'ts' }, timeFormat: 'HH:mm' },
    });
    expect(error).toMatchObject({ code: 'usage', field: 'timeFormat' });
  });
});

test('sorted rows are those of a plain sort, however many parts they go through', () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.double());
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (rows, part) => {
      const sorted = new SortedRows(4, part);
      try {
        for (const [index, [time, id, value]] of rows.entries())
          sorted.add([time, id, index, value]);
        const found: number[][] = [];
        sorted.each((one) => found.push([...one]));
        const plain = rows
          .map(([time, id, value], index) => [time, id, index, value])
          .toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
        expect(found).toEqual(plain);
      } finally {
        sorted.close();
      }
    }),
  );
});
