import type { Period } from '../../../../model/period.ts';
import { MARKET_METHODS } from '../../../../wire/trading/v2/streams/market.ts';
import { namedCurrency, namedSymbol, namedSymbols } from '../../market/named.ts';
import { tradesPage } from '../../market/pages.ts';
import * as views from '../../views/v2/market.ts';
import { part, reply, replyWith, type MethodHandlers, type ClientSession } from '../part.ts';
import type { Followed } from './public/channels.ts';
import { PublicMethodsV2 } from './public/methods.ts';

/** Default number of past trades or candles at the start of a subscription. */
const HISTORY = 100;

interface OfSymbol {
  readonly symbol: string;
  readonly period?: Period;
  readonly limit?: number | undefined;
}

type Choose = (params: OfSymbol) => Followed;

const subscribe = (choose: Choose) => (methods: PublicMethodsV2, params: OfSymbol) => {
  const { service } = methods.streams;
  const found = namedSymbol(service, 2, params.symbol);
  if (found.kind === 'fault') return found;
  const { symbol } = service.exchange.instruments[found.value];
  return reply(true as const, () => {
    service.look();
    methods.follow(choose(params), symbol, params.limit ?? HISTORY);
  });
};

const unsubscribe = (choose: Choose) => (methods: PublicMethodsV2, params: OfSymbol) => {
  const { service } = methods.streams;
  const found = namedSymbol(service, 2, params.symbol);
  if (found.kind === 'fault') return found;
  methods.end(choose(params), service.exchange.instruments[found.value].symbol);
  return reply(true as const);
};

const ticker: Choose = () => ({ feed: 'ticker' });
const orderbook: Choose = () => ({ feed: 'orderbook' });
const trades: Choose = () => ({ feed: 'trades' });
const candles: Choose = ({ period = 'M30' }) => ({ feed: 'candles', period });

const handlers: MethodHandlers<typeof MARKET_METHODS, PublicMethodsV2> = {
  getCurrency: ({ streams }, { currency }) =>
    replyWith(namedCurrency(streams.service, currency), views.currencyView),
  getCurrencies: ({ streams }) =>
    reply(streams.service.exchange.wallet.currencies.map(views.currencyView)),
  getSymbol: ({ streams: { service } }, { symbol }) =>
    replyWith(namedSymbol(service, 2, symbol), (index) =>
      views.symbolView(service.exchange.instruments[index]),
    ),
  getSymbols: ({ streams: { service } }) =>
    replyWith(namedSymbols(service, 2), (found) =>
      found.map((index) => views.symbolView(service.exchange.instruments[index])),
    ),
  getTrades: ({ streams }, params) => {
    const { service } = streams;
    const found = namedSymbol(service, 2, params.symbol);
    if (found.kind === 'fault') return found;
    const page = tradesPage(params);
    if (page.kind === 'fault') return page;
    const instrument = service.exchange.instruments[found.value];
    const data = service.look().trades(found.value, page.value);
    return reply({
      data: data.map((trade) => views.tradeView(instrument, trade)),
      symbol: instrument.symbol,
    });
  },
  subscribeTicker: subscribe(ticker),
  unsubscribeTicker: unsubscribe(ticker),
  subscribeOrderbook: subscribe(orderbook),
  unsubscribeOrderbook: unsubscribe(orderbook),
  subscribeTrades: subscribe(trades),
  unsubscribeTrades: unsubscribe(trades),
  subscribeCandles: subscribe(candles),
  unsubscribeCandles: unsubscribe(candles),
};

/** The market data socket of version 2. */
export const v2Public = part({
  methods: MARKET_METHODS,
  open: (session: ClientSession) => new PublicMethodsV2(session),
  handlers,
});
