import { afterEach, describe, expect, test, vi } from 'vitest';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { micros, US_PER_DAY, US_PER_MS } from '../../src/platform/time.ts';

const time = new SystemScheduler();
const inMs = (ms: number): ReturnType<typeof micros> => micros(time.now() + ms * US_PER_MS);
const until = async (ms: number): Promise<void> => {
  await new Promise<void>((resolve) => time.at(inMs(ms), resolve));
};

afterEach(() => {
  vi.useRealTimers();
});

describe('the real clock', () => {
  test('shows the time of day in whole microseconds', () => {
    const before = Date.now();
    const now = time.now();
    expect(Number.isSafeInteger(now)).toBe(true);
    // The clock is steady while the time of day may be adjusted, by less than a second.
    expect(Math.abs(now / US_PER_MS - before)).toBeLessThan(1_000);
  });

  test('never goes back', () => {
    let last = time.now();
    for (let i = 0; i < 10_000; i += 1) {
      const now = time.now();
      expect(now >= last).toBe(true);
      last = now;
    }
  });
});

describe('a real timer', () => {
  test('runs at its time and not before', async () => {
    for (let i = 0; i < 20; i += 1) {
      const at = micros(time.now() + 1_000 + i * 137);
      const ranAt = await new Promise<number>((resolve) =>
        time.at(at, () => {
          resolve(time.now());
        }),
      );
      expect(ranAt).toBeGreaterThanOrEqual(at);
    }
  });

  test('runs tasks in order of their time, equal times in the order asked', async () => {
    const ran: string[] = [];
    const at = inMs(20);
    time.at(micros(at + 1), () => ran.push('c'));
    time.at(at, () => ran.push('a'));
    await until(1.5);
    time.at(at, () => ran.push('b'));
    await until(40);
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  test('runs what is long due as soon as possible, but not at once', async () => {
    const ran: string[] = [];
    const done = new Promise<void>((resolve) => {
      time.at(micros(0), () => {
        ran.push('task');
        resolve();
      });
    });
    ran.push('caller');
    await done;
    expect(ran).toEqual(['caller', 'task']);
  });

  test('that is canceled never runs, and those behind it do', async () => {
    const ran: string[] = [];
    const cancel = time.at(inMs(5), () => ran.push('canceled'));
    time.at(inMs(10), () => ran.push('kept'));
    cancel();
    cancel();
    await until(20);
    expect(ran).toEqual(['kept']);
  });

  test('of a task that throws takes no other with it', () => {
    vi.useFakeTimers();
    const fake = new SystemScheduler();
    const ran: string[] = [];
    fake.at(micros(fake.now() + 5_000), () => {
      throw new Error('a task failed');
    });
    fake.at(micros(fake.now() + 5_000), () => ran.push('second'));
    expect(() => vi.advanceTimersByTime(5)).toThrow('a task failed');
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['second']);
  });

  test('keeps the process alive only while something is to run', () => {
    vi.useFakeTimers();
    const fake = new SystemScheduler();
    const cancel = fake.at(micros(fake.now() + 5_000), () => undefined);
    fake.at(micros(fake.now() + 9_000), () => undefined);
    expect(vi.getTimerCount()).toBe(1);
    cancel();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(9);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('may be months away', () => {
    vi.useFakeTimers();
    const fake = new SystemScheduler();
    const ran: string[] = [];
    fake.at(micros(fake.now() + 60 * US_PER_DAY), () => ran.push('late'));
    vi.advanceTimersByTime(60 * 86_400_000 - 1);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['late']);
  });
});
