import { base58 } from '@scure/base';
import { z } from 'zod';
import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type { ChainTransaction } from '../../../swaps/chains/chain-world.ts';
import { SIGNATURE_BYTES } from '../../../swaps/approvals/cosign/layout.ts';
import type { PaymentOutcome, PreparedTransaction } from '../node.ts';
import { costIn, movedBy, transactionForm, type MetaTransaction } from './moved.ts';
import type { SolanaNodeOptions } from './options.ts';
import { lifetimeIn, type PaymentBook } from './payment-book.ts';
import { readBy, slot, type SolanaProviders } from './providers.ts';

/** The used options of a node. */
type HistoryOptions = Pick<SolanaNodeOptions, 'network' | 'tokens' | 'coin'>;

const status = z.object({
  slot,
  /** Null if the block is final. */
  confirmations: z.union([z.int().min(0), z.null()]),
  err: z.unknown(),
  /** Null of old nodes. */
  confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullable().default(null),
});

type Status = z.output<typeof status>;

const statuses = z.object({
  context: z.object({ slot }),
  value: z.array(status.nullable()),
});

/** Outcomes of transactions, by the answers of all providers. */
export class SolanaHistory {
  readonly #options: HistoryOptions;
  readonly #providers: SolanaProviders;
  readonly #book: PaymentBook;

  constructor(options: HistoryOptions, providers: SolanaProviders, book: PaymentBook) {
    this.#options = options;
    this.#providers = providers;
    this.#book = book;
  }

  /** Outcome of a payment's candidates. */
  async outcome(candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    // Read before the statuses, which then are of no earlier block.
    const ends = await this.#providers.ends('finalized');
    const answers = await this.#statuses(candidates.map(({ id }) => id));
    const landed = candidates.flatMap(({ id }, at) => {
      const known = answers.map(({ value }) => value[at] ?? undefined);
      return known.every((one) => one === undefined) ? [] : [{ id, known }];
    });
    const outcomes: PaymentOutcome[] = [];
    for (const { id, known } of landed) outcomes.push(await this.#landed(id, known));
    const [first] = outcomes;
    if (first !== undefined) return outcomes.find(({ kind }) => kind === 'made') ?? first;
    const final = Math.max(...ends.map((one) => one.slot));
    const isSure = answers.every(({ context }) => context.slot >= final);
    const height = Math.min(...ends.map((one) => one.height));
    return this.#unlanded(candidates, isSure ? height : 0);
  }

  /** Whether any provider knows a transaction. */
  async isKnown(id: string): Promise<boolean> {
    const answers = await this.#statuses([id]);
    return answers.some(({ value: [one] }) => one !== null && one !== undefined);
  }

  async transaction(hash: string): Promise<ChainTransaction | undefined> {
    if (!isId(hash)) return undefined;
    const answers = await this.#statuses([hash]);
    const known = answers.map(({ value: [one] }) => one ?? undefined);
    const found = await this.#found(hash);
    if (found === undefined || found.meta.err !== null) return undefined;
    return this.#made(hash, found, known);
  }

  async #statuses(ids: readonly string[]): Promise<readonly z.output<typeof statuses>[]> {
    const method = 'getSignatureStatuses';
    const answers = await this.#providers.each(method, [ids, { searchTransactionHistory: true }]);
    return answers.map((answer) =>
      readBy(
        statuses.refine(({ value }) => value.length === ids.length),
        answer,
        method,
      ),
    );
  }

  async #landed(id: string, known: readonly (Status | undefined)[]): Promise<PaymentOutcome> {
    const [first] = known;
    const isAgreed = known.every((one) => one !== undefined && one.slot === first?.slot && isConfirmed(one)); // prettier-ignore
    if (!isAgreed) return { kind: 'waiting' };
    const found = await this.#found(id);
    if (found === undefined) return { kind: 'waiting' };
    const isFinal = known.every((one) => one !== undefined && isFinalized(one));
    const { err } = found.meta;
    const { tokens, coin } = this.#options;
    const fee = { lots: costIn(found, movedBy(found, tokens, coin), coin), coin };
    if (err !== null) {
      return { kind: 'failed', id, reason: `Transaction ${id} failed on its chain and moved nothing: ${errorText(err)}; it cost ${found.meta.fee} lamports.`, isFinal, fee }; // prettier-ignore
    }
    const transaction = this.#made(id, found, known);
    if (transaction !== undefined) return { kind: 'made', transaction, isFinal, fee };
    return { kind: 'failed', id, reason: `Transaction ${id} is in a block and moved none of the tokens; it cost ${found.meta.fee} lamports.`, isFinal, fee }; // prettier-ignore
  }

  /** The transaction in a confirmed block; nothing if a provider has no such block. */
  async #found(id: string): Promise<MetaTransaction | undefined> {
    const method = 'getTransaction';
    const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 };
    const answers = await this.#providers.each(method, [id, config]);
    const read = answers.flatMap((one) => (one === null ? [] : [readBy(transactionForm, one, method)])); // prettier-ignore
    return read.length < answers.length ? undefined : this.#providers.same(method, read);
  }

  #made(
    id: string,
    found: MetaTransaction,
    known: readonly (Status | undefined)[],
  ): ChainTransaction | undefined {
    const { network, tokens, coin } = this.#options;
    const moved = movedBy(found, tokens, coin);
    if (moved === undefined) return undefined;
    // A final block has no count any more: it has the required confirmations.
    const counts = known.map((one) => one === undefined ? 0 : (one.confirmations ?? network.confirmations)); // prettier-ignore
    return {
      hash: id,
      index: 0,
      network: network.code,
      at: micros((found.blockTime ?? 0) * US_PER_SECOND),
      confirmations: Math.min(...counts),
      ...moved,
    };
  }

  /** No provider knows one of them, and up to that height none has been in a final block. */
  async #unlanded(
    candidates: readonly PreparedTransaction[],
    final: number,
  ): Promise<PaymentOutcome> {
    const lives = candidates.filter(({ id }) => this.#book.byId(id)?.state !== 'dead');
    const proof = lives.length === 0 ? 'dead' : await this.#deathOf(lives, final);
    if (proof !== 'dead') return { kind: proof };
    for (const { id } of lives) {
      const entry = this.#book.byId(id);
      if (entry !== undefined) this.#book.write({ ...entry, state: 'dead' });
    }
    const ids = candidates.map(({ id }) => id).join(', ');
    return { kind: 'dead', reason: `No block has ${ids}, and none can have it any more: its blockhash has expired.`, mayFollow: true }; // prettier-ignore
  }

  /** Whether it is proven that none can be mined any more; else whether one may be sent again. */
  async #deathOf(
    candidates: readonly PreparedTransaction[],
    final: number,
  ): Promise<'dead' | 'waiting' | 'unseen'> {
    const lifetimes = candidates.map(({ lifetime }) => lifetimeIn(lifetime));
    const last = Math.max(...lifetimes.map((one) => one?.height ?? Number.MAX_SAFE_INTEGER));
    if (last < final) {
      const since = Math.min(...lifetimes.map((one) => one?.slot ?? 0));
      return (await this.#reaches(since)) ? 'dead' : 'waiting';
    }
    const ends = await this.#providers.ends('confirmed');
    // A block that would take it now is above its last height: sending it again is useless.
    return ends.some(({ height }) => height >= last) ? 'waiting' : 'unseen';
  }

  /** Whether every provider still has the blocks since a slot: else unknown means nothing. */
  async #reaches(since: number): Promise<boolean> {
    const method = 'getFirstAvailableBlock';
    const answers = await this.#providers.each(method, []);
    return answers.every((one) => readBy(slot, one, method) <= since);
  }
}

const isFinalized = ({ confirmations, confirmationStatus }: Status): boolean =>
  confirmationStatus === 'finalized' || (confirmationStatus === null && confirmations === null);

const isConfirmed = (one: Status): boolean =>
  one.confirmationStatus === 'confirmed' || isFinalized(one);

/** `{"InstructionError":[3,{"Custom":1}]}` as text. */
export const errorText = (error: unknown): string => JSON.stringify(error).replaceAll('"', '');

function isId(hash: string): boolean {
  try {
    return base58.decode(hash).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}
