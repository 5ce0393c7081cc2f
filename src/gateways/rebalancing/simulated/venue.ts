import type { Decimal } from '../../../model/decimal.ts';
import type { Side } from '../../../model/order.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Fill } from '../../../model/report.ts';
import type { Level, TransferOrder } from '../../simulated.ts';

/** What transfers need of the account that they go through, at the exchange of this process. */
export interface LocalVenue {
  /** True if the account can hold a currency. */
  holds(currency: string): boolean;
  /** What of a currency the account may use. Throws `currency-unknown`. */
  available(currency: string): Decimal;
  /** Adds what comes from a wallet. */
  receive(currency: string, amount: Decimal): void;
  /** Takes out what goes to a wallet; false if so much is not available. */
  pay(currency: string, amount: Decimal): boolean;
  /** What the book offers to an order of a side, best first; levels of `count` at most. */
  levels(symbol: string, side: Side, count: number): readonly Level[];
  /** Fills an order whole and at once, or not at all, without any delay. */
  trade(order: TransferOrder): readonly Fill[] | Rejection;
}
