import type { V3_CALLS } from '../../../../wire/trading/v3/calls/table.ts';
import type { RestHandlers } from '../handler.ts';
import { futuresHandlers } from './futures.ts';
import { marginHandlers } from './margin.ts';
import { publicHandlers } from './public.ts';
import { spotHandlers } from './spot.ts';
import { userHandlers } from './user.ts';
import { subAccountHandlers } from './sub-account.ts';
import { walletFeeHandlers } from './wallet-fees.ts';
import { walletHandlers } from './wallet.ts';

/** Handlers of all calls of version 3. */
export const V3_HANDLERS: Partial<RestHandlers<typeof V3_CALLS>> = {
  ...publicHandlers,
  ...spotHandlers,
  ...marginHandlers,
  ...futuresHandlers,
  ...userHandlers,
  ...walletHandlers,
  ...walletFeeHandlers,
  ...subAccountHandlers,
};
