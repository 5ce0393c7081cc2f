import { debounceTime, map, merge, NEVER, timer, withLatestFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { at, replay, type Replay, type ReplayOptions } from '../../src/testing.ts';
import { TestVenue } from '../../src/engine/test-kit/venue.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { Report } from '../../src/model/report.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { TERMS } from './rig.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { flat, target } from '../../src/strategy/managed-orders.ts';
import { cancel, place, replace } from '../../src/strategy/orders.ts';
import type { AuditEvent } from '../../src/engine/audit.ts';

const closes = defineStrategy({
  name: 'closes',
  summary: 'Buys above 10, sells below.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters: p }) =>
    market
      .candles(p.symbol, 'M5')
      .pipe(map(({ close }) => (close.greaterThan(10) ? target(p.symbol, 0.5) : flat(p.symbol)))),
});

describe('replay', () => {
  test('candles come out at the end of their period', () => {
    expect(replay(closes).candles('M5', [10, 12])).toEqual([
      at('00:05', flat('BTCUSDT')),
      at('00:10', target('BTCUSDT', 0.5)),
    ]);
  });

  test('candles are built from trades and finished by the clock', () => {
    expect(
      replay(closes, {}, { until: '00:20' }).trades([
        ['00:01', 10],
        ['00:04:59.999999', 11],
        ['00:05', 9, 0.5, 'sell'],
      ]),
    ).toEqual([at('00:05', target('BTCUSDT', 0.5)), at('00:10', flat('BTCUSDT'))]);
  });

  test('a filled target is met', () => {
    const seen: AuditEvent[] = [];
    replay(closes, {}, { fills: true, until: '00:11', audit: (event) => seen.push(event) }).candles(
      'M5',
      [12, 9],
    );
    expect(
      seen.filter(({ kind }) => kind === 'request' || kind === 'target-reached'),
    ).toMatchObject([
      {
        request: {
          kind: 'place',
          side: 'buy',
          type: 'market',
          timeInForce: 'IOC',
          lots: 41_666_666,
        },
      },
      { kind: 'target-reached', lots: 41_666_666 },
      { request: { side: 'sell', lots: 41_666_666 } },
      { kind: 'target-reached', lots: 0 },
    ]);
  });
});

const timed = defineStrategy({
  name: 'timed',
  summary: 'Waits.',
  parameters: z.object({}),
  run: ({ market, account }) =>
    merge(
      market.trades('BTCUSDT').pipe(debounceTime(2_000)),
      timer(1_500).pipe(map(() => undefined)),
    ).pipe(
      withLatestFrom(account.position('BTCUSDT')),
      map(([trade]) =>
        place('BTCUSDT', {
          type: 'limit',
          side: 'buy',
          ticks: trade?.ticks ?? 1,
          lots: 1,
        }),
      ),
    ),
});

test('time operators run on event time', () => {
  expect(
    replay(timed, {}, { until: '00:01' })
      .trades([
        ['00:00', 10],
        ['00:00:01', 11],
        ['00:00:05', 12],
      ])
      .map(({ at: time, command }) => [time, 'ticks' in command ? command.ticks : undefined]),
  ).toEqual([
    ['00:00:01.5', 1],
    ['00:00:03', 1_100],
    ['00:00:07', 1_200],
  ]);
});

test('an option that replay does not have is refused with the one that was meant', () => {
  const waits = defineStrategy({
    name: 'waits',
    summary: 'Waits.',
    parameters: z.object({}),
    run: () => NEVER,
  });
  const options = { fill: true } as Parameters<typeof replay>[2];
  expect(() => replay(waits, {}, options).trades([['00:01', 100]])).toThrow(
    'replay has no option fill; did you mean fills?',
  );
});

describe('the kit', () => {
  const echo = defineStrategy({
    name: 'echo',
    summary: 'Tells what it sees.',
    parameters: z.object({}),
    run: ({ market, log }) => {
      market
        .trades('BTCUSDT')
        .subscribe(({ price, size, aggressor }) =>
          log.info(`${aggressor} ${size.toFixed()} at ${price.toFixed()}`),
        );
      market
        .bbo('BTCUSDT')
        .subscribe(({ bidTicks, bidLots, askTicks, askLots }) =>
          log.info(`top ${bidLots}@${bidTicks} ${askLots}@${askTicks}`),
        );
      market
        .book('BTCUSDT')
        .subscribe((book) => log.info(`book ${book.depth('buy')} ${book.depth('sell')}`));
      market
        .candles('BTCUSDT', 'M1')
        .subscribe(({ open, high, low, close, volumeLots }) =>
          log.info(`candle ${[open, high, low, close].map(String).join(' ')} ${volumeLots}`),
        );
      return NEVER;
    },
  });

  const reported = (play: (kit: Replay) => unknown, options: ReplayOptions = {}): string[] => {
    const lines: string[] = [];
    const write = (message: string): void => void lines.push(message);
    play(replay(echo, {}, { ...options, log: { debug: write, info: write, warn: write } }));
    return lines;
  };

  test('quotes, with and without sizes', () => {
    expect(reported((kit) => kit.top([['00:01', 10, [11, 0.5]]]))).toEqual([
      'top 1@1000 50000@1100',
    ]);
  });

  test('books', () => {
    expect(
      reported((kit) =>
        kit.book([
          [
            '00:01',
            [[10, 1]],
            [
              [11, 1],
              ['12', '2'],
            ],
          ],
        ]),
      ),
    ).toEqual(['book 1 2', 'top 100000@1000 100000@1100']);
  });

  test('candles open where the one before closed', () => {
    expect(reported((kit) => kit.candles('M1', [10, 12, 11]))).toEqual([
      'candle 10 10 10 10 1',
      'candle 10 12 10 12 1',
      'candle 12 12 11 11 1',
    ]);
    expect(reported((kit) => kit.candles('M1', []))).toEqual([]);
  });

  test('mixed events, on an instrument of their own', () => {
    const candle = { open: 1, high: 3, low: 0.5, close: 2 };
    expect(
      reported(
        (kit) =>
          kit.events([
            { at: '00:00:10', trade: 2, size: 3, aggressor: 'sell' },
            { at: '00:00:20', bid: 1 },
            { at: '00:01', candle },
            { at: '00:02', candle: { ...candle, volume: 4 } },
          ]),
        { period: 'M1', instrument: { tickSize: '0.5', quantityIncrement: '1' } },
      ),
    ).toEqual(['sell 3 at 2', 'top 1@2 0@NaN', 'candle 1 3 0.5 2 1', 'candle 1 3 0.5 2 4']);
  });

  test.each([
    [() => at('0:20', flat('BTCUSDT')), 'is no time of a test'],
    [
      () =>
        replay(closes).trades([
          ['00:02', 1],
          ['00:01', 1],
        ]),
      'in the order of their times',
    ],
    [() => replay(closes).trades([['00:02', 1.001]]), 'The price 1.001 is no multiple of 0.01'],
    [
      () => replay(closes).trades([['00:02', 1, '0.000001']]),
      'The size 0.000001 is no multiple of 0.00001',
    ],
    [
      () =>
        replay(closes).events([{ at: '00:05', candle: { open: 1, high: 1, low: 1, close: 1 } }]),
      'needs the option `period`',
    ],
    [
      () =>
        replay(closes, {}, { period: 'M5' }).events([
          { at: '00:04', candle: { open: 1, high: 1, low: 1, close: 1 } },
        ]),
      'the end of one',
    ],
    [() => replay(closes, { symbol: 'ETHUSDT' }).trades([]), 'There is no instrument "ETHUSDT"'],
  ])('what is wrong is said: %s', (act, message) => {
    expect(act).toThrow(message);
  });

  test('times are written as short as they can be', () => {
    for (const time of ['00:20', '26:00', '00:20:05', '00:20:05.25', '00:00:00.000001']) {
      expect(at(time, flat('BTCUSDT')).at).toBe(time);
    }
    expect(at('00:20:00.500', flat('BTCUSDT')).at).toBe('00:20:00.5');
  });

  test('commands of the warm-up are left out, its last managed orders are placed at its end', () => {
    expect(
      replay(closes, {}, { warmUpUntil: '00:12', until: '00:20' }).candles('M5', [10, 12, 9]),
    ).toEqual([at('00:12', target('BTCUSDT', 0.5)), at('00:15', flat('BTCUSDT'))]);
  });

  test('orders stand, are replaced and are canceled', () => {
    const states: string[] = [];
    const orders = defineStrategy({
      name: 'orders',
      summary: 'Places, replaces, cancels.',
      parameters: z.object({}),
      run: ({ market, account }) => {
        account
          .orders()
          .subscribe(({ clientOrderId, status }) => states.push(`${clientOrderId} ${status}`));
        return market.trades('BTCUSDT').pipe(
          map(({ ticks }) => {
            if (ticks === 100)
              return place('BTCUSDT', {
                type: 'limit',
                side: 'buy',
                ticks: 5,
                lots: 1,
                clientOrderId: 'order-one',
              });
            if (ticks === 200)
              return replace('order-one', { lots: 2, newClientOrderId: 'order-two' });
            if (ticks === 300) return cancel('order-two');
            return place('BTCUSDT', {
              type: 'market',
              side: 'sell',
              lots: 2,
              clientOrderId: 'order-six',
            });
          }),
        );
      },
    });
    replay(
      orders,
      {},
      { fills: true, instrument: { takeRate: '0.01' }, balances: { BTC: '1', USDT: '0' } },
    ).trades([
      ['00:01', 1],
      ['00:02', 2],
      ['00:03', 3],
      ['00:04', 4],
      ['00:05', 3],
    ]);
    expect(states).toEqual(
      [
        'order-one pending',
        'order-one new',
        'order-two pending',
        'order-one canceled',
        'order-two new',
        'order-two pending',
        'order-two canceled',
      ]
        .filter((_, index) => index !== 5)
        .concat(['order-six pending', 'order-six new', 'order-six filled']),
    );
  });

  test('requests about orders that are gone are refused as a venue would', () => {
    const clock = new VirtualScheduler(micros(0));
    const venue = new TestVenue(new Instrument(TERMS), clock, {}, false);
    const reports: Report[] = [];
    venue.connect((report) => reports.push(report));
    venue.send({ kind: 'cancel', clientOrderId: 'order-one', symbol: 'BTCUSDT' });
    venue.send({
      kind: 'replace',
      clientOrderId: 'order-one',
      newClientOrderId: 'order-two',
      symbol: 'BTCUSDT',
      lots: lots(1),
    });
    clock.advanceTo(micros(0));
    expect(reports).toMatchObject([
      {
        kind: 'rejected',
        request: 'cancel',
        clientOrderId: 'order-one',
        rejection: { code: 'order-unknown' },
      },
      { kind: 'rejected', request: 'replace', clientOrderId: 'order-two' },
    ]);
    expect(venue.requests).toHaveLength(2);
  });
});
