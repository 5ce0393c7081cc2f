import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { featherOf } from '../kit/feather.ts';
import { typeErrors } from '../kit/type-check.ts';
import { lastJson, millraceHere } from './command.ts';
import { argumentsOf, blocks, lines } from './pages.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const ROWS = 600;
const places = Array.from({ length: ROWS }, (_, n) => n);

/** Prices that go up and down, long enough for each strategy to come in and out. */
const priceAt = (n: number): number =>
  Number((2_000 + 150 * Math.sin(n / 9) + 40 * Math.sin(n / 2.3)).toFixed(2));
const highAt = (n: number): number => Math.max(priceAt(n), priceAt(n + 1)) + 1;
const lowAt = (n: number): number => Math.min(priceAt(n), priceAt(n + 1)) - 1;

const csv = (header: string, row: (n: number) => readonly unknown[]): string =>
  [header, ...places.map((n) => row(n).join(','))].join('\n');

const day = (n: number): string => new Date(START + n * DAY).toISOString().slice(0, 10);

/** The data that users of each framework have, as it writes them. */
const FILES: Readonly<Record<string, Uint8Array | string>> = {
  'user_data/data/binance/BTC_USDT-5m.feather': featherOf({
    date: places.map((n) => START + n * 300_000),
    open: places.map(priceAt),
    high: places.map(highAt),
    low: places.map(lowAt),
    close: places.map((n) => priceAt(n + 1)),
    volume: places.map((n) => 10.00123 + (n % 5)),
  }),
  // pandas writes the seconds as floats there.
  'data/candles_BTC-USDT_1m.csv': csv(
    'timestamp,open,high,low,close,volume,quote_asset_volume,n_trades,taker_buy_base_volume,taker_buy_quote_volume',
    (n) => [
      `${START / 1_000 + n * 60}.0`,
      ...[priceAt(n), highAt(n), lowAt(n), priceAt(n + 1), 12.50123, 25_000, 90, 6, 12_000],
    ],
  ),
  'bars.csv': csv('timestamp,open,high,low,close,volume', (n) => [
    `${new Date(START + n * 60_000).toISOString().slice(0, 19).replace('T', ' ')}+00:00`,
    ...[priceAt(n), highAt(n), lowAt(n), priceAt(n + 1), 12.50123],
  ]),
  'MSFT.csv': csv('Date,Open,High,Low,Close,Adj Close,Volume', (n) => [
    day(n),
    // Of splits and dividends come prices that are on no tick.
    ...[priceAt(n), highAt(n), lowAt(n), priceAt(n + 1) + 0.000001, priceAt(n), 1_000_000],
  ]),
};

const PAGES = ['freqtrade', 'hummingbot', 'nautilustrader', 'backtrader'].map(
  (name) => `docs/coming-from-${name}.md`,
);

/** What a page tells to save, by the path that it names before the block. */
const savedBy = (page: string): readonly (readonly [path: string, text: string])[] =>
  [
    ...readFileSync(page, 'utf8').matchAll(/`(\S+\.(?:ts|yaml))`:\n\n```\w+\n([\s\S]*?)^```$/gm),
  ].map(([, path = '', text = '']) => [path, text]);

/** What is looked at of a run. */
interface Traded {
  readonly orders: object;
  readonly metrics: { readonly trades: { readonly count: number } };
}

let work = '';

function save(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), content);
}

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'millrace-coming-'));
  symlinkSync(resolve('config'), join(work, 'config'));
  for (const [path, content] of Object.entries(FILES)) save(path, content);
});

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe.each(PAGES)('%s', (page) => {
  test('names commands that work when pasted, and a strategy that trades', async () => {
    const saved = savedBy(page);
    expect(saved).toHaveLength(blocks(page, 'ts').length + blocks(page, 'yaml').length);
    for (const [path, text] of saved) save(path, text);
    const pasted = lines(page).map((line) => argumentsOf(line) ?? []);
    expect(pasted).toHaveLength(2);
    for (const args of pasted) {
      const isRun = args[0] === 'backtest';
      const ended = await millraceHere([...args, ...(isRun ? ['--json'] : [])], { cwd: work });
      expect(ended.err).not.toContain('error');
      expect(ended.code, `${args.join(' ')}\n${ended.err}`).toBe(0);
      if (isRun) {
        const { orders, metrics } = lastJson(ended) as unknown as Traded;
        expect(orders).toMatchObject({ refused: 0, rejected: 0 });
        expect(metrics.trades.count).toBeGreaterThan(2);
      }
      if (args[1] === 'import') expect(ended.out).toMatch(/^candles +6\d\d$/m);
    }
  }, 60_000);

  test('has at most 450 words', () => {
    const words = readFileSync(page, 'utf8').match(/\S*\w\S*/g) ?? [];
    expect(words.length).toBeLessThanOrEqual(450);
  });
});

test('their strategies compile as they are', () => {
  const files = new Map(PAGES.flatMap(savedBy).filter(([path]) => path.endsWith('.ts')));
  expect(files.size).toBe(4);
  expect(typeErrors(files)).toEqual([]);
}, 60_000);
