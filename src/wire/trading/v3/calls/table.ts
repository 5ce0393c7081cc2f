import { futuresCalls } from './futures.ts';
import { marginCalls } from './margin.ts';
import { publicCalls } from './public.ts';
import { spotCalls } from './spot.ts';
import { subAccountCalls, userCalls } from './sub-account.ts';
import { walletFeeCalls } from './wallet-fees.ts';
import { walletCalls } from './wallet.ts';

/** Prefix of every call of version 3. */
export const V3_PREFIX = '/api/3';

/** Every REST call of version 3, by the name under which programs know it. */
export const V3_CALLS = {
  ...publicCalls,
  ...spotCalls,
  ...marginCalls,
  ...futuresCalls,
  ...walletCalls,
  ...walletFeeCalls,
  ...subAccountCalls,
  ...userCalls,
} as const;
