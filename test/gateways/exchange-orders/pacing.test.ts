import { describe, expect, test, vi } from 'vitest';
import { micros, VirtualScheduler } from '../../../src/clients.ts';
import { error, openScripted, result } from './scripted.ts';

const SECOND = 1_000_000;
const BEGIN = micros(Date.UTC(2026, 0, 5) * 1_000);

/** Waits until so many requests have come, and gives how many there are then. */
const arrived = async (count: () => number, least: number): Promise<number> => {
  await vi.waitFor(() => {
    expect(count()).toBeGreaterThanOrEqual(least);
  });
  return count();
};

describe('the limit of requests', () => {
  test(
    'is kept by waiting: ten in a second, whatever is asked for',
    { tags: ['client:exchange-orders.limit.rps-client'] },
    async () => {
      const scheduler = new VirtualScheduler(BEGIN);
      const { client, service } = await openScripted([result('waiting')], { scheduler });
      const count = (): number => service.requests.length;
      const calls = Array.from({ length: 25 }, (_, index) => client.getStatus({ id: `${index}` }));
      await Promise.all(calls.slice(0, 10));
      expect(count()).toBe(10);
      scheduler.advanceTo(micros(BEGIN + SECOND - 1));
      expect(count()).toBe(10);
      scheduler.advanceTo(micros(BEGIN + SECOND));
      await Promise.all(calls.slice(10, 20));
      expect(await arrived(count, 20)).toBe(20);
      scheduler.advanceTo(micros(BEGIN + 2 * SECOND));
      await Promise.all(calls);
      expect(count()).toBe(25);
      expect(
        service.requests.map(
          ({ body }) => (JSON.parse(body) as { params: { id: string } }).params.id,
        ),
      ).toEqual(Array.from({ length: 25 }, (_, index) => `${index}`));
    },
  );

  test('can be another one, as the service arranges it', async () => {
    const scheduler = new VirtualScheduler(BEGIN);
    const { client, service } = await openScripted([result('waiting')], {
      scheduler,
      requestsPerSecond: 2,
    });
    const calls = Array.from({ length: 3 }, () => client.getStatus({ id: 'one' }));
    await Promise.all(calls.slice(0, 2));
    expect(service.requests).toHaveLength(2);
    scheduler.advanceTo(micros(BEGIN + SECOND));
    await Promise.all(calls);
    expect(service.requests).toHaveLength(3);
  });

  test('when it was passed all the same holds what comes next for a second', async () => {
    const scheduler = new VirtualScheduler(BEGIN);
    const { client, service } = await openScripted(
      [error(-32_603, 'Error: You reached requests limit 10 rps'), result('waiting')],
      { scheduler },
    );
    await expect(client.getStatus({ id: 'one' })).rejects.toMatchObject({ code: 'rate-limited' });
    const next = client.getStatus({ id: 'two' });
    scheduler.advanceTo(micros(BEGIN + SECOND - 1));
    expect(service.requests).toHaveLength(1);
    scheduler.advanceTo(micros(BEGIN + SECOND));
    expect(await next).toBe('waiting');
  });
});

describe('a transaction that is followed', () => {
  test(
    'is polled until it is final, and a change is reported once',
    { tags: ['client:exchange-orders.state.client-polling'] },
    async () => {
      const scheduler = new VirtualScheduler(BEGIN);
      const statuses = ['waiting', 'waiting', 'confirming', 'pondering', 'sending', 'finished'];
      const { client, service } = await openScripted(statuses.map(result), { scheduler });
      const reported: string[] = [];
      const followed = client.follow('one', {
        everyUs: SECOND,
        changed: (status) => {
          reported.push(status);
        },
      });
      for (let turn = 1; turn < statuses.length; turn += 1) {
        await arrived(() => service.requests.length, turn);
        // The wait begins when the answer is here.
        await vi.waitFor(() => {
          scheduler.advanceTo(micros(scheduler.now() + SECOND));
          expect(service.requests.length).toBeGreaterThan(turn);
        });
      }
      expect(await followed).toBe('finished');
      expect(reported).toEqual(['waiting', 'confirming', 'pondering', 'sending', 'finished']);
      expect(service.requests).toHaveLength(6);
    },
  );

  test('can be left', async () => {
    const scheduler = new VirtualScheduler(BEGIN);
    const { client, service } = await openScripted([result('waiting')], { scheduler });
    const leaving = new AbortController();
    const followed = client.follow('one', { signal: leaving.signal });
    await arrived(() => service.requests.length, 1);
    leaving.abort(new Error('enough'));
    await expect(followed).rejects.toThrow('enough');
  });
});
