import { basicHeader } from '../../../wire/trading/signing/authorization.ts';
import type { TradingCredentials } from './credentials.ts';

const HIDDEN = '[secret]';

/** Removes the secret, and the header that holds it, from foreign text. */
export function redaction(credentials: TradingCredentials | undefined): (text: string) => string {
  if (credentials === undefined) return (text) => text;
  const [, encoded = ''] = basicHeader(credentials).split(' ');
  return (text) => text.replaceAll(credentials.secret, HIDDEN).replaceAll(encoded, HIDDEN);
}
