import { describe, expect, test } from 'vitest';
import { bracket, cancel, minutes, place } from 'millrace';
import { at, replay, type AuditEvent, type TestEvent } from 'millrace/testing';
import breakoutBracket from '../../strategies/breakout-bracket.ts';

const PARAMETERS = {
  period: 'M1',
  length: 2,
  atrLength: 2,
  chase: 0.5,
  profit: 3,
  loss: 1,
  quantity: '0.0001',
  patience: 10,
} as const;

/** The bracket of a range's top and its average range, both in ticks of 0.01. */
const bracketAt = (high: number, range: number) =>
  bracket('BTCUSDT', {
    entry: { side: 'buy', type: 'stopLimit', stopTicks: high, ticks: high + range / 2 },
    takeProfit: { ticks: high + 3 * range },
    stopLoss: { stopTicks: high - range },
    quantity: '0.0001',
    within: minutes(10),
  });

const sell = (lots: number) =>
  place('BTCUSDT', { type: 'market', side: 'sell', lots, timeInForce: 'IOC' });

/** A minute that opens and closes at 100 and goes up to `high`, down to `low`. */
const minute = (index: number, high: number, low: number): TestEvent[] =>
  [100, high, low, 100].map((trade, step) => ({
    at: `00:0${index}:${step + 1}0`,
    trade,
    size: '0.01',
  }));

/** Two minutes of a range of 2, after which the bracket stands at the top of it, 101.00. */
const RANGE = [...minute(0, 101, 99), ...minute(1, 101, 99)];

const run = (events: readonly TestEvent[], options: { audit?: (event: AuditEvent) => void } = {}) =>
  replay(breakoutBracket, PARAMETERS, { fills: 'exchange', ...options }).events(events);

/** One trade, for so many of lots of 0.00001 BTC. */
const trade = (time: string, price: number | string, lots = 1_000): TestEvent => ({
  at: time,
  trade: price,
  size: (lots / 100_000).toFixed(5),
});

describe('breakout-bracket', () => {
  test('places one bracket at the top of the range, and none while that one stands', () => {
    expect(run([...RANGE, ...minute(2, 100, 99), trade('00:03:00', 100)])).toEqual([
      at('00:02', bracketAt(10_100, 200)),
    ]);
  });

  test('withdraws the bracket when the range moved, and places the next when it is gone', () => {
    const down = [...minute(2, 100, 98), ...minute(3, 100, 98), trade('00:04:00', 100)];
    expect(run([...RANGE, ...down])).toEqual([
      at('00:02', bracketAt(10_100, 200)),
      at('00:04', cancel('test-0000001')),
      at('00:04', bracketAt(10_000, 200)),
    ]);
  });

  test('renews a bracket that nothing came to within its time', () => {
    const commands = replay(
      breakoutBracket,
      { ...PARAMETERS, patience: 0.2 },
      { fills: 'exchange', until: '00:02:20' },
    ).events([...RANGE, trade('00:02', 100)]);
    expect(commands.map(({ at: time, command }) => [time, command.kind])).toEqual([
      ['00:02', 'placeList'],
      ['00:02:12', 'placeList'],
    ]);
  });

  test('after a take profit or a stop loss waits for the next candle', () => {
    const broken = [...RANGE, trade('00:02:10', 101)];
    const next = trade('00:03', 100);
    // From the close before, 100, the candle of the break goes 8 far: with the average of 2 that is 5.
    expect(run([...broken, trade('00:02:20', 108), next]).slice(1)).toEqual([
      at('00:03', bracketAt(10_800, 500)),
    ]);
    // From 101 down to 99 is a range of 2 again.
    expect(run([...broken, trade('00:02:20', 99), next]).slice(1)).toEqual([
      at('00:03', bracketAt(10_100, 200)),
    ]);
  });

  test('leaves an entry that triggered to its time, and then sells what it has bought', () => {
    const commands = replay(
      breakoutBracket,
      { ...PARAMETERS, patience: 9.5 },
      { fills: 'exchange', until: '00:12' },
    ).events([...RANGE, trade('00:02:10', 101, 4), trade('00:11:10', 103)]);
    expect(commands.map(({ at: time, command }) => [time, command.kind])).toEqual([
      ['00:02', 'placeList'],
      ['00:11:30', 'place'],
      ['00:12', 'placeList'],
    ]);
    expect(commands[1]).toEqual(at('00:11:30', sell(4)));
  });

  test('sells what the account holds before it begins', () => {
    const balances = { USDT: '10000', BTC: '0.00007' };
    const commands = replay(breakoutBracket, PARAMETERS, { fills: 'exchange', balances }).events([
      ...RANGE,
      // A candle of one price has no range: the average halves.
      trade('00:02', 100),
      trade('00:03', 100),
    ]);
    expect(commands).toEqual([at('00:02', sell(7)), at('00:03', bracketAt(10_100, 100))]);
  });

  test('asks again with the next candle when the account cannot pay', () => {
    const balances = { USDT: '0.001' };
    const poor = replay(breakoutBracket, PARAMETERS, { fills: 'exchange', balances });
    const commands = poor.events([...RANGE, ...minute(2, 101, 99), trade('00:03', 100)]);
    expect(commands).toEqual([
      at('00:02', bracketAt(10_100, 200)),
      at('00:03', bracketAt(10_100, 200)),
    ]);
  });
});
