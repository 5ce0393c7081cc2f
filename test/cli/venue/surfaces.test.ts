import { describe, expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../../src/platform/time.ts';
import { faultPlan } from '../../../src/server/faults/plan.ts';
import { openExample, urlOf } from './example.ts';

const clock = new SystemScheduler();

/** The venue of the example, where that goes wrong. */
async function opened(faults: z.input<typeof faultPlan> = {}): Promise<string> {
  const simulation = await openExample({ faults: faultPlan.parse(faults) });
  onTestFinished(() => simulation.close());
  return urlOf(simulation);
}

async function asked(url: string, path: string, method = 'GET'): Promise<readonly unknown[]> {
  const response = await fetch(url + path, { method });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return [response.status, isJson ? (JSON.parse(text) as unknown) : text];
}

const BAD = 'The path is not percent-encoded rightly';
const rpc = (code: number, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});

describe('a path that cannot be read, or that nobody serves, is answered in the shape of its service', () => {
  test.each([
    [
      '/v1',
      400,
      { code: 400, type: 'validation_error', message: BAD },
      { code: 404, type: 'not_found' },
    ],
    [
      '/affiliate/v1',
      400,
      { code: 400, message: BAD, entity: 'request' },
      { code: 404, entity: 'request' },
    ],
    ['/v2', 400, rpc(-32600, 'Invalid Request'), rpc(-32600, 'Invalid Request')],
    ['/chains/v1', 400, { code: 'request-invalid', message: BAD }, { code: 'request-invalid' }],
    ['/api/3', 400, { error: { code: 10001 }, path: '/api/3/%zz' }, { error: { code: 800 } }],
  ])('%s', async (prefix, status, unread, unserved) => {
    const url = await opened();
    expect(await asked(url, `${prefix}/%zz`)).toMatchObject([status, unread]);
    for (const path of [`${prefix}/%zz?x=%zz`, `${prefix}/a/%`, `${prefix}/%c3%28`]) {
      expect(await asked(url, path)).toMatchObject([status, { ...unread, ...('path' in unread ? { path: path.split('?')[0] } : {}) }]); // prettier-ignore
    }
    for (const [method, path] of [
      ['GET', `${prefix}/nothing/there`],
      ['DELETE', `${prefix}/nothing`],
      ['PUT', prefix === '/v2' ? `${prefix}/x` : prefix],
    ] as const) {
      expect(await asked(url, path, method), `${method} ${path}`).toMatchObject([404, unserved]);
    }
  });
});

const SERVICES = [
  ['/v1/tokens', { code: 500, type: 'internal_error' }, { code: 429, type: 'rate_limited' }],
  ['/affiliate/v1/tokens', { code: 500, entity: 'system' }, { code: 429, entity: 'request' }],
  ['/v2', rpc(-32603, 'Internal Error'), rpc(-32603, 'Error: You reached requests limit 10 rps')],
  ['/chains/v1/networks', { message: 'Internal Server Error' }, { message: 'Too Many Requests' }],
] as const;

describe('a plan of faults', () => {
  test.each(SERVICES)('answers %s with the errors of its service', async (path, broken, late) => {
    const answer = (status: number) =>
      ({ path, count: 1, fault: { kind: 'answer', status } }) as const;
    const url = await opened({ http: [500, 429, 502].map(answer) });
    const isRpc = path === '/v2';
    expect(await asked(url, path, 'POST')).toMatchObject([isRpc ? 200 : 500, broken]);
    expect(await asked(url, path, 'POST')).toMatchObject([isRpc ? 200 : 429, late]);
    expect(await asked(url, path, 'POST')).toEqual([502, '<html><body><h1>502 Bad Gateway</h1></body></html>']); // prettier-ignore
    // Nothing goes wrong any more: the service itself answers.
    const [, served] = await asked(url, path, 'POST');
    expect([broken, late]).not.toContainEqual(served);
  });

  test.each(SERVICES)('delays and cuts what is asked of %s, and nothing else', async (path) => {
    const url = await opened({
      http: [
        { path, count: 1, fault: { kind: 'cut' } },
        { path, count: 1, when: 'after', fault: { kind: 'cut' } },
        { path, skip: 1, count: 1, fault: { kind: 'delay', delayMs: 300 } },
      ],
    });
    expect(await asked(url, '/api/3/public/currency')).toMatchObject([200, {}]);
    await expect(asked(url, path)).rejects.toThrow('fetch failed');
    await expect(asked(url, path)).rejects.toThrow('fetch failed');
    const before = clock.now();
    await asked(url, path);
    expect(clock.now() - before).toBeGreaterThan(200 * US_PER_MS);
  });

  test('in maintenance answers nothing but 503, whatever the service', async () => {
    const url = await opened({ maintenance: true });
    for (const [path] of SERVICES) expect((await asked(url, path, 'POST'))[0]).toBe(503);
    expect((await asked(url, '/docs'))[0]).toBe(200);
  });

  test('strikes the same requests with the same seed', async () => {
    const struck = async (seed: number): Promise<string> => {
      const url = await opened({
        seed,
        http: [{ path: '/chains/v1/*', probability: 0.5, fault: { kind: 'answer', status: 503 } }],
      });
      const statuses: unknown[] = [];
      for (let count = 0; count < 20; count += 1) {
        statuses.push((await asked(url, '/chains/v1/networks'))[0]);
      }
      return statuses.join(' ');
    };
    const [first, second, other] = [await struck(4), await struck(4), await struck(5)];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toMatch(/200.*503|503.*200/);
  });
});
