import { MillraceError } from '../../../model/errors.ts';
import { knownMembers, membersOf, unknownName } from '../../../model/members.ts';
import { US_PER_DAY } from '../../../platform/time.ts';
import type { ApprovalForm } from '../approval.ts';
import {
  WITNESS_SUBJECTS,
  type CosignPolicy,
  type HtlcPolicy,
  type NetworkBounds,
  type Permit2Policy,
  type SigningPolicy,
  type WitnessPolicy,
  type WitnessRule,
  type WitnessSubject,
} from './policy.ts';

/** Bounds of a network with numbers read. */
export interface ResolvedBounds {
  readonly escrows?: readonly string[] | 'checked' | undefined;
  readonly permit2Contracts?: readonly string[] | undefined;
  readonly tokens?: ReadonlyMap<string, bigint> | undefined;
  readonly witnessId?: string | undefined;
}

/** A rule with all defaults. */
export interface ResolvedRule {
  readonly is: WitnessSubject | { readonly equals: string | number | boolean };
  readonly optional: boolean;
}

export interface ResolvedWitness {
  readonly type: string | undefined;
  readonly members: ReadonlyMap<string, ResolvedRule>;
}

/** A valid policy with all defaults. */
export interface ResolvedPolicy {
  readonly networks: ReadonlyMap<string, ResolvedBounds>;
  readonly maxLifetimeUs: number;
  readonly spender: NonNullable<Permit2Policy['spender']>;
  readonly witness: ResolvedWitness | undefined;
  readonly htlcMemo: NonNullable<HtlcPolicy['memo']>;
  readonly cosignMemo: NonNullable<CosignPolicy['memo']>;
  readonly programs: readonly string[];
  readonly check: SigningPolicy['check'];
}

const POLICY = membersOf<SigningPolicy>({
  networks: true,
  maxLifetimeUs: true,
  permit2: true,
  htlc: true,
  cosign: true,
  check: true,
});
const BOUNDS = membersOf<NetworkBounds>({
  escrows: true,
  permit2Contracts: true,
  tokens: true,
  witnessId: true,
});
const PERMIT2 = membersOf<Permit2Policy>({ spender: true, witness: true });
const WITNESS = membersOf<WitnessPolicy>({ type: true, members: true });
const RULE = new Set(['is', 'equals', 'optional']);
const HTLC = membersOf<HtlcPolicy>({ memo: true });
const COSIGN = membersOf<CosignPolicy>({ memo: true, programs: true });
const SPENDERS = ['escrow_contract_address', 'resolver_deposit_address'] as const;
const MEMOS = ['required', 'none'] as const;

/** Default lifetime of a permit. */
export const LIFETIME_US = US_PER_DAY;

/** Members of a permit of the strict shape, and what each means to its user. */
const PROVEN = {
  from: 'who gives the money',
  destinationNetwork: 'the network that the user gets it on',
  destinationToken: 'the token that the user gets',
  destinationAddress: 'the address that gets it',
  leastLots: 'the least that the user gets',
} as const satisfies Partial<Record<WitnessSubject, string>>;

/** Fills in defaults. Throws `config-invalid`, with the wrong member as its field. */
export function resolvePolicy(given: SigningPolicy = {}): ResolvedPolicy {
  known('', given, POLICY);
  const { permit2 = {}, htlc = {}, cosign = {}, check, maxLifetimeUs = LIFETIME_US } = given;
  known('permit2', permit2, PERMIT2);
  known('htlc', htlc, HTLC);
  known('cosign', cosign, COSIGN);
  const isSpan = Number.isSafeInteger(maxLifetimeUs) && maxLifetimeUs > 0;
  if (!isSpan) throw wrong('maxLifetimeUs', `a whole number above 0, not ${maxLifetimeUs}`);
  if (check !== undefined && typeof check !== 'function') throw wrong('check', 'a function');
  const policy: ResolvedPolicy = {
    networks: networksOf(given.networks ?? {}, check !== undefined),
    maxLifetimeUs,
    spender: among('permit2.spender', permit2.spender ?? SPENDERS[0], SPENDERS),
    witness: permit2.witness === undefined ? undefined : witnessOf(permit2.witness),
    htlcMemo: among('htlc.memo', htlc.memo ?? 'required', MEMOS),
    cosignMemo: among('cosign.memo', cosign.memo ?? 'required', MEMOS),
    programs: cosign.programs === undefined ? [] : texts('cosign.programs', cosign.programs),
    check,
  };
  const isNamed = [...policy.networks.values()].some(({ escrows }) => escrows !== undefined);
  if (!isNamed && (['permit2', 'htlc', 'cosign'] as const).some((one) => isForeign(policy, one))) {
    throw wrong(
      'networks',
      'given with the escrows of each network that money comes from, as data of another shape may be signed for them alone',
    );
  }
  return policy;
}

/** True if data to sign of a form may have another shape than that of the simulated venue. */
export function isForeign(policy: ResolvedPolicy, form: ApprovalForm): boolean {
  if (policy.check !== undefined) return true;
  switch (form) {
    case 'permit2':
      return policy.witness !== undefined || policy.spender !== SPENDERS[0];
    case 'htlc':
      return policy.htlcMemo === 'none';
    case 'cosign':
      return policy.cosignMemo === 'none' || policy.programs.length > 0;
  }
}

/** A sentence for each bound that is looser than the default; none for the strict policy. */
export function loosenedBounds(policy: ResolvedPolicy): readonly string[] {
  const { networks, maxLifetimeUs, spender, witness, check, programs } = policy;
  const reported: string[] = [];
  if (check !== undefined) {
    reported.push('what is signed is read by code of its own, and what the code says is believed');
  }
  for (const [id, { escrows }] of networks) {
    if (escrows === 'checked') reported.push(`on network ${id} any escrow may take the money that the code names`); // prettier-ignore
  }
  if (maxLifetimeUs > LIFETIME_US) {
    reported.push(`a permit may end ${maxLifetimeUs / 1e6} s after its signing, later than a day`);
  }
  if (spender !== SPENDERS[0]) reported.push(`the spender of a permit is the ${spender}`);
  if (witness !== undefined) reported.push(...loosenedWitness(witness));
  if (policy.htlcMemo === 'none') reported.push(`a transaction of Bitcoin ${NO_MEMO}`);
  if (policy.cosignMemo === 'none') reported.push(`a transaction of Solana ${NO_MEMO}`);
  if (programs.length > 0) reported.push(`a transaction of Solana may call ${programs.join(', ')}`);
  return reported;
}

const NO_MEMO = 'does not have to say what the user gets for it';

function loosenedWitness({ members }: ResolvedWitness): readonly string[] {
  const bound = new Set<unknown>();
  const open: string[] = [];
  for (const [path, { is, optional }] of members) {
    if (is === 'any') open.push(path);
    else if (!optional) bound.add(is);
  }
  const missing = Object.entries(PROVEN).filter(([subject]) => !bound.has(subject));
  return [
    ...missing.map(([, what]) => `the witness of a permit does not have to name ${what}`),
    ...(open.length === 0 ? [] : [`the witness of a permit may say anything as ${open.join(', ')}`]), // prettier-ignore
  ];
}

function networksOf(
  given: Readonly<Record<string, NetworkBounds>>,
  isCode: boolean,
): ReadonlyMap<string, ResolvedBounds> {
  members('networks', given);
  return new Map(
    Object.entries(given).map(([id, bounds]) => {
      const at = `networks.${id}`;
      if (!/^\d{1,15}$/.test(id)) throw wrong(at, 'a network_id of the service, a whole number');
      known(at, bounds, BOUNDS);
      const { escrows, permit2Contracts, tokens, witnessId } = bounds;
      if (escrows === 'checked' && !isCode) {
        throw wrong(`${at}.escrows`, 'a list of addresses, as there is no check that names them');
      }
      return [
        id,
        {
          escrows:
            escrows === undefined || escrows === 'checked'
              ? escrows
              : texts(`${at}.escrows`, escrows),
          permit2Contracts: permit2Contracts && texts(`${at}.permit2Contracts`, permit2Contracts),
          tokens: tokens && tokensOf(`${at}.tokens`, tokens),
          witnessId: witnessId === undefined ? undefined : String(witnessId),
        },
      ];
    }),
  );
}

function tokensOf(
  at: string,
  given: NonNullable<NetworkBounds['tokens']>,
): ReadonlyMap<string, bigint> {
  members(at, given);
  return new Map(
    Object.entries(given).map(([token, most]) => {
      const isExact = typeof most !== 'number' || Number.isSafeInteger(most);
      if (isExact && /^[1-9]\d{0,77}$/.test(String(most))) return [token, BigInt(most)];
      throw wrong(`${at}.${token}`, `a whole number of smallest units above 0, not ${most}`);
    }),
  );
}

function witnessOf(given: WitnessPolicy): ResolvedWitness {
  const at = 'permit2.witness';
  known(at, given, WITNESS);
  const { type, members: rules } = given;
  if (type !== undefined && (typeof type !== 'string' || type === '')) {
    throw wrong(`${at}.type`, 'the name of a struct');
  }
  members(`${at}.members`, rules);
  const resolved = Object.entries(rules).map(
    ([path, rule]) => [path, ruleOf(`${at}.members.${path}`, rule)] as const,
  );
  if (resolved.length === 0) throw wrong(`${at}.members`, 'at least one member of the witness');
  return { type, members: new Map(resolved) };
}

function ruleOf(at: string, given: WitnessRule): ResolvedRule {
  if (typeof given === 'string') return ruleOf(at, { is: given });
  known(at, given, RULE);
  const { is, equals, optional = false } = given;
  if (typeof optional !== 'boolean') throw wrong(`${at}.optional`, 'true or false');
  if ((is === undefined) === (equals === undefined)) throw wrong(at, 'either is or equals');
  if (equals !== undefined) {
    if (['string', 'number', 'boolean'].includes(typeof equals)) return { is: { equals }, optional }; // prettier-ignore
    throw wrong(`${at}.equals`, 'text, a number, true or false');
  }
  return { is: among(at, is, WITNESS_SUBJECTS), optional };
}

function among<T extends string>(at: string, given: unknown, known: readonly T[]): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw wrong(at, `one of ${known.join(', ')}, not ${String(given)}`);
}

/** Addresses: at least one, as an empty list would look like an absent one. */
function texts(at: string, given: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const found = list.filter((one) => typeof one === 'string').filter((one) => one !== '');
  if (found.length > 0 && found.length === list.length) return found;
  throw wrong(at, 'a list of at least one address');
}

function members(at: string, given: object): void {
  const isRecord = typeof given === 'object' && (given as unknown) !== null;
  if (!isRecord || Array.isArray(given)) throw wrong(at, 'an object');
}

function known(at: string, given: object, names: ReadonlySet<string>): void {
  if (at !== '') members(at, given);
  else members('signing', given);
  const stray = unknownName(given, names);
  if (stray === undefined) return;
  const path = at === '' ? stray : `${at}.${stray}`;
  const sentence = `The signing policy has no ${path}; ${knownMembers(stray, names)}`;
  throw new MillraceError('config-invalid', sentence, { field: path });
}

const wrong = (field: string, what: string): MillraceError =>
  new MillraceError('config-invalid', `${field} of the signing policy must be ${what}.`, { field });
