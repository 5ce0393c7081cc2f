import type { IncomingHttpHeaders } from 'node:http';
import { isSignedBy } from '../../../wire/key-pair.ts';
import { canonicalText, type SignedParts } from '../../../wire/swaps/canonical.ts';
import {
  CREDENTIALS,
  NONCE_REUSE,
  TIMESTAMP_AGE_MS_MAX,
  timestampMs,
  TOO_OLD,
} from '../../../wire/swaps/credentials.ts';
import type { Partners } from '../partners.ts';
import { UsedNonces } from './nonces.ts';
import type { SwapFailure } from '../surface.ts';
import { failure } from './outcome.ts';

/** Allowed lead of a caller's clock. */
const AHEAD_MS_MAX = 300_000;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A nonce that a request has used up, and until when it counts, in Unix milliseconds. */
export interface UsedNonce {
  readonly partner: string;
  readonly nonce: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/** The sender of a request, and its nonce if it may change something. */
interface Admitted {
  readonly partner: string;
  readonly nonce?: UsedNonce;
}

/** Authenticates signed requests. */
export class Authenticator {
  readonly #partners: Partners;
  readonly #nowMs: () => number;
  readonly #nonces = new UsedNonces();

  constructor(partners: Partners, nowMs: () => number) {
    this.#partners = partners;
    this.#nowMs = nowMs;
  }

  /**
   * The name of the partner of a request. The signature is checked first and the nonce last: a rejected
   * request uses no nonce, and a caller without a key learns nothing.
   */
  admit(parts: SignedParts, headers: IncomingHttpHeaders): Admitted | SwapFailure {
    const missing = Object.values(CREDENTIALS).find((name) => (headers[name] ?? '') === '');
    if (missing !== undefined) return failure(401, `${missing} is required`);
    const shown = (name: keyof typeof CREDENTIALS): string => String(headers[CREDENTIALS[name]]);
    const apiKey = shown('apiKey');
    const signatory = this.#partners.bySignature(apiKey);
    if (signatory === undefined) return failure(401, 'API key is unknown');
    if (!isSignedBy(canonicalText(parts), shown('signature'), signatory.publicKey)) {
      return failure(401, 'Signature is wrong');
    }
    return this.#timely(parts, signatory.partner, shown('timestamp'), shown('nonce'));
  }

  /** Uses a nonce up again that was used before the service was started again. */
  repeat({ partner, nonce, nowMs, untilMs }: UsedNonce): void {
    this.#nonces.use(partner, nonce, nowMs, untilMs);
  }

  /** The age counts on every request, the nonce on those that may change something. */
  #timely(
    { method }: SignedParts,
    partner: string,
    timestamp: string,
    nonce: string,
  ): Admitted | SwapFailure {
    const madeMs = timestampMs(timestamp);
    if (madeMs === undefined) {
      return failure(401, `${CREDENTIALS.timestamp} must be Unix seconds or milliseconds`);
    }
    const nowMs = this.#nowMs();
    if (nowMs - madeMs > TIMESTAMP_AGE_MS_MAX) return failure(401, TOO_OLD);
    if (madeMs - nowMs > AHEAD_MS_MAX) return failure(401, 'Timestamp is in the future');
    if (!UUID.test(nonce)) return failure(401, `${CREDENTIALS.nonce} must be a UUID`);
    if (method === 'GET') return { partner };
    const used: UsedNonce = {
      partner,
      nonce: nonce.toLowerCase(),
      nowMs,
      untilMs: Math.max(nowMs, madeMs) + TIMESTAMP_AGE_MS_MAX,
    };
    switch (this.#nonces.use(partner, used.nonce, nowMs, used.untilMs)) {
      case 'used':
        return { partner, nonce: used };
      case 'reused':
        return failure(401, NONCE_REUSE);
      case 'full':
        return failure(429, 'Too many requests within an hour');
    }
  }
}
