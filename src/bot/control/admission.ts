import type { IncomingHttpHeaders } from 'node:http';
import { sameText } from '../../wire/trading/signing/mac.ts';

/** Why a request is turned away. */
export interface Denial {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

/** Whether a request has the token; compared in constant time. */
export function tokenDenial(
  { authorization = '' }: IncomingHttpHeaders,
  token: string,
): Denial | undefined {
  const [scheme = '', shown = ''] = authorization.split(' ', 2);
  if (sameText(shown, token) && scheme.toLowerCase() === 'bearer') return undefined;
  return {
    status: 401,
    message:
      authorization === ''
        ? 'The token of the control API is required, as Authorization: Bearer TOKEN.'
        : 'This is not the token of the control API.',
  };
}
