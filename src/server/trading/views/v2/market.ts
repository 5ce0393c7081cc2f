import type { MarketCandle } from '../../../../exchange/market-data/market-candle.ts';
import type { Level } from '../../../../exchange/market-data/book-log.ts';
import type { BookSnapshot, VolumeLevels } from '../../../../exchange/market-data/public-book.ts';
import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Ticker } from '../../../../exchange/market-data/ticker.ts';
import type { Currency } from '../../../../model/currency.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import { inVersion2 } from '../../../../wire/trading/v2/names.ts';
import * as market from '../../../../wire/trading/v2/records/market.ts';
import { maxLeverage } from '../leverage.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { levelTexts } from '../market-numbers.ts';
import * as v3 from '../v3/market.ts';

/** Market data as version 2 shows it, over REST and on its socket. */

/** A currency with what holds on its default network. */
export function currencyView(currency: Currency): Writable<typeof market.currency> {
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

export function symbolView(instrument: Instrument): Writable<typeof market.symbol> {
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

export const tickerView = (ticker: Ticker): Writable<typeof market.ticker> => ({
  ...inVersion2(v3.tickerView(ticker)),
  symbol: ticker.instrument.symbol,
});

export const tradeView = (
  instrument: Instrument,
  trade: PublicTrade,
): Writable<typeof market.publicTrade> =>
  inVersion2(v3.tradeView(instrument, trade), market.TRADE_NAMES);

/** Levels of a side. */
export const levelViews = (
  instrument: Instrument,
  levels: readonly Level[],
): Writable<typeof market.level>[] => {
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
): Writable<typeof market.orderBook> =>
  inLevels(instrument, v3.bookView(instrument, book, now), book.asks, book.bids);

/** A book up to a volume, with the average prices of that volume. */
export const volumeBookView = (
  instrument: Instrument,
  volumes: { readonly asks: VolumeLevels; readonly bids: VolumeLevels },
  at: Micros,
): Writable<typeof market.orderBook> =>
  inLevels(
    instrument,
    v3.volumeBookView(instrument, volumes, at),
    volumes.asks.levels,
    volumes.bids.levels,
  );

const inLevels = (
  instrument: Instrument,
  book: ReturnType<typeof v3.bookView>,
  asks: readonly Level[],
  bids: readonly Level[],
): Writable<typeof market.orderBook> => ({
  symbol: instrument.symbol,
  ...inVersion2(book),
  ask: levelViews(instrument, asks),
  bid: levelViews(instrument, bids),
});

export const candleView = (candle: MarketCandle): Writable<typeof market.candle> =>
  inVersion2(v3.candleView(candle));
