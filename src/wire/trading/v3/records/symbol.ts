import { choice, flag, numeric, optional, record, text, time } from '../../fields.ts';

export const SYMBOL_STATUSES = ['working', 'suspended', 'clearing'] as const;

/** A tradable symbol; for futures the base currency is null and the contract is present. */
export const symbol = record('Symbol', {
  type: choice(['spot', 'futures']),
  contract_type: optional(choice(['perpetual', 'cash_settled'])),
  /** Null for a perpetual. */
  expiry: time.nullish(),
  underlying: optional(text),
  base_currency: text.nullish(),
  quote_currency: text,
  status: choice(SYMBOL_STATUSES),
  quantity_increment: numeric,
  tick_size: numeric,
  take_rate: numeric,
  make_rate: numeric,
  fee_currency: text,
  margin_trading: optional(flag),
  max_initial_leverage: optional(numeric),
});
