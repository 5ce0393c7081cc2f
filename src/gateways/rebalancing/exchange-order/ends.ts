import type { HoldingKey } from '../../../model/portfolio.ts';
import type { PayAddress, Payer } from '../payments/payment.ts';

/** A holding that exchange orders can be paid from. */
export interface OrderSource {
  readonly holding: HoldingKey;
  /** The service's name of the asset and its network: `usdcsol`. */
  readonly ticker: string;
  /** Pays out of a wallet on the chain, or out of a trading account. */
  readonly payer: Payer;
  /** Refund address. */
  readonly refund: PayAddress;
}

/** A holding that exchange orders can pay out to. */
export interface OrderTarget {
  readonly holding: HoldingKey;
  readonly ticker: string;
  readonly payout: PayAddress;
  /** Decimal places of the payout. */
  readonly decimals: number;
}
