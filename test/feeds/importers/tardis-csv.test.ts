import { describe, expect, test } from 'vitest';
import { LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../../src/model/events.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const csv = (header: string, ...rows: string[]): string =>
  [header, ...rows.map((row) => `binance,BTCUSDT,${row}`), ''].join('\n');

const trades = (...rows: string[]): string =>
  csv('exchange,symbol,timestamp,local_timestamp,id,side,price,amount', ...rows);
const book = (...rows: string[]): string =>
  csv('exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount', ...rows);
const quotes = (...rows: string[]): string =>
  csv(
    'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
    ...rows,
  );

const grid = { tickSize: '0.1', quantityIncrement: '0.1' };
const brief = (row: readonly number[]): number[] => [row[0], row[2], row[3], row[5], row[6]];

describe('files of Tardis', () => {
  test('are merged by their time of arrival', async () => {
    const { rows, report } = await importTexts('tardis-csv', {
      't.csv.gz': trades(
        '90,100,17,buy,10.5,2',
        '95,103,9f-c,sell,10.4,0.1',
        '96,104,,unknown,10,1',
      ),
      'b.csv.gz': book(
        '80,99,true,bid,10.4,1.5',
        '80,99,true,ask,10.5,2.5',
        '91,101,false,ask,10.5,0',
        '91,101,false,bid,10.3,7',
        '92,103,false,bid,10.4,1e-1',
      ),
      'q.csv': quotes('91,102,2.5,10.6,10.4,1.5', '93,103,,,10.4,1.5'),
    });
    expect(rows).toEqual([
      [99, 80, RESET, 0, 0, 0, 0, 0, 0, 0],
      [99, 80, LEVEL, 0, 0, 104, 15, 0, 0, 0],
      [99, 80, LEVEL, SELL | LAST, 0, 105, 25, 0, 0, 0],
      [100, 90, TRADE, LAST, 17, 105, 20, 0, 0, 0],
      [101, 91, LEVEL, SELL, 0, 105, 0, 0, 0, 0],
      [101, 91, LEVEL, LAST, 0, 103, 70, 0, 0, 0],
      [102, 91, QUOTE, LAST, 0, 104, 15, 106, 25, 0],
      // At one time of arrival the files stand in the order in which they were named.
      [103, 95, TRADE, SELL | LAST, 0, 104, 1, 0, 0, 0],
      [103, 92, LEVEL, LAST, 0, 104, 1, 0, 0, 0],
      [103, 93, QUOTE, LAST, 0, 104, 15, 0, 0, 0],
      [104, 96, TRADE, LAST, 0, 100, 10, 0, 0, 0],
    ]);
    expect(report).toMatchObject({
      trades: 3,
      quotes: 2,
      levelChanges: 3,
      snapshots: 1,
      snapshotLevels: 2,
      unsidedTrades: 1,
      gaps: [],
    });
    expect(report.instrument).toMatchObject({
      symbol: 'BTCUSDT',
      type: 'spot',
      tickSize: '0.1',
      quantityIncrement: '0.1',
    });
  });

  test('empty the book when a snapshot begins, whatever came before it', async () => {
    const { rows, report } = await importTexts(
      'tardis-csv',
      {
        'day1.csv': book(
          '1,1,false,bid,9.9,1',
          '2,2,true,bid,10,1',
          '3,3,true,bid,9.8,1',
          '4,4,false,bid,10,0',
          '4,4,true,bid,9.7,1',
        ),
        'day2.csv': book('5,5,true,bid,9.6,1'),
      },
      grid,
    );
    expect(rows.map(brief)).toEqual([
      [1, LEVEL, LAST, 99, 10],
      [2, RESET, 0, 0, 0],
      [2, LEVEL, LAST, 100, 10],
      // Another time of arrival is another message, which replaces the book.
      [3, RESET, 0, 0, 0],
      [3, LEVEL, LAST, 98, 10],
      [4, LEVEL, LAST, 100, 0],
      [4, RESET, 0, 0, 0],
      [4, LEVEL, LAST, 97, 10],
      // The next day's file begins with a snapshot of its own.
      [5, RESET, 0, 0, 0],
      [5, LEVEL, LAST, 96, 10],
    ]);
    expect(report).toMatchObject({ snapshots: 4, snapshotLevels: 4, levelChanges: 2 });
  });

  test('of a feed that sends snapshots alone give one book for each message', async () => {
    const { rows, report } = await importTexts(
      'tardis-csv',
      {
        'b.csv': book(
          ...['1,10,true,bid,50,1', '1,10,true,bid,49,2', '1,10,true,ask,51,1'],
          ...['1,20,true,bid,40,1', '1,20,true,ask,41,3', '1,20,true,ask,42,1'],
          ...['3,30,true,bid,45,2', '3,30,true,ask,46,1'],
        ),
        // A trade between two messages, and one within the time of a message, change nothing.
        't.csv': trades('1,10,1,buy,51,1', '2,15,2,sell,40,1', '3,30,3,buy,46,1'),
      },
      { tickSize: '1', quantityIncrement: '1' },
    );
    expect(report).toMatchObject({ snapshots: 3, snapshotLevels: 8, levelChanges: 0 });
    const levels = new Map<string, number>();
    const books: string[] = [];
    for (const [at, , kind, flags, , price] of rows) {
      if (kind === RESET) levels.clear();
      if (kind !== LEVEL) continue;
      levels.set(`${(flags & SELL) === 0 ? 'bid' : 'ask'} ${price}`, at);
      if ((flags & LAST) !== 0) books.push([...levels.keys()].join());
    }
    expect(books).toEqual(['bid 50,bid 49,ask 51', 'bid 40,ask 41,ask 42', 'bid 45,ask 46']);
  });

  test('of many instruments give the one that is asked for', async () => {
    const text = `${trades('1,1,1,buy,10,1')}binance,ETHUSDT,2,2,5,buy,7,1\n`;
    const { rows, report } = await importTexts('tardis-csv', { a: text }, { symbol: 'ETHUSDT' });
    expect(rows.map((row) => row[4])).toEqual([5]);
    expect(report.instrument.baseCurrency).toBe('ETH');
    const error = await rejectionOf('tardis-csv', filesOf({ a: text }));
    expect(error.message).toContain('a row of ETHUSDT after rows of BTCUSDT');
    const none = await rejectionOf('tardis-csv', filesOf({ a: text }), { symbol: 'XRPUSDT' });
    expect(none.message).toContain('no row of XRPUSDT');
  });

  test('of a contract exchange are of a future', async () => {
    const text = trades('1,1,1,buy,10,1').replace('binance,BTCUSDT', 'deribit,BTC-PERPETUAL');
    const { report } = await importTexts('tardis-csv', { a: text });
    expect(report.instrument).toMatchObject({
      symbol: 'BTC-PERPETUAL',
      type: 'futures',
      baseCurrency: 'BTC',
      quoteCurrency: 'USD',
    });
  });

  test('may be empty, as those of a day without data are', async () => {
    const { report } = await importTexts(
      'tardis-csv',
      { 'a.csv.gz': '', 'b.csv': trades(), 'c.csv': trades('1,1,1,buy,10,1') },
      grid,
    );
    expect(report.trades).toBe(1);
    const error = await rejectionOf('tardis-csv', filesOf({ 'a.csv.gz': '', 'b.csv': trades() }));
    expect(error.message).toContain('no row in the files');
  });

  test('are merged in the same way when they are longer than a piece of a file', async () => {
    const count = 15_000;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const levels = numbers.flatMap((n) => [
      `${n},${2 * n},false,bid,10.0000000000,${n}`,
      `${n},${2 * n},false,ask,11.0000000000,${n}`,
    ]);
    const { rows } = await importTexts('tardis-csv', {
      'b.csv.gz': book(...levels),
      't.csv': trades(...numbers.map((n) => `${n},${2 * n + 1},${n},buy,10.5,1`)),
    });
    expect(rows.map((row) => row[0])).toEqual(numbers.flatMap((n) => [2 * n, 2 * n, 2 * n + 1]));
    const ends = rows.filter((row) => row[2] === LEVEL).map((row) => row[3] & LAST);
    expect(ends).toEqual(numbers.flatMap(() => [0, LAST]));
  });
});

describe('a row of Tardis that is not what the format says', () => {
  test.each([
    ['is too short', trades('1,1,1,buy,10,1', '2,2,2,buy,10'), '8 fields'],
    ['has no time', trades('1,1,1,buy,10,1', '2,soon,2,buy,10,1'), 'local_timestamp "soon"'],
    ['has another side', trades('1,1,1,buy,10,1', '2,2,2,long,10,1'), 'the side "long"'],
    ['has no amount', trades('1,1,1,buy,10,1', '2,2,2,buy,10,'), 'is no number'],
    ['has no true or false', book('1,1,true,bid,10,1', '2,2,yes,bid,10,1'), '"true" or "false"'],
    ['has no bid or ask', book('1,1,true,bid,10,1', '2,2,true,buy,10,1'), '"ask" or "bid"'],
    ['goes back in time', trades('1,5,1,buy,10,1', '2,4,2,buy,10,1'), 'is before that of a row'],
  ])('stops the import when it %s', async (_what, text, says) => {
    const error = await rejectionOf('tardis-csv', filesOf({ 'x.csv': text }));
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(/x\.csv:3$/);
    expect(error.message).toContain(says);
  });

  test('stops it at the row itself, also where reading has gone on to another file', async () => {
    const paths = filesOf({
      'a.csv': trades('1,1,1,buy,10,1', '2,2,2,buy,10.05,1'),
      'b.csv': trades('3,3,3,buy,10,1'),
    });
    const error = await rejectionOf('tardis-csv', paths, grid);
    expect(error.code).toBe('off-grid');
    expect(error.where).toMatch(/a\.csv:3$/);
  });

  test('stops it when the columns are of no data type', async () => {
    const error = await rejectionOf(
      'tardis-csv',
      filesOf({ 'x.csv': 'exchange,symbol\nbinance,X\n' }),
    );
    expect(error.where).toMatch(/x\.csv:1$/);
    expect(error.message).toContain('trades, incremental_book_L2, quotes or derivative_ticker');
  });
});
