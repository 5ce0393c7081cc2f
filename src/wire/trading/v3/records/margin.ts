import { z } from 'zod';
import { ACCOUNT_REPORT_REASONS, ACCOUNT_REPORT_TYPES } from '../../account-report.ts';
import { choice, flag, id, numeric, optional, record, text, time } from '../../fields.ts';

/** On what terms a symbol is traded on margin. */
const terms = record('MarginTerms', {
  symbol: text,
  margin_call_leverage_mul: numeric,
  liquidation_leverage_mul: numeric,
  max_initial_leverage: numeric,
  /** Some servers write it in small letters. */
  margin_mode: choice(['Isolated', 'Cross', 'isolated', 'cross']),
  force_close_fee: numeric,
  enabled: flag,
  active: flag,
  limit_base: optional(numeric),
  limit_power: optional(numeric),
  unlimited_threshold: optional(numeric),
});

export const marginConfig = record('MarginConfig', { config: z.array(terms) });

const positionMembers = {
  id,
  symbol: text,
  /** Negative for a short. */
  quantity: numeric,
  price_entry: optional(numeric),
  price_margin_call: optional(numeric),
  price_liquidation: optional(numeric),
  pnl: optional(numeric),
  /** Fees paid in the life of the position, in the quote currency. */
  fee_cumulative: optional(numeric),
  created_at: time,
  updated_at: time,
} as const;

const mode = optional(choice(['isolated', 'cross', 'Isolated', 'Cross']));

/** An account's position in a symbol. */
export const position = record('Position', {
  ...positionMembers,
  margin_mode: mode,
  leverage: optional(numeric),
});

/** A position that is closed, in the history. */
export const closedPosition = record('ClosedPosition', {
  ...positionMembers,
  margin_mode: mode,
  leverage: optional(numeric),
  price_close: optional(numeric),
  quantity_max: optional(numeric),
  liquidated: optional(flag),
});

const marginCurrency = record('MarginCurrency', {
  code: text,
  margin_balance: numeric,
  reserved_orders: numeric,
  reserved_positions: numeric,
  /**
   * From some servers: least margin of positions, and the funds at which margin call and liquidation occur.
   */
  required_margin: optional(numeric),
  margin_call_margin: optional(numeric),
  liquidation_margin: optional(numeric),
});

/** Funds of one symbol (isolated), or of one currency (cross). */
export const marginAccount = record('MarginAccount', {
  symbol: optional(text),
  currency: optional(text),
  type: choice(['isolated', 'cross']),
  leverage: optional(numeric),
  /** Of some servers: true while there is a margin call. */
  margin_call: optional(flag),
  created_at: time,
  updated_at: time,
  currencies: z.array(marginCurrency),
  /** Null if there is none. */
  positions: z.array(position).nullable(),
});

/** An event of a margin account, and its state after it. */
export const marginAccountReport = record('MarginAccountReport', {
  ...marginAccount.shape,
  report_type: choice(ACCOUNT_REPORT_TYPES),
  report_reason: choice(ACCOUNT_REPORT_REASONS),
});

/**
 * From some servers, replacing a cross account: its id and its funds. It has neither positions nor the
 * funds held by orders.
 */
export const crossMarginSummary = record('CrossMarginSummary', {
  currency: text,
  margin_mode: mode,
  exec_type: optional(text),
  account_margin: optional(numeric),
  margin: optional(numeric),
  debt_sum: optional(numeric),
  required_margin: optional(numeric),
  margin_call_margin: optional(numeric),
  liquidation_margin: optional(numeric),
  margin_call: optional(flag),
});

/** A margin account after it was set. */
export const marginAccountSet = z.union([marginAccount, crossMarginSummary]);

/** A report of a margin account. */
export const marginAccountNotice = z.union([marginAccountReport, crossMarginSummary]);

/** Effect of a settlement of dated futures, or a charge of interest or funding. */
export const clearing = record('Clearing', {
  id,
  symbol: text,
  position_id: optional(id),
  kind: choice(['settlement', 'funding', 'interest', 'liquidation']),
  quantity: numeric,
  price: optional(numeric),
  rate: optional(numeric),
  /** Negative if the account paid. */
  amount: numeric,
  currency: text,
  timestamp: time,
});
