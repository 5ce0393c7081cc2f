import type { Rejection } from '../../model/rejections.ts';

/** Members of commands, by their names in the rules and at the venue. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  marginBalance: 'balance',
  margin_balance: 'balance',
  marginMode: 'margin',
  margin_mode: 'margin',
  // A cross account is identified by its currency, and strategies name it by a symbol.
  currency: 'symbol',
};

const NAMES = /\b(?:marginBalance|margin_balance|marginMode|margin_mode)\b/g;

/** A margin rejection with the names that a strategy author writes. */
export function asWritten(rejection: Rejection): Rejection {
  const { field, message } = rejection;
  return {
    ...rejection,
    message: message.replace(NAMES, (name) => MEMBER_NAMES[name]),
    ...(field === undefined ? {} : { field: MEMBER_NAMES[field] ?? field }),
  };
}
