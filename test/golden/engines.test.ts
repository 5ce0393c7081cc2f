import { expect, test } from 'vitest';
import { Subject } from 'rxjs';
import type { AuditEvent } from '../../src/engine/audit.ts';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { writeTime } from '../../src/engine/test-kit/time.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { Random } from '../../src/platform/random.ts';
import { isoTime, micros, US_PER_SECOND } from '../../src/platform/time.ts';
import { replay } from '../../src/backtest/test-kit/replay.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Strategy } from '../../src/strategy/define.ts';
import { oto } from '../../src/strategy/lists.ts';
import { cancel, place, replace } from '../../src/strategy/orders.ts';
import { quote, target } from '../../src/strategy/managed-orders.ts';
import { rig, TERMS } from '../engine/rig.ts';
import { reportLine, requestLine, type InstrumentOf, type Line } from './canonical.ts';
import { expectGolden } from './golden.ts';
import { trader, type TraderOptions } from './trader.ts';
import { nothingSeen, seenLines, watch, watched } from './watched.ts';

/** What an engine did, as its audit listener hears it; commands are told by what they lead to. */
function auditLine(instrumentOf: InstrumentOf, event: AuditEvent): Line | undefined {
  const at = isoTime(event.at);
  switch (event.kind) {
    case 'command':
      return { at, command: event.command.kind, held: event.held };
    case 'refused': {
      const { code, field, message } = event.rejection;
      return { at, refused: event.command.kind, code, field, message };
    }
    case 'request':
      return { at, managed: event.managed, ...requestLine(instrumentOf, event.request) };
    case 'report':
      return { at, ...reportLine(instrumentOf, event.report) };
    case 'unprotected':
      return { at, unprotected: event.clientOrderId, lots: event.lots, ofLots: event.ofLots };
    case 'target-reached':
      return { at, reached: event.symbol, lots: event.lots };
    case 'log':
      return { at, log: event.level, message: event.message };
    case 'warm-up-end':
      return { at, warmUpEnd: event.managedOrders.map(({ kind }) => kind) };
    case 'failed':
      return { at, failed: event.error.message };
    case 'started':
    case 'completed':
    case 'stopped':
      return { at, engine: event.kind };
    case 'rebalance':
    case 'rebalance-report':
    case 'holdings':
    case 'plot':
    case 'algo-order':
    case 'margin-request':
    case 'margin-report':
    case 'place-report':
      return undefined;
  }
}

/** Books and trades on a walk, some of them in the same instant. */
function walk(count: number): TestEvent[] {
  const random = new Random(23);
  let middle = 62_000;
  return Array.from({ length: count }, (_, index): TestEvent[] => {
    middle += random.integer(-4, 4);
    const at = writeTime(micros(index * US_PER_SECOND));
    const size = (): number => random.integer(1, 60) / 1_000;
    const side = (sign: number) =>
      [1, 2, 3, 5].map((away) => [middle + sign * away, size()] as const);
    const aggressor = random.chance(0.5) ? 'buy' : 'sell';
    const trade = middle + (aggressor === 'buy' ? 1 : -1);
    return [
      { at, bids: side(-1), asks: side(1) },
      { at, trade, size: size(), aggressor },
    ];
  }).flat();
}

const RANDOM: TraderOptions = { reach: 300, lotsMax: 60, everyMs: 500, seed: 31 };
const INSTRUMENT = { ...TERMS, takeRate: '0.001', makeRate: '0.0005' };

const RUNS: Readonly<Record<string, readonly [TraderOptions, Parameters<typeof replay>[2]]>> = {
  'engine-before-the-exchange': [RANDOM, { fills: 'exchange' }],
  'engine-before-a-venue-that-fills-market-orders': [
    { ...RANDOM, seed: 32, repertoire: { plain: 4, changes: 2, lists: 2, wrong: 1 } },
    { fills: true },
  ],
  'engine-before-a-venue-that-lets-orders-stand': [{ ...RANDOM, seed: 33 }, {}],
  'engine-with-a-warm-up': [
    { ...RANDOM, seed: 34, repertoire: { plain: 1, managed: 3 } },
    { fills: 'exchange', warmUpUntil: '00:01:00' },
  ],
};

test.each(Object.entries(RUNS))(
  'the %s does what is kept of it, report by report',
  async (name, [options, settings]) => {
    const instrument = new Instrument(INSTRUMENT);
    const audit: Line[] = [];
    const seen = nothingSeen();
    const strategy: Strategy = watched(trader(options), ['BTCUSDT'], seen);
    replay(
      strategy,
      {},
      {
        instrument: INSTRUMENT,
        balances: { USDT: '5000', BTC: '0.1' },
        ...settings,
        audit: (event) => {
          const line = auditLine(() => instrument, event);
          if (line !== undefined) audit.push(line);
        },
      },
    ).events(walk(180));
    expect(audit.some((line) => line['request'] === 'place')).toBe(true);
    await expectGolden(name, { audit, seen: seenLines(seen) });
  },
);

test('an engine before a slow and forgetful venue does what is kept of it', async () => {
  const commands = new Subject<Command>();
  const seen = nothingSeen();
  const parts = rig((context) => {
    watch(context, ['BTCUSDT'], seen);
    return commands;
  });
  const { engine, wire, clock, instrument, play } = parts;
  engine.start();
  wire.balance('USDT', '1000');
  play([{ at: '00:00:01', bids: [['99', 1]], asks: [['101', 1]] }]);
  const limit = { type: 'limit', side: 'buy', lots: 10, ticks: 9_000 } as const;
  const later = (): void => clock.advanceTo(micros(clock.now() + US_PER_SECOND));
  const outcomeUnknown = (request: 'place' | 'replace' | 'cancel', clientOrderId: string): void => {
    wire.report({
      kind: 'outcome-unknown',
      at: clock.now(),
      request,
      clientOrderId,
      symbol: 'BTCUSDT',
    });
  };

  // An order of which nothing is heard, then its state, then a fill that comes twice.
  commands.next(place('BTCUSDT', { ...limit, clientOrderId: 'unanswered-1' }));
  const doubted = wire.arrived(wire.last);
  outcomeUnknown('place', 'unanswered-1');
  later();
  wire.report({ kind: 'status', at: clock.now(), order: doubted });
  wire.fill('unanswered-1', 4, 9_000, 77);
  wire.fill('unanswered-1', 6, 9_000, 78);
  later();

  // A replacement and a cancel that are refused, and some that are not heard of.
  commands.next(place('BTCUSDT', { ...limit, clientOrderId: 'standing-1' }));
  wire.accept();
  commands.next(replace('standing-1', { ticks: 9_100, newClientOrderId: 'standing-2' }));
  wire.reject();
  commands.next(replace('standing-1', { ticks: 9_200, newClientOrderId: 'standing-3' }));
  outcomeUnknown('replace', 'standing-3');
  later();
  commands.next(cancel('standing-1'));
  outcomeUnknown('cancel', 'standing-1');
  wire.end('standing-1', 'canceled');
  later();

  // Managed orders of which one is refused, and a target whose order fills in parts.
  commands.next(
    quote('BTCUSDT', { bid: { ticks: 9_850, lots: 3 }, ask: { ticks: 10_150, lots: 2 } }),
  );
  for (const request of wire.requests.slice(-2)) wire.reject(request, 'funds-insufficient');
  later();
  commands.next(target('BTCUSDT', { lots: 30 }));
  const bought = wire.last;
  if (bought.kind !== 'place') throw new Error('a target is reached by an order');
  wire.accept();
  wire.fill(bought.clientOrderId, bought.lots - 1, 10_100);
  wire.end(bought.clientOrderId, 'expired');
  later();

  // A list of which the second order never becomes active.
  const sell = { ...limit, side: 'sell', clientOrderId: 'second-01' } as const;
  commands.next(oto('BTCUSDT', [{ ...limit, clientOrderId: 'primary-1' }, sell]));
  wire.accept();
  wire.fill('primary-1', 10, 9_000);
  wire.end('second-01', 'expired');
  later();
  engine.stop();

  const audit = parts.audits.flatMap((event): readonly Line[] => {
    const line = auditLine(() => instrument, event);
    return line === undefined ? [] : [line];
  });
  await expectGolden('engine-before-a-forgetful-venue', { audit, seen: seenLines(seen) });
});
