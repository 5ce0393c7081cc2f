type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The same numbers with room for so many, twice as many where nothing is said. */
export function grown<T extends Numbers>(numbers: T, length = 2 * numbers.length): T {
  const wider = new (numbers.constructor as new (length: number) => T)(length);
  wider.set(numbers);
  return wider;
}
