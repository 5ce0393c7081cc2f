import fc from 'fast-check';
import { ignoreElements, map, merge, take, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  bracket,
  defineStrategy,
  oto,
  place,
  price,
  rate,
  z,
  type Trail,
} from '../../../src/index.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { replay, type AuditEvent, type TestEvent } from '../../../src/testing.ts';
import { requestedTrail } from '../../../src/engine/orders/requested.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { runs, seed } from '../../kit/size.ts';
import { TERMS } from '../rig.ts';
import { id, wishing } from './kit.ts';

/** A time of a test that lies so many seconds after midnight. */
const at = (second: number): string => new Date(second * 1_000).toISOString().slice(11, 19);

const stop = (side: 'buy' | 'sell', stopTicks: number, trail: Trail): Command =>
  place('BTCUSDT', { type: 'stopMarket', side, stopTicks, lots: 10, timeInForce: 'IOC', trail });

const once = (command: Command) =>
  defineStrategy({
    name: 'once',
    summary: 'One command, at the first trade.',
    parameters: z.object({}),
    run: ({ market }) =>
      market.trades('BTCUSDT').pipe(
        take(1),
        map(() => command),
      ),
  });

/** What the exchange makes of a command, given at the first of these trades, one a second. */
function played(command: Command, prices: readonly number[]) {
  const stops: number[] = [];
  const traded: string[] = [];
  let triggeredAt: number | undefined;
  const audit = (event: AuditEvent): void => {
    if (event.kind !== 'report' || !('order' in event.report)) return;
    const { kind, order } = event.report;
    if (kind === 'trade') traded.push(order.type);
    if (order.stopTicks === undefined || order.inactive === true) return;
    if (kind === 'suspended' || kind === 'replaced') stops.push(order.stopTicks);
    if (kind === 'new') triggeredAt ??= event.at / 1e6;
  };
  replay(
    once(command),
    {},
    { fills: 'exchange', balances: { USDT: '100000', BTC: '1' }, audit },
  ).trades(prices.map((ticks, second) => [at(second), (ticks / 100).toFixed(2), '1'] as const));
  return { stops, traded, triggeredAt };
}

/** The same by the words of the documentation: whole numbers, one trade after the other. */
function naive(
  side: 'buy' | 'sell',
  first: number,
  trail: { ticks?: number; perMille?: number; activationTicks?: number; step: number },
  prices: readonly number[],
) {
  const sign = side === 'sell' ? 1 : -1;
  let [best] = prices;
  let stopTicks = first;
  const stops = [first];
  const move = (): void => {
    const { ticks, perMille = 0, activationTicks, step } = trail;
    if (activationTicks !== undefined && sign * (best - activationTicks) < 0) return;
    const scaled = best * (1_000 - sign * perMille);
    const offset = side === 'sell' ? Math.floor(scaled / 1_000) : Math.ceil(scaled / 1_000);
    const to = ticks === undefined ? offset : best - sign * ticks;
    if (to < 1 || sign * (to - stopTicks) < step) return;
    stopTicks = to;
    stops.push(to);
  };
  move();
  for (const [index, ticks] of prices.entries()) {
    if (index === 0) continue;
    if (sign * (ticks - stopTicks) <= 0) return { stops, triggeredAt: index };
    if (sign * (ticks - best) > 0) best = ticks;
    move();
  }
  return { stops, triggeredAt: undefined };
}

describe('a trailing stop', () => {
  test('follows the highest trade and never goes back', () => {
    const prices = [10_000, 10_200, 10_100, 10_300, 9_801, 9_800, 9_790];
    const { stops, traded, triggeredAt } = played(stop('sell', 9_000, { ticks: 500 }), prices);
    expect(stops).toEqual([9_000, 9_500, 9_700, 9_800]);
    expect(triggeredAt).toBe(5);
    expect(traded).toEqual(['stopMarket']);
  });

  test('rounds a fraction away from the market and waits for its activation price', () => {
    const trail = { rate: rate('0.013'), activation: price('102.01') };
    const prices = [10_000, 10_200, 10_201, 10_150, 10_203];
    // 10201 × 0.987 = 10068.387 and 10203 × 0.987 = 10070.361
    expect(played(stop('sell', 9_000, trail), prices).stops).toEqual([9_000, 10_068, 10_070]);
    const buys = { rate: rate('0.013'), activationTicks: 9_799 };
    // 9799 × 1.013 = 9926.387
    expect(played(stop('buy', 11_000, buys), [10_000, 9_800, 9_799, 9_900]).stops).toEqual([
      11_000, 9_927,
    ]);
  });

  test('does what a naive trailing stop does, on any prices', () => {
    const trails = fc.record({
      kind: fc.constantFrom('ticks', 'perMille'),
      offset: fc.integer({ min: 1, max: 60 }),
      activation: fc.option(fc.integer({ min: 950, max: 1_050 }), { nil: undefined }),
      step: fc.integer({ min: 1, max: 4 }),
    });
    const prices = fc.array(fc.integer({ min: 930, max: 1_070 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(trails, prices, fc.constantFrom('buy', 'sell'), (given, all, side) => {
        const { kind, offset, activation, step } = given;
        const start = side === 'sell' ? 900 : 1_100;
        const begun = {
          step,
          activationTicks: activation,
        };
        const trail =
          kind === 'ticks'
            ? { ticks: offset, ...begun }
            : { rate: rate((offset / 1_000).toFixed(3)), ...begun };
        const { stops, triggeredAt } = played(stop(side, start, trail), all);
        const twin = naive(side, start, { [kind]: offset, ...begun }, all);
        expect({ stops, triggeredAt }).toEqual(twin);
      }),
      { numRuns: runs(500), seed: seed(3) },
    );
  });

  test('moves the limit price of a stopLimit by as much', () => {
    const command = place('BTCUSDT', {
      type: 'stopLimit',
      side: 'sell',
      stopTicks: 900,
      ticks: 890,
      lots: 10,
      trail: { ticks: 50 },
    });
    const { give, play, wire } = wishing({ BTC: '1' });
    play([{ at: '00:01', trade: 10 }]);
    give(command);
    wire.report({
      kind: 'suspended',
      at: 0 as never,
      order: { ...wire.arrived(wire.last), status: 'suspended' },
    });
    expect(wire.last).toMatchObject({ kind: 'replace', stopTicks: 950, ticks: 940, lots: 10 });
  });

  test('protects what an entry bought from its activation on, in a list', () => {
    const list = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'limit', ticks: 9_900 },
      takeProfit: { ticks: 12_000 },
      stopLoss: { stopTicks: 9_000, trail: { ticks: 300 } },
      lots: 10,
    });
    const prices = [10_000, 11_000, 9_890, 10_400, 10_050];
    const { stops, traded } = played(list, prices);
    // 11000 was before the entry filled: it lifts nothing.
    expect(stops).toEqual([9_000, 9_590, 10_100]);
    expect(traded).toEqual(['limit', 'stopMarket']);
  });

  test('sends one request at a time, and the newest price when the answer is there', () => {
    const { give, play, wire, sent } = wishing({ BTC: '1' });
    play([{ at: '00:01', trade: 10 }]);
    give(stop('sell', 900, { ticks: 50 }));
    const suspended = (request: typeof wire.last) => ({
      ...wire.arrived(request),
      status: 'suspended' as const,
    });
    wire.report({ kind: 'suspended', at: 0 as never, order: suspended(wire.last) });
    play([
      { at: '00:02', trade: 11 },
      { at: '00:03', trade: 12 },
    ]);
    expect(sent()).toEqual([
      ['sell', 'stopMarket', 10],
      ['replace', 1, 10, undefined],
    ]);
    wire.report({ kind: 'replaced', at: 0 as never, order: suspended(wire.last) });
    expect(wire.last).toMatchObject({ kind: 'replace', clientOrderId: id(2), stopTicks: 1_150 });
  });

  test('follows the best bid of a sell and the best ask of a buy, where that is asked for', () => {
    const quotes = (bid: number, ask: number, at: string): TestEvent => ({
      at,
      bids: [[bid, 1]],
      asks: [[ask, 1]],
    });
    for (const [side, first, stops] of [
      ['sell', 900, [1_000, 1_200]],
      ['buy', 1_700, [1_500, 1_450]],
    ] as const) {
      const { give, play, wire } = wishing({ BTC: '1' });
      play([quotes(11, 14, '00:01')]);
      give(stop(side, first, { ticks: 100, by: 'touch' }));
      const suspend = (kind: 'suspended' | 'replaced'): void => {
        const order = { ...wire.arrived(wire.last), status: 'suspended' as const };
        wire.report({ kind, at: 0 as never, order });
      };
      suspend('suspended');
      suspend('replaced');
      // A trade moves nothing, and neither does a best price that went back.
      play([{ at: '00:02', trade: 20 }, quotes(10, 15, '00:03'), quotes(13, 13.5, '00:04')]);
      const asked = wire.requests.flatMap((one) => (one.kind === 'replace' ? one.stopTicks : []));
      expect([asked[0], asked.at(-1)]).toEqual(stops);
    }
  });

  test('moves after a candle by its high, and by its close where it came later than the open', () => {
    const candle = (at: string, high: number, close: number): TestEvent => ({
      at,
      candle: { open: 100, high, low: 99, close, volume: 10 },
    });
    const moved = (at: string): readonly (number | undefined)[] => {
      const stops: (number | undefined)[] = [];
      const strategy = defineStrategy({
        name: 'once',
        summary: 'One command, at a time.',
        parameters: z.object({}),
        run: ({ market }) =>
          merge(
            market.candles('BTCUSDT', 'M1').pipe(ignoreElements()),
            timer(at === 'open' ? 60_000 : 90_000).pipe(
              map(() => stop('sell', 9_000, { ticks: 300 })),
            ),
          ),
      });
      const audit = (event: AuditEvent): void => {
        if (event.kind === 'request' && event.request.kind === 'replace') {
          stops.push(event.request.stopTicks);
        }
      };
      replay(
        strategy,
        {},
        { fills: 'exchange', balances: { BTC: '1' }, period: 'M1', audit },
      ).events([candle('00:01', 100, 100), candle('00:02', 110, 105), candle('00:03', 106, 104)]);
      return stops;
    };
    // The last price is 100.00 when it is placed.
    expect(moved('open')).toEqual([9_700, 10_700]);
    expect(moved('later')).toEqual([9_700, 10_200, 10_300]);
  });

  test('cannot be an order that closes a position, which no venue replaces', () => {
    const order = { type: 'stopMarket', side: 'sell', closePosition: true, trail: { ticks: 1 } };
    expect(requestedTrail(new Instrument(TERMS), order as never)).toMatchObject({
      code: 'type-invalid',
      field: 'trail',
    });
  });

  test.each<[string, Command, string]>([
    [
      'a limit order',
      place('BTCUSDT', {
        type: 'limit',
        side: 'sell',
        ticks: 9,
        lots: 1,
        trail: { ticks: 1 },
      } as never),
      'type-invalid',
    ],
    [
      'a take profit',
      place('BTCUSDT', {
        type: 'takeProfitMarket',
        side: 'sell',
        stopTicks: 9,
        lots: 1,
        trail: { ticks: 1 },
      }),
      'type-invalid',
    ],
    ['neither ticks nor rate', stop('sell', 900, {} as never), 'stop-price-invalid'],
    [
      'both ticks and rate',
      stop('sell', 900, { ticks: 1, rate: rate('0.1') } as never),
      'stop-price-invalid',
    ],
    ['a rate of 1', stop('sell', 900, { rate: rate('1') }), 'stop-price-invalid'],
    ['no ticks', stop('sell', 900, { ticks: 0 }), 'stop-price-invalid'],
    ['half a tick', stop('sell', 900, { ticks: 1.5 }), 'stop-price-invalid'],
    [
      'an activation off the tick',
      stop('sell', 900, { ticks: 1, activation: price('1.001') }),
      'price-off-tick',
    ],
    [
      'a member that it does not have',
      stop('sell', 900, { ticks: 1, percent: 2 } as never),
      'request-invalid',
    ],
    [
      'one in a list',
      oto('BTCUSDT', [
        { type: 'limit', side: 'buy', ticks: 900, lots: 1 },
        {
          type: 'stopMarket',
          side: 'sell',
          stopTicks: 800,
          lots: 1,
          trail: { ticks: 1, activation: price('1.001') },
        },
      ]),
      'price-off-tick',
    ],
  ])('is refused: %s', (_, command, code) => {
    const events: AuditEvent[] = [];
    const trades: TestEvent[] = [{ at: '00:00', trade: 10 }];
    replay(once(command), {}, { audit: (event) => events.push(event) }).events(trades);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'refused', rejection: expect.objectContaining({ code }) }),
    );
    expect(events.filter(({ kind }) => kind === 'request')).toEqual([]);
  });
});
