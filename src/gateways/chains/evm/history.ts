import { MillraceError } from '../../../model/errors.ts';
import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type { ChainTransaction } from '../../../swaps/chains/chain-world.ts';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { TokenTerms } from '../../../swaps/tokens.ts';
import type { PaymentOutcome, PreparedTransaction } from '../node.ts';
import { areOutbid } from './fees.ts';
import { hex, readSigned, SELECTORS, TRANSFER_TOPIC } from './encoding.ts';
import type { EvmNodeOptions } from './options.ts';
import { invalid, record } from '../json-rpc/providers.ts';
import { quantity, wordOf, type Block, type EvmProviders } from './providers.ts';

/** The used options of a node. */
type HistoryOptions = Pick<EvmNodeOptions, 'network' | 'tokens' | 'coin' | 'finality'>;

/** After this many blocks without the next transaction it counts as outbid, if the fees say so. */
const STUCK_BLOCKS = 6;

/** A block's receipt of a transaction. */
interface Receipt {
  readonly id: string;
  readonly block: number;
  readonly blockHash: string;
  readonly isDone: boolean;
  readonly fee: bigint;
  readonly logs: readonly unknown[];
}

/** Outcomes of transactions, by blocks that are in the chain of every provider. */
export class EvmHistory {
  readonly #options: HistoryOptions;
  readonly #providers: EvmProviders;
  /** True once all nodes have had the tag of finality. */
  #hasTag = false;

  constructor(options: HistoryOptions, providers: EvmProviders) {
    this.#options = options;
    this.#providers = providers;
  }

  /** The last block that all providers have. */
  async head(): Promise<Block> {
    const head = await this.#providers.block('latest');
    if (head !== undefined) return head;
    throw new MillraceError('service-unavailable', `A node of ${this.#options.network.name} has no block.`); // prettier-ignore
  }

  /** Outcome of a payment's candidates; the last has been pending for the given time. */
  async outcome(
    candidates: readonly PreparedTransaction[],
    waitedUs: number,
  ): Promise<PaymentOutcome> {
    for (const { id } of candidates) {
      const receipt = await this.receipt(id);
      if (receipt !== undefined) return this.#mined(receipt);
    }
    return this.#unmined(candidates, waitedUs);
  }

  /** Receipt of a transaction in a block that is in the chain of every provider. */
  async receipt(id: string): Promise<Receipt | undefined> {
    const answers = await this.#providers.each('eth_getTransactionReceipt', [id]);
    const receipts = answers.map((one) => (one === null ? undefined : receiptIn(one)));
    const [first] = receipts;
    if (first === undefined) return undefined;
    // A node lags, or is on another fork: it is not known yet.
    if (receipts.some((one) => one?.blockHash !== first.blockHash)) return undefined;
    const block = await this.#providers.block(hex(first.block));
    return block?.hash === first.blockHash ? first : undefined;
  }

  async #mined(receipt: Receipt): Promise<PaymentOutcome> {
    const isFinal = await this.#isFinal(receipt.block);
    const { id } = receipt;
    const fee = { lots: receipt.fee, coin: this.#options.coin };
    if (!receipt.isDone) {
      return { kind: 'failed', id, reason: `Transaction ${id} failed on its chain and moved nothing; it cost ${fee.lots} wei.`, isFinal, fee }; // prettier-ignore
    }
    const transaction = await this.made(receipt);
    if (transaction !== undefined) return { kind: 'made', transaction, isFinal, fee };
    return { kind: 'failed', id, reason: `Transaction ${id} is in a block and its token logged no transfer; it cost ${fee.lots} wei.`, isFinal, fee }; // prettier-ignore
  }

  async #isFinal(block: number): Promise<boolean> {
    return block <= (await this.#finalBlock());
  }

  /**
   * The last final block. A chain without such a tag counts confirmations; nodes that had the tag and lack
   * it now are waited for.
   */
  async #finalBlock(): Promise<number> {
    const { finality, network } = this.#options;
    if (typeof finality === 'string') {
      const last = await this.#providers.block(finality);
      if (last !== undefined) {
        this.#hasTag = true;
        return last.number;
      }
      if (this.#hasTag) {
        throw new MillraceError('service-unavailable', `A node of ${network.name} does not say its ${finality} block now.`); // prettier-ignore
      }
    }
    const needed = typeof finality === 'number' ? finality : network.confirmations;
    return Math.max(0, (await this.head()).number - needed + 1);
  }

  async #unmined(
    candidates: readonly PreparedTransaction[],
    waitedUs: number,
  ): Promise<PaymentOutcome> {
    const made = candidates.flatMap(({ raw }) => readSigned(raw) ?? []);
    const [first] = made;
    if (first === undefined) return { kind: 'waiting' };
    const tag = hex(await this.#finalBlock());
    const used = await this.#providers.mined(first.from, tag, 'least');
    if (used > first.nonce) return this.#foreign(candidates, first.nonce, tag);
    const mined = await this.#providers.mined(first.from, 'latest', 'most');
    if (mined > first.nonce) return { kind: 'waiting' };
    const { baseFee } = await this.head();
    if (made.every(({ maxFee }) => maxFee < (baseFee ?? 0n))) return { kind: 'stuck' };
    // A transaction that waits for an earlier nonce gains nothing by a higher price.
    const isDue = mined === first.nonce && waitedUs > STUCK_BLOCKS * this.#options.network.blockUs;
    if (isDue && (await areOutbid(made, this.#providers, baseFee))) return { kind: 'stuck' };
    const known = await Promise.all(
      candidates.map(async ({ id }) => this.#providers.each('eth_getTransactionByHash', [id])),
    );
    return known.some((answers) => answers.some((one) => one !== null)) ? { kind: 'waiting' } : { kind: 'unseen' }; // prettier-ignore
  }

  /** The nonce is used in a final block by no candidate: checked twice. */
  async #foreign(
    candidates: readonly PreparedTransaction[],
    nonce: number,
    block: string,
  ): Promise<PaymentOutcome> {
    for (const { id } of candidates) {
      const answers = await this.#providers.each('eth_getTransactionByHash', [id]);
      if (answers.some((one) => one !== null)) return { kind: 'waiting' };
    }
    return { kind: 'dead', reason: `Nonce ${nonce} was used by another transaction up to the final block ${Number(block)}: somebody else signs with the key.` }; // prettier-ignore
  }

  /** The amount that a transaction moved; of a token, by the token's own log. */
  async made({ id, block, logs }: Receipt): Promise<ChainTransaction | undefined> {
    const { network, tokens, coin } = this.#options;
    const [head, at] = await Promise.all([this.head(), this.#providers.block(hex(block))]);
    const common = {
      hash: id,
      index: 0,
      network: network.code,
      at: micros((at?.timestamp ?? 0) * US_PER_SECOND),
      confirmations: Math.max(0, head.number - block + 1),
    };
    const moved = arrivalIn(logs, tokens);
    if (moved !== undefined) return { ...common, ...moved };
    const sent = record(await this.#providers.agreed('eth_getTransactionByHash', [id]), 'eth_getTransactionByHash'); // prettier-ignore
    const lots = quantity(sent['value'], 'eth_getTransactionByHash');
    const { from, to, input } = sent;
    if (typeof from !== 'string' || typeof to !== 'string') return undefined;
    const isApproval = typeof input === 'string' && input.startsWith(SELECTORS.approve);
    const approved = isApproval ? tokens.find(({ contract }) => isSame(contract, to)) : undefined;
    if (approved !== undefined) return { ...common, token: approved.id, from: canonical(from), to: canonical(to), lots: 0n }; // prettier-ignore
    if (lots === 0n) return undefined;
    return { ...common, token: coin, from: canonical(from), to: canonical(to), lots };
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const canonical = (address: string): string => FAMILIES.evm.canonical(address) ?? address;

function receiptIn(given: unknown): Receipt {
  const method = 'eth_getTransactionReceipt';
  const { transactionHash, blockNumber, blockHash, status, gasUsed, effectiveGasPrice, l1Fee, logs } = record(given, method); // prettier-ignore
  if (
    typeof transactionHash !== 'string' ||
    typeof blockHash !== 'string' ||
    !Array.isArray(logs)
  ) {
    throw invalid(method, given);
  }
  return {
    id: transactionHash,
    block: Number(quantity(blockNumber, method)),
    blockHash,
    isDone: quantity(status, method) === 1n,
    // A rollup of the OP kind reports its data fee besides the gas.
    fee:
      quantity(gasUsed, method) * quantity(effectiveGasPrice, method) +
      (l1Fee === undefined || l1Fee === null ? 0n : quantity(l1Fee, method)),
    logs,
  };
}

/** A `Transfer` that one of the tokens logged; other contracts do not count. */
function transferIn(
  given: unknown,
  tokens: readonly TokenTerms[],
): Pick<ChainTransaction, 'token' | 'from' | 'to' | 'lots'> | undefined {
  const { address, topics, data } = record(given, 'logs');
  const token = tokens.find(({ contract }) => typeof address === 'string' && isSame(contract, address)); // prettier-ignore
  if (token === undefined || !Array.isArray(topics) || typeof data !== 'string') return undefined;
  const [topic, from, to] = topics as readonly unknown[];
  if (topic !== TRANSFER_TOPIC || typeof from !== 'string' || typeof to !== 'string') return undefined; // prettier-ignore
  const addressOf = (word: string): string => canonical(`0x${word.slice(-40)}`);
  return {
    token: token.id,
    from: addressOf(from),
    to: addressOf(to),
    lots: wordOf(data, 'Transfer'),
  };
}

/**
 * The transfer of a token that a transaction is for: its largest, and the receiver's final balance of that
 * token. Some tokens log their own fee before or after it.
 */
function arrivalIn(
  logs: readonly unknown[],
  tokens: readonly TokenTerms[],
): Pick<ChainTransaction, 'token' | 'from' | 'to' | 'lots'> | undefined {
  const all = logs.flatMap((given) => transferIn(given, tokens) ?? []);
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const main = others.reduce((most, one) => (one.lots > most.lots ? one : most), first);
  const { token, to } = main;
  const lots = all
    .filter((one) => one.token === token && one.from !== one.to)
    .reduce((sum, one) => sum + (one.to === to ? one.lots : one.from === to ? -one.lots : 0n), 0n);
  return { ...main, lots: main.from === to ? main.lots : lots };
}
