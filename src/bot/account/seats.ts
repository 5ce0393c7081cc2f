import type { Scheduler } from '../../platform/scheduler.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { StrategySettings } from '../settings/settings.ts';
import type { AccountBalances } from './balances.ts';
import type { AccountInstruments } from './instruments.ts';
import type { MarketHub } from './market-hub.ts';
import { Purse } from './purse.ts';
import type { RequestQueue } from './request-queue.ts';
import { Seat, type SeatOptions } from './seat.ts';

export interface SeatsOptions {
  /** Name of the account. */
  readonly name: string;
  readonly journal: Journal;
  readonly instruments: AccountInstruments;
  readonly balances: AccountBalances;
  readonly queue: RequestQueue;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Limits of all strategies together. */
  readonly limits: RiskSettings;
}

/** The strategies of an account: those that are configured, and those whose orders are still open. */
export class Seats {
  readonly all: Seat[] = [];
  /** Those that belong to no configured strategy. */
  readonly orphans: Seat[] = [];
  readonly #options: SeatsOptions;
  #hub: MarketHub | undefined;
  #isComplete = false;

  constructor(options: SeatsOptions) {
    this.#options = options;
  }

  /** Sets the market data of the account, before the first seat. */
  trade(hub: MarketHub): void {
    this.#hub = hub;
  }

  /** Gives a strategy its place, with its orders and money as the journal has them. */
  add({ name, symbols, budget, risk: limits }: StrategySettings): Seat {
    const { journal, instruments } = this.#options;
    const purse = new Purse(budget);
    for (const { currency, change } of journal.holdings(name)) purse.restore(currency, change);
    const traded = symbols.map((symbol) => instruments.get(symbol));
    return this.#seat({ name, instruments: traded, purse, limits });
  }

  /**
   * Takes in the open orders that no configured strategy has: of a strategy that was renamed or
   * removed, or in a symbol that it does not trade any more. They are shown, count against the
   * limits of the account and are canceled with all others. Comes once, when the others are there.
   */
  openOrphans(): void {
    const { name, journal, log } = this.#options;
    this.#isComplete = true;
    for (const { strategy, symbol } of journal.openOrders()) this.of(strategy, symbol);
    for (const orphan of this.orphans) {
      const open = orphan.orders.open().map(({ clientOrderId, symbol }) => `${clientOrderId} (${symbol})`); // prettier-ignore
      log.warn(
        `Strategy ${orphan.name} is not configured on account ${name}, or not for these symbols, and has orders open: ${open.join(', ')}. They count against the limits of the account; "millrace halt" and the end of the bot cancel them.`,
      );
    }
  }

  /** The seat of a strategy's orders in a symbol; one without a strategy where none is configured. */
  of(strategy: string, symbol: string): Seat | undefined {
    const found = this.all.find(({ orders }) => orders.has({ strategy, symbol }));
    if (found !== undefined || !this.#isComplete) return found;
    const { instruments, limits } = this.#options;
    const traded = [instruments.known(symbol)];
    const purse = new Purse(undefined);
    const orphan = this.#seat({ name: strategy, instruments: traded, purse, limits });
    this.orphans.push(orphan);
    return orphan;
  }

  #seat(of: Pick<SeatOptions, 'name' | 'instruments' | 'purse' | 'limits'>): Seat {
    const { name: account, journal, balances, queue, scheduler } = this.#options;
    const hub = this.#hub;
    if (hub === undefined) throw new RangeError(`the market of ${account} is not there yet`);
    const { orders } = journal;
    const seat = new Seat({ ...of, account, orders, balances, hub, queue, scheduler });
    this.all.push(seat);
    return seat;
  }
}
