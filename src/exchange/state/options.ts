import { decimal, Decimal } from '../../model/decimal.ts';
import type { DepthFeed } from '../../model/depth-feed.ts';
import type { MarketDataOptions } from '../market-data/options.ts';
import type { BankOptions } from '../wallet/bank.ts';
import type { SelfMatchMode } from './self-match.ts';

/** Configurable rules of orders; docs/protocol-choices.md has the defaults. */
export interface RuleOptions {
  /** Self-trade prevention; `none`. */
  readonly selfMatch?: SelfMatchMode;
  /** Funds a market buy needs, as a multiple of its estimated cost; 1. */
  readonly marketBuyFactor?: Decimal;
  /** Whether an order whose stop price is reached already waits or is rejected; `wait`. */
  readonly stopReached?: 'wait' | 'refuse';
  /** A replacement without enough funds changes nothing, or cancels the order; `refuse`. */
  readonly unaffordable?: 'refuse' | 'cancel';
  /** When a stop leg cancels the others: with its first trade, or when it is triggered; `trade`. */
  readonly ocoCancel?: 'trade' | 'trigger';
}

/** Most active orders of an account. */
export interface OrderLimits {
  readonly perAccount: number;
  readonly perSymbol: number;
}

export interface MarginOptions {
  /**
   * Daily interest rates by borrowed currency, as decimal text; a currency without one costs
   * nothing.
   */
  readonly dailyRates?: Readonly<Record<string, string>>;
  /** Impact notional of the premium index, in the quote currency; 10,000. */
  readonly impactValue?: string;
  /**
   * Contracts whose funding comes with their rows from the start: none is paid before a rate. For
   * others the exchange computes it, until a row has one.
   */
  readonly reportedFunding?: readonly string[];
}

/**
 * Makes the n-th client order id of an exchange, of 8 to 32 characters; the same for the same n.
 */
export type ClientOrderIdMaker = (number: number) => string;

export interface ExchangeOptions extends BankOptions, RuleOptions {
  /** Most active orders of an account, in all and on one symbol; 25,000 and 2,000. */
  readonly limits?: OrderLimits;
  /** How long a client order id stays taken after its order has ended; one minute. */
  readonly nameHoldUs?: number;
  /** Makes missing client order ids; 32 hexadecimal digits. */
  readonly clientOrderIds?: ClientOrderIdMaker;
  /** Initial capacity for active orders; it grows as needed. */
  readonly orderCapacity?: number;
  /** Costs and sampling of margin trading. */
  readonly margin?: MarginOptions;
  /** Published market data; none if absent. */
  readonly marketData?: MarketDataOptions;
  /**
   * Recorded books of the instruments, in their order, if others read them too: their owner applies
   * each row before `market` gets it. Without them the exchange has its own.
   */
  readonly recordedBooks?: readonly DepthFeed[];
}

/** Rules with their defaults. */
export interface Rules {
  readonly limits: OrderLimits;
  readonly marketBuyFactor: Decimal;
  /** True if a market buy needs exactly the cost of its levels. */
  readonly isFactorOne: boolean;
  readonly refusesReached: boolean;
  readonly cancelsUnaffordable: boolean;
  /** True if a stop leg cancels the others when it is triggered, not with its first trade. */
  readonly cancelsOnTrigger: boolean;
  readonly dailyRates: Readonly<Record<string, Decimal>>;
  readonly impactValue: Decimal;
}

/** Limits of the trading service. */
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
