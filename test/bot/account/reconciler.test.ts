import { expect, test } from 'vitest';
import { Reconciler } from '../../../src/bot/account/reconciler.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { settle } from '../rig.ts';

test('compares on its timer, which follows the configuration, and sooner while something is unsure', async () => {
  const scheduler = new VirtualScheduler(micros(0));
  const comparedAt: number[] = [];
  let everyUs = 10_000_000;
  let isUnsure = false;
  const reconciler = new Reconciler({
    scheduler,
    everyUs: () => everyUs,
    reconcile: () => {
      comparedAt.push(scheduler.now() / 1_000_000);
      return Promise.resolve(isUnsure);
    },
    failed: () => undefined,
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let tick = 0; tick < seconds * 10; tick += 1) {
      scheduler.advanceTo(micros(scheduler.now() + 100_000));
      await settle();
    }
  };
  await reconciler.now();
  await pass(10);
  expect(comparedAt).toEqual([0, 10]);
  everyUs = 3_000_000;
  await pass(16);
  expect(comparedAt).toEqual([0, 10, 20, 23, 26]);
  isUnsure = true;
  await pass(4);
  expect(comparedAt.slice(5)).toEqual([29, 29.5, 30]);
  await reconciler.close();
  await pass(10);
  expect(comparedAt).toHaveLength(8);
});
