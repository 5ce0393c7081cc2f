import { webcrypto } from 'node:crypto';
import { Random } from './random.ts';

/** An unpredictable random number generator: for jitter and names of live processes. */
export function systemRandom(): Random {
  const [low, high] = webcrypto.getRandomValues(new Uint32Array(2));
  return new Random((high % 2 ** 20) * 2 ** 32 + low);
}
