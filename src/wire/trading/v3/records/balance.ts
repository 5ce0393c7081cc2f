import { numeric, optional, record, text } from '../../fields.ts';

const held = { available: numeric, reserved: numeric };

const reserves = {
  reserved_margin: optional(numeric),
  cross_margin_reserved: optional(numeric),
};

/** Free and reserved amounts of a currency; spot and derivatives. */
export const balance = record('Balance', { currency: text, ...held, ...reserves });

/** The same for a call that names the currency. */
export const balanceOfCurrency = record('BalanceOfCurrency', {
  currency: optional(text),
  ...held,
  ...reserves,
});

export const walletBalance = record('WalletBalance', { currency: text, ...held });

export const walletBalanceOfCurrency = record('WalletBalanceOfCurrency', {
  currency: optional(text),
  ...held,
});

/** Fee rates as fractions: 0.001 is 0.1%. A negative one is a rebate. */
export const fee = record('Fee', { symbol: text, take_rate: numeric, make_rate: numeric });

export const feeOfSymbol = record('FeeOfSymbol', {
  symbol: optional(text),
  take_rate: numeric,
  make_rate: numeric,
});
