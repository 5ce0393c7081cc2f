import type { Refusal } from '../../model/refusals.ts';

/** Members of commands by what the rules and the venue call them. */
const WRITTEN: Readonly<Record<string, string>> = {
  marginBalance: 'balance',
  margin_balance: 'balance',
  marginMode: 'margin',
  margin_mode: 'margin',
  // A cross account goes by its currency, and a strategy names it by a symbol.
  currency: 'symbol',
};

const NAMES = /\b(?:marginBalance|margin_balance|marginMode|margin_mode)\b/g;

/** A refusal about margin in the names that the author of a strategy writes. */
export function asWritten(refusal: Refusal): Refusal {
  const { field, message } = refusal;
  return {
    ...refusal,
    message: message.replace(NAMES, (name) => WRITTEN[name]),
    ...(field === undefined ? {} : { field: WRITTEN[field] ?? field }),
  };
}
