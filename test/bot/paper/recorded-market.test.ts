import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRecording } from '../../../src/bot/doctor/recording.ts';
import { RecordedMarketSource } from '../../../src/bot/paper/recorded-market.ts';
import type { Wanted } from '../../../src/gateways/market-source.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { CANDLE, GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../../src/model/events.ts';
import { micros, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { candlesMeta, eventsMeta } from '../../kit/metas.ts';
import { rowsOf, temporaryFolder, writeRecording } from '../../kit/recordings.ts';
import {
  RECORDED,
  NOW,
  BTC,
  ETH,
  at,
  trade,
  level,
  reset,
  candle,
  Ear,
  all,
  recorded,
} from './listener.ts';

describe('rows', () => {
  test('come at their own distances, stamped as far back as they were', async () => {
    const ear = new Ear([recorded(trade(0, 100), trade(1.5, 101), trade(4, 102))]);
    await ear.market.open([all()], ear);
    expect(ear.hearings).toEqual(['0 live']);
    ear.pass(10);
    expect(ear.of(TRADE)).toEqual([
      [0, 100],
      [1.5, 101],
      [4, 102],
    ]);
    for (const { at: receivedAt, row } of ear.reported.filter((one) => one.row[2] === TRADE)) {
      expect([row[0], row[1]]).toEqual([receivedAt, receivedAt - 1_000]);
    }
  });

  test('come so many times as fast', async () => {
    const ear = new Ear([recorded(trade(0, 100), trade(60, 101), trade(120, 102))], { speed: 10 });
    await ear.market.open([all()], ear);
    ear.pass(20);
    expect(ear.of(TRADE).map(([seconds]) => seconds)).toEqual([0, 6, 12]);
  });

  test('of several symbols come on one clock, each under its own place', async () => {
    const folder = temporaryFolder();
    const btc = writeRecording(join(folder, 'a.arrow'), [trade(0, 100), trade(2, 101)]);
    const meta = eventsMeta({ instrument: ETH.terms });
    const eth = writeRecording(join(folder, 'b.arrow'), [trade(1, 200), trade(2, 201)], meta);
    const ear = new Ear([btc, eth]);
    await ear.market.open([all(ETH), all(BTC)], ear);
    ear.pass(3);
    const trades = ear.reported.filter(({ row }) => row[2] === TRADE);
    expect(trades.map(({ index, row }) => [index, row[5]])).toEqual([
      [1, 100],
      [0, 200],
      [0, 201],
      [1, 101],
    ]);
  });

  test('of one moment come together, so that no message is cut', async () => {
    const message = Array.from({ length: 3_000 }, (_, index) =>
      level(1, 7, 1_000 + index, 1, index === 2_999 ? LAST : 0),
    );
    const ear = new Ear([recorded(reset(0, 6), level(0, 6, 900, 1), ...message, trade(2, 1))]);
    await ear.market.open([all()], ear);
    ear.pass(1);
    const calls = ear.calls;
    expect(ear.reported).toHaveLength(3_002);
    expect(calls).toBe(2);
  });

  test('only wanted kinds are notified', async () => {
    const quote = [at(1), at(1), QUOTE, LAST, 0, 99, 1, 101, 1, 0] as const;
    const path = recorded(reset(0, 1), level(0, 1, 99, 1), quote, trade(2, 100));
    const kinds = async (wanted: Partial<Wanted>): Promise<number[]> => {
      const ear = new Ear([path]);
      await ear.market.open([{ instrument: BTC, trades: true, book: 'none', ...wanted }], ear);
      ear.pass(2.5);
      return [...new Set(ear.reported.map(({ row }) => row[2]))];
    };
    expect(await kinds({})).toEqual([TRADE]);
    expect(await kinds({ trades: false, book: 'top' })).toEqual([QUOTE, RESET, GAP]);
    expect(await kinds({ book: 'full' })).toEqual([RESET, LEVEL, QUOTE, TRADE, GAP]);
  });

  test('come late and whole where the listener is slow', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => trade(index / 1e6, index));
    const ear = new Ear([recorded(...rows)]);
    await ear.market.open([all()], ear);
    ear.pass(1);
    expect(ear.of(TRADE).map(([, price]) => price)).toEqual(rows.map((row) => row[5]));
    expect(ear.calls).toBeGreaterThan(4);
  });
});

describe('the end', () => {
  const path = () => recorded(reset(0, 5), level(0, 5, 99, 1), trade(1, 100));

  test('empties the book, makes it stale, and says so', async () => {
    const ear = new Ear([path()]);
    await ear.market.open([all()], ear);
    ear.pass(60);
    expect(ear.reported.slice(-3).map(({ row }) => row[2])).toEqual([TRADE, RESET, GAP]);
    expect(ear.hearings.at(-1)).toBe('0 lost: The recording is at its end.');
  });

  test('is followed by the start where it repeats', async () => {
    const ear = new Ear([path()], { repeat: true });
    await ear.market.open([all()], ear);
    ear.pass(5.5);
    expect(ear.of(TRADE).map(([seconds]) => seconds)).toEqual([1, 3, 5]);
    expect(ear.of(GAP).map(([seconds]) => seconds)).toEqual([1, 3, 5]);
    expect(ear.of(LEVEL).map(([seconds]) => seconds)).toEqual([0, 2, 4]);
    expect(ear.hearings).toEqual(['0 live']);
  });

  test('closed, nothing comes any more', async () => {
    const ear = new Ear([path()], { repeat: true });
    await ear.market.open([all()], ear);
    ear.pass(0.5);
    await ear.market.close();
    await ear.market.close();
    const before = ear.reported.length;
    ear.pass(60);
    expect(ear.reported).toHaveLength(before);
  });

  test('a recording without rows is at its end at once', async () => {
    const ear = new Ear([recorded()], { repeat: true });
    await ear.market.open([all()], ear);
    expect(ear.hearings).toEqual(['0 live', '0 lost: The recording is at its end.']);
  });
});

describe('a start in the middle', () => {
  test('shows the book as it stood, then goes on', async () => {
    const quote = [at(1), at(1), QUOTE, LAST, 3, 98, 1, 101, 2, 0] as const;
    const path = recorded(
      ...[reset(0, 5), level(0, 5, 99, 4, 0), level(0, 5, 101, 6, SELL | LAST), quote],
      ...[level(2, 6, 99, 0), level(2, 7, 98, 3), trade(3, 100), trade(5, 101)],
    );
    const ear = new Ear([path], { from: micros(at(4)) });
    await ear.market.open([all()], ear);
    expect(ear.reported.map(({ row }) => row.slice(2, 9))).toEqual([
      [RESET, 0, 7, 0, 0, 0, 0],
      [LEVEL, 0, 7, 98, 3, 0, 0],
      [LEVEL, SELL | LAST, 7, 101, 6, 0, 0],
      [QUOTE, LAST, 3, 98, 1, 101, 2],
    ]);
    ear.pass(2);
    expect(ear.of(TRADE)).toEqual([[1, 101]]);
  });
});

describe('candles', () => {
  test('are made of trades by the clock, as a service makes them', async () => {
    const ear = new Ear([
      recorded(...[trade(0, 70, 2), trade(50, 100, 2), trade(70, 90, 3), trade(110, 95, 4)]),
    ]);
    await ear.market.open([all()], ear);
    expect(ear.market.contents('BTCUSDT')).toEqual({
      trades: true,
      levels: false,
      quotes: false,
      candlePeriod: 'M1',
      derivatives: 0,
    });
    ear.pass(200);
    // Played from 15:23:17, so the first minute, which ends after 43 s, is none that was seen whole.
    const candles = ear.reported.filter(({ row }) => row[2] === CANDLE);
    expect(candles.map((one) => [(one.at - NOW) / US_PER_SECOND, ...one.row.slice(5)])).toEqual([
      [103, 90, 5, 100, 90, 100],
      [163, 95, 4, 95, 95, 95],
    ]);
    expect(candles.map(({ row }) => row[1] % US_PER_MINUTE)).toEqual([0, 0]);
  });

  test('of before the start are history, on their grid and over by now', async () => {
    const path = recorded(
      trade(0, 100),
      trade(20, 90),
      trade(55, 95),
      trade(115, 96),
      trade(200, 1),
    );
    const ear = new Ear([path], { from: micros(at(120)) });
    const history = await ear.market.history(BTC, 'M1', micros(NOW - US_PER_HOUR), NOW);
    // Of 09:00 the first ten seconds are missing; 09:01 is over at 09:02:10, and 09:02 is not.
    expect(rowsOf(history).map((row) => row.slice(5))).toEqual([[95, 1, 95, 95, 95]]);
    const minute = Math.floor(NOW / US_PER_MINUTE) * US_PER_MINUTE;
    expect(rowsOf(history).map(([receivedAt, openedAt]) => [receivedAt, openedAt])).toEqual([
      [minute, minute - US_PER_MINUTE],
    ]);
    const late = await ear.market.history(BTC, 'M1', micros(minute - US_PER_MINUTE), NOW);
    expect(late.length).toBe(1);
  });

  test('that were recorded come as they were, brought forward by whole periods', async () => {
    const rows = [candle(0, 100), candle(1, 110), candle(2, 120)];
    const path = writeRecording(join(temporaryFolder(), 'c.arrow'), rows, candlesMeta());
    const ear = new Ear([path], { repeat: true });
    await ear.market.open([all()], ear);
    expect(ear.market.contents('BTCUSDT')?.candlePeriod).toBe('M1');
    ear.pass(122);
    const reported = ear.reported.filter(({ row }) => row[2] === CANDLE);
    expect(reported.map((one) => [(one.at - NOW) / US_PER_SECOND, one.row[5]])).toEqual([
      [0, 100],
      [60, 110],
      [120, 120],
      [121, 100],
    ]);
    const opened = reported.map(({ row }) => row[1]);
    const minute = Math.floor(NOW / US_PER_MINUTE) * US_PER_MINUTE;
    expect(opened).toEqual([-1, 0, 1, 2].map((count) => minute + count * US_PER_MINUTE));
  });

  test('recorded ones make longer ones of the past, never shorter ones', async () => {
    const rows = Array.from({ length: 12 }, (_, minute) => candle(minute, 100 + minute));
    const path = writeRecording(join(temporaryFolder(), 'c.arrow'), rows, candlesMeta());
    const from = micros(RECORDED - 10 * US_PER_SECOND + 11 * US_PER_MINUTE);
    const ear = new Ear([path], { from });
    const past = async (period: 'M5' | 'M1'): Promise<number[]> =>
      rowsOf(await ear.market.history(BTC, period, micros(0), NOW)).map((row) => row[5]);
    expect(await past('M5')).toEqual([104, 109]);
    expect(await past('M1')).toHaveLength(10);
    const long = writeRecording(join(temporaryFolder(), 'd.arrow'), rows, {
      ...candlesMeta(),
      period: 'H1',
    });
    const other = new Ear([long], { from });
    expect((await other.market.history(BTC, 'M5', micros(0), NOW)).length).toBe(0);
  });
});

describe('what cannot be played is refused', () => {
  const codeOf = (action: () => unknown): string => {
    try {
      action();
    } catch (error) {
      if (error instanceof MillraceError) return `${error.code}: ${error.message}`;
    }
    return 'nothing';
  };

  test('a speed that is none', () => {
    const scheduler = new VirtualScheduler(NOW);
    for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => new RecordedMarketSource({ paths: [], speed, scheduler }))).toContain(
        'out-of-range',
      );
    }
  });

  test('a symbol that was not recorded, or is on another grid', async () => {
    const ear = new Ear([recorded(trade(0, 1))]);
    await expect(ear.market.open([all(ETH)], ear)).rejects.toMatchObject({
      code: 'symbol-unknown',
    });
    const other = new Ear([recorded(trade(0, 1))]);
    await expect(
      other.market.open([all(instrumentOf({ tickSize: '0.1' }))], other),
    ).rejects.toMatchObject({ code: 'recording-invalid', field: 'tickSize' });
    expect(ear.market.contents('ETHUSDT')).toBeUndefined();
  });

  test('a recording of an inverse contract', () => {
    const { terms } = instrumentOf({ type: 'futures', settlement: 'inverse' });
    const meta = eventsMeta({ instrument: terms });
    const path = writeRecording(join(temporaryFolder(), 'f.arrow'), [trade(0, 1)], meta);
    const scheduler = new VirtualScheduler(NOW);
    expect(
      codeOf(() => new RecordedMarketSource({ paths: [path], speed: 1, scheduler })),
    ).toContain('BTCUSDT is an inverse contract');
    expect(checkRecording(path)).toMatchObject({ verdict: 'fail' });
  });

  test('recordings of one symbol that overlap or are not of one kind', () => {
    const first = recorded(trade(0, 1), trade(5, 1));
    const scheduler = new VirtualScheduler(NOW);
    const play = (...paths: string[]) =>
      codeOf(() => new RecordedMarketSource({ paths, speed: 1, scheduler }));
    expect(play(first, recorded(trade(4, 1)))).toContain('at the same time');
    const folder = temporaryFolder();
    const candles = writeRecording(join(folder, 'c.arrow'), [candle(9, 1)], candlesMeta());
    expect(play(first, candles)).toContain('either all recordings hold events');
    const meta = eventsMeta({ instrument: instrumentOf({ tickSize: '0.1' }).terms });
    const coarse = writeRecording(join(folder, 'd.arrow'), [trade(9, 1)], meta);
    expect(play(first, coarse)).toContain('tickSize');
    expect(play(first, join(folder, 'none.arrow'))).toContain('file-missing');
  });
});

test('a folder stands for the recordings in it, and what one leaves of the book ends with it', async () => {
  const folder = temporaryFolder();
  writeRecording(join(folder, 'b.arrow'), [level(3, 1, 102, 1)]);
  writeRecording(join(folder, 'a.arrow'), [level(0, 1, 100, 1)]);
  const ear = new Ear([folder]);
  await ear.market.open([all()], ear);
  ear.pass(5);
  expect(ear.reported.slice(0, 3).map(({ row }) => row[2])).toEqual([LEVEL, GAP, LEVEL]);
});

test('recordings of one symbol follow each other', async () => {
  const second = recorded(trade(3, 102));
  const ear = new Ear([second, recorded(trade(0, 100), trade(2, 101))]);
  await ear.market.open([all()], ear);
  ear.pass(5);
  expect(ear.of(TRADE)).toEqual([
    [0, 100],
    [2, 101],
    [3, 102],
  ]);
});
