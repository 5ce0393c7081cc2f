import { z } from 'zod';
import type { MemberSettings } from '../../server/simulation/settings.ts';
import { RIGHTS, type Right } from '../../wire/trading/rights.ts';
import { decimalText } from '../../config/fields.ts';
import { secretOf, type SecretSources } from './secrets.ts';

const ALL_RIGHTS = Object.keys(RIGHTS) as [Right, ...Right[]];

const amount = decimalText.refine((text) => !text.startsWith('-'), 'an amount of zero or more');

const amounts = z.record(z.string().min(1), amount).default({});

const balances = z
  .strictObject({
    spot: amounts.describe('For spot and margin trading.'),
    wallet: amounts,
    derivatives: amounts.describe('For futures.'),
  })
  .prefault({});

const fees = z
  .record(z.string().min(1), z.strictObject({ takeRate: decimalText, makeRate: decimalText }))
  .default({})
  .describe('Fee rates of its own, by symbol.');

/** The members of a venue, by their names. */
export function membersOf(sources: SecretSources) {
  const key = z.strictObject({
    key: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^:]*$/, 'text without colons, which end a key in Authorization headers'),
    secret: secretOf(sources).describe('Text, or where it is: env: NAME, file: PATH.'),
    rights: z.array(z.enum(ALL_RIGHTS)).default(ALL_RIGHTS),
  });
  const account = {
    email: z.string().min(3).optional().describe('NAME@example.com where absent.'),
    keys: z.array(key).default([]),
    balances,
    fees,
  };
  const subAccount = z.strictObject(account);
  const member = z.strictObject({
    ...account,
    subAccounts: z.record(z.string().min(1), subAccount).default({}),
  });
  const settings = (name: string, given: z.output<typeof subAccount>): MemberSettings => ({
    ...given,
    name,
    email: given.email ?? `${name}@example.com`,
    subAccounts: [],
  });
  return z.record(z.string().min(1), member).transform((members): MemberSettings[] =>
    Object.entries(members).map(([name, { subAccounts, ...given }]) => ({
      ...settings(name, given),
      subAccounts: Object.entries(subAccounts).map(([sub, one]) => settings(sub, one)),
    })),
  );
}
