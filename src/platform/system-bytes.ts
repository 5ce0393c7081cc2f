import { webcrypto } from 'node:crypto';

/** So many bytes that nobody can foresee, for what locks keys away. */
export const systemBytes = (count: number): Uint8Array =>
  webcrypto.getRandomValues(new Uint8Array(count));
