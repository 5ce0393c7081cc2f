import type { Exchange } from '../../exchange/exchange.ts';
import { endlessMarket } from '../../feeds/generator.ts';
import type { MarketParameters } from '../../feeds/synthetic/parameters.ts';
import type { FairPrice } from '../../feeds/synthetic/value.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { RecordedRows } from './rows.ts';
import type { MarketSource } from './source.ts';

/** Inputs of a synthetic market. */
export interface Making {
  readonly parameters: MarketParameters;
  /** The price that its makers follow; an own value if absent. */
  readonly priceOf?: (random: Random) => FairPrice;
}

/** A market generated at random from a seed while it runs. */
export class Generated implements MarketSource {
  readonly symbols: readonly string[];
  nextAt: number;
  readonly #instrument: Instrument;
  readonly #index: number;
  readonly #seed: number;
  readonly #making: () => Making | undefined;
  readonly #rows = new RecordedRows();
  #market: Generator<number, void, undefined> | undefined;

  /**
   * `making` is called when the market should begin, and again later if it cannot yet: a market that
   * follows another one needs that one's price.
   */
  constructor(
    place: { readonly instrument: Instrument; readonly index: number },
    seed: number,
    startAt: Micros,
    making: () => Making | undefined,
  ) {
    this.symbols = [place.instrument.symbol];
    this.#instrument = place.instrument;
    this.#index = place.index;
    this.#seed = seed;
    this.#making = making;
    this.nextAt = startAt;
  }

  play(exchange: Exchange, at: Micros): number {
    if (this.#market === undefined) this.#begin();
    const rows = this.#rows.play(exchange, this.#index, at);
    this.#prepare();
    return rows;
  }

  close(): void {
    this.#market?.return();
    this.nextAt = Number.POSITIVE_INFINITY;
  }

  #begin(): void {
    const making = this.#making();
    if (making === undefined) return;
    const { parameters: market, priceOf } = making;
    const startAt = micros(this.nextAt);
    const options = { seed: this.#seed, instrument: this.#instrument.terms, startAt, market };
    this.#market = endlessMarket(options, this.#rows, priceOf);
    // The initial book, before the first event.
    this.#market.next();
  }

  /** Generates the next event; some of them change nothing. */
  #prepare(): void {
    if (this.#market === undefined) {
      this.nextAt += RETRY_US;
      return;
    }
    while (this.#rows.length === 0) this.#market.next();
    this.nextAt = this.#rows.at;
  }
}

/** A market that could not begin tries again after this time. */
const RETRY_US = 100_000;
