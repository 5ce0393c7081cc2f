import { describe, expect, it } from 'vitest';
import type { Permit2Params } from '../../../src/swaps/approvals/approval.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { checkPermit2 } from '../../../src/swaps/approvals/permit2/check.ts';
import { witnessHash } from '../../../src/swaps/approvals/permit2/typed-data.ts';
import { verifyApproval } from '../../../src/swaps/approvals/verify.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { addressOf, agreedTo, issuedFor, orderOn, secretOf, STRANGER, USER } from './kit.ts';

type Data = Permit2Params['additional_data'];

const order = orderOn('evm');
const issued = issuedFor(order);
if (issued.form !== 'permit2') throw new Error(issued.form);
const { params } = issued;
const { domain, types, witness } = params.additional_data;
const stranger = addressOf('evm', STRANGER);

const agreed = agreedTo(order, {
  escrows: [order.escrow],
  permit2Contracts: [params.permit2_contract_address],
});

const withData = (changes: Partial<Data>): Permit2Params => ({
  ...params,
  additional_data: { ...params.additional_data, ...changes },
});

/** The member that the user finds amiss; nothing where he would sign. */
function fieldOf(asked: Permit2Params): unknown {
  try {
    checkPermit2(asked, agreed);
    return undefined;
  } catch (error) {
    return (error as { readonly field?: unknown }).field;
  }
}

const without = (given: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(given).filter(([key]) => key !== name));

/** The types with a member of a struct written otherwise. */
const retyped = (struct: string, name: string, change: { name?: string; type?: string }) => ({
  ...types,
  [struct]: (types[struct] ?? []).map((one) => (one.name === name ? { ...one, ...change } : one)),
});

describe('the user of a permit', () => {
  it('signs what he agreed to', () => {
    expect(fieldOf(params)).toBeUndefined();
  });

  it.each([
    ['name', { ...domain, name: 'Permit3' }, 'domain.name'],
    ['chainId', { ...domain, chainId: 5 }, 'domain.chainId'],
    ['verifyingContract', { ...domain, verifyingContract: stranger }, 'domain.verifyingContract'],
    ['version', { ...domain, version: '1' }, 'domain'],
    ['salt', { ...domain, salt: `0x${'00'.repeat(32)}` }, 'domain'],
    ['name missing', without(domain, 'name'), 'domain'],
    ['chainId missing', without(domain, 'chainId'), 'domain'],
    ['verifyingContract missing', without(domain, 'verifyingContract'), 'domain'],
  ])('refuses another member of the domain: %s', (_, other, field) => {
    expect(fieldOf(withData({ domain: other }))).toBe(`additional_data.${field}`);
  });

  it.each([
    ['TokenPermissions', 'token', { type: 'bytes20' }, 'types'],
    ['TokenPermissions', 'amount', { name: 'sum' }, 'types'],
    ['PermitWitnessTransferFrom', 'permitted', { name: 'allowed' }, 'types'],
    ['PermitWitnessTransferFrom', 'spender', { type: 'uint160' }, 'types'],
    ['PermitWitnessTransferFrom', 'nonce', { type: 'uint128' }, 'types'],
    ['PermitWitnessTransferFrom', 'deadline', { name: 'until' }, 'types'],
    ['PermitWitnessTransferFrom', 'witness', { name: 'order' }, 'types'],
    ['PermitWitnessTransferFrom', 'witness', { type: 'TokenPermissions' }, 'types'],
    ['PermitWitnessTransferFrom', 'witness', { type: 'Unknown' }, 'types'],
    ['SwapIntent', 'user', { type: 'string' }, 'types.SwapIntent'],
    ['SwapIntent', 'destinationNetwork', { type: 'uint64' }, 'types.SwapIntent'],
    ['SwapIntent', 'destinationToken', { type: 'bytes' }, 'types.SwapIntent'],
    ['SwapIntent', 'destinationAddress', { name: 'target' }, 'types.SwapIntent'],
    ['SwapIntent', 'leastAmount', { type: 'uint128' }, 'types.SwapIntent'],
    ['SwapIntent', 'intent', { type: 'TokenPermissions' }, 'types.SwapIntent'],
    ['SwapIntent', 'intent', { name: 'other' }, 'witness'],
  ])('refuses another type: %s.%s %j', (struct, name, change, field) => {
    const asked = withData({ types: retyped(struct, name, change) });
    expect(fieldOf(asked)).toBe(`additional_data.${field}`);
  });

  it('refuses a type that is no part of what is signed, and another of the domain', () => {
    const unused = { ...types, More: [{ name: 'a', type: 'uint256' }] };
    expect(fieldOf(withData({ types: unused }))).toBe('additional_data.types');
    const salted = { ...types, EIP712Domain: [{ name: 'salt', type: 'bytes32' }] };
    expect(fieldOf(withData({ types: salted }))).toBe('additional_data.types');
  });

  it.each([
    ['user', stranger, 'witness.user'],
    ['destinationNetwork', '9', 'witness.destinationNetwork'],
    ['destinationToken', 'other', 'witness.destinationToken'],
    ['destinationAddress', stranger, 'witness.destinationAddress'],
    ['leastAmount', '1', 'witness.leastAmount'],
    ['intent', 'other', undefined],
    ['resolver', stranger, undefined],
    ['secretHash', `0x${'33'.repeat(32)}`, undefined],
  ])('refuses another %s of the witness, by its hash or by itself', (member, value, field) => {
    const other = { ...witness, [member]: value };
    const bare = withData({ witness: other });
    expect(fieldOf(bare)).toBe('additional_data.witness_hash');
    const hash = witnessHash(other, 'SwapIntent', types);
    // What was not agreed in advance is the service's to say.
    const reported = field === undefined ? undefined : `additional_data.${field}`;
    expect(fieldOf(withData({ witness: other, witness_hash: hash }))).toBe(reported);
    const absent = withData({ witness: without(witness, member) });
    expect(fieldOf(absent)).toBe('additional_data.witness');
  });

  it('refuses another hash, and another text of the types', () => {
    const { witness_hash: hash, witness_type_string: text } = params.additional_data;
    const flipped = hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(fieldOf(withData({ witness_hash: flipped }))).toBe('additional_data.witness_hash');
    for (const other of [`${text} `, text.replace('SwapIntent', 'Swap'), '']) {
      const asked = withData({ witness_type_string: other });
      expect(fieldOf(asked)).toBe('additional_data.witness_type_string');
    }
  });

  it('refuses another escrow, another contract and a nonce beyond 256 bits', () => {
    const escrow = { ...params, escrow_contract_address: stranger };
    expect(fieldOf(escrow)).toBe('escrow_contract_address');
    const contract = { ...params, permit2_contract_address: stranger };
    expect(fieldOf(contract)).toBe('additional_data.domain.verifyingContract');
    const both = { ...withData({ domain: { ...domain, verifyingContract: stranger } }), permit2_contract_address: stranger }; // prettier-ignore
    expect(fieldOf(both)).toBe('permit2_contract_address');
    expect(fieldOf({ ...params, nonce: 2n ** 256n })).toBe('nonce');
  });

  it.each([
    ['with 0x', order.secretHash],
    ['without', order.secretHash.slice(2)],
    ['in capitals', order.secretHash.slice(2).toUpperCase()],
  ])('signs one with a secretHash beside the witness, %s', async (_, secretHash) => {
    const asked = withData({ secretHash });
    const signer = keySigner('evm', secretOf(USER));
    const signed = await signApproval(asked, 'permit2', agreed, signer);
    expect(verifyApproval(order, issued, signed)).toEqual({ form: 'permit2' });
  });

  it('refuses a secretHash that is not that of the witness, or none', () => {
    for (const secretHash of [`0x${'23'.repeat(32)}`, order.secretHash.slice(0, -2), '']) {
      expect(fieldOf(withData({ secretHash }))).toBe('additional_data.secretHash');
    }
  });
});
