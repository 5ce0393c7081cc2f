import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Lots, Ticks } from '../../../model/units.ts';
import type { Micros } from '../../../platform/time.ts';

/** A payment of a position without an order of its holder. */
export interface ClearingRecord {
  /** Rising in time over all accounts. */
  readonly id: number;
  readonly account: number;
  readonly instrument: Instrument;
  readonly positionId: number;
  /** A settlement closes at a price without a trade: at the end of a contract, or by deleveraging. */
  readonly kind: 'settlement' | 'funding' | 'interest' | 'liquidation';
  /** Quantity that was charged, paid or closed; negative for a short. */
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** Of interest a day's, of funding a period's; absent if the position was closed. */
  readonly rate?: Decimal;
  /** After fees; negative if the account paid or lost. */
  readonly amount: Decimal;
  readonly currency: string;
  readonly at: Micros;
}

type Event = Pick<ClearingRecord, 'positionId' | 'kind' | 'quantity' | 'price' | 'amount' | 'rate'>;

/** The clearing in a report of a margin account, undefined if there is none. */
export function clearingOf(report: MarginReport, instrument: Instrument): Event | undefined {
  const { position, carry, trade } = report;
  if (position !== undefined && carry !== undefined) {
    const { kind, amount, price, rate } = carry;
    return { positionId: position.id, kind, quantity: position.quantity, price, rate, amount };
  }
  if (trade === undefined || (trade.id !== 0 && trade.end !== 'liquidated')) return undefined;
  return {
    positionId: trade.positionId,
    kind: trade.end === 'liquidated' ? 'liquidation' : 'settlement',
    quantity: instrument.size(Math.abs(trade.lots) as Lots).times(trade.lots > 0 ? -1 : 1),
    price: instrument.price(trade.ticks as Ticks),
    amount: trade.pnl.minus(trade.fee),
  };
}
