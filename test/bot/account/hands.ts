import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { AccountListener, VenueAccount } from '../../../src/gateways/venue-account.ts';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { MarginRequest, OrderRequest } from '../../../src/model/order-request.ts';
import { micros } from '../../../src/platform/time.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, START, type RigOptions } from '../rig.ts';

export const INSTRUMENT = new Instrument(SPOT);
export const BTC = isolated('BTCUSDT');
const PLACE = { mode: 'isolated', isContract: false, symbol: 'BTCUSDT', currency: 'USDT' } as const;

export const account = (
  balance: string,
  positions: readonly VenuePosition[] = [],
): MarginAccountState => ({
  ...PLACE,
  leverage: decimal('5'),
  balance: decimal(balance),
  isOpen: true,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  isCalled: false,
  positions,
});

export const position = (lots: number): VenuePosition => ({
  id: 7,
  symbol: 'BTCUSDT',
  lots,
  entryPrice: decimal('100'),
  entryValue: decimal('100'),
  realizedPnl: ZERO,
  fees: ZERO,
  carry: ZERO,
  createdAt: START,
  updatedAt: START,
});

export const report = (
  reason: MarginAccountReport['reason'],
  state: MarginAccountState,
  more: Partial<MarginAccountReport> = {},
): MarginAccountReport => ({
  kind: 'marginAccount',
  at: micros(START + 1),
  reason,
  account: state,
  ...more,
});

/** A paper account whose margin side is in the hands of the test. */
export class Hands {
  readonly left: (OrderRequest | MarginRequest)[] = [];
  listener: AccountListener | undefined;

  venue = (paper: PaperAccount): VenueAccount =>
    new Proxy(paper, {
      get: (of, name) => {
        if (name === 'margin') return { set: (request: MarginRequest) => this.left.push(request) };
        if (name === 'send') return (request: OrderRequest) => this.left.push(request);
        if (name === 'open') {
          return (listener: AccountListener) => {
            this.listener = listener;
            return of.open(listener);
          };
        }
        const value: unknown = Reflect.get(of, name, of);
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
    });
}

/** A bot whose margin accounts are in the hands of the test, at a market of 99 and 101. */
export async function opened(options: RigOptions = {}) {
  const manualActions = new Hands();
  const rig = await botRig({ instrument: INSTRUMENT, venue: manualActions.venue, ...options });
  rig.market.emit({ at: '00:00:01', bids: [['99', 9]], asks: [['101', 9]] });
  return { ...rig, manualActions };
}
