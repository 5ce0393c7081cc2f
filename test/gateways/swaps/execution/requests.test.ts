import { createHash, createPublicKey, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { generateKeyPair, SwapClient, type SwapClientSettings } from '../../../../src/clients.ts';
import { openSwapVenue, PUBLIC_KEY } from '../../../server/swaps/kit.ts';
import { answer, openRawService, type RawRequest } from '../../trading/kit/raw-service.ts';
import { executionClient, executionClientOf, PEM } from '../kit.ts';

const TERMS = {
  from: { token_id: 7 },
  to: { network_id: 4, token: 'So11' },
  amount: '1.50',
  slippage_bps: '50',
} as const;
const INTENT = {
  ...TERMS,
  quote_id: 'q-1',
  from: { ...TERMS.from, address: 'mine', public_key: 'ab' },
  to: { ...TERMS.to, address: 'theirs' },
  refund_address: 'back',
} as const;
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** What a client sent for each of some calls, all of which a service answers with nothing of use. */
async function sentBy(
  ask: (client: SwapClient) => Promise<unknown>,
  settings: Partial<SwapClientSettings> = {},
): Promise<RawRequest> {
  const service = await openRawService(answer(400, {}));
  await ask(executionClient(service.url, settings)).catch(() => undefined);
  return service.last;
}

/** Whether the signature of a request is that of a text, checked by Node alone. */
const isSigned = ({ headers }: RawRequest, text: string): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    PUBLIC_KEY,
    Buffer.from(headers['x-api-signature'] ?? '', 'base64'),
  );

describe('every request of the Execution surface', () => {
  const CALLS: readonly ((client: SwapClient) => Promise<unknown>)[] = [
    async (client) => client.isHealthy(),
    async (client) => client.getNetworks(),
    async (client) => client.getTokens({ q: 'x' }),
    async (client) => client.getQuote(TERMS),
    async (client) => client.createIntent(INTENT),
    async (client) => client.getIntent('i-1'),
    async (client) => client.addApproval('i-1', { form: 'permit2', signature: '0x00' }),
  ];

  test(
    'carries the Base64 of the SHA-256 of the PKCS#1 public key, or of SPKI where that is asked for',
    { tags: ['client:swap-execution.auth.header-api-key', 'client:swap-execution.auth.key-form'] },
    async () => {
      for (const form of ['pkcs1', 'spki'] as const) {
        const der = createPublicKey(PEM).export({ type: form, format: 'der' });
        const key = createHash('sha256').update(der).digest('base64');
        for (const call of CALLS) {
          expect((await sentBy(call, { keyForm: form })).headers['x-api-key']).toBe(key);
        }
      }
    },
  );

  test(
    'carries a signature in Base64',
    {
      tags: [
        'client:swap-execution.auth.header-signature',
        'client:swap-execution.auth.signature-encoding',
      ],
    },
    async () => {
      for (const call of CALLS) {
        const signature = (await sentBy(call)).headers['x-api-signature'] ?? '';
        expect(Buffer.from(signature, 'base64').toString('base64')).toBe(signature);
        expect(Buffer.from(signature, 'base64')).toHaveLength(256);
      }
    },
  );

  test(
    'carries the present time in Unix seconds',
    {
      tags: [
        'client:swap-execution.auth.header-timestamp',
        'client:swap-execution.auth.timestamp-unit',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      venue.pass(1_999_999);
      for (const call of CALLS) {
        const { headers } = await sentBy(call, { scheduler: venue.scheduler });
        expect(headers['x-api-timestamp']).toBe(String(venue.seconds));
      }
      expect(venue.seconds).toBe(1_767_607_201);
    },
  );

  test(
    'carries a random UUID, another one for each',
    { tags: ['client:swap-execution.auth.header-nonce'] },
    async () => {
      const service = await openRawService(answer(400, {}));
      const client = executionClient(service.url);
      for (const call of [...CALLS, ...CALLS]) await call(client).catch(() => undefined);
      const nonces = service.requests.map(({ headers }) => headers['x-api-nonce'] ?? '');
      for (const nonce of nonces) expect(nonce).toMatch(UUID);
      expect(new Set(nonces).size).toBe(2 * CALLS.length);
    },
  );

  test('is let in by the service with all of them', async () => {
    const client = executionClientOf(await openSwapVenue());
    expect(await client.getNetworks()).toHaveLength(4);
  });
});

describe('the signature', () => {
  test(
    'is RSASSA-PKCS1-v1_5 with SHA-256 over method, path, query and body with colons between',
    {
      tags: ['client:swap-execution.auth.algorithm', 'client:swap-execution.auth.canonical-string'],
    },
    async () => {
      const sent = await sentBy(async (client) => client.getQuote(TERMS));
      expect(isSigned(sent, `POST:/v1/quotes::${sent.body}`)).toBe(true);
      expect(isSigned(sent, `POST:/v1/quotes/::${sent.body}`)).toBe(false);
    },
  );

  test(
    'sorts the query by its keys, percent-encoded as it is sent, and ends with a colon without a body',
    {
      tags: [
        'client:swap-execution.auth.query-sorted',
        'client:swap-execution.auth.query-form',
        'client:swap-execution.auth.empty-body-segment',
      ],
    },
    async () => {
      const sent = await sentBy(async (client) =>
        client.getTokens({ q: 'ü & x', offset: 0, network_id: 4, limit: 3 }),
      );
      expect(new URLSearchParams(sent.target.split('?')[1]).get('q')).toBe('ü & x');
      const query = 'limit=3&network_id=4&offset=0&q=%C3%BC+%26+x';
      expect(sent.target.split('?')[1]?.split('&').sort().join('&')).toBe(query);
      expect(isSigned(sent, `GET:/v1/tokens:${query}:`)).toBe(true);
    },
  );

  test(
    'leaves the segment of an absent query empty',
    { tags: ['client:swap-execution.auth.empty-query-segment'] },
    async () => {
      const sent = await sentBy(async (client) => client.getIntent('i-1'));
      expect(isSigned(sent, 'GET:/v1/intents/i-1::')).toBe(true);
    },
  );

  test(
    'covers JSON with sorted keys at every depth and no white space, in raw UTF-8, which is what is sent',
    {
      tags: [
        'client:swap-execution.auth.body-sorted-keys',
        'client:swap-execution.auth.nested-sort',
      ],
    },
    async () => {
      const sent = await sentBy(async (client) =>
        client.createIntent({ ...INTENT, refund_address: 'zurück' }),
      );
      expect(sent.body).toBe(
        '{"amount":1.5,"from":{"address":"mine","public_key":"ab","token_id":7},"quote_id":"q-1","refund_address":"zurück","slippage_bps":"50","to":{"address":"theirs","network_id":4,"token":"So11"}}',
      );
      expect(isSigned(sent, `POST:/v1/intents::${sent.body}`)).toBe(true);
    },
  );
});

describe('the private key', () => {
  test(
    'is made by the client with its public half and the API key, which the service knows it by',
    { tags: ['client:swap-execution.auth.key-pair-generation'] },
    async () => {
      const pair = await generateKeyPair();
      const publicKey = createPublicKey(pair.publicKey);
      const der = publicKey.export({ type: 'pkcs1', format: 'der' });
      expect(pair.apiKey).toBe(createHash('sha256').update(der).digest('base64'));
      expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
      const client = executionClient('http://127.0.0.1:1', { privateKey: pair.privateKey });
      expect(client.apiKey).toBe(pair.apiKey);
      expect((await generateKeyPair()).privateKey).not.toBe(pair.privateKey);
    },
  );

  test(
    'goes into no request, no error and no look at the client',
    { tags: ['client:swap-execution.auth.private-key-stays'] },
    async () => {
      const der = createPrivate();
      const service = await openRawService((request, socket) => {
        answer(401, { code: 401, type: 'unauthorized', message: JSON.stringify(request) })(
          request,
          socket,
        );
      });
      const client = executionClient(service.url);
      const errors: unknown[] = [];
      for (const call of [async () => client.getQuote(TERMS), async () => client.getNetworks()]) {
        await call().catch((error: unknown) => errors.push(error));
      }
      const shown = [...service.requests, client, ...errors].map((one) =>
        inspect(one, { depth: 9, showHidden: true }),
      );
      const signature = service.last.headers['x-api-signature'] ?? '-';
      for (const text of shown) for (const secret of der) expect(text).not.toContain(secret);
      for (const text of shown.slice(service.requests.length))
        expect(text).not.toContain(signature);
    },
  );

  test('of no use is refused without a character of it', () => {
    for (const privateKey of ['', 'no-key-at-all', 'ab12', PEM.replace('PRIVATE', 'PUBLIC')]) {
      const make = () => new SwapClient({ url: 'http://127.0.0.1:1', privateKey });
      expect(make).toThrow(expect.objectContaining({ code: 'config-invalid' }) as Error);
      expect(make).not.toThrow(/no-key-at-all|ab12/);
    }
  });

  /** Parts of the private key, as text could hold them. */
  function createPrivate(): readonly string[] {
    const lines = PEM.split('\n').filter((line) => line.length === 64);
    return [...lines, PEM.slice(40, 80)];
  }
});

describe('the dialect of requests', () => {
  const body = async (
    dialect: SwapClientSettings['dialect'],
    ask: (client: SwapClient) => Promise<unknown>,
  ): Promise<[target: string, body: unknown]> => {
    const { target, body: text } = await sentBy(ask, { dialect });
    return [target, JSON.parse(text) as unknown];
  };

  test('is that of the specification where nothing else is asked for, without slashes at the end', async () => {
    expect(await body(undefined, async (client) => client.getQuote(TERMS))).toEqual([
      '/v1/quotes',
      {
        from: { token_id: 7 },
        to: { network_id: 4, token: 'So11' },
        amount: 1.5,
        slippage_bps: '50',
      },
    ]);
  });

  test(
    'can have prefixed members, which the service takes too',
    { tags: ['client:swap-execution.conv.selector-prefixed-form'] },
    async () => {
      const [target, sent] = await body('prefixed', async (client) => client.createIntent(INTENT));
      expect(target).toBe('/v1/intents');
      expect(sent).toMatchObject({
        from: { from_token_id: 7, from_address: 'mine', from_public_key: 'ab' },
        to: { to_network_id: 4, to_token: 'So11', to_address: 'theirs' },
      });
      const client = executionClientOf(await openSwapVenue(), { dialect: 'prefixed' });
      const quote = await client.getQuote({
        ...TERMS,
        from: { token_id: 10 },
        to: { token_id: 40 },
      });
      expect([quote.from.token_id, quote.to.token_id]).toEqual([10, 40]);
    },
  );

  test(
    'can be the newest, with slashes at the end that are signed as they are sent',
    { tags: ['client:swap-execution.conv.trailing-slash'] },
    async () => {
      const sent = await sentBy(async (client) => client.getQuote(TERMS), { dialect: 'newest' });
      expect(sent.target).toBe('/v1/quotes/');
      expect(isSigned(sent, `POST:/v1/quotes/::${sent.body}`)).toBe(true);
      expect(JSON.parse(sent.body)).toEqual({
        from: { token_id: 7 },
        to: { network_id: 4, contract_address: 'So11' },
        amount: '1.5',
        slippage_bps: '50',
      });
      const venue = await openSwapVenue();
      expect(await executionClientOf(venue, { dialect: 'newest' }).getNetworks()).toHaveLength(4);
    },
  );

  test('of the newest form makes intents of quotes alone', async () => {
    expect(await body('newest', async (client) => client.createIntent(INTENT))).toEqual([
      '/v1/intents/',
      {
        quote_id: 'q-1',
        from: { address: 'mine', refund_address: 'back', public_key: 'ab' },
        to: { address: 'theirs' },
      },
    ]);
    const client = executionClient('http://127.0.0.1:1', { dialect: 'newest' });
    const { quote_id: _, ...without } = INTENT;
    await expect(client.createIntent(without)).rejects.toMatchObject({ field: 'quote_id' });
  });

  test('of the newest form hands a cosigned transaction over as the Base64 of its JSON, and calls Bitcoin htlc', async () => {
    const [target, cosign] = await body('newest', async (client) =>
      client.addApproval('i-1', { form: 'cosign', transaction: 'ab', userAddress: 'me' }),
    );
    expect(target).toBe('/v1/intents/i-1/approvals/');
    const { signed_data: data } = cosign as { readonly signed_data: string };
    expect(JSON.parse(Buffer.from(data, 'base64').toString())).toEqual({
      transaction: 'ab',
      user_address: 'me',
    });
    const [, htlc] = await body('newest', async (client) =>
      client.addApproval('i-1', { form: 'htlc', psbt: 'cHNidP8=' }),
    );
    expect(htlc).toEqual({ approval_type: 'htlc', signed_data: 'cHNidP8=' });
  });

  test(
    'of the newest form alone lists swaps, which the venue does not serve',
    { tags: ['client:swap-execution.intents.get-swaps-history'] },
    async () => {
      const from = {
        network_id: 1,
        token_id: 7,
        contract_address: '0xA',
        decimals: 6,
        amount: '2.5',
      };
      const to = {
        network_id: 4,
        contract_address: 'So11',
        decimals: 9,
        min_amount: '0.1',
        max_amount: '0.2',
      };
      const items = [{ intent_id: 'i-1', status: 'Finished', from, to }];
      const service = await openRawService(answer(200, { items }));
      const client = executionClient(service.url, { dialect: 'newest' });
      const range = {
        swap_created_from: 1_767_607_200_000_000,
        swap_created_to: 1_767_607_300_000_000,
      };
      expect(await client.getSwaps({ limit: 5, offset: 0, status: 'Finished', ...range })).toEqual([
        {
          intent_id: 'i-1',
          status: 'Finished',
          state: 'finished',
          isFinal: true,
          from_amount_lots: 2_500_000n,
          from_network_id: 1,
          from_token: '0xA',
          to_network_id: 4,
          to_token: 'So11',
          to_min_amount_lots: 100_000_000n,
          to_max_amount_lots: 200_000_000n,
        },
      ]);
      expect(service.last.target).toBe(
        '/v1/swaps/?limit=5&offset=0&status=Finished&swap_created_from=1767607200000000&swap_created_to=1767607300000000',
      );
      const plain = executionClient(service.url).getSwaps();
      await expect(plain).rejects.toMatchObject({ code: 'request-invalid', field: 'dialect' });
      const venue = await openSwapVenue();
      const rejected = executionClientOf(venue, { dialect: 'newest' }).getSwaps();
      await expect(rejected).rejects.toMatchObject({ code: 'service-refused', httpStatus: 404 });
    },
  );
});
