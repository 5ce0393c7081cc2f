import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { posting } from '../../src/platform/scheduler.ts';
import { TaskQueue } from '../../src/platform/task-queue.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';

const scheduler = (): VirtualScheduler => new VirtualScheduler(micros(100));

describe('virtual time', () => {
  test('stands still until it is moved, and never goes back', () => {
    const time = scheduler();
    expect(time.now()).toBe(100);
    time.advanceTo(micros(150));
    expect(time.now()).toBe(150);
    time.advanceTo(micros(120));
    expect(time.now()).toBe(150);
  });

  test('runs what is due at the very time, and not what is due a microsecond later', () => {
    const time = scheduler();
    const ran: number[] = [];
    time.at(micros(200), () => ran.push(200));
    time.at(micros(201), () => ran.push(201));
    expect(time.nextAt).toBe(200);
    time.advanceTo(micros(200));
    expect(ran).toEqual([200]);
    expect(time.nextAt).toBe(201);
  });

  test('shows a task the time it was asked for', () => {
    const time = scheduler();
    const seen: number[] = [];
    time.at(micros(300), () => seen.push(time.now()));
    time.at(micros(250), () => seen.push(time.now()));
    time.advanceTo(micros(1_000));
    expect(seen).toEqual([250, 300]);
    expect(time.now()).toBe(1_000);
  });

  test('runs equal times in the order asked, what tasks ask for at their own time last', () => {
    const time = scheduler();
    const ran: string[] = [];
    time.at(micros(200), () => {
      ran.push('a');
      time.at(micros(200), () => ran.push('c'));
      time.at(micros(0), () => ran.push('d'));
    });
    time.at(micros(200), () => ran.push('b'));
    time.advanceTo(micros(200));
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
  });

  test('waits for no canceled task', () => {
    const time = scheduler();
    const ran: string[] = [];
    const cancel = time.at(micros(200), () => ran.push('a'));
    time.at(micros(300), () => ran.push('b'));
    cancel();
    cancel();
    expect(time.nextAt).toBe(300);
    time.advanceTo(micros(400));
    expect(ran).toEqual(['b']);
    expect(time.nextAt).toBe(Number.POSITIVE_INFINITY);
  });

  test('lets a task cancel the next one of its own time', () => {
    const time = scheduler();
    const ran: string[] = [];
    time.at(micros(200), () => {
      ran.push('a');
      cancel();
    });
    const cancel = time.at(micros(200), () => ran.push('b'));
    time.advanceTo(micros(200));
    expect(ran).toEqual(['a']);
  });

  test('goes on after a task that threw', () => {
    const time = scheduler();
    const ran: string[] = [];
    time.at(micros(200), () => {
      throw new Error('a task failed');
    });
    time.at(micros(200), () => ran.push('b'));
    expect(() => {
      time.advanceTo(micros(300));
    }).toThrow('a task failed');
    time.advanceTo(micros(300));
    expect(ran).toEqual(['b']);
  });
});

describe('a posted task', () => {
  const order = (post: boolean): string[] => {
    const time = new VirtualScheduler(micros(0));
    // A scheduler that has no way to post gets one.
    const clock = posting(
      post ? time : { now: () => time.now(), at: (at, task) => time.at(at, task) },
    );
    const ran: string[] = [];
    const note = (what: string): void => {
      ran.push(`${what} at ${clock.now()}`);
      if (what === 'b') clock.post(clock.now(), note, 'last');
    };
    clock.post(micros(20), note, 'd');
    clock.post(micros(10), note, 'a');
    const cancel = clock.at(micros(10), () => note('never'));
    clock.at(micros(10), () => note('b'));
    clock.post(micros(10), note, 'c');
    cancel();
    time.advanceTo(micros(30));
    return ran;
  };

  test.each([true, false])('runs in the order of all tasks, with its argument', (post) => {
    expect(order(post)).toEqual(['a at 10', 'b at 10', 'c at 10', 'last at 10', 'd at 20']);
  });
});

describe('a queue of tasks', () => {
  test('has nothing to take when it is empty', () => {
    const queue = new TaskQueue();
    expect(() => queue.take()).toThrow(RangeError);
    queue.add(1, () => undefined)();
    expect(() => queue.take()).toThrow(RangeError);
  });
});

/** The same promises kept in the plainest way: a list that is sorted again for each task. */
class SortedList {
  #now: number;
  #turn = 0;
  #tasks: { at: number; turn: number; task: () => void }[] = [];

  constructor(start: number) {
    this.#now = start;
  }
  now(): number {
    return this.#now;
  }
  at(at: number, task: () => void): () => void {
    const entry = { at: at < this.#now ? this.#now : at, turn: this.#turn++, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }
  advanceTo(to: number): void {
    for (;;) {
      const [next] = this.#tasks
        .filter(({ at }) => at <= to)
        .sort((a, b) => a.at - b.at || a.turn - b.turn);
      if (next === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#now = next.at;
      next.task();
    }
    this.#now = Math.max(this.#now, to);
  }
}

type Step =
  | { readonly kind: 'at'; readonly at: number; readonly then: readonly Step[] }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'advance'; readonly to: number };

const time = fc.integer({ min: 0, max: 60 });
const cancel = fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(40) });
const leaf = fc.record({
  kind: fc.constant('at' as const),
  at: time,
  then: fc.constant<Step[]>([]),
});
const nested = fc.record({
  kind: fc.constant('at' as const),
  at: time,
  then: fc.array(fc.oneof(leaf, cancel), { maxLength: 3 }),
});
const advance = fc.record({ kind: fc.constant('advance' as const), to: time });
const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(nested, nested, cancel, advance), {
  maxLength: 60,
});

interface Clock {
  now(): number;
  at(at: number, task: () => void): () => void;
  advanceTo(to: number): void;
}

/** What ran, in order, each with the time it saw. */
function trace(clock: Clock, script: readonly Step[]): string[] {
  const seen: string[] = [];
  const cancels: (() => void)[] = [];
  const play = (step: Step): void => {
    if (step.kind === 'advance') {
      clock.advanceTo(step.to);
      seen.push(`now ${clock.now()}`);
    } else if (step.kind === 'cancel') {
      cancels.at(step.which % Math.max(1, cancels.length))?.();
    } else {
      const name = cancels.length;
      const task = (): void => {
        seen.push(`${name} at ${clock.now()}`);
        step.then.forEach(play);
      };
      cancels.push(clock.at(step.at, task));
    }
  };
  script.forEach(play);
  clock.advanceTo(100);
  return seen;
}

test('any script of asking, canceling and moving runs as a sorted list runs it', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const virtual = new VirtualScheduler(micros(10));
      const clock: Clock = {
        now: () => virtual.now(),
        at: (at, task) => virtual.at(micros(at), task),
        advanceTo: (to) => {
          virtual.advanceTo(micros(to));
        },
      };
      expect(trace(clock, script)).toEqual(trace(new SortedList(10), script));
    }),
    { numRuns: 500 },
  );
});

describe('tasks that lead to each other while no time passes', () => {
  const forever = (clock: VirtualScheduler, times: number): void => {
    let left = times;
    const again = (): void => {
      left -= 1;
      if (left > 0) clock.at(clock.now(), again);
    };
    clock.at(clock.now(), again);
  };

  test('are reported, and again when they go on', () => {
    let reported = 0;
    const clock = new VirtualScheduler(micros(0), () => (reported += 1));
    forever(clock, 400_000);
    clock.advanceTo(micros(0));
    expect(reported).toBe(2);
  });

  test('throw without a listener', () => {
    const clock = new VirtualScheduler(micros(0));
    forever(clock, 200_001);
    expect(() => clock.advanceTo(micros(5))).toThrow('they lead to each other');
  });

  test('are none when each has its own time', () => {
    const clock = new VirtualScheduler(micros(0));
    for (let at = 0; at < 200_001; at += 1) {
      clock.at(micros(at >> 1), () => undefined);
    }
    clock.advanceTo(micros(200_001));
    expect(clock.now()).toBe(200_001);
  });
});
