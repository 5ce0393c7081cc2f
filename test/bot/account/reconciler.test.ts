import { describe, expect, test } from 'vitest';
import { Reconciler, type Outcome } from '../../../src/bot/account/reconciler.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { settle } from '../rig.ts';

function kit(everyUs: number) {
  const scheduler = new VirtualScheduler(micros(0));
  const comparedAt: number[] = [];
  const state: { everyUs: number; outcome: Outcome; fails: boolean } = {
    everyUs,
    outcome: { isUnsure: false },
    fails: false,
  };
  const reconciler = new Reconciler({
    scheduler,
    everyUs: () => state.everyUs,
    reconcile: () => {
      comparedAt.push(scheduler.now() / 1_000_000);
      return state.fails ? Promise.reject(new Error('No.')) : Promise.resolve(state.outcome);
    },
    failed: () => undefined,
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let tick = 0; tick < seconds * 10; tick += 1) {
      scheduler.advanceTo(micros(scheduler.now() + 100_000));
      await settle();
    }
  };
  return { scheduler, comparedAt, state, reconciler, pass };
}

test('compares on its timer, which follows the configuration, until it is closed', async () => {
  const { comparedAt, state, reconciler, pass } = kit(10_000_000);
  await reconciler.now();
  await pass(10);
  expect(comparedAt).toEqual([0, 10]);
  state.everyUs = 3_000_000;
  await pass(16);
  expect(comparedAt).toEqual([0, 10, 20, 23, 26]);
  await reconciler.close();
  await pass(10);
  expect(comparedAt).toHaveLength(5);
});

describe('while the outcome of a request is not known', () => {
  test('the first comparison comes within a second, and the next ones more and more rarely', async () => {
    const { comparedAt, state, reconciler, pass } = kit(60_000_000);
    await reconciler.now();
    await pass(5);
    state.outcome = { isUnsure: true };
    reconciler.soon();
    await pass(130);
    expect(comparedAt).toEqual([0, 5.5, 7.5, 11.5, 19.5, 35.5, 65.5, 95.5, 125.5]);
    state.outcome = { isUnsure: false };
    await pass(90);
    expect(comparedAt.slice(9)).toEqual([155.5, 215.5]);
  });

  test('another request without an outcome is looked for at once, and no two comparisons come within a second', async () => {
    const { comparedAt, state, reconciler, pass } = kit(60_000_000);
    state.outcome = { isUnsure: true };
    for (let count = 0; count < 50; count += 1) {
      reconciler.soon();
      await pass(0.1);
    }
    expect(comparedAt).toEqual([0.5, 1.5, 2.5, 3.5, 4.5]);
  });

  test('a comparison comes when an order counts as lost, however rare they have become', async () => {
    const { comparedAt, state, reconciler, pass } = kit(60_000_000);
    state.outcome = { isUnsure: true, decidesAt: micros(45_000_000) };
    reconciler.soon();
    await pass(50);
    expect(comparedAt).toEqual([0.5, 2.5, 6.5, 14.5, 30.5, 45]);
  });

  test('comparisons that fail come more and more rarely too', async () => {
    const { comparedAt, state, reconciler, pass } = kit(60_000_000);
    state.fails = true;
    reconciler.soon();
    await pass(32);
    expect(comparedAt).toEqual([0.5, 2.5, 6.5, 14.5, 30.5]);
  });

  test('a configured interval that is shorter holds', async () => {
    const { comparedAt, state, reconciler, pass } = kit(3_000_000);
    state.outcome = { isUnsure: true };
    reconciler.soon();
    await pass(12);
    expect(comparedAt).toEqual([0.5, 2.5, 5.5, 8.5, 11.5]);
  });
});
