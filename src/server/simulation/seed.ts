import { systemRandom } from '../../platform/system-random.ts';

/** An unpredictable seed of keys and hashes. */
export const newSeed = (): number => systemRandom().integer(0, Number.MAX_SAFE_INTEGER);
