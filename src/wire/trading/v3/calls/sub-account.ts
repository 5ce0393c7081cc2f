import { z } from 'zod';
import { get, post } from '../../call.ts';
import { choice, code, flag, id, nonEmptyList, numeric, optional, text } from '../../fields.ts';
import {
  apiKey,
  subAccount,
  subAccountAddress,
  subAccountBalances,
  subAccountRights,
} from '../records/sub-account.ts';

const done = z.object({ result: flag });
const moved = z.object({ result: text });
const ofSubAccounts = z.object({ sub_account_ids: nonEmptyList });

/** A list in a `result`; some servers send it bare, which is read too. */
const wrapped = <S extends z.ZodType>(schema: S) =>
  z.codec(
    z.union([z.object({ result: z.array(schema) }), z.array(schema)]),
    z.custom<{ readonly result: readonly z.output<S>[] }>(() => true),
    {
      decode: (given) => (Array.isArray(given) ? { result: given } : given),
      encode: ({ result }) => ({ result: [...result] }),
    },
  );

/** Accounts under the account. */
export const subAccountCalls = {
  getSubAccounts: get('/sub-account', {
    access: 'key',
    summary: 'Sub-accounts',
    response: wrapped(subAccount),
  }),
  freezeSubAccounts: post('/sub-account/freeze', {
    access: 'key',
    summary: 'Freeze sub-accounts: their orders are canceled and their keys refused',
    params: ofSubAccounts,
    response: done,
  }),
  activateSubAccounts: post('/sub-account/activate', {
    access: 'key',
    summary: 'Activate frozen sub-accounts',
    params: ofSubAccounts,
    response: done,
  }),
  transferWithSubAccount: post('/sub-account/transfer', {
    access: 'withdraw',
    summary: 'Move funds to or from a sub-account',
    params: z.object({
      sub_account_id: id,
      amount: numeric,
      currency: code,
      type: choice(['to_sub_account', 'from_sub_account']),
    }),
    response: moved,
  }),
  transferToSuperAccount: post('/sub-account/transfer/sub-to-super', {
    access: 'withdraw',
    summary: 'Move funds of a sub-account to the account above it',
    params: z.object({ amount: numeric, currency: code }),
    response: moved,
  }),
  transferBetweenSubAccounts: post('/sub-account/transfer/sub-to-sub', {
    access: 'withdraw',
    summary: 'Move funds of a sub-account to another one',
    params: z.object({ sub_account_id: id, amount: numeric, currency: code }),
    response: moved,
  }),
  getSubAccountRights: get('/sub-account/acl', {
    access: 'payment',
    summary: 'What sub-accounts may do',
    params: ofSubAccounts,
    response: wrapped(subAccountRights),
  }),
  setSubAccountRights: post('/sub-account/acl', {
    access: 'payment',
    summary: 'Set what sub-accounts may do',
    params: ofSubAccounts.extend({
      deposit_address_generation_enabled: optional(flag),
      withdraw_enabled: optional(flag),
      description: optional(text),
    }),
    response: wrapped(subAccountRights),
  }),
  getSubAccountBalances: get('/sub-account/balance/{sub_account_id}', {
    access: 'payment',
    summary: 'Balances of a sub-account',
    response: z.object({ result: subAccountBalances }),
  }),
  getSubAccountAddress: get('/sub-account/crypto/address/{sub_account_id}/{currency}', {
    access: 'payment',
    summary: 'The deposit address of a sub-account',
    response: subAccountAddress,
  }),
} as const;

/** The user behind the account. */
export const userCalls = {
  getApiKeys: get('/user/api-keys', {
    access: 'key',
    summary: 'API keys of the account, without their secrets',
    response: z.array(apiKey),
  }),
} as const;
