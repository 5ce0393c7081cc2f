import { feesOf, feesOfSymbol } from '../../orders/fees.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import { reply } from '../part.ts';
import type { BalanceFeed, BalanceMode } from './balance-feed.ts';
import type { TradingDesk } from './trading-desk.ts';

type Market = 'spot' | 'futures';

const feedOf = (desk: TradingDesk, market: Market): BalanceFeed =>
  market === 'spot' ? desk.spotBalances : desk.futuresBalances;

/** What the methods about balances and fees of a market do. */
const rows = (market: Market) => ({
  balance_subscribe: (desk: TradingDesk, { mode }: { readonly mode: BalanceMode }) => {
    const feed = feedOf(desk, market);
    feed.start(mode);
    return reply(true as const, () => {
      feed.tellAll();
    });
  },
  balance_unsubscribe: (desk: TradingDesk) => {
    feedOf(desk, market).stop();
    return reply(true as const);
  },
  balances: (desk: TradingDesk) => {
    desk.service.act(() => undefined);
    return reply(balanceViews(feedOf(desk, market).ledger, desk.seat.account));
  },
  balance: (desk: TradingDesk, { currency }: { readonly currency: string }) => {
    desk.service.act(() => undefined);
    return balanceOf(feedOf(desk, market).ledger, desk.seat.account, currency);
  },
  fees: ({ service, seat }: TradingDesk) =>
    reply(feesOf(service, seat.account, market).map(feeView)),
  fee: ({ service, seat }: TradingDesk, { symbol }: { readonly symbol: string }) => {
    const fees = feesOfSymbol(service, seat.account, market, symbol);
    return fees.kind === 'fault' ? fees : reply(feeOfSymbolView(fees.value));
  },
});

type Rows = ReturnType<typeof rows>;

/** What the methods about balances and fees of a market do, under the names that they have there. */
export const balanceMethods = <const M extends Market>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };
