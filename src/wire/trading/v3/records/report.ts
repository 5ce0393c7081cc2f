import { choice, flag, id, numeric, optional, record } from '../../fields.ts';
import { marginMembers, orderMembers } from './order.ts';

export const REPORT_TYPES = [
  'status',
  'new',
  'suspended',
  'canceled',
  'rejected',
  'expired',
  'replaced',
  'trade',
] as const;

const reportMembers = {
  ...orderMembers,
  report_type: choice(REPORT_TYPES),
  trade_id: optional(id),
  trade_quantity: optional(numeric),
  trade_price: optional(numeric),
  /** Negative for a rebate. */
  trade_fee: optional(numeric),
  /** One value under both names, as clients know one or the other. */
  trade_taker: optional(flag),
  taker: optional(flag),
} as const;

/** An event of a spot order, and its state after it. */
export const report = record('Report', reportMembers);

/** An event of a margin or futures order. */
export const marginReport = record('MarginReport', {
  ...reportMembers,
  ...marginMembers,
  trade_position_id: optional(id),
});
