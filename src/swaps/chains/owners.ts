import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { NetworkTerms } from '../tokens.ts';
import { FAMILIES } from './families/families.ts';

/**
 * Owners of addresses by name: services and their parts. A key is derived from the seed, the family and the
 * name, so that one owner has one address on all networks of a family, as people have.
 */
export class Owners {
  readonly #seed: number;
  readonly #addresses = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  keyOf({ family }: NetworkTerms, owner: string): Uint8Array {
    return sha256(utf8ToBytes(JSON.stringify(['millrace key', this.#seed, family, owner])));
  }

  addressOf(network: NetworkTerms, owner: string): string {
    const key = `${network.family} ${owner}`;
    const known = this.#addresses.get(key);
    if (known !== undefined) return known;
    const address = FAMILIES[network.family].addressOf(this.keyOf(network, owner));
    this.#addresses.set(key, address);
    this.call(address, owner);
    return address;
  }

  /** Sets an address's display name; the first name stays. */
  call(address: string, name: string): void {
    if (!this.#names.has(address)) this.#names.set(address, name);
  }

  nameOf(address: string): string | undefined {
    return this.#names.get(address);
  }
}
