import {
  asapScheduler,
  asyncScheduler,
  auditTime,
  bufferTime,
  concat,
  debounceTime,
  delay,
  interval,
  map,
  merge,
  NEVER,
  observeOn,
  of,
  queueScheduler,
  Subject,
  take,
  throttleTime,
  timeout,
  timer,
  timestamp,
  withLatestFrom,
  type Observable,
} from 'rxjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeRxjsTime } from '../../src/engine/event-time.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { place } from '../../src/strategy/orders.ts';
import { eventColumns, LAST, TRADE } from '../../src/model/events.ts';
import { rig } from './rig.ts';

const START_MS = 1_700_000_000_000;
let clock: VirtualScheduler;
let handBack: () => void;

beforeEach(() => {
  // Not on a whole millisecond, as feeds are.
  clock = new VirtualScheduler(micros(START_MS * 1_000 + 123));
  handBack = takeRxjsTime(clock);
});

afterEach(() => handBack());

const advance = (ms: number): void => clock.advanceTo(micros(clock.now() + ms * 1_000));

/** What a stream gave, with the milliseconds since the start. */
function listen<T>(stream: Observable<T>): (readonly [ms: number, value: T | string])[] {
  const received: (readonly [number, T | string])[] = [];
  const now = (): number => (clock.now() - START_MS * 1_000 - 123) / 1_000;
  stream.subscribe({
    next: (value) => received.push([now(), value]),
    error: (error: Error) => received.push([now(), error.name]),
  });
  return received;
}

describe('operators of time without a scheduler', () => {
  test('timer and interval', () => {
    const once = listen(timer(20));
    const often = listen(interval(10).pipe(take(3)));
    advance(19);
    expect(once).toEqual([]);
    advance(81);
    expect(once).toEqual([[20, 0]]);
    expect(often).toEqual([
      [10, 0],
      [20, 1],
      [30, 2],
    ]);
  });

  test('an interval of nothing passes a millisecond each time, as on Node', () => {
    const received = listen(interval(0).pipe(take(2)));
    advance(5);
    expect(received).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test('debounceTime between times that are not whole milliseconds', () => {
    const source = new Subject<string>();
    const received = listen(source.pipe(debounceTime(20)));
    source.next('a');
    advance(10.4);
    source.next('b');
    advance(100);
    expect(received.map(([, value]) => value)).toEqual(['b']);
    expect(received[0][0]).toBeGreaterThanOrEqual(30);
    expect(received[0][0]).toBeLessThan(31.5);
  });

  test('auditTime, throttleTime, bufferTime and delay', () => {
    const source = new Subject<number>();
    const audited = listen(source.pipe(auditTime(10)));
    const throttled = listen(source.pipe(throttleTime(10)));
    const buffered = listen(source.pipe(bufferTime(25), take(1)));
    const delayed = listen(source.pipe(delay(5)));
    source.next(1);
    advance(4);
    source.next(2);
    advance(50);
    expect(audited).toEqual([[10, 2]]);
    expect(throttled).toEqual([[0, 1]]);
    expect(buffered).toEqual([[25, [1, 2]]]);
    expect(delayed).toEqual([
      [5, 1],
      [9, 2],
    ]);
  });

  test('timeout, and an unsubscribed timer', () => {
    const received = listen(concat(of(1), NEVER).pipe(timeout(30)));
    const subscription = timer(10).subscribe(() => expect.unreachable());
    subscription.unsubscribe();
    advance(40);
    expect(received).toEqual([
      [0, 1],
      [30, 'TimeoutError'],
    ]);
  });

  test('timestamps and the schedulers by name', () => {
    const stamped = listen(
      of('x').pipe(
        timestamp(),
        map((one) => one.timestamp),
      ),
    );
    expect(stamped).toEqual([[0, START_MS]]);
    expect(asyncScheduler.now()).toBe(START_MS);
    const soon = listen(of('asap').pipe(observeOn(asapScheduler)));
    const queued = listen(of('queue').pipe(observeOn(queueScheduler)));
    const async = listen(of('async').pipe(observeOn(asyncScheduler)));
    expect([soon, queued, async]).toEqual([[], [[0, 'queue']], []]);
    clock.advanceTo(clock.now());
    expect([soon, async]).toEqual([[[0, 'asap']], []]);
    advance(1);
    expect(async).toEqual([[1, 'async']]);
  });

  test('asap work that was unsubscribed does not run', () => {
    const subscription = asapScheduler.schedule(() => expect.unreachable());
    subscription.unsubscribe();
    advance(1);
  });
});

describe('the clock of the thread', () => {
  test('a second run cannot take it', () => {
    expect(() => takeRxjsTime(clock)).toThrow(/the clock of another run/);
  });

  test('it is handed back once, and may be taken again', () => {
    handBack();
    const back = takeRxjsTime(clock);
    handBack();
    expect(() => takeRxjsTime(clock)).toThrow(/the clock of another run/);
    back();
  });

  test('after it RxJS runs on real time again, and timers of the run are gone', async () => {
    timer(10).subscribe(() => expect.unreachable());
    handBack();
    advance(100);
    const before = new SystemScheduler().now();
    await new Promise<void>((resolve) => {
      timer(5).subscribe(() => resolve());
    });
    expect(new SystemScheduler().now() - before).toBeGreaterThan(3_000);
    expect(Math.abs(asyncScheduler.now() * 1_000 - new SystemScheduler().now())).toBeLessThan(1e6);
  });

  test('asap work that is left over runs at the end, so that the next run has an asap again', () => {
    const left = listen(of('left').pipe(observeOn(asapScheduler)));
    handBack();
    expect(left.map(([, value]) => value)).toEqual(['left']);
    handBack = takeRxjsTime(clock);
    const next = listen(of('next').pipe(observeOn(asapScheduler)));
    advance(1);
    expect(next.map(([, value]) => value)).toEqual(['next']);
  });

  test('errors without a listener go to the run, and without a run out of the scheduler', () => {
    const thrown = new Error('lost');
    of(1).subscribe(() => {
      throw thrown;
    });
    expect(() => advance(1)).toThrow(thrown);
    handBack();
    const received: unknown[] = [];
    handBack = takeRxjsTime(clock, (error) => received.push(error));
    of(1).subscribe(() => {
      throw thrown;
    });
    advance(1);
    expect(received).toEqual([thrown]);
  });
});

/** Commands, with their times, of a strategy that lives by time, on one trade every 700 ms. */
async function commandsAt(batch: number, pauseMs: number): Promise<readonly unknown[]> {
  const {
    engine,
    clock: time,
    received,
  } = rig(({ market, account }) =>
    merge(
      market.trades('BTCUSDT').pipe(debounceTime(600)),
      market.trades('BTCUSDT').pipe(auditTime(1_500)),
      timer(1_000, 900).pipe(
        withLatestFrom(market.trades('BTCUSDT')),
        map(([, trade]) => trade),
      ),
    ).pipe(
      withLatestFrom(account.position('BTCUSDT')),
      map(([{ ticks, at }]) =>
        place('BTCUSDT', { type: 'limit', side: 'buy', ticks, lots: 1 + (at % 7) }),
      ),
    ),
  );
  const back = takeRxjsTime(time);
  const columns = eventColumns(batch);
  try {
    engine.start();
    for (let first = 0; first < 60; first += batch) {
      for (let row = 0; row < batch; row += 1) {
        const index = first + row;
        columns.kind[row] = TRADE;
        columns.flags[row] = LAST;
        columns.receivedAt[row] = index * 700_000 + (index % 13) * 1_001;
        columns.price[row] = 100 + (index % 11);
        columns.size[row] = 1;
      }
      for (let row = 0; row < batch; row += 1) {
        time.advanceTo(micros(columns.receivedAt[row]));
        engine.market(0, columns, row);
      }
      if (pauseMs > 0) await realPause(pauseMs);
    }
    engine.stop();
  } finally {
    back();
  }
  return received('request').map(({ at, request }) => [at, request]);
}

const realPause = async (ms: number): Promise<void> => {
  const real = new SystemScheduler();
  await new Promise<void>((resolve) => real.at(micros(real.now() + ms * 1_000), resolve));
};

test('a strategy with debounceTime and timer commands the same whatever the speed of the replay', async () => {
  handBack();
  const whole = await commandsAt(60, 0);
  expect(whole.length).toBeGreaterThan(60);
  expect(await commandsAt(1, 0)).toEqual(whole);
  expect(await commandsAt(5, 8)).toEqual(whole);
  expect(await commandsAt(20, 30)).toEqual(whole);
});

describe('a delay that is no finite number', () => {
  const without = undefined as unknown as number;
  const times: readonly [string, () => Observable<unknown>][] = [
    ['timer', () => timer(Number.NaN)],
    ['timer without an end', () => timer(Number.POSITIVE_INFINITY)],
    ['interval', () => interval(Number.NaN)],
    ['interval after the first', () => timer(5, Number.NaN)],
    ['delay', () => of(1).pipe(delay(without * 5))],
    ['debounceTime', () => merge(of(1), NEVER).pipe(debounceTime(Number.NaN))],
    ['auditTime', () => merge(of(1), NEVER).pipe(auditTime(Number.NaN))],
    ['throttleTime', () => merge(of(1), NEVER).pipe(throttleTime(Number.NaN))],
    ['bufferTime', () => NEVER.pipe(bufferTime(Number.NaN))],
    ['timeout', () => NEVER.pipe(timeout(Number.NaN))],
  ];
  test.each(times)('of %s is refused, and time goes on', (name, make) => {
    const errors: unknown[] = [];
    const others = listen(interval(10));
    make().subscribe({ error: (error: unknown) => errors.push(error) });
    advance(100);
    // An interval of NaN after the first is as none: it never comes again.
    if (name === 'interval after the first') expect(errors).toEqual([]);
    else expect(errors).toMatchObject([{ code: 'delay-invalid' }]);
    expect(others).toHaveLength(10);
  });

  test('is rejected by the clocks themselves', () => {
    const nan = micros(Number.NaN);
    expect(() => clock.at(nan, () => undefined)).toThrow(RangeError);
    expect(() => new SystemScheduler().at(nan, () => undefined)).toThrow(RangeError);
    const before = listen(timer(5));
    advance(10);
    expect(before).toHaveLength(1);
  });
});

describe('a strategy', () => {
  test('with a timer of NaN fails, and its orders are canceled', () => {
    const order = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 5, lots: 1 });
    const { engine, wire, play } = rig(({ market }) =>
      merge(
        of(order),
        market.trades('BTCUSDT').pipe(
          debounceTime(Number.NaN),
          map(() => order),
        ),
      ),
    );
    engine.start();
    play([{ at: '00:01', trade: 10 }]);
    expect(engine.failure).toMatchObject({ code: 'delay-invalid' });
    expect(wire.last).toMatchObject({ kind: 'cancel' });
  });

  test('with a period that there is none fails by its name, and takes those of other tools', () => {
    const candles = (period: string) =>
      rig(({ market }) =>
        market
          .candles('BTCUSDT', period as '5m')
          .pipe(map(() => place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 5, lots: 1 }))),
      );
    const unknown = candles('5min');
    unknown.engine.start();
    expect(unknown.engine.failure).toMatchObject({ code: 'period-unknown' });
    const known = candles('5m');
    known.engine.start();
    known.play([
      { at: '00:01', trade: 10 },
      { at: '00:07', trade: 10 },
    ]);
    expect(known.wire.requests).toHaveLength(1);
    expect(known.engine.candleCounts).toMatchObject([{ period: 'M5', emitted: 1 }]);
  });
});
