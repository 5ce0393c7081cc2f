import { describe, expect, test } from 'vitest';
import { ServiceError, type ApprovalSigner, type TypedData } from '../../../../src/clients.ts';
import { US_PER_MINUTE } from '../../../../src/platform/time.ts';
import {
  BTC,
  openSwapVenue,
  sharedSwapVenue,
  SOL,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  type SwapVenue,
} from '../../../server/swaps/kit.ts';
import { answerBytes, openRawService } from '../../trading/kit/raw-service.ts';
import { executionClient, executionClientOf, networkOf, signerOf, thrownBy } from '../kit.ts';
import { byHand, requestOf, swapped } from './kit.ts';

/** What a client hands over while it swaps, by way of a relay. */
async function handedOver(venue: SwapVenue, from: number, to: number, amount?: string) {
  const bodies: Record<string, unknown>[] = [];
  const answers: Record<string, unknown>[] = [];
  const relay = await openRawService((request, socket) => {
    void (async () => {
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^x-|^content-t/.test(name),
      );
      const { method, target, body } = request;
      const response = await fetch(venue.base + target, { method, headers, body });
      const text = await response.text();
      bodies.push(JSON.parse(body) as Record<string, unknown>);
      answers.push(JSON.parse(text) as Record<string, unknown>);
      socket.write(answerBytes(response.status, text));
    })();
  });
  await swapped(
    venue,
    executionClient(relay.url, { scheduler: venue.scheduler }),
    from,
    to,
    amount,
  );
  return { approval: bodies.at(-1) ?? {}, created: answers.at(-2) ?? {} };
}

describe('a swap', () => {
  const venue = sharedSwapVenue(byHand);

  test.each([
    ['ethereum', USDC_ETHEREUM, USDC_SOLANA, '250.5'],
    ['tron', USDC_TRON, USDC_SOLANA, '250.5'],
    ['bitcoin', BTC, USDC_ETHEREUM, '0.0125'],
    ['solana', SOL, USDC_ETHEREUM, '2.5'],
  ])(
    'from %s is quoted, signed by its form and approved',
    {
      tags: [
        'client:swap-execution.approvals.post-approvals',
        'client:swap-execution.intents.client-branches-on-form',
        'client:swap-execution.state.approved',
      ],
    },
    async (_, from, to, amount) => {
      const client = executionClientOf(venue());
      const { id } = await swapped(venue(), client, from, to, amount);
      expect(await client.getIntent(id)).toMatchObject({ status: 'Approved', state: 'approved' });
    },
  );

  test(
    'hands a permit2 signature over in hexadecimal',
    {
      tags: [
        'client:swap-execution.approvals.permit2-client-sign',
        'client:swap-execution.approvals.permit2-params',
        'client:swap-execution.approvals.type-values',
      ],
    },
    async () => {
      const { approval, created } = await handedOver(venue(), USDC_ETHEREUM, USDC_SOLANA);
      expect(created['params_to_sign']).toMatchObject({
        escrow_contract_address: expect.stringMatching(/^0x/) as string,
        permit2_contract_address: expect.stringMatching(/^0x/) as string,
        resolver_deposit_address: expect.stringMatching(/^0x/) as string,
        nonce: expect.any(Number) as number,
      });
      expect(approval).toEqual({
        approval_type: 'permit2',
        signed_data: expect.stringMatching(/^0x[\da-f]{130}$/) as string,
      });
    },
  );

  test(
    'hands the PSBT over in Base64, as psbt',
    {
      tags: [
        'client:swap-execution.approvals.htlc-signed-data',
        'client:swap-execution.approvals.htlc-client-sign',
        'client:swap-execution.approvals.type-values',
      ],
    },
    async () => {
      const { approval, created } = await handedOver(venue(), BTC, USDC_ETHEREUM, '0.0125');
      const { psbt } = created['params_to_sign'] as { readonly psbt: string };
      expect(approval).toEqual({
        approval_type: 'psbt',
        signed_data: expect.stringMatching(/^cHNidP[\w+/=]+$/) as string,
      });
      expect(String(approval['signed_data']).length).toBeGreaterThan(psbt.length);
    },
  );

  test(
    'writes its own slot of the transaction alone, which begins with version 0',
    {
      tags: [
        'client:swap-execution.approvals.cosign-params',
        'client:swap-execution.approvals.cosign-signed-data',
        'client:swap-execution.approvals.cosign-slots',
        'client:swap-execution.approvals.cosign-client-sign',
        'client:swap-execution.approvals.cosign-version-byte',
      ],
    },
    async () => {
      const { approval, created } = await handedOver(venue(), SOL, USDC_ETHEREUM, '2.5');
      const { transaction: issued } = created['params_to_sign'] as { readonly transaction: string };
      const { transaction, user_address: user } = approval['signed_data'] as Record<string, string>;
      const [before, after] = [Buffer.from(issued, 'hex'), Buffer.from(transaction ?? '', 'hex')];
      expect(user).toBe(venue().user('solana').address);
      const changed = [...after.keys()].filter((at) => before[at] !== after[at]);
      expect(changed.length).toBeGreaterThan(32);
      expect(Math.min(...changed)).toBeGreaterThanOrEqual(1 + 64);
      expect(Math.max(...changed)).toBeLessThan(1 + 128);
      expect(after.length).toBe(before.length);
      expect(after[1 + 64 * (after[0] ?? 0)]).toBe(0x80);
    },
  );

  test('takes no quote that promises less than its user insists on, or of other tokens or amounts', async () => {
    const client = executionClientOf(venue());
    const { user, network, request } = requestOf(venue(), USDC_ETHEREUM, USDC_SOLANA);
    const before = venue().state();
    const swap = async (conditions: object, change: object = {}) =>
      client.swap(
        { ...request, ...change },
        { network, leastLots: 1n, ...conditions },
        signerOf(user),
      );
    const terms = { to: { token_id: USDC_SOLANA }, amount: '250.5', slippage_bps: '50' };
    const quote = await client.getQuote({ ...terms, from: { token_id: USDC_TRON } });
    const own = await client.getQuote({ ...terms, from: { token_id: USDC_ETHEREUM } });
    for (const [conditions, change, field] of [
      [{ leastLots: 250_500_001n }, {}, 'leastLots'],
      [{ quote }, {}, 'from.token_id'],
      [{ quote: own }, { amount: '250.6' }, 'amount'],
      [{ network: networkOf('tron') }, {}, 'from.network_id'],
    ] as const) {
      const error = await thrownBy(swap(conditions, change));
      expect(error).toMatchObject({ code: 'approval-refused', field });
    }
    expect(venue().state()).toBe(before);
  });

  test(
    'asks for a new quote where its own has expired',
    { tags: ['client:swap-execution.quotes.client-refresh'] },
    async () => {
      const own = await openSwapVenue(byHand);
      const client = executionClientOf(own);
      const { user, network, request } = requestOf(own, USDC_ETHEREUM, USDC_SOLANA);
      const { from, to, amount, slippage_bps } = request;
      const terms = { from: { token_id: from.token_id }, to: { token_id: to.token_id } };
      const quote = await client.getQuote({ ...terms, amount, slippage_bps });
      own.pass(US_PER_MINUTE * 2);
      const conditions = { network, leastLots: 1n, quote };
      const { id } = await client.swap(request, conditions, signerOf(user));
      expect(own.service.intents()).toMatchObject([{ id, state: 'approved' }]);
      expect(own.service.intents()[0]?.quote.id).not.toBe(quote.id);
    },
  );
});

describe('what is to be signed', () => {
  const venue = sharedSwapVenue(byHand);

  /** Makes an intent, changes what it asks to sign, and has it signed. */
  async function tampered(change: (params: Record<string, unknown>, secretHash: string) => void) {
    const client = executionClientOf(venue());
    const { user, network, request } = requestOf(venue(), USDC_ETHEREUM, USDC_SOLANA);
    const made = await client.createIntent(request);
    const status = await client.getIntent(made.id);
    const params = structuredClone(made.params_to_sign);
    change(params, made.secret_hash ?? '');
    const agreed = {
      network,
      token: status.from_token,
      lots: status.from_amount_lots,
      from: user.address,
      destination: {
        network: status.to_network_id,
        token: status.to_token,
        address: request.to.address,
        leastLots: status.to_min_amount_lots,
      },
    };
    const signedData: TypedData[] = [];
    const signer: ApprovalSigner = {
      ...signerOf(user),
      signTypedData: async (typed) => {
        signedData.push(typed);
        return signerOf(user).signTypedData?.(typed) ?? '';
      },
    };
    const outcome: unknown = await client
      .approve({ ...made, params_to_sign: params }, agreed, signer)
      .then(
        () => 'approved',
        (error: unknown) => error,
      );
    return { outcome, signedData, made };
  }
  const dataOf = (params: Record<string, unknown>) =>
    params['additional_data'] as Record<string, Record<string, unknown>>;

  test(
    'is typed data of Permit2 without version and salt, with or without secretHash beside it',
    {
      tags: [
        'client:swap-execution.approvals.permit2-inner',
        'client:swap-execution.approvals.permit2-domain',
        'client:swap-execution.approvals.permit2-primary-type',
        'client:swap-execution.approvals.permit2-additional-data',
      ],
    },
    async () => {
      for (const isBeside of [false, true]) {
        const { outcome, signedData } = await tampered((params, secretHash) => {
          const data = dataOf(params) as Record<string, unknown>;
          delete data['secretHash'];
          if (isBeside) data['secretHash'] = secretHash;
        });
        expect(outcome).toBe('approved');
        expect(signedData).toHaveLength(1);
        const [{ domain, types, primaryType, message } = signedData[0]] = signedData;
        expect(Object.keys(domain).sort()).toEqual(['chainId', 'name', 'verifyingContract']);
        expect(domain).toMatchObject({ name: 'Permit2', chainId: 1 });
        expect(primaryType).toBe('PermitWitnessTransferFrom');
        expect(types['TokenPermissions']).toEqual([
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ]);
        expect(Object.keys(message).sort()).toEqual([
          ...['deadline', 'nonce', 'permitted', 'spender', 'witness'],
        ]);
      }
    },
  );

  test(
    'is not signed where the hash of the witness is not that of the witness',
    { tags: ['client:swap-execution.approvals.permit2-witness-hash'] },
    async () => {
      const { outcome, signedData } = await tampered((params) => {
        Object.assign(dataOf(params), { witness_hash: `0x${'00'.repeat(32)}` });
      });
      expect(outcome).toMatchObject({ code: 'approval-refused' });
      expect(signedData).toEqual([]);
    },
  );

  test.each<[string, (params: Record<string, unknown>) => void]>([
    ['of another chain', (params) => Object.assign(dataOf(params)['domain'] ?? {}, { chainId: 5 })],
    [
      'of another contract',
      (params) =>
        Object.assign(dataOf(params)['domain'] ?? {}, {
          verifyingContract: `0x${'11'.repeat(20)}`,
        }),
    ],
    [
      'for another destination',
      (params) => Object.assign(dataOf(params)['witness'] ?? {}, { destinationAddress: 'thief' }),
    ],
  ])(
    'is not signed %s',
    { tags: ['client:swap-execution.approvals.permit2-client-check'] },
    async (_, change) => {
      const { outcome, signedData, made } = await tampered(change);
      expect(outcome).toMatchObject({ code: 'approval-refused' });
      expect(signedData).toEqual([]);
      expect(await executionClientOf(venue()).getIntent(made.id)).toMatchObject({
        state: 'created',
      });
    },
  );

  test(
    'of a form that nobody knows is refused, and nothing is signed or sent',
    { tags: ['client:swap-execution.intents.client-branches-on-form'] },
    async () => {
      const client = executionClientOf(venue());
      const { user, network, request } = requestOf(venue(), USDC_ETHEREUM, USDC_SOLANA);
      const made = { ...(await client.createIntent(request)), approval_type: 'telepathy' };
      const destination = { network: 4, token: 'x', address: 'x', leastLots: 1n };
      const agreed = { network, token: 'x', lots: 1n, from: user.address, destination };
      expect(await thrownBy(client.approve(made, agreed, signerOf(user)))).toMatchObject({
        code: 'approval-refused',
        field: 'approval_type',
      });
    },
  );

  test(
    'of Tron is signed with its addresses as those of EVM and its own chain id',
    { tags: ['client:swap-execution.approvals.permit2-tron'] },
    async () => {
      const client = executionClientOf(venue());
      const { user, network, request } = requestOf(venue(), USDC_TRON, USDC_SOLANA);
      const signedData: TypedData[] = [];
      const signer: ApprovalSigner = {
        ...signerOf(user),
        signTypedData: async (typed) => {
          signedData.push(typed);
          return signerOf(user).signTypedData?.(typed) ?? '';
        },
      };
      await client.swap(request, { network, leastLots: 1n }, signer);
      expect(signedData[0]?.domain).toMatchObject({ chainId: networkOf('tron').chainId });
      const { permitted } = signedData[0]?.message as {
        readonly permitted: { readonly token: string };
      };
      expect(permitted.token).toMatch(/^0x[\da-fA-F]{40}$/);
    },
  );
});

test('a permit2 approval that the owner has not allowed is reported, and can be allowed and repeated', async () => {
  const venue = await openSwapVenue(byHand);
  const client = executionClientOf(venue);
  const { user, network, request } = requestOf(venue, USDC_ETHEREUM, USDC_SOLANA);
  venue.chains.revoke(USDC_ETHEREUM, user.address);
  const call = client.swap(request, { network, leastLots: 1n }, signerOf(user));
  const error = await thrownBy(call);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: 'service-refused', httpStatus: 422 });
});
