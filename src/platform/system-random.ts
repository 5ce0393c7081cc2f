import { webcrypto } from 'node:crypto';
import { Random } from './random.ts';

/** A source of chance that nobody can foresee: for jitter and names of live processes. */
export function systemRandom(): Random {
  const [low, high] = webcrypto.getRandomValues(new Uint32Array(2));
  return new Random((high % 2 ** 20) * 2 ** 32 + low);
}
