import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  downloadCandles,
  type CandleDownload,
  type CandleOrder,
} from '../../../src/gateways/ccxt/candle-download.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { millraceHere } from '../../cli/command.ts';
import { lines } from '../../cli/pages.ts';
import { CandleServer } from './candle-server.ts';
import { urlsAt } from './hitbtc.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const START = Date.UTC(2024, 0, 1);
const minutes = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + n * MINUTE);
const nowMs = (): number => new SystemScheduler().now() / 1_000;
const THREE_DAYS = minutes(START, 3 * 1_440);

let server: CandleServer;
let address = '';
let warnings: string[] = [];

beforeEach(async () => {
  server = new CandleServer();
  server.times = THREE_DAYS;
  warnings = [];
  address = await server.start();
});

afterEach(async () => {
  await server.stop();
});

const orderOf = (from: number, days: number): CandleOrder => ({
  symbol: 'BTC/USDT',
  period: 'M1',
  from: micros(from * 1_000),
  till: micros((from + days * DAY) * 1_000),
});

async function download(
  order: CandleOrder,
  folder = temporaryFolder(),
  { stop, config }: { readonly stop?: AbortController; readonly config?: object } = {},
): Promise<CandleDownload> {
  return await downloadCandles(
    { id: 'hitbtc', sandbox: false, config: { urls: urlsAt(address), ...config } },
    order,
    {
      folder,
      scheduler: new SystemScheduler(),
      random: new Random(1),
      warn: ({ message }) => warnings.push(message),
      signal: stop?.signal ?? new AbortController().signal,
      onProgress: () => stop?.abort(new Error('stopped')),
    },
  );
}

const timesIn = (files: readonly string[]): number[] =>
  files.flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as number[][]).map(([time = 0]) => time),
  );

describe('a download of candles', () => {
  test.each(['newest', 'oldest'] as const)(
    'has each candle once where an exchange gives the %s first',
    async (first) => {
      server.order = first;
      // A gap in the middle of a day, one over a midnight, and one as long as an answer.
      server.times = THREE_DAYS.filter((_, n) => (n < 500 || n > 530) && (n < 1_400 || n > 2_500));
      const { files, missing } = await download(orderOf(START, 3));
      expect(timesIn(files)).toEqual(server.times);
      expect([files.length, missing]).toEqual([3, []]);
      expect(readFileSync(files[0] ?? '', 'utf8').split('\n', 1)).toEqual([
        `[[${START},${[42_000.1, 42_000.4, 42_000.05, 42_000.3].map((price) => price + ((START / MINUTE) % 97)).join(',')},1.50001],`,
      ]);
    },
  );

  test('goes on where it was stopped, and asks for nothing twice', async () => {
    const folder = temporaryFolder();
    await expect(
      download(orderOf(START, 3), folder, { stop: new AbortController() }),
    ).rejects.toThrow('stopped');
    server.asked.length = 0;
    const next = await download(orderOf(START, 3), folder);
    expect(next).toMatchObject({ cached: 1, downloaded: 2 });
    expect(timesIn(next.files)).toEqual(THREE_DAYS);
    expect(Math.min(...server.asked.map(({ from }) => from))).toBe(START + DAY);
    server.asked.length = 0;
    expect(await download(orderOf(START, 3), folder)).toMatchObject({ cached: 3, downloaded: 0 });
    expect(server.asked).toEqual([]);
  });

  test('leaves out the candle that is not finished, and reads its day again', async () => {
    const now = nowMs();
    const today = Math.floor(now / DAY) * DAY;
    const open = Math.floor(now / MINUTE) * MINUTE;
    server.times = minutes(today - DAY, (open - today + DAY) / MINUTE + 1);
    const folder = temporaryFolder();
    const { files } = await download(orderOf(today - DAY, 2), folder);
    const times = timesIn(files);
    expect(times.length).toBeGreaterThanOrEqual(server.times.length - 1);
    expect((times.at(-1) ?? 0) + MINUTE).toBeLessThanOrEqual(nowMs());
    expect(files.at(-1)).toMatch(/\.open\.json$/);
    server.asked.length = 0;
    await download(orderOf(today - DAY, 2), folder);
    expect(server.asked.length).toBeGreaterThan(0);
  });

  test('names the days that the exchange does not have, and fails where it has none', async () => {
    const folder = temporaryFolder();
    const { missing, files } = await download(orderOf(START - 2 * DAY, 4), folder);
    expect(missing).toEqual(['2023-12-30/2023-12-31', '2023-12-31/2024-01-01']);
    expect(timesIn(files)).toEqual(THREE_DAYS.slice(0, 2 * 1_440));
    server.order = 'oldest';
    await expect(download(orderOf(START - 9 * DAY, 2), folder)).rejects.toMatchObject({
      code: 'download-failed',
      message: expect.stringContaining('The next is of 2024-01-01T00:00:00.000Z'),
    });
  });

  test('has each candle of HitBTC, which takes the order of candles and no end through ccxt', async () => {
    server.takesEnd = false;
    server.sorts = true;
    const { files } = await download(orderOf(START, 3));
    expect(timesIn(files)).toEqual(THREE_DAYS);
  });

  test('fails where an exchange gives the newest candles and takes no end', async () => {
    server.takesEnd = false;
    await expect(download(orderOf(START, 3))).rejects.toMatchObject({
      code: 'download-failed',
      message: expect.stringContaining('the newest candles only, 1000 at most'),
    });
  });

  test('asks again after a fault of the server, and keeps the pace of ccxt', async () => {
    server.failing = 1;
    const { files } = await download(orderOf(START, 1), undefined, { config: { rateLimit: 15 } });
    expect(timesIn(files)).toHaveLength(1_440);
    expect(warnings).toHaveLength(1);
    const [first, ...later] = server.asked.map(({ at }) => at);
    expect(later.length).toBeGreaterThan(0);
    // A request for candles costs ten units of 15 ms; clocks and sockets may shift one by some.
    expect((later.at(-1) ?? 0) - (first ?? 0)).toBeGreaterThan(later.length * 150_000 * 0.8);
  });

  test('is refused for contracts and unknown symbols', async () => {
    const order = orderOf(START, 1);
    await expect(download({ ...order, symbol: 'BTC/USDC' })).rejects.toMatchObject({
      code: 'symbol-unknown',
    });
    server.type = 'futures';
    await expect(download({ ...order, symbol: 'BTC/USDT:USDT' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is a contract'),
    });
    expect(server.asked).toEqual([]);
  });
});

test('the command of docs/ccxt.md makes a recording on the grid of the market, with its gaps', async () => {
  server.times = THREE_DAYS.filter((_, n) => n < 500 || n > 530);
  const cwd = temporaryFolder();
  const [shown = ''] = lines('docs/ccxt.md').filter((line) => line.includes('feed download'));
  const config = JSON.stringify({ urls: urlsAt(address) });
  const args = [...shown.split(' ').slice(2), '--ccxt-config', config];
  const { code, out, err } = await millraceHere(args, { cwd });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^instrument +BTC\/USDT, tick 0.01, increment 0.00001$/m);
  expect(out).toMatch(/^candles +2,849$/m);
  expect(out).toMatch(/^gaps +1$/m);
  expect(existsSync(`${cwd}/recordings/BTC_USDT.arrow`)).toBe(true);
  const again = await millraceHere([...args, '--force', '--json'], { cwd });
  expect(JSON.parse(again.out)).toMatchObject({
    cached: 2,
    downloaded: 0,
    import: { candles: 2_849, instrument: { takeRate: '0.0025' } },
  });
});
