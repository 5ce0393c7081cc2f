import { createHash } from 'node:crypto';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { OwnTransfer } from '../../../swaps/chains/signed-transfer.ts';
import type { TransferData, PaidFee, Step } from '../../../swaps/execution/transfer-route.ts';
import { amountOf, lotsOf, type NetworkTerms, type TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainNode, PaymentLimits, PaymentOutcome, SignDigest } from '../../chains/node.ts';
import { numberIn, textIn, textMaybe } from '../data.ts';
import { candidatesIn, candidatesText } from './candidates.ts';
import { networkFee, paidFee } from './network-fee.ts';
import type { Payer, Payment, PaymentChange, PaymentTerms } from './payment.ts';

/** The used methods of a node. */
export type TransferNode = Pick<
  ChainNode,
  'balance' | 'fee' | 'limits' | 'tokens' | 'prepare' | 'send' | 'outcome' | 'transaction'
>;

/** A wallet of one token on one network, with its signer. */
export interface ChainWallet {
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly signer: ApprovalSigner;
}

/** A chain that takes any amount, and lets a wallet be emptied. */
const NO_LIMITS: PaymentLimits = { least: 1n, reserve: 0n };

const NONCE_DIGITS = 48;

/** Key of the prepared transactions in a transfer's data. */
const CANDIDATES = 'payCandidates';

/**
 * Pays out of an own wallet by a transaction that its owner signs. It is prepared and stored before it is
 * sent, and only the same bytes are ever sent again. One whose fee became too low, or that is proven to be
 * too late, gets a successor; all candidates of a payment together move its money once.
 */
export class ChainPayer implements Payer {
  readonly #node: TransferNode;
  readonly #wallet: ChainWallet;
  readonly #sign: NonNullable<ApprovalSigner['signTransfer']>;

  /** Throws `key-invalid` for a signer that signs no transfers. */
  constructor(node: TransferNode, wallet: ChainWallet) {
    const { signer } = wallet;
    if (signer.signTransfer === undefined) {
      const sentence = `The signer of ${signer.address} signs no transfers of its own.`;
      throw new MillraceError('key-invalid', sentence);
    }
    this.#node = node;
    this.#wallet = wallet;
    this.#sign = signer.signTransfer.bind(signer);
  }

  /**
   * All but a fee in the same asset arrives, down to the smallest unit of the token, and the chain's
   * minimum balance stays. Rejected if the wallet cannot pay both, and if the chain takes no such small
   * amount.
   */
  async terms(most: Decimal): Promise<PaymentTerms | Rejection> {
    const { token, network } = this.#wallet;
    const fee = await networkFee(this.#node, this.#wallet, 'payment');
    if (isRejection(fee)) return fee;
    const { least, reserve } = (await this.#node.limits?.(token.id)) ?? NO_LIMITS;
    const own = fee?.isIncluded === true ? fee.most : ZERO;
    const wanted = most.toDecimalPlaces(token.decimals, Decimal.ROUND_DOWN);
    const isKept = fee?.isIncluded === true && reserve > 0n;
    const leaves = isKept ? Decimal.min(wanted, await this.#beyond(reserve)) : wanted;
    const arrives = leaves.minus(own);
    if (arrives.lessThanOrEqualTo(0)) return nothing(most, token);
    const leastAmount = amountOf(least, token.decimals);
    if (arrives.lessThan(leastAmount)) return tooLittle(arrives, leastAmount, own, token);
    const durationUs = network.blockUs * Math.max(1, network.confirmations);
    return { arrives, leaves, durationUs, networkFee: fee };
  }

  /** The wallet's balance beyond what must stay. */
  async #beyond(reserve: bigint): Promise<Decimal> {
    const { token, signer } = this.#wallet;
    return amountOf((await this.#node.balance(token.id, signer.address)) - reserve, token.decimals);
  }

  next(payment: Payment, data: TransferData): Step | undefined {
    const candidates = candidatesIn(data, CANDIDATES);
    const sent = sentIn(data);
    const unsent = candidates[sent];
    if (unsent !== undefined) {
      const network = this.#wallet.network.code;
      return { name: 'payIn', data: { network, hash: unsent.id, raw: unsent.raw }, pays: true };
    }
    // A transfer of an older journal has the hash of what it sent, and no candidates.
    const isSent = sent > 0 || typeof data['payHash'] === 'string';
    if (isSent && !isToRaise(data, candidates.length)) return undefined;
    const { lots, memo = null, ...rest } = this.#transfer(payment);
    return { name: 'prepare', data: { ...rest, lots: `${lots}`, memo }, pays: false };
  }

  async perform(_: Payment, data: TransferData, step: Step): Promise<PaymentChange> {
    if (step.name === 'prepare') return this.#prepare(data, step);
    const sent = await this.#node.send(this.#wallet.network.code, textIn(step.data, 'raw'));
    if (!isRejection(sent)) return this.#sent(data, step);
    // An earlier candidate may still be the payment, or this one if it was sent before.
    if (sentIn(data) === 0 && (await this.#isUnseen(data))) {
      return { stage: 'refused', reason: sent.message };
    }
    return { ...this.#sent(data, step), reason: sent.message };
  }

  async recall(_: Payment, data: TransferData, step: Step): Promise<PaymentChange | 'undone'> {
    if (step.name === 'prepare') return 'undone';
    const candidates = candidatesIn(data, CANDIDATES);
    // A step of an older journal names the hash alone: what was sent cannot be sent again.
    if (candidates.length === 0) {
      const payHash = textIn(step.data, 'hash');
      return { ...(await this.#observeOld(payHash)), data: { payHash } };
    }
    const outcome = await this.#node.outcome(this.#wallet.network.code, candidates);
    // Unseen proves nothing, but all that follows from it is that the same bytes are sent again.
    return outcome.kind === 'unseen' ? 'undone' : this.#sent(data, step);
  }

  async observe(payment: Payment, data: TransferData): Promise<PaymentChange> {
    const candidates = candidatesIn(data, CANDIDATES);
    const { code } = this.#wallet.network;
    if (candidates.length === 0) return this.#observeOld(textIn(data, 'payHash'));
    const outcome = await this.#node.outcome(code, candidates);
    const last = candidates.at(-1);
    if (outcome.kind === 'unseen' && last !== undefined) await this.#node.send(code, last.raw);
    if (mayFollow(outcome, data, candidates.length)) {
      return { stage: 'sent', data: { payStuck: candidates.length } };
    }
    return { ...this.#changeBy(outcome, payment), paidFee: await this.#paid(outcome) };
  }

  async #isUnseen(data: TransferData): Promise<boolean> {
    const candidates = candidatesIn(data, CANDIDATES);
    const outcome = await this.#node.outcome(this.#wallet.network.code, candidates);
    return outcome.kind === 'unseen' || outcome.kind === 'dead';
  }

  /** Cost of a transaction in a block, before it is final too. */
  async #paid(outcome: PaymentOutcome): Promise<PaidFee | undefined> {
    const fee = 'fee' in outcome ? outcome.fee : undefined;
    return paidFee(this.#node, this.#wallet, 'payment', fee);
  }

  #changeBy(outcome: PaymentOutcome, { amount }: Payment): PaymentChange {
    switch (outcome.kind) {
      case 'made': {
        const { hash, lots } = outcome.transaction;
        const data = { payHash: hash };
        if (!outcome.isFinal) return { stage: 'sent', data };
        const { asset, decimals } = this.#wallet.token;
        const came = amountOf(lots, decimals);
        if (!came.lessThan(amount)) return { stage: 'arrived', data };
        const reason = `Of ${amount.toFixed()} ${asset} that were sent ${came.toFixed()} arrived.`;
        return { stage: 'arrived', data, reason };
      }
      case 'failed':
        return outcome.isFinal ? { stage: 'refused', reason: outcome.reason } : { stage: 'sent' };
      case 'dead':
        return { stage: 'refused', reason: outcome.reason };
      default:
        return { stage: 'sent' };
    }
  }

  async #observeOld(hash: string): Promise<PaymentChange> {
    const { code, confirmations } = this.#wallet.network;
    const found = await this.#node.transaction(code, hash);
    if (found === undefined) {
      const reason = `Transaction ${hash} on ${code} was begun by an older version, which did not keep it, and the node does not know it. It is not paid again: look at the chain, and end the transfer by hand.`;
      return { stage: 'sent', reason };
    }
    return { stage: found.confirmations >= confirmations ? 'arrived' : 'sent' };
  }

  async #prepare(data: TransferData, { data: order }: Step): Promise<PaymentChange> {
    const earlier = candidatesIn(data, CANDIDATES);
    const transfer = transferIn(order);
    const purpose = this.#purpose(transfer, earlier.length > 0);
    const sign: SignDigest = async (digest) => this.#sign(digest, purpose);
    const made = await unlessRefused(this.#node.prepare(transfer, sign, earlier));
    if (!isRejection(made)) {
      const stage = earlier.length === 0 ? 'begun' : 'sent';
      return { stage, data: { [CANDIDATES]: candidatesText([...earlier, made]) } };
    }
    if (earlier.length === 0) return { stage: 'refused', reason: made.message };
    return { stage: 'sent', data: { payRaised: earlier.length }, reason: made.message };
  }

  #purpose({ lots, to, from }: OwnTransfer, isRaised: boolean): string {
    const { network, token } = this.#wallet;
    const what = `send ${amountOf(lots, token.decimals).toFixed()} ${token.asset} of ${from} to ${to} on ${network.name}`;
    return isRaised ? `${what}, in place of one that pays too little` : what;
  }

  #sent(data: TransferData, step: Step): PaymentChange {
    const hash = textIn(step.data, 'hash');
    const at = candidatesIn(data, CANDIDATES).findIndex(({ id }) => id === hash);
    return { stage: 'sent', data: { payHash: hash, paySent: at + 1 } };
  }

  #transfer({ id, to, amount }: Payment): OwnTransfer {
    const { network, token, signer } = this.#wallet;
    const lots = lotsOf(amount, token.decimals);
    if (lots === undefined) {
      const sentence = `${amount.toFixed()} ${token.asset} is finer than its token.`;
      throw new MillraceError('off-grid', sentence, { field: 'amount' });
    }
    return {
      network: network.code,
      token: token.id,
      from: signer.address,
      to: to.address,
      lots,
      nonce: createHash('sha256').update(id).digest('hex').slice(0, NONCE_DIGITS),
      memo: to.memo,
    };
  }
}

/** A signer's rejection ends a payment like a node's: neither is repeated. */
export async function unlessRefused<T>(made: Promise<T>): Promise<T | Rejection> {
  try {
    return await made;
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'approval-refused') throw error;
    return { code: 'transfer-invalid', field: 'signature', message: error.message };
  }
}

/** The transfer of a step, as it was written down. */
function transferIn(data: TransferData): OwnTransfer {
  const memo = textMaybe(data, 'memo');
  return {
    network: textIn(data, 'network'),
    token: numberIn(data, 'token'),
    from: textIn(data, 'from'),
    to: textIn(data, 'to'),
    lots: BigInt(textIn(data, 'lots')),
    nonce: textIn(data, 'nonce'),
    memo,
  };
}

/** How many of the candidates were sent. */
const sentIn = (data: TransferData): number =>
  typeof data['paySent'] === 'number' ? data['paySent'] : 0;

/** True if another candidate may be prepared: the fee was too low, or all are dead and too late. */
const mayFollow = (outcome: PaymentOutcome, data: TransferData, count: number): boolean =>
  outcome.kind === 'stuck' ||
  (outcome.kind === 'dead' && outcome.mayFollow === true && data['payRaised'] !== count);

/** True if all of them are stuck, and their fee can be raised as far as is known. */
const isToRaise = (data: TransferData, count: number): boolean =>
  data['payStuck'] === count && data['payRaised'] !== count;

const tooLittle = (
  arrives: Decimal,
  least: Decimal,
  fee: Decimal,
  { asset, network }: TokenTerms,
): Rejection => ({
  code: 'amount-below-minimum',
  field: 'amount',
  message: `${arrives.toFixed()} ${asset} would arrive on ${network}, which takes no payment below ${least.toFixed()}.`,
  limit: least.plus(fee).toFixed(),
});

const nothing = (amount: Decimal, { asset, network }: TokenTerms): Rejection => ({
  code: 'amount-invalid',
  message: `${amount.toFixed()} ${asset} on ${network} is nothing that could be sent.`,
});
