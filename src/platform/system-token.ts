import { webcrypto } from 'node:crypto';

const BYTES = 32;

/** An unpredictable token of 256 bits, for authentication. */
export const systemToken = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(BYTES))).toString('base64url');
