import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MINUTE, type Micros } from '../../../platform/time.ts';
import type { PreparedTransaction } from '../node.ts';
import { refused } from '../rejections.ts';
import { readSigned } from './encoding.ts';
import type { NonceBook, NonceEntry } from './nonce-book.ts';
import type { EvmNodeOptions } from './options.ts';
import type { EvmProviders } from './providers.ts';

/** A prepared transaction is normally sent a moment later; it loses its nonce after this time. */
const HELD_US = 2 * US_PER_MINUTE;

/** True if an order that was prepared and not sent still has its nonce, whatever clock changes. */
export const isHeld = ({ ids, at }: NonceEntry, now: number): boolean =>
  ids.length > 0 && Math.abs(now - at) <= HELD_US;

/** Owner of the requested nonce. */
export interface NonceOwner {
  readonly key: string;
  readonly from: string;
  /** True for an approval that is withdrawn: it is signed whoever else has the key. */
  readonly lowersRisk: boolean;
}

/** An assigned and unsent nonce; `until` is when its order loses it, absent if it has. */
export interface NonceGap {
  readonly nonce: number;
  readonly until?: Micros;
}

/** Which nonce an order has. */
export class Nonces {
  readonly #options: Pick<EvmNodeOptions, 'network' | 'oneByOne' | 'acknowledged' | 'nonces'>;
  readonly #providers: EvmProviders;
  readonly #book: NonceBook;
  readonly #scheduler: Scheduler;

  constructor(
    options: Pick<EvmNodeOptions, 'network' | 'oneByOne' | 'acknowledged' | 'nonces'>,
    providers: EvmProviders,
    book: NonceBook,
    scheduler: Scheduler,
  ) {
    this.#options = options;
    this.#providers = providers;
    this.#book = book;
    this.#scheduler = scheduler;
  }

  /**
   * Its own nonce again, an assigned one that was never used, or the next. Throws `key-shared` if the chain
   * has transactions of the key that the book does not know.
   */
  async entryOf(
    owner: NonceOwner,
    earlier: readonly PreparedTransaction[],
  ): Promise<NonceEntry | Rejection> {
    const { key, from } = owner;
    const { chainId } = this.#options.network;
    const entries = this.#book.of(chainId, from);
    const own = entries.find((one) => one.key === key);
    const now = this.#scheduler.now();
    const fresh = { chainId, address: from.toLowerCase(), key, ids: [], sent: false, feeLots: 0n, at: now }; // prettier-ignore
    if (earlier.length > 0) {
      const nonce = this.#replaced(own, earlier);
      if (isRejection(nonce)) return nonce;
      return own ?? { ...fresh, nonce, sent: true, ids: earlier.map(({ id }) => id) };
    }
    const mined = await this.#providers.mined(from, 'latest', 'most');
    if (own !== undefined && own.nonce >= mined) return own;
    // An older copy of the file may not know that what was signed was sent.
    if (own !== undefined && (own.sent || own.ids.length > 0)) {
      const sentence = `Order ${key} of ${from} was signed with nonce ${own.nonce}, which is used by now, and nobody kept what was sent: look at ${own.ids.join(', ')} on the chain. It is not signed again.`;
      throw new MillraceError('outcome-unknown', sentence);
    }
    if (!owner.lowersRisk) this.#checkAlone(from, entries, mined);
    // If its signer rejected, nothing was signed with it, and later nonces would wait for ever.
    const free = entries.find((one) => !one.sent && one.nonce >= mined && !isHeld(one, now));
    if (free !== undefined) return { ...fresh, nonce: free.nonce };
    const last = entries.at(-1);
    const nonce = Math.max(mined, last === undefined ? 0 : last.nonce + 1);
    if (this.#options.oneByOne !== true || nonce === mined) return { ...fresh, nonce };
    const sentence = `Nonce ${mined} of ${from} is in no block of ${this.#options.network.name} yet; the next transaction is signed after it.`;
    throw new MillraceError('service-unavailable', sentence);
  }

  /**
   * Why a transaction must not be sent yet: an earlier nonce was assigned and not sent, and no block takes
   * this one before that.
   */
  async gapBefore(from: string, nonce: number): Promise<NonceGap | undefined> {
    const entries = this.#book.of(this.#options.network.chainId, from);
    const unsent = entries.filter((one) => one.nonce < nonce && !one.sent);
    if (unsent.length === 0) return undefined;
    const mined = await this.#providers.mined(from, 'latest', 'most');
    const gaps = unsent.filter((one) => one.nonce >= mined);
    const now = this.#scheduler.now();
    const held = gaps.find((one) => isHeld(one, now));
    if (held !== undefined) return { nonce: held.nonce, until: micros(held.at + HELD_US) };
    const [gap] = gaps;
    return gap && { nonce: gap.nonce };
  }

  /** The nonce that all earlier candidates have, so that a successor excludes them. */
  #replaced(
    own: NonceEntry | undefined,
    earlier: readonly PreparedTransaction[],
  ): number | Rejection {
    const nonces = new Set(earlier.map(({ raw }) => readSigned(raw)?.nonce));
    const [nonce] = nonces;
    if (nonces.size !== 1 || nonce === undefined || (own !== undefined && own.nonce !== nonce)) {
      return refused('earlier', 'No transaction excludes all of those that were sent before.');
    }
    if (this.#options.oneByOne !== true) return nonce;
    return refused('earlier', `Nodes of ${this.#options.network.name} replace no transaction: it is waited for.`); // prettier-ignore
  }

  /**
   * Checks that every nonce used since the first of the book was sent by it. Another one comes from
   * somebody else with the key, or the book is an older copy and its orders may be paid: signing again
   * could pay twice. Nonces below `acknowledged` are known to the operator.
   */
  #checkAlone(from: string, entries: readonly NonceEntry[], mined: number): void {
    const { acknowledged = 0, network, nonces: path } = this.#options;
    const [first] = entries;
    if (first === undefined) return;
    const sent = new Set(entries.filter((one) => one.sent).map(({ nonce }) => nonce));
    let foreign = Math.max(first.nonce, acknowledged);
    while (foreign < mined && sent.has(foreign)) foreign += 1;
    if (foreign >= mined) return;
    const sentence = `Nonce ${foreign} of ${from} on ${network.name} was used by a transaction that ${path} does not know, and the chain has used ${mined} by now: another process or wallet signs with the key, or the file is an older copy. Nothing new is signed, as it could be paid twice. Look at what was sent; stop the other or put the file back, or set acknowledged: ${mined}.`;
    throw new MillraceError('key-shared', sentence, { field: `chains.${network.code}.evm.acknowledged` }); // prettier-ignore
  }
}
