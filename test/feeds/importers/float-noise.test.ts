import { describe, expect, test } from 'vitest';
import { ImportGrid } from '../../../src/feeds/importers/grid.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const HEADER = 'time,open,high,low,close,volume';
const csv = (...rows: string[]): Record<string, string> => ({
  'BTCUSDT_1d.csv': [HEADER, ...rows].join('\n'),
});
/** Prices on a grid of 0.01 after they were binary fractions of half precision. */
const NOISE = csv(
  '2024-01-01,465.86,468.17,452.42,457.33,5',
  '2024-01-02,456.8599853515625,456.86,413.10400390625,424.4400024414062,6',
  '2024-01-03,424.103,427.8349914550781,384.53,394.79,7',
);

describe('prices that are the rest of binary fractions', () => {
  test('are refused at the row that would make the tick size absurd, with what to say', async () => {
    const error = await rejectionOf('ohlcv-csv', filesOf(NOISE));
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(/BTCUSDT_1d\.csv:3$/);
    expect(error.message).toContain('"456.8599853515625"');
    expect(error.message).toContain('--tick-size 0.01');
  });

  test('are rounded to the tick size that is given, and counted', async () => {
    const { rows, report } = await importTexts('ohlcv-csv', NOISE, { tickSize: '0.01' });
    // Close, high, low and open.
    expect(rows.map((row) => [row[5], row[7], row[8], row[9]])).toEqual([
      [45_733, 46_817, 45_242, 46_586],
      [42_444, 45_686, 41_310, 45_686],
      [39_479, 42_783, 38_453, 42_410],
    ]);
    // The second row has three of them; in the third 424.103 and 427.8349… lie between two ticks.
    expect(report.roundedPrices).toBe(5);
    expect(report.furthestRounding).toBe(0.499);
    expect(report.notes.join()).toContain('Prices rounded to the tick size, by 0.499 of a tick');
  });

  test('are refused where less than half a tick is left, by that name', async () => {
    const rows = csv('2024-01-01,1,1,0.5,1,5', '2024-01-02,1,1,0.4999,1,5', '2024-01-03,1,1,1,1,5');
    const error = await rejectionOf('ohlcv-csv', filesOf(rows), { tickSize: '1' });
    expect(error.code).toBe('off-grid');
    expect(error.where).toMatch(/BTCUSDT_1d\.csv:3$/);
    expect(error.message).toContain(
      'price 0.4999 is below half of --tick-size 1 and rounds to zero; give a smaller --tick-size, or none to have it inferred.',
    );
  });

  test('are none where a market has fine steps', async () => {
    const { report } = await importTexts(
      'ohlcv-csv',
      csv(
        '2024-01-01,0.0000012345,0.0000012346,0.0000012344,0.0000012345,5',
        '2024-01-02,1,1,1,1,1',
      ),
    );
    expect(report.instrument.tickSize).toBe('0.0000000001');
    expect(report.roundedPrices).toBe(0);
  });
});

test('a grid rounds to the nearest step, half of one up, and never to nothing', () => {
  const grid = new ImportGrid('0.05');
  expect(grid.countNear('1.05')).toEqual({ steps: 21, thousandths: 0 });
  expect(grid.countNear('1.06')).toEqual({ steps: 21, thousandths: 200 });
  expect(grid.countNear('1.075')).toEqual({ steps: 22, thousandths: 500 });
  expect(grid.countNear('1.0749999999999999999')).toEqual({ steps: 21, thousandths: 499 });
  expect(grid.countNear('0.024').steps).toBeNaN();
  expect(grid.countNear('0').steps).toBe(0);
  expect(grid.countNear('-1.06').steps).toBeNaN();
  expect(grid.countNear('x').steps).toBeNaN();
});

describe('candles that come again', () => {
  const [a, b, c, d] = ['01,1,4,1,2,5', '02,2,4,1,3,6', '03,3,4,1,2,7', '04,2,4,1,3,8'].map(
    (row) => `2024-01-${row}`,
  );

  test('are recorded once and counted, also where files overlap by several', async () => {
    const { rows, report } = await importTexts('ohlcv-csv', {
      'BTCUSDT-1.csv': [HEADER, a, b, b, c].join('\n'),
      'BTCUSDT-2.csv': [HEADER, b, c, d].join('\n'),
    });
    expect(rows.map((row) => row[6])).toEqual([5, 6, 7, 8]);
    expect(report).toMatchObject({ candles: 4, repeatedCandles: 3, gaps: [] });
    expect(report.notes.join()).toContain('Candles that came again with equal numbers');
  });

  test('are an error where a number differs, and one that comes late is put in its place', async () => {
    const other = await rejectionOf('ohlcv-csv', filesOf(csv(a, b, c, '2024-01-02,2,4,1,3,6.5')));
    expect(other.message).toContain('comes again with other numbers');
    const late = await importTexts('ohlcv-csv', csv(a, b, d, c));
    expect(late.rows.map((row) => row[6])).toEqual([5, 6, 7, 8]);
    expect(late.report).toMatchObject({ unorderedRows: 1, gaps: [] });
  });
});

test('quoted fields may have separators, doubled marks and line breaks, and lines are counted', async () => {
  const text = [
    '"note","time","open","high","low","close","volume"',
    '"one, ""two"" and',
    'three","2024-01-01","1","4","1","2","5"',
    '"","2024-01-02","1","4","1","2","6"',
    'x,2024-01-03,1,4,1,y,7',
  ];
  const files = { 'BTCUSDT.csv': text.slice(0, 4).join('\r\n') };
  const { rows } = await importTexts('ohlcv-csv', files);
  expect(rows.map((row) => [row[6], row[9]])).toEqual([
    [5, 1],
    [6, 1],
  ]);
  const error = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': text.join('\n') }));
  expect(error.where).toMatch(/BTCUSDT\.csv:5$/);
  const broken = text.with(2, 'three","soon","1","4","1","2","5"').join('\n');
  const second = await rejectionOf('ohlcv-csv', filesOf({ 'BTCUSDT.csv': broken }));
  expect(second.where).toMatch(/BTCUSDT\.csv:2$/);
});
