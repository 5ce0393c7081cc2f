import { describe, expect, test } from 'vitest';
import {
  BTC,
  COIN,
  HIDDEN,
  openSwapVenue,
  sharedSwapVenue,
  SOL,
  UNLISTED,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  USDT,
  WETH,
  type SwapAnswer,
} from '../kit.ts';

const ETHER = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const QUOTE = {
  from: { token_id: WETH },
  to: { token_id: USDC_TRON },
  amount: 2,
  slippage_bps: '50',
};

const venue = sharedSwapVenue();

const ask = async (members: object): Promise<SwapAnswer> =>
  venue().call('POST', '/v1/quotes', { json: { ...QUOTE, ...members } });

const invalid = (message: string) => ({
  status: 400,
  body: { code: 400, type: 'validation_error', message },
});

describe('a quote', () => {
  test(
    'has all members, and null for a route that it does not take',
    {
      tags: [
        'server:swap-execution.quotes.post-quotes',
        'server:swap-execution.quotes.record',
        'server:swap-execution.quotes.record-from',
        'server:swap-execution.quotes.record-to',
        'server:swap-execution.quotes.record-mid',
      ],
    },
    async () => {
      const { status, body } = await ask({});
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(UUID) as string,
        from: {
          network_id: 1,
          token: ETHER,
          token_id: WETH,
          amount_lots: '2000000000000000000',
          amount_decimals: 18,
        },
        mid: {
          token_id: null,
          token: null,
          token_min_amount: null,
          token_max_amount: null,
          token_decimals: null,
        },
        to: {
          network_id: 2,
          token: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
          token_id: USDC_TRON,
          min_amount_lots: 5_958_060_000,
          max_amount_lots: 5_988_000_000,
          amount_decimals: 6,
        },
        slippage_bps: '50',
        expires_at: expect.any(Number) as number,
      });
    },
  );

  test(
    'between two assets that are not stable goes over one that is, all members filled',
    { tags: ['server:swap-execution.quotes.record-mid-routing'] },
    async () => {
      const { body } = await ask({ to: { token_id: BTC } });
      expect(body['mid']).toEqual({
        token_id: USDC_ETHEREUM,
        token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        token_min_amount: 5_958_060_000,
        token_max_amount: 5_988_000_000,
        token_decimals: 6,
      });
      const { body: away } = await ask({
        from: { token_id: BTC },
        to: { token_id: SOL },
        amount: 1,
      });
      expect(away['mid']).toMatchObject({ token_id: USDC_SOLANA });
    },
  );

  test(
    'gives its value less the spread at most, and less the slippage at least, both rounded down',
    {
      tags: [
        'server:swap-execution.quotes.min-le-max',
        'server:swap-execution.quotes.min-by-slippage',
      ],
    },
    async () => {
      for (const [slippage_bps, amount, most, least] of [
        ['0', 2, 5_988_000_000, 5_988_000_000],
        ['1', 2, 5_988_000_000, 5_987_401_200],
        ['10000', 2, 5_988_000_000, 0],
        // 3000.000333 less a fifth of a percent is 2994.000332334.
        ['33', 1.000_000_111, 2_994_000_332, 2_984_120_130],
      ] as const) {
        const { body } = await ask({ amount, slippage_bps });
        expect(body['to']).toMatchObject({ min_amount_lots: least, max_amount_lots: most });
      }
    },
  );

  test(
    'has an id of its own, a UUID',
    { tags: ['server:swap-execution.quotes.id-uuid'] },
    async () => {
      const ids = [await ask({}), await ask({})].map(({ body }) => String(body['id']));
      expect(ids[0]).toMatch(UUID);
      expect(ids[1]).toMatch(UUID);
      expect(ids[0]).not.toBe(ids[1]);
    },
  );

  test(
    'expires at a time in Unix milliseconds, a minute ahead',
    { tags: ['server:swap-execution.quotes.expires-at'] },
    async () => {
      const { body } = await ask({});
      expect(body['expires_at']).toBe(venue().scheduler.now() / 1_000 + 60_000);
    },
  );

  test(
    'has lots as JSON numbers with all their digits',
    {
      tags: [
        'server:swap-execution.conv.lots-number-in-quote',
        'server:swap-execution.conv.lots-beyond-2-53',
      ],
    },
    async () => {
      const text =
        '{"from":{"token_id":11},"to":{"token_id":20},"slippage_bps":"50","amount":1.234567890123456789}';
      const { text: answer } = await venue().call('POST', '/v1/quotes', { text });
      expect(answer).toContain('"amount_lots":1234567890123456789,');
      expect(answer).toMatch(/"min_amount_lots":\d+,"max_amount_lots":\d+,/);
      expect(Number.isSafeInteger(Number('1234567890123456789'))).toBe(false);
    },
  );

  test(
    'takes an amount as a number in any notation, and as its text',
    { tags: ['server:swap-execution.conv.amount-number'] },
    async () => {
      for (const amount of ['2', '2.0', '0.2e1', '"2"']) {
        const text = JSON.stringify({ ...QUOTE, amount: 0 }).replace(
          '"amount":0',
          `"amount":${amount}`,
        );
        const { body } = await venue().call('POST', '/v1/quotes', { text });
        expect(body['from']).toMatchObject({ amount_lots: '2000000000000000000' });
      }
      for (const amount of [0, -1, 'two', '', true, [1], {}]) {
        expect(await ask({ amount })).toMatchObject({ status: 400 });
      }
    },
  );

  test(
    'counts lots by the decimals of each token',
    { tags: ['server:swap-execution.conv.decimals-integer'] },
    async () => {
      for (const [from, decimals] of [
        [WETH, 18],
        [USDC_ETHEREUM, 6],
        [BTC, 8],
        [SOL, 9],
      ] as const) {
        const to = { token_id: USDT };
        const { body } = await ask({ from: { token_id: from }, to, amount: 10.5 });
        const { amount_lots: lots, amount_decimals } = body['from'] as Record<string, unknown>;
        expect(amount_decimals).toBe(decimals);
        expect(BigInt(String(lots))).toBe(105n * 10n ** BigInt(decimals - 1));
      }
    },
  );

  test(
    'takes slippage as text of basis points and echoes it',
    { tags: ['server:swap-execution.conv.slippage-string'] },
    async () => {
      for (const slippage_bps of ['0', '125', '10000']) {
        expect((await ask({ slippage_bps })).body['slippage_bps']).toBe(slippage_bps);
      }
      for (const slippage_bps of [50, '0.5', '-1', '1e2', '10001', 'many']) {
        expect(await ask({ slippage_bps })).toMatchObject({ status: 400 });
      }
    },
  );
});

describe('a token', () => {
  const same = async (from: object): Promise<unknown> => {
    const { body } = await ask({ from, to: { token_id: USDC_SOLANA }, amount: 10 });
    return (body['from'] as Record<string, unknown> | undefined)?.['token_id'];
  };

  test(
    'is chosen by its id alone',
    { tags: ['server:swap-execution.conv.selector-token-id'] },
    async () => {
      expect(await same({ token_id: USDT })).toBe(USDT);
    },
  );

  test(
    'is chosen by the id of its network and its address there',
    {
      tags: [
        'server:swap-execution.conv.selector-network-token',
        'server:swap-execution.conv.identifiers',
      ],
    },
    async () => {
      expect(await same({ network_id: 1, token: ETHER })).toBe(WETH);
      expect(await same({ network_id: 1, token: ETHER.toLowerCase() })).toBe(WETH);
      for (const from of [
        { network_id: '1', token: ETHER },
        { token_id: '11' },
        { network_id: 1, token: 7 },
      ]) {
        expect(await ask({ from })).toMatchObject({ status: 400 });
      }
      const unknown = [
        { network_id: 2, token: ETHER },
        { network_id: 9, token: ETHER },
        { token_id: 99 },
      ];
      for (const from of unknown) {
        expect(await ask({ from })).toMatchObject({ status: 422, body: { type: 'unprocessable' } });
      }
      expect(await ask({ from: { token_id: WETH, network_id: 2 } })).toMatchObject({ status: 422 });
    },
  );

  test(
    'that is named in part is refused',
    { tags: ['server:swap-execution.conv.selector-incomplete'] },
    async () => {
      for (const [side, part] of [
        ['from', {}],
        ['from', { network_id: 1 }],
        ['from', { token: ETHER }],
        ['to', { network_id: 1 }],
        ['to', { token: ETHER, token_id: null }],
      ] as const) {
        expect(await ask({ [side]: part })).toMatchObject(
          invalid(
            `body.${side}.token_id is required where network_id and token are not both given`,
          ),
        );
      }
    },
  );

  test(
    'is read with prefixed members too, and those without count where both are there',
    { tags: ['server:swap-execution.conv.selector-prefixed-form'] },
    async () => {
      expect(await same({ from_network_id: 1, from_token: ETHER })).toBe(WETH);
      expect(await same({ from_token_id: USDT })).toBe(USDT);
      expect(await same({ from_token_id: USDT, token_id: WETH })).toBe(WETH);
      const { body } = await ask({ to: { to_token_id: USDC_SOLANA } });
      expect(body['to']).toMatchObject({ token_id: USDC_SOLANA });
      expect(await ask({ from: { to_token_id: WETH } })).toMatchObject({ status: 400 });
    },
  );

  test(
    'of the list can be swapped, and so can one beyond it where its network allows that',
    { tags: ['server:swap-execution.meta.token-id-usable'] },
    async () => {
      const { body } = await venue().call('GET', '/v1/tokens');
      const tokens = body['data'] as {
        token_id: number;
        network_id: number;
        contract_address: string;
      }[];
      for (const { token_id, network_id, contract_address } of tokens) {
        if (token_id === COIN || token_id === USDC_SOLANA) continue;
        expect(await same({ token_id })).toBe(token_id);
        expect(await same({ network_id, token: contract_address })).toBe(token_id);
      }
      expect(await same({ token_id: UNLISTED })).toBe(UNLISTED);
      expect(await ask({ from: { token_id: HIDDEN } })).toMatchObject({ status: 422 });
    },
  );
});

describe('what cannot be quoted', () => {
  test.each(['from', 'to'])(
    'is what lacks %s',
    { tags: ['server:swap-execution.quotes.from-required'] },
    async (member) => {
      expect(await ask({ [member]: undefined })).toMatchObject(
        invalid(`body.${member} is required`),
      );
    },
  );

  test.each(['amount', 'slippage_bps'])(
    'is what lacks %s',
    { tags: ['server:swap-execution.quotes.amount-required'] },
    async (member) => {
      expect(await ask({ [member]: undefined })).toMatchObject(
        invalid(`body.${member} is required`),
      );
    },
  );

  test(
    'is answered with 400 and the name of the member',
    { tags: ['server:swap-execution.error.validation-400'] },
    async () => {
      expect(await ask({ from: 'WETH' })).toMatchObject(invalid('body.from must be an object'));
      expect(await ask({ amount: '-3' })).toMatchObject(
        invalid('body.amount must be a number above 0'),
      );
      expect(await ask({ from: { token_id: 1.5 } })).toMatchObject(
        invalid('body.from.token_id must be a whole number'),
      );
    },
  );

  test(
    'is answered with 422 where the service cannot do it',
    { tags: ['server:swap-execution.error.unprocessable-422'] },
    async () => {
      const before = venue().state();
      for (const [members, message] of [
        [{ from: { token_id: 99 } }, /no token 99/],
        [{ to: { token_id: WETH } }, /is what it shall become already/],
        [{ from: { token_id: COIN } }, /must be wrapped first/],
        [{ amount: 0.000_000_1 }, /value below 1 /],
        [{ amount: 400 }, /value above 1000000 /],
        [{ from: { token_id: USDC_ETHEREUM }, amount: 10.000_000_1 }, /has more/],
      ] as const) {
        const { status, body } = await ask(members);
        expect([status, body['code'], body['type']]).toEqual([422, 422, 'unprocessable']);
        expect(body['message']).toMatch(message);
      }
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'is what nobody has or knows the price of',
    { tags: ['server:swap-execution.error.unprocessable-422'] },
    async () => {
      const own = await openSwapVenue({ poor: true });
      expect(await own.call('POST', '/v1/quotes', { json: QUOTE })).toMatchObject({
        status: 422,
        body: { message: 'There is not so much USDC on tron now.' },
      });
      delete own.value['ETH'];
      expect(await own.call('POST', '/v1/quotes', { json: QUOTE })).toMatchObject({
        status: 422,
        body: { message: 'The price of ETH in USDC is unknown now.' },
      });
    },
  );
});
