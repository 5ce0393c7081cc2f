import { z } from 'zod';
import { MillraceError } from '../model/errors.ts';
import type { SigningCheck, SigningPolicy } from '../swaps/approvals/policy/policy.ts';
import { WITNESS_SUBJECTS } from '../swaps/approvals/policy/policy.ts';
import { positiveSpan } from '../config/amounts.ts';
import type { Refuse } from './bot/strategies.ts';
import { exportedFunction } from './config-modules.ts';

const address = z.string().min(1);
const addresses = z.array(address).min(1);

const lots = z
  .union([z.string(), z.int()], { error: 'a whole number of smallest units, in quotes where long' })
  .transform(String)
  .refine((text) => /^[1-9]\d{0,77}$/.test(text), 'a whole number of smallest units above 0');

const subject = z.enum(WITNESS_SUBJECTS);

const rule = z.union(
  [
    subject,
    z
      .strictObject({
        is: subject.optional(),
        equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
        optional: z.boolean().default(false),
      })
      .refine(({ is, equals }) => (is === undefined) !== (equals === undefined), 'is or equals'),
  ],
  {
    error: `one of ${WITNESS_SUBJECTS.join(', ')}, or { is: ONE }, or { equals: VALUE }, both maybe with optional: true`,
  },
);

const memo = z.enum(['required', 'none']).default('required');

const bounds = z.strictObject({
  escrows: z
    .union([z.literal('checked'), addresses], { error: 'a list of addresses, or checked' })
    .optional()
    .describe('Who may take the money; checked leaves that to the check.'),
  permit2Contracts: addresses
    .optional()
    .describe('Contracts of permit2; the canonical one where absent.'),
  tokens: z
    .record(address, lots)
    .optional()
    .describe('Tokens that may be given, with the most in one approval, in smallest units.'),
  witnessId: z
    .union([z.string().min(1), z.int()])
    .optional()
    .describe('What a witness calls the network, where that is not its network_id.'),
});

/** The `signing` settings of a swap service: what may be signed for it. */
export const SIGNING_CONFIG = z
  .strictObject({
    check: z
      .string()
      .min(1)
      .optional()
      .describe('Path of a module whose default export reads what is to be signed.'),
    maxLifetime: positiveSpan
      .prefault('1d')
      .describe('A permit ends so long after its signing at the latest.'),
    networks: z
      .record(z.string().regex(/^\d{1,15}$/, 'the network_id of the service'), bounds)
      .default({})
      .describe('Bounds of each network, by its network_id at the service.'),
    permit2: z
      .strictObject({
        spender: z
          .enum(['escrow_contract_address', 'resolver_deposit_address'])
          .default('escrow_contract_address')
          .describe('The member of params_to_sign that names the spender.'),
        witness: z
          .strictObject({
            type: z.string().min(1).optional().describe('Name of the struct.'),
            members: z
              .record(z.string().min(1), rule)
              .refine((given) => Object.keys(given).length > 0, 'at least one member')
              .describe('What each value of the witness has to be, by its path.'),
          })
          .optional()
          .describe('A witness of another shape.'),
      })
      .optional(),
    htlc: z.strictObject({ memo }).optional(),
    cosign: z.strictObject({ memo, programs: addresses.optional() }).optional(),
  })
  .describe('What may be signed for the service; what was agreed where absent.');

/** A configured policy, and warnings for its owner. */
export interface ReadPolicy {
  readonly policy: SigningPolicy;
  readonly warnings: readonly string[];
}

/** Loads the check that a configuration names; rejects errors with their place. */
export async function signingPolicy(
  { check, maxLifetime, ...rest }: z.output<typeof SIGNING_CONFIG>,
  folder: string,
  at: readonly string[],
  refuse: Refuse,
): Promise<ReadPolicy> {
  const what = 'a function that says what a signature would let leave, a SigningCheck';
  const place = [...at, 'check'];
  const code =
    check === undefined
      ? undefined
      : await exportedFunction({ path: check, folder, at: place, what }, refuse);
  const policy: SigningPolicy = {
    ...rest,
    maxLifetimeUs: maxLifetime,
    check: code as SigningCheck | undefined,
  };
  // Address comparison is loaded only if there is a policy.
  const { signingWarnings } = await import('../gateways/swaps/signing.ts');
  try {
    return { policy, warnings: signingWarnings(policy) };
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return refuse([...at, ...(error.field ?? '').split('.')], error.message, error.code, error);
  }
}
