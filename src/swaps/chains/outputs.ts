import type { Output } from './chain-world.ts';
import type { ChainHoldings } from './holdings.ts';

/** An output with whom it belongs to. */
export interface OwnedOutput extends Output {
  readonly address: string;
}

/** Holdings as unspent outputs, as Bitcoin has them: a balance is the sum of the outputs. */
export class Outputs implements ChainHoldings {
  /** Outputs of each address by their names, oldest first. */
  readonly #mine = new Map<string, Map<string, OwnedOutput>>();
  readonly #unspent = new Map<string, OwnedOutput>();

  /** The unspent output of that name. */
  find(txid: string, index: number): OwnedOutput | undefined {
    return this.#unspent.get(nameOf(txid, index));
  }

  /** Unspent outputs of an address, oldest first. */
  of(address: string): readonly OwnedOutput[] {
    return [...(this.#mine.get(address)?.values() ?? [])];
  }

  balance(address: string): bigint {
    return this.of(address).reduce((sum, { lots }) => sum + lots, 0n);
  }

  mint(to: string, lots: bigint, hash: string): void {
    this.add({ txid: hash, index: 0, address: to, lots });
  }

  /** Spends the oldest outputs that suffice; the payment is output 0, and the change output 1. */
  move(from: string, to: string, lots: bigint, hash: string): void {
    let gathered = 0n;
    for (const output of this.of(from)) {
      if (gathered >= lots) break;
      this.remove(output);
      gathered += output.lots;
    }
    this.add({ txid: hash, index: 0, address: to, lots });
    if (gathered > lots) this.add({ txid: hash, index: 1, address: from, lots: gathered - lots });
  }

  *holders(): Iterable<readonly [string, bigint]> {
    for (const [address, outputs] of this.#mine) {
      if (outputs.size > 0) yield [address, this.balance(address)];
    }
  }

  add(output: OwnedOutput): void {
    const name = nameOf(output.txid, output.index);
    this.#unspent.set(name, output);
    const mine = this.#mine.get(output.address) ?? new Map<string, OwnedOutput>();
    this.#mine.set(output.address, mine.set(name, output));
  }

  remove({ txid, index, address }: OwnedOutput): void {
    const name = nameOf(txid, index);
    this.#unspent.delete(name);
    this.#mine.get(address)?.delete(name);
  }
}

const nameOf = (txid: string, index: number): string => `${txid}:${index}`;
