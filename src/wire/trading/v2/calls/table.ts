import { accountCalls } from './account.ts';
import { publicCalls } from './public.ts';
import { tradingCalls } from './trading.ts';

/** Prefix of every call of version 2. */
export const V2_PREFIX = '/api/2';

/** Every REST call of version 2, by the name under which programs know it. */
export const V2_CALLS = { ...publicCalls, ...tradingCalls, ...accountCalls } as const;
