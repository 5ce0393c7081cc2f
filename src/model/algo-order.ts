import { defined } from './members.ts';
import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { MarginMode } from './margin-terms.ts';
import type { Side } from './order.ts';
import type { Lots } from './units.ts';

export const ALGO_KINDS = ['twap', 'vwap', 'iceberg', 'grid', 'dca'] as const;
export type AlgoKind = (typeof ALGO_KINDS)[number];

/** What its child orders have traded of one side. */
export interface AlgoFills {
  readonly lots: Lots;
  /** Mean price, to 12 decimals; absent before the first fill. */
  readonly averagePrice?: Decimal | undefined;
}

/** An algo order as it stands: the parent of the child orders that the engine sends for it. */
export interface AlgoOrder {
  readonly id: string;
  readonly kind: AlgoKind;
  readonly symbol: string;
  /** Absent for spot. */
  readonly margin?: MarginMode | undefined;
  /** Absent where it trades both. */
  readonly side?: Side | undefined;
  /**
   * `working`: it sends orders. `ending`: the last of them are not answered yet. `filled`: all was traded.
   * `expired`: it ended with a rest. `canceled`: it was ended from outside.
   */
  readonly status: 'working' | 'ending' | 'filled' | 'expired' | 'canceled';
  /** Why it ended, where its status does not say it all. */
  readonly why?: string | undefined;
  /** What was asked for; absent where a value or levels were. */
  readonly lots?: Lots | undefined;
  readonly bought: AlgoFills;
  readonly sold: AlgoFills;
  /** The middle of best bid and ask when it began, or the last price without them; absent where none was known. */
  readonly arrivalPrice?: Decimal | undefined;
  /** By how much the mean price of its side is worse than the arrival price; negative where it is better. */
  readonly slippage?: Decimal | undefined;
  readonly startedAt: Micros;
  readonly endedAt?: Micros | undefined;
}

/** An algo order with its numbers as decimal text. */
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

/** An algo order for results and reports; what is absent has no member. */
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
