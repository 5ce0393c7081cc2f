import type { MarketData } from '../../../exchange/market-data/market-data.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Version } from '../../../wire/trading/rejections.ts';
import { namedSymbol, namedSymbols } from '../market/named.ts';
import type { TradingService } from '../service.ts';
import { answerWith } from './handler.ts';

/** An instrument of which something is written, and what a call asks of it. */
export interface Asked<Params = unknown> {
  readonly service: TradingService;
  readonly market: MarketData;
  readonly index: number;
  readonly instrument: Instrument;
  readonly params: Params;
}

/** The parameters of a call for the symbols of a list; all where it is absent. */
interface OfList<Params> {
  readonly params: Params & { readonly symbols?: readonly string[] | undefined };
}

/** The calls for symbols of a list, and the call for one, which write the same of each. */
export function ofSymbols<Params, T>(
  version: Version,
  write: (asked: Asked<Params>) => T,
  fits?: (instrument: Instrument) => boolean,
) {
  const writerFor = (service: TradingService, params: Params) => {
    const market = service.look();
    return (index: number): T =>
      write({ service, market, index, instrument: service.exchange.instruments[index], params });
  };
  return {
    /** By their symbols. */
    keyed: (service: TradingService, { params }: OfList<Params>) => {
      const one = writerFor(service, params);
      const { instruments } = service.exchange;
      return answerWith(namedSymbols(service, version, params.symbols, fits), (found) =>
        Object.fromEntries(found.map((index) => [instruments[index].symbol, one(index)])),
      );
    },
    listed: (service: TradingService, { params }: OfList<Params>) => {
      const one = writerFor(service, params);
      return answerWith(namedSymbols(service, version, params.symbols, fits), (found) =>
        found.map(one),
      );
    },
    one: (
      service: TradingService,
      { path, params }: { readonly path: { readonly symbol: string }; readonly params: Params },
    ) => {
      const one = writerFor(service, params);
      return answerWith(namedSymbol(service, version, path.symbol, fits), one);
    },
  };
}
