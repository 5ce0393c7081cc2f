import type { AgreedTerms } from '../approval.ts';
import { agree, ApprovalRejected, type Disagreement } from '../disagreement.ts';
import type { ResolvedPolicy } from '../policy/resolve.ts';
import { isSameAddress } from '../same-address.ts';
import { typedAddress } from './address.ts';
import { structsOf, structType, type StructTypes } from './eip712.ts';
import { leavesOf } from './members.ts';
import { checkRules, type WitnessFacts } from './rules.ts';
import {
  PERMIT_MEMBERS,
  PRIMARY_TYPE,
  TOKEN_PERMISSIONS,
  WITNESS_MEMBERS,
  witnessHash,
  witnessTypeString,
} from './typed-data.ts';
import { wholeOf } from './whole.ts';

/** The parsed description of a witness. */
export interface RequestedWitness {
  readonly types: StructTypes;
  readonly witness: Readonly<Record<string, unknown>>;
  readonly witness_type_string: string;
  readonly witness_hash: string;
  readonly secretHash?: string | null | undefined;
}

/** Required members of a witness: without them it does not say what the user receives. */
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
 * The witness to sign, if its types are those of Permit2, its hash is the given one, and it matches the
 * agreement: in the shape of the simulated venue, by the rules of the policy if it has some, or as a code
 * check decides. Throws `approval-refused`.
 */
export function checkWitness(
  asked: RequestedWitness,
  { witness: rules, check }: ResolvedPolicy,
  facts: WitnessFacts,
): RequestedWitness['witness'] {
  const struct = checkTypes(asked.types);
  const { witness, types } = asked;
  const isOwn = rules === undefined && check === undefined;
  if (isOwn) checkMembers(asked, struct);
  const leaves = leavesOf(struct, witness, types);
  const text = witnessTypeString(struct, types);
  agree(
    asked.witness_type_string === text,
    'additional_data.witness_type_string',
    'The type of the witness is written otherwise than the types say.',
    { value: asked.witness_type_string, bound: text },
  );
  const hash = hashOf(witness, struct, types);
  agree(
    hash === asked.witness_hash.toLowerCase(),
    'additional_data.witness_hash',
    'The witness does not hash to what is said.',
    { value: asked.witness_hash, bound: hash },
  );
  if (isOwn) checkDestination(witness, facts.agreed);
  if (rules !== undefined) checkRules(struct, leaves, rules, facts);
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
  agree(isPermit, at, `${PRIMARY_TYPE} has not the members that Permit2 forces.`, {
    value: written(permit),
    bound: `${written(PERMIT_MEMBERS)}, and the witness`,
  });
  const token = written(types['TokenPermissions'] ?? []);
  const forced = written(TOKEN_PERMISSIONS);
  agree(token === forced, at, 'TokenPermissions has not the members that Permit2 forces.', {
    value: token,
    bound: forced,
  });
  const isOwn = witness.type !== 'TokenPermissions' && witness.type !== PRIMARY_TYPE;
  const isStruct = isOwn && types[witness.type] !== undefined;
  const struct = { value: witness.type, bound: 'a struct of its own among the types' };
  agree(isStruct, at, 'The witness is no struct of the types.', struct);
  const used = structsOf(PRIMARY_TYPE, types);
  const unused = Object.keys(types).find((name) => !used.has(name));
  const reported = { value: unused, bound: [...used].join() };
  agree(unused === undefined, at, `${unused ?? ''} is no part of what is signed.`, reported);
  return witness.type;
}

/** Checks that the witness's struct has only plain members, all required ones, all with values. */
function checkMembers({ types, witness }: RequestedWitness, struct: string): void {
  const members = types[struct] ?? [];
  const at = `additional_data.types.${struct}`;
  agree(
    members.every(({ type }) => PLAIN.test(type)),
    at,
    'The witness holds more than plain members.',
    {
      value: structType(struct, types),
      bound: 'of plain members alone; a signing policy may name those of another',
    },
  );
  for (const needed of WITNESS_MEMBERS.filter(({ name }) => NEEDED.has(name))) {
    const isThere = members.some(({ name, type }) => name === needed.name && type === needed.type);
    agree(isThere, at, `The witness has no ${needed.type} ${needed.name}.`, {
      value: structType(struct, types),
      bound: `one with ${needed.type} ${needed.name}; a signing policy may name the members of another`,
    });
  }
  const given = Object.keys(witness).sort().join();
  const named = members.map(({ name }) => name).sort();
  const finding = { value: given, bound: named.join() };
  agree(given === named.join(), 'additional_data.witness', 'The witness is not of its type.', finding); // prettier-ignore
}

function checkDestination(witness: RequestedWitness['witness'], agreed: AgreedTerms): void {
  const { from, network, destination } = agreed;
  const user = typedAddress(network.family, from);
  const { network: target, token, address, leastLots } = destination;
  const least = wholeOf(witness['leastAmount']) ?? -1n;
  const wanted: readonly (readonly [string, boolean, Disagreement['bound']])[] = [
    ['user', typedAddress(network.family, String(witness['user'])) === user, from],
    ['destinationNetwork', wholeOf(witness['destinationNetwork']) === BigInt(target), `${target}`],
    ['destinationToken', isSameAddress(witness['destinationToken'], token), token],
    ['destinationAddress', isSameAddress(witness['destinationAddress'], address), address],
    ['leastAmount', least >= leastLots, `at least ${leastLots}`],
  ];
  for (const [member, isAgreed, bound] of wanted) {
    const field = `additional_data.witness.${member}`;
    const finding = { value: witness[member], bound };
    agree(isAgreed, field, `The ${member} of the witness is not what was agreed.`, finding);
  }
}

/** A secret hash beside the witness must equal the witness's. */
function checkSecret({ secretHash, witness }: RequestedWitness): void {
  if (secretHash === undefined || secretHash === null) return;
  const field = 'additional_data.secretHash';
  agree(/^(?:0x)?[\dA-Fa-f]{64}$/.test(secretHash), field, 'The secret hash has not 32 bytes.', {
    value: secretHash,
    bound: '32 bytes, hexadecimal',
  });
  const inside = witness['secretHash'];
  const bare = (text: unknown): string => String(text).toLowerCase().replace(/^0x/, '');
  const isSame = inside === undefined || bare(inside) === bare(secretHash);
  const finding = { value: secretHash, bound: String(inside) };
  agree(isSame, field, 'The secret hash is not that of the witness.', finding);
}

function hashOf(witness: RequestedWitness['witness'], struct: string, types: StructTypes): string {
  try {
    return witnessHash(witness, struct, types);
  } catch (cause) {
    const finding = { value: witness, bound: structType(struct, types) };
    const sentence = 'A member of the witness is none of its type.';
    throw new ApprovalRejected('additional_data.witness', sentence, finding, cause);
  }
}

const written = (members: readonly { name: string; type: string }[]): string =>
  members.map(({ name, type }) => `${type} ${name}`).join();
