import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';

type Wish = Extract<Command, { readonly kind: 'target' | 'quote' | 'rebalance' }>;

/**
 * Holds the commands of the time before a strategy may trade: plain orders are dropped, of the
 * wishes the last for each symbol, and the last of the portfolio, is kept for the end.
 */
export class WarmUp {
  readonly #until: Micros | undefined;
  /** By symbol; that of the portfolio has none. */
  readonly #wishes = new Map<string | undefined, Wish>();
  #hasDropped = false;

  constructor(until: Micros | undefined) {
    this.#until = until;
  }

  /** When it ends, `undefined` when that has passed. */
  until(now: Micros): Micros | undefined {
    return this.holds(now) ? this.#until : undefined;
  }

  /** True while commands are held back. */
  holds(now: Micros): boolean {
    return this.#until !== undefined && now < this.#until;
  }

  /** Takes a command; gives true for the first that is dropped. */
  hold(command: Command): boolean {
    if (command.kind === 'target' || command.kind === 'quote' || command.kind === 'rebalance') {
      const symbol = command.kind === 'rebalance' ? undefined : command.symbol;
      // Anew at the end of the map, so that wishes are taken up in the order of their last words.
      this.#wishes.delete(symbol);
      this.#wishes.set(symbol, command);
      return false;
    }
    if (command.kind === 'cancelAll') {
      this.#end(command.symbol);
      return false;
    }
    const first = !this.#hasDropped;
    this.#hasDropped = true;
    return first;
  }

  /** Drops the wish of a symbol or of all; no order is of the portfolio. */
  #end(symbol: string | undefined): void {
    for (const one of this.#wishes.keys()) {
      if (one !== undefined && one === (symbol ?? one)) this.#wishes.delete(one);
    }
  }

  /** Gives the wishes to take up. */
  end(): readonly Wish[] {
    const wishes = [...this.#wishes.values()];
    this.#wishes.clear();
    return wishes;
  }
}
