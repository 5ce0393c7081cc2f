import type { Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { US_PER_MINUTE } from '../../../platform/time.ts';
import type { MoveChange, MoveRecord, Step } from '../../../swaps/execution/carrier.ts';
import { textMaybe } from '../data.ts';
import { changeOfMove, ifChanged, paymentOf } from '../payments/of-move.ts';
import type { PayAddress, Payer } from '../payments/payment.ts';
import { Funds, type Balance } from './funds.ts';
import { FinalLeg } from './final-leg.ts';
import type { Route, RouteOffer } from './route.ts';
import { findMovement, noOffer, type AccountService } from './service.ts';
import type { AccountCoin } from './withdrawing.ts';

/** How long the address and the fee of a deposit are relied upon. */
const VALID_US = 10 * US_PER_MINUTE;
/** How long a deposit takes to be confirmed. */
const CONFIRMING_US = 2 * US_PER_MINUTE;

/**
 * From an own wallet on a chain to the account: a transfer to its deposit address, found among its
 * deposits by the hash of the transfer.
 */
export class DepositRoute implements Route {
  readonly from: Slot;
  readonly to: Slot;
  readonly #rest: AccountService;
  readonly #coin: AccountCoin;
  readonly #payer: Payer;
  readonly #finalLeg: FinalLeg;

  constructor(
    from: Slot,
    to: Slot,
    rest: AccountService,
    coin: AccountCoin,
    payer: Payer,
    home: Balance,
  ) {
    this.from = from;
    this.to = to;
    this.#rest = rest;
    this.#coin = coin;
    this.#payer = payer;
    this.#finalLeg = new FinalLeg(new Funds(rest), coin.currency, 'wallet', home);
  }

  async offer(send: Decimal): Promise<RouteOffer | Rejection> {
    const { currency, network } = this.#coin;
    const terms = await this.#payer.terms(send);
    if (isRejection(terms)) return terms;
    try {
      const [to, { fee }] = await Promise.all([
        this.#address(),
        this.#rest.estimateDepositFee({
          currency,
          amount: terms.arrives,
          network_code: network,
        }),
      ]);
      const credited = terms.arrives.minus(fee);
      if (to === undefined || credited.lessThanOrEqualTo(0)) return unavailable(this.#coin);
      return {
        send: terms.leaves,
        least: credited,
        expected: credited,
        validUs: VALID_US,
        durationUs: terms.durationUs + CONFIRMING_US,
        networkFee: terms.networkFee,
        terms: { amount: terms.arrives.toFixed(), address: to.address, memo: to.memo ?? null },
      };
    } catch (error) {
      return noOffer(error);
    }
  }

  next(move: MoveRecord): Step | undefined {
    return this.#finalLeg.next(move) ?? this.#payer.next(paymentOf(move), move.data);
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    if (step.name === 'bringHome') return this.#finalLeg.perform(move);
    return changeOfMove(move, STATES, await this.#payer.perform(paymentOf(move), move.data, step));
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    if (step.name === 'bringHome') return this.#finalLeg.recall(move);
    const change = await this.#payer.recall(paymentOf(move), move.data, step);
    return change === 'undone' ? change : changeOfMove(move, STATES, change);
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    if (this.next(move) !== undefined) return undefined;
    const payment = await this.#payer.observe(paymentOf(move), move.data);
    if (payment.stage !== 'sent' && payment.stage !== 'arrived') {
      return ifChanged(move, changeOfMove(move, STATES, payment));
    }
    const hash = textMaybe({ ...move.data, ...payment.data }, 'payHash');
    const found = await findMovement(
      this.#rest,
      { type: 'DEPOSIT', currency: this.#coin.currency, since: move.createdAt },
      ({ native }) => hash !== undefined && native?.hash === hash,
    );
    const paid = changeOfMove(move, STATES, payment);
    if (found?.native === undefined) return ifChanged(move, paid);
    const { sent, paidFee } = paid;
    const { status, native, updated_at } = found;
    const data = { ...payment.data, deposit: native.tx_id };
    if (status === 'SUCCESS') {
      const credited = native.fee === undefined ? native.amount : native.amount.minus(native.fee);
      return { ...this.#finalLeg.arrived(credited, data, updated_at), sent, paidFee };
    }
    const deposited = { state: 'deposited', data, sent, paidFee } as const;
    return ifChanged(move, status === 'FAILED' ? { ...deposited, reason: GIVEN_UP } : deposited);
  }

  /** The latest deposit address; the service makes the first one when it is asked for. */
  async #address(): Promise<PayAddress | undefined> {
    const { currency, network } = this.#coin;
    const [latest] = await this.#rest.getAddresses({ currency, network_code: network });
    if (latest === undefined) return undefined;
    const { address, payment_id: memo } = latest;
    return { address, memo };
  }
}

/** The money has left and is not credited: no end, as only its owner can have it found. */
const GIVEN_UP = 'The trading service has given the deposit up: ask its support for the money.';

const unavailable = ({ currency, network }: AccountCoin): Rejection => ({
  code: 'deposit-unavailable',
  message: `There is nothing to be had by a deposit of ${currency} by ${network}.`,
});

const STATES = {
  prepared: 'approved',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'deposited',
} as const;
