import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateKeyPair, MillraceError, ExchangeOrdersClient } from '../../../src/clients.ts';
import { readPrivateKey } from '../../../src/wire/key-pair.ts';
import type { RawRequest } from '../trading/kit/raw-service.ts';
import { d } from '../trading/kit/values.ts';
import { KEYS, openScripted, reply, result } from './scripted.ts';

/** Whether the signature of a request is that of its very bytes by the owner of a key. */
const isSigned = ({ headers, body }: RawRequest, publicKey: string): boolean =>
  verify(
    'sha256',
    Buffer.from(body),
    createPublicKey(publicKey),
    Buffer.from(headers['x-api-signature'] ?? '', 'base64'),
  );

const CREATED = {
  id: 'abc123',
  type: 'float',
  status: 'new',
  createdAt: 1_768_000_000_000_000,
  currencyFrom: 'btc',
  currencyTo: 'eth',
  payinAddress: 'bc1payin',
  payoutAddress: '0xA',
  amountExpectedFrom: '1',
  amountExpectedTo: '20.123456789012345678',
  networkFee: '0.001',
};

const TRANSACTION = {
  ...CREATED,
  status: 'waiting',
  moneyReceived: 0,
  payinConfirmations: '0',
  canPush: false,
  canRefund: false,
};

const REQUEST = { from: 'btc', to: 'eth', amountFrom: '1', address: '0xA' } as const;

describe('a request', () => {
  test(
    'goes to /v2 by POST, whatever the method is',
    { tags: ['client:exchange-orders.conv.single-url'] },
    async () => {
      const { client, service } = await openScripted([result([])]);
      await client.getCurrencies();
      await client.getTransactions();
      await client.getPairs();
      expect(service.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
        'POST /v2',
        'POST /v2',
        'POST /v2',
      ]);
      expect(service.last.headers['content-type']).toBe('application/json');
    },
  );

  test(
    'has jsonrpc, an id of its own, method and params',
    { tags: ['client:exchange-orders.conv.envelope-request'] },
    async () => {
      const { client, service } = await openScripted([result('waiting')]);
      await client.getStatus({ id: 'one' });
      await client.getStatus({ id: 'two' });
      const [one, two] = service.requests.map(({ body }) => JSON.parse(body) as { id: unknown });
      expect(one).toEqual({
        jsonrpc: '2.0',
        id: expect.any(String) as string,
        method: 'getStatus',
        params: { id: 'one' },
      });
      expect(two?.id).not.toBe(one?.id);
    },
  );

  test(
    'has an object of params, and an array for fixed rates',
    { tags: ['client:exchange-orders.conv.params-object-or-array'] },
    async () => {
      const { client, asked } = await openScripted([result([])]);
      await client.getCurrenciesFull();
      expect(asked().params).toEqual({});
      await client.getFixRate([{ from: 'btc', to: 'eth' }]);
      expect(asked().params).toEqual([{ from: 'btc', to: 'eth' }]);
    },
  );

  test(
    'writes tickers in small letters',
    { tags: ['client:exchange-orders.conv.tickers-lowercase'] },
    async () => {
      const { client, asked } = await openScripted([result([])]);
      await client.getExchangeAmount({ from: 'BTC', to: 'UsdtTrx', amountFrom: '1' });
      expect(asked().params).toEqual({ from: 'btc', to: 'usdttrx', amountFrom: '1' });
      await client.getTransactions({ currency: ['BTC', 'ETH'] });
      expect(asked().params).toEqual({ currency: ['btc', 'eth'] });
    },
  );

  test(
    'carries amounts as text with all their digits, both ways',
    { tags: ['client:exchange-orders.conv.amount-strings'] },
    async () => {
      const { client, asked } = await openScripted([result(CREATED)]);
      const amount = '123456789.123456789012345678';
      const { amountExpectedTo } = await client.createTransaction({
        ...REQUEST,
        amountFrom: amount,
      });
      expect(asked().params).toMatchObject({ amountFrom: amount });
      expect(amountExpectedTo).toEqual(d('20.123456789012345678'));
      await client.createTransaction({ ...REQUEST, amountFrom: d('0.00000001') });
      expect(asked().params).toMatchObject({ amountFrom: '0.00000001' });
    },
  );

  test.each([
    [{ ...REQUEST, amountFrom: '-1' }, 'amountFrom'],
    [{ ...REQUEST, amountFrom: '1e999' }, 'amountFrom'],
    [{ ...REQUEST, address: '' }, 'address'],
    [{ ...REQUEST, amount: '1' }, 'amount'],
    [{ ...REQUEST, amountFrom: 1 }, 'amountFrom'],
  ])('is not sent where its arguments do not fit: %j', async (given, field) => {
    const { client, service } = await openScripted([result(CREATED)]);
    await expect(client.createTransaction(given as typeof REQUEST)).rejects.toMatchObject({
      code: 'request-invalid',
      field,
    });
    expect(service.requests).toHaveLength(0);
  });

  test.each([{}, { amountFrom: '1', amountTo: '2' }])(
    'is not sent for a rate with neither or both amounts: %j',
    async (amounts) => {
      const { client, service } = await openScripted([result([])]);
      await expect(
        client.getFixRateForAmount({ from: 'btc', to: 'eth', ...amounts }),
      ).rejects.toMatchObject({ code: 'request-invalid' });
      expect(service.requests).toHaveLength(0);
    },
  );
});

describe('a reply', () => {
  test(
    'to another request is none',
    { tags: ['client:exchange-orders.conv.envelope-id-echo'] },
    async () => {
      const { client } = await openScripted([reply({ id: 'another', result: [] })]);
      await expect(client.getCurrencies()).rejects.toMatchObject({
        code: 'answer-invalid',
        field: 'id',
      });
    },
  );

  test(
    'has a result, and one with an error has failed',
    {
      tags: [
        'client:exchange-orders.conv.envelope-success',
        'client:exchange-orders.conv.envelope-error',
      ],
    },
    async () => {
      const failed = { code: -32_602, message: 'Invalid params' };
      const { client } = await openScripted([
        result(['btc', 'eth']),
        reply({ error: failed }),
        reply({ error: null, result: ['btc'] }),
        reply({}),
      ]);
      expect(await client.getCurrencies()).toEqual(['btc', 'eth']);
      await expect(client.getCurrencies()).rejects.toMatchObject({ serviceCode: -32_602 });
      expect(await client.getCurrencies()).toEqual(['btc']);
      await expect(client.getCurrencies()).rejects.toMatchObject({ code: 'answer-invalid' });
    },
  );

  test(
    'that leaves a member out says what null says',
    { tags: ['client:exchange-orders.conv.missing-equals-null'] },
    async () => {
      const nulls = {
        payinExtraId: null,
        payoutExtraId: null,
        refundAddress: null,
        refundExtraId: null,
        payinHash: null,
        amountFrom: null,
        amountTo: null,
        moneySent: null,
      };
      const { client } = await openScripted([
        result([TRANSACTION]),
        result([{ ...TRANSACTION, ...nulls }]),
      ]);
      const [missing] = await client.getTransactions();
      const [absent] = await client.getTransactions();
      const valuesOf = (record: object | undefined): unknown =>
        Object.entries(record ?? {}).filter(([, value]) => value !== undefined);
      expect(valuesOf(absent)).toEqual(valuesOf(missing));
      expect(absent?.payin).toEqual({
        address: 'bc1payin',
        extraId: undefined,
        extraIdName: undefined,
      });
    },
  );

  test(
    'returns times in microseconds',
    { tags: ['client:exchange-orders.conv.micro-timestamps'] },
    async () => {
      const at = 1_768_000_000_123_456;
      const { client } = await openScripted([
        result([{ ...TRANSACTION, createdAt: at, moneyReceived: at + 1, moneySent: at + 2 }]),
      ]);
      expect(await client.getTransactions()).toMatchObject([
        { createdAt: at, moneyReceived: at + 1, moneySent: at + 2 },
      ]);
    },
  );

  test.each(['0.5', 0.5])(
    'may have the expected amount as text or number: %j',
    { tags: ['client:exchange-orders.method.transaction-amount-expected-from'] },
    async (amountExpectedFrom) => {
      const { client } = await openScripted([result([{ ...TRANSACTION, amountExpectedFrom }])]);
      expect(await client.getTransactions()).toMatchObject([{ amountExpectedFrom: d('0.5') }]);
    },
  );

  test(
    'is understood with and without its deprecated trackUrl, which is left out',
    { tags: ['client:exchange-orders.method.track-url-deprecated'] },
    async () => {
      const { client } = await openScripted([
        result({ ...CREATED, trackUrl: 'https://example.com/track' }),
        result(CREATED),
      ]);
      const withUrl = await client.createTransaction(REQUEST);
      expect(withUrl).toEqual(await client.createTransaction(REQUEST));
      expect(withUrl).not.toHaveProperty('trackUrl');
    },
  );

  test(
    'keeps the extra id with the address that needs it',
    { tags: ['client:exchange-orders.method.transaction-payin-extra-id'] },
    async () => {
      const { client } = await openScripted([
        result({ ...CREATED, payinExtraId: '4711' }),
        result({ ...CREATED, payinExtraId: '' }),
        result([{ ...TRANSACTION, payinExtraId: '4711', payinExtraIdName: 'Destination Tag' }]),
      ]);
      const tagged = await client.createTransaction(REQUEST);
      expect(tagged.payin).toMatchObject({ address: 'bc1payin', extraId: '4711' });
      expect(tagged).not.toHaveProperty('payinAddress');
      expect((await client.createTransaction(REQUEST)).payin.extraId).toBeUndefined();
      expect((await client.getTransactions())[0]?.payin).toEqual({
        address: 'bc1payin',
        extraId: '4711',
        extraIdName: 'Destination Tag',
      });
    },
  );

  test.each(['fullName', 'fullname'])(
    'may write %s',
    { tags: ['client:exchange-orders.method.currency-fullname-spelling'] },
    async (spelling) => {
      const currency = {
        name: 'BTC',
        ticker: 'btc',
        [spelling]: 'Bitcoin',
        enabled: true,
        enabledFrom: true,
        enabledTo: true,
        fixRateEnabled: true,
        payinConfirmations: 2,
        fixedTime: 1_200_000,
        blockchainPrecision: 8,
      };
      const { client } = await openScripted([result([currency])]);
      expect(await client.getCurrenciesFull()).toMatchObject([{ fullName: 'Bitcoin' }]);
    },
  );

  const estimate = {
    from: 'btc',
    to: 'eth',
    networkFee: '0.001',
    amountFrom: '1',
    amountTo: '20',
    max: '5',
    maxFrom: '5',
    maxTo: '100',
    min: '0.1',
    minFrom: '0.1',
    minTo: '2',
    visibleAmount: '20.1',
    rate: '20.1',
    fee: '0.1',
  };

  test.each([
    ['one object', estimate],
    ['an array', [estimate]],
  ])(
    'of an estimate may be %s',
    { tags: ['client:exchange-orders.method.get-exchange-amount-object-reply'] },
    async (_, given) => {
      const { client } = await openScripted([result(given)]);
      expect(
        await client.getExchangeAmount({ from: 'btc', to: 'eth', amountFrom: '1' }),
      ).toMatchObject([{ amountTo: d('20'), networkFee: d('0.001') }]);
    },
  );

  test(
    'may have a status that nobody knows',
    { tags: ['client:exchange-orders.state.unknown-status'] },
    async () => {
      const { client } = await openScripted([
        result('pondering'),
        result([{ ...TRANSACTION, status: 'pondering' }]),
      ]);
      expect(await client.getStatus({ id: 'one' })).toBe('pondering');
      expect(await client.getTransactions()).toMatchObject([{ status: 'pondering' }]);
    },
  );

  test('whose members do not fit is reported with the member', async () => {
    const { client } = await openScripted([result([{ ...TRANSACTION, createdAt: 'yesterday' }])]);
    await expect(client.getTransactions()).rejects.toMatchObject({
      code: 'answer-invalid',
      field: 'result.0.createdAt',
    });
  });
});

describe('keys', () => {
  test(
    'name themselves by the hash of the public key, of its PKCS#1 form',
    { tags: ['client:exchange-orders.auth.header-key', 'client:exchange-orders.auth.key-value'] },
    async () => {
      const { client, service } = await openScripted([result([])]);
      await client.getCurrencies();
      const der = createPublicKey(KEYS.publicKey).export({ type: 'pkcs1', format: 'der' });
      expect(service.last.headers['x-api-key']).toBe(
        createHash('sha256').update(der).digest('base64'),
      );
    },
  );

  test(
    'sign each request, by RSA with SHA-256, over the very bytes that are sent',
    {
      tags: [
        'client:exchange-orders.auth.header-signature',
        'client:exchange-orders.auth.signature-alg',
        'client:exchange-orders.auth.raw-body',
      ],
    },
    async () => {
      const { client, service } = await openScripted([result(CREATED)]);
      await client.createTransaction({ ...REQUEST, userMetadata: '{"a":"ü \\" 1.0"}' });
      await client.createTransaction(REQUEST);
      expect(service.requests.map((request) => isSigned(request, KEYS.publicKey))).toEqual([
        true,
        true,
      ]);
      const [one, two] = service.requests.map(({ headers }) => headers['x-api-signature']);
      expect(one).not.toBe(two);
    },
  );

  test.each(['pem', 'hex'])(
    'are read from %s',
    { tags: ['client:exchange-orders.auth.key-import'] },
    async (form) => {
      const der = readPrivateKey(KEYS.privateKey).export({ type: 'pkcs8', format: 'der' });
      const privateKey = form === 'hex' ? der.toString('hex') : KEYS.privateKey;
      const { client, service } = await openScripted([result([])], { privateKey });
      await client.getCurrencies();
      expect(isSigned(service.last, KEYS.publicKey)).toBe(true);
    },
  );

  test(
    'may be two: private sends are signed by their own',
    { tags: ['client:exchange-orders.auth.private-send-key'] },
    async () => {
      const other = await generateKeyPair();
      const { client, service } = await openScripted([result([])], {
        privateSendKey: other.privateKey,
      });
      await client.getPrivateSendTransactions();
      await client.getTransactions();
      expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
        other.apiKey,
        KEYS.apiKey,
      ]);
      expect(service.requests.map((request) => isSigned(request, other.publicKey))).toEqual([
        true,
        false,
      ]);
    },
  );

  test('of no use are refused without a character of them', () => {
    const settings = { url: 'http://127.0.0.1:1', privateKey: 'nothing-of-a-key' };
    expect(() => new ExchangeOrdersClient(settings)).toThrow(MillraceError);
    expect(() => new ExchangeOrdersClient(settings)).not.toThrow('nothing');
  });

  test('are in no error', async () => {
    const { client } = await openScripted([
      ({ headers, body }, socket) => {
        const message = `Invalid ${headers['x-api-signature'] ?? ''}`;
        reply({ error: { code: -32_602, message } })(
          { headers, body, method: '', target: '', connection: 0 },
          socket,
        );
      },
    ]);
    const thrown = await client.createTransaction(REQUEST).catch((error: unknown) => error);
    expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toMatch(/[\w+/]{100}/);
    expect(thrown).toMatchObject({ serviceMessage: 'Invalid [secret]' });
  });
});
