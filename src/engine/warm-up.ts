import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';

type Kept = Extract<
  Command,
  { readonly kind: 'target' | 'quote' | 'grid' | 'dca' | 'setMargin' | 'rebalance' }
>;

/** What a command that is kept is for, by which the last one counts. */
function keyOf(command: Kept): string {
  if (command.kind === 'rebalance') return 'portfolio';
  if (command.kind === 'grid' || command.kind === 'dca') return algoKey(command.id);
  const place = `${command.margin ?? 'spot'} ${command.symbol}`;
  return command.kind === 'setMargin' ? `account ${place}` : place;
}

const algoKey = (id: string): string => `algo ${id}`;

/**
 * Holds the commands of the time before a strategy may trade: plain orders are dropped, and what is to be done
 * over a time that has passed; of the managed orders the
 * last for each place, of margin settings the last of each, and the last of the portfolio, are kept for
 * the end.
 */
export class WarmUp {
  readonly #until: Micros | undefined;
  readonly #kept = new Map<string, Kept>();
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
    switch (command.kind) {
      case 'target':
      case 'quote':
      case 'grid':
      case 'dca':
      case 'setMargin':
      case 'rebalance': {
        const key = keyOf(command);
        // Anew at the end of the map, so that they are taken up in the order of their last words.
        this.#kept.delete(key);
        this.#kept.set(key, command);
        return false;
      }
      case 'cancelAll': {
        const { symbol, margin } = command;
        for (const [key, kept] of this.#kept) {
          if (kept.kind === 'setMargin' || kept.kind === 'rebalance') continue;
          if (symbol === undefined || (kept.symbol === symbol && kept.margin === margin))
            this.#kept.delete(key);
        }
        return false;
      }
      case 'cancel':
        if (this.#kept.delete(algoKey(command.clientOrderId))) return false;
        return this.#drop();
      default:
        return this.#drop();
    }
  }

  #drop(): boolean {
    const first = !this.#hasDropped;
    this.#hasDropped = true;
    return first;
  }

  /** Gives what to take up. */
  end(): readonly Kept[] {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    return kept;
  }
}
