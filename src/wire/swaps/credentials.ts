import type { KeyObject } from 'node:crypto';
import { signText } from '../key-pair.ts';
import { canonicalText, type SignedParts } from './canonical.ts';

/** Headers that every request to the Execution surface carries. */
export const CREDENTIALS = {
  apiKey: 'x-api-key',
  signature: 'x-api-signature',
  timestamp: 'x-api-timestamp',
  nonce: 'x-api-nonce',
} as const;

/** The oldest accepted timestamp, and how long a nonce is remembered. */
export const TIMESTAMP_AGE_MS_MAX = 3_600_000;

export const TOO_OLD = 'Timestamp is too old';
export const NONCE_REUSE = 'Nonce reuse';

/** Sender, time and nonce of a request. */
export interface Caller {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
  /** Unix seconds. */
  readonly seconds: number;
  /** A UUID that no other request has. */
  readonly nonce: string;
}

/** The headers that sign a request. */
export const signedHeaders = (
  parts: SignedParts,
  { apiKey, privateKey, seconds, nonce }: Caller,
): Readonly<Record<string, string>> => ({
  [CREDENTIALS.apiKey]: apiKey,
  [CREDENTIALS.signature]: signText(canonicalText(parts), privateKey),
  [CREDENTIALS.timestamp]: String(seconds),
  [CREDENTIALS.nonce]: nonce,
});

/** Unix milliseconds of a timestamp: 10 digits are seconds, 13 are milliseconds. */
export function timestampMs(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return 1_000 * Number(text);
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}
