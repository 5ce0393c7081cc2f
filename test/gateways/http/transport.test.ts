import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { answer, breakOff, openRawService, silence } from '../trading/kit/raw-service.ts';
import { clientOf } from '../trading/client/client-of.ts';

const ORDER = { symbol: 'X', side: 'buy', quantity: '1', price: '2' } as const;
const ONCE = { retries: { attempts: 1 } };

/** An address on which nobody listens. */
async function nowhere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const settled = async (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => error);

describe('what becomes of a request', () => {
  test('without a connection it never left', async () => {
    const { rest } = clientOf(await nowhere(), { retries: { attempts: 2, firstUs: 1 } });
    const unreachable = { code: 'unreachable' };
    await expect(rest.createSpotOrder(ORDER)).rejects.toMatchObject(unreachable);
    await expect(rest.getSpotOrders()).rejects.toMatchObject(unreachable);
    await expect(rest.createSpotOrder(ORDER)).rejects.toThrow(
      /^createSpotOrder was not sent: connect ECONNREFUSED/,
    );
  });

  test('that broke off without an answer has an unknown outcome', async () => {
    const service = await openRawService(breakOff);
    const { rest } = clientOf(service.url, ONCE);
    const error = await settled(rest.createSpotOrder(ORDER));
    expect(error).toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(
        /^createSpotOrder was sent, but its answer did not come: .+\. It may have been done: look before asking again\.$/,
      ) as string,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('on a kept connection that the service closes is sent on a new one, or fails', async () => {
    const service = await openRawService(
      (_, socket) => {
        answer(200, [])(_, socket);
        socket.end();
      },
      answer(200, []),
    );
    const { rest } = clientOf(service.url, { retries: { firstUs: 1_000 } });
    for (let i = 0; i < 3; i += 1) expect(await rest.getSpotOrders()).toEqual([]);
    expect(service.connections).toBeGreaterThan(1);
  });

  test('that is not answered in time has an unknown outcome, by the clock of the client', async () => {
    const service = await openRawService(silence);
    const scheduler = new VirtualScheduler(micros(1_000_000));
    const { rest } = clientOf(service.url, { scheduler, timeoutUs: 2_500_000 });
    const order = settled(rest.createSpotOrder(ORDER));
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    scheduler.advanceTo(micros(3_499_999));
    const early = await Promise.race([order, Promise.resolve('waiting')]);
    expect(early).toBe('waiting');
    scheduler.advanceTo(micros(3_500_000));
    expect(await order).toMatchObject({
      code: 'outcome-unknown',
      message:
        'createSpotOrder was sent, but its answer did not come: no answer within 2.5 s. It may have been done: look before asking again.',
    });
  });

  test('that found no free connection in time never left', async () => {
    const service = await openRawService(silence);
    const scheduler = new VirtualScheduler(micros(1_000_000));
    const { rest } = clientOf(service.url, { scheduler, connections: 1, timeoutUs: 1_000_000 });
    const first = settled(rest.createSpotOrder(ORDER));
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    scheduler.advanceTo(micros(1_500_000));
    const second = settled(rest.createSpotOrder(ORDER));
    const third = settled(rest.createSpotOrder(ORDER));
    // Both wait for the connection before time goes on.
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
    scheduler.advanceTo(micros(2_000_000));
    expect(await first).toMatchObject({ code: 'outcome-unknown' });
    await vi.waitFor(() => expect(service.requests).toHaveLength(2));
    scheduler.advanceTo(micros(2_500_000));
    expect(await second).toMatchObject({ code: 'outcome-unknown' });
    expect(await third).toMatchObject({ code: 'unreachable' });
    // It does not leave afterwards either.
    const fourth = settled(rest.createSpotOrder({ ...ORDER, symbol: 'LAST' }));
    await vi.waitFor(() => expect(service.last.body).toContain('LAST'));
    expect(service.requests).toHaveLength(3);
    scheduler.advanceTo(micros(9_000_000));
    expect(await fourth).toMatchObject({ code: 'outcome-unknown' });
  });

  test.each([
    ['declared', answer(200, `[${' '.repeat(5_000)}]`)],
    ['sent', answer(200, `[${' '.repeat(5_000)}]`, { 'Content-Length': '6000' })],
  ])('whose answer is longer than is read (as %s) ends there', async (_, reaction) => {
    const service = await openRawService(reaction);
    const { rest } = clientOf(service.url, { bodyBytesMax: 1_000 });
    await expect(rest.getSpotOrders()).rejects.toMatchObject({
      code: 'answer-invalid',
      message: 'The answer to getSpotOrders cannot be read: its body has more than 1000 bytes.',
    });
    await expect(rest.createSpotOrder(ORDER)).rejects.toThrow(
      'its body has more than 1000 bytes. What was asked for may have been done.',
    );
  });

  test.each(['', 'no JSON', '{"id":'])('whose answer is %j cannot be read', async (body) => {
    const service = await openRawService(answer(200, body));
    await expect(clientOf(service.url).rest.getSpotOrders()).rejects.toMatchObject({
      code: 'answer-invalid',
      message: 'The answer to getSpotOrders cannot be read: it is no JSON.',
    });
  });

  test('is not that of an interim answer', async () => {
    const service = await openRawService((request, socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      answer(200, [])(request, socket);
    });
    expect(await clientOf(service.url).rest.getSpotOrders()).toEqual([]);
  });
});

describe('a client', () => {
  test('opens many connections, with one request at a time on each', async () => {
    const service = await openRawService(silence);
    const { rest } = clientOf(service.url, { ...ONCE, connections: 8, timeoutUs: 1_000_000 });
    const calls = Array.from({ length: 12 }, () => settled(rest.getSpotOrders()));
    await vi.waitFor(() => expect(service.requests).toHaveLength(8));
    expect(service.connections).toBe(8);
    await Promise.all(calls);
  });

  test('that is closed ends the wait before the next attempt', async () => {
    const service = await openRawService(answer(503, ''));
    const scheduler = new VirtualScheduler(micros(1_000_000));
    const client = clientOf(service.url, { scheduler });
    const read = settled(client.rest.getSpotOrders());
    await vi.waitFor(() => expect(scheduler.nextAt).toBeLessThan(1_200_000));
    await client.close();
    expect(await read).toMatchObject({
      code: 'unreachable',
      message: 'The call was not sent: the client is closed.',
    });
    expect(scheduler.nextAt).toBe(Number.POSITIVE_INFINITY);
  });

  test('that is closed ends what is under way with its outcome, and sends nothing more', async () => {
    const service = await openRawService(silence);
    const client = clientOf(service.url);
    const order = settled(client.rest.createSpotOrder(ORDER));
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    await client.close();
    await client.close();
    expect(await order).toMatchObject({ code: 'outcome-unknown' });
    await expect(client.rest.getSpotOrders()).rejects.toMatchObject({ code: 'unreachable' });
    expect(service.requests).toHaveLength(1);
  });
});
