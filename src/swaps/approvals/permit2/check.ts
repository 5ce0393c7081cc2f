import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { US_PER_SECOND } from '../../../platform/time.ts';
import { FAMILIES } from '../../chains/families/families.ts';
import type { AgreedTerms, ApprovalSigner, SignedApproval, TypedData } from '../approval.ts';
import { agree, checkSigner, disagreement } from '../disagreement.ts';
import { typedAddress } from './address.ts';
import { readSignature } from './signature.ts';
import { digestOf, DOMAIN_NAME, typedDataOf } from './typed-data.ts';
import { checkWitness } from './witness.ts';

const schema = z.object({
  escrow_contract_address: z.string(),
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

/** What is to be signed, as it was read. */
export type AskedPermit = z.infer<typeof schema>;

const UINT256_END = 2n ** 256n;
/** Types that tell the domain are no part of what is hashed beside it. */
const DOMAIN_TYPE = 'EIP712Domain';
const DOMAIN_MEMBERS = 'string name,uint256 chainId,address verifyingContract';

/** Signs a permit where it lets escrow take exactly what was agreed, for what was agreed. */
export async function signPermit2(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const typed = checkPermit2(params, agreed);
  if (signer.signTypedData === undefined) {
    throw disagreement('from', `The signer of ${signer.address} signs no typed data.`);
  }
  const signature = await signer.signTypedData(typed);
  const read = readSignature(signature);
  const family = FAMILIES[agreed.network.family];
  const isOwn =
    read !== undefined &&
    family.isSignedBy(agreed.from, hexToBytes(digestOf(typed).slice(2)), read);
  agree(isOwn, 'signature', `The signer gave no signature of ${agreed.from}.`);
  return { form: 'permit2', signature };
}

/** The typed data to sign. Throws `approval-refused` where a member is not what was agreed. */
export function checkPermit2(params: unknown, agreed: AgreedTerms): TypedData {
  const { network } = agreed;
  const isPermit = network.family === 'evm' || network.family === 'tron';
  agree(isPermit, 'approval_type', `Money on ${network.name} is not given by a permit.`);
  const read = schema.safeParse(params);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join('.') ?? 'params_to_sign';
    throw disagreement(field, `The permit has no "${field}" of the right form.`);
  }
  const asked = read.data;
  checkDomain(asked, agreed);
  const { [DOMAIN_TYPE]: _, ...types } = asked.additional_data.types;
  const witness = checkWitness({ ...asked.additional_data, types }, agreed);
  agree(asked.nonce < UINT256_END, 'nonce', 'The nonce has more than 256 bits.');
  return typedDataOf({
    domain: asked.additional_data.domain,
    types,
    token: addressIn(agreed, agreed.token, 'token'),
    lots: agreed.lots,
    spender: spenderOf(asked, agreed),
    nonce: asked.nonce,
    deadlineSeconds: deadlineOf(agreed),
    witness,
  });
}

function checkDomain(
  { permit2_contract_address, additional_data }: AskedPermit,
  agreed: AgreedTerms,
): void {
  const { network, permit2Contracts } = agreed;
  const { domain, types } = additional_data;
  const at = 'additional_data.domain';
  const members = Object.keys(domain).sort().join();
  const sentence =
    'The domain of Permit2 has name, chainId and verifyingContract, and nothing else.';
  agree(members === 'chainId,name,verifyingContract', at, sentence);
  agree(domain['name'] === DOMAIN_NAME, `${at}.name`, `The domain is not ${DOMAIN_NAME}.`);
  const isChain = network.chainId !== undefined && domain['chainId'] === network.chainId;
  agree(isChain, `${at}.chainId`, `The chain of the domain is not ${network.name}.`);
  const contract = addressIn(agreed, permit2_contract_address, 'permit2_contract_address');
  const verifying = String(domain['verifyingContract']);
  const isContract = addressIn(agreed, verifying, `${at}.verifyingContract`) === contract;
  agree(isContract, `${at}.verifyingContract`, 'The domain is of another contract than permit2.');
  const isTrusted = isAmong(agreed, contract, permit2Contracts);
  agree(isTrusted, 'permit2_contract_address', `${permit2_contract_address} is not trusted.`);
  const given = types[DOMAIN_TYPE]?.map(({ name, type }) => `${type} ${name}`).join();
  const isDomain = given === undefined || given === DOMAIN_MEMBERS;
  agree(isDomain, 'additional_data.types', 'The type of the domain is not that of Permit2.');
}

/** Escrow: the contract that calls Permit2, and the only one that can use the permit. */
function spenderOf({ escrow_contract_address: escrow }: AskedPermit, agreed: AgreedTerms): string {
  const field = 'escrow_contract_address';
  const spender = addressIn(agreed, escrow, field);
  const isTrusted = isAmong(agreed, spender, agreed.escrows);
  agree(isTrusted, field, `${escrow} is no escrow that is trusted.`);
  const isOther = spender !== addressIn(agreed, agreed.from, 'from');
  agree(isOther, field, 'Escrow is the owner of the money.');
  return spender;
}

/** The seconds until which the permit can be used, no later than the intent ends. */
function deadlineOf({ deadline, latest }: AgreedTerms): bigint {
  if (deadline === undefined) throw disagreement('deadline', 'The service tells no deadline.');
  const isEarly = latest === undefined || deadline <= latest;
  agree(isEarly, 'deadline', 'The deadline is later than what is agreed to.');
  return BigInt(Math.floor(deadline / US_PER_SECOND));
}

const isAmong = (agreed: AgreedTerms, address: string, trusted?: readonly string[]): boolean =>
  trusted === undefined ||
  trusted.some((one) => typedAddress(agreed.network.family, one) === address);

function addressIn({ network }: AgreedTerms, given: string, field: string): string {
  const found = typedAddress(network.family, given);
  if (found === undefined)
    throw disagreement(field, `"${given}" is no address of ${network.name}.`);
  return found;
}
