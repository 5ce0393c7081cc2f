import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { sameText } from '../../wire/trading/signing/mac.ts';

/** Why a request is turned away. */
export interface Denial {
  readonly status: 401 | 403;
  readonly message: string;
}

/** The name in a Host header, without port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Browsers show the name under which they believe to call. A page elsewhere whose name leads here
 * (DNS rebinding) shows its own; a name that is an address cannot be such a page's.
 */
export function hostDenial(
  { host }: IncomingHttpHeaders,
  hosts: readonly string[],
): Denial | undefined {
  const name = nameOf(host ?? '');
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  const known = ['localhost', ...hosts.map((each) => each.toLowerCase())];
  if (isAddress || known.includes(name)) return undefined;
  return {
    status: 403,
    message: `This is not ${name === '' ? 'a host without a name' : name}; call it by its address, or name the host in control.hosts.`,
  };
}

/** What pages of other origins are shown as by browsers. */
export function originDenial(headers: IncomingHttpHeaders): Denial | undefined {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  const isNear = site === undefined || site === 'same-origin' || site === 'none';
  if (isOwn && isNear) return undefined;
  return { status: 403, message: 'Pages of other origins may not call this.' };
}

/** Whether a request shows the token; in a time that tells nothing of it. */
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
