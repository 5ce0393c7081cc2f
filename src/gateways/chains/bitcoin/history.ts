import { MillraceError } from '../../../model/errors.ts';
import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type { ChainTransaction } from '../../../swaps/chains/chain-world.ts';
import type { PaymentOutcome, PreparedTransaction } from '../node.ts';
import type { BitcoinNodeOptions } from './options.ts';
import type { EsploraProviders, EsploraTransaction } from './providers.ts';
import { nameOf, readSigned, type Outpoint } from './transaction.ts';

/** A transaction in a block that is in the chain of every provider. */
type Mined = EsploraTransaction & { readonly status: { readonly confirmed: true } };

/** Outcomes of transactions, by blocks that are in the chain of every provider. */
export class BitcoinHistory {
  readonly #options: Pick<BitcoinNodeOptions, 'network' | 'coin' | 'finality'>;
  readonly #providers: EsploraProviders;

  constructor(
    options: Pick<BitcoinNodeOptions, 'network' | 'coin' | 'finality'>,
    providers: EsploraProviders,
  ) {
    this.#options = options;
    this.#providers = providers;
  }

  /** `waiting` if at least one provider knows a candidate. */
  async standing(candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome> {
    let isKnown = false;
    for (const { id } of candidates) {
      const found = await this.#providers.transactions(id);
      const mined = await this.#agreed(found);
      if (mined !== undefined) return this.#made(mined);
      isKnown ||= found.some((one) => one !== undefined);
    }
    const reason = await this.#deathOf(candidates);
    if (reason !== undefined) return { kind: 'dead', reason };
    return { kind: isKnown ? 'waiting' : 'unseen' };
  }

  /** Nothing before it is in a block that all providers have. */
  async transaction(id: string): Promise<ChainTransaction | undefined> {
    const mined = await this.#agreed(await this.#providers.transactions(id));
    return mined === undefined ? undefined : this.#moved(mined);
  }

  /** True if at least one provider has it. */
  async isKnown(id: string): Promise<boolean> {
    return (await this.#providers.transactions(id)).some((one) => one !== undefined);
  }

  /**
   * The transaction that spends an output according to all providers, and its block; nothing if they do not
   * agree.
   */
  async spenderOf(
    outpoint: Outpoint,
  ): Promise<{ readonly txid: string; readonly height?: number } | undefined> {
    const all = await this.#providers.outspends(outpoint);
    const [first] = all;
    if (first?.spent !== true) return undefined;
    if (all.some((one) => one?.spent !== true || one.txid !== first.txid)) return undefined;
    const places = all.map((one) => (one?.spent === true && one.status.confirmed ? one.status : undefined)); // prettier-ignore
    const [place] = places;
    const isSame = place !== undefined && places.every((one) => one?.block_hash === place.block_hash); // prettier-ignore
    const isMined = isSame && (await this.#isInChain(place.block_height, place.block_hash));
    return { txid: first.txid, ...(isMined && { height: place.block_height }) };
  }

  async #agreed(found: readonly (EsploraTransaction | undefined)[]): Promise<Mined | undefined> {
    const [first] = found;
    if (first === undefined || !isMined(first)) return undefined;
    const { block_hash: block, block_height: height } = first.status;
    // A provider lags, or is on another fork: it is not known yet.
    const isSame = found.every((one) => one?.status.confirmed === true && one.status.block_hash === block); // prettier-ignore
    return isSame && (await this.#isInChain(height, block)) ? first : undefined;
  }

  async #isInChain(height: number, block: string): Promise<boolean> {
    if (height > (await this.#providers.tip())) return false;
    return (await this.#providers.blockHashes(height)).every((one) => one === block);
  }

  async #made(mined: Mined): Promise<PaymentOutcome> {
    const transaction = await this.#moved(mined);
    const isFinal = transaction.confirmations >= this.#options.finality;
    return { kind: 'made', transaction, isFinal, fee: { lots: mined.fee, coin: this.#options.coin } }; // prettier-ignore
  }

  /** Its first payment to another than the spender; to the spender if there is no other. */
  async #moved({ txid, vin, vout, status }: Mined): Promise<ChainTransaction> {
    const { network, coin } = this.#options;
    const spenders = new Set(vin.map(({ prevout }) => prevout?.scriptpubkey_address));
    const isPayment = ({ scriptpubkey_address: to }: (typeof vout)[number]): boolean =>
      to !== undefined && !spenders.has(to);
    const index = Math.max(0, vout.findIndex(isPayment));
    const paid = vout[index];
    if (paid === undefined) throw new MillraceError('answer-invalid', `Transaction ${txid} has no outputs by ${this.#providers.hosts}.`); // prettier-ignore
    return {
      hash: txid,
      index,
      network: network.code,
      token: coin,
      from: vin[0]?.prevout?.scriptpubkey_address ?? '',
      to: paid.scriptpubkey_address ?? '',
      lots: paid.value,
      at: micros(status.block_time * US_PER_SECOND),
      confirmations: await this.#confirmations(status.block_height),
    };
  }

  async #confirmations(height: number): Promise<number> {
    return Math.max(0, (await this.#providers.tip()) - height + 1);
  }

  /** Each candidate has an input that a final transaction, and none of them, has spent. */
  async #deathOf(candidates: readonly PreparedTransaction[]): Promise<string | undefined> {
    const ids = new Set(candidates.map(({ id }) => id));
    let reason: string | undefined;
    for (const { raw } of candidates) {
      reason = await this.#foreignSpend(readSigned(raw)?.inputs ?? [], ids);
      if (reason === undefined) return undefined;
    }
    return reason;
  }

  async #foreignSpend(
    inputs: readonly Outpoint[],
    ids: ReadonlySet<string>,
  ): Promise<string | undefined> {
    for (const input of inputs) {
      const { txid, height } = (await this.spenderOf(input)) ?? {};
      if (txid === undefined || height === undefined || ids.has(txid)) continue;
      if ((await this.#confirmations(height)) < this.#options.finality) continue;
      return `Output ${nameOf(input)} was spent by transaction ${txid}, which is final: somebody else signs with the key.`;
    }
    return undefined;
  }
}

const isMined = (one: EsploraTransaction): one is Mined => one.status.confirmed;
