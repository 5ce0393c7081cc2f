import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  generate,
  generateInTurns,
  generateRecording,
  generatorMeta,
  optionsOf,
  type BarOptions,
  type MarketOptions,
} from '../../src/feeds/generator.ts';
import { checkRecording } from '../../src/feeds/check.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { MARKET_LIMITS } from '../../src/feeds/synthetic/limits.ts';
import { DepthFeed } from '../../src/model/depth-feed.ts';
import {
  CANDLE,
  eventColumns,
  FUNDING,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../../src/model/events.ts';
import { micros, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { readRecording, temporaryFolder, type Row } from '../kit/recordings.ts';

const START = SAMPLE.startAt;

function rowsOf(options: MarketOptions | BarOptions): Row[] {
  const rows: Row[] = [];
  generate(options, { row: (...row: Row) => rows.push(row) });
  return rows;
}

const market = (changes: Partial<MarketOptions> = {}): MarketOptions => ({
  ...SAMPLE,
  durationUs: 300 * US_PER_SECOND,
  ...changes,
});

const NO_FAULTS = {
  crossed: 0,
  notAtBest: 0,
  beyondShown: 0,
  notReported: 0,
  backwards: 0,
  early: 0,
  sequence: 0,
  open: 0,
  quote: 0,
};

/** Walks the rows with a book beside them and counts what a real market would never show. */
function faultsOf(rows: readonly Row[], delayUs: number): Record<string, number> {
  const found = { ...NO_FAULTS };
  const feed = new DepthFeed();
  const { bids, asks } = feed.depth;
  const columns = eventColumns(1);
  let [receivedAt, tradeId, updateId] = [0, 0, 0];
  let [whole, owed] = [true, -1];
  for (const [received, stamped, kind, flags, sequence, price, size, askPrice, askSize] of rows) {
    if (received < receivedAt) found.backwards += 1;
    if (received - stamped < delayUs) found.early += 1;
    receivedAt = received;
    if (kind === TRADE) {
      const side = (flags & SELL) === 0 ? asks : bids;
      if (price !== side.ticksAt(0)) found.notAtBest += 1;
      if (size > side.lotsAt(0) || size <= 0) found.beyondShown += 1;
      if (sequence !== tradeId + 1 || !whole) found.sequence += 1;
      tradeId = sequence;
      owed = side.lotsAt(0) - size;
      continue;
    }
    if (kind === QUOTE) {
      const top = [bids.ticksAt(0), bids.lotsAt(0), asks.ticksAt(0), asks.lotsAt(0)];
      if (String(top) !== String([price, size, askPrice, askSize])) found.quote += 1;
      continue;
    }
    if (owed >= 0 && size !== owed) found.notReported += 1;
    owed = -1;
    // One message has one id, the next a higher one.
    if (whole ? sequence <= updateId : sequence !== updateId) found.sequence += 1;
    updateId = sequence;
    [columns.kind[0], columns.flags[0], columns.sequence[0]] = [kind, flags, sequence];
    [columns.price[0], columns.size[0]] = [price, size];
    feed.apply(columns, 0);
    whole = (flags & LAST) !== 0;
    if (bids.ticksAt(0) >= asks.ticksAt(0)) found.crossed += 1;
  }
  if (!whole) found.open += 1;
  return found;
}

/** By how much the middle of the book is above the index, on average over those that are stamped in a span. */
function meanPremium(rows: readonly Row[], from: number, till: number): number {
  const feed = new DepthFeed();
  const columns = eventColumns(1);
  const premiums: number[] = [];
  for (const [, stampedAt, kind, flags, sequence, price, size] of rows) {
    columns.kind[0] = kind;
    columns.flags[0] = flags;
    columns.sequence[0] = sequence;
    columns.price[0] = price;
    columns.size[0] = size;
    feed.apply(columns, 0);
    if (kind !== INDEX || stampedAt < from || stampedAt >= till) continue;
    const { bids, asks } = feed.depth;
    premiums.push((bids.ticksAt(0) + asks.ticksAt(0)) / 2 / (price + size / 1e15) - 1);
  }
  return premiums.reduce((sum, one) => sum + one, 0) / premiums.length;
}

describe('a perpetual', () => {
  const instrument = { ...SAMPLE.instrument, type: 'futures', contractType: 'perpetual' } as const;
  const hours = (count: number, perpetual = {}): MarketOptions => ({
    ...SAMPLE,
    instrument,
    durationUs: count * US_PER_HOUR,
    perpetual,
  });

  test('has the market that it would have without, row by row', () => {
    const { perpetual: _, ...without } = hours(0.1);
    const rows = rowsOf(hours(0.1));
    expect(rows.filter((row) => row[2] <= CANDLE)).toEqual(rowsOf(without));
    expect(rows.filter((row) => row[2] === MARK).length).toBe(359);
  });

  test('is the same from the same seed, sound, and says how it was made', () => {
    const folder = temporaryFolder();
    const options = hours(1, { fundingHours: 1, markSeconds: 3 });
    const [one, two] = ['one.arrow', 'two.arrow'].map((name) => join(folder, name));
    generateRecording(one, options);
    const recording = openRecording(one);
    expect(checkRecording(recording)).toMatchObject({ faults: 0, notices: 0 });
    generateRecording(two, optionsOf(recording.meta));
    recording.close();
    expect(readFileSync(two).equals(readFileSync(one))).toBe(true);
    expect(recording.meta.derivatives).toBe(true);
  });

  test('pays funding at whole periods, at rates that follow the premiums of the period before', () => {
    const rows = rowsOf(hours(5, { fundingHours: 2, markSeconds: 60, premiumSigma: 0.01 }));
    const rates = rows.filter((row) => row[2] === FUNDING);
    const h2 = 2 * US_PER_HOUR;
    expect(rates.map((row) => [row[7], row[8]])).toEqual([
      [START + h2, START + 2 * h2],
      [START + 2 * h2, START + 3 * h2],
      [START + 3 * h2, START + 4 * h2],
    ]);
    expect(rates[0]?.[5]).toBe(100_000);
    const expected = [0, 1].map((period) => {
      const end = START + (period + 1) * h2;
      const mean = meanPremium(rows, end - h2, end);
      return mean + Math.min(5e-4, Math.max(-5e-4, 1e-4 - mean));
    });
    expect(rates[1]?.[5]).toBeCloseTo(1e9 * (expected[0] ?? 0), -2);
    expect(rates[2]?.[5]).toBeCloseTo(1e9 * (expected[1] ?? 0), -2);
    for (const [, stampedAt, , , , , , paidAt] of rates) expect(stampedAt).toBeLessThan(paidAt);
  });

  test('has its mark above its index by what is left of the rate, and both off the grid', () => {
    const rows = rowsOf(hours(0.1, { premiumSigma: 0, openInterestStepLots: 0 }));
    const [mark] = rows.filter((row) => row[2] === MARK);
    const [index] = rows.filter((row) => row[2] === INDEX);
    const of = (row: Row = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) => row[5] + row[6] / 1e15;
    const left = (8 * US_PER_HOUR - ((mark?.[1] ?? 0) - START)) / (8 * US_PER_HOUR);
    expect(of(mark) / of(index) - 1).toBeCloseTo(1e-4 * left, 9);
    expect(mark?.[6]).not.toBe(0);
    const open = rows.filter((row) => row[2] === OPEN_INTEREST);
    expect(new Set(open.map((row) => row[6]))).toEqual(new Set([800_000_000]));
  });

  test('is refused of spot, and with parameters beyond their limits', () => {
    expect(() => rowsOf({ ...hours(1), instrument: SAMPLE.instrument })).toThrow('not of spot');
    expect(() => rowsOf(hours(1, { fundingHours: 0 }))).toThrow('fundingHours is 0');
  });
});

describe('a generated market', () => {
  test('never crosses, and trades at the best price for no more than is shown', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.record({
          startPrice: fc.constantFrom('1', '62000', '0.5'),
          volatilityTicks: fc.double({ min: 0, max: 2_000, noNaN: true }),
          noiseTicks: fc.double({ min: 0, max: 2_000, noNaN: true }),
          spreadTicks: fc.double({ min: 0.1, max: 100, noNaN: true }),
          gapTicks: fc.double({ min: 0.1, max: 100, noNaN: true }),
          tradesPerSecond: fc.double({ min: 0.1, max: 10, noNaN: true }),
          tradeLots: fc.integer({ min: 1, max: 500_000 }),
          levels: fc.integer({ min: 1, max: 30 }),
          jitterUs: fc.integer({ min: 0, max: 2_000_000 }),
          quotes: fc.boolean(),
        }),
        (seed, changes) => {
          const rows = rowsOf(market({ seed, market: changes }));
          expect(faultsOf(rows, 9_000)).toEqual(NO_FAULTS);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('begins with a snapshot and stays within its span', () => {
    const rows = rowsOf(market({ durationUs: 60 * US_PER_SECOND, market: { quotes: true } }));
    expect(rows[0][2]).toBe(RESET);
    const snapshot = rows.slice(1, rows.findIndex((row) => (row[3] & LAST) !== 0) + 1);
    expect(snapshot.length).toBe(24);
    expect(snapshot.every((row) => row[2] === LEVEL && row[6] > 0)).toBe(true);
    expect(rows.every((row) => row[1] >= START && row[1] < START + 60 * US_PER_SECOND)).toBe(true);
    expect(rows.some((row) => row[2] === QUOTE)).toBe(true);
  });

  test('of one seed is always the same, of another seed another', () => {
    expect(rowsOf(market())).toEqual(rowsOf(market()));
    expect(rowsOf(market({ seed: 1 }))).not.toEqual(rowsOf(market({ seed: 2 })));
  });

  test('leans towards where it goes: more bought than sold while the price rises', () => {
    let agree = 0;
    let moves = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const minutes = new Map<number, { flow: number; first: number; last: number }>();
      for (const row of rowsOf(market({ seed, durationUs: 30 * US_PER_MINUTE }))) {
        if (row[2] !== TRADE) continue;
        const key = Math.floor(row[1] / US_PER_MINUTE);
        const minute = minutes.get(key) ?? { flow: 0, first: row[5], last: row[5] };
        minute.flow += (row[3] & SELL) === 0 ? 1 : -1;
        minute.last = row[5];
        minutes.set(key, minute);
      }
      for (const { flow, first, last } of minutes.values()) {
        if (flow === 0 || last === first) continue;
        moves += 1;
        if (flow > 0 === last > first) agree += 1;
      }
    }
    expect(moves).toBeGreaterThan(200);
    expect(agree / moves).toBeGreaterThan(0.6);
  });

  test.each([
    [{ startPrice: '62000.005' }, 'off-grid'],
    [{ startPrice: '-1' }, 'off-grid'],
    [{ startPrice: 'much' }, 'decimal-invalid'],
    [{ tradesPerSecond: 0 }, 'parameter-invalid'],
    [{ levels: Number.NaN }, 'parameter-invalid'],
    [{ jitterUs: -1 }, 'parameter-invalid'],
    [{ delayUs: 0.5 }, 'parameter-invalid'],
    ...Object.keys(MARKET_LIMITS).map((name) => [{ [name]: 1e308 }, 'parameter-invalid'] as const),
    [JSON.parse('{ "levels": "12" }'), 'parameter-invalid'],
  ] as const)('refuses %o', (changes, code) => {
    const path = join(temporaryFolder(), 'a.arrow');
    expect(() => generateRecording(path, market({ market: changes }))).toThrow(
      expect.objectContaining({ code }),
    );
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('that stands still has sizes, too', () => {
    const rows = rowsOf(market({ durationUs: US_PER_MINUTE, market: { volatilityTicks: 0 } }));
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => !row.every(Number.isSafeInteger))).toEqual([]);
  });

  test('beyond the end of time is refused', () => {
    const options = market({ durationUs: Number.MAX_SAFE_INTEGER });
    expect(() => rowsOf(options)).toThrow(
      /^durationUs is \d+ and must be a whole number from 1 to/,
    );
  });
});

describe('a recording generated in turns', () => {
  test('is the one generated at once, and reports progress', async () => {
    const folder = temporaryFolder();
    const [once, turns] = [join(folder, 'once.arrow'), join(folder, 'turns.arrow')];
    const options = market({ durationUs: 3 * US_PER_HOUR });
    const shares: number[] = [];
    generateRecording(once, options);
    await generateInTurns(turns, options, new AbortController().signal, (share) =>
      shares.push(share),
    );
    expect(readFileSync(turns).equals(readFileSync(once))).toBe(true);
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.every((share) => share > 0 && share < 1)).toBe(true);
  });

  test('leaves nothing behind when it is stopped', async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    const made = generateInTurns(
      join(folder, 'a.arrow'),
      market({ durationUs: 1_000 * US_PER_HOUR }),
      stop.signal,
      () => {
        stop.abort(new Error('enough'));
      },
    );
    await expect(made).rejects.toThrow('enough');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('generated bars', () => {
  const BARS: BarOptions = {
    seed: 11,
    instrument: instrumentOf().terms,
    startAt: micros(START + 17),
    period: 'M1',
    count: 20_000,
  };

  test('follow each other without a hole, open where the last closed, and hold their ends', () => {
    const rows = rowsOf(BARS);
    expect(rows.length).toBe(BARS.count);
    let [start, close] = [Number(START), 6_200_000];
    const faults = rows.filter((row) => {
      const [receivedAt, stampedAt, kind, , , last, volume, high, low, open] = row;
      const good =
        stampedAt === start &&
        receivedAt === start + US_PER_MINUTE &&
        kind === CANDLE &&
        open === close &&
        low <= Math.min(open, last) &&
        high >= Math.max(open, last) &&
        Math.abs(last - 6_200_000) <= 2_000 &&
        volume >= 1;
      start = receivedAt;
      close = last;
      return !good;
    });
    expect(faults).toEqual([]);
  });

  test('have many exact ties of their averages of 10 and 30', () => {
    const closes = rowsOf(BARS).map((row) => row[5]);
    const sum = (end: number, count: number): number =>
      closes.slice(end - count, end).reduce((total, close) => total + close, 0);
    let ties = 0;
    for (let end = 30; end <= closes.length; end += 1) {
      if (3 * sum(end, 10) === sum(end, 30)) ties += 1;
    }
    expect(ties).toBeGreaterThan(50);
  });
});

describe('what was generated', () => {
  test('can be made again from its metadata, bars and market alike', () => {
    const folder = temporaryFolder();
    const all: (MarketOptions | BarOptions)[] = [
      market({ durationUs: 5 * US_PER_SECOND, market: { quotes: true, levels: 3 } }),
      { ...SAMPLE, period: 'H1', count: 9, bars: { stepTicks: 1 } },
    ];
    for (const [index, options] of all.entries()) {
      const path = join(folder, `${index}.arrow`);
      generateRecording(path, options);
      const recording = openRecording(path);
      recording.close();
      expect(recording.meta).toEqual(generatorMeta(options));
      expect(recording.meta.provenance.synthetic).toBe(true);
      expect(readRecording(path)).toEqual(rowsOf(optionsOf(recording.meta)));
    }
  });

  test('differs from what was not', () => {
    expect(() => optionsOf(eventsMeta())).toThrow(
      expect.objectContaining({ code: 'recording-invalid' }),
    );
    const { provenance, ...meta } = generatorMeta(SAMPLE);
    const { durationUs: _, ...parameters } = provenance.parameters ?? {};
    expect(() => optionsOf({ ...meta, provenance: { ...provenance, parameters } })).toThrow(
      'how long',
    );
  });
});

describe('the sample that comes with Millrace', () => {
  const PATH = fileURLToPath(new URL('../../config/sample/BTCUSDT.arrow', import.meta.url));

  test('is what the generator makes of the parameters in it', () => {
    const recording = openRecording(PATH);
    expect(recording.meta).toEqual(generatorMeta(SAMPLE));
    let row = 0;
    let wrong = 0;
    const batches = recording.batches();
    let columns = eventColumns(0);
    generate(optionsOf(recording.meta), {
      row: (receivedAt, stampedAt, kind, flags, sequence, price, size) => {
        if (row === columns.length) {
          columns = batches.next().value ?? columns;
          row = 0;
        }
        const same =
          columns.receivedAt[row] === receivedAt &&
          columns.stampedAt[row] === stampedAt &&
          columns.kind[row] === kind &&
          columns.flags[row] === flags &&
          columns.sequence[row] === sequence &&
          columns.price[row] === price &&
          columns.size[row] === size;
        if (!same) wrong += 1;
        row += 1;
      },
    });
    expect(wrong).toBe(0);
    expect(row).toBe(columns.length);
    expect(batches.next().done).toBe(true);
    recording.close();
  });

  test('is small, says that it is synthetic, and has no fault', () => {
    expect(statSync(PATH).size).toBeLessThan(5_000_000);
    const recording = openRecording(PATH);
    expect(recording.meta.provenance).toMatchObject({ synthetic: true, importer: 'generator' });
    expect(recording.summary.trades).toBeGreaterThan(10_000);
    recording.close();
    expect(faultsOf(readRecording(PATH), 9_000)).toEqual(NO_FAULTS);
  });
});
