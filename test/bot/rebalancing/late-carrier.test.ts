import { expect, test } from 'vitest';
import { LateCarrier } from '../../../src/bot/rebalancing/late-carrier.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { Carrier, MoveRecord } from '../../../src/swaps/execution/carrier.ts';

const move = {} as MoveRecord;
const slots = [
  { asset: 'USDC', place: 'here' },
  { asset: 'USDC', place: 'there' },
] as const;

/** A carrier that is there, and does nothing but to be asked. */
const ready = {
  pairs: () => [slots],
  next: () => ({ name: 'pay', data: {}, pays: true }),
  observe: async () => Promise.resolve({ state: 'deposited' }),
} as unknown as Carrier;

const late = (open: () => Promise<Carrier>, scheduler = new VirtualScheduler(micros(0))) =>
  new LateCarrier({ name: 'slow', kind: 'account', scheduler, open });

test('a carrier whose service is down carries nothing, and is there when it is asked again', async () => {
  let isDown = true;
  const carrier = late(async () =>
    isDown
      ? Promise.reject(new MillraceError('unreachable', 'It is down'))
      : Promise.resolve(ready),
  );
  expect(await carrier.reach()).toEqual({ name: 'slow', why: 'It is down.' });
  expect(carrier.pairs()).toEqual([]);
  // A move under way waits: there is no step of it before the service is there.
  expect(carrier.next(move, micros(0))).toBeUndefined();
  await expect(carrier.observe(move)).rejects.toThrow('It is down');
  isDown = false;
  expect(await carrier.observe(move)).toBeUndefined();
  expect(carrier.next(move, micros(0))).toMatchObject({ name: 'pay' });
  expect(await carrier.observe(move)).toEqual({ state: 'deposited' });
  expect(carrier.pairs()).toEqual([slots]);
});

test('a service that never answers is waited for 10 seconds, and asked once meanwhile', async () => {
  const scheduler = new VirtualScheduler(micros(0));
  let asked = 0;
  const carrier = late(async () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  }, scheduler);
  const both = Promise.all([carrier.reach(), carrier.reach()]);
  scheduler.advanceTo(micros(10 * US_PER_SECOND));
  const why = 'The service of slow did not answer within 10 s.';
  expect(await both).toEqual([{ name: 'slow', why }, { name: 'slow', why }]); // prettier-ignore
  expect(asked).toBe(1);
});

test('a wrong setting is not left out but told', async () => {
  const wrong = new MillraceError('config-invalid', 'A setting is wrong.');
  await expect(late(async () => Promise.reject(wrong)).reach()).rejects.toBe(wrong);
});

test('a carrier that comes late sees all moves under way before it is asked what became of one', async () => {
  const seen: string[] = [];
  let isDown = true;
  const carrier = late(async () => {
    if (isDown) throw new MillraceError('unreachable', 'It is down');
    const next = ({ id }: MoveRecord): undefined => void seen.push(`next ${id}`);
    const recall = async ({ id }: MoveRecord) => Promise.resolve(void seen.push(`recall ${id}`));
    return { ...ready, next, recall } as unknown as Carrier;
  });
  const [one, two] = ['1', '2'].map((id) => ({ ...move, id }));
  if (one === undefined || two === undefined) throw new Error('there are no moves');
  const step = { name: 'createOrder', data: {}, pays: false };
  carrier.next(one, micros(0));
  await expect(carrier.recall(two, step)).rejects.toThrow('It is down');
  isDown = false;
  await carrier.recall(two, step);
  expect(seen).toEqual(['next 1', 'next 2', 'recall 2']);
});
