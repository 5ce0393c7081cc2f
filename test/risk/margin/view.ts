import { decimal, ZERO } from '../../../src/model/decimal.ts';
import type { Instrument } from '../../../src/model/instrument.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountState,
  type VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { Lots } from '../../../src/model/units.ts';
import type { MarginView } from '../../../src/risk/view.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { NOW } from '../view.ts';

const TERMS = { takeRate: '0.0005', makeRate: '0', margin: onMargin() } as const;

/** As the worked figures have it: a leverage of 10, f of 0.0005, multipliers of 1.5 and 2. */
export const BTC = instrumentOf({ ...TERMS, tickSize: '0.01', quantityIncrement: '0.001' });
export const ETH = instrumentOf({
  ...TERMS,
  symbol: 'ETHUSDT',
  baseCurrency: 'ETH',
  tickSize: '0.01',
  quantityIncrement: '0.01',
});

export interface Held {
  readonly instrument: Instrument;
  /** Negative for a short. */
  readonly size: string;
  readonly entry: string;
  readonly liquidation?: string;
}

export function positionOf({ instrument, size, entry, liquidation }: Held): VenuePosition {
  const lots = instrument.lots(decimal(size), 'near');
  return {
    id: 1,
    symbol: instrument.symbol,
    lots,
    entryPrice: decimal(entry),
    entryValue: decimal(entry).times(instrument.size(Math.abs(lots) as Lots)),
    realizedPnl: ZERO,
    fees: ZERO,
    carry: ZERO,
    createdAt: NOW,
    updatedAt: NOW,
    ...(liquidation === undefined ? {} : { liquidationPrice: decimal(liquidation) }),
  };
}

export interface Funds {
  readonly mode?: MarginMode;
  readonly balance: string;
  readonly leverage?: string;
  /** Of an account without positions: its instrument. */
  readonly instrument?: Instrument;
  readonly held?: readonly Held[];
}

export function accountOf({ mode = 'isolated', held = [], ...funds }: Funds): MarginAccountState {
  const instrument = funds.instrument ?? held.at(0)?.instrument ?? BTC;
  return {
    ...marginAccountId(instrument, mode),
    isOpen: true,
    reservedOrders: ZERO,
    reservedPositions: ZERO,
    isCalled: false,
    balance: decimal(funds.balance),
    leverage: decimal(funds.leverage ?? '10'),
    positions: held.map(positionOf),
  };
}

/** Margin accounts at these mark prices. */
export function marginOf(
  accounts: readonly MarginAccountState[],
  marks: Readonly<Record<string, string>>,
): MarginView {
  return {
    accounts,
    find: (instrument, mode) => {
      const key = marginAccountKey(marginAccountId(instrument, mode));
      return accounts.find((one) => marginAccountKey(one) === key);
    },
    markPrice: (symbol) => (symbol in marks ? decimal(marks[symbol]) : undefined),
  };
}
