import { base58, base64 } from '@scure/base';
import { Script, Transaction } from '@scure/btc-signer';
import { describe, expect, test } from 'vitest';
import { micros } from '../../../src/platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../../../src/swaps/approvals/approval.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import {
  readMessage,
  readTransaction,
  writeMessage,
  writeTransaction,
  type SolanaInstruction,
} from '../../../src/swaps/approvals/cosign/layout.ts';
import { PROGRAMS } from '../../../src/swaps/approvals/cosign/programs.ts';
import type { SigningPolicy } from '../../../src/swaps/approvals/policy/policy.ts';
import { resolvePolicy } from '../../../src/swaps/approvals/policy/resolve.ts';
import { boundedTerms } from '../../../src/swaps/approvals/policy/terms.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { addressOf, agreedTo, issuedFor, orderOn, secretOf, STRANGER, USER } from './kit.ts';

const NOW = micros(1_780_078_000_000_000);

/** Signs by a policy as a client does: the form that was signed, or the field that was amiss. */
async function signed(
  form: ApprovalForm,
  params: object,
  agreed: AgreedTerms,
  given: SigningPolicy,
): Promise<string> {
  const policy = resolvePolicy(given);
  const { check } = policy;
  const question = { check, params: params as Readonly<Record<string, unknown>>, now: NOW };
  const signer = keySigner(agreed.network.family, secretOf(USER));
  try {
    const terms = boundedTerms(agreed, form, policy, NOW);
    const approval = await signApproval(params, form, terms, signer, {
      policy,
      question,
      witnessId: undefined,
    });
    return approval.form;
  } catch (error) {
    expect(error).toMatchObject({ code: 'approval-refused' });
    return String((error as { readonly field?: unknown }).field);
  }
}

describe('a transaction of Bitcoin of a foreign shape', () => {
  const order = orderOn('bitcoin');
  const issued = issuedFor(order);
  if (issued.form !== 'htlc') throw new Error(issued.form);
  const { psbt, inputs } = issued.params;
  const agreed = agreedTo(order);
  const stranger = addressOf('bitcoin', STRANGER);

  /** As the service would make it that knows no memo: outputs by what they were. */
  function without(change: { escrow?: string; lots?: bigint; more?: bigint } = {}): object {
    const before = Transaction.fromPSBT(base64.decode(psbt), { allowUnknownOutputs: true });
    const after = new Transaction({ allowUnknownOutputs: true });
    for (let at = 0; at < before.inputsLength; at += 1) after.addInput(before.getInput(at));
    after.addOutputAddress(change.escrow ?? order.escrow, change.lots ?? order.lots);
    if (change.more !== undefined) after.addOutputAddress(stranger, change.more);
    const back = before.getOutput(1);
    const taken = (change.lots ?? order.lots) - order.lots + (change.more ?? 0n);
    const amount = (back.amount ?? 0n) - taken;
    after.addOutput({ script: back.script ?? new Uint8Array(), amount });
    after.addOutput({ script: Script.encode(['RETURN', Uint8Array.of(7, 7)]), amount: 0n });
    return { psbt: base64.encode(after.toPSBT(0)), inputs };
  }

  const named: SigningPolicy = {
    networks: { 3: { escrows: [order.escrow] } },
    htlc: { memo: 'none' },
  };
  const byCode = (escrow: string, lots = order.lots): SigningPolicy => ({
    networks: { 3: { escrows: 'checked' } },
    check: () => ({ token: 'BTC', lots, escrow }),
  });

  test('is not signed without a policy, and is by one that asks for no memo, or by code', async () => {
    expect(await signed('htlc', without(), agreed, {})).toBe('memo');
    expect(await signed('htlc', without(), agreed, named)).toBe('htlc');
    expect(await signed('htlc', without(), agreed, byCode(order.escrow))).toBe('htlc');
  });

  test.each([
    ['to another escrow', { escrow: stranger }, 'psbt.outputs'],
    ['with more than was agreed', { lots: order.lots + 1n }, 'psbt.outputs'],
    ['with less than was agreed', { lots: order.lots - 1n }, 'psbt.outputs'],
    ['with an output to somebody else', { more: 1_000n }, 'psbt.outputs'],
  ])('is not signed %s, whatever a policy says', async (_, change, field) => {
    expect(await signed('htlc', without(change), agreed, named)).toBe(field);
  });

  test('is signed by code for just what was agreed, and only for whom it pays', async () => {
    const more = without({ lots: order.lots + 1n });
    expect(await signed('htlc', more, agreed, byCode(order.escrow))).toBe('psbt.outputs');
    const two = without({ more: 1_000n });
    expect(await signed('htlc', two, agreed, byCode(order.escrow))).toBe('psbt.outputs');
    expect(await signed('htlc', without(), agreed, byCode(stranger))).toBe('escrow');
    const lots = order.lots + 1n;
    expect(await signed('htlc', without(), agreed, byCode(order.escrow, lots))).toBe('lots');
  });
});

/** Signatures and message of a transaction that is sound. */
function partsOf(text: string) {
  const read = readTransaction(text);
  const message = read === undefined ? undefined : readMessage(read.message);
  if (read === undefined || message === undefined) throw new Error('no transaction');
  return { signatures: read.signatures, message };
}

describe('a transaction of Solana of a foreign shape', () => {
  const order = orderOn('solana');
  const issued = issuedFor(order);
  if (issued.form !== 'cosign') throw new Error(issued.form);
  const agreed = agreedTo(order);
  const { signatures, message } = partsOf(issued.params.transaction);
  const foreign = addressOf('solana', 9);

  /** The same without the memo, a foreign program in its place. */
  function changed(
    instruction: (given: SolanaInstruction, program: string) => SolanaInstruction = (one) => one,
    accounts: readonly number[] = [],
  ): object {
    const keys = [...message.keys, base58.decode(foreign)];
    const instructions = message.instructions.map((one) => {
      const program = base58.encode(keys[one.program] ?? new Uint8Array());
      return program === PROGRAMS.memo
        ? { program: keys.length - 1, accounts, data: Uint8Array.of(1, 2) }
        : instruction(one, program);
    });
    const { lookups: _, ...rest } = message;
    const bytes = writeMessage({ ...rest, keys, instructions, readonlyOthers: rest.readonlyOthers + 1 }); // prettier-ignore
    return { transaction: writeTransaction({ signatures, message: bytes }) };
  }

  const named: SigningPolicy = {
    networks: { 4: { escrows: [order.escrow] } },
    cosign: { memo: 'none', programs: [foreign] },
  };
  const byCode = (lots = order.lots, escrow = order.escrow): SigningPolicy => ({
    networks: { 4: { escrows: [order.escrow] } },
    check: () => ({ token: order.token.contract, lots, escrow }),
  });
  const field = 'transaction.instructions';

  test('is not signed without a policy, and is by one that names its program, or by code', async () => {
    expect(await signed('cosign', changed(), agreed, {})).toBe(field);
    const noMemo = { ...named, cosign: { memo: 'none' } } as const;
    expect(await signed('cosign', changed(), agreed, noMemo)).toBe(field);
    expect(await signed('cosign', changed(), agreed, named)).toBe('cosign');
    expect(await signed('cosign', changed(), agreed, byCode())).toBe('cosign');
  });

  /** The transfer with another amount. */
  const moving =
    (lots: number) =>
    (one: SolanaInstruction, program: string): SolanaInstruction => {
      if (program !== PROGRAMS.token) return one;
      const data = one.data.slice();
      new DataView(data.buffer).setBigUint64(1, BigInt(lots), true);
      return { ...one, data };
    };
  /** The transfer as an approval of a delegate. */
  const approving = (one: SolanaInstruction, program: string): SolanaInstruction =>
    program === PROGRAMS.token ? { ...one, data: Uint8Array.of(13, ...one.data.slice(1)) } : one;

  test('is not signed with another amount, another instruction or another escrow, whatever a policy says', async () => {
    const transfer = `${field}.transfer`;
    expect(await signed('cosign', changed(moving(5_000_001)), agreed, named)).toBe(transfer);
    expect(await signed('cosign', changed(approving), agreed, named)).toBe(transfer);
    const other: SigningPolicy = {
      ...named,
      networks: { 4: { escrows: [addressOf('solana', 8)] } },
    };
    expect(await signed('cosign', changed(), agreed, other)).toBe(transfer);
    const wrong: SigningPolicy = { ...named, networks: { 4: { escrows: ['0OIl'] } } };
    expect(await signed('cosign', changed(), agreed, wrong)).toBe(transfer);
    // A foreign program that the user's signature stands behind may do anything.
    expect(await signed('cosign', changed(undefined, [1]), agreed, named)).toBe(field);
  });

  test('is signed by code for no more than was agreed, and for nothing but transfers of that token', async () => {
    expect(await signed('cosign', changed(moving(5_000_001)), agreed, byCode())).toBe(field);
    expect(await signed('cosign', changed(approving), agreed, byCode())).toBe(`${field}.transfer`);
    expect(await signed('cosign', changed(), agreed, byCode(5_000_001n))).toBe('lots');
    const stranger = addressOf('solana', STRANGER);
    expect(await signed('cosign', changed(), agreed, byCode(undefined, stranger))).toBe('escrow');
    expect(await signed('cosign', changed(undefined, [1]), agreed, byCode())).toBe('cosign');
  });
});

test('a permit that lives longer than a day is not signed, unless the policy lets it', async () => {
  const order = orderOn('evm', { deadline: micros(NOW + 86_401_000_000) });
  const issued = issuedFor(order);
  const agreed = agreedTo(order);
  expect(await signed('permit2', issued.params, agreed, {})).toBe('deadline');
  const longer = { maxLifetimeUs: 86_401_000_000 };
  expect(await signed('permit2', issued.params, agreed, longer)).toBe('permit2');
  const latest = { ...agreed, latest: micros(NOW + 1) };
  expect(await signed('permit2', issued.params, latest, longer)).toBe('deadline');
});

test('only the canonical contract of permit2 is trusted, unless a policy or the user names another', async () => {
  const order = orderOn('evm');
  const issued = issuedFor(order);
  if (issued.form !== 'permit2') throw new Error(issued.form);
  const other = addressOf('evm', STRANGER);
  const { domain } = issued.params.additional_data;
  const params = {
    ...issued.params,
    permit2_contract_address: other,
    additional_data: {
      ...issued.params.additional_data,
      domain: { ...domain, verifyingContract: other },
    },
  };
  const agreed = agreedTo(order);
  expect(await signed('permit2', params, agreed, {})).toBe('permit2_contract_address');
  const named = { networks: { 1: { permit2Contracts: [other] } } };
  expect(await signed('permit2', params, agreed, named)).toBe('permit2');
  const trusting = { ...agreed, permit2Contracts: [other] };
  expect(await signed('permit2', params, trusting, {})).toBe('permit2');
});
