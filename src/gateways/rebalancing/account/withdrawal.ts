import type { Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { US_PER_MINUTE } from '../../../platform/time.ts';
import type {
  TransferChange,
  TransferRecord,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import { decimalIn } from '../data.ts';
import { changeOfTransfer, ifChanged, paymentOf } from '../payments/of-transfer.ts';
import type { PayAddress, Payer, PaymentChange } from '../payments/payment.ts';
import type { AccountPath, PathOffer } from './path.ts';

/** How long the fees of a network are relied upon. */
const VALID_US = US_PER_MINUTE;

/** From the account to an own wallet on a chain. */
export class WithdrawalPath implements AccountPath {
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  readonly #payer: Payer;
  readonly #wallet: PayAddress;

  constructor(from: HoldingKey, to: HoldingKey, payer: Payer, wallet: PayAddress) {
    this.from = from;
    this.to = to;
    this.#payer = payer;
    this.#wallet = wallet;
  }

  async offer(send: Decimal): Promise<PathOffer | Rejection> {
    const terms = await this.#payer.terms(send);
    if (isRejection(terms)) return terms;
    const { arrives, leaves, durationUs } = terms;
    const { address, memo } = this.#wallet;
    return {
      send: leaves,
      least: arrives,
      expected: arrives,
      validUs: VALID_US,
      durationUs,
      terms: { amount: arrives.toFixed(), address, memo: memo ?? null },
    };
  }

  next(transfer: TransferRecord): Step | undefined {
    return this.#payer.next(paymentOf(transfer), transfer.data);
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    return changeOf(transfer, await this.#payer.perform(paymentOf(transfer), transfer.data, step));
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    const change = await this.#payer.recall(paymentOf(transfer), transfer.data, step);
    return change === 'undone' ? change : changeOf(transfer, change);
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    if (this.next(transfer) !== undefined) return undefined;
    const change = await this.#payer.observe(paymentOf(transfer), transfer.data);
    return ifChanged(transfer, changeOf(transfer, change));
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'fulfilled',
} as const;

function changeOf(transfer: TransferRecord, payment: PaymentChange): TransferChange {
  const change = changeOfTransfer(transfer, STATES, payment);
  // The fee was added on top.
  const arrived = { arrived: decimalIn(transfer.data, 'amount') };
  return change.state === 'fulfilled' ? { ...change, ...arrived } : change;
}
