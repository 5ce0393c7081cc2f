const PRIME = 16_777_619;
const BASIS = 2_166_136_261;

/**
 * The seed of a symbol's own market, so that one market does not change when another is added: the common
 * seed in the low 32 bits and 21 bits of the symbol's FNV-1a hash above them.
 */
export function seedOf(seed: number, symbol: string): number {
  let hash = BASIS;
  for (let i = 0; i < symbol.length; i += 1) {
    hash = Math.imul(hash ^ symbol.charCodeAt(i), PRIME);
  }
  return ((hash >>> 0) & 0x1fffff) * 2 ** 32 + (seed >>> 0);
}
