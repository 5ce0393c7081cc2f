import type { MarginAccountLine, MarginPositionLine } from '../../../src/bot/api/bot-api.ts';

/** A margin account of a strategy that is well, and one of nobody's that has a margin call. */
export const MARGIN_ACCOUNTS: readonly MarginAccountLine[] = [
  {
    ...{ account: 'main', strategy: 'one', place: 'isolated', market: 'spot', symbol: 'BTCUSDT' },
    ...{ currency: 'USDT', state: 'normal', balance: '500', reserved: '90.39' },
    ...{ available: '409.61', equity: '470', leverage: '5', effectiveLeverage: '0.7021' },
    positions: 1,
  },
  {
    ...{ account: 'main', strategy: '', foreign: true, place: 'cross', market: 'futures' },
    ...{ currency: 'USDT', state: 'marginCall', balance: '20', reserved: '12', available: '8' },
    positions: 1,
  },
];

export const MARGIN_POSITIONS: readonly MarginPositionLine[] = [
  {
    ...{ account: 'main', strategy: 'one', symbol: 'BTCUSDT', place: 'isolated', side: 'short' },
    ...{ quantity: '-3', currency: 'USDT', entry: '100', mark: '110', value: '330' },
    ...{ unrealizedPnl: '-30', realizedPnl: '2', fees: '0.5', carry: '-0.25', leverage: '5' },
    ...{ marginCallPrice: '115', liquidationPrice: '120', distance: 10 / 110 },
  },
  {
    ...{ account: 'main', strategy: '', foreign: true, symbol: 'BTCUSDT_PERP', place: 'cross' },
    ...{ side: 'long', quantity: '2', currency: 'USDT', entry: '100', realizedPnl: '0' },
    ...{ fees: '0', carry: '0' },
  },
];
