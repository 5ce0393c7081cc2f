import { expect, test } from 'vitest';
import { Watchdog } from '../../../../src/gateways/trading/socket/watchdog.ts';
import type { Scheduler } from '../../../../src/platform/scheduler.ts';
import { micros } from '../../../../src/platform/time.ts';

/** A clock whose timers fire when the test says so, however late that is. */
function lateClock() {
  let now = 0;
  let due: { at: number; task: () => void } | undefined;
  const scheduler: Scheduler = {
    now: () => micros(now),
    at: (at, task) => {
      const one = { at, task };
      due = one;
      return () => {
        if (due === one) due = undefined;
      };
    },
  };
  const fireAt = (at: number): void => {
    now = at;
    const one = due;
    due = undefined;
    one?.task();
  };
  return { scheduler, fireAt, dueAt: () => due?.at };
}

const watch = () => {
  const clock = lateClock();
  const done: string[] = [];
  const dog = new Watchdog({
    scheduler: clock.scheduler,
    pingAfterUs: 5_000_000,
    pongWithinUs: 3_000_000,
    ping: () => done.push('ping'),
    dead: () => done.push('dead'),
  });
  return { ...clock, done, dog };
};

test('a socket with traffic is left alone', () => {
  const { dog, done, fireAt, dueAt } = watch();
  dog.received(micros(4_000_000));
  fireAt(5_000_000);
  expect([done, dueAt()]).toEqual([[], 9_000_000]);
});

test('one that is not is pinged, and dead without an answer', () => {
  const { done, fireAt, dueAt } = watch();
  fireAt(5_000_000);
  expect([done, dueAt()]).toEqual([['ping'], 8_000_000]);
  fireAt(8_000_000);
  expect([done, dueAt()]).toEqual([['ping', 'dead'], undefined]);
});

test('an answer begins it again', () => {
  const { dog, done, fireAt, dueAt } = watch();
  fireAt(5_000_000);
  dog.received(micros(5_000_000));
  fireAt(8_000_000);
  expect([done, dueAt()]).toEqual([['ping'], 10_000_000]);
  fireAt(10_000_000);
  expect(done).toEqual(['ping', 'ping']);
});

test('a process that stood still has not read what came, and asks again', () => {
  const { done, fireAt, dueAt } = watch();
  fireAt(5_000_000);
  fireAt(68_000_000);
  expect([done, dueAt()]).toEqual([['ping', 'ping'], 71_000_000]);
  fireAt(71_000_000);
  expect(done).toEqual(['ping', 'ping', 'dead']);
});

test('one that is stopped does nothing more', () => {
  const { dog, dueAt } = watch();
  dog.stop();
  expect(dueAt()).toBe(undefined);
});
