import type { Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { US_PER_MINUTE } from '../../../platform/time.ts';
import type { MoveChange, MoveRecord, Step } from '../../../swaps/execution/carrier.ts';
import { decimalIn } from '../data.ts';
import { changeOfMove, ifChanged, paymentOf } from '../payments/of-move.ts';
import type { PayAddress, Payer, PaymentChange } from '../payments/payment.ts';
import type { Route, RouteOffer } from './route.ts';

/** What the fees of a network are relied upon for. */
const VALID_US = US_PER_MINUTE;

/** From the account to an own wallet on a chain. */
export class WithdrawalRoute implements Route {
  readonly from: Slot;
  readonly to: Slot;
  readonly #payer: Payer;
  readonly #wallet: PayAddress;

  constructor(from: Slot, to: Slot, payer: Payer, wallet: PayAddress) {
    this.from = from;
    this.to = to;
    this.#payer = payer;
    this.#wallet = wallet;
  }

  async offer(send: Decimal): Promise<RouteOffer | Rejection> {
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

  next(move: MoveRecord): Step | undefined {
    return this.#payer.next(paymentOf(move), move.data);
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    return changeOf(move, await this.#payer.perform(paymentOf(move), move.data, step));
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    const change = await this.#payer.recall(paymentOf(move), move.data, step);
    return change === 'undone' ? change : changeOf(move, change);
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    if (this.next(move) !== undefined) return undefined;
    const change = await this.#payer.observe(paymentOf(move), move.data);
    return ifChanged(move, changeOf(move, change));
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'fulfilled',
} as const;

function changeOf(move: MoveRecord, payment: PaymentChange): MoveChange {
  const change = changeOfMove(move, STATES, payment);
  // The fee was on top of it.
  const arrived = { arrived: decimalIn(move.data, 'amount') };
  return change.state === 'fulfilled' ? { ...change, ...arrived } : change;
}
