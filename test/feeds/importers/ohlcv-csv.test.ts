import { describe, expect, test } from 'vitest';
import { CANDLE, LAST } from '../../../src/model/events.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const MINUTE = 60_000_000;
/** 2022-01-01T00:00:00Z in microseconds. */
const START = 1_640_995_200_000_000;

const plain = [
  'timestamp,open,high,low,close,volume',
  '2022-01-01 00:00:00,10.0,10.5,9.5,10.25,3.5',
  '2022-01-01 00:01:00,10.25,11,10,10.75,0',
].join('\n');

const candles = [
  [START + MINUTE, START, CANDLE, LAST, 0, 1025, 35, 1050, 950, 1000],
  [START + 2 * MINUTE, START + MINUTE, CANDLE, LAST, 0, 1075, 0, 1100, 1000, 1025],
];

describe('candles as CSV', () => {
  test('become rows with exact prices, received when their period ends', async () => {
    const { rows, report, meta } = await importTexts('ohlcv-csv', { 'BTCUSDT-1m.csv': plain });
    expect(rows).toEqual(candles);
    expect(meta).toMatchObject({ layout: 'candles', period: 'M1' });
    expect(meta.instrument).toMatchObject({
      symbol: 'BTCUSDT',
      tickSize: '0.01',
      quantityIncrement: '0.1',
      quoteCurrency: 'USDT',
    });
    expect(report).toMatchObject({ candles: 2, gaps: [], roundedVolumes: 0 });
  });

  const seconds = START / 1_000_000;
  test.each([
    ['seconds', String(seconds), String(seconds + 60)],
    ['seconds with a fraction', `${seconds}.000000`, `${seconds + 60}.0`],
    ['milliseconds', `${seconds}000`, `${seconds + 60}000`],
    ['microseconds', `${seconds}000000`, `${seconds + 60}000000`],
    ['nanoseconds', `${seconds}000000000`, `${seconds + 60}000000000`],
    ['ISO 8601', '2022-01-01T00:00:00Z', '2022-01-01T00:01:00Z'],
    ['ISO 8601 with an offset', '2022-01-01T02:00:00+02:00', '2022-01-01T02:01:00+02:00'],
    ['a space and microseconds', '2022-01-01 00:00:00.000000', '2022-01-01 00:01:00.000000'],
  ])('may have their times in %s', async (_what, one, two) => {
    const text = plain.replace('2022-01-01 00:00:00', one).replace('2022-01-01 00:01:00', two);
    const { rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv.gz': text });
    expect(rows).toEqual(candles);
  });

  test.each([
    ['semicolons, another order and case', 'Volume;CLOSE;Low;High;Open;Open Time', ';'],
    ['tabs and quotation marks', '"Vol"\t"close"\t"low"\t"high"\t"open"\t"date"', '\t'],
    ['columns that nobody needs', 'V,C,L,H,O,T,trades', ','],
  ])('may have %s', async (_what, header, mark) => {
    const quote = header.includes('"') ? '"' : '';
    const row = (...fields: string[]): string =>
      fields.map((field) => `${quote}${field}${quote}`).join(mark);
    const rest = header.endsWith('trades') ? ['7'] : [];
    const text = [
      `\uFEFF${header}`,
      row('3.5', '10.25', '9.5', '10.5', '10.0', '2022-01-01 00:00:00', ...rest),
      '',
      row('0', '10.75', '10', '11', '10.25', '2022-01-01 00:01:00', ...rest),
      '',
    ].join('\r\n');
    const { rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': text });
    expect(rows).toEqual(candles);
  });

  test('may name the columns that would not be found', async () => {
    const text = plain.replace('timestamp', 'bar').replace('volume', 'traded');
    const columns = { timestamp: 'bar', volume: 'traded' };
    const { rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': text }, { columns });
    expect(rows).toEqual(candles);
  });

  test('may be stamped with the end of their period, or a millisecond before it', async () => {
    for (const [one, two] of [
      ['2022-01-01 00:01:00', '2022-01-01 00:02:00'],
      ['2022-01-01 00:00:59.999', '2022-01-01 00:01:59.999'],
    ] as const) {
      const text = plain.replace('2022-01-01 00:01:00', two).replace('2022-01-01 00:00:00', one);
      const { rows } = await importTexts(
        'ohlcv-csv',
        { 'BTCUSDT.csv': text },
        { candleTime: 'close' },
      );
      expect(rows).toEqual(candles);
    }
  });

  test('that are missing are named by the line after them', async () => {
    const text = `${plain}\n2022-01-01 00:05:00,1,1,1,1,1\n2022-01-01 00:06:00,1,1,1,1,1`;
    const { report } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': text });
    expect(report.gaps).toMatchObject([
      { line: 4, kind: 'candles', expected: START + 2 * MINUTE, found: START + 5 * MINUTE },
    ]);
  });

  test.each([
    ['D1', '2022-01-01', '2022-01-02'],
    ['D7', '2022-01-03', '2022-01-10'],
    ['1M', '2022-01-01', '2022-02-01'],
    ['H4', '2022-01-01 00:00', '2022-01-01 04:00'],
  ])('of the period %s are known by their distance', async (period, one, two) => {
    const text = plain.replace('2022-01-01 00:00:00', one).replace('2022-01-01 00:01:00', two);
    const { report } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': text });
    expect(report.period).toBe(period);
  });

  test('go on over several files', async () => {
    const [header, one, two] = plain.split('\n');
    const { rows } = await importTexts('ohlcv-csv', {
      'BTCUSDT-1.csv': `${header}\n${one}`,
      'BTCUSDT-2.csv.gz': `${header}\n${two}`,
    });
    expect(rows).toEqual(candles);
  });

  test('have their volumes rounded down where all of them together pass 2^53 steps', async () => {
    const text = [
      'timestamp,open,high,low,close,volume',
      '2022-01-01 00:00:00,1,1,1,1,900000000000.25',
      '2022-01-01 00:01:00,1,1,1,1,0.123456789',
    ].join('\n');
    const { report, rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': text });
    expect(report.instrument.quantityIncrement).toBe('0.0001');
    expect(rows.map((row) => row[6])).toEqual([9_000_000_000_002_500, 1_234]);
    expect(report.roundedVolumes).toBe(1);
    expect(report.notes.join()).toContain('Volumes rounded down onto the grid of sizes: 1.');
  });
});

describe('a row of candles that is not what the format says', () => {
  const withRow = (row: string): Record<string, string> => ({ 'BTCUSDT.csv': `${plain}\n${row}` });
  test.each([
    ['is too short', '2022-01-01 00:02:00,1,1,1', '6 fields'],
    ['has no time', 'soon,1,1,1,1,1', 'the time "soon"'],
    ['has no price', '2022-01-01 00:02:00,1,x,1,1,1', '"x"'],
    ['has a decimal comma', '2022-01-01 00:02:00,1;5,1,1,1,1', '"1;5"'],
    ['comes again and differs', '2022-01-01 00:01:00,1,1,1,1,1', 'comes again with other numbers'],
    ['is off the grid of time', '2022-01-01 00:02:30,1,1,1,1,1', 'does not begin a period of M1'],
  ])('stops the import when it %s', async (_what, row, says) => {
    const error = await rejectionOf('ohlcv-csv', filesOf(withRow(row)));
    expect(error).toMatchObject({ code: 'import-invalid' });
    expect(error.where).toMatch(/BTCUSDT\.csv:4$/);
    expect(error.message).toContain(says);
  });

  test('stops it when the header lacks a column', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'a.csv': plain.replace('close', 'x') }));
    expect(error.where).toMatch(/a\.csv:1$/);
    expect(error.message).toContain('"close"');
  });

  test('stops it when the period is unknown', async () => {
    const one = plain.split('\n').slice(0, 2).join('\n');
    expect((await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': one }))).message).toContain(
      '--period',
    );
    const odd = plain.replace('00:01:00', '00:07:00');
    expect((await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': odd }))).message).toContain(
      '420 s apart',
    );
    const { rows } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': one }, { period: 'M1' });
    expect(rows).toEqual(candles.slice(0, 1));
  });

  test('stops it when a quoted field has no end', async () => {
    const error = await rejectionOf(
      'ohlcv-csv',
      filesOf(withRow('"2022-01-01 00:02:00,1,1,1,1,1')),
    );
    expect(error.where).toMatch(/BTCUSDT\.csv:4$/);
    expect(error.message).toContain('a quotation mark without its end');
  });

  test('stops it when the tick size that was given leaves nothing of a price', async () => {
    const text = 'time,open,high,low,close,volume\n2022-01-01 00:00:00,9,9,0.4,9,1';
    const options = { tickSize: '1', period: 'M1' } as const;
    const error = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': text }), options);
    expect(error).toMatchObject({ code: 'off-grid', field: 'price' });
    expect(error.where).toMatch(/:2$/);
  });

  test('stops it when the instrument is unknown', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf({ '2022_1m.csv': plain }));
    expect(error).toMatchObject({ code: 'usage', field: 'symbol' });
    const strange = await rejectionOf('ohlcv-csv', filesOf({ 'abc.csv': plain }));
    expect(strange).toMatchObject({ code: 'usage', field: 'symbol' });
    const named = await rejectionOf('ohlcv-csv', filesOf({ 'a.csv': plain }), {
      symbol: 'BTC-USD-YF',
    });
    expect(named).toMatchObject({ code: 'usage', field: 'quoteCurrency' });
    expect(named.message).toContain('--base-currency BTC --quote-currency USDT');
  });
});
