import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { US_PER_MINUTE } from '../../../src/platform/time.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { venueSettings } from '../../bot/venue-settings.ts';
import { clockAt, folder, KeptVenue, leftBehind } from './folder.ts';

const settings = (more: Partial<SimulationSettings> = {}): SimulationSettings =>
  venueSettings(['alice'], { rateLimits: false, ...more });

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.01', price: '50000' } as const;

/** A venue with some orders, killed; gives what it leaves behind. */
async function killed(count = 3): Promise<string> {
  const data = folder();
  const venue = await KeptVenue.open(settings(), data);
  for (let number = 0; number < count; number += 1) await place(venue, `order-${number}-one`);
  return leftBehind(data);
}

const place = async (venue: KeptVenue, id: string): Promise<void> => {
  const form = { ...ORDER, client_order_id: id };
  expect(await venue.call('POST', '/api/3/spot/order', { as: 'alice', form })).toMatchObject({
    status: 200,
  });
};

const orders = async (venue: KeptVenue): Promise<readonly string[]> => {
  const { body } = await venue.call('GET', '/api/3/spot/order', { as: 'alice' });
  return (body as readonly { readonly client_order_id: string }[]).map(
    (order) => order.client_order_id,
  );
};

const logOf = (data: string): string => join(data, 'inputs.log');

const IDS = ['order-0-one', 'order-1-one', 'order-2-one'] as const;

describe.skipIf(process.platform === 'win32')('the lock of a folder', () => {
  test('is a file of its owner alone, and never one that a link leads to', async () => {
    const data = folder();
    await KeptVenue.open(settings(), data);
    expect(statSync(join(data, 'lock')).mode & 0o777).toBe(0o600);
    const other = folder();
    symlinkSync(join(other, 'victim'), join(other, 'lock'));
    await expect(KeptVenue.open(settings(), other)).rejects.toThrow('cannot be used');
    expect(existsSync(join(other, 'victim'))).toBe(false);
  });
});

describe('a log', () => {
  test('that is gone from a folder which was used is missed, and none is begun', async () => {
    const data = await killed();
    rmSync(logOf(data));
    await expect(KeptVenue.open(settings(), data)).rejects.toMatchObject({
      code: 'venue-data-invalid',
      message: expect.stringContaining('has no log "inputs.log" any more') as string,
    });
    expect(existsSync(logOf(data))).toBe(false);
  });

  test('holds an order before its answer leaves', async () => {
    const venue = await KeptVenue.open(settings(), await killed());
    expect((await orders(venue)).toSorted()).toEqual(IDS);
  });

  test('loses the beginning of a record that a kill has cut off, and says how much', async () => {
    const data = await killed();
    const size = statSync(logOf(data)).size;
    truncateSync(logOf(data), size - 5);
    const venue = await KeptVenue.open(settings(), data);
    expect(venue.simulation.restored?.bytesCut).toBeGreaterThan(100);
    expect((await orders(venue)).toSorted()).toEqual(IDS.slice(0, 2));
    await place(venue, 'order-4-one');
    const again = await KeptVenue.open(settings(), leftBehind(data));
    expect((await orders(again)).toSorted()).toEqual([...IDS.slice(0, 2), 'order-4-one']);
  });

  test('ends before room that was never written', async () => {
    const data = await killed();
    appendFileSync(logOf(data), Buffer.alloc(4_096));
    const venue = await KeptVenue.open(settings(), data);
    expect(venue.simulation.restored).toMatchObject({ bytesCut: 4_096, inputs: 3 });
  });

  test('is refused wherever a bit has flipped', async () => {
    const data = await killed();
    const bytes = readFileSync(logOf(data));
    const last = bytes.lastIndexOf('v3.createSpotOrder') - 25;
    expect(bytes[last]).toBe(0xa9);
    const heads = Array.from({ length: 27 }, (_, index) => last + index);
    const others = Array.from({ length: 9 }, (_, index) => Math.floor((index * bytes.length) / 9));
    for (const at of [...heads, ...others]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      const copy = leftBehind(data);
      writeFileSync(logOf(copy), damaged);
      await expect(KeptVenue.open(settings(), copy), `byte ${at}`).rejects.toMatchObject({
        code: 'venue-data-invalid',
        message: expect.stringContaining('inputs.log') as string,
      });
    }
  });

  test('is refused where a record is missing from its middle', async () => {
    const data = await killed();
    const bytes = readFileSync(logOf(data));
    const second = bytes.indexOf(0xa9, bytes.indexOf('v3.createSpotOrder'));
    const third = bytes.indexOf(0xa9, bytes.indexOf('order-1-one'));
    const cut = Buffer.concat([bytes.subarray(0, second), bytes.subarray(third)]);
    writeFileSync(logOf(data), cut);
    await expect(KeptVenue.open(settings(), data)).rejects.toMatchObject({
      code: 'venue-data-invalid',
    });
  });

  test('holds no secret of a member', async () => {
    const text = readFileSync(logOf(await killed()), 'latin1');
    expect(text).not.toContain('alice-secret');
    expect(text).not.toContain(Buffer.from('alice:alice-secret').toString('base64'));
  });

  test('can be read by nobody else', async () => {
    const data = folder();
    await KeptVenue.open(settings(), data);
    expect(statSync(logOf(data)).mode & 0o777).toBe(0o600);
  });
});

describe('a data folder', () => {
  test('belongs to one venue at a time', async () => {
    const data = folder();
    await KeptVenue.open(settings(), data);
    await expect(KeptVenue.open(settings(), data)).rejects.toMatchObject({
      code: 'venue-data-locked',
    });
  });

  test('belongs to one configuration, and what differs is named', async () => {
    const data = await killed();
    const changed = settings({
      symbols: settings().symbols.map((one) => ({
        ...one,
        terms: { ...one.terms, takeRate: '0.009' },
      })),
    });
    await expect(KeptVenue.open(changed, data)).rejects.toMatchObject({
      code: 'venue-data-differs',
      message: expect.stringMatching(
        /symbols\.BTCUSDT\.terms\.takeRate was "[\d.]+" and is "0\.009"/,
      ) as string,
    });
  });

  test('takes other keys, another address and other limits', async () => {
    const data = await killed();
    const members = settings().members.map((one) => ({ ...one, keys: [] }));
    const changed = settings({ members, rateLimits: true, adminToken: 'other' });
    const venue = await KeptVenue.open(changed, data);
    expect(venue.simulation.restored).toMatchObject({ inputs: 3, isNew: false });
  });

  test('lets what was due happen where the venue stood still meanwhile', async () => {
    const data = folder();
    const venue = await KeptVenue.open(settings(), data);
    const form = {
      ...ORDER,
      client_order_id: 'short-lived',
      time_in_force: 'GTD',
      expire_time: '2026-01-05T10:00:30.000Z',
    };
    await venue.call('POST', '/api/3/spot/order', { as: 'alice', form });
    const copy = leftBehind(data);
    const later = clockAt();
    later.advanceTo((later.now() + US_PER_MINUTE) as typeof venue.until);
    const again = await KeptVenue.open(settings(), copy, later);
    expect(await orders(again)).toEqual([]);
    const { body } = await again.call('GET', '/api/3/spot/history/order', { as: 'alice' });
    expect(body).toMatchObject([{ status: 'expired', updated_at: '2026-01-05T10:00:30Z' }]);
  });

  test('goes on from the time that it knows where the clock of the machine has gone back', async () => {
    const data = folder();
    const venue = await KeptVenue.open(settings(), data);
    venue.pass(US_PER_MINUTE);
    await place(venue, 'order-0-one');
    const again = await KeptVenue.open(settings(), leftBehind(data), clockAt());
    await place(again, 'order-1-one');
    const { body } = await again.call('GET', '/api/3/spot/order', { as: 'alice' });
    expect(body).toMatchObject([
      { created_at: '2026-01-05T10:01:00Z' },
      { created_at: '2026-01-05T10:01:00Z' },
    ]);
  });
});
