import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../../src/model/events.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const wrapped = (stream: string, data: object): string =>
  JSON.stringify({ stream: `btcusdt@${stream}`, data });

const trade = (t: number, price: string, size: string, m: boolean): string =>
  wrapped('trade', {
    e: 'trade',
    E: 1002,
    s: 'BTCUSDT',
    t,
    p: price,
    q: size,
    T: 1001,
    m,
    M: true,
  });

const ticker = (u: number): string =>
  wrapped('bookTicker', { u, s: 'BTCUSDT', b: '10.01', B: '3.50', a: '10.02', A: '0.25' });

type Levels = readonly (readonly [string, string])[];

const diff = (U: number, u: number, b: Levels, a: Levels = []): string =>
  wrapped('depth@100ms', { e: 'depthUpdate', E: 1003, s: 'BTCUSDT', U, u, b, a });

const futuresDiff = (U: number, u: number, pu: number, b: Levels): string =>
  wrapped('depth', { e: 'depthUpdate', E: 1003, T: 1002, s: 'BTCUSDT', U, u, pu, b, a: [] });

const snapshot = (lastUpdateId: number, bids: Levels, asks: Levels): string =>
  JSON.stringify({ lastUpdateId, bids, asks });

/** A capture whose n-th line was received n microseconds and 999 ns after the start. */
const capture = (...frames: string[]): string =>
  frames.map((frame, index) => `${index + 1}999 ${frame}\n`).join('');

const grid = { tickSize: '0.01', quantityIncrement: '0.01' };

describe('a raw capture of Binance', () => {
  test('becomes rows in the order of receipt, with both times', async () => {
    const text = capture(
      trade(7, '10.01000000', '0.02000000', true),
      trade(8, '10.02000000', '1.50000000', false),
      ticker(40),
      diff(41, 42, [['10.00', '1.00']], [['10.05', '0.00']]),
    );
    const { rows, report, meta } = await importTexts('binance-raw', { 'a.gz': text });
    expect(rows).toEqual([
      // The buyer's order rested in the first trade, so a seller took; in the second one a buyer.
      [1, 1_001_000, TRADE, SELL | LAST, 7, 1001, 2, 0, 0, 0],
      [2, 1_001_000, TRADE, LAST, 8, 1002, 150, 0, 0, 0],
      // The spot market does not stamp its book ticker.
      [3, 3, QUOTE, LAST, 40, 1001, 350, 1002, 25, 0],
      [4, 1_003_000, LEVEL, 0, 42, 1000, 100, 0, 0, 0],
      [4, 1_003_000, LEVEL, SELL | LAST, 42, 1005, 0, 0, 0, 0],
    ]);
    expect(report).toMatchObject({ trades: 2, quotes: 1, levelChanges: 2, gaps: [], rows: 5 });
    expect(meta.instrument).toEqual({
      symbol: 'BTCUSDT',
      type: 'spot',
      baseCurrency: 'BTC',
      quoteCurrency: 'USDT',
      tickSize: '0.01',
      quantityIncrement: '0.01',
      takeRate: '0.001',
      makeRate: '0.001',
      feeCurrency: 'USDT',
    });
    expect(report.inferred).toContain('tickSize');
    expect(meta.provenance.notes.join(' ')).toContain('tickSize 0.01');
    expect(meta.provenance.importer).toBe('binance-raw');
    expect(meta.provenance.sources[0]?.name).toBe('a.gz');
  });

  test('applies after a snapshot what came before it and is newer', async () => {
    const text = capture(
      diff(11, 12, [['9.90', '1.00']]),
      diff(13, 15, [['9.91', '2.00']]),
      snapshot(14, [['9.90', '7.00']], [['10.10', '8.00']]),
      diff(16, 16, [['9.92', '3.00']]),
    );
    const { rows, report } = await importTexts('binance-raw', { a: text }, grid);
    expect(
      rows.map(([at, , kind, flags, id, price, size]) => [at, kind, flags, id, price, size]),
    ).toEqual([
      [1, LEVEL, LAST, 12, 990, 100],
      [2, LEVEL, LAST, 15, 991, 200],
      [3, RESET, 0, 14, 0, 0],
      [3, LEVEL, 0, 14, 990, 700],
      [3, LEVEL, SELL | LAST, 14, 1010, 800],
      [3, LEVEL, LAST, 15, 991, 200],
      [4, LEVEL, LAST, 16, 992, 300],
    ]);
    expect(report).toMatchObject({
      levelChanges: 3,
      snapshots: 1,
      snapshotLevels: 2,
      repeatedLevels: 1,
      gaps: [],
    });
  });

  test('names the line that does not follow, and the snapshot that heals it', async () => {
    const text = capture(
      snapshot(10, [['9.90', '1.00']], []),
      diff(11, 12, [['9.91', '1.00']]),
      diff(14, 15, [['9.92', '1.00']]),
      diff(16, 16, [['9.93', '1.00']]),
      snapshot(15, [['9.92', '5.00']], []),
      diff(17, 18, [['9.94', '1.00']]),
    );
    const [path] = filesOf({ a: text });
    const { rows, report } = await importTexts('binance-raw', { a: text }, grid);
    expect(report.gaps).toEqual([
      {
        file: expect.stringMatching(/\/a$/),
        line: 3,
        kind: 'book',
        expected: 13,
        found: 14,
        at: 3,
        until: 5,
      },
    ]);
    expect(rows.map(([at, , kind, , id]) => [at, kind, id]).slice(3)).toEqual([
      [3, GAP, 13],
      [3, LEVEL, 15],
      [4, LEVEL, 16],
      [5, RESET, 15],
      [5, LEVEL, 15],
      // The update of line 4 is newer than the snapshot; the one of line 3 is in it.
      [5, LEVEL, 16],
      [6, LEVEL, 18],
    ]);
    expect(path).toBeDefined();
    expect(report.notes.join(' ')).toContain('Gaps in the sequence of the files: 1.');
  });

  test('is stale to its end where no snapshot follows a gap', async () => {
    const text = capture(snapshot(10, [['9.90', '1.00']], []), diff(12, 12, [['9.91', '1.00']]));
    const { report, rows } = await importTexts('binance-raw', { a: text }, grid);
    expect(report.gaps).toMatchObject([{ line: 2, expected: 11, found: 12, until: undefined }]);
    expect(rows.map(([, , kind]) => kind)).toEqual([RESET, LEVEL, GAP, LEVEL]);
  });

  test('leaves out a snapshot that the updates do not continue', async () => {
    const text = capture(
      diff(21, 22, [['9.90', '1.00']]),
      snapshot(19, [['9.80', '1.00']], []),
      snapshot(20, [['9.85', '1.00']], []),
      diff(23, 23, [['9.91', '1.00']]),
      snapshot(12, [['9.10', '1.00']], []),
    );
    const { report } = await importTexts('binance-raw', { a: text }, grid);
    expect(report.skippedSnapshots.map(({ line, lastUpdateId }) => [line, lastUpdateId])).toEqual([
      [2, 19],
      [5, 12],
    ]);
    expect(report).toMatchObject({ snapshots: 1, gaps: [] });
  });

  test('takes an update that was received twice for no gap', async () => {
    const frame = diff(11, 12, [['9.91', '1.00']]);
    const text = capture(snapshot(10, [], []), frame, frame, diff(12, 13, [['9.92', '1.00']]));
    const { report, rows } = await importTexts('binance-raw', { a: text }, grid);
    expect(report).toMatchObject({ gaps: [], levelChanges: 3, snapshotLevels: 0 });
    expect(rows[0]?.slice(2, 5)).toEqual([RESET, LAST, 10]);
  });

  test('recognises futures by any of their messages, and a coin-margined contract', async () => {
    const termsOf = async (data: object): Promise<unknown> => {
      const frame = wrapped('x', { s: 'BTCUSD_PERP', ...data });
      return (await importTexts('binance-raw', { a: capture(frame) })).meta.instrument;
    };
    const coin = { type: 'futures', contractSize: '100', settlement: 'inverse' };
    const one = { e: 'trade', E: 2, T: 1, t: 7, p: '61000.1', q: '3', m: true };
    expect(await termsOf(one)).toMatchObject({ ...coin, baseCurrency: 'BTC' });
    const other = await termsOf({ ...one, s: 'ETHUSD_240628' });
    expect(other).toMatchObject({ ...coin, contractSize: '10', quoteCurrency: 'USD' });
    const linear = await termsOf({ ...one, s: 'BTCUSDT', X: 'MARKET' });
    expect(linear).toMatchObject({ type: 'futures', symbol: 'BTCUSDT' });
    expect(linear).not.toHaveProperty('contractSize');
    const quoted = { s: 'BTCUSDT', u: 1, b: '10.01', B: '3', a: '10.02', A: '1' };
    expect(await termsOf({ ...quoted, E: 2 })).toMatchObject({ type: 'futures' });
    expect(await termsOf(quoted)).toMatchObject({ type: 'spot' });
  });

  test('an inverse contract cannot be called spot', async () => {
    const data = { e: 'trade', E: 2, T: 1, t: 7, p: '61000.1', q: '3', m: true, s: 'BTCUSD_PERP' };
    const files = filesOf({ a: capture(wrapped('trade', data)) });
    const rejection = await rejectionOf('binance-raw', files, { type: 'spot' });
    expect(rejection.code).toBe('usage');
    expect(rejection.message).toContain('each contract would count as 1');
  });

  test('follows pu on the futures market, where ids are not consecutive', async () => {
    const whole = capture(
      snapshot(105, [['9.90', '1.00']], []),
      futuresDiff(101, 109, 95, [['9.91', '1.00']]),
      futuresDiff(115, 120, 109, [['9.92', '1.00']]),
    );
    const good = await importTexts('binance-raw', { a: whole }, grid);
    expect(good.report).toMatchObject({ gaps: [], instrument: { type: 'futures' } });
    const broken = whole.replace('"pu":109', '"pu":112');
    const bad = await importTexts('binance-raw', { a: broken }, grid);
    expect(bad.report.gaps).toMatchObject([{ line: 3, expected: 110, found: 113 }]);
  });

  test('reads frames of a single stream, stamps in microseconds, and passes over other messages', async () => {
    const single = JSON.stringify({
      e: 'bookTicker',
      u: 1,
      E: 1_723_161_255_208_123,
      T: 1,
      s: 'BTCUSDT',
      b: '1.00',
      B: '1',
      a: '1.01',
      A: '1',
    });
    const text = capture(
      single,
      '{"result":null,"id":1}',
      '{"stream":"btcusdt@kline_1m","data":{"e":"kline"}}',
      wrapped('depth5@100ms', { lastUpdateId: 3, bids: [], asks: [] }),
    );
    const { report, rows } = await importTexts('binance-raw', { a: text });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.[1]).toBe(1_723_161_255_208_123);
    expect(report.otherMessages).toBe(3);
  });

  test('counts trade ids that were jumped over or came again', async () => {
    const ids = [5, 6, 9, 9, 7, 10];
    const text = capture(...ids.map((id) => trade(id, '1', '1', true)));
    const { report } = await importTexts('binance-raw', { a: text });
    expect(report).toMatchObject({ trades: 6, missingTrades: 2, repeatedTrades: 2, gaps: [] });
  });

  test('goes on from file to file as one session', async () => {
    const { report } = await importTexts(
      'binance-raw',
      {
        'one.gz': capture(snapshot(10, [], []), diff(11, 12, [['1', '1']])),
        two: `9999 ${diff(14, 14, [['1', '1']])}\n`,
      },
      grid,
    );
    expect(report.gaps.map(({ file, line }) => [file.slice(-3), line])).toEqual([['two', 1]]);
  });

  test('stops at a file that begins before the one ahead of it ends', async () => {
    const paths = filesOf({ later: capture(ticker(1), ticker(2)), earlier: capture(ticker(0)) });
    const error = await rejectionOf('binance-raw', paths, grid);
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(/earlier:1$/);
    expect(error.message).toContain('name the files in order of time');
  });

  test('says when a book has no snapshot to begin with', async () => {
    const reported = async (...frames: string[]): Promise<readonly string[]> =>
      (await importTexts('binance-raw', { a: capture(...frames) }, grid)).report.notes;
    const note = expect.stringContaining('There is no snapshot') as string;
    expect(await reported(diff(11, 12, [['1', '1']]))).toContainEqual(note);
    expect(await reported(snapshot(10, [], []), diff(11, 12, [['1', '1']]))).not.toContainEqual(
      note,
    );
  });

  test('takes the terms that are given over what it sees', async () => {
    const { report, rows } = await importTexts(
      'binance-raw',
      { a: capture(trade(1, '10.50', '2', false), diff(1, 1, [['10.5', '4']])) },
      { tickSize: '0.5', quantityIncrement: '2', takeRate: '0.0004', makeRate: '-0.0001' },
    );
    expect(rows[0]?.slice(5, 7)).toEqual([21, 1]);
    expect(report.instrument).toMatchObject({ tickSize: '0.5', makeRate: '-0.0001', type: 'spot' });
    expect(report.inferred).toEqual(['quoteCurrency', 'baseCurrency', 'feeCurrency']);
  });
});

describe('a line that is not what the format says', () => {
  const good = capture(trade(1, '1.00', '1.00', true));
  const line = (text: string): string => `${good}${text}\n`;
  test.each<[string, string, string]>([
    ['is no JSON', line('5 {"e":'), 'is not JSON'],
    ['has no time', line('{"e":"trade"}'), 'receive time in nanoseconds'],
    ['is empty', line(''), 'begins with no time'],
    ['is no object', line('5 17'), 'a JSON object'],
    [
      'lacks the maker',
      line('5 {"e":"trade","s":"BTCUSDT","t":1,"T":1,"p":"1","q":"1"}'),
      '"m" is',
    ],
    [
      'lacks the id',
      line('5 {"e":"trade","s":"BTCUSDT","T":1,"p":"1","q":"1","m":true}'),
      '"t" is',
    ],
    ['has a float', line(`5 ${trade(2, '1', '1', true).replace('"p":"1"', '"p":1.5')}`), '1.5'],
    ['has no number', line(`5 ${trade(2, 'NaN', '1', true)}`), '"NaN"'],
    ['has a negative size', line(`5 ${trade(2, '1', '-1', true)}`), '"-1"'],
    ['has no levels', line('5 {"lastUpdateId":1,"bids":[["1"]],"asks":[]}'), '"bids" is'],
    [
      'is of another symbol',
      line(`5 ${trade(2, '1', '1', true).replace('BTCUSDT', 'ETHUSDT')}`),
      'ETHUSDT',
    ],
  ])('stops the import when it %s', async (_what, text, says) => {
    const error = await rejectionOf('binance-raw', filesOf({ 'x.txt': text }));
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(/x\.txt:2$/);
    expect(error.message).toContain(says);
    expect(error.message).toContain('expected');
  });

  test('stops it when a price is off the grid that was given', async () => {
    const paths = filesOf({
      a: capture(trade(1, '1.00', '1', true), trade(2, '1.005', '1', true)),
    });
    const error = await rejectionOf('binance-raw', paths, grid);
    expect(error.code).toBe('off-grid');
    expect(error.where).toMatch(/a:2$/);
    expect(error.message).toContain('1.005 is not a whole number of tick sizes of 0.01');
  });

  test('stops it when a size is more than can be held exactly', async () => {
    const paths = filesOf({ a: capture(trade(1, '1', '90071992547410', true)) });
    const error = await rejectionOf('binance-raw', paths, grid);
    expect(error.message).toContain('more than 2^53 steps');
  });

  test('stops it when the gzip file is cut off', async () => {
    const zipped = gzipSync(capture(...Array.from({ length: 500 }, (_, i) => ticker(i))));
    const error = await rejectionOf('binance-raw', filesOf({ 'a.gz': zipped.subarray(0, -40) }));
    expect(error.code).toBe('import-invalid');
    expect(error.message).toContain('cut off or damaged');
  });

  test('stops it when nothing names the instrument', async () => {
    const error = await rejectionOf('binance-raw', filesOf({ a: '5 {"result":null}\n' }));
    expect(error.message).toContain('no trade, quote, depth update or mark price');
  });
});
