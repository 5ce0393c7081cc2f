import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';

type Kept = Extract<
  Command,
  { readonly kind: 'target' | 'quote' | 'grid' | 'dca' | 'setMargin' | 'rebalance' }
>;

/** Key of a kept command; the last command of a key counts. */
function keyOf(command: Kept): string {
  if (command.kind === 'rebalance') return 'portfolio';
  if (command.kind === 'grid' || command.kind === 'dca') return algoKey(command.id);
  const place = `${command.margin ?? 'spot'} ${command.symbol}`;
  return command.kind === 'setMargin' ? `account ${place}` : place;
}

const algoKey = (id: string): string => `algo ${id}`;

/**
 * Holds the commands before a strategy may trade: drops plain orders and algo orders; keeps the
 * last managed order of each market, the last of each margin setting, and the last rebalance.
 */
export class WarmUp {
  readonly #until: Micros | undefined;
  readonly #kept = new Map<string, Kept>();
  #hasDropped = false;

  constructor(until: Micros | undefined) {
    this.#until = until;
  }

  /** When it ends, `undefined` if that has passed. */
  until(now: Micros): Micros | undefined {
    return this.holds(now) ? this.#until : undefined;
  }

  /** True while commands are held back. */
  holds(now: Micros): boolean {
    return this.#until !== undefined && now < this.#until;
  }

  /** Holds a command; returns true for the first that is dropped. */
  hold(command: Command): boolean {
    switch (command.kind) {
      case 'target':
      case 'quote':
      case 'grid':
      case 'dca':
      case 'setMargin':
      case 'rebalance': {
        const key = keyOf(command);
        // Moves the key to the end of the map, so that commands start in the order of their last
        // emission.
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

  /** Returns the commands to start. */
  end(): readonly Kept[] {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    return kept;
  }
}
