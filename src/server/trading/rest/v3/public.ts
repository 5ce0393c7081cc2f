import type { publicCalls } from '../../../../wire/trading/v3/calls/public.ts';
import type { RestHandlers } from '../handler.ts';
import { futuresHandlers } from './public/futures.ts';
import { marketHandlers } from './public/markets.ts';
import { rateHandlers } from './public/rates.ts';

/** Market data of version 3: no key is needed. */
export const publicHandlers: RestHandlers<typeof publicCalls> = {
  ...marketHandlers,
  ...rateHandlers,
  ...futuresHandlers,
};
