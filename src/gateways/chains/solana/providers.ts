import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { invalid, RpcProviders } from '../json-rpc/providers.ts';

/** Commitment of a read: a confirmed block may vanish, a finalized one does not. */
export type Commitment = 'confirmed' | 'finalized';

/** Smallest units, and other numbers of 64 bits: a number, or text if it is long. */
export const units = z
  .union([z.int().min(0), z.string().regex(/^\d{1,20}$/)])
  .transform((given) => BigInt(given));

export const slot = z.int().min(0);

const inContext = z.object({ context: z.object({ slot }), value: z.unknown() });

/** The last block of a commitment. */
const end = z.object({ absoluteSlot: slot, blockHeight: slot });

export interface End {
  readonly slot: number;
  /** Slots that have a block; lifetimes are counted in these. */
  readonly height: number;
}

const latest = z.object({ blockhash: z.string(), lastValidBlockHeight: slot });

/** How long a transaction can be mined: not before a slot, not above a height. */
export interface Lifetime {
  readonly slot: number;
  readonly height: number;
}

/** The providers of Solana. A read of one of them is never older than an earlier read of all. */
export class SolanaProviders extends RpcProviders {
  readonly #floors: Record<Commitment, number> = { confirmed: 0, finalized: 0 };

  /** Each one's state at a commitment, and its slot. */
  async state(
    method: string,
    params: readonly unknown[],
    commitment: Commitment,
    config: object = {},
  ): Promise<readonly { readonly slot: number; readonly value: unknown }[]> {
    const floor = this.#floors[commitment];
    const answers = await this.each(method, [...params, { ...config, ...this.#from(commitment) }]);
    const read = answers.map((answer) => {
      const { context, value } = readBy(inContext, answer, method);
      return { slot: context.slot, value };
    });
    this.#raise(commitment, floor, read.map((one) => one.slot)); // prettier-ignore
    return read;
  }

  /** The common state of all, read by a schema; throws `answer-invalid` if two differ. */
  async agreedState<S extends z.ZodType>(
    schema: S,
    method: string,
    params: readonly unknown[],
    { commitment, ...config }: { readonly commitment: Commitment },
  ): Promise<z.output<S>> {
    const answers = await this.state(method, params, commitment, config);
    const values = answers.map(({ value }) => readBy(schema, value, method));
    return this.same(method, values);
  }

  /** The last block of each. */
  async ends(commitment: Commitment): Promise<readonly End[]> {
    const floor = this.#floors[commitment];
    const answers = await this.each('getEpochInfo', [this.#from(commitment)]);
    const read = answers.map((answer) => {
      const { absoluteSlot, blockHeight } = readBy(end, answer, 'getEpochInfo');
      return { slot: absoluteSlot, height: blockHeight };
    });
    this.#raise(commitment, floor, read.map((one) => one.slot)); // prettier-ignore
    return read;
  }

  /** A blockhash that all of them know, and how long what has it can be mined. */
  async blockhash(): Promise<{ readonly blockhash: string; readonly lifetime: Lifetime }> {
    const method = 'getLatestBlockhash';
    const answers = await this.state(method, [], 'confirmed');
    const read = answers.map((one) => ({ slot: one.slot, ...readBy(latest, one.value, method) }));
    const oldest = read.reduce((low, one) => (one.slot < low.slot ? one : low));
    // The highest, so that nothing counts as dead too early.
    const height = Math.max(...read.map((one) => one.lastValidBlockHeight));
    return { blockhash: oldest.blockhash, lifetime: { slot: oldest.slot, height } };
  }

  #from(commitment: Commitment): object {
    const floor = this.#floors[commitment];
    return { commitment, ...(floor > 0 && { minContextSlot: floor }) };
  }

  #raise(commitment: Commitment, floor: number, slots: readonly number[]): void {
    const lowest = Math.min(...slots);
    if (lowest < floor) {
      const sentence = `A node has gone back to slot ${lowest}, behind ${floor}: nothing is done on what it says.`;
      throw new MillraceError('service-unavailable', sentence);
    }
    this.#floors[commitment] = Math.max(this.#floors[commitment], lowest);
  }
}

/** An answer by its schema; throws `answer-invalid`. */
export function readBy<S extends z.ZodType>(
  schema: S,
  given: unknown,
  method: string,
): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw invalid(method, given);
}
