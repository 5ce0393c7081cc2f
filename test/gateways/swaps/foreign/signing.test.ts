import { Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import {
  ApprovalRejected,
  type ApprovalSigner,
  type SigningCheck,
  type SigningPolicy,
  type SwapClient,
  type TypedData,
} from '../../../../src/clients.ts';
import { executionClient, thrownBy } from '../kit.ts';
import {
  BOUGHT,
  ESCROW,
  ForeignService,
  PERMIT2,
  SOLD,
  systemSeconds,
  type Tampering,
} from './service.ts';

const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const stranger = new Wallet(`0x${'22'.repeat(32)}`).address;

/** A policy that binds the witness of the foreign service as that of the simulated venue is bound. */
const POLICY = {
  networks: { 1: { escrows: [ESCROW] } },
  permit2: {
    witness: {
      type: 'FusionOrder',
      members: {
        maker: 'from',
        sellToken: 'token',
        sellAmount: 'lots',
        'target.chain': 'destinationNetwork',
        'target.asset': 'destinationToken',
        'target.receiver': 'destinationAddress',
        'target.minimum': 'leastLots',
        hashlock: 'secretHash',
        expiry: 'deadline',
      },
    },
  },
} as const satisfies SigningPolicy;

type Members = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The same as code. */
const CHECK: SigningCheck = ({ params, agreed }) => {
  const { witness } = params['additional_data'] as Members;
  const { maker, sellToken, sellAmount, target, expiry } = witness ?? {};
  const { receiver, minimum } = target as Readonly<Record<string, string>>;
  if (maker !== agreed.from) throw new Error('the maker is somebody else');
  if (BigInt(receiver ?? '') !== BigInt(agreed.destination.address)) {
    throw new Error('the receiver is somebody else');
  }
  if (BigInt(minimum ?? '') < agreed.destination.leastLots) throw new Error('the minimum is low');
  return {
    token: String(sellToken),
    lots: BigInt(String(sellAmount)),
    escrow: String(params['escrow_contract_address']),
    deadline: (Number(expiry) * 1e6) as never,
  };
};

const BY_CODE: SigningPolicy = { networks: { 1: { escrows: [ESCROW] } }, check: CHECK };

interface Attempt {
  readonly service: ForeignService;
  readonly signed: readonly TypedData[];
  readonly warnings: readonly string[];
  readonly outcome: Promise<unknown>;
}

/** Swaps 250.5 at a foreign service, by a policy. */
async function swapped(
  signing: SigningPolicy | undefined,
  tampering: Tampering = {},
  conditions: Partial<Parameters<SwapClient['swap']>[1]> = {},
): Promise<Attempt> {
  const service = await ForeignService.open();
  service.tampering = tampering;
  const warnings: string[] = [];
  const client = executionClient(service.url, {
    signing,
    warn: (sentence) => void warnings.push(sentence),
  });
  const signed: TypedData[] = [];
  const signer: ApprovalSigner = {
    family: 'evm',
    address: wallet.address,
    signTypedData: async (typed) => {
      signed.push(typed);
      return wallet.signTypedData(typed.domain, typed.types as never, typed.message);
    },
  };
  const request = {
    from: { token_id: 1, address: wallet.address },
    to: { token_id: 2, address: wallet.address },
    refund_address: wallet.address,
    amount: '250.5',
    slippage_bps: '50',
  };
  const network = { id: 1, name: 'Ethereum', family: 'evm', chainId: 1 } as const;
  const outcome = client.swap(request, { network, leastLots: 250_000_000n, ...conditions }, signer);
  await outcome.catch(() => undefined);
  return { service, signed, warnings, outcome };
}

/** The rejection of something that must not be signed; nothing was signed or sent for it. */
async function rejection(attempt: Attempt): Promise<ApprovalRejected> {
  const error = await thrownBy(attempt.outcome);
  expect(error).toBeInstanceOf(ApprovalRejected);
  expect(attempt.signed).toEqual([]);
  expect([attempt.service.approved, attempt.service.wrong]).toEqual([[], []]);
  const rejected = error as ApprovalRejected;
  for (const part of [rejected.field ?? '?', rejected.value, rejected.bound]) {
    expect(rejected.message).toContain(part);
  }
  return rejected;
}

const approved = async ({ service, outcome }: Attempt): Promise<void> => {
  const { id } = (await outcome) as { readonly id: string };
  expect(service.approved).toEqual([id]);
};

describe('a swap service of a foreign shape', () => {
  test('is refused by default, with the member that is missing, and nothing is signed', async () => {
    const error = await rejection(await swapped(undefined));
    expect(error.code).toBe('approval-refused');
    expect(error.field).toBe('additional_data.types.FusionOrder');
    expect(error.bound).toContain('signing policy');
  });

  test('is signed for where a policy names the members of its witness', async () => {
    const attempt = await swapped(POLICY);
    await approved(attempt);
    expect(attempt.warnings).toEqual([]);
    expect(attempt.signed[0]?.message).toMatchObject({
      permitted: { amount: 250_500_000n },
      spender: ESCROW.toLowerCase(),
    });
  });

  test('is signed where code checks what it asks to sign, which is logged once at the start', async () => {
    const attempt = await swapped(BY_CODE);
    await approved(attempt);
    expect(attempt.warnings).toEqual([
      'The signing policy of the swap service is loosened: what is signed is read by code of its own, and what the code says is believed.',
    ]);
  });

  test('is signed for where both a policy and code agree, and code refuses beside a policy', async () => {
    await approved(await swapped({ ...POLICY, check: CHECK }));
    const refuse: SigningCheck = () => {
      throw new Error('not today');
    };
    const error = await rejection(await swapped({ ...POLICY, check: refuse }));
    expect(error.message).toContain('not today');
  });

  const byBoth: readonly (readonly [string, SigningPolicy])[] = [
    ['a policy', POLICY],
    ['code', BY_CODE],
  ];
  const day = 86_400;
  const now = systemSeconds();
  const beyond: readonly (readonly [string, Tampering, string, string, string])[] = [
    ['the escrow', { escrow: stranger }, 'escrow_contract_address', stranger, ESCROW],
    [
      'the contract of permit2',
      { permit2: stranger },
      'permit2_contract_address',
      stranger,
      PERMIT2,
    ],
    ['the deadline', { deadline: now + 2 * day }, 'deadline', 'T', 'no later than'],
  ];
  for (const [by, policy] of byBoth) {
    test.each(beyond)(
      `is refused with ${by} where %s is out of bounds`,
      async (_, tampering, field, value, bound) => {
        // prettier-ignore
        const error = await rejection(await swapped(policy, tampering));
        expect(error).toMatchObject({ code: 'approval-refused', field });
        expect(error.value).toContain(value);
        expect(error.bound).toContain(bound);
      },
    );
  }

  test.each([
    ['the amount', 'sellAmount', '250500001', '250500000'],
    ['the token', 'sellToken', stranger, SOLD],
    ['the maker', 'maker', stranger, wallet.address],
    ['the receiver', 'target.receiver', `0x${'00'.repeat(31)}01`, wallet.address],
    ['the token that is got', 'target.asset', stranger, BOUGHT],
    ['the network', 'target.chain', 11, '10'],
    ['the least amount', 'target.minimum', '1', 'at least 250249500'],
    ['the secret hash', 'hashlock', `0x${'5f'.repeat(32)}`, `0x${'5e'.repeat(32)}`],
    ['the expiry', 'expiry', 4_000_000_000, 'no later than'],
  ])(
    'is refused with a policy where the witness has another value for %s',
    async (_, path, value, bound) => {
      // prettier-ignore
      const error = await rejection(await swapped(POLICY, { witness: { [path]: value } }));
      expect(error.value).toBe(String(value));
      expect(error.bound).toContain(bound);
    },
  );

  test.each([
    ['the amount', 'sellAmount', '250500001', 'lots'],
    ['the token', 'sellToken', stranger, 'token'],
    ['the expiry', 'expiry', 4_000_000_000, 'deadline'],
    ['what only the code knows', 'target.minimum', '1', 'params_to_sign'],
  ])(
    'is refused with code where what the code read is out of bounds: %s',
    async (_, path, value, field) => {
      // prettier-ignore
      const error = await rejection(await swapped(BY_CODE, { witness: { [path]: value } }));
      expect(error.field).toBe(field);
    },
  );

  test('gets no signature for a token or an amount that the policy does not allow, though it was agreed', async () => {
    const bounded = (tokens: Readonly<Record<string, string>>): SigningPolicy => ({
      ...POLICY,
      networks: { 1: { escrows: [ESCROW], tokens } },
    });
    const amount = await rejection(await swapped(bounded({ [SOLD]: '250499999' })));
    expect(amount).toMatchObject({ field: 'lots', value: '250500000' });
    expect(amount.bound).toBe('at most 250499999');
    const token = await rejection(await swapped(bounded({ [BOUGHT]: '999999999' })));
    expect(token).toMatchObject({ field: 'token', value: SOLD });
    await approved(await swapped(bounded({ [SOLD.toLowerCase()]: '250500000' })));
  });

  test('gets no signature on a network whose escrows the policy does not name', async () => {
    const elsewhere = { ...POLICY, networks: { 10: { escrows: [ESCROW] } } };
    const error = await rejection(await swapped(elsewhere));
    expect(error).toMatchObject({ field: 'escrow' });
    expect(error.bound).toContain('networks.1.escrows');
  });

  test('gets no signature by an escrow that either the policy or the swap does not trust', async () => {
    const own = await rejection(await swapped(POLICY, {}, { escrows: [stranger] }));
    expect(own).toMatchObject({ field: 'escrow_contract_address', value: ESCROW });
    await approved(await swapped(POLICY, {}, { escrows: [ESCROW] }));
  });

  test('gets no signature where its witness holds what the policy does not name, or lacks what it names', async () => {
    const { hashlock: _, ...fewer } = POLICY.permit2.witness.members;
    const withMembers = (members: object): SigningPolicy => ({
      ...POLICY,
      permit2: { witness: { members: members as never } },
    });
    const stray = await rejection(await swapped(withMembers(fewer)));
    expect(stray.field).toBe('additional_data.witness.hashlock');
    const more = { ...POLICY.permit2.witness.members, partner: 'any' };
    expect((await rejection(await swapped(withMembers(more)))).field).toBe(
      'additional_data.witness.partner',
    );
    const optional = { ...POLICY.permit2.witness.members, partner: { is: 'any', optional: true } };
    await approved(await swapped(withMembers(optional)));
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ['a statement without an amount', { token: SOLD, escrow: ESCROW }],
    ['an amount that is no bigint', { token: SOLD, lots: 250_500_000, escrow: ESCROW }],
    ['an amount of nothing', { token: SOLD, lots: 0n, escrow: ESCROW }],
    ['an escrow that is not paid', { token: SOLD, lots: 250_500_000n, escrow: stranger }],
  ])('gets no signature where the code says %s', async (_, reported) => {
    await rejection(await swapped({ ...BY_CODE, check: () => reported as never }));
  });

  test('cannot be signed for by code that changes what it is shown', async () => {
    const check: SigningCheck = (request) => {
      const reported = CHECK(request);
      Object.assign(request.params, { escrow_contract_address: stranger });
      Object.assign(request.agreed, { lots: 1n });
      return reported;
    };
    const attempt = await swapped({ ...BY_CODE, check });
    await approved(attempt);
    expect(attempt.signed[0]?.message['spender']).toBe(ESCROW.toLowerCase());
  });
});

describe('a policy', () => {
  const client = (signing: unknown): string[] => {
    const warnings: string[] = [];
    executionClient('http://127.0.0.1:1', {
      signing: signing as SigningPolicy,
      warn: (sentence) => void warnings.push(sentence),
    });
    return warnings;
  };

  test.each<[unknown, string]>([
    [{ permit2: POLICY.permit2 }, 'networks'],
    [{ check: CHECK }, 'networks'],
    [{ htlc: { memo: 'none' } }, 'networks'],
    [{ networks: { 1: { escrows: [] } } }, 'networks.1.escrows'],
    [{ networks: { 1: { escrows: 'checked' } } }, 'networks.1.escrows'],
    [{ networks: { 1: { escrow: [ESCROW] } } }, 'networks.1.escrow'],
    [{ networks: { ethereum: {} } }, 'networks.ethereum'],
    [{ networks: { 1: { tokens: { [SOLD]: '1.5' } } } }, `networks.1.tokens.${SOLD}`],
    [{ networks: { 1: { tokens: { [SOLD]: Infinity } } } }, `networks.1.tokens.${SOLD}`],
    [{ maxLifetimeUs: Infinity }, 'maxLifetimeUs'],
    [{ permit2: { spender: 'anybody' } }, 'permit2.spender'],
    [{ permit2: { witness: { members: {} } } }, 'permit2.witness.members'],
    [{ permit2: { witness: { members: { a: 'all' } } } }, 'permit2.witness.members.a'],
    [{ permit2: { witness: { members: { a: {} } } } }, 'permit2.witness.members.a'],
    [{ check: 'code' }, 'check'],
    [{ amount: 'any' }, 'amount'],
  ])('of no use is reported with its member: %j', (signing, field) => {
    expect(() => client(signing)).toThrow(expect.objectContaining({ code: 'config-invalid', field })); // prettier-ignore
  });

  test('that says nothing looser than usual warns of nothing', () => {
    expect(client(undefined)).toEqual([]);
    expect(client({ networks: { 1: { escrows: [ESCROW] } }, maxLifetimeUs: 60_000_000 })).toEqual(
      [],
    );
    expect(client(POLICY)).toEqual([]);
  });

  test('warns once of each bound that it loosens', () => {
    const members = { maker: 'from', rest: 'any', 'target.minimum': { is: 'leastLots', optional: true } }; // prettier-ignore
    const warnings = client({
      networks: { 1: { escrows: [ESCROW] }, 3: { escrows: 'checked' } },
      maxLifetimeUs: 2 * 86_400_000_000,
      permit2: { spender: 'resolver_deposit_address', witness: { members } },
      htlc: { memo: 'none' },
      cosign: { memo: 'none', programs: ['Prog'] },
      check: CHECK,
    });
    expect(warnings.map((one) => one.replace(/^.*loosened: /, ''))).toEqual([
      'what is signed is read by code of its own, and what the code says is believed.',
      'on network 3 any escrow may take the money that the code names.',
      'a permit may end 172800 s after its signing, later than a day.',
      'the spender of a permit is the resolver_deposit_address.',
      'the witness of a permit does not have to name the network that the user gets it on.',
      'the witness of a permit does not have to name the token that the user gets.',
      'the witness of a permit does not have to name the address that gets it.',
      'the witness of a permit does not have to name the least that the user gets.',
      'the witness of a permit may say anything as rest.',
      'a transaction of Bitcoin does not have to say what the user gets for it.',
      'a transaction of Solana does not have to say what the user gets for it.',
      'a transaction of Solana may call Prog.',
    ]);
  });
});
