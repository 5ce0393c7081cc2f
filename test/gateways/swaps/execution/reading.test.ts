import { describe, expect, test } from 'vitest';
import { answer, openRawService } from '../../trading/kit/raw-service.ts';
import { executionClient, thrownBy } from '../kit.ts';

const TERMS = {
  from: { token_id: 7 },
  to: { token_id: 8 },
  amount: '1',
  slippage_bps: '50',
} as const;
const INTENT = {
  ...TERMS,
  from: { ...TERMS.from, address: 'mine' },
  to: { ...TERMS.to, address: 'theirs' },
  refund_address: 'back',
};

const PLAIN = {
  id: 'q-1',
  from: { network_id: 1, token: '0xA', token_id: 7, amount_lots: 1, amount_decimals: 6 },
  mid: {
    token_id: null,
    token: null,
    token_min_amount: null,
    token_max_amount: null,
    token_decimals: null,
  },
  to: {
    network_id: 4,
    token: 'So11',
    token_id: 8,
    min_amount_lots: 2,
    max_amount_lots: 3,
    amount_decimals: 9,
  },
  slippage_bps: '50',
  expires_at: 1_767_607_200_123,
};
const READ = {
  ...PLAIN,
  from: { ...PLAIN.from, amount_lots: 1n },
  to: { ...PLAIN.to, min_amount_lots: 2n, max_amount_lots: 3n },
  expires_at: 1_767_607_200_123_000,
};

const prefixed = (prefix: string, side: object): object =>
  Object.fromEntries(Object.entries(side).map(([name, value]) => [`${prefix}${name}`, value]));
const byContract = ({ token, ...side }: { readonly token: string }): object => ({
  ...side,
  contract_address: token,
});

/** What a client reads of a body. */
const quoteOf = async (body: unknown) =>
  executionClient((await openRawService(answer(200, body))).url).getQuote(TERMS);
const intentOf = async (body: unknown) =>
  executionClient((await openRawService(answer(200, body))).url).createIntent(INTENT);
const statusOf = async (body: unknown) =>
  executionClient((await openRawService(answer(200, body))).url).getIntent('i-1');

describe('a quote', () => {
  test.each([
    ['plain', PLAIN],
    [
      'with prefixed members',
      {
        ...PLAIN,
        from: prefixed('from_', PLAIN.from),
        mid: prefixed('mid_', PLAIN.mid),
        to: prefixed('to_', PLAIN.to),
      },
    ],
    [
      'with contract_address for token',
      { ...PLAIN, from: byContract(PLAIN.from), to: byContract(PLAIN.to) },
    ],
    [
      'with lots as text, and without a token between',
      {
        ...PLAIN,
        from: { ...PLAIN.from, amount_lots: '1' },
        mid: null,
      },
    ],
  ])('is read %s', { tags: ['client:swap-execution.conv.tolerant-reader'] }, async (_, body) => {
    expect(await quoteOf(body)).toEqual(READ);
  });

  test(
    'is read without members that nobody knows',
    { tags: ['client:swap-execution.conv.unknown-members'] },
    async () => {
      const more = { ...PLAIN, approve_to: '0xB', quote: { id: 'x' }, new_member: [1] };
      expect(await quoteOf({ ...more, from: { ...PLAIN.from, extra: 1 } })).toEqual(READ);
    },
  );

  test.each([
    ['expires_at', { ...PLAIN, expires_at: 'soon' }],
    ['from.amount_lots', { ...PLAIN, from: { ...PLAIN.from, amount_lots: 1.5 } }],
    ['from.amount_lots', { ...PLAIN, from: { ...PLAIN.from, amount_lots: undefined } }],
    ['id', { ...PLAIN, id: undefined }],
  ])('that does not fit is reported with its member: %s', async (field, body) => {
    expect(await thrownBy(quoteOf(body))).toMatchObject({ code: 'answer-invalid', field });
  });
});

describe('an intent', () => {
  const made = { secret_hash: '0xab', params_to_sign: { transaction: 'ab' } };
  const read = { id: 'i-1', ...made, approval_type: 'cosign', deadline_at: 1_767_607_200_000_000 };

  test.each([
    ['deadline_at', { id: 'i-1', approval_type: 'cosign', deadline_at: 1_767_607_200 }],
    ['expires_at', { id: 'i-1', approval_type: 'cosign', expires_at: 1_767_607_200 }],
    ['expires_at in ms', { id: 'i-1', approval_type: 'cosign', expires_at: 1_767_607_200_000 }],
    [
      'deadline_secs',
      { intent_id: 'i-1', approval_mechanism: 'cosign', deadline_secs: 1_767_607_200 },
    ],
  ])(
    'is read with %s',
    { tags: ['client:swap-execution.conv.tolerant-reader'] },
    async (_, body) => {
      expect(await intentOf({ ...made, ...body })).toEqual(read);
    },
  );

  test(
    'is read without approve_to and quote',
    { tags: ['client:swap-execution.conv.unknown-members'] },
    async () => {
      const body = { id: 'i-1', approval_type: 'cosign', deadline_at: 1_767_607_200, ...made };
      expect(await intentOf({ ...body, approve_to: null, quote: PLAIN })).toEqual(read);
    },
  );
});

describe('a status', () => {
  const FLAT = {
    intent_id: 'i-1',
    status: 'Deposited',
    from_amount_lots: '2500000',
    from_network_id: 1,
    from_token: '0xA',
    from_token_id: 7,
    to_network_id: 4,
    to_token: 'So11',
    to_token_id: 8,
    to_min_amount_lots: '100000000',
    to_max_amount_lots: '200000000',
    swap_metadata: {
      id: 'i-1',
      proxy_address: '0xE',
      user_deposit_tx: '0xD',
      fulfill_tx: null,
      swap_tx: null,
      created_at: '2026-01-15T12:00:00Z',
      user_deposited_at: '2026-01-15T12:05:00Z',
      fulfilled_at: null,
      swapped_at: null,
      refunded_at: null,
    },
  };

  test('is read as it is documented', async () => {
    expect(await statusOf(FLAT)).toEqual({
      ...FLAT,
      state: 'deposited',
      isFinal: false,
      from_amount_lots: 2_500_000n,
      to_min_amount_lots: 100_000_000n,
      to_max_amount_lots: 200_000_000n,
    });
  });

  test(
    'is read with an object for each side',
    { tags: ['client:swap-execution.conv.tolerant-reader'] },
    async () => {
      const side = { tx: '0xD', tx_at: '2026-01-15T12:05:00Z', decimals: 6 };
      const newest = {
        intent_id: 'i-1',
        status: 'Deposited',
        from: {
          address: 'me',
          ...side,
          network_id: 1,
          token_id: 7,
          contract_address: '0xA',
          amount: '2.5',
        },
        to: {
          address: 'you',
          network_id: 4,
          token_id: 8,
          contract_address: 'So11',
          decimals: 9,
          min_amount: '0.1',
          max_amount: '0.2',
          tx: null,
          tx_at: null,
        },
      };
      expect(await statusOf(newest)).toMatchObject({
        state: 'deposited',
        from_amount_lots: 2_500_000n,
        from_token: '0xA',
        to_min_amount_lots: 100_000_000n,
        to_max_amount_lots: 200_000_000n,
        swap_metadata: {
          user_deposit_tx: '0xD',
          user_deposited_at: '2026-01-15T12:05:00Z',
          fulfill_tx: null,
        },
      });
    },
  );

  test(
    'of an unknown name is reported by its name, and treated as one that others follow',
    { tags: ['client:swap-execution.state.client-unknown-status'] },
    async () => {
      expect(await statusOf({ ...FLAT, status: 'Teleporting' })).toMatchObject({
        status: 'Teleporting',
        state: undefined,
        isFinal: false,
      });
    },
  );
});

describe('an approval', () => {
  test.each([
    { intent_id: 'i-1' },
    { id: 'i-1', deadline_at: 1, secret_hash: 'x', approval_type: 'permit2', signed_data: 'y' },
  ])(
    'is answered with the id, under either name: %j',
    { tags: ['client:swap-execution.approvals.result-body'] },
    async (body) => {
      const service = await openRawService(answer(200, body));
      const client = executionClient(service.url);
      const signed = { form: 'permit2', signature: '0x00' } as const;
      expect(await client.addApproval('i-1', signed)).toEqual({ intent_id: 'i-1' });
    },
  );
});
