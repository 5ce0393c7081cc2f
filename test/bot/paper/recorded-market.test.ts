import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkRecording } from '../../../src/bot/doctor/recording.ts';
import {
  RecordedMarket,
  type RecordedMarketSetup,
} from '../../../src/bot/paper/recorded-market.ts';
import type { MarketListener, Wanted } from '../../../src/gateways/market-source.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../../src/model/derivative-state.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../../src/model/events.ts';
import { micros, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { candlesMeta, derivativesMeta, eventsMeta } from '../../kit/metas.ts';
import { rowsOf, temporaryFolder, writeRecording, type Row } from '../../kit/recordings.ts';

/** Recorded at 09:00:10, played at 15:23:17 of another day. */
const RECORDED = Date.UTC(2025, 2, 3, 9, 0, 10) * 1_000;
const NOW = micros(Date.UTC(2026, 0, 5, 15, 23, 17) * 1_000);
const BTC = instrumentOf();
const ETH = instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' });

const at = (seconds: number): number => RECORDED + seconds * US_PER_SECOND;
const trade = (seconds: number, price: number, size = 1): Row => [
  at(seconds),
  at(seconds) - 1_000,
  TRADE,
  LAST,
  0,
  price,
  size,
  0,
  0,
  0,
];
const level = (
  seconds: number,
  sequence: number,
  price: number,
  size: number,
  flags = LAST,
): Row => [at(seconds), at(seconds) - 500, LEVEL, flags, sequence, price, size, 0, 0, 0];
const reset = (seconds: number, sequence: number): Row =>
  [...[at(seconds), at(seconds) - 500, RESET, 0, sequence], ...[0, 0, 0, 0, 0]] as unknown as Row;
/** A candle of M1 that opened so many minutes after 09:00. */
const candle = (minute: number, close: number): Row => {
  const openedAt = RECORDED - 10 * US_PER_SECOND + minute * US_PER_MINUTE;
  return [
    openedAt + US_PER_MINUTE,
    openedAt,
    CANDLE,
    LAST,
    0,
    close,
    5,
    close + 2,
    close - 2,
    close - 1,
  ];
};

interface Told {
  readonly at: number;
  readonly index: number;
  readonly row: Row;
}

/** Who listens to a market by a clock that the test moves. */
class Ear implements MarketListener {
  readonly told: Told[] = [];
  readonly hearings: string[] = [];
  readonly scheduler = new VirtualScheduler(NOW);
  readonly market: RecordedMarket;
  calls = 0;

  constructor(paths: readonly string[], setup: Partial<RecordedMarketSetup> = {}) {
    this.market = new RecordedMarket({ paths, speed: 1, scheduler: this.scheduler, ...setup });
    onTestFinished(() => this.market.close());
  }

  rows(index: number, columns: EventColumns): void {
    this.calls += 1;
    for (const row of rowsOf(columns)) this.told.push({ at: this.scheduler.now(), index, row });
  }

  hearing(index: number, hearing: string, why?: string): void {
    this.hearings.push(`${index} ${hearing}${why === undefined ? '' : `: ${why}`}`);
  }

  pass(seconds: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + seconds * US_PER_SECOND));
  }

  /** Seconds since the play began at which rows of a kind were told, and their prices. */
  of(kind: number): readonly (readonly [number, number])[] {
    return this.told
      .filter(({ row }) => row[2] === kind)
      .map((one) => [(one.at - NOW) / US_PER_SECOND, one.row[5]] as const);
  }
}

const all = (instrument = BTC): Wanted => ({
  instrument,
  trades: true,
  book: 'full',
  candles: 'M1',
});

function recorded(...rows: Row[]): string {
  return writeRecording(join(temporaryFolder(), 'BTCUSDT.arrow'), rows);
}

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
    for (const { at: heardAt, row } of ear.told.filter((one) => one.row[2] === TRADE)) {
      expect([row[0], row[1]]).toEqual([heardAt, heardAt - 1_000]);
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
    const trades = ear.told.filter(({ row }) => row[2] === TRADE);
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
    expect(ear.told).toHaveLength(3_002);
    expect(calls).toBe(2);
  });

  test('only what is wanted is told', async () => {
    const quote = [at(1), at(1), QUOTE, LAST, 0, 99, 1, 101, 1, 0] as const;
    const path = recorded(reset(0, 1), level(0, 1, 99, 1), quote, trade(2, 100));
    const kinds = async (wanted: Partial<Wanted>): Promise<number[]> => {
      const ear = new Ear([path]);
      await ear.market.open([{ instrument: BTC, trades: true, book: 'none', ...wanted }], ear);
      ear.pass(2.5);
      return [...new Set(ear.told.map(({ row }) => row[2]))];
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
    expect(ear.told.slice(-3).map(({ row }) => row[2])).toEqual([TRADE, RESET, GAP]);
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
    const before = ear.told.length;
    ear.pass(60);
    expect(ear.told).toHaveLength(before);
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
    expect(ear.told.map(({ row }) => row.slice(2, 9))).toEqual([
      [RESET, 0, 7, 0, 0, 0, 0],
      [LEVEL, 0, 7, 98, 3, 0, 0],
      [LEVEL, SELL | LAST, 7, 101, 6, 0, 0],
      [QUOTE, LAST, 3, 98, 1, 101, 2],
    ]);
    ear.pass(2);
    expect(ear.of(TRADE)).toEqual([[1, 101]]);
  });
});

describe('what a venue says of a contract beside its market', () => {
  const HOUR_S = US_PER_HOUR / US_PER_SECOND;
  const beside = (
    seconds: number,
    kind: number,
    ...numbers: [number, number, number, number]
  ): Row => [at(seconds), at(seconds) - 250, kind, LAST, 0, ...numbers, 0] as const;
  const rows = [
    beside(0, MARK, 100, 5, 0, 0),
    beside(2, INDEX, 99, 7, 0, 0),
    beside(4, FUNDING, 100_000, 3, at(HOUR_S), at(9 * HOUR_S)),
    beside(6, FUNDING, 200_000, 0, 0, 0),
    beside(8, OPEN_INTEREST, 1, 40, 0, 0),
  ];
  const path = (): string =>
    writeRecording(join(temporaryFolder(), 'p.arrow'), [trade(0, 100), ...rows], derivativesMeta());
  const perpetual = (market: RecordedMarket): Wanted => ({
    ...all(market.instruments[0]),
    derivatives: true,
  });

  test('is played where it is wanted, and of a funding the time by the clock of the play', async () => {
    const ear = new Ear([path()], { speed: 2 });
    const [instrument] = ear.market.instruments;
    expect(ear.market.contents(instrument.symbol)?.derivatives).toBe(
      MARKED | INDEXED | FUNDED | OPENED,
    );
    await ear.market.open([perpetual(ear.market)], ear);
    ear.pass(4);
    expect(
      ear.told
        .filter(({ row }) => row[2] > CANDLE)
        .map(({ at: told, row }) => [told - NOW, ...row.slice(2, 9)]),
    ).toEqual([
      [0, MARK, LAST, 0, 100, 5, 0, 0],
      [1 * US_PER_SECOND, INDEX, LAST, 0, 99, 7, 0, 0],
      [
        2 * US_PER_SECOND,
        FUNDING,
        LAST,
        0,
        100_000,
        3,
        NOW + US_PER_HOUR / 2,
        NOW + 4.5 * US_PER_HOUR,
      ],
      [3 * US_PER_SECOND, FUNDING, LAST, 0, 200_000, 0, 0, 0],
      [4 * US_PER_SECOND, OPEN_INTEREST, LAST, 0, 1, 40, 0, 0],
    ]);
  });

  test('is left out where it is not wanted', async () => {
    const ear = new Ear([path()]);
    await ear.market.open([all(ear.market.instruments[0])], ear);
    ear.pass(60);
    expect(ear.told.some(({ row }) => [MARK, INDEX, FUNDING, OPEN_INTEREST].includes(row[2]))).toBe(
      false,
    );
  });

  test('is shown as it stood where the play begins in the middle', async () => {
    const ear = new Ear([path()], { from: micros(at(5)) });
    await ear.market.open([perpetual(ear.market)], ear);
    expect(ear.told.map(({ row }) => row.slice(1, 9))).toEqual([
      [NOW - 5 * US_PER_SECOND - 250, MARK, LAST, 0, 100, 5, 0, 0],
      [NOW - 3 * US_PER_SECOND - 250, INDEX, LAST, 0, 99, 7, 0, 0],
      [
        ...[NOW - 1 * US_PER_SECOND - 250, FUNDING, LAST, 0, 100_000, 3],
        ...[NOW + US_PER_HOUR - 5 * US_PER_SECOND, NOW + 9 * US_PER_HOUR - 5 * US_PER_SECOND],
      ],
    ]);
  });

  test('and the contract is traded as in a backtest: on assumed margin terms, or on those that are given', () => {
    const [assumed] = new Ear([path()]).market.instruments;
    expect(assumed.isContract).toBe(true);
    expect(assumed.margin.isolated?.maxInitialLeverage.toFixed()).toBe('10');
    const margin = { [assumed.symbol]: onMargin({ maxInitialLeverage: '3' }) };
    const [given] = new Ear([path()], { margin }).market.instruments;
    expect(given.margin.cross?.maxInitialLeverage.toFixed()).toBe('3');
  });
});

describe('candles', () => {
  test('are made of trades by the clock, as a service makes them', async () => {
    const ear = new Ear([
      recorded(...[trade(0, 70, 2), trade(50, 100, 2), trade(70, 90, 3), trade(110, 95, 4)]),
    ]);
    await ear.market.open([all()], ear);
    expect(ear.market.contents('BTCUSDT')).toEqual({
      ...{ trades: true, levels: false, quotes: false },
      candlePeriod: 'M1',
      derivatives: 0,
    });
    ear.pass(200);
    // Played from 15:23:17, so the first minute, which ends after 43 s, is none that was seen whole.
    const candles = ear.told.filter(({ row }) => row[2] === CANDLE);
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
    const told = ear.told.filter(({ row }) => row[2] === CANDLE);
    expect(told.map((one) => [(one.at - NOW) / US_PER_SECOND, one.row[5]])).toEqual([
      [0, 100],
      [60, 110],
      [120, 120],
      [121, 100],
    ]);
    const opened = told.map(({ row }) => row[1]);
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
      expect(codeOf(() => new RecordedMarket({ paths: [], speed, scheduler }))).toContain(
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
    expect(codeOf(() => new RecordedMarket({ paths: [path], speed: 1, scheduler }))).toContain(
      'BTCUSDT is an inverse contract',
    );
    expect(checkRecording(path)).toMatchObject({ verdict: 'fail' });
  });

  test('recordings of one symbol that overlap or are not of one kind', () => {
    const first = recorded(trade(0, 1), trade(5, 1));
    const scheduler = new VirtualScheduler(NOW);
    const play = (...paths: string[]) =>
      codeOf(() => new RecordedMarket({ paths, speed: 1, scheduler }));
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
  expect(ear.told.slice(0, 3).map(({ row }) => row[2])).toEqual([LEVEL, GAP, LEVEL]);
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
