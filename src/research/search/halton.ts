import { Random } from '../../platform/random.ts';

/** Most dimensions without scrambled digits; beyond, neighboring ones are correlated. */
const PLAIN_MAX = 6;

/**
 * Points that fill a space evenly from the first on (J. H. Halton, "On the efficiency of certain
 * quasi-random sequences of points", 1960), shifted as a whole by a seed; digits are scrambled
 * beyond six dimensions.
 */
export class Halton {
  readonly #bases: readonly number[];
  readonly #shifts: readonly number[];
  readonly #digits: readonly (readonly number[])[];

  constructor(dimensions: number, seed: number) {
    const random = new Random(seed);
    this.#bases = primes(dimensions);
    this.#shifts = this.#bases.map(() => random.unit());
    this.#digits = this.#bases.map((base) => (dimensions > PLAIN_MAX ? mixed(base, random) : []));
  }

  /** The point at an index, each coordinate from 0 to 1, 1 excluded. */
  point(index: number): readonly number[] {
    return this.#bases.map(
      (base, dimension) =>
        (radicalInverse(index + 1, base, this.#digits[dimension]) + this.#shifts[dimension]) % 1,
    );
  }
}

/** Digits of a whole number behind the point, in reverse: 6 is 110 in base 2, and gives 0.011. */
export function radicalInverse(
  index: number,
  base: number,
  digits: readonly number[] = [],
): number {
  let inverse = 0;
  let scale = 1 / base;
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    const digit = rest % base;
    inverse += (digits[digit] ?? digit) * scale;
    scale /= base;
  }
  return inverse;
}

/** 0 stays 0, as numbers have infinitely many leading zeros. */
function mixed(base: number, random: Random): readonly number[] {
  const digits = Array.from({ length: base }, (_, digit) => digit);
  for (let last = base - 1; last > 1; last -= 1) {
    const other = random.integer(1, last);
    [digits[last], digits[other]] = [digits[other], digits[last]];
  }
  return digits;
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next += 1) {
    if (found.every((prime) => next % prime !== 0)) found.push(next);
  }
  return found;
}
