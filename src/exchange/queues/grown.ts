type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A copy with room for `length` numbers, twice as many by default. */
export function grown<T extends Numbers>(numbers: T, length = 2 * numbers.length): T {
  const wider = new (numbers.constructor as new (length: number) => T)(length);
  wider.set(numbers);
  return wider;
}
