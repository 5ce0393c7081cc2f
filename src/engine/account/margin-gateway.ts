import type { Decimal } from '../../model/decimal.ts';
import type { MarginAccountState, MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';

/**
 * How the engine reaches margin accounts. What it asks for is answered by reports, which come in order with
 * those of the orders: after the fills that led to them, before the balances.
 */
export interface MarginGateway {
  /** Sets who is told; called once, before the first request. Gives the margin accounts as they are. */
  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[];
  set(request: MarginRequest): void;
  /** The price that positions in a symbol are judged by: of spot its index, of a contract its mark. */
  markPrice(symbol: string): Decimal | undefined;
}
