import { describe, expect, test } from 'vitest';
import { openVenue, type Ask, type HttpAnswer, type TestVenue } from '../kit.ts';

const TOKEN = 'a-token-of-the-venue';
const BEARER = { authorization: `Bearer ${TOKEN}` };
const FAULTS = '/admin/faults';

const opened = async (): Promise<TestVenue> =>
  openVenue({ faults: {}, setup: { adminToken: TOKEN } });

const admin = async (venue: TestVenue, method: string, ask: Ask = {}): Promise<HttpAnswer> =>
  venue.call(method, FAULTS, { headers: BEARER, ...ask });

const NOTHING = { seed: 1, http: [], streams: [], maintenance: false, clockSkewMs: 0 };

describe('who may', () => {
  test('without a token in the configuration there is no such path', async () => {
    const venue = await openVenue({ faults: {} });
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await admin(venue, method)).toMatchObject({
        status: 404,
        body: { error: { code: 800 } },
      });
    }
  });

  test.each([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer another' }],
    ['the token with more behind', { authorization: `Bearer ${TOKEN}s` }],
    ['the beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['the token by another scheme', { authorization: `Basic ${TOKEN}` }],
    ['a key of a member', { authorization: 'Basic ZGVtbzpkZW1vLXNlY3JldA==' }],
  ])('%s opens nothing', async (_, headers) => {
    const venue = await opened();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const ask = method === 'POST' ? { json: { maintenance: true } } : {};
      const answer = await venue.call(method, FAULTS, { headers: { ...headers }, ...ask });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 1002 } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(JSON.stringify(answer.body)).not.toContain(TOKEN);
    }
    expect(venue.faults?.maintenance).toBe(false);
  });

  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])('%j does', async (authorization) => {
    const venue = await opened();
    const { status } = await venue.call('GET', FAULTS, { headers: { authorization } });
    expect(status).toBe(200);
  });
});

describe('faults at run time', () => {
  test('are played from when they are asked for, shown, and ended', async () => {
    const venue = await opened();
    const path = '/api/3/public/symbol/BTCUSDT';
    expect((await admin(venue, 'GET')).body).toEqual({ plan: NOTHING, http: [], streams: [] });
    const http = [{ path, count: 1, fault: { kind: 'answer', status: 503 } }];
    const played = await admin(venue, 'POST', { json: { http } });
    const rule = { ...http[0], when: 'before', skip: 0, probability: 1 };
    expect([played.status, played.body]).toEqual([
      200,
      { plan: { ...NOTHING, http: [rule] }, http: [{ occasions: 0, strikes: 0 }], streams: [] },
    ]);
    expect((await venue.call('GET', path)).status).toBe(503);
    expect((await venue.call('GET', path)).status).toBe(200);
    expect((await admin(venue, 'GET')).body).toMatchObject({
      http: [{ occasions: 2, strikes: 1 }],
    });
    const again = await admin(venue, 'POST', { json: { http } });
    expect(again.body).toMatchObject({ http: [{ occasions: 0, strikes: 0 }] });
    expect((await admin(venue, 'DELETE')).body).toEqual({ plan: NOTHING, http: [], streams: [] });
    expect((await venue.call('GET', path)).status).toBe(200);
  });

  test('maintenance does not lock out who can end it', async () => {
    const venue = await opened();
    await admin(venue, 'POST', { json: { maintenance: true } });
    expect((await venue.call('GET', '/api/3/public/symbol')).status).toBe(503);
    expect((await admin(venue, 'DELETE')).status).toBe(200);
    expect((await venue.call('GET', '/api/3/public/symbol')).status).toBe(200);
  });

  test.each([
    ['a word that no plan has', { maintainance: true }, 'maintainance'],
    ['a rule without a fault', { http: [{}] }, 'http[0].fault'],
    ['a fault that is none', { http: [{ fault: { kind: 'explode' } }] }, 'http[0].fault.kind'],
    [
      'a status that is no error',
      { http: [{ fault: { kind: 'answer', status: 200 } }] },
      'http[0].fault.status',
    ],
    [
      'a chance above one',
      { http: [{ probability: 1.5, fault: { kind: 'cut' } }] },
      'http[0].probability',
    ],
    [
      'a delay without end',
      { http: [{ fault: { kind: 'delay', delayMs: 1e9 } }] },
      'http[0].fault.delayMs',
    ],
    ['a skew of years', { clockSkewMs: 1e12 }, 'clockSkewMs'],
    ['a list', [], 'the message'],
  ])('%s is refused by its name, and nothing changes', async (_, json, name) => {
    const venue = await opened();
    await admin(venue, 'POST', { json: { clockSkewMs: 5 } });
    const { status, body } = await admin(venue, 'POST', { json });
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 10001, description: expect.stringContaining(name) } },
    ]);
    expect(venue.faults?.state.plan).toEqual({ ...NOTHING, clockSkewMs: 5 });
  });

  test('a body that is no JSON is refused', async () => {
    const venue = await opened();
    const headers = { ...BEARER, 'content-type': 'application/json' };
    const broken = await venue.call('POST', FAULTS, { headers, text: '{"http":' });
    expect(broken).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    const binary = await venue.call('POST', FAULTS, { headers, text: '' });
    expect(binary).toMatchObject({ status: 200, body: { plan: NOTHING } });
  });
});
