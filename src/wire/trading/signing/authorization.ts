import { macHex, macMatches, sameText } from './mac.ts';
import type { AuthReason } from './reasons.ts';

/** Content of a request's signature. Path and query are as sent, undecoded. */
export interface SignedRequest {
  readonly method: string;
  /** From the root, prefix included: `/api/3/spot/order`. */
  readonly path: string;
  /** Without `?`; absent or empty if there is none. */
  readonly query?: string | undefined;
  /** Byte for byte; absent or empty if there is none. */
  readonly body?: string | undefined;
}

export interface KeyPair {
  readonly key: string;
  readonly secret: string;
}

/** Credentials of an Authorization header, read but not yet believed. */
export type Credentials =
  | { readonly kind: 'basic'; readonly key: string; readonly secret: string }
  | {
      readonly kind: 'hs256';
      readonly key: string;
      readonly signature: string;
      /** As written, since that is what was signed: milliseconds in v3, seconds in v2. */
      readonly timestamp: string;
      /** As written; version 3 only. */
      readonly window?: string;
    };

/** Credentials, or why the header holds none. */
export type ReadCredentials =
  | Credentials
  | { readonly kind: 'refused'; readonly reason: AuthReason };

const rejected = (reason: AuthReason): ReadCredentials => ({ kind: 'refused', reason });

/** Allowed difference of a caller's clock from the server's. */
export const WINDOW_MS_DEFAULT = 10_000;
export const WINDOW_MS_MAX = 60_000;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** `Basic base64(key:secret)`, for both versions. */
export const basicHeader = ({ key, secret }: KeyPair): string =>
  `Basic ${base64(`${key}:${secret}`)}`;

/** The query part of a message: `?` and the query, or nothing at all. */
const queryPart = (query: string | undefined): string =>
  query === undefined || query === '' ? '' : `?${query}`;

/** Version 3: method + path + ?query + body + timestamp + window. */
const v3Message = (request: SignedRequest, timestamp: string, window: string): string =>
  `${request.method}${request.path}${queryPart(request.query)}${request.body ?? ''}${timestamp}${window}`;

/** Version 2: method + timestamp + path + ?query + body. */
const v2Message = (request: SignedRequest, timestamp: string): string =>
  `${request.method}${timestamp}${request.path}${queryPart(request.query)}${request.body ?? ''}`;

/** The Authorization header of a request of version 3; `windowMs` is optional. */
export function v3Header(
  { key, secret }: KeyPair,
  request: SignedRequest,
  timestampMs: number,
  windowMs?: number,
): string {
  const window = windowMs === undefined ? '' : String(windowMs);
  const signature = macHex(secret, v3Message(request, String(timestampMs), window));
  const parts = [key, signature, String(timestampMs), ...(window === '' ? [] : [window])];
  return `HS256 ${base64(parts.join(':'))}`;
}

/** The Authorization header of a request of version 2. */
export function v2Header(
  { key, secret }: KeyPair,
  request: SignedRequest,
  timestampSeconds: number,
): string {
  const signature = macHex(secret, v2Message(request, String(timestampSeconds)));
  return `HS256 ${base64([key, timestampSeconds, signature].join(':'))}`;
}

/** Reads an Authorization header; the scheme's name may be in any case. */
export function readAuthorization(header: string | undefined, version: 2 | 3): ReadCredentials {
  if (header === undefined || header.trim() === '') return rejected('missing');
  const [scheme = '', encoded = '', ...rest] = header.trim().split(/\s+/);
  const known = scheme.toLowerCase();
  if (known !== 'basic' && known !== 'hs256') return rejected('scheme-unsupported');
  if (encoded === '' || rest.length > 0 || !/^[A-Za-z0-9+/_-]+=*$/.test(encoded)) {
    return rejected('malformed');
  }
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return known === 'basic' ? readBasic(text) : readHs256(text.split(':'), version);
}

function readBasic(text: string): ReadCredentials {
  const colon = text.indexOf(':');
  if (colon <= 0) return rejected('malformed');
  return { kind: 'basic', key: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function readHs256(parts: readonly string[], version: 2 | 3): ReadCredentials {
  const count = version === 3 ? [3, 4] : [3];
  const [key = '', second = '', third = '', window] = parts;
  if (!count.includes(parts.length) || key === '') return rejected('malformed');
  const [signature, timestamp] = version === 3 ? [second, third] : [third, second];
  return { kind: 'hs256', key, signature, timestamp, window };
}

/** Replaces the secret of an unknown key, so that its rejection takes as long. */
const NO_SECRET = 'no key has this secret';

/**
 * Checks credentials. `secret` is that of the key, `undefined` if there is no such key. The signature is
 * checked first, in constant time, and only a caller with a correct signature learns that its clock is
 * wrong. Some clients sign the decoded query, so that is tried second.
 */
export function verifyCredentials(
  credentials: Credentials,
  secret: string | undefined,
  request: SignedRequest,
  nowMs: number,
  version: 2 | 3,
): AuthReason | undefined {
  if (credentials.kind === 'basic') {
    const same = sameText(credentials.secret, secret ?? NO_SECRET);
    if (secret === undefined) return 'key-unknown';
    return same ? undefined : 'secret-wrong';
  }
  const { signature, timestamp, window } = credentials;
  const signed = (query: string | undefined): boolean => {
    const asSent = { ...request, query };
    const message =
      version === 3 ? v3Message(asSent, timestamp, window ?? '') : v2Message(asSent, timestamp);
    return macMatches(secret ?? NO_SECRET, message, signature);
  };
  const right = signed(request.query) || signed(decodedQuery(request.query));
  if (secret === undefined) return 'key-unknown';
  if (!right) return 'signature-wrong';
  return clockFault(timestamp, window, nowMs, version === 3 ? 1 : 1_000);
}

/** Whether a time, in units of `unitMs`, lies within the window around the server's clock. */
export function clockFault(
  timestamp: string,
  window: string | undefined,
  nowMs: number,
  unitMs: number,
): AuthReason | undefined {
  const windowMs = window === undefined ? WINDOW_MS_DEFAULT : wholeNumber(window);
  if (windowMs === undefined || windowMs < 1 || windowMs > WINDOW_MS_MAX) return 'window-invalid';
  const at = wholeNumber(timestamp);
  if (at === undefined) return 'timestamp-invalid';
  return Math.abs(nowMs - at * unitMs) > windowMs ? 'timestamp-stale' : undefined;
}

const wholeNumber = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function decodedQuery(query: string | undefined): string | undefined {
  if (query === undefined) return undefined;
  try {
    return decodeURIComponent(query);
  } catch {
    // A stray percent sign: there is no decoded form, the query as sent was all there is to try.
    return query;
  }
}
