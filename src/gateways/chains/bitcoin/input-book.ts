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

/** Assignment of outputs to orders. */
export class InputBook {
  readonly #book: LineBook<InputEntry>;
  readonly #chain: string;

  constructor(path: string, chain: string) {
    const keyOf = ({ chain: of, address, key }: InputEntry): string => `${of} ${address} ${key}`;
    this.#book = new LineBook(path, { what: 'inputs', schema: entryForm, keyOf });
    this.#chain = chain;
  }

  /** Locks and reads the file; throws as `LineBook.open`. */
  open(): void {
    this.#book.open();
  }

  /** Releases the file for good. */
  close(): void {
    this.#book.close();
  }

  /** Those of an address that are not void. */
  of(address: string): readonly InputEntry[] {
    return this.#all().filter((one) => one.address === address && one.state !== 'void');
  }

  /** The entry with a transaction, even if void. */
  byId(id: string): InputEntry | undefined {
    return this.#all().find(({ ids }) => ids.includes(id));
  }

  /** The entry that an output is assigned to, unless it is void. */
  holderOf(outpoint: Outpoint): InputEntry | undefined {
    const name = nameOf(outpoint);
    return this.#all().find(({ state, inputs }) => state !== 'void' && inputs.some((one) => nameOf(one) === name)); // prettier-ignore
  }

  /** Stores an entry; it is on disk when this returns. */
  write(entry: Omit<InputEntry, 'chain'>): void {
    this.#book.write({ ...entry, chain: this.#chain });
  }

  #all(): readonly InputEntry[] {
    return this.#book.entries().filter(({ chain }) => chain === this.#chain);
  }
}
