import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Rejection } from '../../model/rejections.ts';
import { quoted } from '../../rules/quoted.ts';
import { NONE } from '../orders/orders.ts';

/** Finds instruments by their symbols. */
export class Symbols {
  declare private readonly instruments: readonly Instrument[];
  declare private readonly indexes: ReadonlyMap<string, number>;
  /** The last symbol looked up, which is usually the next one too. */
  #symbol = '';
  #index = NONE;

  constructor(instruments: readonly Instrument[]) {
    this.instruments = instruments;
    this.indexes = new Map(instruments.map((instrument, index) => [instrument.symbol, index]));
  }

  /** Index of a symbol among the instruments, NONE if it is unknown. */
  index(symbol: string): number {
    if (symbol === this.#symbol) return this.#index;
    const index = this.indexes.get(symbol);
    if (index === undefined) return NONE;
    this.#symbol = symbol;
    this.#index = index;
    return index;
  }

  /** Index of a symbol, or its rejection. */
  find(symbol: string): number | Rejection {
    const index = this.index(symbol);
    return index === NONE ? this.unknown(symbol) : index;
  }

  /** Index of a symbol; throws `symbol-unknown`. */
  known(symbol: string): number {
    const found = this.find(symbol);
    if (typeof found === 'number') return found;
    throw new MillraceError('symbol-unknown', found.message, { field: 'symbol' });
  }

  /** Instruments of a list's orders, or the first rejection. */
  findAll(orders: readonly { readonly symbol: string }[]): readonly number[] | Rejection {
    const found = orders.map(({ symbol }) => this.index(symbol));
    const unknown = found.indexOf(NONE);
    if (unknown < 0) return found;
    return { ...this.unknown(orders[unknown].symbol), field: `orders[${unknown}].symbol` };
  }

  unknown(symbol: string): Rejection {
    return unknownSymbol(symbol, this.instruments);
  }
}

export const unknownSymbol = (symbol: string, instruments: readonly Instrument[]): Rejection => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `There is no symbol ${quoted(symbol)} here; there are ${instruments.map((i) => i.symbol).join(', ')}.`,
});
