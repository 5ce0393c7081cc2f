/** A ring of a power of two places with twice the room; entry `i` stands at `i & (length - 1)` in both. */
export function widened(
  ring: Float64Array<ArrayBuffer>,
  first: number,
  end: number,
): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(2 * ring.length);
  const mask = ring.length - 1;
  const wideMask = wider.length - 1;
  for (let i = first; i < end; i += 1) wider[i & wideMask] = ring[i & mask];
  return wider;
}
