import { z } from 'zod';
import { decode } from '../decoding.ts';
import type { Decoded } from '../faults.ts';
import { optional, text, whole } from '../fields.ts';
import { clockFault, type KeyPair } from './authorization.ts';
import { macHex, macMatches, sameText } from './mac.ts';
import type { AuthReason } from './reasons.ts';

/** Credentials of a socket login of either version. */
export type Login =
  | { readonly kind: 'basic'; readonly key: string; readonly secret: string }
  | {
      readonly kind: 'hs256';
      readonly key: string;
      /** The signed text: timestamp and window in version 3, the nonce in version 2. */
      readonly message: string;
      readonly signature: string;
      /** Milliseconds; version 3 only. */
      readonly timestampMs?: number;
      readonly windowMs?: number;
    };

/** Any letter case: the official clients do not agree on it. */
const scheme = text.refine((word) => /^(basic|hs256)$/i.test(word), {
  error: 'must be BASIC or HS256',
});

const v3Basic = z.object({ type: scheme, api_key: text, secret_key: text });
const v3Signed = z.object({
  type: scheme,
  api_key: text,
  timestamp: whole(),
  window: optional(whole()),
  signature: text,
});
const v2Basic = z.object({ algo: scheme, pKey: text, sKey: text });
const v2Signed = z.object({ algo: scheme, pKey: text, nonce: text, signature: text });

/** The params of a login in either way, for descriptions; their reader gives better errors. */
export const LOGIN_PARAMS = {
  3: z.union([v3Basic, v3Signed]),
  2: z.union([v2Basic, v2Signed]),
} as const;

function isBasic(given: unknown, member: 'type' | 'algo'): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const named = (given as Readonly<Record<string, unknown>>)[member];
  return typeof named === 'string' && named.toLowerCase() === 'basic';
}

const mapped = <T>(outcome: Decoded<T>, login: (value: T) => Login): Decoded<Login> =>
  outcome.kind === 'ok' ? { kind: 'ok', value: login(outcome.value) } : outcome;

/** Reads the params of `login` of a version 3 socket. */
export function readV3Login(params: unknown): Decoded<Login> {
  if (isBasic(params, 'type')) {
    return mapped(decode(v3Basic, params), ({ api_key: key, secret_key: secret }) => ({
      kind: 'basic',
      key,
      secret,
    }));
  }
  return mapped(decode(v3Signed, params), ({ api_key: key, timestamp, window, signature }) => ({
    kind: 'hs256',
    key,
    signature,
    message: `${timestamp}${window ?? ''}`,
    timestampMs: timestamp,
    windowMs: window,
  }));
}

/** Reads the params of `login` of a version 2 socket. */
export function readV2Login(params: unknown): Decoded<Login> {
  if (isBasic(params, 'algo')) {
    return mapped(decode(v2Basic, params), ({ pKey: key, sKey: secret }) => ({
      kind: 'basic',
      key,
      secret,
    }));
  }
  return mapped(decode(v2Signed, params), ({ pKey: key, nonce, signature }) => ({
    kind: 'hs256',
    key,
    signature,
    message: nonce,
  }));
}

/** Replaces the secret of an unknown key, so that its rejection takes as long. */
const NO_SECRET = 'no key has this secret';

/** Checks a login, as `verifyCredentials` does for a request. */
export function verifyLogin(
  login: Login,
  secret: string | undefined,
  nowMs: number,
): AuthReason | undefined {
  if (login.kind === 'basic') {
    const same = sameText(login.secret, secret ?? NO_SECRET);
    if (secret === undefined) return 'key-unknown';
    return same ? undefined : 'secret-wrong';
  }
  const right = macMatches(secret ?? NO_SECRET, login.message, login.signature);
  if (secret === undefined) return 'key-unknown';
  if (!right) return 'signature-wrong';
  if (login.timestampMs === undefined) return undefined;
  const window = login.windowMs === undefined ? undefined : String(login.windowMs);
  return clockFault(String(login.timestampMs), window, nowMs, 1);
}

/** The params of an HS256 login of version 3. */
export const v3LoginParams = (
  { key, secret }: KeyPair,
  timestampMs: number,
  windowMs?: number,
) => ({
  type: 'HS256',
  api_key: key,
  timestamp: timestampMs,
  window: windowMs,
  signature: macHex(secret, `${timestampMs}${windowMs ?? ''}`),
});

/** The params of an HS256 login of version 2; the nonce is random text, new for each login. */
export const v2LoginParams = ({ key, secret }: KeyPair, nonce: string) => ({
  algo: 'HS256',
  pKey: key,
  nonce,
  signature: macHex(secret, nonce),
});

/** The params of a login that hands the secret over, of version 3. */
export const v3BasicLoginParams = ({ key, secret }: KeyPair) => ({
  type: 'BASIC',
  api_key: key,
  secret_key: secret,
});

/** The params of a login that hands the secret over, of version 2. */
export const v2BasicLoginParams = ({ key, secret }: KeyPair) => ({
  algo: 'BASIC',
  pKey: key,
  sKey: secret,
});
