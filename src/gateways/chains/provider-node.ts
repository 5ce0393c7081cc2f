import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import type { OwnTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import type { HttpSettings } from '../http/settings.ts';
import type { Approval, PreparedTransaction, SignDigest } from './node.ts';

/** What every node of a real chain is made of. */
interface NodeOptions {
  readonly network: NetworkTerms;
  readonly tokens: readonly TokenTerms[];
  readonly http?: Omit<HttpSettings, 'url'>;
}

/** What one provider says to bytes that were sent. */
export interface SendAnswer {
  /** `wrong`: it does not pass them on, and nobody else would. */
  readonly kind: 'taken' | 'wrong' | 'unsent' | 'unknown';
  readonly why: string;
}

/** Why no provider has what was sent; `isRefused` where that is certain. */
export interface FailedSend {
  readonly isRefused: boolean;
  readonly isUnsent: boolean;
  readonly why: string;
}

/**
 * A node of a real chain by its providers: it looks once whether they are of the chain, prepares one order
 * after the other, and has the book of what it was about to do.
 */
export abstract class ProviderNode<
  Options extends NodeOptions,
  Book extends { open(): void; close(): void },
  Providers extends { close(): Promise<void> },
  Order extends OwnTransfer | Approval = OwnTransfer | Approval,
> {
  // Private, and read by getters: an address of a provider may have a key, which nothing shows.
  readonly #options: Options;
  readonly #book: Book;
  readonly #providers: Providers;
  readonly #scheduler: Scheduler;
  #ready: Promise<void> | undefined;
  /** One order is prepared after the other: each has to see what the one before was given. */
  #turn: Promise<unknown> = Promise.resolve();

  protected constructor(options: Options, book: Book, providers: Providers) {
    this.#options = options;
    this.#book = book;
    this.#providers = providers;
    this.#scheduler = options.http?.scheduler ?? new SystemScheduler();
  }

  protected get options(): Options {
    return this.#options;
  }

  protected get book(): Book {
    return this.#book;
  }

  protected get providers(): Providers {
    return this.#providers;
  }

  protected get scheduler(): Scheduler {
    return this.#scheduler;
  }

  async tokens(): Promise<readonly TokenTerms[]> {
    await this.check();
    return this.options.tokens;
  }

  async prepare(
    order: Order,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[] = [],
  ): Promise<PreparedTransaction | Rejection> {
    await this.check();
    const turn = this.#turn.then(async () => this.prepareNext(order, sign, earlier));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    this.book.close();
    await this.providers.close();
  }

  /** Looks once at the chain; asked again where that could not be done. */
  protected async check(): Promise<void> {
    this.book.open();
    this.#ready ??= this.checkChain();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  /** Compares what the providers say with the configuration; throws `config-invalid`. */
  protected abstract checkChain(): Promise<void>;

  protected abstract prepareNext(
    order: Order,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection>;

  /** Nothing where a provider has what was sent, as its answer or a read tells; else why not. */
  protected async failureOf(
    answers: readonly SendAnswer[],
    isKnown: () => Promise<boolean>,
  ): Promise<FailedSend | undefined> {
    if (answers.some(({ kind }) => kind === 'taken')) return undefined;
    const isRefused = answers.every(({ kind }) => kind === 'wrong');
    const isUnsent = answers.every(({ kind }) => kind === 'unsent');
    if (!isRefused && !isUnsent && (await isKnown())) return undefined;
    return { isRefused, isUnsent, why: `${sanitize(answers.at(-1)?.why ?? '')}.` };
  }

  /** What was sent before may have been taken then, whatever is said now. */
  protected unsettled(id: string, failed: FailedSend, isFirst: boolean): MillraceError {
    const sentence = `It is not known what became of transaction ${id}: ${failed.why}`;
    return new MillraceError(
      failed.isUnsent && isFirst ? 'unreachable' : 'outcome-unknown',
      sentence,
    );
  }

  protected noToken(token: number): MillraceError {
    return new MillraceError('service-refused', `${this.options.network.name} has no token ${token}.`); // prettier-ignore
  }

  protected noOutputs(): Promise<never> {
    const sentence = `${this.options.network.name} has accounts and no outputs.`;
    return Promise.reject(new MillraceError('service-refused', sentence));
  }
}
