import type { Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { US_PER_MINUTE } from '../../../platform/time.ts';
import type {
  TransferChange,
  TransferRecord,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import { textMaybe } from '../data.ts';
import { changeOfTransfer, ifChanged, paymentOf } from '../payments/of-transfer.ts';
import type { PayAddress, Payer } from '../payments/payment.ts';
import { Funds, type Balance } from './funds.ts';
import { FinalLeg } from './final-leg.ts';
import type { AccountPath, PathOffer } from './path.ts';
import { findMovement, noOffer, type AccountService } from './service.ts';
import type { AccountCoin } from './withdrawing.ts';

/** How long the address and the fee of a deposit are relied upon. */
const VALID_US = 10 * US_PER_MINUTE;
/** Usual time until a deposit is confirmed. */
const CONFIRMING_US = 2 * US_PER_MINUTE;

/**
 * From an own wallet on a chain to the account: a transfer to its deposit address, found among its deposits
 * by the hash of the transfer.
 */
export class DepositPath implements AccountPath {
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  readonly #rest: AccountService;
  readonly #coin: AccountCoin;
  readonly #payer: Payer;
  readonly #finalLeg: FinalLeg;

  constructor(
    from: HoldingKey,
    to: HoldingKey,
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

  async offer(send: Decimal): Promise<PathOffer | Rejection> {
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

  next(transfer: TransferRecord): Step | undefined {
    return this.#finalLeg.next(transfer) ?? this.#payer.next(paymentOf(transfer), transfer.data);
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    if (step.name === 'bringHome') return this.#finalLeg.perform(transfer);
    return changeOfTransfer(
      transfer,
      STATES,
      await this.#payer.perform(paymentOf(transfer), transfer.data, step),
    );
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    if (step.name === 'bringHome') return this.#finalLeg.recall(transfer);
    const change = await this.#payer.recall(paymentOf(transfer), transfer.data, step);
    return change === 'undone' ? change : changeOfTransfer(transfer, STATES, change);
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    if (this.next(transfer) !== undefined) return undefined;
    const payment = await this.#payer.observe(paymentOf(transfer), transfer.data);
    if (payment.stage !== 'sent' && payment.stage !== 'arrived') {
      return ifChanged(transfer, changeOfTransfer(transfer, STATES, payment));
    }
    const hash = textMaybe({ ...transfer.data, ...payment.data }, 'payHash');
    const found = await findMovement(
      this.#rest,
      { type: 'DEPOSIT', currency: this.#coin.currency, since: transfer.createdAt },
      ({ native }) => hash !== undefined && native?.hash === hash,
    );
    const paid = changeOfTransfer(transfer, STATES, payment);
    if (found?.native === undefined) return ifChanged(transfer, paid);
    const { sent, paidFee } = paid;
    const { status, native, updated_at } = found;
    const data = { ...payment.data, deposit: native.tx_id };
    if (status === 'SUCCESS') {
      const credited = native.fee === undefined ? native.amount : native.amount.minus(native.fee);
      return { ...this.#finalLeg.arrived(credited, data, updated_at), sent, paidFee };
    }
    const deposited = { state: 'deposited', data, sent, paidFee } as const;
    return ifChanged(
      transfer,
      status === 'FAILED' ? { ...deposited, reason: GIVEN_UP } : deposited,
    );
  }

  /** The latest deposit address; the service makes the first one on request. */
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
