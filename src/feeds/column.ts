/** Whole numbers between doubles in memory and little-endian 64-bit integers in a file. */

const WORD = 2 ** 32;

/**
 * Writes the first `length` doubles as 64-bit integers into `words` (low word first). Returns the index of
 * the first number that is not whole or beyond ±2^53, or -1 if all are good.
 */
export function toInt64(numbers: Float64Array, length: number, words: Uint32Array): number {
  for (let i = 0; i < length; i += 1) {
    const value = numbers[i];
    if (!Number.isSafeInteger(value)) return i;
    const low = value >>> 0;
    words[2 * i] = low;
    words[2 * i + 1] = (value - low) / WORD;
  }
  return -1;
}

/**
 * Reads `length` 64-bit integers, low word first, into doubles. Returns the index of the first one that a
 * double does not hold exactly, or -1 if all are good.
 */
export function fromInt64(words: Int32Array, length: number, numbers: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < length; i += 1) {
    const value = words[2 * i + 1] * WORD + (words[2 * i] >>> 0);
    numbers[i] = value;
    const size = Math.abs(value);
    if (size > largest) largest = size;
  }
  if (largest <= Number.MAX_SAFE_INTEGER) return -1;
  return numbers.subarray(0, length).findIndex((value) => !Number.isSafeInteger(value));
}
