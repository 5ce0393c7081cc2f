import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC SHA-256 of a message, keyed with the secret, in lower-case hex. */
export const macHex = (secret: string, message: string): string =>
  createHmac('sha256', secret).update(message).digest('hex');

const HEX = /^[0-9a-f]{64}$/i;

/** Compares a signature with that of the message, in constant time. */
export function macMatches(secret: string, message: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(message).digest();
  const given = HEX.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(expected.length);
  // Compared even if the form is wrong, so that both take the same time.
  return timingSafeEqual(expected, given) && HEX.test(signature);
}

/** Compares two texts in constant time, by their digests. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
