import { z } from 'zod';
import { choice, flag, idText, optional, record, text, time } from '../../fields.ts';
import { address } from './wallet.ts';
import { walletBalance } from './balance.ts';

/** Some servers write `disabled`. */
export const subAccount = record('SubAccount', {
  sub_account_id: idText,
  email: text,
  status: choice(['new', 'active', 'disable', 'disabled']),
});

/** Permissions of a sub-account, set by the super account. */
export const subAccountRights = record('SubAccountRights', {
  sub_account_id: idText,
  deposit_address_generation_enabled: flag,
  withdraw_enabled: flag,
  description: optional(text),
  created_at: time,
  updated_at: time,
});

export const subAccountBalances = record('SubAccountBalances', {
  wallet: z.array(walletBalance),
  spot: z.array(walletBalance),
});

export const subAccountAddress = z.object({ result: address });

/** An API key of the account, without its secret. */
export const apiKey = record('ApiKey', {
  key: text,
  name: text,
  access: z.array(text),
  created_at: time,
});
