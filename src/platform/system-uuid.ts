import { webcrypto } from 'node:crypto';

/** An unpredictable random UUID (version 4). */
export const systemUuid = (): string => webcrypto.randomUUID();
