import type { V2_CALLS } from '../../../../wire/trading/v2/calls/table.ts';
import type { RestHandlers } from '../handler.ts';
import { marginHandlers } from './margin.ts';
import { tradingHandlers } from './trading.ts';
import { publicHandlers } from './public.ts';
import { accountHandlers } from './account.ts';

/** Handlers of all calls of version 2. */
export const V2_HANDLERS: Partial<RestHandlers<typeof V2_CALLS>> = {
  ...tradingHandlers,
  ...marginHandlers,
  ...publicHandlers,
  ...accountHandlers,
};
