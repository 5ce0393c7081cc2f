import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What of a request says under which name it was sent, and from which page. */
export type Sender = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Why a request is turned away. */
export interface Denial {
  readonly status: 400 | 403;
  readonly message: string;
}

/** Who may send requests, beside those who name an address. */
export interface Admission {
  /** Names under which the server may be called; `localhost` is always one. */
  readonly hosts: readonly string[];
  /** Origins whose pages may call it, such as `https://desk.example`. */
  readonly origins: readonly string[];
}

/** The name in a Host header, without port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Browsers show the name under which they believe to call. A page elsewhere whose name leads here
 * (DNS rebinding) shows its own; a name that is an address cannot be such a page's. Of two names each
 * reader would believe another. `setting` is where further names are configured.
 */
export function hostDenial(
  { headers: { host }, rawHeaders }: Sender,
  hosts: readonly string[],
  setting: string,
): Denial | undefined {
  const isHost = (name: string, index: number): boolean =>
    index % 2 === 0 && name.toLowerCase() === 'host';
  if (rawHeaders.filter(isHost).length > 1) {
    return { status: 400, message: 'A request has one Host header.' };
  }
  const name = nameOf(host ?? '');
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  const known = ['localhost', ...hosts.map((each) => each.toLowerCase())];
  if (isAddress || known.includes(name)) return undefined;
  return {
    status: 403,
    message: `This is not ${name === '' ? 'a host without a name' : name}; call it by its address, or name the host in ${setting}.`,
  };
}

/** What pages of other origins are shown as by browsers; some may be allowed all the same. */
export function originDenial(
  { headers }: Pick<Sender, 'headers'>,
  origins: readonly string[] = [],
): Denial | undefined {
  const { origin, host = '' } = headers;
  if (isAllowed(origin, origins)) return undefined;
  const site = headers['sec-fetch-site'];
  const isOwn = (origin ?? `http://${host}`).toLowerCase() === `http://${host.toLowerCase()}`;
  const isNear = site === undefined || site === 'same-origin' || site === 'none';
  if (isOwn && isNear) return undefined;
  return { status: 403, message: 'Pages of other origins may not call this.' };
}

/** True for an origin that is named among those that are allowed. */
export const isAllowed = (origin: string | undefined, origins: readonly string[]): boolean =>
  origin !== undefined && origins.some((one) => one.toLowerCase() === origin.toLowerCase());
