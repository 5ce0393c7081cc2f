import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { z } from 'zod';
import { SIGNATURE_BYTES } from '../../../swaps/approvals/cosign/layout.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import { digits, LineBook } from '../line-book.ts';
import type { PreparedTransaction } from '../node.ts';
import type { Lifetime } from './providers.ts';

/** A transaction that was prepared for an order of an address. */
const entryForm = z.strictObject({
  genesis: z.string(),
  from: z.string(),
  /** The key of the order, and all of its content. */
  key: z.string(),
  order: z.string(),
  id: z.string(),
  raw: z.string(),
  lifetime: z.string(),
  /** `sent` from before it was sent; `dead` when it was proven that no block has it or will. */
  state: z.enum(['prepared', 'sent', 'dead']),
  /** The most that it may cost, lamports. */
  feeLots: digits,
  /** When it was prepared or sent; microseconds. */
  at: z.number(),
});

export type PaymentEntry = z.output<typeof entryForm>;

/** Which transactions were prepared for which orders. */
export class PaymentBook extends LineBook<PaymentEntry> {
  readonly #genesis: string;

  constructor(path: string, genesis: string) {
    const keyOf = ({ id }: PaymentEntry): string => id;
    super(path, { what: 'payments', schema: entryForm, keyOf });
    this.#genesis = genesis;
  }

  /** Those of an address, oldest first. */
  of(from: string): readonly PaymentEntry[] {
    return this.entries().filter((one) => one.from === from);
  }

  /** Entries of an order, oldest first; only the last may be sent. */
  ofOrder(from: string, key: string): readonly PaymentEntry[] {
    return this.of(from).filter((one) => one.key === key);
  }

  /** Whether a message was signed for another order of the address. */
  hasMessage({ from, nonce }: OwnTransfer, message: Uint8Array): boolean {
    const text = bytesToHex(message);
    return this.of(from).some(({ key, raw }) => key !== nonce && messageText(raw) === text);
  }

  byId(id: string): PaymentEntry | undefined {
    return this.entries().find((one) => one.id === id);
  }

  /** Keeps an entry, on the disk when it returns. */
  override write(entry: Omit<PaymentEntry, 'genesis'>): void {
    super.write({ ...entry, genesis: this.#genesis });
  }

  /** Those of the chain. */
  override entries(): readonly PaymentEntry[] {
    return super.entries().filter(({ genesis }) => genesis === this.#genesis);
  }
}

/** The bytes after the one signature. */
const messageText = (raw: string): string =>
  bytesToHex(base64.decode(raw).subarray(1 + SIGNATURE_BYTES));

/** The prepared transaction of an entry. */
export const preparedOf = ({ id, raw, lifetime, key, from, feeLots }: PaymentEntry): PreparedTransaction => ({ id, raw, uses: usesOf(from, key), lifetime, feeLots }); // prettier-ignore

const usesOf = (from: string, key: string): string => `the turn of order ${key} of ${from}`;

export const lifetimeText = ({ slot, height }: Lifetime): string =>
  `from slot ${slot} to height ${height}`;

/** The lifetime of a candidate; one without a readable one is never proven dead. */
export function lifetimeIn(text: string | undefined): Lifetime | undefined {
  const [, slot, height] = /^from slot (\d+) to height (\d+)$/.exec(text ?? '') ?? [];
  return slot === undefined || height === undefined
    ? undefined
    : { slot: Number(slot), height: Number(height) };
}
