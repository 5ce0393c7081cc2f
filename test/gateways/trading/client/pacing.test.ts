import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../../../src/model/errors.ts';
import { CallLimiter } from '../../../../src/gateways/http/call-limiter.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';

const SECOND = 1_000_000;
const LIMITS = { wide: { rate: 3, burst: 1 }, narrow: { rate: 1, burst: 1 } } as const;
type Limit = keyof typeof LIMITS;

/** A call, and what the network does to it. */
interface Plan {
  readonly atUs: number;
  readonly limits: readonly Limit[];
  /** From sending to arrival, and from arrival to the answer. */
  readonly thereUs: number;
  readonly backUs: number;
}

const delay = fc.integer({ min: 0, max: 2 * SECOND });

const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    atUs: fc.integer({ min: 0, max: 3 * SECOND }),
    limits: fc.constantFrom<readonly Limit[]>(['wide'], ['narrow'], ['wide', 'narrow']),
    thereUs: delay,
    backUs: delay,
  }),
  { minLength: 1, maxLength: 30 },
);

interface Arrival {
  readonly call: number;
  readonly sentUs: number;
  readonly atUs: number;
}

/** Plays calls through a pacing; gives when each was sent and arrived. */
async function play(calls: readonly Plan[]): Promise<readonly Arrival[]> {
  const scheduler = new VirtualScheduler(micros(0));
  const pacing = new CallLimiter<Limit>(LIMITS, scheduler);
  const arrivals: Arrival[] = [];
  let left = calls.length;
  calls.forEach((plan, call) => {
    scheduler.at(micros(plan.atUs), () => {
      void pacing.acquire(plan.limits, 'call').then((giveBack) => {
        const sentUs = scheduler.now();
        arrivals.push({ call, sentUs, atUs: sentUs + plan.thereUs });
        scheduler.at(micros(sentUs + plan.thereUs + plan.backUs), () => {
          giveBack();
          left -= 1;
        });
      });
    });
  });
  while (left > 0) {
    expect(scheduler.nextAt, 'somebody waits for ever').toBeLessThan(Number.POSITIVE_INFINITY);
    scheduler.advanceTo(micros(scheduler.nextAt));
    // Promises that are settled run their course before time goes on.
    for (let i = 0; i < 4; i += 1) await Promise.resolve();
  }
  return arrivals;
}

/** What a service that counts by itself would refuse. */
function excess(calls: readonly Plan[], arrivals: readonly Arrival[]): readonly string[] {
  return (Object.keys(LIMITS) as Limit[]).flatMap((limit) => {
    const { rate, burst } = LIMITS[limit];
    const times = arrivals
      .filter(({ call }) => calls[call]?.limits.includes(limit))
      .map(({ atUs }) => atUs);
    return times
      .filter((at) => times.filter((one) => one > at - SECOND && one <= at).length > rate + burst)
      .map((at) => `${limit} at ${at}`);
  });
}

describe('calls that wait for their turn', () => {
  test('never arrive faster than the limits allow, whatever the network does to them', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (calls) => {
        expect(excess(calls, await play(calls))).toEqual([]);
      }),
      { numRuns: 150, seed: 41 },
    );
  });

  test('leave in the order in which they came, those of the same limits', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (given) => {
        const calls = given.map((plan, i) => ({ ...plan, atUs: i }));
        const arrivals = await play(calls);
        for (const limits of ['wide', 'narrow'] as const) {
          const order = arrivals
            .filter(({ call }) => calls[call]?.limits.includes(limits))
            .map(({ call }) => call);
          expect(order).toEqual([...order].sort((one, other) => one - other));
        }
      }),
      { numRuns: 100, seed: 42 },
    );
  });

  test('leave at once while there is room, and a second after an answer where there was none', async () => {
    const plan = { limits: ['narrow'], thereUs: 10, backUs: 10 } as const;
    const arrivals = await play([0, 1, 2].map((atUs) => ({ ...plan, atUs })));
    expect(arrivals.map(({ sentUs }) => sentUs)).toEqual([0, 1, 20 + SECOND]);
  });

  test('end with an error when nothing leaves any more', async () => {
    const pacing = new CallLimiter<Limit>(LIMITS, new VirtualScheduler(micros(0)));
    await pacing.acquire(['narrow'], 'one');
    await pacing.acquire(['narrow'], 'two');
    const third = pacing.acquire(['narrow'], 'three');
    expect(pacing.waiting).toBe(1);
    pacing.close(new MillraceError('unreachable', 'It is over.'));
    await expect(third).rejects.toThrow('It is over.');
    await expect(pacing.acquire([], 'four')).rejects.toThrow('It is over.');
  });
});
