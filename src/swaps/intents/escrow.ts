import { isRejection, type Rejection } from '../../model/rejections.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { ChainTransaction, ChainWorld, Transfer } from '../chains/chain-world.ts';
import type { PermitToSpend } from '../chains/real-networks.ts';
import type { Intent, Stage } from './intent.ts';

/** Names of the escrow and the resolver addresses. */
export const ESCROW = 'swap-escrow';
export const RESOLVER = 'swap-resolver';

/** Called with the result of a step: at once on simulated chains, on live ones when it is certain. */
export type StageListener = (stage: Stage | Rejection) => void;

const stageOf = ({ hash, at }: ChainTransaction): Stage => ({ hash, at });

/**
 * Moves money of swaps on the chains: from the user into escrow, and from there to the resolver, who has
 * paid the user, or back. Each step happens whole or not at all.
 */
export class Escrow {
  readonly #chains: ChainWorld;
  /** Transactions of users that an intent was deposited by, by network and hash. */
  readonly #served = new Set<string>();
  /** How often a step of an intent was tried on a real network. */
  readonly #tries = new Map<string, number>();

  constructor(chains: ChainWorld) {
    this.#chains = chains;
  }

  /** Escrow address on a network. */
  at(network: string): string {
    return this.#chains.addressOf(network, ESCROW);
  }

  /** The resolver's address on a network: its balance can be swapped into. */
  resolverAt(network: string): string {
    return this.#chains.addressOf(network, RESOLVER);
  }

  /** The key by which it signs there. */
  resolverKey(network: string): Uint8Array {
    return this.#chains.keyOf(network, RESOLVER);
  }

  /** Takes the user's money by the user's signature. */
  deposit(intent: Intent, done: StageListener): void {
    const { order, issued, transaction, from } = intent;
    const { network, token, lots, escrow } = order;
    const transfer = { token: token.id, from, to: escrow, lots };
    if (transaction !== undefined) done(this.#spent(network.code, transaction, escrow));
    else if (this.#chains.isReal(network.code)) {
      this.#move(intent, 'deposit', transfer, done, permitOf(intent), intent.deadline);
    } else {
      const rejection = issued.form === 'permit2' ? this.#permitted(order) : undefined;
      if (rejection === undefined) this.#move(intent, 'deposit', transfer, done);
      else done(rejection);
    }
  }

  /** Pays the user from what the resolver holds. */
  fulfil(intent: Intent, lots: bigint, done: StageListener): void {
    const { id, network } = intent.quote.to;
    const transfer = { token: id, from: this.resolverAt(network), to: intent.to, lots };
    this.#move(intent, 'fulfil', transfer, done, undefined, intent.deadline);
  }

  /** Hands the escrow to the resolver. */
  claim(intent: Intent, done: StageListener): void {
    const { token, escrow, resolver } = intent.order;
    const transfer = { token: token.id, from: escrow, to: resolver, lots: escrowedBy(intent) };
    this.#move(intent, 'claim', transfer, done);
  }

  /** Refunds the escrow. */
  refund(intent: Intent, done: StageListener): void {
    const { token, escrow } = intent.order;
    const transfer = {
      token: token.id,
      from: escrow,
      to: intent.refundTo,
      lots: escrowedBy(intent),
    };
    this.#move(intent, 'refund', transfer, done);
  }

  #move(
    { id }: Intent,
    step: string,
    transfer: Transfer,
    done: StageListener,
    permit?: PermitToSpend,
    notAfter?: Micros,
  ): void {
    const token = this.#chains.tokens.find((one) => one.id === transfer.token);
    if (token === undefined || !this.#chains.isReal(token.network)) {
      const made = this.#chains.transfer(transfer);
      done(isRejection(made) ? made : stageOf(made));
      return;
    }
    const { network } = token;
    const name = `${id} ${step}`;
    const tried = (this.#tries.get(name) ?? 0) + 1;
    this.#tries.set(name, tried);
    const wanted = { ...transfer, id: `${name} ${tried}`, network, permit, notAfter };
    this.#chains.transferReal(wanted, (result) => {
      if (isRejection(result)) {
        done(result);
        return;
      }
      this.#tries.delete(name);
      done({ ...result, at: this.#chains.now() });
    });
  }

  /**
   * Two intents of one user may issue the same transaction, and a repeated send returns the earlier result:
   * it serves one intent anyway.
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

  /** Checks of the permit2 contract; the nonce is used last, so that a rejection uses none. */
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

/** Escrowed amount: a token of a live chain may have taken a fee. */
const escrowedBy = ({ order, deposit }: Intent): bigint => deposit?.lots ?? order.lots;

/** The user's signed permit for the permit2 contract. */
function permitOf({ issued, order, signature = '' }: Intent): PermitToSpend {
  if (issued.form !== 'permit2') throw new RangeError(`an approval by ${issued.form}`);
  const { nonce, escrow_contract_address: spender, additional_data: more } = issued.params;
  const deadlineSeconds = BigInt(Math.floor(order.deadline / US_PER_SECOND));
  const { witness_hash: witnessHash, witness_type_string: witnessTypeString } = more;
  return { nonce, deadlineSeconds, witnessHash, witnessTypeString, signature, spender };
}

/** The rejection of an approval that the permit2 contract could do nothing with. */
export const unapproved = (asset: string, owner: string): Rejection => ({
  code: 'token-unapproved',
  field: 'token',
  message: `${owner} has not let the permit2 contract take ${asset}.`,
});
