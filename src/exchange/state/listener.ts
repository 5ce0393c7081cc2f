import type { MarginListener } from '../positions/report.ts';
import type { TransactionListener } from '../wallet/transaction.ts';

/**
 * Listener of the exchange, called in the order of its steps. Arguments are numbers, so that
 * nothing is allocated. An order is its slot in `Orders`; its fields are valid during the call and
 * may belong to another order after it has ended.
 */
export interface ExchangeListener extends MarginListener, TransactionListener {
  /**
   * An order was accepted, ended or replaced another, or, with `status`, became smaller through
   * self-trade prevention. `Orders` has its state and its times.
   */
  order(event: OrderEvent, order: number): void;
  /**
   * An order executed in part or in full. Of a trade between two orders, the maker's call comes
   * first.
   */
  fill(order: number, tradeId: number, ticks: number, lots: number, taker: boolean): void;
  /**
   * Balances of a currency changed; called once for each after all other reports. Until then the
   * ledger may lack trades of the current order.
   */
  balance(account: number, currency: number): void;
  /** Same as `balance` for the wallets. */
  walletBalance?(account: number, currency: number): void;
  /** Same as `balance` for the derivatives ledger. */
  derivativesBalance?(account: number, currency: number): void;
  /**
   * The path of a candle has reached a price, while orders rest or wait. Fills up to it were
   * reported before.
   */
  candlePath?(instrument: number, ticks: number): void;
}

export type OrderEvent = 'new' | 'suspended' | 'canceled' | 'expired' | 'replaced' | 'status';
