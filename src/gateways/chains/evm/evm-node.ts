import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { clockText, micros, US_PER_DAY } from '../../../platform/time.ts';
import type { ChainTransaction, Output } from '../../../swaps/chains/chain-world.ts';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { PermitToSpend } from '../../../swaps/chains/real-networks.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type {
  Approval,
  ChainFee,
  ChainNode,
  PaymentOutcome,
  PreparedTransaction,
  SentTransaction,
  SignDigest,
} from '../node.ts';
import {
  callData,
  dataFeeCall,
  hashOf,
  hex,
  permit2Separator,
  permitCallData,
  readSigned,
  sampleDataFeeCall,
  SELECTORS,
  signedBytes,
  signingDigest,
  type FeeTransaction,
} from './encoding.ts';
import { feesNow, larger, raised, type Fees } from './fees.ts';
import { EvmHistory } from './history.ts';
import { checkedOptions, type EvmNodeOptions } from './options.ts';
import { NonceBook, type NonceEntry } from './nonce-book.ts';
import { isHeld, Nonces, type NonceGap } from './nonces.ts';
import { ProviderNode, type FailedSend, type SendAnswer } from '../provider-node.ts';
import { refused, short, tooDear } from '../rejections.ts';
import { invalid } from '../json-rpc/providers.ts';
import type { RpcOutcome } from '../json-rpc/rpc.ts';
import { EvmProviders, isWord, quantity, wordOf } from './providers.ts';
import { answerToSend } from './send-answer.ts';

const COIN_GAS = 21_000n;
/** More than a transfer or an approval of a usual token takes; the exact one is estimated. */
const TOKEN_GAS = 120_000n;
/** Additional gas of a token whose receiver has a zero balance by then; unused gas is not paid. */
const EMPTIED_GAS = 20_000n;
/** Gas of a usual token's transfer to a receiver without a balance. */
const USUAL_TOKEN_GAS = 65_000n;
/** The longest address and nonce in bytes. */
const LONGEST = `0x${'ff'.repeat(20)}`;
const LONGEST_NONCE = 0xff_ff_ff;

/** A transfer out of another's address, by what its owner has signed for the permit2 contract. */
export interface PermittedTransfer extends Omit<OwnTransfer, 'from' | 'memo'> {
  readonly owner: string;
  readonly permit: PermitToSpend;
}

const textOf = (outcome: RpcOutcome): string => {
  if (outcome.kind === 'result') return 'a node answers with another id';
  return outcome.kind === 'error' ? outcome.error.message : outcome.why;
};

type EvmOrder = OwnTransfer | Approval | PermittedTransfer;

/** The signer, who pays the fee. */
const senderOf = (order: EvmOrder): string =>
  'permit' in order ? order.permit.spender : 'to' in order ? order.from : order.owner;

/**
 * An EVM node by JSON-RPC. It signs transactions with nonces of its own book, so that no two orders have
 * the same one, and an order never has two.
 */
export class EvmNode
  extends ProviderNode<EvmNodeOptions, NonceBook, EvmProviders, EvmOrder>
  implements ChainNode
{
  readonly #history: EvmHistory;
  readonly #nonces: Nonces;

  constructor(options: EvmNodeOptions) {
    const providers = new EvmProviders(checkedOptions(options).urls, options.http ?? {});
    const book = new NonceBook(options.nonces);
    super(options, book, providers);
    this.#history = new EvmHistory(options, providers);
    this.#nonces = new Nonces(options, providers, book, this.scheduler);
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    await this.check();
    return [this.options.network];
  }

  async balance(token: number, address: string): Promise<bigint> {
    await this.check();
    const { number } = await this.#history.head();
    return this.#held(this.#token(token), address, hex(number));
  }

  outputs(): Promise<readonly Output[]> {
    return this.noOutputs();
  }

  async allowance(token: number, owner: string): Promise<bigint> {
    await this.check();
    const { permit2 } = this.options;
    if (permit2 === undefined || token === this.options.coin) return 0n;
    const { number } = await this.#history.head();
    const data = callData(SELECTORS.allowance, owner, permit2);
    return wordOf(await this.providers.call(this.#token(token).contract, data, hex(number)), 'allowance'); // prettier-ignore
  }

  async fee(token: number): Promise<ChainFee> {
    await this.check();
    const { maxFee, tip } = await this.#fees();
    const isCoin = token === this.options.coin;
    const gas = isCoin ? COIN_GAS : TOKEN_GAS;
    // As long as a transfer of a token, of bytes that cost most.
    const sample = { tip: maxFee, maxFee, gas, to: LONGEST, value: gas * maxFee, data: `0x${'ff'.repeat(68)}` }; // prettier-ignore
    const dataFee = await this.#dataFee(sample);
    // The base fee and the tip, or the whole price that is bid: see feesNow.
    const price = (maxFee + tip) / 2n;
    const expectedLots = (isCoin ? COIN_GAS : USUAL_TOKEN_GAS) * price + (dataFee * 4n) / 5n;
    const { feeBound, coin } = this.options;
    const most = gas * maxFee + dataFee;
    return { lots: most < feeBound ? most : feeBound, expectedLots, coin };
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    await this.check();
    const { network: own } = this.options;
    const made = readSigned(raw);
    if (made === undefined || network !== own.code || made.chainId !== own.chainId) {
      return refused('transaction', `It is no signed transaction of ${own.name}.`);
    }
    const id = hashOf(raw);
    const entryOf = () => this.book.of(own.chainId, made.from).find(({ nonce }) => nonce === made.nonce); // prettier-ignore
    const isUnsent = entryOf()?.sent === false;
    const gap = isUnsent ? await this.#nonces.gapBefore(made.from, made.nonce) : undefined;
    // Only now, as another order may have got the nonce during the calls.
    const entry = entryOf();
    if (entry !== undefined && !entry.ids.includes(id)) {
      return refused('nonce', `Nonce ${made.nonce} of ${made.from} was given to another transaction meanwhile; nothing was sent.`); // prettier-ignore
    }
    const isFirst = entry?.sent === false;
    if (isFirst && gap !== undefined) return this.#heldBack(made.from, entry, gap);
    if (isFirst) this.book.write({ ...entry, sent: true, at: this.scheduler.now() });
    const outcome = await this.#sent(id, raw);
    if (outcome === undefined) return { id };
    // An earlier send may have been accepted, whatever the answer is now.
    if (isFirst && outcome.isRefused) {
      // No node has it: the next order takes its nonce, or all that follow would wait for ever.
      this.book.write({ ...entry, ids: [], sent: false, at: micros(0) });
      return refused('transaction', outcome.why);
    }
    throw this.unsettled(id, outcome, isFirst);
  }

  /**
   * Nothing is sent above a nonce that was assigned and not sent: no block would take it. It waits for the
   * previous one; if that was given up it is rejected, and the next order gets the free nonce.
   */
  #heldBack(from: string, entry: NonceEntry, gap: NonceGap): Rejection {
    const what = `Nonce ${gap.nonce} of ${from} was given to another transaction, which was not sent`;
    if (gap.until !== undefined) {
      throw new MillraceError('unreachable', `${what} yet. This one is sent after it, or given up at ${clockText(gap.until)}.`); // prettier-ignore
    }
    this.book.write({ ...entry, ids: [], at: micros(0) });
    return refused('nonce', `${what} and is given up, so no block would take this one: nothing was sent.`); // prettier-ignore
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    await this.check();
    if (network !== this.options.network.code) return undefined;
    const receipt = await this.#history.receipt(hash);
    if (receipt === undefined || !receipt.isDone) return undefined;
    return this.#history.made(receipt);
  }

  async outcome(_: string, candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    await this.check();
    return this.#history.outcome(candidates, this.#waitedUs(candidates));
  }

  /** How long the last candidate has been pending; 0 if the book does not have it. */
  #waitedUs(candidates: readonly PreparedTransaction[]): number {
    const last = candidates.at(-1);
    const made = last && readSigned(last.raw);
    if (made === undefined) return 0;
    const entry = this.book.of(made.chainId, made.from).find(({ nonce }) => nonce === made.nonce);
    return entry?.sent === true ? Math.max(0, this.scheduler.now() - entry.at) : 0;
  }

  protected async checkChain(): Promise<void> {
    const { network, tokens, coin, permit2, dataFeeOracle } = this.options;
    for (const answer of await this.providers.each('eth_chainId', [])) {
      const id = Number(quantity(answer, 'eth_chainId'));
      if (id !== network.chainId) {
        throw this.#wrong('chainId', `is ${network.chainId}, and a node says that it is of chain ${id}: name the node of ${network.name}`); // prettier-ignore
      }
    }
    for (const token of tokens) if (token.id !== coin) await this.#checkToken(token);
    if (dataFeeOracle !== undefined) await this.#checkOracle(dataFeeOracle);
    if (permit2 === undefined) return;
    await this.#checkCode(permit2, 'permit2');
    const found = await this.#answer(permit2, SELECTORS.domainSeparator);
    if (found === permit2Separator(network.chainId, permit2)) return;
    throw this.#wrong('permit2', `is ${permit2}, and what is there is no permit2 of this chain: take the address from its publisher`); // prettier-ignore
  }

  async #checkToken({ asset, contract, decimals }: TokenTerms): Promise<void> {
    await this.#checkCode(contract, `tokens.${asset}`);
    const answer = await this.#answer(contract, SELECTORS.decimals);
    if (answer === undefined) throw this.#wrong(`tokens.${asset}`, `is ${contract}, which has no decimals: set the address of the token`); // prettier-ignore
    const found = wordOf(answer, `decimals of ${asset}`);
    if (found === BigInt(decimals)) return;
    throw this.#wrong(`tokens.${asset}.decimals`, `is ${decimals}, and its contract says ${found}: set what the contract says if the address is right`); // prettier-ignore
  }

  async #checkOracle(oracle: string): Promise<void> {
    await this.#checkCode(oracle, 'dataFeeOracle');
    const call = sampleDataFeeCall(this.options.network.chainId);
    const answer = await this.#answer(oracle, call);
    if (answer !== undefined && isWord(answer)) return;
    throw this.#wrong('dataFeeOracle', `is ${oracle}, which tells no fee for the data of a transaction: take the address from the chain's documentation, or leave it out where the chain takes none`); // prettier-ignore
  }

  /** A contract's answer to a call; nothing if it does not know it. */
  async #answer(contract: string, data: string): Promise<string | undefined> {
    const outcomes = await this.providers.outcomes('eth_call', [{ to: contract, data }, 'latest']);
    if (outcomes.some(({ kind }) => kind === 'error')) return undefined;
    return this.providers.call(contract, data, 'latest');
  }

  async #checkCode(address: string, field: string): Promise<void> {
    const code = await this.providers.agreed('eth_getCode', [address, 'latest']);
    if (typeof code !== 'string' || !/^0x[\da-fA-F]*$/.test(code))
      throw invalid('eth_getCode', code);
    if (code !== '0x') return;
    throw this.#wrong(
      field,
      `is ${address}, where no contract is: set the address of the contract`,
    );
  }

  #wrong(field: string, what: string): MillraceError {
    const { name, code } = this.options.network;
    return new MillraceError('config-invalid', `${field} of ${name} ${what}.`, { field: `chains.${code}.evm.${field}` }); // prettier-ignore
  }

  #token(id: number): TokenTerms {
    const found = this.options.tokens.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw this.noToken(id);
  }

  async #held({ id, contract, asset }: TokenTerms, address: string, at: string): Promise<bigint> {
    if (id === this.options.coin) {
      return quantity(await this.providers.agreed('eth_getBalance', [address, at]), 'eth_getBalance'); // prettier-ignore
    }
    const data = callData(SELECTORS.balanceOf, address);
    return wordOf(await this.providers.call(contract, data, at), `balanceOf of ${asset}`);
  }

  async #fees(): Promise<Fees> {
    return feesNow(this.providers, (await this.#history.head()).baseFee);
  }

  /** A rollup's data fee of a transaction plus a quarter, as it changes by block. */
  async #dataFee(made: Omit<FeeTransaction, 'chainId' | 'nonce'>): Promise<bigint> {
    const { dataFeeOracle, network } = this.options;
    if (dataFeeOracle === undefined) return 0n;
    const call = dataFeeCall({ ...made, chainId: network.chainId, nonce: LONGEST_NONCE });
    const at = hex((await this.#history.head()).number);
    const fee = wordOf(await this.providers.call(dataFeeOracle, call, at), 'getL1Fee');
    return fee + fee / 4n;
  }

  protected async prepareNext(
    order: EvmOrder,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection> {
    const { network, feeBound, dayBound } = this.options;
    const from = senderOf(order);
    const call = await this.#callOf(order);
    if ('code' in call) return call;
    // First without the fee: the node's error is less clear about what is missing.
    const missing = await this.#shortOf(order, from, call.value, 0n);
    if (missing !== undefined) return missing;
    const estimated = await this.#gas(from, call);
    if (typeof estimated !== 'bigint') return estimated;
    const gas = earlier.map(({ raw }) => readSigned(raw)?.gas ?? 0n).reduce(larger, estimated);
    const fees = raised(await this.#fees(), earlier);
    const feeLots = gas * fees.maxFee + (await this.#dataFee({ gas, ...fees, ...call }));
    if (feeLots > feeBound) return tooDear(network, `${feeLots} wei`, `feeBound of ${feeBound}`);
    const lowersRisk = !('to' in order) && order.lots === 0n;
    const entry = await this.#nonces.entryOf({ key: order.nonce, from, lowersRisk }, earlier);
    if ('code' in entry) return entry;
    const now = this.scheduler.now();
    // What was prepared a moment ago will be sent.
    const counts = (one: NonceEntry): boolean =>
      one.sent ? one.at > now - US_PER_DAY : isHeld(one, now);
    const spent = this.book
      .of(network.chainId, from)
      .filter((one) => one.nonce !== entry.nonce && counts(one))
      .reduce((sum, one) => sum + one.feeLots, 0n);
    if (spent + feeLots > dayBound) return tooDear(network, `${spent + feeLots} wei`, `dayBound of ${dayBound} in 24 hours`); // prettier-ignore
    const short = await this.#shortOf(order, from, call.value, feeLots);
    if (short !== undefined) return short;
    // On the disk before anything is signed with it.
    this.book.write({ ...entry, feeLots });
    const { chainId } = network;
    const made: FeeTransaction = { chainId, nonce: entry.nonce, gas, ...fees, ...call };
    const raw = signedBytes(made, await sign(signingDigest(made)));
    const signed = readSigned(raw);
    if (signed?.from.toLowerCase() !== from.toLowerCase()) {
      return refused('signature', `It is not signed by the key of ${from}.`);
    }
    const id = hashOf(raw);
    this.book.write({ ...entry, feeLots, at: now, ids: [...entry.ids, id] });
    return { id, raw, uses: `nonce ${entry.nonce} of ${from}`, feeLots };
  }

  /** The call of an order's transaction; rejects one that would lose money or do nothing. */
  async #callOf(
    order: EvmOrder,
  ): Promise<Pick<FeeTransaction, 'to' | 'value' | 'data'> | Rejection> {
    const { network, coin, permit2 } = this.options;
    const token = this.#token(order.token);
    const isCoin = token.id === coin;
    if (!('to' in order)) {
      if (permit2 === undefined || isCoin) return noPermit2(token, network);
      return this.#approvalOf(order, token, permit2);
    }
    const to = FAMILIES.evm.canonical(order.to);
    if (to === undefined || to.toLowerCase() === token.contract.toLowerCase()) {
      const what = to === undefined ? `no address of ${network.name}` : `the contract of ${token.asset}`; // prettier-ignore
      return { code: 'address-invalid', field: 'to', message: `"${order.to}" is ${what}.` };
    }
    if ('permit' in order) {
      if (permit2 === undefined || isCoin) return noPermit2(token, network);
      return {
        to: permit2,
        value: 0n,
        data: permitCallData({ ...order, to, token: token.contract }),
      };
    }
    if (order.memo !== undefined)
      return refused('memo', `A transfer on ${network.name} has no memo.`);
    if (isCoin) return { to, value: order.lots, data: '0x' };
    const data = callData(SELECTORS.transfer, to, order.lots);
    return { to: token.contract, value: 0n, data };
  }

  /** Some tokens change no allowance but to 0 first: a simulated call shows which. */
  async #approvalOf(
    { owner, lots, token }: Approval,
    { contract }: TokenTerms,
    permit2: string,
  ): Promise<Pick<FeeTransaction, 'to' | 'value' | 'data'>> {
    const data = callData(SELECTORS.approve, permit2, lots);
    const whole = { to: contract, value: 0n, data };
    if (lots === 0n || (await this.allowance(token, owner)) === 0n) return whole;
    const tried = await this.providers.outcomes('eth_call', [{ from: owner, to: contract, data }, 'latest']); // prettier-ignore
    const isTaken = tried.every(({ kind }) => kind === 'result');
    return isTaken ? whole : { ...whole, data: callData(SELECTORS.approve, permit2, 0n) };
  }

  /** By the last block: a pending transaction may be the one to be replaced, or may never be mined. */
  async #gas(
    from: string,
    { to, value, data }: Pick<FeeTransaction, 'to' | 'value' | 'data'>,
  ): Promise<bigint | Rejection> {
    const outcomes = await this.providers.outcomes('eth_estimateGas', [{ from, to, value: hex(value), data }, 'latest']); // prettier-ignore
    let most = 0n;
    for (const one of outcomes) {
      if (one.kind === 'error') return refused('transaction', `It would fail: ${sanitize(one.error.message)}.`); // prettier-ignore
      if (one.kind !== 'result') throw new MillraceError('service-unavailable', `The gas cannot be estimated: ${sanitize(one.why)}.`); // prettier-ignore
      const gas = quantity(one.result, 'eth_estimateGas');
      most = gas > most ? gas : most;
    }
    return data === '0x' ? most : most + most / 4n + EMPTIED_GAS;
  }

  /** Why there is not enough for a transaction, the fee counted in. */
  async #shortOf(
    order: EvmOrder,
    from: string,
    value: bigint,
    fee: bigint,
  ): Promise<Rejection | undefined> {
    const coin = this.#token(this.options.coin);
    const at = hex((await this.#history.head()).number);
    const held = await this.#held(coin, from, at);
    if (held < value + fee) {
      return short(`${from} holds ${held} wei, and ${value + fee} are needed: ${value} to be sent and up to ${fee} for the fee.`); // prettier-ignore
    }
    // Only trying shows the permission of an owner.
    if (!('from' in order) || order.token === coin.id) return undefined;
    const token = this.#token(order.token);
    const has = await this.#held(token, from, at);
    return has < order.lots ? short(`${from} holds ${has} of ${token.asset}, and ${order.lots} are asked for.`) : undefined; // prettier-ignore
  }

  /** Nothing where a node has it; else why not. */
  async #sent(id: string, raw: string): Promise<FailedSend | undefined> {
    const outcomes = await this.providers.sent(raw);
    // Its own nonce is used: perhaps by this transaction, which a block shows. Where nobody can be asked, what
    // the send has left unknown stays so.
    const isKnown = async (): Promise<boolean> =>
      (await this.#history.receipt(id).catch(() => undefined)) !== undefined;
    return this.failureOf(outcomes.map((one) => answerIn(one, id)), isKnown); // prettier-ignore
  }
}

function answerIn(outcome: RpcOutcome, id: string): SendAnswer {
  const why = textOf(outcome);
  if (outcome.kind === 'unsent') return { kind: 'unsent', why };
  if (outcome.kind === 'result') return { kind: outcome.result === id ? 'taken' : 'unknown', why };
  const meaning = outcome.kind === 'error' ? answerToSend(why) : 'unknown';
  if (meaning === 'known') return { kind: 'taken', why };
  return { kind: meaning === 'funds' || meaning === 'wrong' ? 'wrong' : 'unknown', why };
}

const noPermit2 = ({ asset }: TokenTerms, { name }: NetworkTerms): Rejection =>
  refused('token', `There is no permit2 contract for ${asset} on ${name}.`);
