import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { isoTime, US_PER_SECOND } from '../../../platform/time.ts';
import { FAMILIES } from '../../chains/families/families.ts';
import type { AgreedTerms, ApprovalSigner, SignedApproval, TypedData } from '../approval.ts';
import { agree, ApprovalRejected, checkSigner, oneOf } from '../disagreement.ts';
import { checkByCode } from '../policy/code.ts';
import { strictSigning, type Signing } from '../policy/signing.ts';
import { typedAddress } from './address.ts';
import { readSignature } from './signature.ts';
import { digestOf, DOMAIN_NAME, typedDataOf } from './typed-data.ts';
import { wholeOf } from './whole.ts';
import { checkWitness } from './witness.ts';

const schema = z.object({
  escrow_contract_address: z.string(),
  resolver_deposit_address: z.string(),
  permit2_contract_address: z.string(),
  nonce: z.union([z.bigint(), z.int(), z.string().regex(/^\d{1,78}$/)]).transform(BigInt),
  additional_data: z.object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    witness: z.record(z.string(), z.unknown()),
    witness_type_string: z.string(),
    witness_hash: z.string(),
    secretHash: z.string().nullish(),
  }),
});

/** The parsed data to sign. */
export type RequestedPermit = z.infer<typeof schema>;

const UINT256_END = 2n ** 256n;
/** Types of the domain are not hashed beside it. */
const DOMAIN_TYPE = 'EIP712Domain';
const DOMAIN_MEMBERS = 'string name,uint256 chainId,address verifyingContract';

/** Signs a permit if it lets escrow take exactly the agreed amount, for the agreed swap. */
export async function signPermit2(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
  signing: Signing = strictSigning(params),
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const typed = checkPermit2(params, agreed, signing);
  const takers = [String(typed.message['spender'])];
  await checkByCode({ ...signing.question, form: 'permit2', agreed, takers });
  if (signer.signTypedData === undefined) {
    const sentence = `The signer of ${signer.address} signs no typed data.`;
    throw new ApprovalRejected('from', sentence, { value: 'a signer without', bound: 'one with signTypedData' }); // prettier-ignore
  }
  const signature = await signer.signTypedData(typed);
  const read = readSignature(signature);
  const family = FAMILIES[agreed.network.family];
  const isOwn =
    read !== undefined &&
    family.isSignedBy(agreed.from, hexToBytes(digestOf(typed).slice(2)), read);
  agree(isOwn, 'signature', `The signer gave no signature of ${agreed.from}.`, {
    value: 'another one',
    bound: `one of ${agreed.from} over just this permit`,
  });
  return { form: 'permit2', signature };
}

/** The typed data to sign. Throws `approval-refused` if a member is not what was agreed. */
export function checkPermit2(
  params: unknown,
  agreed: AgreedTerms,
  signing: Signing = strictSigning(params),
): TypedData {
  const { network } = agreed;
  const isPermit = network.family === 'evm' || network.family === 'tron';
  agree(isPermit, 'approval_type', `Money on ${network.name} is not given by a permit.`, {
    value: 'permit2',
    bound: `the form of ${network.family}`,
  });
  const read = schema.safeParse(params);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join('.') ?? 'params_to_sign';
    throw new ApprovalRejected(field, `The permit has no "${field}" of the right form.`, {
      value: 'not readable',
      bound: read.error.issues[0]?.message ?? 'of its type',
    });
  }
  const asked = read.data;
  checkDomain(asked, agreed);
  const { [DOMAIN_TYPE]: _, ...types } = asked.additional_data.types;
  agree(asked.nonce < UINT256_END, 'nonce', 'The nonce has more than 256 bits.', {
    value: asked.nonce,
    bound: 'below 2^256',
  });
  const spender = spenderOf(asked[signing.policy.spender], signing.policy.spender, agreed);
  const deadlineSeconds = deadlineOf(agreed);
  const witness = checkWitness({ ...asked.additional_data, types }, signing.policy, {
    agreed,
    spender,
    deadlineSeconds,
    nonce: asked.nonce,
    resolver: asked.resolver_deposit_address,
    secretHash: asked.additional_data.secretHash ?? undefined,
    destination: signing.witnessId ?? String(agreed.destination.network),
  });
  return typedDataOf({
    domain: asked.additional_data.domain,
    types,
    token: addressIn(agreed, agreed.token, 'token'),
    lots: agreed.lots,
    spender,
    nonce: asked.nonce,
    deadlineSeconds,
    witness,
  });
}

function checkDomain(
  { permit2_contract_address, additional_data }: RequestedPermit,
  agreed: AgreedTerms,
): void {
  const { network, permit2Contracts } = agreed;
  const { domain, types } = additional_data;
  const at = 'additional_data.domain';
  const members = Object.keys(domain).sort().join();
  const sentence =
    'The domain of Permit2 has name, chainId and verifyingContract, and nothing else.';
  const defaults = 'chainId,name,verifyingContract';
  agree(members === defaults, at, sentence, { value: members, bound: defaults });
  agree(domain['name'] === DOMAIN_NAME, `${at}.name`, `The domain is not ${DOMAIN_NAME}.`, {
    value: domain['name'],
    bound: DOMAIN_NAME,
  });
  const { chainId } = network;
  // Some write it as text: the hash is the same.
  const isChain = chainId !== undefined && wholeOf(domain['chainId']) === BigInt(chainId);
  agree(isChain, `${at}.chainId`, `The chain of the domain is not ${network.name}.`, {
    value: domain['chainId'],
    bound: String(chainId ?? 'that of the network'),
  });
  const contract = addressIn(agreed, permit2_contract_address, 'permit2_contract_address');
  const verifying = String(domain['verifyingContract']);
  const isContract = addressIn(agreed, verifying, `${at}.verifyingContract`) === contract;
  agree(isContract, `${at}.verifyingContract`, 'The domain is of another contract than permit2.', {
    value: verifying,
    bound: permit2_contract_address,
  });
  const isTrusted = isAmong(agreed, contract, permit2Contracts);
  agree(isTrusted, 'permit2_contract_address', 'It is no contract of permit2 that is trusted.', {
    value: permit2_contract_address,
    bound: oneOf(permit2Contracts ?? []),
  });
  const given = types[DOMAIN_TYPE]?.map(({ name, type }) => `${type} ${name}`).join();
  const isDomain = given === undefined || given === DOMAIN_MEMBERS;
  agree(isDomain, 'additional_data.types', 'The type of the domain is not that of Permit2.', {
    value: given,
    bound: DOMAIN_MEMBERS,
  });
}

/** Escrow: the contract that calls Permit2, and the only one that can use the permit. */
function spenderOf(escrow: string, field: string, agreed: AgreedTerms): string {
  const { escrows, from } = agreed;
  const spender = addressIn(agreed, escrow, field);
  const isTrusted = isAmong(agreed, spender, escrows);
  agree(isTrusted, field, `${escrow} is no escrow that is trusted.`, {
    value: escrow,
    bound: oneOf(escrows ?? []),
  });
  const isOther = spender !== addressIn(agreed, from, 'from');
  agree(isOther, field, 'Escrow is the owner of the money.', {
    value: escrow,
    bound: `another one than ${from}`,
  });
  return spender;
}

/** The seconds until which the permit can be used, no later than the intent ends. */
function deadlineOf({ deadline, latest }: AgreedTerms): bigint {
  if (deadline === undefined) {
    const finding = { value: undefined, bound: 'the time at which the intent ends' };
    throw new ApprovalRejected('deadline', 'The service gives no deadline.', finding);
  }
  const isEarly = latest === undefined || deadline <= latest;
  agree(isEarly, 'deadline', 'The deadline is later than what is agreed to.', {
    value: isoTime(deadline),
    bound: `no later than ${latest === undefined ? 'agreed' : isoTime(latest)}`,
  });
  return BigInt(Math.floor(deadline / US_PER_SECOND));
}

const isAmong = (agreed: AgreedTerms, address: string, trusted?: readonly string[]): boolean =>
  trusted === undefined ||
  trusted.some((one) => typedAddress(agreed.network.family, one) === address);

function addressIn({ network }: AgreedTerms, given: string, field: string): string {
  const found = typedAddress(network.family, given);
  if (found !== undefined) return found;
  throw new ApprovalRejected(field, `"${given}" is no address of ${network.name}.`, {
    value: given,
    bound: `an address of ${network.name}`,
  });
}
