import type { V3_CALLS } from '../../../../wire/trading/v3/calls/table.ts';
import type { RestHandlers } from '../handler.ts';
import { spotHandlers } from './spot.ts';
import { userHandlers } from './user.ts';

/** What does each call of version 3. */
export const V3_HANDLERS: Partial<RestHandlers<typeof V3_CALLS>> = {
  ...spotHandlers,
  ...userHandlers,
};
