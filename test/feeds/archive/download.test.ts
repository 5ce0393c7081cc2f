import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ArchiveOrder } from '../../../src/feeds/archive/archive.ts';
import { binanceArchive } from '../../../src/feeds/archive/binance.ts';
import {
  download,
  type DownloadOptions,
  type DownloadReport,
} from '../../../src/feeds/archive/download.ts';
import { FETCH_TERMS } from '../../../src/feeds/archive/fetcher.ts';
import type { MillraceError } from '../../../src/model/errors.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, parseIsoTime, type Micros } from '../../../src/platform/time.ts';
import { ArchiveServer } from '../../kit/archive-server.ts';
import { temporaryFolder } from '../../kit/recordings.ts';

const us = (text: string): Micros => micros(parseIsoTime(text) ?? Number.NaN);
const KLINES = { market: 'spot', type: 'klines', symbol: 'BTCUSDT', interval: '1h' } as const;
const order = (from: string, till: string, rest: Partial<ArchiveOrder> = {}): ArchiveOrder => ({
  ...KLINES,
  ...rest,
  from: us(from),
  till: us(till),
});
const NOW = us('2024-03-20');
const pathsOf = (wanted: ArchiveOrder): readonly string[] =>
  binanceArchive()
    .files(wanted, NOW)
    .map(({ path }) => path.replace('data/spot/', ''));
const DAY = 'data/spot/daily/trades/BTCUSDT/BTCUSDT-trades-2024-01-15.zip';
const oneDay = order('2024-01-15', '2024-01-16', { type: 'trades', interval: undefined });

describe('the files of the archive of Binance', () => {
  test('are months where the whole month is wanted and over, and days for the rest', () => {
    expect(pathsOf(order('2023-12-30', '2024-03-03'))).toEqual([
      'daily/klines/BTCUSDT/1h/BTCUSDT-1h-2023-12-30.zip',
      'daily/klines/BTCUSDT/1h/BTCUSDT-1h-2023-12-31.zip',
      'monthly/klines/BTCUSDT/1h/BTCUSDT-1h-2024-01.zip',
      'monthly/klines/BTCUSDT/1h/BTCUSDT-1h-2024-02.zip',
      'daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-03-01.zip',
      'daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-03-02.zip',
    ]);
  });

  test('end with yesterday, and of what comes by month only with the last month', () => {
    expect(pathsOf(order('2024-03-18', '2024-05-01')).at(-1)).toContain('2024-03-19.zip');
    const funding = { market: 'um', type: 'fundingRate', symbol: 'BTCUSDT', interval: undefined };
    expect(pathsOf(order('2024-01-20', '2024-05-01', funding))).toEqual([
      'data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-01.zip',
      'data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-02.zip',
    ]);
    expect(pathsOf(order('2024-01-01', '2024-03-01', { interval: '1mo' }))).toHaveLength(2);
  });

  test.each([
    ['market', { market: 'margin' }],
    ['type', { type: 'bookTicker', interval: undefined }],
    ['symbol', { symbol: 'BTC/USDT' }],
    ['interval', { interval: '7m' }],
    ['interval', { type: 'trades' }],
    ['till', { till: us('2023-01-01') }],
  ])('are refused for a wrong %s', (field, wrong) => {
    expect(() => pathsOf({ ...order('2024-01-01', '2024-02-01'), ...wrong })).toThrow(
      expect.objectContaining({ code: 'usage', field }) as Error,
    );
  });
});

/** A scheduler of the real clock that shows a day of 2024. */
class ThatDay extends SystemScheduler {
  readonly #ahead = super.now() - NOW;

  override now(): Micros {
    return micros(super.now() - (this.#ahead ?? 0));
  }

  override at(at: Micros, task: () => void): ReturnType<SystemScheduler['at']> {
    return super.at(micros(at), task);
  }
}

interface Fixture {
  readonly server: ArchiveServer;
  readonly folder: string;
  run(wanted: ArchiveOrder, options?: Partial<DownloadOptions>): Promise<DownloadReport>;
}

async function fixture(): Promise<Fixture> {
  const server = new ArchiveServer();
  const url = await server.start();
  onTestFinished(() => server.stop());
  const folder = temporaryFolder();
  return {
    server,
    folder,
    run: (wanted, options = {}) =>
      download(binanceArchive(`${url}/`), wanted, {
        folder,
        scheduler: new ThatDay(),
        random: new Random(1),
        terms: { ...FETCH_TERMS, firstPauseUs: 1_000, timeoutUs: 2_000_000 },
        ...options,
      }),
  };
}

const failureOf = async (running: Promise<unknown>): Promise<MillraceError> =>
  running.then(
    () => {
      throw new Error('The download went well.');
    },
    (error: unknown) => error as MillraceError,
  );

describe('a download', () => {
  test('keeps each file under its whole path, and asks for its checksum only the next time', async () => {
    const { server, folder, run } = await fixture();
    const bytes = server.put(DAY, 'rows');
    const report = await run(oneDay);
    expect(report).toMatchObject({ downloaded: 1, cached: 0, missing: [], bytes: bytes.length });
    expect(report.files).toEqual([join(folder, DAY)]);
    expect(readFileSync(join(folder, DAY))).toEqual(bytes);
    expect(readdirSync(dirname(join(folder, DAY)))).toHaveLength(1);
    server.asked.length = 0;
    expect(await run(oneDay)).toMatchObject({ downloaded: 0, cached: 1, bytes: 0 });
    expect(server.asked).toEqual([`${DAY}.CHECKSUM`]);
  });

  test('fetches a file again that the archive has replaced, or that was damaged here', async () => {
    const { server, folder, run } = await fixture();
    server.put(DAY, 'rows');
    await run(oneDay);
    const mended = server.put(DAY, 'mended rows');
    expect(await run(oneDay)).toMatchObject({ replaced: 1, cached: 0 });
    expect(readFileSync(join(folder, DAY))).toEqual(mended);
    writeFileSync(join(folder, DAY), 'damaged');
    expect(await run(oneDay)).toMatchObject({ replaced: 1 });
    expect(readFileSync(join(folder, DAY))).toEqual(mended);
  });

  test('goes on where the connection ended, also in another run', async () => {
    const { server, folder, run } = await fixture();
    const bytes = server.put(DAY, 'rows '.repeat(50));
    server.fail(DAY, { kind: 'cut', after: 40 }, { kind: 'cut', after: 10 });
    expect(await run(oneDay)).toMatchObject({ downloaded: 1, bytes: bytes.length });
    const ranges = server.asked.filter((path) => path.includes('bytes='));
    expect(ranges).toEqual([`${DAY} bytes=40-`, `${DAY} bytes=50-`]);
    const other = await fixture();
    other.server.put(DAY, 'rows '.repeat(50));
    other.server.fail(DAY, { kind: 'cut', after: 40 });
    const terms = { ...FETCH_TERMS, attempts: 1 };
    expect((await failureOf(other.run(oneDay, { terms }))).code).toBe('download-failed');
    expect(existsSync(join(other.folder, DAY))).toBe(false);
    expect(await other.run(oneDay)).toMatchObject({ downloaded: 1 });
    expect(other.server.asked.at(-1)).toBe(`${DAY} bytes=40-`);
    expect(readFileSync(join(folder, DAY))).toEqual(bytes);
  });

  test('starts again where the part is of a file that was replaced, or the server sends no parts', async () => {
    const { server, folder, run } = await fixture();
    server.put(DAY, 'rows '.repeat(50));
    server.fail(DAY, { kind: 'cut', after: 40 });
    await failureOf(run(oneDay, { terms: { ...FETCH_TERMS, attempts: 1 } }));
    const other = server.put(DAY, 'others '.repeat(50));
    server.asked.length = 0;
    await run(oneDay);
    expect(server.asked).toEqual([`${DAY}.CHECKSUM`, DAY]);
    expect(readFileSync(join(folder, DAY))).toEqual(other);
    const plain = await fixture();
    plain.server.ranges = false;
    const bytes = plain.server.put(DAY, 'rows '.repeat(50));
    plain.server.fail(DAY, { kind: 'cut', after: 40 });
    await plain.run(oneDay);
    expect(readFileSync(join(plain.folder, DAY))).toEqual(bytes);
  });

  test('refuses what differs from its checksum, after it has tried again', async () => {
    const { server, folder, run } = await fixture();
    server.put(DAY, 'rows');
    server.fail(DAY, { kind: 'wrong' });
    expect(await run(oneDay)).toMatchObject({ downloaded: 1 });
    const bad = await fixture();
    bad.server.put(DAY, 'rows');
    bad.server.fail(DAY, ...Array<{ kind: 'wrong' }>(5).fill({ kind: 'wrong' }));
    const error = await failureOf(bad.run(oneDay));
    expect(error.code).toBe('download-failed');
    expect(error.message).toContain('differs from its checksum');
    expect(existsSync(join(bad.folder, DAY))).toBe(false);
    expect(existsSync(join(folder, DAY))).toBe(true);
  });

  test('tries again what may go better, and not where the archive does not serve', async () => {
    const { server, run } = await fixture();
    server.put(DAY, 'rows');
    server.fail(`${DAY}.CHECKSUM`, { kind: 'status', status: 503 });
    server.fail(
      DAY,
      { kind: 'status', status: 429, retryAfter: 0 },
      { kind: 'status', status: 500 },
    );
    expect(await run(oneDay)).toMatchObject({ downloaded: 1 });
    server.asked.length = 0;
    server.fail(`${DAY}.CHECKSUM`, { kind: 'status', status: 451 });
    const error = await failureOf(run(oneDay));
    expect(error.message).toContain('not served to this place (451)');
    expect(server.asked).toHaveLength(1);
  });

  test('fetches a month by days where the archive does not have it, and names the days that are missing', async () => {
    const { server, run } = await fixture();
    for (let day = 1; day <= 31; day += 1) {
      const date = `2024-01-${String(day).padStart(2, '0')}`;
      if (day !== 7) server.put(`data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-${date}.zip`, 'x');
    }
    const report = await run(order('2024-01-01', '2024-02-01'));
    expect(report.files).toHaveLength(30);
    expect(report.files.map((file) => file.slice(-14))).toEqual(
      report.files.map((file) => file.slice(-14)).toSorted(),
    );
    expect(report.missing).toEqual(['data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-01-07.zip']);
  });

  test('says of a day that is just over that it is not there yet', async () => {
    const { server, run } = await fixture();
    server.put('data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-03-18.zip', 'x');
    const report = await run(order('2024-03-18', '2024-03-20'));
    expect(report).toMatchObject({ downloaded: 1, missing: [] });
    expect(report.awaited).toEqual(['data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-03-19.zip']);
  });

  test('of what the archive has not at all ends with an error that names a path', async () => {
    const { run } = await fixture();
    const error = await failureOf(run(order('2024-01-01', '2024-02-01', { symbol: 'NONEUSDT' })));
    expect(error.message).toContain('has no klines of NONEUSDT (spot)');
    expect(error.message).toContain('monthly/klines/NONEUSDT/1h/NONEUSDT-1h-2024-01.zip');
    const late = await failureOf(run(order('2024-03-20', '2024-03-25')));
    expect(late.message).toContain('no file yet of so late a time');
  });

  test('fetches several files at once, and no more than it may', async () => {
    const { server, run } = await fixture();
    server.delayMs = 15;
    for (let day = 10; day < 20; day += 1) {
      server.put(`data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-01-${day}.zip`, 'x');
    }
    const told: number[] = [];
    await run(order('2024-01-10', '2024-01-20'), {
      parallel: 3,
      onProgress: (done) => told.push(done),
    });
    expect(server.atOnce).toBe(3);
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('ends when it is asked to, and where nobody answers', async () => {
    const { server, run } = await fixture();
    server.put(DAY, 'rows');
    const signal = AbortSignal.abort(new Error('stop'));
    expect((await failureOf(run(oneDay, { signal }))).message).toBe('stop');
    await server.stop();
    const terms = { ...FETCH_TERMS, attempts: 2, firstPauseUs: 10 };
    const error = await failureOf(run(oneDay, { terms }));
    expect(error.code).toBe('download-failed');
    expect(error.message).toContain('cannot be reached');
  });
});
