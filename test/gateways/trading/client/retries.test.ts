import { describe, expect, test, vi } from 'vitest';
import { Random } from '../../../../src/platform/random.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { backoffUs, RETRIES } from '../../../../src/gateways/http/backoff.ts';
import {
  answer,
  breakOff,
  openRawService,
  type RawService,
  type Reaction,
} from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';

const ORDER = { symbol: 'X', side: 'buy', quantity: '1', price: '2' } as const;
const QUICK = { firstUs: 1_000, longestUs: 2_000 };

const WRITES = [
  'createSpotOrder',
  'replaceSpotOrder',
  'cancelSpotOrder',
  'transfer',
  'commitWithdrawal',
] as const;

/** Bytes that end in the middle of an answer. */
const half: Reaction = (_, socket) => {
  socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[');
};

const lost = (status: number): Reaction => answer(status, '', { 'Content-Type': 'text/html' });

const TROUBLE = [
  ['an internal error', lost(500)],
  ['a bad gateway', lost(502)],
  ['maintenance', answer(503, { error: { code: 503, message: 'Service Unavailable' } })],
  ['a timeout behind the gateway', lost(504)],
  ['a connection that breaks off', breakOff],
  ['an answer that breaks off', half],
  [
    'too fast',
    answer(429, { error: { code: 429, message: 'Too many requests' } }, { 'Retry-After': '0' }),
  ],
] as const;

describe('reads', () => {
  test.each(TROUBLE)('are sent again after %s', async (_, reaction) => {
    const service = await openRawService(reaction, reaction, answer(200, []));
    const { rest } = clientOf(service.url, { retries: QUICK });
    expect(await rest.getSpotOrders()).toEqual([]);
    expect(service.requests).toHaveLength(3);
  });

  test.each(TROUBLE)('end with an error when there is nothing but %s', async (name, reaction) => {
    const service = await openRawService(reaction);
    const { rest } = clientOf(service.url, { retries: { ...QUICK, attempts: 3 } });
    await expect(rest.getSpotOrders()).rejects.toMatchObject({
      code: name === 'too fast' ? 'rate-limited' : 'service-unavailable',
    });
    expect(service.requests).toHaveLength(3);
  });

  test.each([400, 401, 403, 404])('are not sent again after %i', async (status) => {
    const body = { error: { code: 2_001, message: 'Symbol not found' } };
    const service = await openRawService(answer(status, body));
    const { rest } = clientOf(service.url, { retries: QUICK });
    await expect(rest.getSpotOrders()).rejects.toMatchObject({ code: 'service-refused' });
    expect(service.requests).toHaveLength(1);
  });

  test('are not sent again where the answer does not fit', async () => {
    const service = await openRawService(answer(200, [{ currency: 'BTC', available: 'much' }]));
    const { rest } = clientOf(service.url, { retries: QUICK });
    await expect(rest.getSpotBalances()).rejects.toMatchObject({
      code: 'answer-invalid',
      field: '[0].available',
      message:
        'The answer to getSpotBalances cannot be read: [0].available must be a decimal number such as "61837.63".',
    });
    expect(service.requests).toHaveLength(1);
  });

  test('are signed again each time', async () => {
    const service = await openRawService(lost(500), answer(200, []));
    const scheduler = new VirtualScheduler(micros(1_000_000_000));
    const credentials = { key: 'desk', secret: 'x', scheme: 'hs256' } as const;
    const { rest } = clientOf(service.url, { scheduler, credentials });
    const read = rest.getSpotOrders();
    await passUntil(service, scheduler, 2);
    await read;
    const [first, second] = service.requests.map(({ headers }) => headers['authorization']);
    expect(first).not.toBe(second);
  });
});

/** Lets a millisecond pass at a time until so many requests came. */
async function passUntil(
  service: RawService,
  scheduler: VirtualScheduler,
  count: number,
): Promise<void> {
  await vi.waitFor(
    () => {
      scheduler.advanceTo(micros(scheduler.now() + 1_000));
      expect(service.requests).toHaveLength(count);
    },
    { timeout: 10_000, interval: 1 },
  );
}

describe('writes', () => {
  test.each(TROUBLE)('are never sent again, after %s neither', async (name, reaction) => {
    const service = await openRawService(reaction);
    const { rest } = clientOf(service.url, { retries: QUICK });
    const asked = [
      rest.createSpotOrder(ORDER),
      rest.replaceSpotOrder({ client_order_id: 'of-desk-1', quantity: '1' }),
      rest.cancelSpotOrder({ client_order_id: 'of-desk-1' }),
      rest.transfer({ currency: 'X', amount: '1', source: 'wallet', destination: 'spot' }),
      rest.commitWithdrawal({ id: 'x' }),
    ];
    expect(asked).toHaveLength(WRITES.length);
    const code = name === 'too fast' ? 'rate-limited' : 'outcome-unknown';
    for (const call of asked) await expect(call).rejects.toMatchObject({ code });
    expect(service.requests).toHaveLength(WRITES.length);
  });
});

describe('the wait before the next attempt', () => {
  test('is anything up to a bound that doubles, and no longer than five seconds', () => {
    const random = new Random(7);
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const waits = Array.from({ length: 500 }, () => backoffUs(RETRIES, attempt, random));
      const bound = Math.min(5_000_000, 100_000 * 2 ** (attempt - 1));
      expect(Math.max(...waits)).toBeLessThan(bound);
      expect(Math.max(...waits)).toBeGreaterThan(0.95 * bound);
      expect(Math.min(...waits)).toBeLessThan(0.05 * bound);
      expect(waits.every(Number.isInteger)).toBe(true);
    }
  });

  test('is waited by the clock of the client', async () => {
    const service = await openRawService(lost(500), answer(200, []));
    const scheduler = new VirtualScheduler(micros(1_000_000_000));
    const { rest } = clientOf(service.url, { scheduler, random: new Random(3) });
    const read = rest.getSpotOrders();
    await vi.waitFor(() => expect(scheduler.nextAt).toBeLessThan(1_000_100_000));
    const wait = backoffUs(RETRIES, 1, new Random(3));
    expect(scheduler.nextAt).toBe(1_000_000_000 + wait);
    scheduler.advanceTo(micros(1_000_000_000 + wait));
    expect(await read).toEqual([]);
  });
});
