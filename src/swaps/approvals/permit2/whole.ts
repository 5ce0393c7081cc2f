/** A whole number that is not negative; nothing if it is none, or may have been rounded. */
export function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n ? value : undefined;
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  }
  const isWhole = typeof value === 'string' && /^(?:\d{1,78}|0x[\dA-Fa-f]{1,64})$/.test(value);
  return isWhole ? BigInt(value) : undefined;
}
