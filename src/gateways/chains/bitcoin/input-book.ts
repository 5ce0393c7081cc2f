import { z } from 'zod';
import { digits, LineBook } from '../line-book.ts';
import { nameOf, type Outpoint } from './transaction.ts';

/** The outputs assigned to one order of an address. */
const entryForm = z.strictObject({
  chain: z.string(),
  address: z.string(),
  /** The key of the order: the same one gets the same outputs again. */
  key: z.string(),
  inputs: z.array(z.strictObject({ txid: z.string(), index: z.int().min(0), lots: digits })),
  /** Ids of all that was signed with them. */
  ids: z.array(z.string()),
  /**
   * `sent` from before the first send: then no other order may have the outputs. `void` when none of the
   * transactions can be mined any more, or another order was assigned the outputs.
   */
  state: z.enum(['prepared', 'sent', 'void']),
  /** The most that it may cost, satoshi, and the size that it has then. */
  feeLots: digits,
  vsize: z.int().min(0),
  /** When it was prepared or sent last; microseconds. */
  at: z.number(),
});

export type InputEntry = z.output<typeof entryForm>;

/** Which outputs were given to which orders. */
export class InputBook extends LineBook<InputEntry> {
  readonly #chain: string;

  constructor(path: string, chain: string) {
    const keyOf = ({ chain: of, address, key }: InputEntry): string => `${of} ${address} ${key}`;
    super(path, { what: 'inputs', schema: entryForm, keyOf });
    this.#chain = chain;
  }

  /** Those of an address that are not void. */
  of(address: string): readonly InputEntry[] {
    return this.entries().filter((one) => one.address === address && one.state !== 'void');
  }

  /** The entry with a transaction, even if void. */
  byId(id: string): InputEntry | undefined {
    return this.entries().find(({ ids }) => ids.includes(id));
  }

  /** The entry that an output is assigned to, unless it is void. */
  holderOf(outpoint: Outpoint): InputEntry | undefined {
    const name = nameOf(outpoint);
    return this.entries().find(({ state, inputs }) => state !== 'void' && inputs.some((one) => nameOf(one) === name)); // prettier-ignore
  }

  /** Keeps an entry, on the disk when it returns. */
  override write(entry: Omit<InputEntry, 'chain'>): void {
    super.write({ ...entry, chain: this.#chain });
  }

  /** Those of the chain. */
  override entries(): readonly InputEntry[] {
    return super.entries().filter(({ chain }) => chain === this.#chain);
  }
}
