import { webcrypto } from 'node:crypto';

/** Unpredictable bytes, for encrypting keys. */
export const systemBytes = (count: number): Uint8Array =>
  webcrypto.getRandomValues(new Uint8Array(count));
