import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  defineImporter,
  importRecording,
  openRecording,
  writeRecording,
  type FeedEvent,
} from '../../src/feeds.ts';
import { eventsMeta, FUTURES } from '../kit/metas.ts';
import { blocks } from '../cli/pages.ts';
import { node, project } from '../kit/project.ts';
import { temporaryFolder } from '../kit/recordings.ts';

const PAGE = 'docs/recordings.md';

test('the scripts of the page and its examples run', () => {
  const folder = project();
  const examples = ['own-data', 'own-importer'].map((name) =>
    readFileSync(`examples/feeds/${name}.ts`, 'utf8'),
  );
  const reported = [...blocks(PAGE, 'ts'), ...examples].map((script, index) => {
    writeFileSync(join(folder, `${index}.ts`), script);
    return node([`${index}.ts`], folder);
  });
  expect(reported).toHaveLength(3);
  expect(reported[0]).toMatch(/^BTCUSDT 409741 rows\n(?:(?:buy|sell) [\d.]+ @ [\d.]+\n)+$/);
  expect(reported[1]).toMatch(/^600 [1-9]\d*\n$/);
  expect(reported[2]).toMatch(/^2 0\.1 /);
}, 120_000);

const SPOT = eventsMeta().instrument;
const at = 1_700_000_000_000_000;
const times = { receivedAt: at, exchangeAt: at - 5 };
const message = { ...times, isLast: true, id: 7 };

const EVENTS: readonly FeedEvent[] = [
  { kind: 'reset', ...message, isLast: false, id: 0 },
  { kind: 'level', ...message, isLast: false, side: 'bid', price: '100', size: '1.5' },
  { kind: 'level', ...message, side: 'ask', price: '100.01', size: '2' },
  { kind: 'trade', ...message, side: 'sell', price: '100', size: '0.001' },
  { kind: 'quote', ...message, bid: '99.99', bidSize: '3', ask: '100.02', askSize: '0' },
  { kind: 'gap', ...message },
];
const READINGS: readonly FeedEvent[] = [
  { kind: 'mark', ...message, value: '100.0033333333' },
  { kind: 'index', ...message, value: '99.987' },
  { kind: 'funding', ...message, rate: '-0.000123456789', paidAt: at, nextPaidAt: at + 1 },
  { kind: 'open-interest', ...message, value: '12345.67891' },
];
const candle: FeedEvent = {
  kind: 'candle',
  receivedAt: 60_000_000,
  exchangeAt: 0,
  open: '1',
  high: '3',
  low: '0.5',
  close: '2',
  volume: '10',
};

async function back(
  about: Parameters<typeof writeRecording>[1],
  events: readonly FeedEvent[],
): Promise<readonly FeedEvent[]> {
  const path = join(temporaryFolder(), 'it.arrow');
  const summary = await writeRecording(path, about, events);
  expect(summary.rows).toBe(events.length);
  const recording = openRecording(path);
  try {
    return [...recording.events()];
  } finally {
    recording.close();
  }
}

describe('events that a program writes', () => {
  test('come back as they were, with exact decimals', async () => {
    expect(await back({ instrument: SPOT }, EVENTS)).toEqual(EVENTS);
    const futures = [...EVENTS, ...READINGS];
    expect(await back({ instrument: FUTURES, derivatives: true }, futures)).toEqual(futures);
    expect(await back({ instrument: SPOT, period: '1m' }, [candle])).toEqual([candle]);
  });

  test('are read from a time on and up to another', async () => {
    const path = join(temporaryFolder(), 'it.arrow');
    const trades = [1, 2, 3, 4].map((receivedAt): FeedEvent => ({
      kind: 'trade',
      receivedAt,
      side: 'buy',
      price: '1',
      size: '1',
    }));
    await writeRecording(path, { instrument: SPOT }, trades);
    const recording = openRecording(path);
    const found = [...recording.events({ from: 2, till: 4 })].map((event) => event.receivedAt);
    recording.close();
    expect(found).toEqual([2, 3]);
  });

  test.each<[string, object, string]>([
    ['between two ticks', { price: '100.001' }, 'off-grid'],
    ['below zero', { price: '-1' }, 'off-grid'],
    ['as a binary fraction', { price: 100.5 }, 'event-invalid'],
    ['of no side', { side: 'bid' }, 'event-invalid'],
    ['without a time', { receivedAt: undefined }, 'event-invalid'],
    ['of another layout', { kind: 'candle' }, 'event-invalid'],
    ['of no kind', { kind: 'news' }, 'event-invalid'],
  ])('are refused %s, and nothing stays behind', async (_what, changes, code) => {
    const folder = temporaryFolder();
    const events = [{ ...EVENTS[3], ...changes } as FeedEvent];
    const written = writeRecording(join(folder, 'it.arrow'), { instrument: SPOT }, events);
    await expect(written).rejects.toMatchObject({ code });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("an importer of one's own", () => {
  const of = (...events: readonly FeedEvent[]) =>
    defineImporter({ name: 'mine', read: () => events });
  const importing = async (...events: readonly FeedEvent[]) => {
    const folder = temporaryFolder();
    const file = join(folder, 'BTCUSDT.txt');
    writeFileSync(file, 'x');
    const to = join(folder, 'it.arrow');
    return importRecording({ format: of(...events), files: [file], to });
  };
  const trade = (receivedAt: number, price: string, size: string): FeedEvent => ({
    kind: 'trade',
    receivedAt,
    side: 'buy',
    price,
    size,
  });

  test('has its steps inferred, and its name and files in the recording', async () => {
    const report = await importing(trade(1, '1.50', '2'), trade(2, '1.125', '0.5'));
    expect(report).toMatchObject({ format: 'mine', trades: 2, rows: 2 });
    expect(report.instrument).toMatchObject({
      symbol: 'BTCUSDT',
      tickSize: '0.001',
      quantityIncrement: '0.1',
      type: 'spot',
    });
  });

  test('gives candles, whose period is found, and funding of a perpetual', async () => {
    const second = { ...candle, receivedAt: 120_000_000, exchangeAt: 60_000_000 };
    expect(await importing(candle, second)).toMatchObject({ layout: 'candles', period: 'M1' });
    const { instrument } = await importing(trade(1, '1', '1'), { ...READINGS[2], receivedAt: 2 });
    expect(instrument).toMatchObject({ type: 'futures', contractType: 'perpetual' });
  });

  test.each<[string, readonly FeedEvent[], string]>([
    ['out of order', [trade(2, '1', '1'), trade(1, '1', '1')], 'import-invalid'],
    ['that are no text', [trade(1, 5 as unknown as string, '1')], 'event-invalid'],
    ['that are none', [null as unknown as FeedEvent], 'event-invalid'],
    ['of which there are none', [], 'event-invalid'],
  ])('is refused for events %s', async (_what, events, code) => {
    await expect(importing(...events)).rejects.toMatchObject({ code });
  });
});
