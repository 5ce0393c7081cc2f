import { createHash, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openExchangeVenue, OTHER_KEY, PRIVATE_KEY, UNKNOWN_KEY } from './kit.ts';

const pairOf = { from: 'eth', to: 'usdceth' };

describe('The envelope', () => {
  it(
    'answers a POST to /v2 by its method, with the id and the result alone',
    {
      tags: [
        'server:exchange-orders.conv.single-url',
        'server:exchange-orders.conv.envelope-request',
        'server:exchange-orders.conv.envelope-id-echo',
        'server:exchange-orders.conv.envelope-success',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const { status, body, headers } = await venue.ask('getMinAmount', pairOf, { id: 'Ab-7' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(Object.keys(body).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 'Ab-7', result: '0.00333334' });
      expect(await venue.result('getCurrencies', {})).toContain('btc');
    },
  );

  it(
    'echoes whole numbers with all their digits',
    { tags: ['server:exchange-orders.conv.id-integer'] },
    async () => {
      const venue = await openExchangeVenue();
      const ids = ['7', '0', '-3', '123456789012345678901234567890'];
      for (const id of ids) {
        const { text } = await venue.send(`{"jsonrpc":"2.0","id":${id},"method":"getCurrencies"}`);
        expect(text).toContain(`"id":${id},`);
        expect(text).toContain('"result":');
      }
    },
  );

  it(
    'answers errors with status 200, code and message, and no result',
    {
      tags: [
        'server:exchange-orders.conv.envelope-error',
        'server:exchange-orders.error.error-object',
        'server:exchange-orders.error.http-200-errors',
        'server:exchange-orders.error.32601-method-not-found',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const { status, body } = await venue.ask('getNothing', {}, { id: 'e' });
      expect(status).toBe(200);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 'e',
        error: { code: -32601, message: 'Method not found' },
      });
      const reported = await venue.ask('createTransaction', {
        ...pairOf,
        amountFrom: '0.001',
        address: venue.address('usdceth'),
      });
      expect(reported.status).toBe(200);
      expect(reported.body.error?.data).toHaveProperty('limits.min.from', '0.00333334');
    },
  );

  it(
    'takes getCurrencies and getCurrenciesFull without params',
    { tags: ['server:exchange-orders.conv.params-absent'] },
    async () => {
      const venue = await openExchangeVenue();
      expect(await venue.result('getCurrencies')).toHaveLength(7);
      expect(await venue.result('getCurrenciesFull')).toHaveLength(7);
    },
  );

  it(
    'takes params as an object, and as an array of objects for getFixRate',
    { tags: ['server:exchange-orders.conv.params-object-or-array'] },
    async () => {
      const venue = await openExchangeVenue();
      expect(await venue.result('getFixRate', [pairOf])).toHaveLength(1);
      expect(await venue.result('getMinAmount', pairOf)).toBe('0.00333334');
      const { body } = await venue.ask('getFixRate', 'eth');
      expect(body.error).toEqual({ code: -32600, message: 'Invalid Request' });
    },
  );

  it(
    'answers what is no JSON with -32700, what is no request with -32600, with the id where there is one',
    { tags: ['server:exchange-orders.error.malformed-body'] },
    async () => {
      const venue = await openExchangeVenue();
      const unread = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
      for (const text of ['{"jsonrpc":', 'hello', '{"jsonrpc":"2.0",}']) {
        const { status, body } = await venue.send(text);
        expect([status, body]).toEqual([200, unread]);
      }
      const request = { code: -32600, message: 'Invalid Request' };
      for (const text of [
        '[]',
        '7',
        'null',
        '[{"jsonrpc":"2.0","id":"1","method":"getCurrencies"}]',
        '{"jsonrpc":"2.0","id":1.5,"method":"getCurrencies"}',
        '{"jsonrpc":"2.0","id":{"rawJSON":"1"},"method":"getCurrencies"}',
        '{"jsonrpc":"2.0","method":"getCurrencies"}',
      ]) {
        const { status, body } = await venue.send(text);
        expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: null, error: request }]);
        venue.pass(1);
      }
      for (const text of [
        '{"jsonrpc":"1.0","id":"x","method":"getCurrencies"}',
        '{"jsonrpc":"2.0","id":"x","method":7}',
        '{"jsonrpc":"2.0","id":"x","method":"getCurrencies","params":3}',
      ]) {
        const { body } = await venue.send(text);
        expect(body).toEqual({ jsonrpc: '2.0', id: 'x', error: request });
      }
    },
  );

  it(
    'refuses all but POST with 405 and says what is allowed',
    { tags: ['server:exchange-orders.conv.other-http-methods'] },
    async () => {
      const venue = await openExchangeVenue();
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const response = await fetch(`${venue.base}/v2`, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get('allow')).toBe('POST');
        expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
      }
    },
  );
});

describe('Who may ask', () => {
  it(
    'refuses every method without key or signature, with 401 and no word of which',
    {
      tags: [
        'server:exchange-orders.auth.header-key',
        'server:exchange-orders.auth.header-signature',
        'server:exchange-orders.auth.all-methods',
        'server:exchange-orders.auth.refusal-shape',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const { EXCHANGE_METHODS } = await import('../../../src/wire/exchange-orders/methods.ts');
      for (const method of Object.keys(EXCHANGE_METHODS)) {
        for (const missing of ['x-api-key', 'x-api-signature']) {
          const { status, body } = await venue.ask(
            method,
            {},
            { headers: { [missing]: undefined } },
          );
          expect(status).toBe(401);
          expect(body).toEqual({
            jsonrpc: '2.0',
            id: null,
            error: { code: -32600, message: 'Unauthorized' },
          });
        }
      }
    },
  );

  it(
    "takes a request that Node's own crypto signs, over bytes that no serializer writes",
    {
      tags: [
        'server:exchange-orders.auth.key-value',
        'server:exchange-orders.auth.signature-alg',
        'server:exchange-orders.auth.raw-body',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const der = createPublicKey(PRIVATE_KEY).export({ type: 'pkcs1', format: 'der' });
      const spki = createPublicKey(PRIVATE_KEY).export({ type: 'spki', format: 'der' });
      const body = '{ "id" : "1" ,\n\t"method":"getCurrencies", "jsonrpc" : "2.0"  }\n';
      const key = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
      const signature = sign('sha256', Buffer.from(body), PRIVATE_KEY).toString('base64');
      const headers = (shown: string) => ({ 'x-api-key': shown, 'x-api-signature': signature });
      const taken = await venue.send(body, { headers: headers(key(der)) });
      expect(taken.body.result).toContain('eth');
      expect((await venue.send(body, { headers: headers(key(spki)) })).status).toBe(401);
      // The same request, written otherwise than it was signed.
      const rewritten = JSON.stringify(JSON.parse(body));
      expect((await venue.send(rewritten, { headers: headers(key(der)) })).status).toBe(401);
    },
  );

  it(
    'refuses an altered body and foreign keys, and nothing changes',
    { tags: ['server:exchange-orders.auth.wrong-signature'] },
    async () => {
      const venue = await openExchangeVenue();
      const request = {
        jsonrpc: '2.0',
        id: '1',
        method: 'createTransaction',
        params: { ...pairOf, amountFrom: '1', address: venue.address('usdceth') },
      };
      const body = JSON.stringify(request);
      const altered = body.replace('"amountFrom":"1"', '"amountFrom":"9"');
      expect(altered).not.toBe(body);
      const before = venue.state();
      const otherKey = sign('sha256', Buffer.from(body), OTHER_KEY).toString('base64');
      const answers = [
        await venue.send(altered, { signed: body }),
        await venue.send(body, { headers: { 'x-api-signature': otherKey } }),
        await venue.send(body, { privateKey: UNKNOWN_KEY }),
        await venue.send(body, { headers: { 'x-api-signature': 'AAAA' } }),
        await venue.send(body, { headers: { 'x-api-signature': 'not base64!' } }),
        // What is no JSON is refused for its signature first.
        await venue.send('{', { signed: body }),
      ];
      for (const { status, body: answer } of answers) {
        expect([status, answer.error?.message]).toEqual([401, 'Unauthorized']);
      }
      expect(venue.state()).toBe(before);
      expect((await venue.send(body)).body.result).toMatchObject({ status: 'new' });
    },
  );

  it(
    'refuses a method that is not for the key',
    { tags: ['server:exchange-orders.error.32603-not-allowed'] },
    async () => {
      const venue = await openExchangeVenue({ client: { methods: ['getCurrencies'] } });
      const forbidden = [-32603, 'The method is not allowed for api key'];
      expect(await venue.error('getPairs', {})).toEqual(forbidden);
      expect(await venue.result('getCurrencies')).toContain('btc');
      expect(await venue.result('getPairs', {}, { privateKey: OTHER_KEY })).not.toEqual([]);
    },
  );
});

describe('The limit of requests', () => {
  const request = '{"jsonrpc":"2.0","id":"r","method":"getCurrencies"}';

  it(
    'answers ten requests within any second and refuses the eleventh, for each client',
    {
      tags: ['server:exchange-orders.limit.rps-default', 'server:exchange-orders.error.32603-rps'],
    },
    async () => {
      const venue = await openExchangeVenue();
      for (let i = 0; i < 10; i += 1) {
        expect((await venue.send(request)).body.result).toContain('btc');
        venue.pass(0.05);
      }
      const error = { code: -32603, message: 'Error: You reached requests limit 10 rps' };
      expect((await venue.send(request)).body).toEqual({ jsonrpc: '2.0', id: 'r', error });
      expect((await venue.send(request, { privateKey: OTHER_KEY })).body.result).toContain('btc');
      // Half a second later the first is a second old, and one may pass again.
      venue.pass(0.5);
      expect((await venue.send(request)).body.result).toContain('btc');
      expect((await venue.send(request)).body.error).toEqual(error);
    },
  );

  it(
    'counts by the limit of the partner, and reports it',
    { tags: ['server:exchange-orders.limit.rps-configurable'] },
    async () => {
      const venue = await openExchangeVenue({ client: { requestsPerSecond: 3 } });
      for (let i = 0; i < 3; i += 1) expect((await venue.send(request)).body.result).toBeDefined();
      const { body } = await venue.send(request);
      expect(body.error?.message).toBe('Error: You reached requests limit 3 rps');
    },
  );
});

describe('What breaks inside', () => {
  it(
    'answers Internal Error on every method, without a word of what it was',
    { tags: ['server:exchange-orders.error.32603-internal'] },
    async () => {
      const venue = await openExchangeVenue();
      const { EXCHANGE_METHODS } = await import('../../../src/wire/exchange-orders/methods.ts');
      venue.service.broken.inside = true;
      const before = venue.state();
      for (const method of Object.keys(EXCHANGE_METHODS)) {
        const { status, body } = await venue.ask(method, {});
        const error = { code: -32603, message: 'Internal Error' };
        expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 'test', error }]);
      }
      expect(venue.state()).toBe(before);
      venue.service.broken.inside = false;
      expect(await venue.result('getCurrencies')).toContain('btc');
    },
  );
});
