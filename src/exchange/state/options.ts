import { decimal, Decimal } from '../../model/decimal.ts';
import type { DepthFeed } from '../../model/depth-feed.ts';
import type { MarketDataOptions } from '../market-data/options.ts';
import type { BankOptions } from '../wallet/bank.ts';
import type { SelfMatchMode } from './self-match.ts';

/** Rules of orders that docs/protocol-choices.md chooses and that can be set otherwise. */
export interface RuleOptions {
  /** What happens where an order would trade with one of its own account; `none`. */
  readonly selfMatch?: SelfMatchMode;
  /** A market buy must be able to pay so many times the levels that it would take; 1. */
  readonly marketBuyFactor?: Decimal;
  /** Whether an order whose stop price the last trade has reached already waits or is refused; `wait`. */
  readonly stopReached?: 'wait' | 'refuse';
  /** What a replacement does when funds are missing for it: nothing, or it cancels the order; `refuse`. */
  readonly unaffordable?: 'refuse' | 'cancel';
  /** When a stop leg cancels the others: with its first trade, or when it is triggered; `trade`. */
  readonly ocoCancel?: 'trade' | 'trigger';
}

/** How many active orders an account may have. */
export interface OrderLimits {
  readonly perAccount: number;
  readonly perSymbol: number;
}

export interface MarginOptions {
  /** Interest a day by borrowed currency, as decimal text; a currency without one costs nothing. */
  readonly dailyRates?: Readonly<Record<string, string>>;
  /** Value in the quote currency of the orders whose prices make the premium index; 10,000. */
  readonly impactValue?: string;
  /**
   * Contracts whose funding comes with their rows, from the start: until a rate comes none is paid. For all
   * others the exchange computes it, until a row brings one.
   */
  readonly reportedFunding?: readonly string[];
}

/** Makes the n-th client order id of an exchange, of 8 to 32 characters; the same for the same n. */
export type ClientOrderIdMaker = (number: number) => string;

export interface ExchangeOptions extends BankOptions, RuleOptions {
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

/** What the options say, with their defaults. */
export interface Rules {
  readonly limits: OrderLimits;
  readonly marketBuyFactor: Decimal;
  /** True where a market buy must pay exactly the levels that it would take. */
  readonly isFactorOne: boolean;
  readonly refusesReached: boolean;
  readonly cancelsUnaffordable: boolean;
  /** True where a stop leg cancels the others when it is triggered, and not with its first trade. */
  readonly cancelsOnTrigger: boolean;
  readonly dailyRates: Readonly<Record<string, Decimal>>;
  readonly impactValue: Decimal;
}

/** What the trading service allows. */
const ORDER_LIMITS: OrderLimits = { perAccount: 25_000, perSymbol: 2_000 };

export function rulesOf(options: ExchangeOptions): Rules {
  const { limits = ORDER_LIMITS, marketBuyFactor = new Decimal(1), margin = {} } = options;
  const { dailyRates = {}, impactValue = '10000' } = margin;
  return {
    limits,
    marketBuyFactor,
    isFactorOne: marketBuyFactor.equals(1),
    refusesReached: options.stopReached === 'refuse',
    cancelsUnaffordable: options.unaffordable === 'cancel',
    cancelsOnTrigger: options.ocoCancel === 'trigger',
    dailyRates: Object.fromEntries(
      Object.entries(dailyRates).map(([code, rate]) => [code, decimal(rate, 'dailyRates')]),
    ),
    impactValue: decimal(impactValue, 'impactValue'),
  };
}
