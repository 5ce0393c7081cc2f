import type { Instrument } from '../model/instrument.ts';
import { NONE } from './orders/orders.ts';

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
    if (symbol !== this.#symbol) {
      this.#index = this.indexes.get(symbol) ?? NONE;
      this.#symbol = symbol;
    }
    return this.#index;
  }
}
