import { expect, test } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { example } from '../../cli/venue/example.ts';
import { runs, seed } from '../../kit/size.ts';
import { folder, KeptVenue, leftBehind } from './folder.ts';
import { play } from './history.ts';
import { readAll } from './reads.ts';

/** The example without limits, whose markets make some rows a second. */
const settings = (): SimulationSettings => ({
  ...example(),
  rateLimits: false,
  adminToken: 'admin',
});

test('a venue killed at any moment reads as one that never died, and goes on as that does', async () => {
  for (let run = 0; run < runs(5); run += 1) {
    const random = new Random(seed(23) + run);
    const data = folder();
    const twin = await KeptVenue.open(settings(), data);
    const before = 60;
    const answered = await play([twin], random, 0, before);
    const done = answered.filter(([, status]) => status === 200);
    expect(new Set(done.map(([what]) => what)).size).toBeGreaterThan(5);

    // What was answered is on the disk, and with it all that had happened by then.
    await twin.call('PATCH', '/api/3/spot/order/history-last', { as: 'demo' });
    const again = await KeptVenue.open(settings(), leftBehind(data), twin.scheduler);
    expect(again.simulation.restored).toMatchObject({ isNew: false, bytesCut: 0 });
    expect(await readAll(again)).toEqual(await readAll(twin));

    await play([again, twin], random, before, 10);
    expect(await readAll(again)).toEqual(await readAll(twin));
  }
});
