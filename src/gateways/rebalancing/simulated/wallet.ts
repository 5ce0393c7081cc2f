import { AVAILABLE } from '../../../exchange/ledger/balances.ts';
import { HOUSE } from '../../../exchange/ledger/ledger.ts';
import { Exchange } from '../../../exchange/exchange.ts';
import type { AddressMaker } from '../../../exchange/wallet/addresses.ts';
import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import type { CurrencyTerms } from '../../../model/currency.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, type Micros } from '../../../platform/time.ts';
import type { LinkedTrading } from '../../../swaps/chains/wallet-link.ts';

const nothing = (): void => undefined;

/**
 * The wallet of the trading service: an exchange without symbols, whose spot balances are those of the run,
 * so that deposits and withdrawals pass through.
 */
export class SimulatedWallet implements LinkedTrading {
  readonly exchange: Exchange;
  readonly scheduler: Scheduler;
  readonly news = {
    followTransactions: (listener: (transaction: Transaction) => void): Cancel => {
      this.#followers.add(listener);
      return () => this.#followers.delete(listener);
    },
  };
  readonly account: number;
  readonly #followers = new Set<(transaction: Transaction) => void>();
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelWake: Cancel = () => undefined;

  constructor(
    currencies: readonly CurrencyTerms[],
    depositAddress: AddressMaker,
    scheduler: Scheduler,
  ) {
    this.scheduler = scheduler;
    this.exchange = new Exchange({
      instruments: [],
      listener: {
        // It has no orders, and balances are only read on request.
        order: nothing,
        fill: nothing,
        balance: nothing,
        transaction: (transaction) => {
          for (const follower of this.#followers) follower(transaction);
        },
      },
      options: { currencies, depositAddress },
    });
    this.account = this.exchange.openAccount();
  }

  /** Executes `act` once everything due by now has happened. */
  act<T>(act: (exchange: Exchange, at: Micros) => T): T {
    const at = this.scheduler.now();
    this.exchange.advance(at);
    const outcome = act(this.exchange, at);
    this.#watch();
    return outcome;
  }

  /** Adds a payment of the run's account. */
  deposit(currency: string, amount: Decimal): Rejection | undefined {
    this.exchange.deposit(this.account, currency, amount);
    return this.#transfer(currency, amount, 'spot', 'wallet');
  }

  /** Removes an amount that the run's account receives. */
  takeOut(currency: string, amount: Decimal): Rejection | undefined {
    const rejection = this.#transfer(currency, amount, 'wallet', 'spot');
    if (rejection !== undefined) return rejection;
    const { ledger } = this.exchange;
    const index = ledger.currency(currency);
    ledger.balances[index].change(this.account, AVAILABLE, amount.negated());
    return undefined;
  }

  /** Amount that can be withdrawn or moved back. */
  available(currency: string): Decimal {
    const balance = this.exchange.wallet.balance(this.account, currency);
    return isRejection(balance) ? ZERO : balance.available;
  }

  /** Amount of the account here: an amount on its chain has left already. */
  owned(currency: string): Decimal {
    const balance = this.exchange.wallet.balance(this.account, currency);
    if (isRejection(balance)) return ZERO;
    const query = {
      currencies: [currency],
      types: ['WITHDRAW'],
      statuses: ['PENDING'],
      limit: 1_000,
    } as const;
    const pending = this.exchange.wallet.transactions(this.account, query);
    const sent = isRejection(pending) ? [] : pending.filter(({ hash }) => hash !== undefined);
    return sent.reduce((sum, { amount }) => sum.minus(amount), balance.available.plus(balance.reserved)); // prettier-ignore
  }

  /** Earnings of the service. */
  earned(currency: string): Decimal {
    const balance = this.exchange.wallet.balance(HOUSE, currency);
    return isRejection(balance) ? ZERO : balance.available;
  }

  close(): void {
    this.#cancelWake();
    this.#wakeAt = Number.POSITIVE_INFINITY;
  }

  #transfer(
    currency: string,
    amount: Decimal,
    source: 'spot' | 'wallet',
    destination: 'spot' | 'wallet',
  ): Rejection | undefined {
    const request = { currency, amount, source, destination };
    const moved = this.act(({ wallet }, at) => wallet.transfer(this.account, request, at));
    return isRejection(moved) ? moved : undefined;
  }

  /** Uncommitted withdrawals lapse by time. */
  #watch(): void {
    const at = this.exchange.nextExpiryAt;
    if (at >= this.#wakeAt || at === Number.POSITIVE_INFINITY) return;
    this.#cancelWake();
    this.#wakeAt = at;
    this.#cancelWake = this.scheduler.at(micros(at), () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.act(() => undefined);
    });
  }
}
