import type { TransferState } from '../../../model/portfolio.ts';
import type { TransferChange, TransferRecord } from '../../../swaps/execution/transfer-route.ts';
import { decimalIn, textIn, textMaybe } from '../data.ts';
import type { Payment, PaymentChange, PaymentStage } from './payment.ts';

/** The payment of a transfer: amount and address are in its data. */
export function paymentOf({ id, data, send, createdAt }: TransferRecord): Payment {
  const memo = textMaybe(data, 'memo');
  const to = { address: textIn(data, 'address'), memo };
  return { id, to, amount: decimalIn(data, 'amount'), most: send, since: createdAt };
}

/** The states of a transfer for the progress of its payment; the others follow from its kind. */
export type StatesOfPayment = Readonly<
  Record<Extract<PaymentStage, 'prepared' | 'committed' | 'sent' | 'arrived'>, TransferState>
>;

/** Effect of a payment's change on its transfer. */
export function changeOfTransfer(
  transfer: TransferRecord,
  states: StatesOfPayment,
  { stage, data, paidFee, reason }: PaymentChange,
): TransferChange {
  const known = { data, paidFee, reason };
  const own = paidFee?.isIncluded === true ? paidFee.amount : undefined;
  switch (stage) {
    case 'begun':
      return { ...known, state: transfer.state };
    case 'void':
      return { ...known, state: 'expired' };
    case 'refused':
      // A transaction that failed has paid its fee.
      return { ...known, state: 'failed', ...(own !== undefined && { refunded: transfer.send.minus(own) }) }; // prettier-ignore
    case 'returned':
      return { ...known, state: 'refunded', refunded: transfer.send };
    default: {
      // The most of the fee was set aside; what it did not cost is still there.
      const sent = own === undefined ? undefined : decimalIn(transfer.data, 'amount').plus(own);
      return { ...known, state: states[stage], ...(sent !== undefined && { sent }) };
    }
  }
}

/** A change, or nothing if the transfer is like that already. */
export function ifChanged(
  transfer: TransferRecord,
  change: TransferChange,
): TransferChange | undefined {
  const { state, data = {}, paidFee, reason } = change;
  const known = Object.entries(data).every(([key, value]) => transfer.data[key] === value);
  const isPaid = paidFee === undefined || transfer.paidFee?.amount.equals(paidFee.amount) === true;
  return state === transfer.state && known && isPaid && reason === transfer.reason
    ? undefined
    : change;
}
