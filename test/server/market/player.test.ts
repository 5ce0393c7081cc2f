import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  generateRecording,
  type GeneratorOptions,
  type MarketOptions,
} from '../../../src/feeds/generator.ts';
import { RecordingWriter } from '../../../src/feeds/writer.ts';
import type { RecordingMeta } from '../../../src/feeds/recording.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import {
  CANDLE,
  FUNDING,
  LAST,
  LEVEL,
  MARK,
  RESET,
  SELL,
  TRADE,
} from '../../../src/model/events.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { openMarket, type MarketPlan } from '../../../src/server/market/open.ts';
import { Player } from '../../../src/server/market/player.ts';
import { middleOf } from '../../../src/server/market/followed-price.ts';
import { TradingService } from '../../../src/server/trading/service.ts';
import { instruments } from '../instruments.ts';
import { OPENED } from '../kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-market-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function marketOf(plan: MarketPlan) {
  const scheduler = new VirtualScheduler(OPENED);
  const service = new TradingService({ instruments: instruments(), scheduler });
  const trades: { readonly symbol: string; readonly ticks: number; readonly at: number }[] = [];
  service.news.followMarket({
    trade: (instrument, _id, ticks, _lots, _side, at) => {
      trades.push({
        symbol: service.exchange.instruments[instrument].symbol,
        ticks,
        at: at - OPENED,
      });
    },
  });
  const ended: { readonly symbols: readonly string[]; readonly fault: unknown }[] = [];
  const player = await openMarket(service, plan, {
    ended: ({ symbols }, fault) => ended.push({ symbols, fault }),
  });
  const pass = (us: number): void => scheduler.advanceTo(micros(scheduler.now() + us));
  const top = (symbol: string) =>
    service.marketData.books[service.exchange.instrument(symbol)].top();
  return { scheduler, service, player, trades, ended, pass, top };
}

const TERMS = new Map(instruments().map(({ terms }) => [terms.symbol, terms]));
const termsOf = (symbol: string) => {
  const terms = TERMS.get(symbol);
  if (terms === undefined) throw new Error(symbol);
  return terms;
};

describe('the generator', () => {
  const plan: MarketPlan = [
    { kind: 'generated', symbol: 'BTCUSDT', seed: 1, startPrice: '62000' },
    { kind: 'generated', symbol: 'ETHUSDT', seed: 2, startPrice: '3400' },
    { kind: 'following', symbol: 'ETHBTC', seed: 3, follows: 'ETHUSDT', over: 'BTCUSDT' },
    { kind: 'following', symbol: 'ETHUSDT_PERP', seed: 4, follows: 'ETHUSDT' },
  ];

  test('moves every symbol, each with a book of many levels and with trades', async () => {
    const { pass, top, trades, service, player } = await marketOf(plan);
    pass(US_PER_MINUTE);
    for (const { symbol } of service.exchange.instruments) {
      const { bid, ask } = top(symbol);
      expect(bid?.ticks, symbol).toBeLessThan(ask?.ticks ?? 0);
      const book = service.marketData.books[service.exchange.instrument(symbol)].snapshot();
      expect(Math.min(book.bids.length, book.asks.length), symbol).toBeGreaterThan(5);
      expect(trades.filter((trade) => trade.symbol === symbol).length, symbol).toBeGreaterThan(10);
    }
    player.close();
  });

  test('keeps prices that belong together near each other', async () => {
    const { pass, service, player } = await marketOf(plan);
    const price = (symbol: string): number =>
      middleOf(service.exchange, service.exchange.instrument(symbol)) ?? Number.NaN;
    for (let look = 0; look < 6; look += 1) {
      pass(5 * US_PER_MINUTE);
      const cross = price('ETHUSDT') / price('BTCUSDT');
      expect(Math.abs(price('ETHBTC') / cross - 1)).toBeLessThan(0.003);
      expect(Math.abs(price('ETHUSDT_PERP') / price('ETHUSDT') - 1)).toBeLessThan(0.003);
    }
    player.close();
  });

  test('is the same for the same seeds, and another for others', async () => {
    const run = async (seed: number) => {
      const { pass, trades, player } = await marketOf([
        { kind: 'generated', symbol: 'BTCUSDT', seed, startPrice: '62000' },
      ]);
      pass(30 * US_PER_SECOND);
      player.close();
      return trades;
    };
    expect(await run(5)).toEqual(await run(5));
    expect(await run(5)).not.toEqual(await run(6));
  });

  test('makes books as deep as configured', async () => {
    const { pass, service, player } = await marketOf([
      { kind: 'generated', symbol: 'BTCUSDT', seed: 1, startPrice: '62000', shape: { levels: 60 } },
    ]);
    pass(US_PER_SECOND);
    const { bids, asks } = service.marketData.books[0].snapshot();
    expect(Math.min(bids.length, asks.length)).toBeGreaterThan(50);
    player.close();
  });

  test('lets a market that follows another wait until that has a price, and stay when it loses it', async () => {
    const { pass, service, top, player } = await marketOf([
      { kind: 'following', symbol: 'ETHUSDT_PERP', seed: 1, follows: 'ETHUSDT' },
    ]);
    pass(US_PER_SECOND);
    expect(top('ETHUSDT_PERP')).toEqual({ bid: undefined, ask: undefined });
    const account = service.exchange.openAccount();
    service.act((exchange, at) => {
      exchange.deposit(account, 'USDT', new Decimal(70_000));
      exchange.deposit(account, 'ETH', new Decimal(10));
      for (const [side, price] of [
        ['buy', 3_399],
        ['sell', 3_401],
      ] as const) {
        const order = {
          symbol: 'ETHUSDT',
          side,
          type: 'limit',
          clientOrderId: `quote-${side}`,
        } as const;
        exchange.forms.place(
          account,
          { ...order, quantity: new Decimal(1), price: new Decimal(price) },
          at,
        );
      }
    });
    pass(5 * US_PER_SECOND);
    const near = (): number => Math.abs((top('ETHUSDT_PERP').bid?.ticks ?? 0) / 3_400_000 - 1);
    expect(near()).toBeLessThan(0.003);
    service.act((exchange, at) => exchange.cancelAll(account, at));
    pass(5 * US_PER_SECOND);
    expect(near()).toBeLessThan(0.003);
    player.close();
  });

  test('ends when it is closed', async () => {
    const { pass, trades, player, scheduler } = await marketOf(plan);
    pass(US_PER_SECOND);
    player.close();
    const before = trades.length;
    pass(US_PER_MINUTE);
    expect(trades.length).toBe(before);
    expect(scheduler.nextAt).toBeGreaterThan(OPENED);
  });
});

/** A recording of one symbol: a book of one level a side, then a trade after each number of microseconds. */
function recordingOf(
  name: string,
  symbol: string,
  trades: readonly (readonly [us: number, ticks: number])[],
  changes: Partial<RecordingMeta['instrument']> = {},
): string {
  const path = join(folder, `${name}.arrow`);
  const meta: RecordingMeta = {
    layout: 'events',
    instrument: { ...termsOf(symbol), ...changes },
    provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
  };
  const writer = RecordingWriter.create(path, meta);
  const start = Date.UTC(2024, 2, 4) * 1_000;
  const row = (us: number, kind: number, flags: number, sequence: number, ticks: number): void => {
    writer.row(
      start + us,
      start + us,
      kind,
      flags,
      sequence,
      ticks,
      kind === RESET ? 0 : 5,
      0,
      0,
      0,
    );
  };
  row(0, RESET, 0, 7, 0);
  row(0, LEVEL, 0, 7, 90);
  row(0, LEVEL, SELL | LAST, 7, 110);
  trades.forEach(([us, ticks], index) => {
    row(us, TRADE, LAST | SELL, index + 1, ticks);
  });
  writer.finish();
  return path;
}

const TWO: readonly (readonly [number, number])[] = [
  [1_000_000, 90],
  [3_000_000, 91],
];

describe('recordings', () => {
  test.each([
    [1, [1_000_000, 3_000_000]],
    [10, [100_000, 300_000]],
    [0.5, [2_000_000, 6_000_000]],
  ])('come at speed %d from when the venue opens', async (speed, times) => {
    const file = recordingOf(`speed-${speed}`, 'BTCUSDT', TWO);
    const { pass, trades, ended, top } = await marketOf([
      { kind: 'recorded', files: [file], speed, atEnd: 'stop' },
    ]);
    pass(0);
    expect(top('BTCUSDT')).toMatchObject({ bid: { ticks: 90 }, ask: { ticks: 110 } });
    pass(US_PER_MINUTE);
    expect(trades.map(({ at }) => at)).toEqual(times);
    expect(trades.map(({ ticks }) => ticks)).toEqual([90, 91]);
    expect(ended).toEqual([{ symbols: ['BTCUSDT'], fault: undefined }]);
  });

  test('at their end what they showed leaves the book, and nothing comes any more', async () => {
    const file = recordingOf('stop', 'BTCUSDT', TWO);
    const { pass, top, scheduler } = await marketOf([
      { kind: 'recorded', files: [file], speed: 1, atEnd: 'stop' },
    ]);
    pass(2_900_000);
    expect(top('BTCUSDT').bid?.ticks).toBe(90);
    pass(100_000);
    expect(top('BTCUSDT')).toEqual({ bid: undefined, ask: undefined });
    const nextAt = scheduler.nextAt;
    pass(1);
    expect(scheduler.nextAt).toBe(nextAt);
  });

  test('in a loop begin again a second after their last row, book and all', async () => {
    const file = recordingOf('loop', 'BTCUSDT', TWO);
    const { pass, trades, top, player, ended } = await marketOf([
      { kind: 'recorded', files: [file], speed: 2, atEnd: 'loop' },
    ]);
    pass(4_000_000);
    expect(trades.map(({ at }) => at)).toEqual([500_000, 1_500_000, 2_500_000, 3_500_000]);
    pass(500_000);
    expect(top('BTCUSDT')).toMatchObject({ bid: { ticks: 90 }, ask: { ticks: 110 } });
    player.close();
    expect(ended).toEqual([]);
  });

  test('of several symbols come on one clock', async () => {
    const files = [
      recordingOf('one', 'BTCUSDT', TWO),
      recordingOf('two', 'ETHUSDT', [
        [500_000, 95],
        [2_000_000, 96],
      ]),
    ];
    const { pass, trades } = await marketOf([{ kind: 'recorded', files, speed: 1, atEnd: 'stop' }]);
    pass(US_PER_MINUTE);
    expect(trades.map(({ symbol, at }) => [symbol, at / 1_000])).toEqual([
      ['ETHUSDT', 500],
      ['BTCUSDT', 1_000],
      ['ETHUSDT', 2_000],
      ['BTCUSDT', 3_000],
    ]);
  });

  test('at the greatest speed come whole, in turns between which others act', async () => {
    const many = Array.from({ length: 9_000 }, (_, i) => [1_000 * (i + 1), 90] as const);
    const file = recordingOf('max', 'BTCUSDT', many);
    const { pass, trades, scheduler } = await marketOf([
      { kind: 'recorded', files: [file], speed: 'max', atEnd: 'stop' },
    ]);
    let turns = 0;
    while (trades.length < many.length) {
      turns += 1;
      pass(scheduler.nextAt - scheduler.now());
    }
    expect(turns).toBeGreaterThan(3);
    expect(trades.at(-1)?.at).toBeLessThan(US_PER_SECOND);
  });

  test('at the greatest speed leave a made-up market its time', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => [1_000 * (i + 1), 90] as const);
    const file = recordingOf('max-two', 'BTCUSDT', many);
    const { pass, trades, player, top } = await marketOf([
      { kind: 'recorded', files: [file], speed: 'max', atEnd: 'loop' },
      { kind: 'generated', symbol: 'ETHUSDT', seed: 1, startPrice: '3400' },
    ]);
    pass(30_000);
    player.close();
    expect(trades.length, 'more than one pass').toBeGreaterThan(many.length);
    expect(top('ETHUSDT').bid?.ticks).toBeGreaterThan(3_000_000);
  });

  test('of candles judge orders by the time of the venue', async () => {
    const path = join(folder, 'candles.arrow');
    const options: GeneratorOptions = {
      seed: 1,
      instrument: termsOf('BTCUSDT'),
      startAt: micros(Date.UTC(2024, 2, 4) * 1_000),
      period: 'M1',
      count: 5,
    };
    generateRecording(path, options);
    const { pass, service, trades } = await marketOf([
      { kind: 'recorded', files: [path], speed: 60, atEnd: 'stop' },
    ]);
    pass(1_500_000);
    const account = service.exchange.openAccount();
    service.act((exchange) => {
      exchange.deposit(account, 'USDT', new Decimal(70_000));
    });
    const seen = trades.length;
    const last = trades.at(-1)?.ticks ?? 0;
    const rejection = service.act((exchange, at) =>
      exchange.place(
        account,
        {
          clientOrderId: 'rest-below',
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'limit',
          timeInForce: 'GTC',
          lots: 1 as Lots,
          ticks: (last + 100) as Ticks,
          postOnly: false,
        },
        at,
      ),
    );
    expect(rejection).toBeUndefined();
    pass(10 * US_PER_SECOND);
    expect(trades.length).toBeGreaterThan(seen);
    expect(service.exchange.balance(account, 'BTC').available.toFixed()).toBe('0.00001');
  });

  test('that hold nothing end at once', async () => {
    const path = join(folder, 'empty.arrow');
    const writer = RecordingWriter.create(path, {
      layout: 'events',
      instrument: termsOf('BTCUSDT'),
      provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
    });
    writer.finish();
    const { pass, ended } = await marketOf([
      { kind: 'recorded', files: [path], speed: 1, atEnd: 'loop' },
    ]);
    pass(US_PER_SECOND);
    expect(ended.length).toBe(1);
  });
});

test('a recording of a perpetual replays its market, whatever else it has', async () => {
  const options = {
    seed: 3,
    instrument: termsOf('ETHUSDT_PERP'),
    startAt: micros(0),
    durationUs: 20 * US_PER_SECOND,
    market: { startPrice: '2000' },
  };
  const run = async (name: string, more: Partial<MarketOptions>) => {
    const path = join(folder, `${name}.arrow`);
    generateRecording(path, { ...options, ...more });
    const plan = { kind: 'recorded', files: [path], speed: 1, atEnd: 'stop' } as const;
    const { pass, trades, player } = await marketOf([plan]);
    pass(US_PER_MINUTE);
    player.close();
    return trades;
  };
  const market = await run('without', {});
  expect(market.length).toBeGreaterThan(10);
  expect(await run('with', { perpetual: {} })).toEqual(market);
});

describe('a plan that cannot be', () => {
  const failure = async (plan: MarketPlan): Promise<unknown> => {
    try {
      const { player } = await marketOf(plan);
      player.close();
    } catch (error) {
      return error instanceof MillraceError ? [error.code, error.message] : error;
    }
    return undefined;
  };

  test('is refused, with what would be right', async () => {
    const file = recordingOf('grid', 'BTCUSDT', TWO, { tickSize: '0.1' });
    expect(await failure([{ kind: 'recorded', files: [file], speed: 1, atEnd: 'stop' }])).toEqual([
      'recording-invalid',
      expect.stringContaining('has a tickSize of 0.1, but BTCUSDT has 0.01 here'),
    ]);
    const swap = recordingOf('swap', 'BTCUSDT', TWO, { type: 'futures' });
    expect(await failure([{ kind: 'recorded', files: [swap], speed: 1, atEnd: 'stop' }])).toEqual([
      'recording-invalid',
      expect.stringContaining('is of futures, but BTCUSDT is spot here'),
    ]);
    const sized = { type: 'futures', contractSize: '0.01' } as const;
    const small = recordingOf('small', 'ETHUSDT_PERP', TWO, sized);
    expect(await failure([{ kind: 'recorded', files: [small], speed: 1, atEnd: 'stop' }])).toEqual([
      'recording-invalid',
      expect.stringContaining('ETHUSDT_PERP is a linear contract of 1 here'),
    ]);
    const marks = join(folder, 'marks.arrow');
    const writer = RecordingWriter.create(marks, {
      layout: 'candles',
      period: 'M1',
      prices: 'mark',
      instrument: termsOf('ETHUSDT_PERP'),
      provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
    });
    writer.row(60_000_000, 0, CANDLE, LAST, 0, 100, 0, 101, 99, 100);
    writer.finish();
    expect(await failure([{ kind: 'recorded', files: [marks], speed: 1, atEnd: 'stop' }])).toEqual([
      'recording-invalid',
      expect.stringContaining('holds candles of the mark price, at which nobody trades'),
    ]);
    const good = recordingOf('good', 'BTCUSDT', TWO);
    expect(
      await failure([
        { kind: 'recorded', files: [good], speed: 1, atEnd: 'stop' },
        { kind: 'generated', symbol: 'BTCUSDT', seed: 1, startPrice: '62000' },
      ]),
    ).toEqual(['parameter-invalid', 'Two parts of the market move BTCUSDT.']);
    expect(
      await failure([{ kind: 'generated', symbol: 'BTCUSDT', seed: 1, startPrice: '62000.001' }]),
    ).toEqual(['off-grid', expect.stringContaining('BTCUSDT cannot begin at 62000.001')]);
    const dear = {
      kind: 'generated',
      symbol: 'BTCUSDT',
      seed: 1,
      startPrice: '62000000000',
    } as const;
    expect(await failure([dear])).toEqual([
      'parameter-invalid',
      expect.stringContaining(
        'The market of BTCUSDT cannot be made up at a price of 62000000000: ',
      ),
    ]);
    expect(await failure([{ ...dear, startPrice: '0.02' }])).toEqual([
      'parameter-invalid',
      expect.stringContaining('made up at a price of 0.02: it never comes below 1, 100 of its'),
    ]);
    const cheap = { ...dear, startPrice: '62000', shape: { levels: 1 } } as const;
    expect(
      await failure([
        cheap,
        { kind: 'following', symbol: 'ETHBTC', seed: 1, follows: 'BTCUSDT', shape: { levels: -1 } },
      ]),
    ).toEqual(['parameter-invalid', expect.stringContaining('The market of ETHBTC cannot')]);
    expect(
      await failure([{ kind: 'following', symbol: 'ETHBTC', seed: 1, follows: 'XRPUSDT' }]),
    ).toEqual([
      'symbol-unknown',
      'The market names XRPUSDT, which is no symbol here; there are BTCUSDT, ETHUSDT, ETHBTC, ETHUSDT_PERP.',
    ]);
    expect(
      await failure([{ kind: 'recorded', files: [join(folder, 'none')], speed: 1, atEnd: 'stop' }]),
    ).toEqual(['file-missing', expect.any(String)]);
  });
});

describe('a recorded funding', () => {
  /** A recording of 2024 whose venue tells after a minute a funding that is paid two hours later. */
  async function reported(speed: number | 'max') {
    const path = join(folder, `funding-${speed}.arrow`);
    const writer = RecordingWriter.create(path, {
      layout: 'events',
      derivatives: true,
      instrument: termsOf('ETHUSDT_PERP'),
      provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
    });
    const start = Date.UTC(2024, 2, 4) * 1_000;
    const [reportedAt, paidAt] = [start + US_PER_MINUTE, start + 121 * US_PER_MINUTE];
    writer.row(start, start, MARK, LAST, 0, 3_000_000, 0, 0, 0, 0);
    writer.row(reportedAt, reportedAt, FUNDING, LAST, 0, 200_000, 0, paidAt, 0, 0);
    writer.row(paidAt + 1, paidAt + 1, MARK, LAST, 0, 3_000_000, 0, 0, 0, 0);
    writer.finish();
    const market = await marketOf([{ kind: 'recorded', files: [path], speed, atEnd: 'stop' }]);
    const { exchange } = market.service;
    const contract = () => exchange.margin.contract(exchange.instrument('ETHUSDT_PERP'));
    return { ...market, contract };
  }

  test.each([
    [1, US_PER_MINUTE],
    [60, US_PER_SECOND],
  ])(
    'is due by the clock of the venue at a speed of %i, and nothing is paid before a rate is known',
    async (speed, minuteUs) => {
      const { pass, contract } = await reported(speed);
      pass(1);
      expect(contract()?.nextFundingAt).toBe(Number.POSITIVE_INFINITY);
      pass(minuteUs);
      expect(contract()?.nextFundingAt).toBe(OPENED + 121 * minuteUs);
      expect(contract()?.fundingRate.toFixed()).toBe('0.0002');
    },
  );

  test('has no time of its own as fast as the venue can, and is that of the next funding', async () => {
    const { pass, contract } = await reported('max');
    pass(US_PER_SECOND);
    expect(contract()?.nextFundingAt).toBe(Date.UTC(2026, 0, 5, 16) * 1_000);
    expect(contract()?.fundingRate.toFixed()).toBe('0.0002');
  });
});

test('a source that fails is dropped and reported, and the others go on', async () => {
  const file = recordingOf('fails', 'BTCUSDT', TWO);
  const fault = new Error('damaged');
  const { service, pass, trades, scheduler } = await marketOf([
    { kind: 'recorded', files: [file], speed: 1, atEnd: 'stop' },
  ]);
  const reported: unknown[] = [];
  const broken = {
    symbols: ['ETHUSDT'],
    nextAt: 0,
    play: () => {
      throw fault;
    },
    close: () => undefined,
  };
  const player = new Player({
    service,
    scheduler,
    sources: [broken],
    ended: (source, why) => reported.push([source, why]),
  });
  player.start();
  pass(US_PER_MINUTE);
  expect(reported).toEqual([[broken, fault]]);
  expect(trades.length).toBe(2);
  player.close();
});
