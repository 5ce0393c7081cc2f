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
  { stage, data, reason }: PaymentChange,
): MoveChange {
  const known = {
    data,
    reason,
  };
  switch (stage) {
    case 'begun':
      return { ...known, state: move.state };
    case 'void':
      return { ...known, state: 'expired' };
    case 'refused':
      return { ...known, state: 'failed' };
    case 'returned':
      return { ...known, state: 'refunded', refunded: move.send };
    default:
      return { ...known, state: states[stage] };
  }
}

/** A change, or nothing where the move is like that already. */
export function ifChanged(move: MoveRecord, change: MoveChange): MoveChange | undefined {
  const { state, data = {}, reason } = change;
  const known = Object.entries(data).every(([key, value]) => move.data[key] === value);
  return state === move.state && known && reason === move.reason ? undefined : change;
}
