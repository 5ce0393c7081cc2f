import {
  concat,
  EMPTY,
  filter,
  map,
  merge,
  NEVER,
  of,
  Subject,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../src/model/failure.ts';
import { takeRxjsTime } from '../../src/engine/event-time.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Log } from '../../src/strategy/context.ts';
import { cancelAll, place } from '../../src/strategy/orders.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';
import { rig } from './rig.ts';

const buy = (clientOrderId: string): Command =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 5, clientOrderId });

describe('the order of things', () => {
  test('commands are handled when everybody has seen the event', () => {
    const order: string[] = [];
    const { engine, play } = rig(
      ({ market }) =>
        merge(
          market.trades('BTCUSDT').pipe(
            tap(() => order.push('first')),
            map(() => buy('order-one')),
          ),
          market.trades('BTCUSDT').pipe(
            tap(() => order.push('second')),
            map(() => buy('order-two')),
          ),
        ),
      { audit: (event) => order.push(event.kind) },
    );
    engine.start();
    play([{ at: '00:01', trade: 10 }]);
    expect(order).toEqual([
      'started',
      'first',
      'second',
      'command',
      'request',
      'command',
      'request',
    ]);
  });

  test('orders that a command changes may lead to further commands', () => {
    const { engine, wire } = rig(({ account }) => {
      const answers = new Subject<Command>();
      account.orders().subscribe(({ status }) => {
        if (status === 'rejected') answers.next(buy('order-two'));
      });
      return merge(answers, of(buy('bad id')));
    });
    engine.start();
    expect(wire.requests).toMatchObject([{ clientOrderId: 'order-two' }]);
  });

  test('a strategy that answers its own orders without end is stopped', () => {
    let count = 0;
    const { engine, wire, received } = rig(({ account }) => {
      const answers = new Subject<Command>();
      account
        .orders()
        .pipe(filter(({ status }) => status === 'pending'))
        .subscribe(({ clientOrderId }) =>
          answers.next(buy(`${clientOrderId.slice(0, 9)}${count++}`)),
        );
      return merge(answers, of(buy('order-000')));
    });
    engine.start();
    expect(engine.state).toBe('failed');
    expect(engine.failure).toMatchObject({ code: 'strategy-failed' });
    expect(received('failed')).toMatchObject([{ during: { kind: 'commands' } }]);
    expect(wire.requests.filter(({ kind }) => kind === 'place')).toHaveLength(10_000);
  });

  test('a gateway that answers at once', () => {
    const { engine, wire, audits, play } = rig(({ market }) =>
      market.trades('BTCUSDT').pipe(map(() => buy('order-one'))),
    );
    const send = wire.send.bind(wire);
    wire.send = (request) => {
      send(request);
      wire.accept(request);
      wire.fill('order-one', 1, 5);
    };
    engine.start();
    play([{ at: '00:01', trade: 10 }]);
    expect(audits.map(({ kind }) => kind)).toEqual([
      'started',
      'command',
      'request',
      'report',
      'report',
    ]);
  });
});

describe('warm-up', () => {
  test('the strategy sees all, plain orders are dropped, the last managed orders are placed at the end', () => {
    const commands = new Subject<Command>();
    const seen: number[] = [];
    const { engine, wire, clock, received, play } = rig(
      ({ market }) => {
        market.trades('BTCUSDT').subscribe(({ ticks }) => seen.push(ticks));
        return commands;
      },
      { warmUpUntil: micros(60e6) },
    );
    wire.balance('USDT', '1000');
    engine.start();
    play([{ at: '00:00:01', trade: 10 }]);
    commands.next(buy('order-one'));
    commands.next(buy('order-two'));
    commands.next(target('BTCUSDT', 0.5));
    commands.next(quote('BTCUSDT', { bid: { ticks: 9, lots: 1 } }));
    expect(wire.requests).toEqual([]);
    expect(received('log')).toMatchObject([
      { level: 'info', message: expect.stringContaining('warm-up') },
    ]);
    expect(received('command').map(({ held }) => held)).toEqual([true, true, true, true]);
    clock.advanceTo(micros(60e6));
    expect(seen).toEqual([1_000]);
    expect(received('warm-up-end')).toMatchObject([
      { at: 60e6, managedOrders: [{ kind: 'quote' }] },
    ]);
    expect(wire.requests).toMatchObject([{ side: 'buy', ticks: 9 }]);
    commands.next(buy('order-one'));
    expect(wire.requests).toHaveLength(2);
    expect(
      received('command')
        .slice(4)
        .map(({ held }) => held),
    ).toEqual([false, false]);
  });

  test('cancelAll ends managed orders', () => {
    const terms = { warmUpUntil: micros(60e6) };
    for (const [command, left] of [
      [cancelAll('BTCUSDT'), 0],
      [cancelAll(), 0],
      [cancelAll('ETHUSDT'), 1],
    ] as const) {
      const { engine, clock, received } = rig(
        () => concat(of(flat('BTCUSDT'), command), NEVER),
        terms,
      );
      engine.start();
      clock.advanceTo(micros(60e6));
      expect(received('warm-up-end').map(({ managedOrders }) => managedOrders.length)).toEqual([
        left,
      ]);
    }
  });

  test('one that has passed at the start is none', () => {
    const { engine, clock, received } = rig(() => of(flat('BTCUSDT')), { warmUpUntil: micros(0) });
    engine.start();
    clock.advanceTo(micros(1));
    expect(received('warm-up-end')).toEqual([]);
    expect(received('command').map(({ held }) => held)).toEqual([false]);
  });
});

describe('a strategy that throws', () => {
  const boom = new Error('boom');

  test('in run', () => {
    const { engine, received, audits } = rig(() => {
      throw boom;
    });
    engine.start();
    expect([engine.state, engine.failure]).toEqual(['failed', boom]);
    expect(received('failed')).toMatchObject([
      { error: { message: 'boom' }, during: { kind: 'start' } },
    ]);
    expect(audits.map(({ kind }) => kind)).toEqual(['started', 'failed', 'log']);
  });

  test('in an operator, on a row of the market: the audit has the row, orders and managed orders are ended', () => {
    const commands = new Subject<Command>();
    const { engine, received, play, wire } = rig(({ market }) =>
      merge(
        commands,
        market.trades('BTCUSDT').pipe(
          map((): Command => {
            throw boom;
          }),
        ),
      ),
    );
    engine.start();
    commands.next(buy('order-one'));
    wire.accept();
    commands.next(quote('BTCUSDT', { bid: { ticks: 9, lots: 1 } }));
    wire.accept();
    play([
      { at: '00:00:01', bid: 1, ask: 2 },
      { at: '00:00:02', trade: 10 },
    ]);
    expect(received('failed')).toMatchObject([
      { during: { kind: 'market', symbol: 'BTCUSDT', row: 'trade', stampedAt: 2e6, sequence: 0 } },
    ]);
    expect(wire.requests.slice(2)).toMatchObject([
      { kind: 'cancel', clientOrderId: 'order-one' },
      { kind: 'cancel', clientOrderId: 'test-0000001' },
    ]);
    commands.next(buy('order-two'));
    play([{ at: '00:00:03', trade: 10 }]);
    expect(wire.requests).toHaveLength(4);
    engine.stop();
    engine.stop();
    expect(engine.state).toBe('failed');
    expect(received('stopped')).toHaveLength(1);
  });

  test('with orders that are to be kept', () => {
    const commands = new Subject<Command>();
    const { engine, wire, play } = rig(() => commands, { onFailure: 'keep' });
    engine.start();
    commands.next(buy('order-one'));
    commands.next(quote('BTCUSDT', { bid: { ticks: 9, lots: 1 } }));
    commands.error(boom);
    wire.accept();
    play([{ at: '00:00:03', trade: 10 }]);
    expect(engine.state).toBe('failed');
    expect(wire.requests).toHaveLength(2);
  });

  test('on a report', () => {
    const { engine, received, wire } = rig(({ account }) =>
      merge(
        of(buy('order-one')),
        account.orders().pipe(
          map(({ status }): Command => {
            if (status === 'new') throw boom;
            return cancelAll('ETHUSDT');
          }),
        ),
      ),
    );
    engine.start();
    wire.accept();
    expect(received('failed')).toMatchObject([
      {
        during: { kind: 'report', report: { kind: 'new', order: { clientOrderId: 'order-one' } } },
      },
    ]);
    expect(wire.last).toMatchObject({ kind: 'cancel' });
  });

  test('by a timer, and on a candle that ended by the clock', () => {
    const byTimer = rig(() =>
      timer(1_000).pipe(
        map((): Command => {
          throw boom;
        }),
      ),
    );
    const back = takeRxjsTime(byTimer.clock);
    try {
      byTimer.engine.start();
      byTimer.clock.advanceTo(micros(2e6));
    } finally {
      back();
    }
    expect(byTimer.received('failed')).toMatchObject([{ at: 1e6, during: { kind: 'timer' } }]);
    const byCandle = rig(({ market }) =>
      market.candles('BTCUSDT', 'M1').pipe(
        map((): Command => {
          throw boom;
        }),
      ),
    );
    byCandle.engine.start();
    byCandle.play([{ at: '00:00:01', trade: 10 }]);
    byCandle.clock.advanceTo(micros(90e6));
    expect(byCandle.received('failed')).toMatchObject([
      { at: 60e6, during: { kind: 'candle', symbol: 'BTCUSDT' } },
    ]);
  });

  test('in a subscribe of its own, which reaches the engine by the unhandled errors', () => {
    const { engine, clock, play } = rig(({ market }) => {
      market.trades('BTCUSDT').subscribe(() => {
        throw boom;
      });
      return NEVER;
    });
    const back = takeRxjsTime(clock, (error) => engine.fail(error));
    try {
      engine.start();
      play([{ at: '00:00:01', trade: 10 }]);
      clock.advanceTo(micros(2e6));
    } finally {
      back();
    }
    expect([engine.state, engine.failure]).toEqual(['failed', boom]);
    engine.fail(new Error('later'));
    expect(engine.failure).toBe(boom);
  });

  test('an error as plain data', () => {
    expect(failureOf('text')).toEqual({ message: 'text' });
    expect(failureOf(new MillraceError('internal', 'Wrong.'))).toMatchObject({
      code: 'internal',
      message: 'Wrong.',
    });
    const bare = new Error('bare');
    delete bare.stack;
    expect(failureOf(bare)).toEqual({ message: 'bare' });
  });
});

describe('ends', () => {
  test('a stream of commands that completes leaves its managed orders in force', () => {
    const { engine, wire, play } = rig(() => of(target('BTCUSDT', { lots: 5 })));
    wire.balance('USDT', '1000');
    engine.start();
    expect(engine.state).toBe('completed');
    expect(wire.requests).toHaveLength(0);
    play([{ at: '00:00:00.5', trade: 10 }]);
    expect(wire.requests).toHaveLength(1);
  });

  test('stop ends the strategy and leaves its orders', () => {
    const commands = new Subject<Command>();
    const { engine, wire, received, play } = rig(() => commands);
    engine.start();
    commands.next(quote('BTCUSDT', { bid: { ticks: 9, lots: 1 } }));
    wire.accept();
    engine.stop();
    engine.stop();
    engine.fail(new Error('after the end'));
    expect(engine.state).toBe('stopped');
    expect(received('stopped')).toHaveLength(1);
    expect(commands.observed).toBe(false);
    play([{ at: '00:00:01', trade: 10 }]);
    expect(wire.requests).toHaveLength(1);
  });

  test('an error notification without a source is a failure too', () => {
    const { engine } = rig(() => throwError(() => new Error('boom')));
    engine.start();
    expect(engine.state).toBe('failed');
  });
});

test('log, plot and clock', () => {
  const lines: unknown[] = [];
  const write =
    (level: string): Log['info'] =>
    (message, fields) =>
      lines.push([level, message, fields]);
  const { engine, received, clock } = rig(
    ({ log, plot, clock: time, parameters, instrument }) => {
      log.debug('one');
      log.info('two', { a: 1 });
      log.warn('three');
      plot('line', 7);
      plot(instrument('BTCUSDT').symbol, time.now());
      expect(parameters).toEqual({});
      return EMPTY;
    },
    { log: { debug: write('debug'), info: write('info'), warn: write('warn') } },
  );
  clock.advanceTo(micros(5));
  engine.start();
  expect(lines).toEqual([
    ['debug', 'one', undefined],
    ['info', 'two', { a: 1 }],
    ['warn', 'three', undefined],
  ]);
  expect(received('log').map(({ level, message }) => [level, message])).toEqual([
    ['debug', 'one'],
    ['info', 'two'],
    ['warn', 'three'],
  ]);
  expect(received('plot')).toEqual([
    { kind: 'plot', name: 'line', value: 7, at: 5, strategy: 'tested' },
    { kind: 'plot', name: 'BTCUSDT', value: 5, at: 5, strategy: 'tested' },
  ]);
});

test('an engine without an audit listener works', () => {
  const { engine, wire } = rig(() => of(buy('order-one')), { audit: undefined });
  engine.start();
  expect(wire.requests).toHaveLength(1);
});
