import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RecordingWriter } from '../../../src/feeds/writer.ts';
import { LAST, LEVEL, RESET, SELL, TRADE } from '../../../src/model/events.ts';
import type { Scheduler } from '../../../src/platform/scheduler.ts';
import { micros, US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import type { MarketPlan } from '../../../src/server/market/open.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { venueSettings } from '../../bot/venue-settings.ts';
import { example } from '../../cli/venue/example.ts';
import { instruments } from '../instruments.ts';
import { OPENED } from '../kit.ts';
import { clockAt, folder, KeptVenue, leftBehind } from './folder.ts';
import { readAll } from './reads.ts';

const settings = (market: MarketPlan): SimulationSettings =>
  venueSettings(['demo', 'other'], { rateLimits: false, market });

const lively = (): SimulationSettings => ({ ...example(), rateLimits: false, adminToken: 'admin' });

const sizeOf = (data: string): number => statSync(join(data, 'inputs.log')).size;

/** A recording of a trade each second: the n-th at 60,000 and n cents. */
function recordingOf(count: number): string {
  const path = join(folder(), 'BTCUSDT.arrow');
  const terms = instruments().find(({ symbol }) => symbol === 'BTCUSDT')?.terms;
  if (terms === undefined) throw new Error('no BTCUSDT');
  const writer = RecordingWriter.create(path, {
    layout: 'events',
    instrument: terms,
    provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
  });
  const start = Date.UTC(2024, 2, 4) * 1_000;
  const row = (at: number, kind: number, flags: number, sequence: number, ticks: number): void => {
    writer.row(at, at, kind, flags, sequence, ticks, kind === RESET ? 0 : 5, 0, 0, 0);
  };
  row(start, RESET, 0, 7, 0);
  row(start, LEVEL, 0, 7, 5_999_900);
  row(start, LEVEL, SELL | LAST, 7, 6_100_000);
  for (let index = 1; index <= count; index += 1) {
    row(start + index * US_PER_SECOND, TRADE, LAST | SELL, index, 6_000_000 + index);
  }
  writer.finish();
  return path;
}

const recorded = (speed: number | 'max', atEnd: 'stop' | 'loop', trades: number): MarketPlan => [
  { kind: 'recorded', files: [recordingOf(trades)], speed, atEnd },
];

/** Prices and times of the public trades, oldest first. */
async function tradesOf(venue: KeptVenue): Promise<readonly (readonly [string, string])[]> {
  const path = '/api/3/public/trades/BTCUSDT?sort=ASC&limit=1000';
  const { body } = await venue.call('GET', path);
  const trades = body as readonly { readonly price: string; readonly timestamp: string }[];
  return trades.map(({ price, timestamp }) => [price, timestamp]);
}

describe('a market of a venue that keeps its state', () => {
  test('makes the log grow by a few kilobytes an hour, however much happens', async () => {
    const data = folder();
    const venue = await KeptVenue.open(lively(), data);
    const before = sizeOf(data);
    venue.pass(US_PER_HOUR / 4);
    await venue.simulation.close();
    // Some 150,000 turns, and each was a record once.
    expect(sizeOf(data) - before).toBeLessThan(6_000);
  });

  test('is after a kill as it was seen, where nobody has asked for anything but to see it', async () => {
    const data = folder();
    const twin = await KeptVenue.open(lively(), data);
    const size = sizeOf(data);
    for (let look = 0; look < 10; look += 1) {
      twin.pass(2 * US_PER_SECOND);
      await tradesOf(twin);
    }
    // Whoever looks makes nothing grow.
    expect(sizeOf(data)).toBe(size);
    const again = await KeptVenue.open(lively(), leftBehind(data), twin.scheduler);
    expect(await readAll(again)).toEqual(await readAll(twin));
    expect(again.until).toBe(twin.scheduler.now());
    again.pass(10 * US_PER_SECOND);
    expect(await readAll(again)).toEqual(await readAll(twin));
  });

  test('goes on at its place of a recording, behind the time that the venue stood still', async () => {
    const market = recorded(1, 'stop', 100);
    const data = folder();
    const venue = await KeptVenue.open(settings(market), data);
    venue.pass(10.5 * US_PER_SECOND);
    const seen = await tradesOf(venue);
    expect(seen).toHaveLength(10);
    expect(seen.at(-1)).toEqual(['60000.10', '2026-01-05T10:00:10Z']);

    const later = clockAt(micros(OPENED + 70.5 * US_PER_SECOND));
    const again = await KeptVenue.open(settings(market), leftBehind(data), later);
    expect(await tradesOf(again)).toEqual(seen);
    again.pass(2 * US_PER_SECOND);
    expect((await tradesOf(again)).slice(10)).toEqual([
      ['60000.11', '2026-01-05T10:01:11Z'],
      ['60000.12', '2026-01-05T10:01:12Z'],
    ]);
    // And once more, to its end.
    const third = await KeptVenue.open(settings(market), leftBehind(data), later);
    expect(await tradesOf(third)).toHaveLength(10);
    third.pass(100 * US_PER_SECOND);
    expect(await tradesOf(third)).toHaveLength(100);
  });

  test.each([
    ['a recording that begins again and again', 8, 'loop', 2_345_678],
    ['a recording as fast as the machine can', 'max', 'loop', 23_456],
    ['a recording that has ended', 60, 'stop', 345_678],
  ] as const)('is the same after a kill where it is %s', async (_, speed, atEnd, step) => {
    const market = recorded(speed, atEnd, 40);
    const data = folder();
    const twin = await KeptVenue.open(settings(market), data);
    for (let turn = 0; turn < 5; turn += 1) {
      twin.pass(step);
      const form = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.0001', price: '60000.20' };
      await twin.call('POST', '/api/3/spot/order', { as: 'demo', form });
    }
    const again = await KeptVenue.open(settings(market), leftBehind(data), twin.scheduler);
    expect(await readAll(again)).toEqual(await readAll(twin));
    again.pass(step);
    expect(await readAll(again)).toEqual(await readAll(twin));
  });
});

/** A clock that a look at it moves on, as a machine does for which everything takes time. */
class SlowClock implements Scheduler {
  spentUs = 0;
  readonly perLookUs: number;
  readonly inner = clockAt();

  constructor(perLookUs: number) {
    this.perLookUs = perLookUs;
  }

  now() {
    this.spentUs += this.perLookUs;
    return micros(this.inner.now() + this.spentUs);
  }

  at(at: Parameters<Scheduler['at']>[0], task: () => void) {
    return this.inner.at(micros(at - this.spentUs), task);
  }
}

test('a market too fast for the machine comes late, in the same way at the next start', async () => {
  const data = folder();
  const market: MarketPlan = [
    {
      kind: 'generated',
      symbol: 'BTCUSDT',
      seed: 1,
      startPrice: '62000',
      shape: { tradesPerSecond: 300, updatesPerSecond: 600 },
    },
  ];
  const slow = new SlowClock(2_000);
  const open = { ...settings(market), port: 0 };
  const at = { folder: data, release: '1.0.0' };
  const simulation = await Simulation.open(open, slow, {}, at);
  const twin = new KeptVenue(simulation, slow.inner);
  for (let turn = 0; turn < 10; turn += 1) {
    twin.pass(US_PER_SECOND / 20);
    const form = { symbol: 'BTCUSDT', side: 'sell', quantity: '0.0001', type: 'market' };
    const answer = await twin.call('POST', '/api/3/spot/order', { as: 'demo', form });
    expect(answer.status).toBe(200);
  }
  // It stood still where it could not follow, which is logged.
  const log = readFileSync(join(data, 'inputs.log'), 'latin1');
  expect([...log.matchAll(/s \d{6}/g)].length).toBeGreaterThan(1);
  const copy = leftBehind(data);
  const seen = new Set((await tradesOf(twin)).map(String));
  const balance = await twin.call('GET', '/api/3/spot/balance', { as: 'demo' });
  const later = clockAt(twin.trading.now());
  await simulation.close();
  const again = await KeptVenue.open(settings(market), copy, later);
  const kept = await tradesOf(again);
  // A page of both, which the trades since then have moved on.
  const first = kept.findIndex((trade) => seen.has(String(trade)));
  const rest = kept.slice(first);
  expect(rest.length).toBeGreaterThan(50);
  expect(rest.filter((trade) => !seen.has(String(trade)))).toEqual([]);
  const found = await again.call('GET', '/api/3/spot/balance', { as: 'demo' });
  expect(found.body).toEqual(balance.body);
});
