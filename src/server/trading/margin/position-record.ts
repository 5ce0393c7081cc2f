import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarginAccountView, PositionView } from '../../../exchange/margin/views.ts';
import type { EndedPosition, PositionState } from '../../../exchange/positions/report.ts';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { MarginMode } from '../../../model/margin-terms.ts';
import type { Micros } from '../../../platform/time.ts';

/** A position as shown to its holder, open or ended. */
export interface PositionRecord {
  readonly id: number;
  readonly instrument: Instrument;
  readonly mode: MarginMode;
  /** Of its account, or its symbol's maximum if the account has none or a higher one. */
  readonly leverage: Decimal;
  /** Negative for a short, zero once it has ended. */
  readonly quantity: Decimal;
  readonly priceEntry: Decimal;
  /** Zero if no price triggers them, as for an ended position. */
  readonly priceMarginCall: Decimal;
  readonly priceLiquidation: Decimal;
  /** Unrealized PnL before fees; once it has ended, the realized one. */
  readonly pnl: Decimal;
  readonly feeCumulative: Decimal;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** An ended position, with the remembered facts of its history. */
export interface ClosedPositionRecord extends PositionRecord {
  readonly priceClose: Decimal;
  /** The most that it was, without a sign. */
  readonly quantityMax: Decimal;
  readonly liquidated: boolean;
}

/** An open position. */
export const openPosition = (
  exchange: Exchange,
  { mode, leverage }: Pick<MarginAccountView, 'mode' | 'leverage'>,
  position: PositionView,
): PositionRecord => ({
  ...recordOf(exchange, mode, leverage, position),
  priceMarginCall: position.priceMarginCall,
  priceLiquidation: position.priceLiquidation,
  pnl: position.pnl,
});

/** A position that has ended. */
export const closedPosition = (
  exchange: Exchange,
  position: EndedPosition,
): ClosedPositionRecord => ({
  ...pastPosition(exchange, position, position),
  priceClose: position.priceClose,
  quantityMax: position.quantityMax,
  liquidated: position.end === 'liquidated',
});

/** A position that is gone, as it was last reported. */
export const pastPosition = (
  exchange: Exchange,
  account: { readonly mode: MarginMode; readonly leverage: Decimal | undefined },
  position: PositionState,
): PositionRecord => ({
  ...recordOf(exchange, account.mode, account.leverage, position),
  priceMarginCall: ZERO,
  priceLiquidation: ZERO,
  pnl: position.realizedPnl,
});

function recordOf(
  exchange: Exchange,
  mode: MarginMode,
  leverage: Decimal | undefined,
  position: PositionState,
) {
  const terms = exchange.instruments[exchange.instrument(position.symbol)];
  const most = terms.margin[mode]?.maxInitialLeverage ?? leverage ?? ZERO;
  return {
    id: position.id,
    instrument: terms,
    mode,
    leverage: leverage === undefined ? most : Decimal.min(leverage, most),
    quantity: position.quantity,
    priceEntry: position.priceEntry,
    feeCumulative: position.feeCumulative,
    createdAt: position.createdAt as Micros,
    updatedAt: position.updatedAt as Micros,
  };
}
