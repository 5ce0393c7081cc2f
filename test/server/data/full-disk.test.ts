import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { MillraceError } from '../../../src/model/errors.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { example } from '../../cli/venue/example.ts';
import { clockAt, folder, KeptVenue, leftBehind } from './folder.ts';
import { readAll } from './reads.ts';

/** A disk that tests make full: what is written takes room, and emptying the ballast gives some back. */
const disk = {
  left: Number.POSITIVE_INFINITY,
  /** True where others take at once what a ballast gives back. */
  isShared: false,
  isBroken: false,
};

const failing = (code: string) => Object.assign(new Error(`${code}: it fails`), { code });

/** Puts the disk of a test between the system and whoever writes, until the test is over. */
function replaceDisk(): void {
  const { openSync, ftruncateSync, writeSync, fdatasync } = fs;
  const ballasts = new Map<number, string>();
  const held = new Map<string, number>();
  const emptied = (path: string): void => {
    if (!disk.isShared) disk.left += held.get(path) ?? 0;
    held.set(path, 0);
  };
  const fakes = {
    openSync: (path: string | URL, flags: string, mode?: number) => {
      const file = openSync(path, flags, mode);
      const name = String(path);
      ballasts.delete(file);
      if (name.endsWith('ballast')) {
        emptied(name);
        ballasts.set(file, name);
      }
      return file;
    },
    ftruncateSync: (file: number, length: number) => {
      const path = ballasts.get(file);
      if (path !== undefined) emptied(path);
      ftruncateSync(file, length);
    },
    writeSync: (file: number, bytes: Buffer, from = 0, given?: number, at?: number) => {
      const length = given ?? bytes.length - from;
      // As a disk does, it takes what there is room for first.
      const taken = Math.min(length, disk.left);
      if (taken === 0 && length > 0) throw failing('ENOSPC');
      const path = ballasts.get(file);
      if (path !== undefined) held.set(path, (held.get(path) ?? 0) + taken);
      disk.left -= taken;
      return writeSync(file, bytes, from, taken, at);
    },
    fdatasync: (file: number, then: (error: Error | null) => void) => {
      fdatasync(file, (error) => {
        then(disk.isBroken ? failing('EIO') : error);
      });
    },
  };
  Object.assign(fs, fakes);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { openSync, ftruncateSync, writeSync, fdatasync });
    syncBuiltinESMExports();
  });
}

beforeEach(() => {
  Object.assign(disk, { left: Number.POSITIVE_INFINITY, isShared: false, isBroken: false });
  replaceDisk();
});

const settings = (): SimulationSettings => ({
  ...example(),
  rateLimits: false,
  adminToken: 'admin',
  market: [],
});

interface Reported {
  readonly full: boolean[];
  readonly lost: MillraceError[];
}

async function opened(data: string): Promise<KeptVenue & { readonly reported: Reported }> {
  const reported: Reported = { full: [], lost: [] };
  const scheduler = clockAt();
  const listener = {
    stateFull: (isFull: boolean) => void reported.full.push(isFull),
    stateLost: (error: MillraceError) => void reported.lost.push(error),
  };
  const kept = { folder: data, release: '1.0.0' };
  const simulation = await Simulation.open({ ...settings(), port: 0 }, scheduler, listener, kept);
  return Object.assign(new KeptVenue(simulation, scheduler), { reported });
}

const place = (venue: KeptVenue, id: string) =>
  venue.call('POST', '/api/3/spot/order', {
    as: 'demo',
    form: {
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: '0.001',
      price: '50000.00',
      client_order_id: id,
    },
  });

const ids = async (venue: KeptVenue): Promise<readonly string[]> => {
  const { body } = await venue.call('GET', '/api/3/spot/order', { as: 'demo' });
  return (body as { client_order_id: string }[]).map((one) => one.client_order_id).toSorted();
};

const health = async (venue: KeptVenue) => {
  const { status, body } = await venue.call('GET', '/healthz');
  return [status, body];
};

test('a venue whose disk becomes full answers what it has done, refuses more, reads on, and goes on when there is room', async () => {
  const data = folder();
  const venue = await opened(data);
  expect((await place(venue, 'order-before')).status).toBe(200);
  expect(await health(venue)).toEqual([200, { alive: true, data: 'ok' }]);

  disk.left = 100;
  expect((await place(venue, 'order-at-the-edge')).status).toBe(200);
  expect(venue.reported.full).toEqual([true]);
  expect(await health(venue)).toEqual([503, { alive: true, data: 'full' }]);

  const rejected = await place(venue, 'order-without-room');
  expect(rejected).toMatchObject({ status: 503, body: { error: { code: 503 } } });
  const others: readonly (readonly [string, string, number])[] = [
    ['DELETE', '/api/3/spot/order/order-before', 503],
    ['GET', '/api/3/wallet/crypto/address?currency=BTC', 503],
    ['POST', '/admin/deposits', 503],
    ['POST', '/chains/v1/transfers', 503],
    ['POST', '/affiliate/v1/quotes/best', 503],
    ['GET', '/v1/tokens', 503],
    ['POST', '/v2', 503],
  ];
  for (const [method, path, status] of others) {
    const answer = await venue.call(
      method,
      path,
      method === 'GET' ? { as: 'demo' } : { as: 'demo', json: {} },
    );
    expect([path, answer.status]).toEqual([path, status]);
  }
  const socket = await venue.tradingSocket('demo');
  const params = { client_order_id: 'order-before' };
  expect(await socket.request('spot_cancel_order', params)).toMatchObject({ error: { code: 503 } });
  expect(await ids(venue)).toEqual(['order-at-the-edge', 'order-before']);

  // Nobody looks before it is time, and nothing changes while there is still none.
  venue.pass(3 * US_PER_SECOND);
  expect(venue.reported.full).toEqual([true]);
  disk.left = 100 << 20;
  venue.pass(2 * US_PER_SECOND);
  expect(venue.reported.full).toEqual([true, false]);
  expect(await health(venue)).toEqual([200, { alive: true, data: 'ok' }]);
  expect((await place(venue, 'order-with-room')).status).toBe(200);
  expect(venue.reported.lost).toEqual([]);

  const again = await KeptVenue.open(settings(), leftBehind(data), venue.scheduler);
  expect(await ids(again)).toEqual(['order-at-the-edge', 'order-before', 'order-with-room']);
  expect(await readAll(again)).toEqual(await readAll(venue));
  await venue.simulation.close();
});

test('a venue that cannot even use the room set aside says so once, answers nothing more, and has lost nothing that it answered', async () => {
  const data = folder();
  const venue = await opened(data);
  expect((await place(venue, 'order-before')).status).toBe(200);
  disk.isShared = true;
  disk.left = 60;
  const unanswered = place(venue, 'order-unanswered').catch((error: unknown) => error);
  await vi.waitFor(() => {
    expect(venue.reported.lost).toHaveLength(1);
  });
  expect(venue.reported.lost[0]).toMatchObject({ code: 'venue-data-unwritable' });
  await venue.simulation.close();
  expect(await unanswered).toBeInstanceOf(Error);

  disk.left = Number.POSITIVE_INFINITY;
  const again = await KeptVenue.open(settings(), leftBehind(data), venue.scheduler);
  expect(again.simulation.restored?.bytesCut).toBe(60);
  expect(await ids(again)).toEqual(['order-before']);
});

test('a venue whose disk fails ends, and nothing is answered that may be lost', async () => {
  const venue = await opened(folder());
  disk.isBroken = true;
  const unanswered = place(venue, 'order-unanswered').catch((error: unknown) => error);
  await vi.waitFor(() => {
    expect(venue.reported.lost).toMatchObject([{ code: 'venue-data-unwritable' }]);
  });
  await venue.simulation.close();
  expect(await unanswered).toBeInstanceOf(Error);
});

test('a venue is not opened where no room can be set aside', async () => {
  disk.left = 1 << 20;
  await expect(opened(folder())).rejects.toMatchObject({
    code: 'venue-data-unwritable',
    message: expect.stringMatching(/no room to set aside/) as string,
  });
});
