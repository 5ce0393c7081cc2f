import { webcrypto } from 'node:crypto';

const BYTES = 32;

/** A word of 256 bits that nobody can guess, for those who must show that they know it. */
export const systemToken = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(BYTES))).toString('base64url');
