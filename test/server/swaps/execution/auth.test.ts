import { constants, privateEncrypt, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { apiKeyOf } from '../../../../src/wire/key-pair.ts';
import {
  freshUuid,
  openSwapVenue,
  OTHER_KEY,
  PRIVATE_KEY,
  sharedSwapVenue,
  USDC_ETHEREUM,
  USDC_TRON,
  type SwapAsk,
} from '../kit.ts';

const QUOTE = {
  from: { token_id: USDC_ETHEREUM },
  to: { token_id: USDC_TRON },
  amount: 100,
  slippage_bps: '50',
};

const unauthorized = (message: unknown) => ({
  status: 401,
  body: { code: 401, type: 'unauthorized', message },
});

const WRONG = unauthorized('Signature is wrong');
const HOUR_S = 3_600;
const US = 1_000_000;

/** A signature of that very text, made here and not by the code under test. */
const signed = (text: string, encoding: 'base64' | 'hex' = 'base64'): SwapAsk => ({
  headers: { 'x-api-signature': sign('sha256', Buffer.from(text), PRIVATE_KEY).toString(encoding) },
});

describe('credentials', () => {
  const venue = sharedSwapVenue();

  test(
    'name the key by the Base64 of the SHA-256 of its PKCS#1 or SPKI form',
    { tags: ['server:swap-execution.auth.header-api-key', 'server:swap-execution.auth.key-form'] },
    async () => {
      for (const form of ['pkcs1', 'spki'] as const) {
        const apiKey = apiKeyOf(PRIVATE_KEY, form);
        expect(apiKey).toHaveLength(44);
        expect(await venue().call('GET', '/v1/networks', { apiKey })).toMatchObject({
          status: 200,
        });
      }
      const apiKey = Buffer.from(apiKeyOf(PRIVATE_KEY), 'base64').toString('hex');
      expect(await venue().call('GET', '/v1/networks', { apiKey })).toMatchObject(
        unauthorized('API key is unknown'),
      );
    },
  );

  test.each(['x-api-key', 'x-api-signature', 'x-api-timestamp', 'x-api-nonce'])(
    'without %s are refused on GET and POST alike',
    { tags: ['server:swap-execution.auth.missing-header'] },
    async (name) => {
      const before = venue().state();
      const headers = { [name]: undefined };
      const why = unauthorized(`${name} is required`);
      for (const path of ['/v1/networks', '/v1/tokens', '/v1/intents/none']) {
        expect(await venue().call('GET', path, { headers })).toMatchObject(why);
      }
      for (const path of ['/v1/quotes', '/v1/intents', '/v1/intents/none/approvals']) {
        expect(await venue().call('POST', path, { json: QUOTE, headers })).toMatchObject(why);
      }
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'need a signature that is not empty',
    { tags: ['server:swap-execution.auth.header-signature'] },
    async () => {
      const headers = { 'x-api-signature': '' };
      expect(await venue().call('GET', '/v1/networks', { headers })).toMatchObject(
        unauthorized('x-api-signature is required'),
      );
    },
  );

  test(
    'have a time of 10 digits in seconds or 13 in milliseconds',
    {
      tags: [
        'server:swap-execution.auth.header-timestamp',
        'server:swap-execution.auth.timestamp-unit',
      ],
    },
    async () => {
      const now = venue().seconds;
      for (const [text, status] of [
        [String(now), 200],
        [`${now}123`, 200],
        [`${now}0`, 401],
        [new Date(now * 1_000).toISOString(), 401],
      ] as const) {
        const headers = { 'x-api-timestamp': text };
        expect(await venue().call('GET', '/v1/networks', { headers })).toMatchObject({ status });
      }
    },
  );

  test('have a UUID as nonce', { tags: ['server:swap-execution.auth.header-nonce'] }, async () => {
    for (const nonce of ['1', 'abc', `${freshUuid()}0`, freshUuid().replaceAll('-', '')]) {
      const ask = { json: QUOTE, nonce };
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject(
        unauthorized('x-api-nonce must be a UUID'),
      );
    }
  });

  test(
    'of a key that nobody has are refused',
    { tags: ['server:swap-execution.auth.unknown-key'] },
    async () => {
      const before = venue().state();
      const ask = { json: QUOTE, apiKey: 'A'.repeat(43) + '=' };
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject(
        unauthorized('API key is unknown'),
      );
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'are not required to read the liveness of the service',
    { tags: ['server:swap-execution.auth.health-auth'] },
    async () => {
      for (const path of ['/v1/health', '/v1/health/', '/v1/system/live']) {
        expect((await fetch(venue().base + path)).status).toBe(200);
      }
      expect((await fetch(`${venue().base}/v1/networks`)).status).toBe(401);
    },
  );
});

describe('a signature', () => {
  const venue = sharedSwapVenue();
  const body = JSON.stringify(QUOTE);

  test(
    'is RSASSA-PKCS1-v1_5 with SHA-256 and nothing else',
    { tags: ['server:swap-execution.auth.algorithm'] },
    async () => {
      const text = 'GET:/v1/networks::';
      const by = (signature: Buffer): SwapAsk => ({
        headers: { 'x-api-signature': signature.toString('base64') },
      });
      const ask = (one: SwapAsk) => venue().call('GET', '/v1/networks', one);
      expect(await ask(by(sign('sha256', Buffer.from(text), PRIVATE_KEY)))).toMatchObject({
        status: 200,
      });
      const pss = { key: PRIVATE_KEY, padding: constants.RSA_PKCS1_PSS_PADDING };
      for (const other of [
        sign('sha512', Buffer.from(text), PRIVATE_KEY),
        sign('sha256', Buffer.from(text), pss),
        privateEncrypt(PRIVATE_KEY, Buffer.from(text)),
      ]) {
        expect(await ask(by(other))).toMatchObject(WRONG);
      }
    },
  );

  test(
    'is written as Base64, not hexadecimal',
    { tags: ['server:swap-execution.auth.signature-encoding'] },
    async () => {
      const text = 'GET:/v1/networks::';
      expect(await venue().call('GET', '/v1/networks', signed(text))).toMatchObject({
        status: 200,
      });
      expect(await venue().call('GET', '/v1/networks', signed(text, 'hex'))).toMatchObject(WRONG);
    },
  );

  test(
    'covers method, path, query and body, joined by colons',
    { tags: ['server:swap-execution.auth.canonical-string'] },
    async () => {
      const text =
        'POST:/v1/quotes:a=1:{"amount":100,"from":{"token_id":10},"slippage_bps":"50","to":{"token_id":20}}';
      const ask = { text: body, ...signed(text) };
      expect(await venue().call('POST', '/v1/quotes?a=1', ask)).toMatchObject({ status: 200 });
      for (const other of [text.replaceAll(':/', ' /'), text.toLowerCase(), text.slice(5), body]) {
        const altered = { text: body, ...signed(other) };
        expect(await venue().call('POST', '/v1/quotes?a=1', altered)).toMatchObject(WRONG);
      }
    },
  );

  test(
    'has an empty segment where there is no query',
    { tags: ['server:swap-execution.auth.empty-query-segment'] },
    async () => {
      const path = '/v1/networks';
      expect(await venue().call('GET', path, signed(`GET:${path}::`))).toMatchObject({
        status: 200,
      });
      expect(await venue().call('GET', path, signed(`GET:${path}:`))).toMatchObject(WRONG);
      expect(await venue().call('GET', path, signed(`GET:${path}:?:`))).toMatchObject(WRONG);
    },
  );

  test(
    'ends with a colon where there is no body',
    { tags: ['server:swap-execution.auth.empty-body-segment'] },
    async () => {
      const path = '/v1/tokens?limit=1';
      const text = 'GET:/v1/tokens:limit=1:';
      expect(await venue().call('GET', path, signed(text))).toMatchObject({ status: 200 });
      for (const other of [text.slice(0, -1), `${text}{}`, `${text}null`]) {
        expect(await venue().call('GET', path, signed(other))).toMatchObject(WRONG);
      }
    },
  );

  test(
    'sorts the query by key, as it is percent-encoded, with repeated keys in order',
    { tags: ['server:swap-execution.auth.query-sorted', 'server:swap-execution.auth.query-form'] },
    async () => {
      const path = '/v1/tokens?q=U%53DC&offset=0&x=2&x=1&limit=5&a+b=%20';
      const sorted = 'GET:/v1/tokens:a+b=%20&limit=5&offset=0&q=U%53DC&x=2&x=1:';
      expect(await venue().call('GET', path, signed(sorted))).toMatchObject({ status: 200 });
      for (const other of [
        'GET:/v1/tokens:q=U%53DC&offset=0&x=2&x=1&limit=5&a+b=%20:',
        sorted.replace('x=2&x=1', 'x=1&x=2'),
        sorted.replace('%53', 'S'),
        sorted.replace('%20', '+'),
      ]) {
        expect(await venue().call('GET', path, signed(other))).toMatchObject(WRONG);
      }
    },
  );

  test(
    'covers the body with sorted keys and without white space',
    { tags: ['server:swap-execution.auth.body-sorted-keys'] },
    async () => {
      const spaced = JSON.stringify(QUOTE, undefined, 2);
      const sorted =
        '{"amount":100,"from":{"token_id":10},"slippage_bps":"50","to":{"token_id":20}}';
      const ask = { text: spaced, ...signed(`POST:/v1/quotes::${sorted}`) };
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject({ status: 200 });
      const asSent = { text: spaced, ...signed(`POST:/v1/quotes::${spaced}`) };
      expect(await venue().call('POST', '/v1/quotes', asSent)).toMatchObject(WRONG);
    },
  );

  test(
    'sorts the keys of nested objects, and leaves text beyond ASCII and numbers as they are written',
    { tags: ['server:swap-execution.auth.nested-sort'] },
    async () => {
      const sent =
        '{"to":{"token_id":20,"note":"h\\u00e9"},"from":{"z":{"b":1,"a":[{"d":1,"c":2.50}]},"token_id":10},"amount":1.00e2,"slippage_bps":"50","9":0,"10":0}';
      const sorted =
        '{"10":0,"9":0,"amount":1.00e2,"from":{"token_id":10,"z":{"a":[{"c":2.50,"d":1}],"b":1}},"slippage_bps":"50","to":{"note":"hé","token_id":20}}';
      const ask = (text: string) => ({ text: sent, ...signed(`POST:/v1/quotes::${text}`) });
      expect(await venue().call('POST', '/v1/quotes', ask(sorted))).toMatchObject({ status: 200 });
      for (const other of [
        sorted.replace('hé', '\\u00e9'),
        sorted.replace('2.50', '2.5'),
        sorted.replace('1.00e2', '100'),
        sorted.replace('{"c":2.50,"d":1}', '{"d":1,"c":2.50}'),
      ]) {
        expect(await venue().call('POST', '/v1/quotes', ask(other))).toMatchObject(WRONG);
      }
    },
  );

  test(
    'holds for the same body with its keys in another order',
    { tags: ['server:swap-execution.auth.body-key-order-independent'] },
    async () => {
      const { from, to, amount, slippage_bps } = QUOTE;
      const text = JSON.stringify({ slippage_bps, to, amount, from });
      expect(await venue().call('POST', '/v1/quotes', { text, signed: { body } })).toMatchObject({
        status: 200,
      });
    },
  );

  test(
    'by another key, or over another method, path, query or body, is refused and leaves no trace',
    { tags: ['server:swap-execution.auth.wrong-signature'] },
    async () => {
      const before = venue().state();
      const text = JSON.stringify({ ...QUOTE, amount: 101 });
      for (const ask of [
        { json: QUOTE, privateKey: OTHER_KEY, apiKey: apiKeyOf(PRIVATE_KEY) },
        { json: QUOTE, signed: { method: 'PUT' } },
        { json: QUOTE, signed: { path: '/v1/intents' } },
        { json: QUOTE, signed: { query: 'a=2' } },
        { json: QUOTE, signed: { body: text } },
        { json: QUOTE, headers: { 'x-api-signature': 'not Base64 at all!' } },
      ]) {
        expect(await venue().call('POST', '/v1/quotes?a=1', ask)).toMatchObject(WRONG);
      }
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'covers the path as it is sent, with the slash at its end or without',
    { tags: ['server:swap-execution.conv.trailing-slash'] },
    async () => {
      for (const [path, other] of [
        ['/v1/quotes', '/v1/quotes/'],
        ['/v1/quotes/', '/v1/quotes'],
      ] as const) {
        expect(await venue().call('POST', path, { json: QUOTE })).toMatchObject({ status: 200 });
        const ask = { json: QUOTE, signed: { path: other } };
        expect(await venue().call('POST', path, ask)).toMatchObject(WRONG);
      }
    },
  );
});

describe('a timestamp', () => {
  const venue = sharedSwapVenue();

  test(
    'of more than an hour ago is too old',
    { tags: ['server:swap-execution.auth.timestamp-too-old'] },
    async () => {
      const before = venue().state();
      const ask = { json: QUOTE, seconds: venue().seconds - HOUR_S - 1 };
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject(
        unauthorized('Timestamp is too old'),
      );
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'of an hour ago is not',
    { tags: ['server:swap-execution.auth.timestamp-within-hour'] },
    async () => {
      for (const age of [HOUR_S, HOUR_S - 1, 60]) {
        const ask = { json: QUOTE, seconds: venue().seconds - age };
        expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject({ status: 200 });
      }
    },
  );

  test(
    'may be five minutes ahead and no more',
    { tags: ['server:swap-execution.auth.timestamp-future'] },
    async () => {
      const at = (seconds: number) =>
        venue().call('POST', '/v1/quotes', { json: QUOTE, seconds: venue().seconds + seconds });
      expect(await at(300)).toMatchObject({ status: 200 });
      expect(await at(301)).toMatchObject(unauthorized('Timestamp is in the future'));
    },
  );

  test(
    'counts on GET too, where a nonce may come again',
    { tags: ['server:swap-execution.auth.post-scope'] },
    async () => {
      const nonce = freshUuid();
      const old = { nonce, seconds: venue().seconds - HOUR_S - 1 };
      expect(await venue().call('GET', '/v1/networks', old)).toMatchObject(
        unauthorized('Timestamp is too old'),
      );
      for (const ask of [{ nonce }, { nonce }]) {
        expect(await venue().call('GET', '/v1/networks', ask)).toMatchObject({ status: 200 });
      }
    },
  );
});

describe('a nonce', () => {
  const venue = sharedSwapVenue();
  const REUSED = unauthorized('Nonce reuse');

  test(
    'that was used is refused with 401, for another call and in capital letters too',
    { tags: ['server:swap-execution.auth.nonce-reuse', 'server:swap-execution.error.auth-status'] },
    async () => {
      const nonce = freshUuid();
      const ask = { json: QUOTE, nonce };
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject({ status: 200 });
      const before = venue().state();
      expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject(REUSED);
      expect(await venue().call('POST', '/v1/intents', ask)).toMatchObject(REUSED);
      const loud = { json: QUOTE, nonce: nonce.toUpperCase() };
      expect(await venue().call('POST', '/v1/quotes', loud)).toMatchObject(REUSED);
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'is remembered as long as a request with it could pass',
    { tags: ['server:swap-execution.auth.nonce-retention'] },
    async () => {
      const own = await openSwapVenue();
      const nonce = freshUuid();
      const ask = () => own.call('POST', '/v1/quotes', { json: QUOTE, nonce });
      expect(await ask()).toMatchObject({ status: 200 });
      own.pass(59 * 60 * US);
      expect(await ask()).toMatchObject(REUSED);
      own.pass(60 * US);
      expect(await ask()).toMatchObject(REUSED);
      own.pass(US);
      expect(await ask()).toMatchObject({ status: 200 });
    },
  );

  test(
    'of a clock that is ahead is remembered until its own hour is over',
    { tags: ['server:swap-execution.auth.nonce-retention'] },
    async () => {
      const own = await openSwapVenue();
      const nonce = freshUuid();
      const seconds = own.seconds + 300;
      const ask = () => own.call('POST', '/v1/quotes', { json: QUOTE, nonce, seconds });
      expect(await ask()).toMatchObject({ status: 200 });
      own.pass((HOUR_S + 299) * US);
      expect(await ask()).toMatchObject(REUSED);
    },
  );

  test(
    'is used by a request that is verified only, and by its partner only',
    { tags: ['server:swap-execution.auth.nonce-per-key'] },
    async () => {
      const nonce = freshUuid();
      const unsigned = { json: QUOTE, nonce, signed: { path: '/' } };
      expect(await venue().call('POST', '/v1/quotes', unsigned)).toMatchObject(WRONG);
      const late = { json: QUOTE, nonce, seconds: venue().seconds - HOUR_S - 1 };
      expect(await venue().call('POST', '/v1/quotes', late)).toMatchObject({ status: 401 });
      for (const privateKey of [PRIVATE_KEY, OTHER_KEY]) {
        const ask = { json: QUOTE, nonce, privateKey };
        expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject({ status: 200 });
        expect(await venue().call('POST', '/v1/quotes', ask)).toMatchObject(REUSED);
      }
      const renamed = { json: QUOTE, nonce, apiKey: apiKeyOf(PRIVATE_KEY, 'spki') };
      expect(await venue().call('POST', '/v1/quotes', renamed)).toMatchObject(REUSED);
    },
  );

  test(
    'lets one of many requests at once through',
    { tags: ['server:swap-execution.auth.nonce-concurrent'] },
    async () => {
      const nonce = freshUuid();
      const asked = Array.from({ length: 8 }, () =>
        venue().call('POST', '/v1/quotes', { json: QUOTE, nonce }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 401),
      ]);
    },
  );
});
