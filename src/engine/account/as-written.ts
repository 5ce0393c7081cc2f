import type { Rejection } from '../../model/rejections.ts';

/** Members of commands by what the rules and the venue call them. */
const WRITTEN: Readonly<Record<string, string>> = {
  marginBalance: 'balance',
  margin_balance: 'balance',
  marginMode: 'margin',
  margin_mode: 'margin',
  // A cross account is identified by its currency, and a strategy names it by a symbol.
  currency: 'symbol',
};

const NAMES = /\b(?:marginBalance|margin_balance|marginMode|margin_mode)\b/g;

/** A rejection about margin in the names that the author of a strategy writes. */
export function asWritten(rejection: Rejection): Rejection {
  const { field, message } = rejection;
  return {
    ...rejection,
    message: message.replace(NAMES, (name) => WRITTEN[name]),
    ...(field === undefined ? {} : { field: WRITTEN[field] ?? field }),
  };
}
