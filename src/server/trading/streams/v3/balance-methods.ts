import { feesOf, feesOfSymbol } from '../../orders/fees.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import { reply } from '../part.ts';
import type { BalanceFeed, BalanceMode } from './balance-feed.ts';
import type { TradingMethodsV3 } from './trading-methods.ts';

type Market = 'spot' | 'futures';

const feedOf = (methods: TradingMethodsV3, market: Market): BalanceFeed =>
  market === 'spot' ? methods.spotBalances : methods.futuresBalances;

/** Handlers of a market's balance and fee methods. */
const rows = (market: Market) => ({
  balance_subscribe: (methods: TradingMethodsV3, { mode }: { readonly mode: BalanceMode }) => {
    const feed = feedOf(methods, market);
    feed.start(mode);
    return reply(true as const, () => {
      feed.emitAll();
    });
  },
  balance_unsubscribe: (methods: TradingMethodsV3) => {
    feedOf(methods, market).stop();
    return reply(true as const);
  },
  balances: (methods: TradingMethodsV3) => {
    methods.service.act(() => undefined);
    return reply(balanceViews(feedOf(methods, market).ledger, methods.session.account));
  },
  balance: (methods: TradingMethodsV3, { currency }: { readonly currency: string }) => {
    methods.service.act(() => undefined);
    return balanceOf(feedOf(methods, market).ledger, methods.session.account, currency);
  },
  fees: ({ service, session }: TradingMethodsV3) =>
    reply(feesOf(service, session.account, market).map(feeView)),
  fee: ({ service, session }: TradingMethodsV3, { symbol }: { readonly symbol: string }) => {
    const fees = feesOfSymbol(service, session.account, market, symbol);
    return fees.kind === 'fault' ? fees : reply(feeOfSymbolView(fees.value));
  },
});

type Rows = ReturnType<typeof rows>;

/** Balance and fee methods of a market, under their names there. */
export const balanceMethods = <const M extends Market>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };
