import { systemRandom } from '../../platform/system-random.ts';

/** A seed of keys and hashes that nobody can guess. */
export const newSeed = (): number => systemRandom().integer(0, Number.MAX_SAFE_INTEGER);
