import { basicHeader } from '../../../wire/trading/signing/authorization.ts';
import type { TradingCredentials } from './credentials.ts';

const HIDDEN = '[secret]';

/** Takes the secret, and the header that holds it, out of text that comes from elsewhere. */
export function redaction(credentials: TradingCredentials | undefined): (text: string) => string {
  if (credentials === undefined) return (text) => text;
  const [, encoded = ''] = basicHeader(credentials).split(' ');
  return (text) => text.replaceAll(credentials.secret, HIDDEN).replaceAll(encoded, HIDDEN);
}
