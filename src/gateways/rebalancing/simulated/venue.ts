import type { Decimal } from '../../../model/decimal.ts';
import type { Side } from '../../../model/order.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Fill } from '../../../model/report.ts';
import type { Level, TransferOrder } from '../../simulated.ts';

/** What transfers need of their account, at the exchange of this process. */
export interface LocalVenue {
  /** True if the account can hold a currency. */
  holds(currency: string): boolean;
  /** Available amount of a currency. Throws `currency-unknown`. */
  available(currency: string): Decimal;
  /** Adds an amount from a wallet. */
  receive(currency: string, amount: Decimal): void;
  /** Removes an amount that goes to a wallet; false if it is not available. */
  pay(currency: string, amount: Decimal): boolean;
  /** Levels of the book for an order of a side, best first; at most `count`. */
  levels(symbol: string, side: Side, count: number): readonly Level[];
  /** Fills an order whole and at once, or not at all, without any delay. */
  trade(order: TransferOrder): readonly Fill[] | Rejection;
}
