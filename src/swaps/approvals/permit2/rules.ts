import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { FAMILIES } from '../../chains/families/families.ts';
import type { AgreedTerms } from '../approval.ts';
import { agree, oneOf } from '../disagreement.ts';
import type { WitnessSubject } from '../policy/policy.ts';
import type { ResolvedRule, ResolvedWitness } from '../policy/resolve.ts';
import { isSameAddress } from '../same-address.ts';
import { typedAddress } from './address.ts';
import type { Leaf } from './members.ts';
import { wholeOf } from './whole.ts';

/** Facts that a witness is compared with. */
export interface WitnessFacts {
  readonly agreed: AgreedTerms;
  readonly spender: string;
  readonly resolver: string;
  readonly nonce: bigint;
  readonly secretHash: string | undefined;
  readonly deadlineSeconds: bigint;
  /** The witness's name of the destination network. */
  readonly destination: string;
}

/** A rule's bound as text, and whether the value is within. */
interface Comparison {
  readonly bound: string;
  readonly fits: (leaf: Leaf) => boolean;
}

/** Throws `approval-refused` if a witness has a value without a rule, or one that breaks its rule. */
export function checkRules(
  struct: string,
  leaves: readonly Leaf[],
  { type, members }: ResolvedWitness,
  facts: WitnessFacts,
): void {
  const named = type === undefined || type === struct;
  const at = 'additional_data.witness';
  agree(named, 'additional_data.types', 'The witness is of another type than the policy says.', {
    value: struct,
    bound: type ?? '',
  });
  for (const leaf of leaves) {
    const rule = members.get(leaf.path);
    const finding = { value: leaf.value, bound: `absent, or named: ${oneOf(members.keys())}` };
    agree(rule !== undefined, `${at}.${leaf.path}`, 'The policy names no such value.', finding);
    const { fits, bound } = comparisonOf(rule, facts);
    const sentence = 'A value of the witness is not what was agreed.';
    agree(fits(leaf), `${at}.${leaf.path}`, sentence, { value: leaf.value, bound });
  }
  for (const [path, rule] of members) {
    const isThere = rule.optional || leaves.some((leaf) => leaf.path === path);
    const finding = { value: undefined, bound: comparisonOf(rule, facts).bound };
    agree(isThere, `${at}.${path}`, 'The witness lacks what the policy asks for.', finding);
  }
}

function comparisonOf({ is }: ResolvedRule, facts: WitnessFacts): Comparison {
  if (typeof is === 'object') {
    return { bound: String(is.equals), fits: (leaf) => isSame(leaf, String(is.equals)) };
  }
  return SUBJECTS[is](facts);
}

const exactly = (wanted: string): Comparison => ({
  bound: wanted,
  fits: (leaf) => isSame(leaf, wanted),
});

const address = (wanted: string): Comparison => ({
  bound: wanted,
  fits: ({ type, value }) =>
    type.startsWith('bytes')
      ? bytesForms(wanted).includes(String(value).toLowerCase())
      : isSameAddress(value, wanted) || isSameTyped(value, wanted),
});

const SUBJECTS: Readonly<Record<WitnessSubject, (facts: WitnessFacts) => Comparison>> = {
  from: ({ agreed }) => address(agreed.from),
  token: ({ agreed }) => address(agreed.token),
  lots: ({ agreed }) => exactly(String(agreed.lots)),
  destinationNetwork: ({ destination }) => exactly(destination),
  destinationToken: ({ agreed }) => address(agreed.destination.token),
  destinationAddress: ({ agreed }) => address(agreed.destination.address),
  leastLots: ({ agreed }) => ({
    bound: `at least ${agreed.destination.leastLots}`,
    fits: ({ value }) => (wholeOf(value) ?? -1n) >= agreed.destination.leastLots,
  }),
  escrow: ({ spender }) => address(spender),
  resolver: ({ resolver }) => address(resolver),
  intent: ({ agreed }) => exactly(agreed.intent ?? ''),
  secretHash: ({ secretHash }) => exactly(secretHash ?? ''),
  nonce: ({ nonce }) => exactly(String(nonce)),
  deadline: ({ deadlineSeconds }) => ({
    bound: `no later than ${deadlineSeconds}`,
    fits: ({ value }) => {
      const seconds = wholeOf(value);
      return seconds !== undefined && seconds <= deadlineSeconds;
    },
  }),
  any: () => ({ bound: 'anything', fits: () => true }),
};

/** The same number, the same bytes or the same text, as the type of the value has it. */
function isSame({ type, value }: Leaf, wanted: string): boolean {
  if (/^u?int/.test(type)) {
    const number = wholeOf(value);
    return number !== undefined && number === wholeOf(wanted);
  }
  if (type === 'bool') return String(value) === wanted;
  if (type === 'address') return isSameAddress(value, wanted) || isSameTyped(value, wanted);
  if (!type.startsWith('bytes')) return value === wanted;
  const bare = (text: string): string => text.toLowerCase().replace(/^0x/, '');
  return wanted !== '' && bare(String(value)) === bare(wanted);
}

/** Two forms of one Tron address: Base58, and that of typed data. */
function isSameTyped(value: unknown, wanted: string): boolean {
  const one = typedAddress('tron', String(value));
  return one !== undefined && one === typedAddress('tron', wanted);
}

/**
 * Byte forms of an address: of EVM-type networks and Tron its 20 bytes, alone or after zeros; of Solana its
 * 32; of all others the text.
 */
function bytesForms(wanted: string): readonly string[] {
  const typed = typedAddress('tron', wanted);
  if (typed !== undefined) return [typed, `0x${typed.slice(2).padStart(64, '0')}`];
  if (FAMILIES.solana.canonical(wanted) !== undefined) {
    return [`0x${bytesToHex(base58.decode(wanted))}`];
  }
  return [`0x${bytesToHex(utf8ToBytes(wanted))}`];
}
