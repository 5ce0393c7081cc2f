const NONCE_BOUND = 1n << 256n;
const BITS_PER_WORD = 256n;

/** Owners' approvals of the permit2 contract, and used nonces. */
export class Permits {
  readonly #approved = new Set<string>();
  /** Used nonces, 256 to a word, as in the contract. */
  readonly #words = new Map<string, bigint>();

  approve(token: number, owner: string): void {
    this.#approved.add(`${token} ${owner}`);
  }

  revoke(token: number, owner: string): void {
    this.#approved.delete(`${token} ${owner}`);
  }

  hasApproved(token: number, owner: string): boolean {
    return this.#approved.has(`${token} ${owner}`);
  }

  /** Uses a nonce up; false if it was used before, or is no number of 256 bits. */
  use(network: string, owner: string, nonce: bigint): boolean {
    if (nonce < 0n || nonce >= NONCE_BOUND) return false;
    const key = `${network} ${owner} ${nonce / BITS_PER_WORD}`;
    const word = this.#words.get(key) ?? 0n;
    const bit = 1n << (nonce % BITS_PER_WORD);
    if ((word & bit) !== 0n) return false;
    this.#words.set(key, word | bit);
    return true;
  }
}
