import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { ChainTransaction, ChainWorld } from '../chains/chain-world.ts';
import type { Intent, Stage } from './intent.ts';

const ESCROW = 'swap-escrow';
const RESOLVER = 'swap-resolver';

const stageOf = ({ hash, at }: ChainTransaction): Stage => ({ hash, at });

/**
 * What becomes of money on the chains: from the user into escrow, and from there to the resolver, who
 * has paid the user, or back. Each step happens whole or not at all.
 */
export class Escrow {
  readonly #chains: ChainWorld;
  /** Transactions of users that an intent was deposited by, by network and hash. */
  readonly #served = new Set<string>();

  constructor(chains: ChainWorld) {
    this.#chains = chains;
  }

  /** Where money waits, on a network. */
  at(network: string): string {
    return this.#chains.addressOf(network, ESCROW);
  }

  /** Who executes intents, on a network: what it holds is what can be swapped into. */
  resolverAt(network: string): string {
    return this.#chains.addressOf(network, RESOLVER);
  }

  /** The key by which it signs there. */
  resolverKey(network: string): Uint8Array {
    return this.#chains.keyOf(network, RESOLVER);
  }

  /** Takes the user's money by what the user has signed. */
  deposit({ order, issued, transaction, from }: Intent): Stage | Rejection {
    const { network, token, lots, escrow } = order;
    if (transaction !== undefined) return this.#spent(network.code, transaction, escrow);
    if (issued.form === 'permit2') {
      const rejection = this.#permitted(order);
      if (rejection !== undefined) return rejection;
    }
    return this.#moved({ token: token.id, from, to: escrow, lots });
  }

  /** Pays the user from what the resolver holds. */
  fulfil({ quote: { to }, to: user }: Intent, lots: bigint): Stage | Rejection {
    return this.#moved({ token: to.id, from: this.resolverAt(to.network), to: user, lots });
  }

  /** Hands the escrow to the resolver. */
  claim({ order: { token, lots, escrow, resolver } }: Intent): Stage | Rejection {
    return this.#moved({ token: token.id, from: escrow, to: resolver, lots });
  }

  /** Gives the escrow back. */
  refund({ order: { token, lots, escrow }, refundTo }: Intent): Stage | Rejection {
    return this.#moved({ token: token.id, from: escrow, to: refundTo, lots });
  }

  #moved(transfer: Parameters<ChainWorld['transfer']>[0]): Stage | Rejection {
    const made = this.#chains.transfer(transfer);
    return isRejection(made) ? made : stageOf(made);
  }

  /**
   * Two intents of one user may hand out the very same transaction, and one that is on its chain
   * already is answered as when it was sent: it serves one intent all the same.
   */
  #spent(network: string, transaction: string, escrow: string): Stage | Rejection {
    const made = this.#chains.spend(network, transaction);
    if (isRejection(made)) return made;
    const payment = made.find(({ to }) => to === escrow);
    if (payment === undefined) {
      return { code: 'approval-invalid', message: 'The transaction pays nothing into escrow.' };
    }
    const name = `${network} ${payment.hash}`;
    if (this.#served.has(name)) {
      return { code: 'approval-invalid', message: 'The transaction has paid for another intent.' };
    }
    this.#served.add(name);
    return stageOf(payment);
  }

  /** What the permit2 contract looks at; the nonce is used up last, so that a rejection uses none. */
  #permitted({ network, token, lots, from, nonce }: Intent['order']): Rejection | undefined {
    if (!this.#chains.hasApproved(token.id, from)) return unapproved(token.asset, from);
    if (this.#chains.balance(token.id, from) < lots) {
      const message = `${from} does not hold so much ${token.asset} any more.`;
      return { code: 'funds-insufficient', field: 'amount', message };
    }
    if (this.#chains.usePermitNonce(network.code, from, nonce)) return undefined;
    return { code: 'approval-invalid', message: `The nonce ${nonce} was used before.` };
  }
}

/** The rejection of an approval that the permit2 contract could do nothing with. */
export const unapproved = (asset: string, owner: string): Rejection => ({
  code: 'token-unapproved',
  field: 'token',
  message: `${owner} has not let the permit2 contract take ${asset}.`,
});
