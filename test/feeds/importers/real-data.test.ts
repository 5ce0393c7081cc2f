import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventColumns, LEVEL } from '../../../src/model/events.ts';
import { DepthFeed } from '../../../src/model/depth-feed.ts';
import { filesOf, importPaths, importTexts, type Row } from './imported.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const first = `${folder}spot_btcusdt_20240808.gz`;
const second = `${folder}spot_btcusdt_20240809.gz`;
const there = existsSync(first);
if (!there) process.stdout.write(`skipped: no real data is imported, there is no ${folder}\n`);

/** Counts the moments at which the whole book of the rows was crossed, and those at which it was stale. */
function moments(rows: readonly Row[]): { whole: number; stale: number; crossed: number } {
  const feed = new DepthFeed();
  const columns = eventColumns(1);
  const found = { whole: 0, stale: 0, crossed: 0 };
  columns.length = 1;
  for (const [, , kind, flags, sequence, price, size] of rows) {
    columns.kind[0] = kind;
    columns.flags[0] = flags;
    columns.sequence[0] = sequence;
    columns.price[0] = price;
    columns.size[0] = size;
    if (!feed.apply(columns, 0)) continue;
    const { bids, asks, stale } = feed.depth;
    if (stale) found.stale += 1;
    else found.whole += 1;
    if (!stale && bids.ticksAt(0) >= asks.ticksAt(0)) found.crossed += 1;
  }
  return found;
}

describe.skipIf(!there)('the captured session of BTCUSDT', () => {
  test('has the trades, quotes and level changes that were counted in it, and no gap', async () => {
    const { report, rows } = await importPaths('binance-raw', [first, second]);
    expect(report).toMatchObject({
      trades: 19_904,
      quotes: 73_174,
      levelChanges: 298_111,
      gaps: [],
      snapshots: 1,
      snapshotLevels: 2_000,
      missingTrades: 0,
      repeatedTrades: 0,
      skippedSnapshots: [],
      otherMessages: 0,
    });
    expect(report.instrument).toMatchObject({ tickSize: '0.01', quantityIncrement: '0.000001' });
    // Levels as sent, those of the snapshot, those sent again after it, and its RESET.
    const levels = 298_111 + 2_000 + report.repeatedLevels;
    expect(rows.filter(([, , kind]) => kind === LEVEL)).toHaveLength(levels);
    expect(rows).toHaveLength(19_904 + 73_174 + levels + 1);
    // Three of the 6,495 depth messages came before the snapshot and are in it or sent again.
    expect(moments(rows)).toEqual({ whole: 6_495 - 3 + 2, stale: 3, crossed: 0 });
  });

  const lines = (): string[] => gunzipSync(readFileSync(first)).toString('utf8').split('\n');

  test.each([
    ['between two messages before the snapshot', 2],
    ['that spans the snapshot', 6],
    ['that follows the snapshot', 10],
    ['in the middle', 20_000],
  ])('has one gap at the next depth line when one %s is taken out', async (_where, from) => {
    const all = lines();
    const index = all.findIndex((line, at) => at >= from - 1 && line.includes('@depth'));
    all.splice(index, 1);
    const next = all.findIndex((line, at) => at >= index && line.includes('@depth'));
    const { report, rows } = await importTexts('binance-raw', { 'cut.txt': all.join('\n') });
    expect(report.gaps.map(({ line }) => line)).toEqual([next + 1]);
    const { stale, crossed } = moments(rows);
    expect(crossed).toBe(0);
    const healed = index < 6 - 1;
    expect(report.gaps[0]?.until !== undefined).toBe(healed);
    if (!healed) expect(stale).toBeGreaterThan(0);
  });

  test('may begin with its second message, since nothing shows that there was a first', async () => {
    const { report } = await importTexts('binance-raw', {
      'cut.txt': lines().slice(1, 60).join('\n'),
    });
    expect(report).toMatchObject({ gaps: [], snapshots: 1 });
  });

  test('is refused when its file is cut off', async () => {
    const [path] = filesOf({ 'cut.gz': readFileSync(first).subarray(0, 100_000) });
    await expect(importPaths('binance-raw', [path])).rejects.toMatchObject({
      code: 'import-invalid',
      where: path,
    });
  });
});

describe.skipIf(!there)('the other recorded files', () => {
  test('have 45,031 candles of a minute without a gap', async () => {
    const path = `${folder}btc-perp-20211231-20220201_1m.csv.gz`;
    const { report, rows } = await importPaths('ohlcv-csv', [path]);
    expect(report).toMatchObject({ candles: 45_031, period: 'M1', gaps: [], rows: 45_031 });
    expect(report.instrument).toMatchObject({ symbol: 'BTC-PERP', type: 'futures' });
    const [received, stamped, , , , close, volume] = rows[0];
    expect(new Date(stamped / 1_000).toISOString()).toBe('2021-12-31T23:01:00.000Z');
    expect(received - stamped).toBe(60_000_000);
    expect([close, volume]).toEqual([46_377_000, 23_004_137_295]);
  });

  test('have 12,477 trades of XRP/ETH', async () => {
    const { report, rows } = await importPaths('freqtrade-trades', [
      `${folder}XRP_ETH-trades.json.gz`,
    ]);
    expect(report).toMatchObject({ trades: 12_477, rows: 12_477, unsidedTrades: 0 });
    expect(report.instrument).toMatchObject({
      symbol: 'XRPETH',
      baseCurrency: 'XRP',
      quoteCurrency: 'ETH',
      tickSize: '0.00000001',
      quantityIncrement: '1',
    });
    expect(rows[0]?.slice(4, 7)).toEqual([13_519_807, 141_342, 23]);
  });
});
