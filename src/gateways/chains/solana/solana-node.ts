import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { SystemScheduler } from '../../../platform/system-scheduler.ts';
import { US_PER_DAY } from '../../../platform/time.ts';
import type { ChainTransaction, Output } from '../../../swaps/chains/chain-world.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type {
  Approval,
  ChainFee,
  ChainNode,
  PaymentLimits,
  PaymentOutcome,
  PreparedTransaction,
  SentTransaction,
  SignDigest,
} from '../node.ts';
import type { RpcOutcome } from '../json-rpc/rpc.ts';
import { SolanaAccounts } from './accounts.ts';
import { SolanaHistory } from './history.ts';
import { priceIn, readSigned, signedBytes } from './message.ts';
import { checkedOptions, type SolanaNodeOptions } from './options.ts';
import { lifetimeIn, lifetimeText, PaymentBook, preparedOf, type PaymentEntry } from './payment-book.ts'; // prettier-ignore
import { SolanaProviders } from './providers.ts';
import { answerToSend } from './send-answer.ts';
import { refused, SolanaTransfers, type UnsignedTransfer } from './transfer.ts';

/** Candidates of one order; one that is still not in a block then has another reason. */
const CANDIDATES_MOST = 5;

/**
 * A node of Solana by JSON-RPC. Nothing on this chain excludes a second transaction of one order, so
 * the next is prepared only when it is proven that those before are in no block and never will be.
 */
export class SolanaNode implements ChainNode {
  readonly #options: SolanaNodeOptions;
  readonly #providers: SolanaProviders;
  readonly #accounts: SolanaAccounts;
  readonly #transfers: SolanaTransfers;
  readonly #book: PaymentBook;
  readonly #history: SolanaHistory;
  readonly #scheduler: Scheduler;
  #ready: Promise<void> | undefined;
  /** One order is prepared after the other, so that the bound of a day holds for all. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SolanaNodeOptions) {
    this.#options = checkedOptions(options);
    this.#scheduler = options.http?.scheduler ?? new SystemScheduler();
    this.#providers = new SolanaProviders(options.urls, options.http ?? {});
    this.#accounts = new SolanaAccounts(options, this.#providers);
    this.#transfers = new SolanaTransfers(options, this.#providers, this.#accounts);
    this.#book = new PaymentBook(options.payments, options.genesis);
    this.#history = new SolanaHistory(options, this.#providers, this.#book);
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    await this.#check();
    const { network, genesis } = this.#options;
    return [{ ...network, chain: genesis }];
  }

  async tokens(): Promise<readonly TokenTerms[]> {
    await this.#check();
    return this.#options.tokens;
  }

  async balance(token: number, address: string): Promise<bigint> {
    await this.#check();
    return this.#accounts.held(this.#accounts.token(token).id, address);
  }

  outputs(): Promise<readonly Output[]> {
    const sentence = `${this.#options.network.name} has accounts and no outputs.`;
    return Promise.reject(new MillraceError('service-refused', sentence));
  }

  /** There is no permit2: a swap is approved by a transaction that its owner signs too. */
  async allowance(): Promise<bigint> {
    await this.#check();
    return 0n;
  }

  async fee(token: number): Promise<ChainFee> {
    await this.#check();
    const fee = await this.#transfers.fee(this.#accounts.token(token).id);
    return { ...fee, coin: this.#options.coin };
  }

  /** An account is not opened with less than the rent minimum, and is not left with less. */
  async limits(token: number): Promise<PaymentLimits> {
    await this.#check();
    const reserve = await this.#accounts.rent(0);
    return { least: this.#accounts.mint(token) === undefined ? reserve : 1n, reserve };
  }

  async prepare(
    order: OwnTransfer | Approval,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[] = [],
  ): Promise<PreparedTransaction | Rejection> {
    await this.#check();
    if (!('to' in order)) {
      return refused('token', `There is no permit2 contract on ${this.#options.network.name}.`);
    }
    const turn = this.#turn.then(async () => this.#prepare(order, sign, earlier));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    await this.#check();
    const { network: own } = this.#options;
    const made = readSigned(raw);
    if (made === undefined || network !== own.code) {
      return refused('transaction', `It is no signed transaction of ${own.name}.`);
    }
    const { id } = made;
    const entry = this.#book.byId(id);
    const last = entry && this.#book.ofOrder(entry.from, entry.key).at(-1);
    if (entry?.state === 'dead' || last?.id !== entry?.id) {
      return refused('transaction', `Transaction ${id} is not the last of its order; nothing was sent.`); // prettier-ignore
    }
    const isFirst = entry?.state === 'prepared';
    // Others may have been sent since it was prepared.
    const tooDear = isFirst ? this.#beyondDay(entry.from, entry.key, entry.feeLots) : undefined;
    if (tooDear !== undefined) return tooDear;
    if (isFirst) this.#book.write({ ...entry, state: 'sent', at: this.#scheduler.now() });
    const outcome = await this.#sent(id, raw, lifetimeIn(entry?.lifetime)?.slot);
    if (outcome === undefined) return { id };
    // What was sent before may have been taken then, whatever is said now.
    if (isFirst && outcome.isRefused) return refused('transaction', outcome.why);
    const sentence = `It is not known what became of transaction ${id}: ${outcome.why}`;
    throw new MillraceError(
      outcome.isUnsent && isFirst ? 'unreachable' : 'outcome-unknown',
      sentence,
    );
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    await this.#check();
    return network === this.#options.network.code ? this.#history.transaction(hash) : undefined;
  }

  async outcome(_: string, candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    await this.#check();
    return this.#history.outcome(candidates);
  }

  async close(): Promise<void> {
    this.#book.close();
    await this.#providers.close();
  }

  /** Looks once at the chain and the mints; asked again where that could not be done. */
  async #check(): Promise<void> {
    this.#book.open();
    this.#ready ??= this.#accounts.check();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #prepare(
    order: OwnTransfer,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection> {
    const own = this.#book.ofOrder(order.from, order.nonce);
    if (own.some((one) => one.order !== textOf(order))) {
      return refused('nonce', `Nonce ${order.nonce} of ${order.from} was given to another order.`);
    }
    const again = await this.#again(own, earlier);
    if (again !== undefined) return again;
    // One that was not taken has perhaps offered too little.
    const least = earlier.reduce((most, { raw }) => {
      const price = 2n * (priceIn(raw) ?? 0n) + 1n;
      return price > most ? price : most;
    }, 0n);
    const made = await this.#transfers.make(order, least, (message) =>
      this.#book.hasMessage(order, message),
    );
    if ('code' in made) return made;
    return this.#bounded(order, made) ?? this.#signed(order, made, sign);
  }

  /** What was prepared for the order and may still be mined; or why nothing can follow it. */
  async #again(
    own: readonly PaymentEntry[],
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection | undefined> {
    const last = own.at(-1);
    const isNew = last !== undefined && earlier.every(({ id }) => id !== last.id);
    if (isNew && last.state !== 'dead') {
      // What the chain has was sent, though an older copy of the book does not say so.
      const { kind } = await this.#history.outcome([preparedOf(last)]);
      if (kind !== 'dead') return preparedOf(last);
    }
    const sent = own.filter(({ state }) => state !== 'prepared').map(preparedOf);
    const all = new Map([...sent, ...earlier].map((one) => [one.id, one]));
    if (all.size === 0) return undefined;
    if (all.size >= CANDIDATES_MOST) {
      return refused('earlier', `${all.size} transactions of the order were in no block: look at what the nodes say before another is sent.`); // prettier-ignore
    }
    const { kind } = await this.#history.outcome([...all.values()]);
    if (kind === 'dead') return undefined;
    return refused('earlier', `${[...all.keys()].join(', ')} may still be mined, and nothing would exclude another transaction.`); // prettier-ignore
  }

  #bounded({ from, nonce }: OwnTransfer, { feeLots }: UnsignedTransfer): Rejection | undefined {
    const { feeBound } = this.#options;
    if (feeLots > feeBound) return this.#tooDear(feeLots, `feeBound of ${feeBound}`);
    return this.#beyondDay(from, nonce, feeLots);
  }

  /** Why a fee is too much for one day, with those of other orders that were sent. */
  #beyondDay(from: string, order: string, feeLots: bigint): Rejection | undefined {
    const { dayBound } = this.#options;
    const day = this.#scheduler.now() - US_PER_DAY;
    const spent = this.#book
      .of(from)
      .filter(({ key, state, at }) => key !== order && state === 'sent' && at > day)
      .reduce((sum, one) => sum + one.feeLots, 0n);
    if (spent + feeLots <= dayBound) return undefined;
    return this.#tooDear(spent + feeLots, `dayBound of ${dayBound} in 24 hours`);
  }

  #tooDear(fee: bigint, bound: string): Rejection {
    const { name } = this.#options.network;
    return refused('fee', `The fee on ${name} may be ${fee} lamports, which is above the ${bound}: wait, or raise the bound.`); // prettier-ignore
  }

  async #signed(
    order: OwnTransfer,
    { message, lifetime, feeLots }: UnsignedTransfer,
    sign: SignDigest,
  ): Promise<PreparedTransaction | Rejection> {
    const { from, nonce } = order;
    const raw = signedBytes(message, hexToBytes((await sign(bytesToHex(message))).replace(/^0x/, ''))); // prettier-ignore
    const made = readSigned(raw);
    if (made?.from !== from) return refused('signature', `It is not signed by the key of ${from}.`);
    const entry: Omit<PaymentEntry, 'genesis'> = {
      ...{ from, key: nonce, order: textOf(order), id: made.id, raw, feeLots },
      lifetime: lifetimeText(lifetime),
      state: 'prepared',
      at: this.#scheduler.now(),
    };
    // On the disk before anybody has the bytes.
    this.#book.write(entry);
    return preparedOf({ ...entry, genesis: this.#options.genesis });
  }

  /** Nothing where a node has it; else why not. */
  async #sent(
    id: string,
    raw: string,
    minContextSlot: number | undefined,
  ): Promise<
    { readonly isRefused: boolean; readonly isUnsent: boolean; readonly why: string } | undefined
  > {
    const config = {
      ...{ encoding: 'base64', skipPreflight: false, preflightCommitment: 'confirmed' },
      maxRetries: 0,
      ...(minContextSlot !== undefined && { minContextSlot }),
    };
    const outcomes = await this.#providers.once('sendTransaction', [raw, config]);
    let isRefused = true;
    let why = '';
    for (const one of outcomes) {
      if (one.kind === 'result' && one.result === id) return undefined;
      const meaning = one.kind === 'error' ? answerToSend(one.error) : 'unknown';
      if (meaning === 'known') return undefined;
      if (meaning === 'unknown') isRefused = false;
      why = `${sanitize(textOfOutcome(one))}.`;
    }
    const isUnsent = outcomes.every(({ kind }) => kind === 'unsent');
    if (!isRefused && !isUnsent && (await this.#isKnown(id))) return undefined;
    return { isRefused, isUnsent, why };
  }

  /** False where it cannot be asked either: then it is not known what became of it. */
  async #isKnown(id: string): Promise<boolean> {
    try {
      return await this.#history.isKnown(id);
    } catch {
      return false;
    }
  }
}

/** All that an order asks for, as text. */
const textOf = ({ token, to, lots, memo }: OwnTransfer): string =>
  JSON.stringify([token, to, `${lots}`, memo ?? null]);

function textOfOutcome(outcome: RpcOutcome): string {
  if (outcome.kind === 'error') return outcome.error.message;
  return outcome.kind === 'result' ? 'it answers with another id' : outcome.why;
}
