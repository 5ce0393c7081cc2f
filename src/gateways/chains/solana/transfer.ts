import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { SIGNATURE_BYTES, TRANSACTION_BYTES_MAX } from '../../../swaps/approvals/cosign/layout.ts';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import { invalid } from '../json-rpc/providers.ts';
import type { ChainFee } from '../node.ts';
import { refused, short } from '../rejections.ts';
import { ACCOUNT_BYTES, isNoWallet, type SolanaAccounts } from './accounts.ts';
import { errorText } from './history.ts';
import {
  associatedAccount,
  budget,
  coinTransfer,
  createAccount,
  memoCall,
  messageOf,
  signedBytes,
  tokenTransfer,
  writtenBy,
  type Call,
  type Mint,
} from './message.ts';
import type { SolanaNodeOptions } from './options.ts';
import { units, type Lifetime, type SolanaProviders } from './providers.ts';

/** Network fee of one signature, lamports. */
const SIGNATURE_FEE = 5_000n;
const MICRO = 1_000_000n;
/** Compute units: what a transaction may use at most, and what transfers take; 20% is added. */
const UNITS_MOST = 1_400_000n;
const COIN_UNITS = 450n;
const TOKEN_UNITS = 80_000n;
/** More than what Token-2022 usually adds to an account. */
const EXTENSION_BYTES = 35;
const LOTS_END = 2n ** 64n;
/** More token accounts do not fit into a transaction. */
const SOURCES_MOST = 8;

const paid = z.array(z.object({ prioritizationFee: units }));

const tried = z.object({
  value: z.object({
    err: z.unknown().transform((err) => err ?? null),
    unitsConsumed: units,
    accounts: z.array(z.object({ lamports: units }).nullable()),
  }),
});

/** A message that is to be signed, and what it costs. */
export interface UnsignedTransfer {
  readonly message: Uint8Array;
  readonly lifetime: Lifetime;
  readonly feeLots: bigint;
}

/** Makes messages of transfers. */
export class SolanaTransfers {
  readonly #options: SolanaNodeOptions;
  readonly #providers: SolanaProviders;
  readonly #accounts: SolanaAccounts;

  constructor(options: SolanaNodeOptions, providers: SolanaProviders, accounts: SolanaAccounts) {
    this.#options = options;
    this.#providers = providers;
    this.#accounts = accounts;
  }

  /**
   * Present cost of a transfer; of a token, including a new account of the receiver. The maximum is twice
   * that, as competing fees rise and an expired one is followed.
   */
  async fee(token: number): Promise<Pick<ChainFee, 'lots' | 'expectedLots'>> {
    const { feeBound } = this.#options;
    const mint = this.#accounts.mint(token);
    const price = await this.#price([]);
    const rent =
      mint === undefined ? 0n : await this.#accounts.rent(ACCOUNT_BYTES + EXTENSION_BYTES);
    const used = mint === undefined ? COIN_UNITS : TOKEN_UNITS;
    const fee = SIGNATURE_FEE + priority(price, limitOf(used));
    return {
      lots: smaller(2n * fee + rent, feeBound),
      expectedLots: smaller(fee + rent, feeBound),
    };
  }

  /**
   * A transfer that offers at least a price, with an unused message; rejects one that would lose money or
   * do nothing.
   */
  async make(
    order: OwnTransfer,
    least: bigint,
    isTaken: (message: Uint8Array) => boolean,
  ): Promise<UnsignedTransfer | Rejection> {
    const no = await this.#unfit(order);
    if (no !== undefined) return no;
    const mint = this.#accounts.mint(order.token);
    const calls = mint === undefined ? this.#coinCalls(order) : await this.#tokenCalls(order, mint);
    if ('code' in calls) return calls;
    const short = await this.#shortOf(order, SIGNATURE_FEE);
    if (short !== undefined) return short;
    const { blockhash, lifetime } = await this.#providers.blockhash();
    const trial = messageOf(order.from, [...budget(UNITS_MOST, 0n), ...calls], blockhash);
    if (trial.length + 1 + SIGNATURE_BYTES > TRANSACTION_BYTES_MAX) {
      return refused('memo', 'The memo is too long for a transaction.');
    }
    const target = mint === undefined ? order.to : associatedAccount(order.to, mint);
    const there = mint && (await this.#accounts.info(target))?.lamports;
    const used = await this.#tried(trial, target, lifetime);
    if ('code' in used) return used;
    let limit = limitOf(used.units);
    const rent = mint === undefined ? 0n : used.lamports - (there ?? 0n);
    const asked = await this.#price(writtenBy(calls));
    const room = this.#options.feeBound - SIGNATURE_FEE - rent;
    const most = room < 0n ? 0n : (room * MICRO) / limit;
    const price = smaller(larger(asked, least), most);
    const written = (): Uint8Array => messageOf(order.from, [...budget(limit, price), ...calls], blockhash); // prettier-ignore
    // Two orders of the same content and blockhash would be one transaction, and be paid once.
    while (isTaken(written())) limit += 1n;
    const feeLots = SIGNATURE_FEE + priority(price, limit) + rent;
    return (await this.#shortOf(order, feeLots)) ?? { message: written(), lifetime, feeLots };
  }

  /** Why an order cannot be meant. */
  async #unfit({ network, token, from, to, lots }: OwnTransfer): Promise<Rejection | undefined> {
    const { network: own, coin } = this.#options;
    const { contract, asset } = this.#accounts.token(token);
    if (network !== own.code) return refused('network', `${network} is not ${own.name}.`);
    if (lots <= 0n || lots >= LOTS_END) return refused('lots', `${lots} is no amount of ${own.name}.`); // prettier-ignore
    const no = (message: string): Rejection => ({ code: 'address-invalid', field: 'to', message });
    if (FAMILIES.solana.canonical(to) === undefined) return no(`"${to}" is no address of ${own.name}.`); // prettier-ignore
    if (to === contract) return no(`"${to}" is the mint of ${asset}.`);
    if (to === from) return no(`"${to}" is the address that it comes from.`);
    const found = await this.#accounts.info(to);
    if (found !== undefined && isNoWallet(found.owner, found.executable)) {
      return no(`"${to}" is a program, a mint or a token account: name the wallet that owns it.`);
    }
    if (token !== coin) return undefined;
    const least = await this.#accounts.rent(0);
    const there = (found?.lamports ?? 0n) + lots;
    return there >= least ? undefined : refused('lots', `${to} would hold ${there} lamports, and an account must hold ${least}.`); // prettier-ignore
  }

  #coinCalls({ from, to, lots, memo }: OwnTransfer): readonly Call[] {
    return [coinTransfer(from, to, lots), ...memoCalls(memo)];
  }

  /** Takes from the fullest accounts first; creates the receiver's if there is none. */
  async #tokenCalls(order: OwnTransfer, mint: Mint): Promise<readonly Call[] | Rejection> {
    const { from, to, lots, memo } = order;
    const target = associatedAccount(to, mint);
    const calls: Call[] = [createAccount(from, to, mint)];
    let left = lots;
    const sources = await this.#accounts.tokenAccounts(mint, from, 'confirmed');
    for (const { address, lots: there } of sources.slice(0, SOURCES_MOST)) {
      const part = smaller(there, left);
      if (part > 0n) calls.push(tokenTransfer(from, mint, { source: address, target, lots: part }));
      left -= part;
    }
    if (left === 0n || sources.length <= SOURCES_MOST) return [...calls, ...memoCalls(memo)];
    return refused('lots', `${from} holds it in ${sources.length} token accounts, and one transaction takes of ${SOURCES_MOST}: bring them together first.`); // prettier-ignore
  }

  /** Why there is not enough for a transfer, the fee counted in. */
  async #shortOf(order: OwnTransfer, fee: bigint): Promise<Rejection | undefined> {
    const { coin } = this.#options;
    const { from, lots, token } = order;
    const held = await this.#accounts.held(coin, from);
    const value = token === coin ? lots : 0n;
    if (held < value + fee) {
      return short(`${from} holds ${held} lamports, and ${value + fee} are needed: ${value} to be sent and up to ${fee} for the fee.`); // prettier-ignore
    }
    const left = held - value - fee;
    const least = await this.#accounts.rent(0);
    if (left > 0n && left < least) {
      return short(`${from} would keep ${left} lamports, and an account must hold ${least} or nothing: leave that, or send all but ${fee}.`); // prettier-ignore
    }
    if (token === coin) return undefined;
    const has = await this.#accounts.held(token, from);
    const { asset } = this.#accounts.token(token);
    return has < lots ? short(`${from} holds ${has} of ${asset}, and ${lots} are asked for.`) : undefined; // prettier-ignore
  }

  /** Lets every provider simulate it: compute units, and the receiver's balance afterwards. */
  async #tried(
    message: Uint8Array,
    target: string,
    { slot }: Lifetime,
  ): Promise<{ readonly units: bigint; readonly lamports: bigint } | Rejection> {
    const raw = signedBytes(message, new Uint8Array(SIGNATURE_BYTES));
    const accounts = { encoding: 'base64', addresses: [target] };
    const config = { encoding: 'base64', sigVerify: false, commitment: 'confirmed', minContextSlot: slot, accounts }; // prettier-ignore
    const method = 'simulateTransaction';
    let most = { units: 0n, lamports: 0n };
    for (const one of await this.#providers.outcomes(method, [raw, config])) {
      if (one.kind !== 'result') {
        const why = one.kind === 'error' ? one.error.message : one.why;
        throw new MillraceError('service-unavailable', `The transaction cannot be tried: ${sanitize(why)}.`); // prettier-ignore
      }
      const read = tried.safeParse(one.result);
      if (!read.success) throw invalid(method, one.result);
      const { err, unitsConsumed, accounts: after } = read.data.value;
      if (err !== null) return refused('transaction', `It would fail: ${sanitize(errorText(err))}.`); // prettier-ignore
      most = {
        units: larger(most.units, unitsConsumed),
        lamports: larger(most.lamports, after[0]?.lamports ?? 0n),
      };
    }
    return most;
  }

  /** Recent fees for the same accounts, micro-lamports a compute unit. */
  async #price(accounts: readonly string[]): Promise<bigint> {
    const method = 'getRecentPrioritizationFees';
    let most = 0n;
    for (const answer of await this.#providers.each(method, [accounts])) {
      const read = paid.safeParse(answer);
      if (!read.success) throw invalid(method, answer);
      const fees = read.data.map((one) => one.prioritizationFee).toSorted((a, b) => (a < b ? -1 : 1)); // prettier-ignore
      const at = Math.ceil((fees.length * this.#options.priorityPercentile) / 100) - 1;
      most = larger(most, fees[Math.max(0, at)] ?? 0n);
    }
    return most;
  }
}

const memoCalls = (memo: string | undefined): readonly Call[] =>
  memo === undefined ? [] : [memoCall(memo)];

const limitOf = (used: bigint): bigint => smaller(used + used / 5n + 50n, UNITS_MOST);

const priority = (price: bigint, limit: bigint): bigint => (price * limit + MICRO - 1n) / MICRO;

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
