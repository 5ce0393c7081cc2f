import type { AgreedTerms } from '../approval.ts';
import { agree, disagreement } from '../disagreement.ts';
import { isSameAddress } from '../same-address.ts';
import { typedAddress } from './address.ts';
import { structsOf, type StructTypes } from './eip712.ts';
import {
  PERMIT_MEMBERS,
  PRIMARY_TYPE,
  TOKEN_PERMISSIONS,
  WITNESS_MEMBERS,
  witnessHash,
  witnessTypeString,
} from './typed-data.ts';

/** What is said about the witness, as it was read. */
export interface AskedWitness {
  readonly types: StructTypes;
  readonly witness: Readonly<Record<string, unknown>>;
  readonly witness_type_string: string;
  readonly witness_hash: string;
  readonly secretHash?: string | null | undefined;
}

/** Members of a witness without which it does not say what the user gets. */
const NEEDED = new Set([
  'user',
  'destinationNetwork',
  'destinationToken',
  'destinationAddress',
  'leastAmount',
]);

/** A type that holds nothing else. */
const PLAIN = /^(?:u?int\d{0,3}|bytes\d{0,2}|address|bool|string)$/;

/**
 * The witness to sign, where its types are those of Permit2, it hashes to what is said, and it names
 * what was agreed. Throws `approval-refused`.
 */
export function checkWitness(asked: AskedWitness, agreed: AgreedTerms): AskedWitness['witness'] {
  const struct = checkTypes(asked.types);
  checkMembers(asked, struct);
  const { witness, types } = asked;
  const isString = asked.witness_type_string === witnessTypeString(struct, types);
  const stringField = 'additional_data.witness_type_string';
  agree(isString, stringField, 'The type of the witness is written otherwise than the types say.');
  const isHash = hashOf(witness, struct, types) === asked.witness_hash.toLowerCase();
  agree(isHash, 'additional_data.witness_hash', 'The witness does not hash to what is said.');
  checkDestination(witness, agreed);
  checkSecret(asked);
  return witness;
}

/** The name of the witness struct. */
function checkTypes(types: StructTypes): string {
  const at = 'additional_data.types';
  const permit = types[PRIMARY_TYPE] ?? [];
  const witness = permit.at(-1);
  const isPermit =
    witness?.name === 'witness' && written(permit.slice(0, -1)) === written(PERMIT_MEMBERS);
  agree(isPermit, at, `${PRIMARY_TYPE} has not the members that Permit2 forces.`);
  const isToken = written(types['TokenPermissions'] ?? []) === written(TOKEN_PERMISSIONS);
  agree(isToken, at, 'TokenPermissions has not the members that Permit2 forces.');
  const isOwn = witness.type !== 'TokenPermissions' && witness.type !== PRIMARY_TYPE;
  agree(isOwn && types[witness.type] !== undefined, at, 'The witness is no struct of the types.');
  const used = structsOf(PRIMARY_TYPE, types);
  const unused = Object.keys(types).find((name) => !used.has(name));
  agree(unused === undefined, at, `${unused ?? ''} is no part of what is signed.`);
  return witness.type;
}

/** The struct of the witness holds plain members, those that are needed among them, all given. */
function checkMembers({ types, witness }: AskedWitness, struct: string): void {
  const members = types[struct] ?? [];
  const at = `additional_data.types.${struct}`;
  agree(
    members.every(({ type }) => PLAIN.test(type)),
    at,
    'The witness holds more than plain members.',
  );
  for (const needed of WITNESS_MEMBERS.filter(({ name }) => NEEDED.has(name))) {
    const isThere = members.some(({ name, type }) => name === needed.name && type === needed.type);
    agree(isThere, at, `The witness has no ${needed.type} ${needed.name}.`);
  }
  const given = Object.keys(witness).sort().join();
  const named = members.map(({ name }) => name).sort();
  agree(given === named.join(), 'additional_data.witness', 'The witness is not of its type.');
}

function checkDestination(witness: AskedWitness['witness'], agreed: AgreedTerms): void {
  const { from, network, destination } = agreed;
  const user = typedAddress(network.family, from);
  const wanted: readonly (readonly [string, boolean])[] = [
    ['user', typedAddress(network.family, String(witness['user'])) === user],
    ['destinationNetwork', wholeOf(witness['destinationNetwork']) === BigInt(destination.network)],
    ['destinationToken', isSameAddress(witness['destinationToken'], destination.token)],
    ['destinationAddress', isSameAddress(witness['destinationAddress'], destination.address)],
    ['leastAmount', (wholeOf(witness['leastAmount']) ?? -1n) >= destination.leastLots],
  ];
  for (const [member, isAgreed] of wanted) {
    const field = `additional_data.witness.${member}`;
    agree(isAgreed, field, `The ${member} of the witness is not what was agreed.`);
  }
}

/** A secret hash that stands beside the witness too is the same there. */
function checkSecret({ secretHash, witness }: AskedWitness): void {
  if (secretHash === undefined || secretHash === null) return;
  const field = 'additional_data.secretHash';
  agree(/^(?:0x)?[\dA-Fa-f]{64}$/.test(secretHash), field, 'The secret hash has not 32 bytes.');
  const inside = witness['secretHash'];
  const bare = (text: unknown): string => String(text).toLowerCase().replace(/^0x/, '');
  const isSame = inside === undefined || bare(inside) === bare(secretHash);
  agree(isSame, field, 'The secret hash is not that of the witness.');
}

function hashOf(witness: AskedWitness['witness'], struct: string, types: StructTypes): string {
  try {
    return witnessHash(witness, struct, types);
  } catch {
    throw disagreement('additional_data.witness', 'A member of the witness is none of its type.');
  }
}

function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : undefined;
}

const written = (members: readonly { name: string; type: string }[]): string =>
  members.map(({ name, type }) => `${type} ${name}`).join();
