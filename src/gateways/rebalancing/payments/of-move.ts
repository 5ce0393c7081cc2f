import type { MoveState } from '../../../model/portfolio.ts';
import type { MoveChange, MoveRecord } from '../../../swaps/execution/carrier.ts';
import { decimalIn, textIn, textMaybe } from '../data.ts';
import type { Payment, PaymentChange, PaymentStage } from './payment.ts';

/** The payment that a move makes: its data says how much goes where. */
export function paymentOf({ id, data, send, createdAt }: MoveRecord): Payment {
  const memo = textMaybe(data, 'memo');
  const to = { address: textIn(data, 'address'), memo };
  return { id, to, amount: decimalIn(data, 'amount'), most: send, since: createdAt };
}

/** The states of a move that say how far its payment is; the others follow from what it is. */
export type StatesOfPayment = Readonly<
  Record<Extract<PaymentStage, 'prepared' | 'committed' | 'sent' | 'arrived'>, MoveState>
>;

/** What a change of its payment means for a move. */
export function changeOfMove(
  move: MoveRecord,
  states: StatesOfPayment,
  { stage, data, paidFee, reason }: PaymentChange,
): MoveChange {
  const known = { data, paidFee, reason };
  const own = paidFee?.isIncluded === true ? paidFee.amount : undefined;
  switch (stage) {
    case 'begun':
      return { ...known, state: move.state };
    case 'void':
      return { ...known, state: 'expired' };
    case 'refused':
      // A transaction that failed has paid its fee.
      return { ...known, state: 'failed', ...(own !== undefined && { refunded: move.send.minus(own) }) }; // prettier-ignore
    case 'returned':
      return { ...known, state: 'refunded', refunded: move.send };
    default: {
      // The most of the fee was set aside; what it did not cost is still there.
      const sent = own === undefined ? undefined : decimalIn(move.data, 'amount').plus(own);
      return { ...known, state: states[stage], ...(sent !== undefined && { sent }) };
    }
  }
}

/** A change, or nothing where the move is like that already. */
export function ifChanged(move: MoveRecord, change: MoveChange): MoveChange | undefined {
  const { state, data = {}, paidFee, reason } = change;
  const known = Object.entries(data).every(([key, value]) => move.data[key] === value);
  const isPaid = paidFee === undefined || move.paidFee?.amount.equals(paidFee.amount) === true;
  return state === move.state && known && isPaid && reason === move.reason ? undefined : change;
}
