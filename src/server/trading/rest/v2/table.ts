import type { V2_CALLS } from '../../../../wire/trading/v2/calls/table.ts';
import type { RestHandlers } from '../handler.ts';

/** What does each call of version 2. */
export const V2_HANDLERS: Partial<RestHandlers<typeof V2_CALLS>> = {};
