import { z } from 'zod';
import { digits, LineBook } from '../line-book.ts';

/** A nonce of one address on one chain, and the order that it is assigned to. */
const entryForm = z.strictObject({
  chainId: z.int(),
  /** In small letters. */
  address: z.string(),
  nonce: z.int().min(0),
  /** The key of the order: the same one gets the same nonce again. */
  key: z.string(),
  /** Ids of all that was signed with it. */
  ids: z.array(z.string()),
  /** True from before the first send: then no other order may have it. */
  sent: z.boolean(),
  /** The most that it may cost, wei. */
  feeLots: digits,
  /** When it was assigned or sent; microseconds. */
  at: z.number(),
});

export type NonceEntry = z.output<typeof entryForm>;

/** Which nonces were given to which orders. */
export class NonceBook extends LineBook<NonceEntry> {
  constructor(path: string) {
    const keyOf = ({ chainId, address, nonce }: NonceEntry): string =>
      `${chainId} ${address} ${nonce}`;
    super(path, { what: 'nonces', schema: entryForm, keyOf });
  }

  /** Entries of an address, lowest nonce first. Throws `journal-invalid` for invalid lines. */
  of(chainId: number, address: string): readonly NonceEntry[] {
    return this.entries()
      .filter((one) => one.chainId === chainId && one.address === address.toLowerCase())
      .toSorted((one, other) => one.nonce - other.nonce);
  }
}
