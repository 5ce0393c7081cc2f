import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Headers that name the server and the page of a request. */
export type Sender = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Why a request is turned away. */
export interface Denial {
  readonly status: 400 | 403;
  readonly message: string;
}

/** Allowed names and origins of requests, besides addresses. */
export interface Admission {
  /** Names under which the server may be called; `localhost` is always one. */
  readonly hosts: readonly string[];
  /** Origins whose pages may call it, such as `https://desk.example`. */
  readonly origins: readonly string[];
}

/** The name in a Host header, without port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Browsers send the name that they believe to call. A page elsewhere whose name leads here (DNS rebinding)
 * sends its own; a name that is an address cannot be such a page's. Two names are rejected, as readers
 * would differ. `setting` is where further names are configured.
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

/** Requests of other origins' pages are rejected, unless allowed. */
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

/** True for an allowed origin. */
export const isAllowed = (origin: string | undefined, origins: readonly string[]): boolean =>
  origin !== undefined && origins.some((one) => one.toLowerCase() === origin.toLowerCase());
