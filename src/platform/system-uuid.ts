import { webcrypto } from 'node:crypto';

/** A random UUID (version 4) that nobody can guess and that no other is like. */
export const systemUuid = (): string => webcrypto.randomUUID();
