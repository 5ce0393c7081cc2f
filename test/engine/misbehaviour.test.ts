import { Decimal as OtherDecimal } from 'decimal.js';
import { asapScheduler, from, map, merge, NEVER, Observable, of, range, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../src/model/failure.ts';
import { micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Order } from '../../src/model/order.ts';
import { oco } from '../../src/strategy/lists.ts';
import { cancel, cancelAll, place } from '../../src/strategy/orders.ts';
import { quote, target } from '../../src/strategy/managed-orders.ts';
import { rig, type Rig } from './rig.ts';

/** What no compiler has read. */
const given = (value: unknown): Command => value as Command;

const limit = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', lots: 5, ticks: 5 };

const LEG = { type: 'limit', side: 'buy', ticks: 5, lots: 1 } as const;

/** A strategy that gives one thing at its start, and the orders that it was shown. */
function start(command: unknown): Rig & { readonly orders: readonly Order[] } {
  const orders: Order[] = [];
  const one = rig(({ account }) => {
    account.orders().subscribe((order) => orders.push(order));
    return of(given(command));
  });
  one.engine.start();
  return { ...one, orders };
}

function failure({ engine }: Rig): string {
  expect(engine.state).toBe('failed');
  return failureOf(engine.failure).message;
}

describe('what is no command fails the strategy, and the error says what was wrong', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'gave null where a command'],
    ['nothing', undefined, 'gave undefined where a command'],
    ['text', 'x', 'gave "x" where a command'],
    ['a long text', 'x'.repeat(99), `gave "${'x'.repeat(40)}…" where`],
    ['a function', () => 5, 'gave a function where'],
    ['a bigint', 5n, 'gave a bigint where'],
    ['a symbol', Symbol('x'), 'gave a symbol where'],
    ['an object', {}, 'a command of the kind undefined'],
    ['an unknown kind', { kind: 'nope' }, 'a command of the kind "nope"'],
    ['a name that every object has', { kind: 'toString' }, 'the kind "toString"'],
    ['an array', [], 'the kind undefined'],
    ['a kind that is an array', { kind: [1] }, 'the kind an array'],
  ])('%s', (_, value, message) => {
    const one = start(value);
    expect(failure(one)).toContain(message);
    expect(one.engine.failure).toMatchObject({ code: 'strategy-failed' });
  });

  test('a field that throws when it is read', () => {
    const throwing = (): never => {
      throw new Error('from a getter');
    };
    const kind = Object.defineProperty({}, 'kind', { get: throwing });
    expect(failure(start(kind))).toBe(
      'The strategy gave a command that cannot be read: from a getter',
    );
    const share = Object.defineProperty({}, 'share', { get: throwing });
    expect(failure(start({ kind: 'target', symbol: 'BTCUSDT', hold: share }))).toContain(
      'cannot be read: from a getter',
    );
  });
});

describe('a command with a field of the wrong type is refused', () => {
  const odd = Object.create(null) as unknown;
  const hold = (value: unknown): unknown => ({ kind: 'target', symbol: 'BTCUSDT', hold: value });
  const sides = (value: object): unknown => ({ kind: 'quote', symbol: 'BTCUSDT', ...value });
  const cases: [string, unknown, string, string, string][] = [
    ['symbol', { kind: 'place' }, 'symbol-unknown', 'symbol', 'symbol is undefined'],
    ['side', { ...limit, side: undefined }, 'side-invalid', 'side', 'side is undefined'],
    ['side', { ...limit, side: Symbol('x') }, 'side-invalid', 'side', 'side is a symbol'],
    ['type', { ...limit, type: null }, 'type-invalid', 'type', 'type is null'],
    ['lots', { ...limit, lots: '5' }, 'quantity-invalid', 'lots', 'lots is "5"'],
    ['lots', { ...limit, lots: odd }, 'quantity-invalid', 'lots', 'lots is {}'],
    ['ticks', { ...limit, ticks: true }, 'price-invalid', 'ticks', 'ticks is true'],
    ['price', { ...limit, price: '5' }, 'price-invalid', 'price', 'price is "5"'],
    ['quantity', { ...limit, quantity: 0.5 }, 'quantity-invalid', 'quantity', 'quantity is 0.5'],
    ['stopPrice', { ...limit, stopPrice: 1 }, 'stop-price-invalid', 'stopPrice', 'stopPrice is 1'],
    ['stopTicks', { ...limit, stopTicks: 1n }, 'stop-price-invalid', 'stopTicks', 'a bigint'],
    ['timeInForce', { ...limit, timeInForce: 5 }, 'time-in-force-invalid', 'timeInForce', 'is 5'],
    ['expireAt', { ...limit, expireAt: 'x' }, 'expire-time-invalid', 'expireAt', 'is "x"'],
    ['postOnly', { ...limit, postOnly: 'no' }, 'type-invalid', 'postOnly', 'is "no"'],
    ['id', { ...limit, clientOrderId: 5 }, 'client-order-id-invalid', 'clientOrderId', 'is 5'],
    ['id', { kind: 'cancel' }, 'client-order-id-invalid', 'clientOrderId', 'is undefined'],
    ['id', { kind: 'replace', lots: 5 }, 'client-order-id-invalid', 'clientOrderId', 'undefined'],
    ['symbol', { kind: 'cancelAll', symbol: 5 }, 'symbol-unknown', 'symbol', 'symbol is 5'],
    ['hold', hold(undefined), 'quantity-invalid', 'hold', 'hold is undefined'],
    ['hold', hold(null), 'quantity-invalid', 'hold', 'hold is null'],
    ['share', hold({ share: '0.5' }), 'quantity-invalid', 'hold', 'hold is { share: "0.5" }'],
    ['share', hold({ share: {} }), 'quantity-invalid', 'hold', 'hold is { share: { … } }'],
    ['both', hold({ share: 9, lots: 1 }), 'quantity-invalid', 'hold', 'one of them'],
    ['bid', sides({ bid: null }), 'price-invalid', 'bid', 'bid is null'],
    ['ask', sides({ ask: 5 }), 'price-invalid', 'ask', 'ask is 5'],
    ['ask', sides({ ask: { ticks: 5 } }), 'quantity-invalid', 'ask', 'ask is { ticks: 5 }'],
    [
      'ask',
      sides({ ask: { ticks: new OtherDecimal(5), lots: 5 } }),
      'price-invalid',
      'ask',
      '{ … }',
    ],
    ['half a tick', { ...limit, ticks: 6193862.937 }, 'price-invalid', 'ticks', 'Math.round, or'],
    [
      'half a lot',
      { ...limit, lots: 0.5 },
      'quantity-invalid',
      'lots',
      "instrument.lots(quantity, 'd",
    ],
    ['a stop', { ...limit, stopTicks: 9.5 }, 'stop-price-invalid', 'stopTicks', 'is 9.5 and must'],
    ['NaN', { ...limit, ticks: Number.NaN }, 'price-invalid', 'ticks', 'what it is computed from'],
    ['half a bid', sides({ bid: { ticks: 9.5, lots: 1 } }), 'price-invalid', 'bid.ticks', '9.5'],
    ['half an ask', sides({ ask: { ticks: 9, lots: 0.5 } }), 'quantity-invalid', 'ask.lots', '0.5'],
    [
      'no lots',
      sides({ ask: { ticks: 9, lots: -1 } }),
      'quantity-below-minimum',
      'ask.quantity',
      '-1',
    ],
    [
      'a list',
      oco('BTCUSDT', [LEG, { ...LEG, ticks: 1.5 }]),
      'price-invalid',
      'orders[1].ticks',
      '1.5',
    ],
    ['a decimal', hold(new OtherDecimal(5)), 'quantity-invalid', 'hold', 'hold is {}'],
  ];
  test.each(cases)('%s: %o', (_, command, code, field, message) => {
    const { engine, wire, received } = start(command);
    const [{ rejection }] = received('refused');
    expect(rejection).toMatchObject({ code, field });
    expect(rejection.message).toContain(message);
    expect(engine.state).toBe('completed');
    expect(wire.requests).toEqual([]);
  });

  test('an order among them is shown as rejected, as far as it can be read', () => {
    expect(start({ ...limit, quantity: '0.5', clientOrderId: 'order-one' }).orders).toMatchObject([
      { clientOrderId: 'order-one', status: 'rejected', side: 'buy', lots: 5, symbol: 'BTCUSDT' },
    ]);
    const { orders } = start({
      kind: 'place',
      side: 'sell',
      symbol: 5,
      lots: 'x',
      clientOrderId: 5,
    });
    expect(orders).toMatchObject([
      { clientOrderId: 'test-0000001', status: 'rejected', side: 'sell', lots: 0, symbol: '' },
    ]);
  });

  test('an order with a fraction of a lot is shown as rejected, with no lots', () => {
    const order = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 5, lots: 0.5 });
    expect(start(order).orders).toMatchObject([
      { status: 'rejected', lots: 0, rejection: { code: 'quantity-invalid', field: 'lots' } },
    ]);
  });

  test('a replacement too, and the order that it is of stands', () => {
    const commands = new Subject<Command>();
    const orders: Order[] = [];
    const { engine, wire, received } = rig(({ account }) => {
      account.orders().subscribe((order) => orders.push(order));
      return commands;
    });
    engine.start();
    commands.next(given({ ...limit, clientOrderId: 'order-one' }));
    wire.accept();
    const change = { kind: 'replace', clientOrderId: 'order-one', newClientOrderId: 'order-two' };
    commands.next(given({ ...change, quantity: '1' }));
    commands.next(given({ ...change, quantity: new OtherDecimal('0.007'), lots: 7 }));
    commands.next(given({ ...change, price: new OtherDecimal('0.07'), ticks: 7 }));
    expect(received('refused').map(({ rejection }) => rejection.field)).toEqual([
      'quantity',
      'quantity',
      'price',
    ]);
    expect(orders.at(-1)).toMatchObject({ clientOrderId: 'order-two', status: 'rejected' });
    expect(wire.requests).toHaveLength(1);
  });

  test('a decimal of another decimal.js is as good as one of this', () => {
    const exact = { quantity: new OtherDecimal('0.005'), price: new OtherDecimal('0.07') };
    const { wire } = start({ ...limit, lots: undefined, ticks: undefined, ...exact });
    expect(wire.requests).toMatchObject([{ kind: 'place', lots: 5, ticks: 7 }]);
  });

  test('in warm-up as well, so that it takes no place of the managed order before it', () => {
    const { engine, wire, clock, received } = rig(
      () =>
        of(
          quote('BTCUSDT', { bid: { ticks: 5, lots: 1 } }),
          given({ kind: 'target', symbol: 'BTCUSDT' }),
        ),
      { warmUpUntil: micros(1e6) },
    );
    engine.start();
    expect(received('refused')).toHaveLength(1);
    clock.advanceTo(micros(1e6));
    expect(wire.requests).toMatchObject([{ kind: 'place', side: 'buy', ticks: 5 }]);
  });
});

test('cancelAll of a symbol that the venue does not have is refused', () => {
  const { received, wire } = start(cancelAll('NOPE'));
  expect(received('refused')).toMatchObject([{ rejection: { code: 'symbol-unknown' } }]);
  expect(wire.requests).toEqual([]);
});

test('a command is what it was when it was given, whatever becomes of the object', () => {
  const commands = new Subject<Command>();
  const { engine, wire, received, play } = rig(({ market }) =>
    merge(commands, market.trades('BTCUSDT').pipe(map(() => order))),
  );
  const order = given({ ...limit });
  engine.start();
  play([{ at: '00:01', trade: 10 }]);
  Object.assign(order, { lots: 500 });
  expect(wire.requests).toMatchObject([{ lots: 5 }]);
  expect(received('command')).toMatchObject([{ command: { lots: 5 } }]);
});

describe('run must give a stream', () => {
  /** An Observable that does what none does. */
  function odd(members: object): Observable<Command> {
    return Object.assign(new Observable<Command>(), members);
  }

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'run gave undefined'],
    ['a number', 5, 'run gave 5'],
    ['a promise', Promise.resolve(NEVER), 'run gave a promise'],
    ['something like a stream', { subscribe: () => 5 }, 'run gave { subscribe: a function }'],
    ['a stream that gives no subscription', odd({ subscribe: () => 5 }), 'gives 5'],
  ])('%s', (_, stream, message) => {
    const one = rig(() => stream as Observable<Command>);
    one.engine.start();
    expect(failure(one)).toContain(message);
    expect(one.engine.failure).toMatchObject({ code: 'strategy-failed' });
    one.engine.stop();
    expect(one.engine.state).toBe('failed');
  });

  test('what it emits after its end is ignored', () => {
    const { engine, received } = rig(() =>
      odd({
        subscribe(sink: Subject<Command>) {
          sink.complete();
          sink.complete();
          sink.error(new Error('late'));
          sink.next(target('BTCUSDT', 0.1));
          return sink;
        },
      }),
    );
    engine.start();
    expect(engine.state).toBe('completed');
    expect(received('command')).toEqual([]);
  });

  test('an error thrown at its unsubscription fails the strategy, and only once', () => {
    const ending = (): Observable<Command> =>
      new Observable(() => () => {
        throw new RangeError('at the end');
      });
    const stopped = rig(ending);
    stopped.engine.start();
    stopped.engine.stop();
    expect(failure(stopped)).toBe('at the end');
    const failed = rig(() => merge(ending(), of(given(null))));
    failed.engine.start();
    expect(failure(failed)).toContain('gave null');
    expect(failed.received('failed')).toHaveLength(1);
  });

  test('something else than RxJS may throw then', () => {
    const one = rig(() => odd({ subscribe: () => ({ unsubscribe: () => 5 }) }));
    one.engine.start();
    one.engine.stop();
    expect(one.engine.state).toBe('stopped');
  });
});

describe('a stream without an end', () => {
  const PLACE = place('BTCUSDT', { type: 'market', side: 'buy', lots: 1 });

  test('is stopped once it gave too much for one event', () => {
    let made = 0;
    const one = rig(() =>
      range(0, Number.POSITIVE_INFINITY).pipe(
        map(() => {
          made += 1;
          return PLACE;
        }),
      ),
    );
    one.engine.start();
    expect(failure(one)).toContain('gave more than 10000 commands for one event');
    expect(made).toBe(10_001);
    expect(one.wire.requests).toEqual([]);
  });

  test.each([
    ['commands', PLACE],
    ['what is none', null],
  ])('is stopped even when it never looks whether anybody listens: %s', (_, value) => {
    const one = rig(
      () =>
        new Observable((sink) => {
          for (;;) sink.next(given(value));
        }),
    );
    one.engine.start();
    expect(failure(one)).toBeDefined();
  });

  test('in many events, each of few commands, is none', () => {
    const commands = new Subject<Command>();
    const { engine, wire } = rig(() => commands);
    engine.start();
    for (let i = 0; i < 10_001; i += 1) commands.next(PLACE);
    expect(engine.state).toBe('running');
    expect(wire.requests).toHaveLength(10_001);
  });
});

describe('while event time stands still', () => {
  test('a command fails the strategy', () => {
    const commands = new Subject<Command>();
    const one = rig(() => commands);
    one.engine.start();
    one.engine.pause();
    one.engine.resume();
    commands.next(target('BTCUSDT', 0));
    expect(one.engine.state).toBe('running');
    one.engine.pause();
    commands.next(target('BTCUSDT', 0));
    expect(failure(one)).toBe(
      'Strategy tested gave a command outside event time (a promise or a timer of its own); use RxJS operators.',
    );
  });

  test('a promise of the strategy does', async () => {
    const one = rig(() => from(Promise.resolve(target('BTCUSDT', 0))));
    one.engine.start();
    one.engine.pause();
    await Promise.resolve();
    await Promise.resolve();
    expect(failure(one)).toContain('outside event time');
    expect(asapScheduler.actions).toEqual([]);
  });
});

describe('whatever is thrown has a message', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const nameless = new RangeError('x');
  Object.assign(nameless, { message: undefined, stack: undefined });
  test.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', 'text'],
    [Symbol('x'), 'Symbol(x)'],
    [{ a: 1 }, '{"a":1}'],
    [{ message: 'mine' }, 'mine'],
    [{ message: 5 }, '{"message":5}'],
    [{ toJSON: () => undefined }, 'an object'],
    [circle, 'Something was thrown that cannot be read.'],
    [nameless, 'RangeError'],
  ])('%o', (thrown, message) => {
    expect(failureOf(thrown)).toEqual({ message });
  });
});

test.each<[unknown, unknown]>([
  [5, 5],
  ['line', '5'],
])('plot(%o, %o) fails the strategy', (name, value) => {
  const one = rig(({ plot }) => {
    plot(name as string, value as number);
    return NEVER;
  });
  one.engine.start();
  expect(failure(one)).toContain('it takes the name of a line as text and a number');
});

test('what the venue refuses is in the log with its reason, an order and a cancel', () => {
  const commands = new Subject<Command>();
  const { engine, wire, received } = rig(() => commands);
  engine.start();
  commands.next(given({ ...limit, clientOrderId: 'order-one' }));
  wire.accept();
  commands.next(cancel('order-one'));
  wire.reject(wire.last, 'order-unknown');
  commands.next(given({ ...limit, clientOrderId: 'order-two' }));
  wire.reject();
  expect(received('log')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/^The cancel of order-one was refused: /) as string,
      fields: { rejection: { code: 'order-unknown' } },
    },
    {
      level: 'warn',
      message: expect.stringMatching(/^The place of order-two was refused: /) as string,
      fields: { rejection: { code: 'funds-insufficient' } },
    },
  ]);
});
