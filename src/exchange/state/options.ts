import type { Decimal } from '../../model/decimal.ts';
import type { DepthFeed } from '../../model/depth-feed.ts';
import type { SelfMatchMode } from './self-match.ts';
import type { MarginOptions } from '../requests/margin.ts';
import type { MarketDataOptions } from '../market-data/market-data.ts';
import type { ClientOrderIdMaker } from '../requests/forms.ts';
import type { OrderLimits } from '../stages/validate.ts';
import type { AccountsOptions } from '../requests/accounts.ts';

/** Rules of orders that docs/protocol-choices.md chooses and that can be set otherwise. */
export interface RuleOptions {
  /** What happens where an order would trade with one of its own account; `none`. */
  readonly selfMatch?: SelfMatchMode;
  /** A market buy must be able to pay so many times the levels that it would take; 1. */
  readonly marketBuyFactor?: Decimal;
  /** Whether an order whose stop price the last trade has reached already waits or is refused; `wait`. */
  readonly stopReached?: 'wait' | 'refuse';
  /** What a replacement for which the means are missing does: nothing, or it cancels the order; `refuse`. */
  readonly unaffordable?: 'refuse' | 'cancel';
  /** When a stop leg cancels the others: with its first trade, or when it is triggered; `trade`. */
  readonly ocoCancel?: 'trade' | 'trigger';
}

export interface ExchangeOptions extends AccountsOptions, RuleOptions {
  /** Active orders that an account may have, in all and on one symbol; 25,000 and 2,000. */
  readonly limits?: OrderLimits;
  /** How long a client order id stays taken after its order has ended; one minute. */
  readonly nameHoldUs?: number;
  /** Makes client order ids for forms without one; 32 hexadecimal digits. */
  readonly clientOrderIds?: ClientOrderIdMaker;
  /** Active orders for which there is room from the start; it grows by itself. */
  readonly orderCapacity?: number;
  /** What margin trading costs and is sampled by. */
  readonly margin?: MarginOptions;
  /** What is published of the market; nothing where absent. */
  readonly marketData?: MarketDataOptions;
  /**
   * The recorded books of the instruments, in their order, where others read them too: whoever has
   * them takes each row in before it is handed to `market`. Without them the exchange keeps its own.
   */
  readonly recordedBooks?: readonly DepthFeed[];
}
