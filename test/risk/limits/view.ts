import type { MarginMode, OrderMargin } from '../../../src/model/margin-terms.ts';
import type { ReplaceRequest, OrderRequest } from '../../../src/model/order-request.ts';
import type { Side } from '../../../src/model/order.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import type { Checked } from '../../../src/risk/limits/checked.ts';
import { ordersOf } from '../../../src/risk/requested-orders.ts';
import type { RiskSettings } from '../../../src/risk/settings.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { accountOf, BTC, ETH, marginOf, type Funds } from '../margin/view.ts';
import { marketOf, viewOf, type ViewTexts } from '../view.ts';

/** A contract on BTC, in ticks of 0.01 and lots of 0.001. */
export const PERPETUAL = instrumentOf({
  symbol: 'BTCUSDT_PERP',
  type: 'futures',
  contractType: 'perpetual',
  tickSize: '0.01',
  quantityIncrement: '0.001',
  margin: onMargin(),
});

export const REDUCE_ONLY: OrderMargin = { mode: 'isolated', reduceOnly: true };

/** An order of so many thousandths of a BTC, at 100 unless it says otherwise. */
export const at = (
  side: Side,
  lots: number,
  margin?: MarginMode | OrderMargin,
  ticks = 10_000,
) => ({
  side,
  lots,
  ticks,
  ...(margin === undefined ? {} : { margin: typeof margin === 'string' ? { mode: margin } : margin }), // prettier-ignore
});

/** Replaces an order in BTC by one of so many lots, at its own prices unless it says otherwise. */
export const replace = (
  clientOrderId: string,
  lots: number,
  { ticks, stopTicks }: { readonly ticks?: number; readonly stopTicks?: number } = {},
): ReplaceRequest => ({
  kind: 'replace',
  clientOrderId,
  newClientOrderId: `${clientOrderId}-new`,
  symbol: 'BTCUSDT',
  lots: lots as Lots,
  ...(ticks === undefined ? {} : { ticks: ticks as Ticks }),
  ...(stopTicks === undefined ? {} : { stopTicks: stopTicks as Ticks }),
});

/** Funds of an account with one position that was entered at 100. */
export const position = (
  size: string,
  mode: MarginMode = 'isolated',
  instrument = BTC,
  balance = '1000',
): Funds => ({ mode, balance, held: [{ instrument, size, entry: '100' }] });

/** Markets of BTC at 100 and of ETH at 10, whose mark prices are the same unless it says otherwise. */
export const MARKETS = { BTCUSDT: marketOf(10_000, 10_000), ETHUSDT: marketOf(1_000, 1_000) };
export const MARKS = { BTCUSDT: '100', ETHUSDT: '10', BTCUSDT_PERP: '100' };

export const viewAt = (
  accounts: readonly Funds[],
  more: ViewTexts = {},
  marks: Readonly<Record<string, string>> = MARKS,
): RiskView =>
  viewOf({
    instruments: [BTC, ETH, PERPETUAL],
    markets: MARKETS,
    margin: marginOf(accounts.map(accountOf), marks),
    ...more,
  });

/** A request as the limits see it. */
export function checkedOf(request: OrderRequest, view: RiskView, limits: RiskSettings): Checked {
  const requested = ordersOf(request, view);
  if (isRejection(requested)) throw new Error(requested.message);
  return { requested, after: [...view.orders, ...requested], view, limits };
}
