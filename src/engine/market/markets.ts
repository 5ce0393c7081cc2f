import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { InstrumentMarket } from './instrument-market.ts';

/** Markets of a run, by index and by symbol. */
export class Markets {
  readonly all: readonly InstrumentMarket[];
  readonly #bySymbol: ReadonlyMap<string, InstrumentMarket>;

  constructor(all: readonly InstrumentMarket[]) {
    this.all = all;
    this.#bySymbol = new Map(all.map((market) => [market.instrument.symbol, market]));
  }

  find(symbol: string): InstrumentMarket | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** The instrument of a symbol; throws `symbol-unknown`. */
  readonly instrumentOf = (symbol: string): Instrument => this.get(symbol).instrument;

  /** Throws `symbol-unknown`. */
  get(symbol: string): InstrumentMarket {
    const market = this.find(symbol);
    if (market !== undefined) return market;
    if (typeof symbol !== 'string') throw noSymbol(symbol);
    const known = [...this.#bySymbol.keys()].join(', ');
    const has = known === '' ? 'it has none, as no symbols are configured' : `it has ${known}`;
    throw new MillraceError(
      'symbol-unknown',
      `There is no instrument "${symbol}" in this run; ${has}.`,
      { field: 'symbol' },
    );
  }
}

/** Market data belong to the instrument, not to a margin market. */
function noSymbol(given: unknown): MillraceError {
  const { symbol, margin } = Object(given) as {
    readonly symbol?: unknown;
    readonly margin?: unknown;
  };
  const what =
    typeof symbol === 'string'
      ? `${String(margin)}('${symbol}') is a place on margin, and market data and spot streams are of a plain symbol: write '${symbol}'.`
      : "That is not a symbol: write it as text, such as 'BTCUSDT'.";
  return new MillraceError('symbol-unknown', what, { field: 'symbol' });
}
