import type { OrderType, TimeInForce } from '../../model/order.ts';

/** What opens an order; the rest of its record begins empty. */
export interface OrderOpening {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** How it is traded on margin (margin/flags.ts), 0 for a spot order. */
  readonly margin: number;
  /** Number of the tariff by which it pays; that of its instrument where absent. */
  readonly tariff?: number;
  readonly lots: number;
  /** What the order that it replaces has executed; counts to its lots. */
  readonly executed: number;
  /** 0 for types without a limit price. */
  readonly ticks: number;
  /** +Infinity for never. */
  readonly expireAt: number;
  readonly clientOrderId: string;
  readonly originalClientOrderId: string | undefined;
  readonly createdAt: number;
  readonly at: number;
}
