import { defined } from './members.ts';
import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { MarginMode } from './margin-terms.ts';
import type { Side } from './order.ts';
import type { Lots } from './units.ts';

export const ALGO_KINDS = ['twap', 'vwap', 'iceberg', 'grid', 'dca'] as const;
export type AlgoKind = (typeof ALGO_KINDS)[number];

/** Fills of an algo order's child orders on one side. */
export interface AlgoFills {
  readonly lots: Lots;
  /** Average price, to 12 decimals; absent before the first fill. */
  readonly averagePrice?: Decimal | undefined;
}

/** The current state of an algo order: the parent of the child orders that the engine sends. */
export interface AlgoOrder {
  readonly id: string;
  readonly kind: AlgoKind;
  readonly symbol: string;
  /** Absent for spot. */
  readonly margin?: MarginMode | undefined;
  /** Absent if it trades both sides. */
  readonly side?: Side | undefined;
  /**
   * `working`: sends orders. `ending`: waits for the last reports. `filled`: fully traded.
   * `expired`: ended with a remainder. `canceled`: canceled by the strategy or an operator.
   */
  readonly status: 'working' | 'ending' | 'filled' | 'expired' | 'canceled';
  /** Why it ended, if the status does not say it. */
  readonly why?: string | undefined;
  /** Requested lots; absent if a value or levels were requested. */
  readonly lots?: Lots | undefined;
  readonly bought: AlgoFills;
  readonly sold: AlgoFills;
  /** Mid price at its start, or the last price without one; absent if neither was known. */
  readonly arrivalPrice?: Decimal | undefined;
  /** How much the average price is worse than the arrival price; negative if it is better. */
  readonly slippage?: Decimal | undefined;
  readonly startedAt: Micros;
  readonly endedAt?: Micros | undefined;
}

/** An algo order with numbers as decimal text. */
export interface AlgoTexts extends Pick<AlgoOrder, 'id' | 'kind' | 'symbol' | 'status'> {
  readonly margin?: MarginMode;
  readonly side?: Side;
  readonly why?: string;
  readonly quantity?: string;
  readonly bought: string;
  readonly boughtPrice?: string;
  readonly sold: string;
  readonly soldPrice?: string;
  readonly arrivalPrice?: string;
  readonly slippage?: string;
}

/** An algo order for results and reports, without absent members. */
export function algoTexts(order: AlgoOrder, instrument: Instrument): AlgoTexts {
  const { id, kind, symbol, status, margin, side, why, lots, bought, sold } = order;
  const { arrivalPrice, slippage } = order;
  const texts = {
    id,
    kind,
    symbol,
    status,
    margin,
    side,
    why,
    quantity: lots === undefined ? undefined : instrument.size(lots).toFixed(),
    bought: instrument.size(bought.lots).toFixed(),
    boughtPrice: bought.averagePrice?.toFixed(),
    sold: instrument.size(sold.lots).toFixed(),
    soldPrice: sold.averagePrice?.toFixed(),
    arrivalPrice: arrivalPrice?.toFixed(),
    slippage: slippage?.toFixed(),
  };
  return defined(texts) as AlgoTexts;
}
