import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRotation } from '../../../src/bot/recorder/rotation.ts';
import { checkRecording } from '../../../src/feeds/check.ts';
import { openRecording } from '../../../src/feeds/reader.ts';
import { EventRows } from '../../../src/gateways/rows.ts';
import { DepthFeed } from '../../../src/model/depth-feed.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import {
  CANDLE,
  FUNDING,
  GAP,
  LAST,
  LEVEL,
  MARK,
  RESET,
  TRADE,
} from '../../../src/model/events.ts';
import { US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { temporaryFolder, type Row } from '../../kit/recordings.ts';
import { Bench, BTC, ETH, kinds, PERPETUAL, START } from './bench.ts';

describe('recordings', () => {
  test('hold what was received of their symbol, with both times and the source', async () => {
    const bench = new Bench();
    await bench.recorder.open();
    expect(
      bench.market.wanted.map(({ instrument, trades, book }) => [instrument, trades, book]),
    ).toEqual([
      [BTC, true, 'full'],
      [ETH, true, 'full'],
    ]);
    bench.snapshot(5);
    bench.pass(10);
    bench.trade(100);
    bench.trade(200, 1);
    expect(bench.files).toEqual([
      'BTCUSDT-20260105T105950Z.arrow.part',
      'ETHUSDT-20260105T105950Z.arrow.part',
    ]);
    await bench.recorder.close();
    expect(bench.market.isClosed).toBe(true);
    expect(bench.notes).toEqual([
      'finished BTCUSDT-20260105T105950Z.arrow 4',
      'finished ETHUSDT-20260105T105950Z.arrow 1',
    ]);
    const [btc, eth] = bench.files;
    expect(kinds(bench.rows(btc))).toEqual([RESET, LEVEL, LEVEL, TRADE]);
    expect(bench.rows(eth)).toEqual([[START + 10, START + 3, TRADE, LAST, 0, 200, 1, 0, 0, 0]]);
    const recording = openRecording(join(bench.folder, btc));
    expect(recording.meta).toMatchObject({
      layout: 'events',
      instrument: BTC.terms,
      provenance: {
        importer: 'recorder',
        parameters: { from: 'http://127.0.0.1:8330' },
        notes: [],
      },
    });
    recording.close();
    expect(bench.recorder.status).toEqual({
      rows: 5,
      gaps: 0,
      frames: 0,
      symbols: [
        { symbol: 'BTCUSDT', rows: 4 },
        { symbol: 'ETHUSDT', rows: 1 },
      ],
    });
  });

  test('have their gaps, once each', async () => {
    const bench = new Bench();
    await bench.recorder.open();
    bench.market.listener?.connectionState(0, 'lost');
    bench.snapshot(5);
    bench.market.listener?.connectionState(0, 'lost', 'the connection broke');
    bench.pass(10);
    bench.snapshot(9);
    bench.market.emit(0, [bench.now, bench.now, GAP, LAST, 0, 0, 0, 0, 0, 0]);
    bench.market.listener?.connectionState(0, 'lost');
    bench.market.listener?.connectionState(0, 'live');
    await bench.recorder.close();
    const [btc] = bench.files;
    expect(kinds(bench.rows(btc)).filter((kind) => kind === GAP)).toHaveLength(2);
    expect(bench.rows(btc)[3][0]).toBe(START);
    expect(bench.recorder.status.gaps).toBe(2);
    expect(bench.notes).toContain('BTCUSDT lost');
  });

  test('leave candles out', async () => {
    const bench = new Bench();
    await bench.recorder.open();
    bench.market.emit(0, [bench.now, bench.now - 60_000_000, CANDLE, LAST, 0, 1, 1, 1, 1, 1]);
    await bench.recorder.close();
    expect(bench.files).toEqual([]);
  });
});

describe('rotation', () => {
  const hourly = parseRotation('1h');

  test('a new file begins with the first message of a new hour, and with the book as it stood', async () => {
    const bench = new Bench({ rotation: hourly });
    await bench.recorder.open();
    bench.snapshot(5);
    bench.level(6, 98, 1);
    bench.pass(10 * US_PER_SECOND + 5);
    bench.level(7, 99, 0);
    bench.trade(100);
    await bench.recorder.close();
    const [first, second] = bench.files;
    expect([first, second]).toEqual([
      'BTCUSDT-20260105T105950Z.arrow',
      'BTCUSDT-20260105T110000Z.arrow',
    ]);
    const [before, after] = [bench.rows(first), bench.rows(second)];
    expect(kinds(before)).toEqual([RESET, LEVEL, LEVEL, LEVEL]);
    expect(kinds(after)).toEqual([RESET, LEVEL, LEVEL, LEVEL, LEVEL, TRADE]);
    expect(after.every(([receivedAt]) => receivedAt === START + 10 * US_PER_SECOND + 5)).toBe(true);
    expect(depthOf(after)).toEqual(depthOf([...before, ...after.slice(4)]));
    expect(depthOf(after)).toEqual([
      ['98', '1'],
      ['101', '5'],
    ]);
    const recording = openRecording(join(bench.folder, second));
    expect(recording.meta.provenance.notes).toEqual([
      'Follows another recording, and begins with the book as that one left it.',
    ]);
    expect(checkRecording(recording).faults).toBe(0);
    recording.close();
  });

  test('a message that goes over the hour is not cut', async () => {
    const bench = new Bench({ rotation: hourly });
    await bench.recorder.open();
    bench.snapshot(5);
    bench.level(6, 98, 1, 0);
    bench.pass(11 * US_PER_SECOND);
    bench.level(6, 97, 1);
    bench.trade(100);
    await bench.recorder.close();
    const [first, second] = bench.files;
    expect(bench.rows(first).at(-1)?.[5]).toBe(97);
    expect(kinds(bench.rows(second))).toEqual([RESET, LEVEL, LEVEL, LEVEL, LEVEL, TRADE]);
  });

  test('a file of a perpetual begins with its latest mark price and funding too, as they were stamped', async () => {
    const bench = new Bench({ rotation: hourly, instruments: [PERPETUAL] });
    await bench.recorder.open();
    bench.snapshot(5);
    const funding = START + 8 * US_PER_HOUR;
    const { now } = bench;
    bench.market.emit(0, [now, now - 9, MARK, LAST, 0, 100, 7, 0, 0, 0]);
    bench.market.emit(0, [now, now - 8, FUNDING, LAST, 0, 100_000, 3, funding, 0, 0]);
    bench.market.emit(0, [now + 1, now - 5, MARK, LAST, 0, 101, 0, 0, 0, 0]);
    bench.pass(11 * US_PER_SECOND);
    bench.trade(100);
    await bench.recorder.close();
    const [first, second] = bench.files;
    expect(kinds(bench.rows(first))).toEqual([RESET, LEVEL, LEVEL, MARK, FUNDING, MARK]);
    const { now: at } = bench;
    expect(bench.rows(second).slice(3)).toEqual([
      [at, now - 5, MARK, LAST, 0, 101, 0, 0, 0, 0],
      [at, now - 8, FUNDING, LAST, 0, 100_000, 3, funding, 0, 0],
      [at, at - 7, TRADE, LAST, 0, 100, 1, 0, 0, 0],
    ]);
    const recording = openRecording(join(bench.folder, second));
    expect(recording.summary.derivatives).toMatchObject({ marks: 1, fundings: 1 });
    expect(checkRecording(recording).faults).toBe(0);
    recording.close();
  });

  test('a file is finished when its hour is over, though nothing comes any more', async () => {
    const bench = new Bench({ rotation: hourly });
    await bench.recorder.open();
    bench.trade(100);
    bench.pass(9 * US_PER_SECOND);
    expect(bench.files).toEqual(['BTCUSDT-20260105T105950Z.arrow.part']);
    bench.pass(US_PER_SECOND);
    expect(bench.files).toEqual(['BTCUSDT-20260105T105950Z.arrow']);
    bench.pass(3 * US_PER_HOUR);
    await bench.recorder.close();
    expect(bench.files).toHaveLength(1);
  });

  test('files end at their size, and names never meet', async () => {
    const bench = new Bench({ rotation: { kind: 'size', bytes: 3_000 }, flushUs: 1_000 });
    await bench.recorder.open();
    for (let count = 0; count < 12; count += 1) {
      bench.trade(100 + count);
      bench.pass(1_000);
    }
    await bench.recorder.close();
    expect(bench.files.length).toBeGreaterThan(1);
    expect(bench.files).toContain('BTCUSDT-20260105T105950Z-2.arrow');
    const prices = bench.files.flatMap((name) => bench.rows(name).map((row) => row[5]));
    expect(prices.toSorted()).toEqual(Array.from({ length: 12 }, (_, count) => 100 + count));
  });

  test.each([
    ['1h', { kind: 'time', spanUs: US_PER_HOUR }],
    ['15m', { kind: 'time', spanUs: US_PER_HOUR / 4 }],
    ['2d', { kind: 'time', spanUs: 48 * US_PER_HOUR }],
    ['500MB', { kind: 'size', bytes: 500_000_000 }],
    ['64 kb', { kind: 'size', bytes: 64_000 }],
    ['7m', undefined],
    ['0s', undefined],
    ['0MB', undefined],
    ['soon', undefined],
  ])('%s is read', (text, expected) => {
    expect(parseRotation(text)).toEqual(expected);
  });
});

describe('what cannot be written', () => {
  test('ends the record and is reported once', async () => {
    const bench = new Bench();
    await bench.recorder.open();
    bench.trade(100);
    bench.market.emit(0, [0.5, 1, TRADE, LAST, 0, 1, 1, 0, 0, 0]);
    bench.pass(5 * US_PER_SECOND);
    bench.trade(101);
    bench.pass(5 * US_PER_SECOND);
    expect(bench.failures).toHaveLength(1);
    expect(bench.failures[0]).toBeInstanceOf(MillraceError);
    await bench.recorder.close();
    expect(bench.files).toEqual(['BTCUSDT-20260105T105950Z.arrow.part']);
  });

  test('a folder that cannot be made is refused', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const bench = new Bench({ folder: join(file, 'recordings') });
    await expect(bench.recorder.open()).rejects.toMatchObject({ code: 'file-unwritable' });
  });
});

/** The book that rows lead to: prices and sizes of bids, then of asks. */
function depthOf(rows: readonly Row[]): readonly (readonly string[])[] {
  const columns = new EventRows();
  for (const row of rows) columns.add(...row);
  const { apply, depth } = bound(new DepthFeed());
  for (let row = 0; row < columns.length; row += 1) apply(columns.columns, row);
  return [depth.bids, depth.asks].flatMap((side) =>
    Array.from({ length: side.length }, (_, rank) => [
      String(side.ticksAt(rank)),
      String(side.lotsAt(rank)),
    ]),
  );
}

const bound = (feed: DepthFeed) => ({
  apply: (...args: Parameters<DepthFeed['apply']>) => feed.apply(...args),
  depth: feed.depth,
});
