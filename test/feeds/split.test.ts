import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runOn } from '../../src/backtest/run.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { planFor, loadedStrategy } from '../../src/research/settings.ts';
import {
  openRecording as openForPrograms,
  writeRecording,
  type FeedEvent,
} from '../../src/feeds.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { openSeries } from '../../src/feeds/series.ts';
import { splitByDay } from '../../src/feeds/split.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { DepthFeed } from '../../src/model/depth-feed.ts';
import type { EventColumns } from '../../src/model/events.ts';
import {
  isoTime,
  micros,
  US_PER_DAY,
  US_PER_HOUR,
  US_PER_MINUTE,
} from '../../src/platform/time.ts';
import { eventsMeta } from '../kit/metas.ts';
import { rowsOf, temporaryFolder, type Row } from '../kit/recordings.ts';

const MIDNIGHT = Number(SAMPLE.startAt) + US_PER_DAY;

/** A generated market over a midnight, whole and as days. */
function market(): { readonly whole: string; readonly folder: string } {
  const whole = join(temporaryFolder(), 'BTCUSDT.arrow');
  const startAt = micros(MIDNIGHT - US_PER_HOUR);
  generateRecording(whole, { ...SAMPLE, startAt, durationUs: 2 * US_PER_HOUR });
  const folder = temporaryFolder();
  splitByDay(whole, folder);
  return { whole, folder };
}

function rowsIn(paths: readonly string[]): readonly Row[] {
  const [series] = openSeries(paths);
  const rows: Row[] = [];
  for (const columns of series.batches()) rows.push(...rowsOf(columns));
  series.close();
  return rows;
}

/** The run of a strategy on recordings, as if they were called the same. */
async function run(paths: readonly string[]): Promise<BacktestResult> {
  const strategy = await loadedStrategy('market-maker');
  const plan = planFor({ recordings: paths, balances: { USDT: '10000', BTC: '1' } }, strategy);
  const [series] = openSeries(paths);
  const named = {
    path: 'x',
    meta: series.meta,
    summary: series.summary,
    holes: series.holes,
    fingerprint: 'same',
    batches: () => series.batches(),
    close: () => undefined,
  };
  try {
    return await runOn(plan, [named], {});
  } finally {
    series.close();
  }
}

describe('a recording that was split by days', () => {
  test('reads as the one recording again, row by row', () => {
    const { whole, folder } = market();
    expect(rowsIn([folder])).toEqual(rowsIn([whole]));
    const [[joined], [one]] = [openSeries([folder]), openSeries([whole])];
    expect(joined.summary).toEqual(one.summary);
    expect(joined.holes).toEqual([]);
    joined.close();
    one.close();
  });

  test('gives the same run as the one recording, to the hash', async () => {
    const { whole, folder } = market();
    const [days, one] = [await run([folder]), await run([whole])];
    expect(one.fills.total).toBeGreaterThan(0);
    expect(days.hash).toBe(one.hash);
  });

  test('has days that begin with the book as the day before left it', () => {
    const { whole, folder } = market();
    const [, second] = [5, 6].map((day) => join(folder, `BTCUSDT/2024-03-0${day - 1}.arrow`));
    const { before, first } = books(whole, second);
    expect(first.length).toBeGreaterThan(10);
    expect(first).toEqual(before);
  });

  test('is known by a catalog, which says when a file is another', () => {
    const { folder } = market();
    const path = join(folder, 'catalog.json');
    const text = readFileSync(path, 'utf8');
    const { recordings } = JSON.parse(text) as { recordings: { sha256: string; rows: number }[] };
    expect(recordings).toMatchObject([
      { path: 'BTCUSDT/2024-03-04.arrow', symbol: 'BTCUSDT' },
      { path: 'BTCUSDT/2024-03-05.arrow', symbol: 'BTCUSDT' },
    ]);
    expect(rowsIn([path])).toEqual(rowsIn([folder]));
    writeFileSync(path, text.replace(recordings[1].sha256, 'f'.repeat(64)));
    const [series] = openSeries([folder]);
    expect(() => series.fingerprint).toThrow('is not the file that');
    series.close();
    writeFileSync(path, text.replace(`"rows": ${recordings[0].rows}`, '"rows": 1'));
    expect(() => openSeries([folder])).toThrow('is not the file that');
    writeFileSync(path, text);
    writeFileSync(join(folder, 'other.arrow'), '');
    expect(() => openSeries([folder])).toThrow('is not in the catalog of its folder');
    writeFileSync(path, '{}');
    expect(() => openSeries([folder])).toThrow('is no catalog of recordings');
  });

  test('is read from a time on without the days before it', () => {
    const { whole, folder } = market();
    const day = join(folder, 'BTCUSDT/2024-03-04.arrow');
    const bytes = readFileSync(day);
    // A day that is damaged in what is read of it later.
    const middle = bytes.length / 2;
    bytes.fill(0, middle, middle + 64);
    writeFileSync(day, bytes);
    expect(() => rowsIn([folder])).toThrow('is damaged');
    const from = MIDNIGHT + US_PER_MINUTE;
    const [days, one] = [folder, whole].map((path) => {
      const recording = openForPrograms(path);
      const events = [...recording.events({ from, till: from + 5 * US_PER_MINUTE })];
      recording.close();
      return events;
    });
    expect(days.length).toBeGreaterThan(1_000);
    expect(days).toEqual(one);
  });

  test('keeps messages whole, and a stale book is carried nowhere', async () => {
    const path = join(temporaryFolder(), 'it.arrow');
    const level = (receivedAt: number, price: string, isLast: boolean): FeedEvent => ({
      kind: 'level',
      receivedAt,
      side: 'bid',
      price,
      size: '1',
      isLast,
    });
    const events: FeedEvent[] = [
      { kind: 'reset', receivedAt: US_PER_DAY - 2, isLast: false },
      level(US_PER_DAY - 2, '10', true),
      level(US_PER_DAY - 1, '9', false),
      // Of the message that began the day before.
      level(US_PER_DAY + 1, '8', true),
      level(US_PER_DAY + 2, '7', true),
      { kind: 'gap', receivedAt: US_PER_DAY + 3 },
      level(2 * US_PER_DAY, '6', true),
    ];
    await writeRecording(path, { instrument: eventsMeta().instrument }, events);
    const folder = temporaryFolder();
    const days = splitByDay(path, folder);
    expect(days.map(({ rows }) => rows)).toEqual([4, 2 + 4, 1]);
    expect(rowsIn([folder])).toEqual(rowsIn([path]));
    // Without the day between, the last one has no book, and says so.
    const ends = [days[0], days[2]].map((day) => join(folder, day.path));
    expect(rowsIn(ends).map((row) => row[2])).toEqual([4, 2, 2, 2, 5, 2]);
    expect(() => splitByDay(path, folder)).toThrow('is there already');
    expect(splitByDay(path, folder, { replace: true })).toEqual(days);
  });

  test('has each candle in the day in which it begins', async () => {
    const path = join(temporaryFolder(), 'it.arrow');
    const candles = [-2, -1, 0, 1].map((minute): FeedEvent => {
      const exchangeAt = US_PER_DAY + minute * US_PER_MINUTE;
      const prices = { open: '1', high: '1', low: '1', close: '1', volume: '1' };
      return { kind: 'candle', exchangeAt, receivedAt: exchangeAt + US_PER_MINUTE, ...prices };
    });
    const about = { instrument: eventsMeta().instrument, period: '1m' as const };
    await writeRecording(path, about, candles);
    const folder = temporaryFolder();
    const days = splitByDay(path, folder);
    expect(days.map(({ rows, firstAt }) => [rows, firstAt])).toEqual([
      [2, isoTime(micros(US_PER_DAY - US_PER_MINUTE))],
      [2, isoTime(micros(US_PER_DAY + US_PER_MINUTE))],
    ]);
    expect(rowsIn([folder])).toEqual(rowsIn([path]));
  });
});

/** The levels of the book of the whole recording at midnight, and of a day after its first message. */
function books(whole: string, day: string): Record<'before' | 'first', readonly number[][]> {
  const levels = ({ depth }: DepthFeed): number[][] =>
    [depth.bids, depth.asks].flatMap((side) =>
      Array.from({ length: side.length }, (_, rank) => [side.ticksAt(rank), side.lotsAt(rank)]),
    );
  const until = (path: string, ends: (columns: EventColumns, row: number) => boolean) => {
    const feed = new DepthFeed();
    const recording = openRecording(path);
    try {
      for (const columns of recording.batches()) {
        for (let row = 0; row < columns.length; row += 1) {
          if (ends(columns, row)) return levels(feed);
          feed.apply(columns, row);
        }
      }
    } finally {
      recording.close();
    }
    throw new Error('The recording ended before.');
  };
  const { carried = 0 } = openRecording(day).meta.provenance.part ?? {};
  let rows = 0;
  return {
    before: until(whole, (columns, row) => columns.receivedAt[row] >= MIDNIGHT),
    first: until(day, () => rows++ === carried),
  };
}
