import type { Sampled } from '../../../../../exchange/market-data/market-data.ts';
import type { SampledCandle } from '../../../../../exchange/market-data/sampled-series.ts';
import type { Decimal } from '../../../../../model/decimal.ts';
import type { Instrument } from '../../../../../model/instrument.ts';
import { atScale } from '../../../../../wire/trading/printing.ts';
import type { publicCalls } from '../../../../../wire/trading/v3/calls/public.ts';
import { isContract, namedSymbol, namedSymbols } from '../../../market/named.ts';
import { timesPage } from '../../../market/pages.ts';
import { finePriceText } from '../../../views/market-numbers.ts';
import { fundingView, futuresInfoOf } from '../../../views/v3/futures-info.ts';
import { sampledCandleView } from '../../../views/v3/market.ts';
import type { RestHandler, RestHandlers } from '../../handler.ts';
import { bySymbol, ofFound } from '../../keyed.ts';

type Calls = typeof publicCalls;
type Names =
  | 'getFuturesInfos'
  | 'getFuturesInfo'
  | 'getFundings'
  | 'getFundingsOfSymbol'
  | 'getIndexPriceCandles'
  | 'getIndexPriceCandlesOfSymbol'
  | 'getMarkPriceCandles'
  | 'getMarkPriceCandlesOfSymbol'
  | 'getPremiumIndexCandles'
  | 'getPremiumIndexCandlesOfSymbol'
  | 'getOpenInterestCandles'
  | 'getOpenInterestCandlesOfSymbol';

/** Of each series how its values are written. */
const TEXTS: Readonly<
  Record<Sampled, (instrument: Instrument, value: Decimal) => Decimal | string>
> = {
  index: finePriceText,
  mark: finePriceText,
  premiumIndex: (_, value) => value,
  openInterest: ({ quantityIncrement }, value) => atScale(value, quantityIncrement),
};

/** The candles of a series; a call of many contracts and a call of one differ only in their answer. */
const candlesOf = (name: Sampled, instrument: Instrument, candles: readonly SampledCandle[]) =>
  candles.map((candle) => sampledCandleView(candle, (value) => TEXTS[name](instrument, value)));

const ofAll =
  (name: Sampled): RestHandler<Calls['getIndexPriceCandles']> =>
  (service, { params }) => {
    const market = service.look();
    const found = namedSymbols(service, 3, params.symbols, isContract);
    return bySymbol(service, found, (instrument, index) => {
      const series = market.series(index, name);
      const candles = series.query(params.period, timesPage(params), service.now());
      return candlesOf(name, instrument, candles);
    });
  };

const ofOne =
  (name: Sampled): RestHandler<Calls['getIndexPriceCandlesOfSymbol']> =>
  (service, { path, params }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 3, path.symbol, isContract), (index) => {
      const series = market.series(index, name);
      const candles = series.query(params.period, timesPage(params), service.now());
      return candlesOf(name, service.exchange.instruments[index], candles);
    });
  };

/** Market data of futures contracts. Any other symbol is not found here. */
export const futuresHandlers: RestHandlers<Pick<Calls, Names>> = {
  getFuturesInfos: (service, { params }) => {
    service.look();
    const found = namedSymbols(service, 3, params.symbols, isContract);
    return bySymbol(service, found, (_, index) => futuresInfoOf(service, index));
  },
  getFuturesInfo: (service, { path }) => {
    service.look();
    return ofFound(namedSymbol(service, 3, path.symbol, isContract), (index) =>
      futuresInfoOf(service, index),
    );
  },
  getFundings: (service, { params }) => {
    service.look();
    const found = namedSymbols(service, 3, params.symbols, isContract);
    return bySymbol(service, found, (_, index) =>
      service.fundings.query(index, timesPage(params)).map(fundingView),
    );
  },
  getFundingsOfSymbol: (service, { path, params }) => {
    service.look();
    return ofFound(namedSymbol(service, 3, path.symbol, isContract), (index) =>
      service.fundings.query(index, timesPage(params)).map(fundingView),
    );
  },
  getIndexPriceCandles: ofAll('index'),
  getIndexPriceCandlesOfSymbol: ofOne('index'),
  getMarkPriceCandles: ofAll('mark'),
  getMarkPriceCandlesOfSymbol: ofOne('mark'),
  getPremiumIndexCandles: ofAll('premiumIndex'),
  getPremiumIndexCandlesOfSymbol: ofOne('premiumIndex'),
  getOpenInterestCandles: ofAll('openInterest'),
  getOpenInterestCandlesOfSymbol: ofOne('openInterest'),
};
