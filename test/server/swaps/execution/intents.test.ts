import { describe, expect, test } from 'vitest';
import {
  BTC,
  openSwapVenue,
  OTHER_KEY,
  sharedSwapVenue,
  SOL,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  USDT,
  WETH,
  type SwapAnswer,
  type SwapVenue,
} from '../kit.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const S = 1_000_000;

const venue = sharedSwapVenue();

type Members = Readonly<Record<string, unknown>>;

/** Asks for an intent of 100 USDC of Ethereum for USDC of Tron, with members of its own. */
const ask = async (members: Members, at: SwapVenue = venue()): Promise<SwapAnswer> =>
  at.call('POST', '/v1/intents', { json: { ...body(at), ...members } });

const body = (at: SwapVenue = venue()) => at.swapBody(USDC_ETHEREUM, USDC_TRON);

const quoted = async (at: SwapVenue, members: Members = {}): Promise<string> => {
  const { from, to, amount, slippage_bps } = body(at);
  const json = { from, to, amount, slippage_bps, ...members };
  const { body: quote } = await at.call('POST', '/v1/quotes', { json });
  return String(quote['id']);
};

const invalid = (message: string) => ({
  status: 400,
  body: { code: 400, type: 'validation_error', message },
});

const rejected = (message: RegExp) => ({
  status: 422,
  body: {
    code: 422,
    type: 'unprocessable',
    message: expect.stringMatching(message) as string,
  },
});

/** Asks, and looks whether anything was changed by it. */
async function traceless(members: Members, why: object, at: SwapVenue = venue()): Promise<void> {
  const before = at.state();
  expect(await ask(members, at)).toMatchObject(why);
  expect(at.state()).toBe(before);
}

describe('an intent', () => {
  test(
    'is made on its quote, and answers what is to be signed until when',
    {
      tags: ['server:swap-execution.intents.post-intents', 'server:swap-execution.intents.result'],
    },
    async () => {
      const own = await openSwapVenue();
      const quote_id = await quoted(own);
      const { status, body: created } = await ask({ quote_id }, own);
      expect(status).toBe(200);
      expect(created).toEqual({
        id: expect.stringMatching(UUID) as string,
        deadline_at: own.seconds + 1_800,
        secret_hash: expect.stringMatching(/^0x[\da-f]{64}$/) as string,
        approval_type: 'permit2',
        params_to_sign: expect.any(Object) as object,
      });
      expect(own.service.intents().map(({ quote }) => quote.id)).toEqual([quote_id]);
    },
  );

  test(
    'of Solana answers the same members',
    { tags: ['server:swap-execution.intents.result'] },
    async () => {
      const created = await venue().createIntent(SOL, USDC_TRON);
      expect(Object.keys(created).toSorted()).toEqual([
        'approval_type',
        'deadline_at',
        'id',
        'params_to_sign',
        'secret_hash',
      ]);
      expect(created['approval_type']).toBe('cosign');
    },
  );

  test(
    'of Bitcoin answers neither deadline nor secret',
    { tags: ['server:swap-execution.intents.result-bitcoin'] },
    async () => {
      const created = await venue().createIntent(BTC, USDC_TRON, 0.1);
      expect(Object.keys(created).toSorted()).toEqual(['approval_type', 'id', 'params_to_sign']);
    },
  );

  test(
    'has its deadline in Unix seconds, moved up to a whole one',
    { tags: ['server:swap-execution.intents.deadline-unit'] },
    async () => {
      const own = await openSwapVenue();
      own.pass(1);
      const { body: created } = await ask({}, own);
      expect(created['deadline_at']).toBe(own.seconds + 1_801);
    },
  );

  test.each([
    ['permit2', USDC_ETHEREUM],
    ['permit2', USDC_TRON],
    ['htlc', BTC],
    ['cosign', USDC_SOLANA],
    ['cosign', SOL],
  ] as const)(
    'is approved by %s, for token %i',
    { tags: ['server:swap-execution.intents.form-by-chain'] },
    async (form, token) => {
      const created = await venue().createIntent(token, USDT, 1.5);
      expect(created['approval_type']).toBe(form);
    },
  );

  test(
    'names tokens by the ids of the lists',
    { tags: ['server:swap-execution.meta.token-id-usable'] },
    async () => {
      const { body: tokens } = await venue().call('GET', '/v1/tokens?q=usdc&network_id=1');
      const [token] = tokens['data'] as {
        token_id: number;
        network_id: number;
        contract_address: string;
      }[];
      const { address } = venue().owner(USDC_ETHEREUM);
      for (const from of [
        { address, token_id: token?.token_id },
        { address, network_id: token?.network_id, token: token?.contract_address },
      ]) {
        expect(await ask({ from })).toMatchObject({ status: 200 });
      }
    },
  );
});

describe('the members of an intent', () => {
  test(
    'are from.address',
    { tags: ['server:swap-execution.intents.from-address-required'] },
    async () => {
      const from = { token_id: USDC_ETHEREUM };
      await traceless({ from }, invalid('body.from.address is required'));
      await traceless({ from: { ...from, address: '' } }, invalid('body.from.address is required'));
      await traceless({ from: { ...from, address: 'T1' } }, rejected(/no address of Ethereum/));
    },
  );

  test(
    'are to.address',
    { tags: ['server:swap-execution.intents.to-address-required'] },
    async () => {
      const to = { token_id: USDC_TRON };
      await traceless({ to }, invalid('body.to.address is required'));
      const { address } = venue().user('ethereum');
      await traceless({ to: { ...to, address } }, rejected(/no address of Tron/));
    },
  );

  test(
    'are refund_address, on the network that the money comes from',
    { tags: ['server:swap-execution.intents.refund-address-required'] },
    async () => {
      await traceless({ refund_address: undefined }, invalid('body.refund_address is required'));
      const { address } = venue().user('tron');
      await traceless({ refund_address: address }, rejected(/no address of Ethereum/));
    },
  );

  test('are amount', { tags: ['server:swap-execution.intents.amount-required'] }, async () => {
    await traceless({ amount: undefined }, invalid('body.amount is required'));
  });

  test(
    'are slippage_bps',
    { tags: ['server:swap-execution.intents.slippage-required'] },
    async () => {
      await traceless({ slippage_bps: undefined }, invalid('body.slippage_bps is required'));
    },
  );

  const needsToken = async (side: 'from' | 'to'): Promise<void> => {
    const { address } = body()[side] as { address: string };
    const message = `body.${side}.token_id is required where network_id and token are not both given`;
    await traceless({ [side]: { address } }, invalid(message));
    await traceless({ [side]: { address, network_id: 1 } }, invalid(message));
    await traceless({ [side]: { address, token: 'BTC' } }, invalid(message));
  };

  test(
    'are the token that is given, by its id or its network and address',
    { tags: ['server:swap-execution.intents.from-token-selector'] },
    async () => {
      await needsToken('from');
    },
  );

  test(
    'are the token that is wanted, by its id or its network and address',
    { tags: ['server:swap-execution.intents.to-token-selector'] },
    async () => {
      await needsToken('to');
    },
  );

  test(
    'are read with their prefixes too',
    { tags: ['server:swap-execution.conv.selector-prefixed-form'] },
    async () => {
      const { from, to } = body();
      const prefixed = {
        from: { from_token_id: USDC_ETHEREUM, from_address: from['address'] },
        to: {
          to_network_id: 2,
          to_token: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
          to_address: to['address'],
        },
      };
      const { status, body: created } = await ask(prefixed);
      expect(status).toBe(200);
      expect(await venue().status(created)).toMatchObject({
        from_token_id: USDC_ETHEREUM,
        to_token_id: USDC_TRON,
      });
    },
  );

  test.each([
    ['Bitcoin', BTC, false],
    ['Solana', SOL, false],
    ['Ethereum', USDC_ETHEREUM, true],
    ['Tron', USDC_TRON, true],
  ] as const)(
    'are from.public_key, of %s',
    { tags: ['server:swap-execution.intents.public-key-required'] },
    async (_name, token, isTaken) => {
      const json = venue().swapBody(token, USDT, 2);
      const { public_key: _key, ...from } = json.from;
      const before = venue().state();
      const answer = await venue().call('POST', '/v1/intents', { json: { ...json, from } });
      if (isTaken) {
        expect(answer).toMatchObject({ status: 200 });
      } else {
        expect(answer).toMatchObject(invalid('body.from.public_key is required'));
        expect(venue().state()).toBe(before);
      }
    },
  );

  test(
    'are refused where a key is not that of the address',
    { tags: ['server:swap-execution.error.unprocessable-422'] },
    async () => {
      const json = venue().swapBody(SOL, USDT, 2);
      const { publicKey } = venue().user('solana', 'somebody');
      const from = { ...json.from, public_key: publicKey };
      const before = venue().state();
      const answer = await venue().call('POST', '/v1/intents', { json: { ...json, from } });
      expect(answer).toMatchObject({ status: 422 });
      expect(venue().state()).toBe(before);
    },
  );
});

describe('the quote of an intent', () => {
  test(
    'is made with it where it names none, but where the provider of its network wants one named',
    {
      tags: [
        'server:swap-execution.intents.quote-id',
        'server:swap-execution.intents.without-quote-id',
      ],
    },
    async () => {
      const own = await openSwapVenue({ terms: { quoteRequired: ['ethereum'] } });
      await traceless({}, rejected(/Intents from ethereum need a quote/), own);
      const quote_id = await quoted(own);
      expect(await ask({ quote_id }, own)).toMatchObject({ status: 200 });
      const created = await own.createIntent(USDC_TRON, USDT);
      expect(own.service.intents()[1]?.quote).toMatchObject({
        fromLots: 100_000_000n,
        outcome: { mostLots: 99_800_000n, leastLots: 99_301_000n },
      });
      expect(await own.status(created)).toMatchObject({ to_max_amount_lots: '99800000' });
    },
  );

  test(
    'serves one intent',
    { tags: ['server:swap-execution.intents.quote-one-intent'] },
    async () => {
      const own = await openSwapVenue();
      const quote_id = await quoted(own);
      expect(await ask({ quote_id }, own)).toMatchObject({ status: 200 });
      await traceless({ quote_id }, rejected(/has served an intent already/), own);
    },
  );

  test(
    'is refused after it has expired',
    { tags: ['server:swap-execution.quotes.expired-refused'] },
    async () => {
      const own = await openSwapVenue();
      const [first, second] = [await quoted(own), await quoted(own)];
      own.pass(60 * S);
      expect(await ask({ quote_id: first }, own)).toMatchObject({ status: 200 });
      own.pass(1_000);
      await traceless({ quote_id: second }, rejected(/has expired/), own);
    },
  );

  test(
    'is refused where it says something else',
    { tags: ['server:swap-execution.intents.quote-mismatch'] },
    async () => {
      const own = await openSwapVenue();
      const quote_id = await quoted(own);
      const { from, to } = body(own);
      for (const [members, what] of [
        [{ amount: 100.000_001 }, 'amount'],
        [{ slippage_bps: '51' }, 'slippage'],
        [{ from: { ...from, token_id: USDT } }, 'from'],
        [{ to: { token_id: WETH, address: own.user('ethereum').address } }, 'to'],
      ] as const) {
        const why = rejected(new RegExp(`says something else about ${what}`));
        await traceless({ quote_id, ...members }, why, own);
      }
      expect(await ask({ quote_id, to, amount: '100.0' }, own)).toMatchObject({ status: 200 });
    },
  );

  test(
    'is refused where nobody has made it, or another partner',
    { tags: ['server:swap-execution.intents.post-intents'] },
    async () => {
      const own = await openSwapVenue();
      await traceless({ quote_id: 'nothing' }, rejected(/There is no quote nothing/), own);
      const quote_id = await quoted(own);
      const before = own.state();
      const json = { ...body(own), quote_id };
      const answer = await own.call('POST', '/v1/intents', { json, privateKey: OTHER_KEY });
      expect(answer).toMatchObject(rejected(/There is no quote/));
      expect(own.state()).toBe(before);
    },
  );
});
