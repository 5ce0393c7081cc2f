import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TradingClientV2, type MillraceError } from '../../../../src/clients.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { openVenue, type TestVenue } from '../../../server/kit.ts';
import { answer, openRawService } from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '100' } as const;
const TOO_FAST = { error: { code: 429, message: 'Too many requests' } };
const SECOND = 1_000_000;

/** Lets a venue's time pass, half a second whenever nothing more is answered, until all is done. */
async function letPass(venue: TestVenue, calls: readonly Promise<unknown>[]): Promise<number> {
  const began = venue.scheduler.now();
  let done = false;
  const all = Promise.allSettled(calls).then(() => {
    done = true;
  });
  while (!done) {
    await venue.call('GET', '/');
    await venue.call('GET', '/');
    venue.pass(SECOND / 2);
  }
  await all;
  return (venue.scheduler.now() - began) / SECOND;
}

const failures = async (calls: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(calls)).flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as MillraceError).code] : [],
  );

const demo = { key: 'demo', secret: 'demo-secret', scheme: 'basic' } as const;

describe('calls of a client', () => {
  test(
    'wait so that the limits are kept, and meet them where they are not asked to wait',
    { tags: ['client:trading-v3.limit.client-pacing'] },
    async () => {
      const venue = await openVenue({ limits: true });
      const settings = { credentials: demo, scheduler: venue.scheduler, retries: { attempts: 1 } };
      const client = clientOf(venue.base, settings);
      const calls = Array.from({ length: 100 }, () => client.rest.getWalletBalances());
      // 20 in a second: five times that many take four seconds and more.
      expect(await letPass(venue, calls)).toBeGreaterThanOrEqual(4);
      expect(await failures(calls)).toEqual([]);
      venue.pass(10 * SECOND);
      const hasty = clientOf(venue.base, { ...settings, paced: false });
      const rejected = await failures(
        Array.from({ length: 25 }, () => hasty.rest.getWalletBalances()),
      );
      expect(rejected).toEqual(Array.from({ length: 5 }, () => 'rate-limited'));
    },
  );

  test('that have limits of their own do not wait for each other', async () => {
    const service = await openRawService(answer(200, []));
    const client = clientOf(service.url, { scheduler: new VirtualScheduler(micros(SECOND)) });
    const { rest } = client;
    const waiting = Array.from({ length: 21 }, () => rest.getWalletBalances());
    const last = waiting.at(20)?.catch((error: unknown) => error);
    await Promise.all(waiting.slice(0, 20));
    await rest.getSpotOrders();
    expect(service.requests).toHaveLength(21);
    expect(service.last.target).toBe('/api/3/spot/order');
    await client.close();
    expect(await last).toMatchObject({ code: 'unreachable' });
  });

  test('of version 2 keep its limits', async () => {
    const venue = await openVenue({ limits: true });
    const settings = { url: venue.base, credentials: demo, scheduler: venue.scheduler };
    const client = new TradingClientV2({ ...settings, retries: { attempts: 1 } });
    onTestFinished(() => client.close());
    const calls = Array.from({ length: 25 }, () => client.rest.getTradingBalances());
    expect(await letPass(venue, calls)).toBeGreaterThanOrEqual(2);
    expect(await failures(calls)).toEqual([]);
  });

  test('are refused when a thousand wait already', async () => {
    const service = await openRawService(answer(200, []));
    const { rest } = clientOf(service.url, { scheduler: new VirtualScheduler(micros(SECOND)) });
    const calls = Array.from({ length: 1_020 }, () => rest.getWalletBalances());
    for (const call of calls.slice(20)) call.catch(() => undefined);
    await expect(rest.getWalletBalances()).rejects.toMatchObject({
      code: 'rate-limited',
      message:
        'getWalletBalances was not sent: 1000 calls wait already for the limits of the service.',
    });
  });
});

describe('an answer that says too fast', () => {
  test(
    'is waited for by a read, as long as it says',
    { tags: ['client:trading-v3.limit.client-429'] },
    async () => {
      const service = await openRawService(
        answer(429, TOO_FAST, { 'Retry-After': '2' }),
        answer(200, []),
      );
      const scheduler = new VirtualScheduler(micros(SECOND));
      const { rest } = clientOf(service.url, { scheduler });
      const read = rest.getSpotOrders();
      await vi.waitFor(() => expect(service.requests).toHaveLength(1));
      // Its answer is here when the wait for the next attempt has been asked for.
      await vi.waitFor(() => expect(scheduler.nextAt).toBeLessThan(4 * SECOND));
      scheduler.advanceTo(micros(3 * SECOND - 1));
      expect(service.requests).toHaveLength(1);
      scheduler.advanceTo(micros(4 * SECOND));
      expect(await read).toEqual([]);
      expect(service.requests).toHaveLength(2);
    },
  );

  test(
    'is reported for an order, which is not sent again',
    { tags: ['client:trading-v3.limit.client-429'] },
    async () => {
      const service = await openRawService(answer(429, TOO_FAST), answer(200, {}));
      const { rest } = clientOf(service.url);
      await expect(rest.createSpotOrder(ORDER)).rejects.toMatchObject({
        code: 'rate-limited',
        serviceCode: 429,
        httpStatus: 429,
        class: 'rate-limit',
      });
      expect(service.requests).toHaveLength(1);
    },
  );

  test('holds further calls of the same limit', async () => {
    const service = await openRawService(
      answer(429, TOO_FAST, { 'Retry-After': '3' }),
      answer(200, []),
    );
    const scheduler = new VirtualScheduler(micros(SECOND));
    const { rest } = clientOf(service.url, { scheduler });
    await expect(rest.createSpotOrder(ORDER)).rejects.toMatchObject({ code: 'rate-limited' });
    const next = rest.getSpotOrders();
    // Another limit is not held.
    await rest.getWalletBalances();
    scheduler.advanceTo(micros(4 * SECOND - 1));
    await rest.getWalletBalances();
    const lines = service.requests.map(({ method, target }) => `${method} ${target}`);
    const wallet = 'GET /api/3/wallet/balance';
    expect(lines).toEqual(['POST /api/3/spot/order', wallet, wallet]);
    scheduler.advanceTo(micros(4 * SECOND));
    expect(await next).toEqual([]);
  });

  test('is reported for a read too when it repeats, or asks for more than a minute', async () => {
    const service = await openRawService(answer(429, TOO_FAST));
    const { rest } = clientOf(service.url, { retries: { attempts: 1 } });
    await expect(rest.getSpotOrders()).rejects.toMatchObject({ code: 'rate-limited' });
    const long = await openRawService(answer(429, TOO_FAST, { 'Retry-After': '61' }));
    const patient = clientOf(long.url);
    await expect(patient.rest.getSpotOrders()).rejects.toMatchObject({ code: 'rate-limited' });
    expect(long.requests).toHaveLength(1);
  });
});
