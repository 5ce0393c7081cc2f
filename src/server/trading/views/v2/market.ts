import type { MarketCandle } from '../../../../exchange/market-data/market-candle.ts';
import type { Level } from '../../../../exchange/market-data/book-log.ts';
import type { BookSnapshot, VolumeLevels } from '../../../../exchange/market-data/public-book.ts';
import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Ticker } from '../../../../exchange/market-data/ticker.ts';
import type { Currency } from '../../../../model/currency.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type * as market from '../../../../wire/trading/v2/records/market.ts';
import { maxLeverage } from '../leverage.ts';
import { levelTexts, priceText, volumeText, type Written } from '../market-numbers.ts';
import { numberTexts } from '../order-numbers.ts';

/** Market data as version 2 shows it, over REST and on its socket. */

/** A currency with what holds on its default network. */
export function currencyView(currency: Currency): Written<typeof market.currency> {
  const { code, terms, precisionTransfer, networks } = currency;
  const [network] = networks;
  const { processingTime } = network.terms.shown ?? {};
  return {
    id: code,
    fullName: terms.name,
    crypto: terms.shown?.isCrypto ?? true,
    payinEnabled: terms.payinEnabled,
    payinPaymentId: network.terms.payinPaymentId,
    payinConfirmations: network.terms.payinConfirmations,
    payoutEnabled: terms.payoutEnabled,
    payoutIsPaymentId: network.terms.payoutIsPaymentId,
    transferEnabled: terms.transferEnabled,
    delisted: terms.shown?.isDelisted ?? false,
    payoutFee: network.payoutFee,
    payoutMinimalAmount: network.precisionPayout,
    precisionPayout: network.precisionPayout.decimalPlaces(),
    precisionTransfer: precisionTransfer.decimalPlaces(),
    lowProcessingTime: processingTime?.low,
    highProcessingTime: processingTime?.high,
    avgProcessingTime: processingTime?.avg,
  };
}

export function symbolView(instrument: Instrument): Written<typeof market.symbol> {
  const leverage = maxLeverage(instrument);
  return {
    id: instrument.symbol,
    baseCurrency: instrument.baseCurrency,
    quoteCurrency: instrument.quoteCurrency,
    quantityIncrement: instrument.quantityIncrement,
    tickSize: instrument.tickSize,
    takeLiquidityRate: instrument.takeRate,
    provideLiquidityRate: instrument.makeRate,
    feeCurrency: instrument.terms.feeCurrency,
    marginTrading: leverage !== undefined,
    maxInitialLeverage: leverage,
  };
}

export const tickerView = (ticker: Ticker): Written<typeof market.ticker> => {
  const { instrument } = ticker;
  return {
    ask: priceText(instrument, ticker.ask?.ticks),
    bid: priceText(instrument, ticker.bid?.ticks),
    last: priceText(instrument, ticker.lastTicks),
    open: priceText(instrument, ticker.openTicks),
    low: priceText(instrument, ticker.lowTicks),
    high: priceText(instrument, ticker.highTicks),
    volume: volumeText(instrument, ticker.volume),
    volumeQuote: ticker.volumeQuote,
    timestamp: ticker.at,
    symbol: instrument.symbol,
  };
};

export const tradeView = (
  instrument: Instrument,
  trade: PublicTrade,
): Written<typeof market.publicTrade> => {
  const { price, quantity } = numberTexts(instrument);
  return {
    id: trade.id,
    price: price(trade.ticks),
    quantity: quantity(trade.lots),
    side: trade.side,
    timestamp: trade.at,
  };
};

/** Levels of a side. */
export const levelViews = (
  instrument: Instrument,
  levels: readonly Level[],
): Written<typeof market.level>[] => {
  const texts = levelTexts(instrument);
  return levels.map((level) => {
    const [price, size] = texts(level);
    return { price, size };
  });
};

/** A book with the time of its latest change; before the first with the present time. */
export const bookView = (
  instrument: Instrument,
  book: BookSnapshot,
  now: Micros,
): Written<typeof market.orderBook> => ({
  symbol: instrument.symbol,
  ask: levelViews(instrument, book.asks),
  bid: levelViews(instrument, book.bids),
  timestamp: book.sequence === 0 ? now : book.at,
});

/** A book as far as a volume goes, with the average prices of that volume. */
export const volumeBookView = (
  instrument: Instrument,
  { asks, bids }: { readonly asks: VolumeLevels; readonly bids: VolumeLevels },
  at: Micros,
): Written<typeof market.orderBook> => ({
  symbol: instrument.symbol,
  ask: levelViews(instrument, asks.levels),
  bid: levelViews(instrument, bids.levels),
  timestamp: at,
  askAveragePrice: priceText(instrument, asks.averageTicks) ?? undefined,
  bidAveragePrice: priceText(instrument, bids.averageTicks) ?? undefined,
});

export const candleView = (candle: MarketCandle): Written<typeof market.candle> => {
  const { instrument } = candle;
  const { price } = numberTexts(instrument);
  return {
    timestamp: candle.openedAt,
    open: price(candle.openTicks),
    close: price(candle.closeTicks),
    min: price(candle.lowTicks),
    max: price(candle.highTicks),
    volume: volumeText(instrument, candle.volume),
    volumeQuote: candle.volumeQuote,
  };
};
