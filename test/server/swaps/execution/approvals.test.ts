import { describe, expect, test } from 'vitest';
import {
  openSwapVenue,
  OTHER_KEY,
  sharedSwapVenue,
  USDC_ETHEREUM,
  USDC_TRON,
  USDT,
  type SwapAnswer,
  type SwapVenue,
} from '../kit.ts';
import { permitOf, signPermit, type Permit } from '../users.ts';

const S = 1_000_000;

type Members = Readonly<Record<string, unknown>>;

const venue = sharedSwapVenue();

const sent = (created: Members, json: unknown, at: SwapVenue = venue()): Promise<SwapAnswer> =>
  at.call('POST', `/v1/intents/${String(created['id'])}/approvals`, { json });

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

/** Sends an approval, and looks whether anything was changed by it. */
async function traceless(
  created: Members,
  json: unknown,
  why: object,
  at: SwapVenue = venue(),
): Promise<void> {
  const before = at.state();
  expect(await sent(created, json, at)).toMatchObject(why);
  expect(at.state()).toBe(before);
}

const permitted = (created: Members, at: SwapVenue = venue()): Permit => {
  const { contract = '' } = at.chains.tokens.find(({ id }) => id === USDC_ETHEREUM) ?? {};
  return permitOf(created, { token: contract, lots: 100_000_000n });
};

const permit2 = (signed_data: string): Members => ({ approval_type: 'permit2', signed_data });

describe('an approval', () => {
  test(
    'is attached to its intent, which is answered by its id alone',
    {
      tags: [
        'server:swap-execution.approvals.post-approvals',
        'server:swap-execution.approvals.result-body',
      ],
    },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const answer = await venue().approve(created, USDC_ETHEREUM);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual({ intent_id: created['id'] });
      expect(await venue().status(created)).toMatchObject({ status: 'Approved' });
    },
  );

  test(
    'of another form than its intent is refused',
    {
      tags: [
        'server:swap-execution.approvals.type-values',
        'server:swap-execution.approvals.type-mismatch',
      ],
    },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const { signed_data } = await venue().approvalBody(created, USDC_ETHEREUM);
      for (const approval_type of ['htlc', 'psbt']) {
        await traceless(created, { approval_type, signed_data }, rejected(/asks for permit2/));
      }
      const cosigned = { transaction: '01', user_address: 'x' };
      const cosign = { approval_type: 'cosign', signed_data: cosigned };
      await traceless(created, cosign, rejected(/asks for permit2/));
      const unknown = invalid('body.approval_type must be one of permit2, cosign, htlc, psbt');
      for (const approval_type of ['Permit2', 'multisig', '', 7]) {
        await traceless(created, { approval_type, signed_data }, unknown);
      }
    },
  );

  test(
    'needs its type and what was signed',
    { tags: ['server:swap-execution.approvals.type-required'] },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const { approval_type, signed_data } = await venue().approvalBody(created, USDC_ETHEREUM);
      await traceless(created, { signed_data }, invalid('body.approval_type is required'));
      await traceless(created, { approval_type }, invalid('body.signed_data is required'));
      await traceless(created, permit2(''), invalid('body.signed_data must be text'));
      const bare = { approval_type: 'cosign', signed_data: 'AAAA' };
      const shape = 'body.signed_data must be an object of transaction and user_address';
      await traceless(created, bare, invalid(shape));
    },
  );

  test('is taken once', { tags: ['server:swap-execution.approvals.one-per-intent'] }, async () => {
    const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
    const json = await venue().approvalBody(created, USDC_ETHEREUM);
    expect(await sent(created, json)).toMatchObject({ status: 200 });
    await traceless(created, json, rejected(/has an approval already/));
  });

  test(
    'is taken once of many that come together',
    { tags: ['server:swap-execution.approvals.one-per-intent'] },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const json = await venue().approvalBody(created, USDC_ETHEREUM);
      const answers = await Promise.all(Array.from({ length: 6 }, () => sent(created, json)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    },
  );

  test(
    'of an intent that nobody knows, or that another partner has, is refused',
    { tags: ['server:swap-execution.approvals.unknown-intent'] },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const json = await venue().approvalBody(created, USDC_ETHEREUM);
      await traceless({ id: 'nothing' }, json, { status: 404 });
      const before = venue().state();
      const path = `/v1/intents/${String(created['id'])}/approvals`;
      expect(await venue().call('POST', path, { json, privateKey: OTHER_KEY })).toMatchObject({
        status: 404,
        body: { type: 'not_found' },
      });
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'at the deadline or later is refused',
    { tags: ['server:swap-execution.approvals.after-deadline'] },
    async () => {
      const own = await openSwapVenue();
      const created = await own.createIntent(USDC_ETHEREUM, USDC_TRON);
      const json = await own.approvalBody(created, USDC_ETHEREUM);
      own.pass(1_800 * S);
      await traceless(created, json, rejected(/is expired and cannot be approved any more/), own);
    },
  );

  test(
    'by an owner who has not let permit2 take the token is refused until he has',
    { tags: ['server:swap-execution.error.unprocessable-422'] },
    async () => {
      const own = await openSwapVenue();
      const { address } = own.user('ethereum');
      own.chains.revoke(USDC_ETHEREUM, address);
      const created = await own.createIntent(USDC_ETHEREUM, USDC_TRON);
      const json = await own.approvalBody(created, USDC_ETHEREUM);
      await traceless(created, json, rejected(/has not let the permit2 contract take USDC/), own);
      own.chains.approve(USDC_ETHEREUM, address);
      expect(await sent(created, json, own)).toMatchObject({ status: 200 });
    },
  );
});

describe('a permit', () => {
  test(
    'comes with all members, its nonce as a number below 2^53',
    {
      tags: [
        'server:swap-execution.approvals.permit2-params',
        'server:swap-execution.approvals.permit2-additional-data',
      ],
    },
    async () => {
      const json = venue().swapBody(USDC_ETHEREUM, USDC_TRON);
      const { text, body } = await venue().call('POST', '/v1/intents', { json });
      const params = body['params_to_sign'] as Members;
      expect(params).toEqual({
        escrow_contract_address: venue().service.escrowAt('ethereum'),
        permit2_contract_address: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
        resolver_deposit_address: venue().service.resolverAt('ethereum'),
        nonce: expect.any(Number) as number,
        additional_data: {
          domain: expect.any(Object) as object,
          types: expect.any(Object) as object,
          witness: expect.any(Object) as object,
          witness_type_string: expect.any(String) as string,
          witness_hash: expect.stringMatching(/^0x[\da-f]{64}$/) as string,
        },
      });
      expect(Number(params['nonce'])).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
      expect(text).toContain(`"nonce":${String(params['nonce'])},`);
    },
  );

  test(
    'has the domain and the types that Permit2 forces, and a witness that names what is swapped',
    {
      tags: [
        'server:swap-execution.approvals.permit2-domain',
        'server:swap-execution.approvals.permit2-primary-type',
        'server:swap-execution.approvals.permit2-inner',
      ],
    },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const { additional_data: data } = created['params_to_sign'] as Record<string, Members>;
      expect(data?.['domain']).toEqual({
        name: 'Permit2',
        chainId: 1,
        verifyingContract: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      });
      expect(Object.keys(data?.['types'] as object).toSorted()).toEqual([
        'PermitWitnessTransferFrom',
        'SwapIntent',
        'TokenPermissions',
      ]);
      expect(data?.['witness']).toMatchObject({
        intent: created['id'],
        user: venue().user('ethereum').address.toLowerCase(),
        secretHash: created['secret_hash'],
        destinationNetwork: '2',
        destinationToken: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
        destinationAddress: venue().user('tron', 'receiver').address,
        leastAmount: '99301000',
      });
    },
  );

  test(
    'by somebody else is refused',
    { tags: ['server:swap-execution.approvals.permit2-server-verify'] },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const stranger = venue().user('ethereum', 'stranger');
      const json = await venue().approvalBody(created, USDC_ETHEREUM, stranger);
      await traceless(created, json, rejected(/is not by 0x/));
      expect(await venue().approve(created, USDC_ETHEREUM)).toMatchObject({ status: 200 });
    },
  );

  test(
    'over other data is refused: amount, token, spender, nonce, deadline, witness or domain',
    { tags: ['server:swap-execution.approvals.permit2-tampered'] },
    async () => {
      const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const sound = permitted(created);
      const { message, domain } = sound;
      const with_ = (members: Members): Permit => ({
        ...sound,
        message: { ...message, ...members },
      });
      const { nonce, deadline } = message as Record<string, bigint>;
      const { permitted: given, witness } = message as Record<string, Members>;
      for (const permit of [
        with_({ permitted: { ...given, amount: 100_000_001n } }),
        with_({ permitted: { ...given, token: '0xdAC17F958D2ee523a2206206994597C13D831ec7' } }),
        with_({ spender: venue().user('ethereum', 'stranger').address }),
        with_({ nonce: (nonce ?? 0n) + 1n }),
        with_({ deadline: (deadline ?? 0n) + 1n }),
        with_({ witness: { ...witness, leastAmount: '1' } }),
        with_({ witness: { ...witness, destinationAddress: 'elsewhere' } }),
        { ...sound, domain: { ...domain, chainId: 5 } },
      ]) {
        const signature = await signPermit(venue().user('ethereum'), permit);
        await traceless(created, permit2(signature), rejected(/is over something else/));
      }
    },
  );

  test(
    'of another intent is refused',
    { tags: ['server:swap-execution.approvals.permit2-tampered'] },
    async () => {
      const one = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const other = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
      const json = await venue().approvalBody(one, USDC_ETHEREUM);
      await traceless(other, json, rejected(/is over something else/));
    },
  );

  test(
    'is signed by 65 bytes, or by 64 with the parity in the highest bit',
    { tags: ['server:swap-execution.approvals.permit2-signature-forms'] },
    async () => {
      for (const form of ['long', 'compact'] as const) {
        const created = await venue().createIntent(USDC_ETHEREUM, USDC_TRON);
        const long = await signPermit(venue().user('ethereum'), permitted(created));
        expect(['1b', '1c']).toContain(long.slice(-2));
        const s = BigInt(`0x${long.slice(66, 130)}`) | (long.endsWith('1c') ? 1n << 255n : 0n);
        const compact = long.slice(0, 66) + s.toString(16).padStart(64, '0');
        await traceless(created, permit2(long.slice(0, -4)), rejected(/65 bytes/));
        const signature = form === 'long' ? long : compact;
        expect(await sent(created, permit2(signature))).toMatchObject({ status: 200 });
      }
    },
  );

  test(
    'of Tron has addresses of 20 bytes and the chain id of its network',
    { tags: ['server:swap-execution.approvals.permit2-tron'] },
    async () => {
      const created = await venue().createIntent(USDC_TRON, USDT);
      const { additional_data: data, ...params } = created['params_to_sign'] as Record<
        string,
        Members
      >;
      expect(data?.['domain']).toMatchObject({
        chainId: 728_126_428,
        verifyingContract: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      });
      expect(params['permit2_contract_address']).toMatch(/^T\w{33}$/);
      expect(params['escrow_contract_address']).toMatch(/^T\w{33}$/);
      expect(data?.['witness']).toMatchObject({
        user: expect.stringMatching(/^0x[\da-f]{40}$/) as string,
      });
      expect(await venue().approve(created, USDC_TRON)).toMatchObject({ status: 200 });
    },
  );
});
