import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { US_PER_DAY, US_PER_MINUTE } from '../../../platform/time.ts';
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
import { ProviderNode, type FailedSend, type SendAnswer } from '../provider-node.ts';
import { refused, short, tooDear } from '../rejections.ts';
import { DUST_MOST, dustOf, GENESIS, inputWeight, otherAddress, outputWeight, readAddress, type BitcoinAddress } from './addresses.ts'; // prettier-ignore
import { chooseCoins, INPUTS_MAX, sumOf, vsizeOf, type Coin, type CoinRequest } from './coins.ts';
import { BitcoinHistory } from './history.ts';
import { InputBook, type InputEntry } from './input-book.ts';
import { checkedOptions, type BitcoinNodeOptions } from './options.ts';
import type { EsploraOutcome } from './esplora.ts';
import { EsploraProviders, type ListedOutput } from './providers.ts';
import { answerToSend } from './send-answer.ts';
import { nameOf, readSigned, signedPayment, type Outpoint } from './transaction.ts';

/** An order that was prepared and not sent has lost its outputs after that. */
const HELD_US = 15 * US_PER_MINUTE;
/** Satoshi of a thousand virtual bytes below which no node passes a transaction on, as it is usual. */
const LEAST_RATE = 1000n;
/** Inputs that a fee is counted for at least. */
const USUAL_INPUTS = 2;

/** A transfer with its addresses read. */
interface Order {
  readonly key: string;
  readonly from: BitcoinAddress & { readonly spentBy: 'tr' | 'wpkh' };
  readonly to: BitcoinAddress;
  readonly lots: bigint;
}

/** What a successor has to outbid. */
interface Bid {
  readonly feeLots: bigint;
  readonly vsize: bigint;
}

/**
 * A Bitcoin node by Esplora's REST. It spends confirmed outputs of one address, which its own book assigns
 * to orders, so that no two orders have the same one. All candidates of an order spend the outputs of the
 * first, so that at most one of them is mined.
 */
export class BitcoinNode
  extends ProviderNode<BitcoinNodeOptions, InputBook, EsploraProviders>
  implements ChainNode
{
  readonly #history: BitcoinHistory;
  /** The values of the outputs of each address that was asked for: a transfer of all spends each. */
  readonly #values = new Map<string, readonly bigint[]>();

  constructor(options: BitcoinNodeOptions) {
    const providers = new EsploraProviders(checkedOptions(options).urls, options.http ?? {});
    super(options, new InputBook(options.inputs, options.chain), providers);
    this.#history = new BitcoinHistory(options, providers);
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    await this.check();
    const { network, chain } = this.options;
    return [{ ...network, chain }];
  }

  /** What is confirmed, and change of own payments that is not yet: no deposit of others before. */
  async balance(token: number, address: string): Promise<bigint> {
    await this.check();
    this.#isCoin(token);
    const { text } = this.#address(address);
    const all = (await this.providers.outputs(text)).map(
      (listed) =>
      [...listed.values()].filter((one) => one.height !== undefined || this.book.byId(one.txid)?.address === text), // prettier-ignore
    );
    const [first = []] = all;
    if (all.some((one) => namesOf(one) !== namesOf(first))) throw this.#differ(text);
    this.#values.set(text, first.map(({ lots }) => lots)); // prettier-ignore
    return sumOf(first);
  }

  /** Outputs that a new payment could spend: confirmed and unassigned. */
  async outputs(network: string, address: string): Promise<readonly Output[]> {
    await this.check();
    if (network !== this.options.network.code) throw this.#unknownNetwork(network);
    const { text } = this.#address(address);
    const free = (await this.#confirmed(text)).filter((one) => this.#isFree(one, undefined));
    return free
      .toSorted((one, other) => (one.height ?? 0) - (other.height ?? 0))
      .map(({ txid, index, lots }) => ({ txid, index, lots }));
  }

  async allowance(token: number): Promise<bigint> {
    await this.check();
    this.#isCoin(token);
    return 0n;
  }

  /**
   * Fee of a transfer of all outputs worth their fee, of the queried address with the most outputs. The
   * maximum is twice that: fees rise, and a stuck transaction is replaced.
   */
  async fee(token: number): Promise<ChainFee> {
    await this.check();
    this.#isCoin(token);
    const { coin, feeBound } = this.options;
    const rate = await this.#rate();
    const [input, output] = [inputWeight('wpkh'), 4n * 43n];
    const counts = [...this.#values.values()].map((all) => all.filter((lots) => lots > feeOf(rate, input / 4n)).length); // prettier-ignore
    const inputs = Math.min(INPUTS_MAX, Math.max(USUAL_INPUTS, ...counts));
    const expectedLots = feeOf(rate, vsizeOf({ input, output, change: output }, inputs, true));
    return { lots: smaller(2n * expectedLots, feeBound), expectedLots, coin };
  }

  /** No output is dust, of whatever kind; change that would be goes to the fee. */
  async limits(token: number): Promise<PaymentLimits> {
    await this.check();
    this.#isCoin(token);
    return { least: DUST_MOST, reserve: 0n };
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    await this.check();
    const { network: own } = this.options;
    const made = readSigned(raw);
    if (made === undefined || network !== own.code) {
      return refused('transaction', `It is no signed transaction of ${own.name}.`);
    }
    const { id, inputs } = made;
    const entry = this.book.byId(id);
    if (this.#isTaken(inputs, entry)) {
      return refused('transaction', 'Its outputs were given to another transaction meanwhile, or it was refused before; nothing was sent.'); // prettier-ignore
    }
    const isFirst = entry?.state === 'prepared';
    if (entry !== undefined) this.book.write({ ...entry, state: 'sent', at: this.scheduler.now() }); // prettier-ignore
    const outcome = await this.#sent(id, raw);
    if (outcome === undefined) return { id };
    // An earlier send may have been accepted, whatever the answer is now.
    if (isFirst && outcome.isRefused) {
      this.book.write({ ...entry, state: 'void' });
      return refused('transaction', outcome.why);
    }
    throw this.unsettled(id, outcome, isFirst);
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    await this.check();
    if (network !== this.options.network.code || !/^[\da-f]{64}$/.test(hash)) return undefined;
    return this.#history.transaction(hash);
  }

  async outcome(_: string, candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    await this.check();
    const standing = await this.#history.standing(candidates);
    const entry = candidates.map(({ id }) => this.book.byId(id)).find((one) => one !== undefined);
    // The outputs that are left may be spent by others.
    if (standing.kind === 'dead' && entry !== undefined && entry.state !== 'void') this.book.write({ ...entry, state: 'void' }); // prettier-ignore
    if (standing.kind === 'dead' || standing.kind === 'made') return standing;
    return (await this.#isStuck(candidates, entry)) ? { kind: 'stuck' } : standing;
  }

  protected async checkChain(): Promise<void> {
    const { network, chain } = this.options;
    const found = (await this.providers.blockHashes(0)).find((one) => one !== GENESIS[chain]);
    if (found === undefined) return;
    const name = Object.entries(GENESIS).find(([, hash]) => hash === found)?.[0] ?? `the chain of ${found}`; // prettier-ignore
    throw new MillraceError('config-invalid', `chain of ${network.name} is ${chain}, and a node says that it is of ${name}: name a node of ${chain}.`, { field: `chains.${network.code}.bitcoin.chain` }); // prettier-ignore
  }

  #isCoin(token: number): void {
    if (token !== this.options.coin) throw this.noToken(token);
  }

  #address(given: string): BitcoinAddress {
    const read = readAddress(this.options.chain, given);
    if (read !== undefined) return read;
    const sentence = `${otherAddress(this.options.chain, given)}.`;
    throw new MillraceError('service-refused', sentence, { field: 'address' });
  }

  #unknownNetwork(network: string): MillraceError {
    return new MillraceError('service-refused', `The node is of ${this.options.network.code}, and not of ${network}.`); // prettier-ignore
  }

  #differ(address: string): MillraceError {
    const { hosts } = this.providers;
    return new MillraceError('answer-invalid', `${hosts} list different outputs of ${address}; nothing is done on it.`, { where: hosts }); // prettier-ignore
  }

  /** The confirmed outputs that all providers list; one with different values is left out. */
  async #confirmed(address: string): Promise<readonly ListedOutput[]> {
    const [first, ...others] = await this.providers.outputs(address);
    const isEverywhere = (one: ListedOutput): boolean =>
      others.every((listed) => {
        const same = listed.get(nameOf(one));
        if (same !== undefined && same.lots !== one.lots) throw this.#differ(address);
        return same?.height !== undefined;
      });
    return [...(first?.values() ?? [])].filter((one) => one.height !== undefined && isEverywhere(one)); // prettier-ignore
  }

  /** True if an order may be assigned an output: an unsent order loses its outputs after a time. */
  #isFree(outpoint: Outpoint, own: InputEntry | undefined): boolean {
    const holder = this.book.holderOf(outpoint);
    if (holder === undefined || holder.key === own?.key) return true;
    return holder.state === 'prepared' && holder.at < this.scheduler.now() - HELD_US;
  }

  /** True if a transaction must not be sent, as other orders have its outputs. */
  #isTaken(inputs: readonly Outpoint[], entry: InputEntry | undefined): boolean {
    if (entry?.state === 'void') return true;
    return inputs.some((one) => {
      const holder = this.book.holderOf(one);
      return holder !== undefined && holder !== entry;
    });
  }

  /** Satoshi of a thousand virtual bytes. */
  async #rate(): Promise<bigint> {
    const { network, chain, feeTarget } = this.options;
    const rate = await this.providers.rate(feeTarget);
    if (rate === undefined && chain !== 'regtest') {
      throw new MillraceError(
        'service-unavailable',
        `No provider reports a fee on ${network.name} now.`,
      );
    }
    return rate === undefined || rate < LEAST_RATE ? LEAST_RATE : rate;
  }

  /** True if all candidates offer less than the present fee rate, and the last had its time to be mined. */
  async #isStuck(
    candidates: readonly PreparedTransaction[],
    entry: InputEntry | undefined,
  ): Promise<boolean> {
    const { feeTarget, network } = this.options;
    const since = this.scheduler.now() - feeTarget * network.blockUs;
    if (candidates.length === 0 || (entry !== undefined && entry.at > since)) return false;
    const rate = await this.#rate();
    return candidates.every(({ raw, feeLots }) => feeLots < feeOf(rate, BigInt(readSigned(raw)?.vsize ?? 0))); // prettier-ignore
  }

  protected async prepareNext(
    given: OwnTransfer | Approval,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection> {
    const { network, feeBound, dayBound } = this.options;
    const order = this.#orderOf(given);
    if ('code' in order) return order;
    const held = await this.#heldBy(order, earlier);
    if ('code' in held) return held;
    const { entry, required } = held;
    const request = await this.#request(order, required, entry, earlier);
    const choice = chooseCoins(request);
    if (choice === undefined) return shortOf(order, request);
    const { coins, feeLots, changeLots } = choice;
    if (feeLots > feeBound)
      return tooDear(network, `${feeLots} satoshi`, `feeBound of ${feeBound}`);
    const entries = this.book.of(order.from.text);
    const day = this.scheduler.now() - US_PER_DAY;
    const spent = entries
      .filter((one) => one.key !== order.key && one.state === 'sent' && one.at > day)
      .reduce((sum, one) => sum + one.feeLots, 0n);
    if (spent + feeLots > dayBound) return tooDear(network, `${spent + feeLots} satoshi`, `dayBound of ${dayBound} in 24 hours`); // prettier-ignore
    // On the disk before anything is signed with them.
    for (const coin of coins) this.#takeFrom(this.book.holderOf(coin), order.key);
    const vsize = Number(vsizeOf(request, coins.length, changeLots > 0n));
    const kept = {
      ...entry,
      inputs: coins.map(({ txid, index, lots }) => ({ txid, index, lots })),
      feeLots,
      vsize,
    };
    this.book.write(kept);
    const made = await signedPayment({ ...order, coins, changeLots }, sign);
    if (made === undefined) return refused('signature', `It is not signed by the key of ${order.from.text}.`); // prettier-ignore
    this.book.write({ ...kept, ids: [...entry.ids, made.id] });
    const [anchor] = coins;
    const uses = earlier[0]?.uses ?? `output ${anchor === undefined ? '' : nameOf(anchor)}`;
    return { id: made.id, raw: made.raw, uses, feeLots };
  }

  /** Reads an order; rejects one that would lose money or do nothing. */
  #orderOf(given: OwnTransfer | Approval): Order | Rejection {
    const { network, chain, coin } = this.options;
    if (!('to' in given)) return refused('token', `${network.name} has no permit2 contract.`);
    if (given.network !== network.code || given.token !== coin) return refused('token', `${network.name} has no token ${given.token}.`); // prettier-ignore
    if (given.memo !== undefined && given.memo !== null) return refused('memo', `A transfer on ${network.name} has no memo.`); // prettier-ignore
    const [from, to] = [readAddress(chain, given.from), readAddress(chain, given.to)];
    if (to === undefined) return notAddress('to', otherAddress(chain, given.to));
    if (from === undefined) return notAddress('from', otherAddress(chain, given.from));
    if (from.spentBy === undefined) return notAddress('from', `"${given.from}" is no address that one key spends from`); // prettier-ignore
    const { lots, nonce: key } = given;
    if (lots < dustOf(to.script)) return { code: 'amount-invalid', field: 'lots', message: `${lots} satoshi are dust, which no node passes on: ${dustOf(to.script)} at least must be sent to ${to.text}.` }; // prettier-ignore
    return { key, from: { ...from, spentBy: from.spentBy }, to, lots };
  }

  /** The entry of an order, and the outputs that its next candidate must spend. */
  async #heldBy(
    { key, from }: Order,
    earlier: readonly PreparedTransaction[],
  ): Promise<{ readonly entry: InputEntry; readonly required: readonly Coin[] } | Rejection> {
    const own = this.book.of(from.text).find((one) => one.key === key);
    const fresh: InputEntry = { chain: this.options.chain, address: from.text, key, inputs: [], ids: [], state: 'prepared', feeLots: 0n, vsize: 0, at: this.scheduler.now() }; // prettier-ignore
    const outpoints = new Map((own?.inputs ?? []).map((one) => [nameOf(one), one as Outpoint]));
    for (const { raw } of earlier) {
      const inputs = readSigned(raw)?.inputs ?? [];
      if (inputs.length === 0) return refused('earlier', 'No transaction excludes all of those that were sent before.'); // prettier-ignore
      for (const one of inputs) outpoints.set(nameOf(one), one);
    }
    const ids = new Set([...(own?.ids ?? []), ...earlier.map(({ id }) => id)]);
    const isSent = own?.state === 'sent' || earlier.length > 0;
    const required: Coin[] = [];
    for (const outpoint of outpoints.values()) {
      const coin = await this.#coin(outpoint, own, ids);
      if (coin !== undefined) required.push(coin);
      // An older copy of the file may not know that it was sent.
      else if (!isSent && (await this.#isSpentBy(outpoint, ids))) throw this.#unkept(outpoint, key);
      // Never sent, so another choice of outputs excludes nothing that anybody has.
      else if (!isSent) return { entry: fresh, required: [] };
      else if (earlier.length === 0) throw this.#unkept(outpoint, key);
      else return refused('earlier', `Output ${nameOf(outpoint)} is spent by a transaction that is mined or by somebody else: look what became of it.`); // prettier-ignore
    }
    const entry = own ?? { ...fresh, ids: [...ids], state: isSent ? 'sent' : 'prepared' };
    return { entry: isSent ? entry : { ...entry, at: fresh.at }, required };
  }

  async #isSpentBy(outpoint: Outpoint, ids: ReadonlySet<string>): Promise<boolean> {
    const spender = await this.#history.spenderOf(outpoint);
    return spender !== undefined && ids.has(spender.txid);
  }

  #unkept(outpoint: Outpoint, key: string): MillraceError {
    const sentence = `Order ${key} was sent, output ${nameOf(outpoint)} that it spends is spent by now, and nobody kept what was sent: look on the chain by which transaction. It is not signed again.`;
    return new MillraceError('outcome-unknown', sentence);
  }

  /** An output with its value, unless a block or a stranger has spent it. */
  async #coin(
    outpoint: Outpoint,
    own: InputEntry | undefined,
    ids: ReadonlySet<string>,
  ): Promise<Coin | undefined> {
    const spender = await this.#history.spenderOf(outpoint);
    if (spender !== undefined && (spender.height !== undefined || !ids.has(spender.txid))) return undefined; // prettier-ignore
    const known = own?.inputs.find((one) => nameOf(one) === nameOf(outpoint));
    if (known !== undefined) return known;
    const found = await this.providers.transactions(outpoint.txid);
    const values = found.map((one) => one?.vout[outpoint.index]?.value);
    const [lots] = values;
    return lots === undefined || values.some((one) => one !== lots) ? undefined : { ...outpoint, lots }; // prettier-ignore
  }

  async #request(
    { from, to, lots }: Order,
    required: readonly Coin[],
    entry: InputEntry,
    earlier: readonly PreparedTransaction[],
  ): Promise<CoinRequest> {
    const rate = await this.#rate();
    const bids: Bid[] = earlier.map(({ feeLots, raw }) => ({ feeLots, vsize: BigInt(readSigned(raw)?.vsize ?? 0) })); // prettier-ignore
    if (entry.state === 'sent' && entry.vsize > 0) bids.push({ ...entry, vsize: BigInt(entry.vsize) }); // prettier-ignore
    const names = new Set(required.map(nameOf));
    const free = (await this.#confirmed(from.text)).filter((one) => !names.has(nameOf(one)) && this.#isFree(one, entry)); // prettier-ignore
    return {
      ...{ lots, required, free, dust: dustOf(from.script) },
      input: inputWeight(from.spentBy),
      output: outputWeight(to.script),
      change: outputWeight(from.script),
      fee: (vsize) => bids.reduce((most, bid) => larger(most, outbidding(bid, vsize)), feeOf(rate, vsize)), // prettier-ignore
    };
  }

  /** An order that was never sent loses its outputs to another. */
  #takeFrom(holder: InputEntry | undefined, key: string): void {
    if (holder !== undefined && holder.key !== key) this.book.write({ ...holder, state: 'void' });
  }

  /** Nothing where a node has it; else why not. */
  async #sent(id: string, raw: string): Promise<FailedSend | undefined> {
    const outcomes = await this.providers.sent(raw);
    // "Known" in any words, and inputs that are spent, perhaps by this transaction: a read tells.
    const isAnswered = outcomes.some(({ kind }) => kind === 'refused');
    const isKnown = async (): Promise<boolean> => isAnswered && this.#history.isKnown(id);
    return this.failureOf(outcomes.map((one) => answerIn(one, id)), isKnown); // prettier-ignore
  }
}

function answerIn(outcome: EsploraOutcome, id: string): SendAnswer {
  if (outcome.kind === 'body') {
    const isTaken = outcome.body.trim() === id;
    return { kind: isTaken ? 'taken' : 'unknown', why: 'a node answers with another id' };
  }
  const why = sanitize(outcome.why).slice(0, 200);
  if (outcome.kind === 'unsent') return { kind: 'unsent', why };
  const isWrong = outcome.kind === 'refused' && answerToSend(outcome.why) === 'wrong';
  return { kind: isWrong ? 'wrong' : 'unknown', why };
}

/** The fee of a size in virtual bytes at a rate for a thousand, rounded up. */
const feeOf = (rate: bigint, vsize: bigint): bigint => (rate * vsize + 999n) / 1000n;

/**
 * Least fee of a replacement of that size: 15 % more by the byte, and by BIP 125 the replaced fee plus 1
 * satoshi for each byte of its own.
 */
function outbidding({ feeLots, vsize: old }: Bid, vsize: bigint): bigint {
  const byRate = old === 0n ? 0n : (feeLots * 115n * vsize) / (old * 100n) + 1n;
  return larger(byRate, feeLots + vsize);
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Outputs with their values, whatever their order. */
const namesOf = (outputs: readonly ListedOutput[]): string =>
  outputs.map((one) => `${nameOf(one)} ${one.lots}`).toSorted().join(' '); // prettier-ignore

const notAddress = (field: string, why: string): Rejection => ({
  code: 'address-invalid',
  field,
  message: `${why}.`,
});

function shortOf({ from, lots }: Order, request: CoinRequest): Rejection {
  const coins = [...request.required, ...request.free];
  const fee = request.fee(vsizeOf(request, Math.max(1, coins.length), false));
  return short(`${from.text} has ${sumOf(coins)} satoshi in ${coins.length} confirmed outputs that are free, and ${lots + fee} are needed: ${lots} to be sent and up to ${fee} for the fee.`); // prettier-ignore
}
