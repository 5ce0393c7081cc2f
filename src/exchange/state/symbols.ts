import type { Instrument } from '../../model/instrument.ts';
import { NONE } from '../orders/orders.ts';

/** Finds instruments by their symbols. */
export class Symbols {
  declare private readonly indexes: ReadonlyMap<string, number>;
  /** What was asked for last, which is mostly asked for again. */
  #symbol = '';
  #index = NONE;

  constructor(instruments: readonly Instrument[]) {
    this.indexes = new Map(instruments.map((instrument, index) => [instrument.symbol, index]));
  }

  /** Index of a symbol among the instruments, NONE when it is none of theirs. */
  index(symbol: string): number {
    if (symbol === this.#symbol) return this.#index;
    const index = this.indexes.get(symbol);
    if (index === undefined) return NONE;
    this.#symbol = symbol;
    this.#index = index;
    return index;
  }
}
