import type { Decimal } from '../../../model/decimal.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../platform/time.ts';
import type { TransferData, Step } from '../../../swaps/execution/transfer-route.ts';
import { decimalIn, textIn, textMaybe } from '../data.ts';
import type { Payer, Payment, PaymentChange, PaymentTerms } from '../payments/payment.ts';
import { Funds } from './funds.ts';
import {
  findMovement,
  floorTo,
  noOffer,
  rejectionIn,
  type AccountService,
  type WalletRow,
} from './service.ts';

/** A currency of the account on a network: what can be withdrawn together. */
export interface AccountCoin {
  /** Its code at the trading service. */
  readonly currency: string;
  /** The code of the network there. */
  readonly network: string;
}

/** Usual time of a withdrawal if its network does not report it. */
const DEFAULT_US = 2 * US_PER_MINUTE;
/** How often funds taken by others in between are gathered again. */
const GATHERINGS_MAX = 3;

/**
 * Pays by withdrawals in two phases. The first one reserves the money and reports the cost; it carries the
 * id of the transfer as its comment, by which it is found if its answer was lost. One that arrives late,
 * when another was made already, is never committed and lapses within the hour. A commit may be repeated
 * without effect.
 */
export class AccountPayer implements Payer {
  readonly #rest: AccountService;
  readonly #coin: AccountCoin;
  readonly #funds: Funds;

  constructor(rest: AccountService, coin: AccountCoin) {
    this.#rest = rest;
    this.#coin = coin;
    this.#funds = new Funds(rest);
  }

  async terms(most: Decimal): Promise<PaymentTerms | Rejection> {
    const { currency, network } = this.#coin;
    try {
      const [{ payout_enabled, networks }, { fee }] = await Promise.all([
        this.#rest.getCurrency({ currency }),
        this.#rest.estimateFee({ currency, amount: most, network_code: network }),
      ]);
      const terms = networks.find((each) => each.network === network);
      if (terms === undefined) {
        return { code: 'network-unknown', message: `${currency} has no network ${network}.` };
      }
      if (!payout_enabled || !terms.payout_enabled) return closed(this.#coin);
      const arrives = floorTo(most.minus(fee), terms.precision_payout);
      if (arrives.lessThanOrEqualTo(0)) return belowFee(currency, most, fee);
      const { avg_processing_time: seconds } = terms;
      const durationUs =
        seconds === undefined ? DEFAULT_US : Math.ceil(seconds.toNumber() * US_PER_SECOND);
      return { arrives, leaves: arrives.plus(fee), durationUs };
    } catch (error) {
      return noOffer(error);
    }
  }

  next({ id, to, amount, most }: Payment, data: TransferData): Step | undefined {
    const { currency, network } = this.#coin;
    if (data['gathered'] !== true) {
      const wanted = { currency, amount: most.toFixed() };
      return { name: 'gather', data: wanted, pays: false };
    }
    const withdrawal = textMaybe(data, 'withdrawal');
    if (withdrawal === undefined) {
      const request = {
        currency,
        network,
        amount: amount.toFixed(),
        address: to.address,
        memo: to.memo ?? null,
        reference: referenceOf(id),
      };
      // Reserved funds are still here until the commit.
      return { name: 'withdraw', data: request, pays: false };
    }
    if (data['letGo'] === true) return undefined;
    return { name: 'commit', data: { withdrawal }, pays: true };
  }

  async perform(payment: Payment, data: TransferData, step: Step): Promise<PaymentChange> {
    switch (step.name) {
      case 'gather':
        return this.#gather(payment, step, data);
      case 'withdraw':
        return this.#withdraw(step, data);
      default:
        return this.#commit(payment, textIn(step.data, 'withdrawal'));
    }
  }

  async recall(payment: Payment, _: TransferData, step: Step): Promise<PaymentChange | 'undone'> {
    const { currency } = this.#coin;
    if (step.name === 'gather') {
      const there = await this.#funds.has('wallet', currency, decimalIn(step.data, 'amount'));
      return there ? GATHERED : 'undone';
    }
    if (step.name === 'withdraw') {
      const row = await this.#waiting(payment, decimalIn(step.data, 'amount'));
      return row?.native === undefined ? 'undone' : prepared(row.native.tx_id);
    }
    const row = await this.#row(textIn(step.data, 'withdrawal'));
    return row.status === 'CREATED' ? 'undone' : changeOf(row);
  }

  async observe(_: Payment, data: TransferData): Promise<PaymentChange> {
    return changeOf(await this.#row(textIn(data, 'withdrawal')));
  }

  async #gather(payment: Payment, step: Step, data: TransferData): Promise<PaymentChange> {
    const { currency } = this.#coin;
    const amount = decimalIn(step.data, 'amount');
    let rejection = await this.#funds.gather('wallet', currency, amount);
    if (rejection?.code === 'funds-insufficient' && (await this.#releaseReservation(payment))) {
      rejection = await this.#funds.gather('wallet', currency, amount);
    }
    if (rejection !== undefined) return refused(rejection);
    const count = Number(data['gatherings'] ?? 0) + 1;
    return { ...GATHERED, data: { ...GATHERED.data, gatherings: count } };
  }

  /** Releases the reservation of an earlier offer for the same transfer; true if there was one. */
  async #releaseReservation(payment: Payment): Promise<boolean> {
    const row = await this.#waiting(payment);
    if (row?.native === undefined) return false;
    await this.#rest.rollBackWithdrawal({ id: row.native.tx_id });
    return true;
  }

  async #withdraw(step: Step, data: TransferData): Promise<PaymentChange> {
    const memo = textMaybe(step.data, 'memo');
    try {
      const { id } = await this.#rest.withdraw({
        currency: textIn(step.data, 'currency'),
        network_code: textIn(step.data, 'network'),
        amount: textIn(step.data, 'amount'),
        address: textIn(step.data, 'address'),
        ...(memo === undefined ? {} : { payment_id: memo }),
        public_comment: textIn(step.data, 'reference'),
        include_fee: false,
        auto_commit: false,
        use_offchain: 'never',
      });
      return prepared(id);
    } catch (error) {
      const rejection = rejectionIn(error);
      const again = Number(data['gatherings'] ?? 0) < GATHERINGS_MAX;
      // Somebody else took the gathered funds.
      if (rejection.code === 'funds-insufficient' && again) return SCATTERED;
      return refused(rejection);
    }
  }

  /** The uncommitted withdrawal of a payment, of that amount if one is given. */
  async #waiting({ id, since }: Payment, amount?: Decimal): Promise<WalletRow | undefined> {
    const reference = referenceOf(id);
    return findMovement(
      this.#rest,
      { type: 'WITHDRAW', currency: this.#coin.currency, since },
      ({ status, native }) =>
        status === 'CREATED' &&
        native?.public_comment === reference &&
        (amount === undefined || native.amount.equals(amount)),
    );
  }

  /** Commits a withdrawal if it is as agreed, and cancels it if not. */
  async #commit(payment: Payment, id: string): Promise<PaymentChange> {
    const row = await this.#row(id);
    if (row.status !== 'CREATED') return changeOf(row);
    const wrong = disagreement(payment, row);
    try {
      if (wrong === undefined) await this.#rest.commitWithdrawal({ id });
      else await this.#rest.rollBackWithdrawal({ id });
    } catch (error) {
      const rejection = rejectionIn(error);
      // Its hour may have ended in between.
      const now = await this.#row(id);
      return now.status === 'CREATED' ? refused(rejection) : changeOf(now);
    }
    if (wrong === undefined) return { stage: 'committed', data: { letGo: true } };
    return { stage: 'void', reason: wrong };
  }

  async #row(tx_id: string): Promise<WalletRow> {
    return this.#rest.getTransaction({ tx_id });
  }
}

/** Reference of a withdrawal; its comment reveals nothing. */
const referenceOf = (transfer: string): string => `millrace ${transfer}`;

const GATHERED = { stage: 'begun', data: { gathered: true } } as const;

const SCATTERED = { stage: 'begun', data: { gathered: false } } as const;

const prepared = (id: string): PaymentChange => ({
  stage: 'prepared',
  data: { withdrawal: id },
});

const refused = ({ message }: Rejection): PaymentChange => ({ stage: 'refused', reason: message });

/** Difference of a withdrawal from the agreement, as a sentence. */
function disagreement({ amount, most }: Payment, { native }: WalletRow): string | undefined {
  if (native === undefined) return 'The service does not tell what it would withdraw.';
  const { amount: sent, fee } = native;
  if (!sent.equals(amount)) return `${sent.toFixed()} would be sent, and not ${amount.toFixed()}.`;
  const total = fee === undefined ? sent : sent.plus(fee);
  if (total.lessThanOrEqualTo(most)) return undefined;
  return `The withdrawal would cost ${total.toFixed()} with its fee, and may ${most.toFixed()}.`;
}

/** Meaning of the service's status of a withdrawal. */
function changeOf({ status, native }: WalletRow): PaymentChange {
  const hash = native?.hash;
  const known = { letGo: true, ...(hash === undefined ? {} : { payHash: hash }) };
  switch (status) {
    case 'CREATED':
      return { stage: 'prepared' };
    case 'PENDING':
      return { stage: hash === undefined ? 'committed' : 'sent', data: known };
    case 'SUCCESS':
      return { stage: 'arrived', data: known };
    case 'ROLLED_BACK':
      return {
        stage: 'void',
        reason: 'The withdrawal was not let go in time, or was rolled back.',
      };
    case 'FAILED': {
      const why = native?.error_code;
      const reason = `The withdrawal failed${why === undefined ? '' : ` with ${why}`}; its money is back.`;
      return { stage: 'returned', data: known, reason };
    }
  }
}

const closed = ({ currency, network }: AccountCoin): Rejection => ({
  code: 'withdrawal-unavailable',
  message: `Withdrawals of ${currency} by ${network} are switched off.`,
});

const belowFee = (currency: string, amount: Decimal, fee: Decimal): Rejection => ({
  code: 'amount-below-fee',
  message: `Of ${amount.toFixed()} ${currency} the fee of ${fee.toFixed()} leaves nothing.`,
  limit: fee.toFixed(),
});
