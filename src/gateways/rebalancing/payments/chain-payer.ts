import { createHash } from 'node:crypto';
import { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import {
  transferDigest,
  transferHash,
  type OwnTransfer,
} from '../../../swaps/chains/signed-transfer.ts';
import type { CarrierData, Step } from '../../../swaps/execution/carrier.ts';
import { lotsOf, type NetworkTerms, type TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainNode } from '../../chains/node.ts';
import { numberIn, textIn, textMaybe } from '../data.ts';
import type { Payer, Payment, PaymentChange, PaymentTerms } from './payment.ts';

/** What is asked of a node of a chain. */
export type TransferNode = Pick<ChainNode, 'send' | 'transaction'>;

/** A wallet of one token on one network, and who signs for it. */
export interface ChainWallet {
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly signer: ApprovalSigner;
}

const NONCE_DIGITS = 48;

/**
 * Pays out of an own wallet by a transfer that its owner signs. Its nonce is made of the id of the
 * move, so that hash and transfer are known before anything is sent: a node tells by the hash
 * whether it was made, and one that is sent twice moves its money once.
 */
export class ChainPayer implements Payer {
  readonly #node: TransferNode;
  readonly #wallet: ChainWallet;

  /** Throws `key-invalid` for a signer that signs no transfers. */
  constructor(node: TransferNode, wallet: ChainWallet) {
    if (wallet.signer.signTransfer === undefined) {
      const sentence = `The signer of ${wallet.signer.address} signs no transfers of its own.`;
      throw new MillraceError('key-invalid', sentence);
    }
    this.#node = node;
    this.#wallet = wallet;
  }

  /** All of it arrives, down to the smallest unit of the token; simulated chains ask for no fee. */
  terms(most: Decimal): Promise<PaymentTerms | Rejection> {
    const { token, network } = this.#wallet;
    const arrives = most.toDecimalPlaces(token.decimals, Decimal.ROUND_DOWN);
    if (arrives.lessThanOrEqualTo(0)) return Promise.resolve(nothing(most, token));
    const durationUs = network.blockUs * Math.max(1, network.confirmations);
    return Promise.resolve({ arrives, leaves: arrives, durationUs });
  }

  next(payment: Payment, data: CarrierData): Step | undefined {
    if (typeof data['payHash'] === 'string') return undefined;
    const transfer = this.#transfer(payment);
    const { lots, memo = null, ...rest } = transfer;
    const hash = transferHash(this.#wallet.network.family, transfer);
    return { name: 'payIn', data: { ...rest, lots: `${lots}`, memo, hash }, pays: true };
  }

  async perform(_: Payment, __: CarrierData, { data }: Step): Promise<PaymentChange> {
    const transfer = transferIn(data);
    const { signer } = this.#wallet;
    const signature = await signer.signTransfer?.(transferDigest(transfer));
    if (signature === undefined) return { stage: 'refused', reason: 'There is no signature.' };
    const sent = await this.#node.send({ ...transfer, signature });
    if (isRejection(sent)) return { stage: 'refused', reason: sent.message };
    return { stage: 'sent', data: { payHash: sent.hash } };
  }

  async recall(_: Payment, __: CarrierData, { data }: Step): Promise<PaymentChange | 'undone'> {
    const hash = textIn(data, 'hash');
    const found = await this.#node.transaction(this.#wallet.network.code, hash);
    return found === undefined ? 'undone' : { stage: 'sent', data: { payHash: hash } };
  }

  async observe(_: Payment, data: CarrierData): Promise<PaymentChange> {
    const { code, confirmations } = this.#wallet.network;
    const found = await this.#node.transaction(code, textIn(data, 'payHash'));
    const isThere = found !== undefined && found.confirmations >= confirmations;
    return { stage: isThere ? 'arrived' : 'sent' };
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

/** The transfer of a step, as it was written down. */
function transferIn(data: CarrierData): OwnTransfer {
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

const nothing = (amount: Decimal, { asset, network }: TokenTerms): Rejection => ({
  code: 'amount-invalid',
  message: `${amount.toFixed()} ${asset} on ${network} is nothing that could be sent.`,
});
