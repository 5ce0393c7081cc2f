import { describe, expect, test, vi } from 'vitest';
import { TradingClientV2 } from '../../../../src/clients.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { openVenue } from '../../../server/kit.ts';
import { answer, breakOff, openRawService, type Reaction } from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';

const NOON_MS = Date.parse('2026-01-05T12:00:00Z');
const NOON = micros(NOON_MS * 1_000);
const LATER_DATE = { Date: 'Mon, 05 Jan 2026 12:00:01 GMT' };

/** Answers as an error that has a time, and lets `us` pass on the way there and back. */
const timed =
  (scheduler: VirtualScheduler, clock: () => Micros, us: number): Reaction =>
  (request, socket) => {
    scheduler.advanceTo(micros(scheduler.now() + us));
    const timestamp = new Date(Math.floor(clock() / 1_000)).toISOString();
    const error = { code: 2_001, message: 'Symbol not found' };
    scheduler.advanceTo(micros(scheduler.now() + us));
    answer(400, { error, timestamp })(request, socket);
  };

describe('the clock of the service', () => {
  test.each([0, 1_500, -90_000])('of the venue is %i ms ahead', async (clockSkewMs) => {
    const venue = await openVenue({ faults: { clockSkewMs } });
    const client = clientOf(venue.base, { scheduler: venue.scheduler });
    const { skewUs, withinUs } = await client.clock();
    expect(Math.abs(skewUs - clockSkewMs * 1_000)).toBeLessThanOrEqual(withinUs);
    expect(withinUs).toBeLessThanOrEqual(500);
    expect(await client.clockSkewUs()).toBe(skewUs);
    const older = new TradingClientV2({ url: venue.base, scheduler: venue.scheduler });
    expect(await older.clockSkewUs()).toBe(skewUs);
    await older.close();
  });

  test('is read with half of the round trip', async () => {
    const scheduler = new VirtualScheduler(NOON);
    const ahead = (): Micros => micros(scheduler.now() + 250_000);
    const service = await openRawService(
      timed(scheduler, ahead, 30_000),
      timed(scheduler, ahead, 10_000),
      timed(scheduler, ahead, 50_000),
    );
    const { skewUs, withinUs } = await clientOf(service.url, { scheduler }).clock();
    // What the millisecond cuts off is in the middle too.
    expect([skewUs, withinUs]).toEqual([250_500, 10_500]);
  });

  test('is read off whole seconds where there is nothing finer, the finer the more answers there are', async () => {
    const scheduler = new VirtualScheduler(NOON);
    const service = await openRawService((request, socket) => {
      const now = new Date(Math.floor(scheduler.now() / 1_000) - 4_300);
      answer(404, '', { Date: now.toUTCString() })(request, socket);
    });
    const reading = clientOf(service.url, { scheduler }).clock();
    let done = false;
    void reading.then(() => {
      done = true;
    });
    await vi.waitFor(
      () => {
        scheduler.advanceTo(micros(Math.min(scheduler.nextAt, scheduler.now() + 5_000)));
        expect(done).toBe(true);
      },
      { timeout: 20_000, interval: 1 },
    );
    const { skewUs, withinUs } = await reading;
    expect(service.requests.length).toBe(8);
    expect(Math.abs(skewUs + 4_300_000)).toBeLessThanOrEqual(withinUs);
    expect(withinUs).toBeLessThan(200_000);
  });

  test('that was set while it was read is taken as it is now', async () => {
    const scheduler = new VirtualScheduler(NOON);
    let skewUs = 60_000_000;
    const clock = (): Micros => {
      const at = micros(scheduler.now() + skewUs);
      skewUs = 0;
      return at;
    };
    const service = await openRawService(timed(scheduler, clock, 1_000));
    const reading = await clientOf(service.url, { scheduler }).clock();
    expect(reading).toEqual({ skewUs: 500, withinUs: 1_500 });
  });

  test.each([
    ['neither timestamp nor Date', answer(404, '')],
    ['a Date that is none', answer(404, 'x', { Date: 'today' })],
    ['a timestamp that is none', answer(200, { timestamp: 'today' })],
  ])('cannot be read off an answer with %s', async (_, reaction) => {
    const service = await openRawService(reaction);
    await expect(clientOf(service.url).clockSkewUs()).rejects.toMatchObject({
      code: 'answer-invalid',
      field: 'date',
    });
  });

  test('cannot be read off a service that breaks off', async () => {
    const service = await openRawService(breakOff);
    await expect(clientOf(service.url).clockSkewUs()).rejects.toMatchObject({
      code: 'service-unavailable',
    });
  });

  test('cannot be read off a service that is not there', async () => {
    const service = await openRawService(answer(200, '', LATER_DATE));
    const client = clientOf(service.url);
    await client.close();
    await expect(client.clockSkewUs()).rejects.toMatchObject({ code: 'unreachable' });
  });
});
