import { foreignSymbol } from '../../orders/actions.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import { reply } from '../part.ts';
import type { BalanceFeed, BalanceMode } from './balance-feed.ts';
import type { TradingDesk } from './trading-desk.ts';

type Market = 'spot' | 'futures';

const feedOf = (desk: TradingDesk, market: Market): BalanceFeed =>
  market === 'spot' ? desk.spotBalances : desk.futuresBalances;

const feesOf = ({ service, seat }: TradingDesk, market: Market) =>
  service.exchange.fees
    .of(seat.account)
    .filter(
      (_, index) => service.exchange.instruments[index].isContract === (market === 'futures'),
    );

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
  fees: (desk: TradingDesk) => reply(feesOf(desk, market).map(feeView)),
  fee: (desk: TradingDesk, { symbol }: { readonly symbol: string }) => {
    const stranger = foreignSymbol(desk.service, desk.trader(market), symbol);
    if (stranger !== undefined) return stranger;
    const [fees] = feesOf(desk, market).filter((one) => one.symbol === symbol);
    return reply(feeOfSymbolView(fees));
  },
});

type Rows = ReturnType<typeof rows>;

/** What the methods about balances and fees of a market do, under the names that they have there. */
export const balanceMethods = <const M extends Market>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };
