import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Rejection } from '../../../model/rejections.ts';
import { US_PER_DAY } from '../../../platform/time.ts';
import type { ChainTransaction, Output } from '../../../swaps/chains/chain-world.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms } from '../../../swaps/tokens.ts';
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
import { ProviderNode, type FailedSend, type SendAnswer } from '../provider-node.ts';
import { refused, tooDear } from '../rejections.ts';
import { SolanaAccounts } from './accounts.ts';
import { SolanaHistory } from './history.ts';
import { priceIn, readSigned, signedBytes } from './message.ts';
import { checkedOptions, type SolanaNodeOptions } from './options.ts';
import { lifetimeIn, lifetimeText, PaymentBook, preparedOf, type PaymentEntry } from './payment-book.ts'; // prettier-ignore
import { SolanaProviders } from './providers.ts';
import { answerToSend } from './send-answer.ts';
import { SolanaTransfers, type UnsignedTransfer } from './transfer.ts';

/** Most candidates of one order; after these there is another reason why none is in a block. */
const CANDIDATES_MOST = 5;

/**
 * A Solana node by JSON-RPC. Nothing on this chain excludes a second transaction of one order, so the next
 * is prepared only when it is proven that the earlier ones are in no block and never will be.
 */
export class SolanaNode
  extends ProviderNode<SolanaNodeOptions, PaymentBook, SolanaProviders>
  implements ChainNode
{
  readonly #accounts: SolanaAccounts;
  readonly #transfers: SolanaTransfers;
  readonly #history: SolanaHistory;

  constructor(options: SolanaNodeOptions) {
    const providers = new SolanaProviders(checkedOptions(options).urls, options.http ?? {});
    const book = new PaymentBook(options.payments, options.genesis);
    super(options, book, providers);
    this.#accounts = new SolanaAccounts(options, providers);
    this.#transfers = new SolanaTransfers(options, providers, this.#accounts);
    this.#history = new SolanaHistory(options, providers, book);
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    await this.check();
    const { network, genesis } = this.options;
    return [{ ...network, chain: genesis }];
  }

  async balance(token: number, address: string): Promise<bigint> {
    await this.check();
    return this.#accounts.held(this.#accounts.token(token).id, address);
  }

  outputs(): Promise<readonly Output[]> {
    return this.noOutputs();
  }

  /** There is no permit2: a swap is approved by a transaction that its owner signs too. */
  async allowance(): Promise<bigint> {
    await this.check();
    return 0n;
  }

  async fee(token: number): Promise<ChainFee> {
    await this.check();
    const fee = await this.#transfers.fee(this.#accounts.token(token).id);
    return { ...fee, coin: this.options.coin };
  }

  /** An account is not opened with less than the rent minimum, and is not left with less. */
  async limits(token: number): Promise<PaymentLimits> {
    await this.check();
    const reserve = await this.#accounts.rent(0);
    return { least: this.#accounts.mint(token) === undefined ? reserve : 1n, reserve };
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    await this.check();
    const { network: own } = this.options;
    const made = readSigned(raw);
    if (made === undefined || network !== own.code) {
      return refused('transaction', `It is no signed transaction of ${own.name}.`);
    }
    const { id } = made;
    const entry = this.book.byId(id);
    const last = entry && this.book.ofOrder(entry.from, entry.key).at(-1);
    if (entry?.state === 'dead' || last?.id !== entry?.id) {
      return refused('transaction', `Transaction ${id} is not the last of its order; nothing was sent.`); // prettier-ignore
    }
    const isFirst = entry?.state === 'prepared';
    // Others may have been sent since it was prepared.
    const tooDear = isFirst ? this.#beyondDay(entry.from, entry.key, entry.feeLots) : undefined;
    if (tooDear !== undefined) return tooDear;
    if (isFirst) this.book.write({ ...entry, state: 'sent', at: this.scheduler.now() });
    const outcome = await this.#sent(id, raw, lifetimeIn(entry?.lifetime)?.slot);
    if (outcome === undefined) return { id };
    // An earlier send may have been accepted, whatever the answer is now.
    if (isFirst && outcome.isRefused) return refused('transaction', outcome.why);
    throw this.unsettled(id, outcome, isFirst);
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    await this.check();
    return network === this.options.network.code ? this.#history.transaction(hash) : undefined;
  }

  async outcome(_: string, candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    await this.check();
    return this.#history.outcome(candidates);
  }

  protected async checkChain(): Promise<void> {
    return this.#accounts.check();
  }

  protected async prepareNext(
    order: OwnTransfer | Approval,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection> {
    if (!('to' in order)) {
      return refused('token', `There is no permit2 contract on ${this.options.network.name}.`);
    }
    const own = this.book.ofOrder(order.from, order.nonce);
    if (own.some((one) => one.order !== textOf(order))) {
      return refused('nonce', `Nonce ${order.nonce} of ${order.from} was given to another order.`);
    }
    const again = await this.#again(own, earlier);
    if (again !== undefined) return again;
    // An expired one may have offered too little.
    const least = earlier.reduce((most, { raw }) => {
      const price = 2n * (priceIn(raw) ?? 0n) + 1n;
      return price > most ? price : most;
    }, 0n);
    const made = await this.#transfers.make(order, least, (message) =>
      this.book.hasMessage(order, message),
    );
    if ('code' in made) return made;
    return this.#bounded(order, made) ?? this.#signed(order, made, sign);
  }

  /** The candidate of the order that may still be mined; or why nothing can follow it. */
  async #again(
    own: readonly PaymentEntry[],
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection | undefined> {
    const last = own.at(-1);
    const isNew = last !== undefined && earlier.every(({ id }) => id !== last.id);
    if (isNew && last.state !== 'dead') {
      // A candidate on the chain was sent, even if an older copy of the book does not say so.
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
    const { feeBound } = this.options;
    if (feeLots > feeBound) return this.#tooDear(feeLots, `feeBound of ${feeBound}`);
    return this.#beyondDay(from, nonce, feeLots);
  }

  /** Why a fee exceeds the daily bound, with those of other sent orders. */
  #beyondDay(from: string, order: string, feeLots: bigint): Rejection | undefined {
    const { dayBound } = this.options;
    const day = this.scheduler.now() - US_PER_DAY;
    const spent = this.book
      .of(from)
      .filter(({ key, state, at }) => key !== order && state === 'sent' && at > day)
      .reduce((sum, one) => sum + one.feeLots, 0n);
    if (spent + feeLots <= dayBound) return undefined;
    return this.#tooDear(spent + feeLots, `dayBound of ${dayBound} in 24 hours`);
  }

  #tooDear(fee: bigint, bound: string): Rejection {
    return tooDear(this.options.network, `${fee} lamports`, bound);
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
      at: this.scheduler.now(),
    };
    // On the disk before anybody has the bytes.
    this.book.write(entry);
    return preparedOf({ ...entry, genesis: this.options.genesis });
  }

  /** Nothing if a node has it; else why not. */
  async #sent(
    id: string,
    raw: string,
    minContextSlot: number | undefined,
  ): Promise<FailedSend | undefined> {
    const config = {
      ...{ encoding: 'base64', skipPreflight: false, preflightCommitment: 'confirmed' },
      maxRetries: 0,
      ...(minContextSlot !== undefined && { minContextSlot }),
    };
    const outcomes = await this.providers.once('sendTransaction', [raw, config]);
    // Where nobody can be asked, it is not known what became of it.
    const isKnown = (): Promise<boolean> => this.#history.isKnown(id).catch(() => false);
    return this.failureOf(outcomes.map((one) => answerIn(one, id)), isKnown); // prettier-ignore
  }
}

function answerIn(outcome: RpcOutcome, id: string): SendAnswer {
  if (outcome.kind === 'result') {
    return { kind: outcome.result === id ? 'taken' : 'unknown', why: 'it answers with another id' };
  }
  if (outcome.kind !== 'error') {
    return { kind: outcome.kind === 'unsent' ? 'unsent' : 'unknown', why: outcome.why };
  }
  const kinds = { known: 'taken', refused: 'wrong', unknown: 'unknown' } as const;
  return { kind: kinds[answerToSend(outcome.error)], why: outcome.error.message };
}

/** The whole order as text. */
const textOf = ({ token, to, lots, memo }: OwnTransfer): string =>
  JSON.stringify([token, to, `${lots}`, memo ?? null]);
