import type { MarginListener } from '../positions/report.ts';
import type { TransactionListener } from '../wallet/transaction.ts';

/**
 * Listener of the exchange, called in the order of its steps. Arguments are numbers, so that nothing is
 * allocated: an order is its slot in `Orders`, whose fields hold what is true at the moment of the call and
 * may be another order's after the order has ended.
 */
export interface ExchangeListener extends MarginListener, TransactionListener {
  /**
   * An order entered, ended or replaced another, or, with `status`, changed otherwise: it became
   * smaller, as it would have traded with its own account. `Orders` has its state and its times.
   */
  order(event: OrderEvent, order: number): void;
  /** An order executed in part or in whole. Of a trade between two orders, the maker's call comes first. */
  fill(order: number, tradeId: number, ticks: number, lots: number, taker: boolean): void;
  /**
   * Balances of a currency changed; called once for each when everything else is reported. Until then,
   * between the trades of one order, the ledger may lack some of them.
   */
  balance(account: number, currency: number): void;
  /** The same for balances of the wallets. */
  walletBalance?(account: number, currency: number): void;
  /** The same for balances of the derivatives ledger. */
  derivativesBalance?(account: number, currency: number): void;
  /**
   * Where a candle is followed, as orders rest or wait: its path has come to a price. What it fills on the
   * way there was reported before.
   */
  candlePath?(instrument: number, ticks: number): void;
}

export type OrderEvent = 'new' | 'suspended' | 'canceled' | 'expired' | 'replaced' | 'status';
