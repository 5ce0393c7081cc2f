import { expect, test } from 'vitest';
import { LazyRoute } from '../../../src/bot/rebalancing/lazy-route.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { TransferRoute, TransferRecord } from '../../../src/swaps/execution/transfer-route.ts';

const transfer = {} as TransferRecord;
const holdings = [
  { asset: 'USDC', location: 'here' },
  { asset: 'USDC', location: 'there' },
] as const;

/** A route that is there, and does nothing but to be asked. */
const ready = {
  pairs: () => [holdings],
  next: () => ({ name: 'pay', data: {}, pays: true }),
  observe: async () => Promise.resolve({ state: 'deposited' }),
} as unknown as TransferRoute;

const late = (open: () => Promise<TransferRoute>, scheduler = new VirtualScheduler(micros(0))) =>
  new LazyRoute({ name: 'slow', kind: 'account', scheduler, open });

test('a route whose service is down transfers nothing, and is there when it is asked again', async () => {
  let isDown = true;
  const route = late(async () =>
    isDown
      ? Promise.reject(new MillraceError('unreachable', 'It is down'))
      : Promise.resolve(ready),
  );
  expect(await route.reach()).toEqual({ name: 'slow', why: 'It is down.' });
  expect(route.pairs()).toEqual([]);
  // A transfer under way waits: there is no step of it before the service is there.
  expect(route.next(transfer, micros(0))).toBeUndefined();
  await expect(route.observe(transfer)).rejects.toThrow('It is down');
  isDown = false;
  expect(await route.observe(transfer)).toBeUndefined();
  expect(route.next(transfer, micros(0))).toMatchObject({ name: 'pay' });
  expect(await route.observe(transfer)).toEqual({ state: 'deposited' });
  expect(route.pairs()).toEqual([holdings]);
});

test('a service that never answers is waited for 10 seconds, and asked once meanwhile', async () => {
  const scheduler = new VirtualScheduler(micros(0));
  let asked = 0;
  const route = late(async () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  }, scheduler);
  const both = Promise.all([route.reach(), route.reach()]);
  scheduler.advanceTo(micros(10 * US_PER_SECOND));
  const why = 'The service of slow did not answer within 10 s.';
  expect(await both).toEqual([{ name: 'slow', why }, { name: 'slow', why }]); // prettier-ignore
  expect(asked).toBe(1);
});

test('a wrong setting is not left out but told', async () => {
  const wrong = new MillraceError('config-invalid', 'A setting is wrong.');
  await expect(late(async () => Promise.reject(wrong)).reach()).rejects.toBe(wrong);
});

test('a route that comes late sees all transfers under way before it is asked what became of one', async () => {
  const seen: string[] = [];
  let isDown = true;
  const route = late(async () => {
    if (isDown) throw new MillraceError('unreachable', 'It is down');
    const next = ({ id }: TransferRecord): undefined => void seen.push(`next ${id}`);
    const recall = async ({ id }: TransferRecord) =>
      Promise.resolve(void seen.push(`recall ${id}`));
    return { ...ready, next, recall } as unknown as TransferRoute;
  });
  const [one, two] = ['1', '2'].map((id) => ({ ...transfer, id }));
  if (one === undefined || two === undefined) throw new Error('there are no transfers');
  const step = { name: 'createOrder', data: {}, pays: false };
  route.next(one, micros(0));
  await expect(route.recall(two, step)).rejects.toThrow('It is down');
  isDown = false;
  await route.recall(two, step);
  expect(seen).toEqual(['next 1', 'next 2', 'recall 2']);
});
