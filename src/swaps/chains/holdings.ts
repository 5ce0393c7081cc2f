/** Balances of one token by address; addresses are canonical. */
export interface ChainHoldings {
  balance(address: string): bigint;
  /** Creates money. */
  mint(to: string, lots: bigint, hash: string): void;
  /** Moves existing money; the caller has checked the balance. */
  move(from: string, to: string, lots: bigint, hash: string): void;
  /** Addresses with a balance, in the order in which they first had one. */
  holders(): Iterable<readonly [address: string, lots: bigint]>;
}

/** Holdings as sums: all networks but those of Bitcoin. */
export class Sums implements ChainHoldings {
  readonly #sums = new Map<string, bigint>();

  balance(address: string): bigint {
    return this.#sums.get(address) ?? 0n;
  }

  mint(to: string, lots: bigint): void {
    this.#add(to, lots);
  }

  move(from: string, to: string, lots: bigint): void {
    this.#add(from, -lots);
    this.#add(to, lots);
  }

  *holders(): Iterable<readonly [string, bigint]> {
    for (const entry of this.#sums) if (entry[1] > 0n) yield entry;
  }

  #add(address: string, lots: bigint): void {
    this.#sums.set(address, this.balance(address) + lots);
  }
}
