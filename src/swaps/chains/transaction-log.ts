import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { NetworkTerms } from '../tokens.ts';
import { forgetOld, type Keeping } from '../keeping.ts';
import type { ChainTransaction } from './chain-world.ts';

/** Those that wait for confirmations have not ended. */
const keeping = (networks: ReadonlyMap<string, NetworkTerms>): Keeping<Payments> => ({
  most: 100_000,
  hasEnded: ([first]) =>
    first === undefined || first.confirmations >= (networks.get(first.network)?.confirmations ?? 0),
  begunAt: ([first]) => first?.at ?? micros(0),
});

/** The payments of one transaction. */
type Payments = readonly ChainTransaction[];

/**
 * The transactions of all chains; the oldest are dropped if there are many. They are confirmed block by
 * block, the first time one block after they came; followers are called in the order of events, whatever
 * they do.
 */
export class TransactionLog {
  readonly #scheduler: Scheduler;
  /** By network and hash, oldest first. */
  readonly #transactions = new Map<string, Payments>();
  readonly #keeping: Keeping<Payments>;
  readonly #followers = new Set<(transaction: ChainTransaction) => void>();
  readonly #timers = new Set<Cancel>();
  readonly #unreported: ChainTransaction[] = [];
  #isTelling = false;

  constructor(scheduler: Scheduler, networks: readonly NetworkTerms[]) {
    this.#scheduler = scheduler;
    this.#keeping = keeping(new Map(networks.map((network) => [network.code, network])));
  }

  /** Payments of a transaction, by the number of the output; empty if there is none of that hash. */
  find(network: string, hash: string): readonly ChainTransaction[] {
    return this.#transactions.get(keyOf(network, hash)) ?? [];
  }

  /** Adds the payments of one transaction: one, or several of one hash. */
  add(network: NetworkTerms, payments: readonly ChainTransaction[]): void {
    this.#write(payments);
    this.#awaitBlock(network, payments);
  }

  follow(follower: (transaction: ChainTransaction) => void): Cancel {
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
    };
  }

  /** Nothing is confirmed any more. */
  close(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #awaitBlock(network: NetworkTerms, payments: readonly ChainTransaction[]): void {
    const [first] = payments;
    if (first === undefined || first.confirmations >= network.confirmations) return;
    const confirmations = first.confirmations + 1;
    const at = micros(first.at + confirmations * network.blockUs);
    const cancel = this.#scheduler.at(at, () => {
      this.#timers.delete(cancel);
      this.add(
        network,
        payments.map((payment) => ({ ...payment, confirmations })),
      );
    });
    this.#timers.add(cancel);
  }

  #write(payments: readonly ChainTransaction[]): void {
    const [first] = payments;
    if (first === undefined) return;
    this.#transactions.set(keyOf(first.network, first.hash), payments);
    forgetOld(this.#transactions, this.#scheduler.now(), this.#keeping);
    this.#unreported.push(...payments);
    this.#emit();
  }

  /** Emits all pending events; events that followers cause come after them. */
  #emit(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (
        let next = this.#unreported.shift();
        next !== undefined;
        next = this.#unreported.shift()
      ) {
        for (const follower of this.#followers) follower(next);
      }
    } finally {
      this.#isTelling = false;
    }
  }
}

const keyOf = (network: string, hash: string): string => `${network} ${hash}`;
