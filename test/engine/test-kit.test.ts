import { debounceTime, map, merge, timer, withLatestFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { at, replay } from '../../src/testing.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { flat, target } from '../../src/strategy/wishes.ts';
import { place } from '../../src/strategy/orders.ts';
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
    expect(seen.filter(({ kind }) => kind === 'request' || kind === 'wish-met')).toMatchObject([
      {
        request: {
          kind: 'place',
          side: 'buy',
          type: 'market',
          timeInForce: 'IOC',
          lots: 41_666_666,
        },
      },
      { kind: 'wish-met', lots: 41_666_666 },
      { request: { side: 'sell', lots: 41_666_666 } },
      { kind: 'wish-met', lots: 0 },
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
