import { isOpen, type Order } from '../../model/order.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import type { Lots } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { sideToZero } from '../../risk/margin/away-from-zero.ts';
import type { Account } from '../account/account.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';

/** How long an account without positions is watched: the report of a last fill may be in flight. */
const SETTLE_US = US_PER_SECOND / 2;
/** Delay before a failed closing, or one with an unknown outcome, is sent again. */
const AGAIN_US = 2 * US_PER_SECOND;

export interface MarginClosingSetup {
  readonly scheduler: Scheduler;
  readonly accounts: readonly Account[];
  /** The strategy whose positions are closed; those of all strategies if absent. */
  readonly strategy: string | undefined;
  /** Returns an unused client order id. */
  nextId(identity: string): string;
}

/** The order that closes a position, sent last. */
interface Sent {
  readonly id: string;
  readonly at: Micros;
  readonly strategyAccount: StrategyAccount;
  /** Why the previous one failed. */
  readonly before: string | undefined;
}

/** An open position to close, and its owner. */
interface Open {
  readonly account: Account;
  readonly strategy: string;
  readonly state: MarginAccountState;
  readonly held: VenuePosition;
}

/**
 * Closes margin positions of strategies, of both sides, by market orders of exactly the open quantity. They
 * are reduce-only, so that one sent again after an unknown outcome can neither open nor flip a position.
 * Quantities of late fills are closed too.
 */
export class MarginClosing {
  readonly #setup: MarginClosingSetup;
  readonly #sent = new Map<string, Sent>();
  #emptySince: Micros;

  constructor(setup: MarginClosingSetup) {
    this.#setup = setup;
    this.#emptySince = setup.scheduler.now();
  }

  /** Sends due orders; true once nothing is open any more. Called repeatedly. */
  poll(): boolean {
    const now = this.#setup.scheduler.now();
    const open = this.#open();
    for (const one of open) this.#close(one, now);
    if (open.length > 0) this.#emptySince = now;
    if (![...this.#sent.values()].every(hasEnded)) return false;
    return open.length === 0 && (!this.#hasAccounts() || now - this.#emptySince >= SETTLE_US);
  }

  /** Open positions as text, with the reason if known. */
  left(): readonly string[] {
    return this.#open().map((one) => {
      const { account, held, state } = one;
      const size = account.instruments.known(held.symbol).size(Math.abs(held.lots) as Lots);
      const side = held.lots < 0 ? 'short' : 'long';
      const why = this.#reasonOf(this.#sent.get(keyOf(one)));
      return `${held.symbol} is ${side} ${size.toFixed()} on ${state.mode} margin (${why})`;
    });
  }

  #close(one: Open, now: Micros): void {
    const { account, strategy, state, held } = one;
    const before = this.#sent.get(keyOf(one));
    if (before !== undefined && (now - before.at < AGAIN_US || this.#works(before, one))) return;
    const side = sideToZero(held.lots);
    const strategyAccount = account.strategies.of(strategy, held.symbol);
    if (side === undefined || strategyAccount === undefined) return;
    const id = this.#setup.nextId(account.journal.identity);
    this.#sent.set(keyOf(one), {
      id,
      at: now,
      strategyAccount,
      before: before && this.#reasonOf(before),
    });
    const type = 'market';
    strategyAccount.operate({
      kind: 'place',
      clientOrderId: id,
      symbol: held.symbol,
      side,
      type,
      postOnly: false,
      lots: Math.abs(held.lots) as Lots,
      // Fills as much as the market has: an order that fills whole or not at all may close nothing.
      timeInForce: 'IOC',
      margin: { mode: state.mode, reduceOnly: true },
    });
  }

  /**
   * True while the venue has it: another would only conflict. On a shared account the venue does not
   * compare a closing with its strategy's position, so none is sent beside one of unknown outcome.
   */
  #works(sent: Sent, { account, state }: Open): boolean {
    const order = this.#orderOf(sent);
    if (order === undefined || !isOpen(order)) return false;
    return order.status !== 'unknown' || account.margin.store.find(state)?.parts !== undefined;
  }

  #orderOf(sent: Sent | undefined): Order | undefined {
    return sent?.strategyAccount.orders.find(sent.id);
  }

  #reasonOf(sent: Sent | undefined): string {
    const order = this.#orderOf(sent);
    if (order === undefined) return sent?.before ?? 'it could not be sent';
    if (order.status === 'rejected') return order.rejection.message;
    if (order.status === 'unknown') return 'nobody knows what became of the order that closes it';
    return isOpen(order)
      ? (sent?.before ?? 'the order that closes it has not ended')
      : 'the market took no more of it, or the venue has not sent the position yet';
  }

  #open(): readonly Open[] {
    const { accounts, strategy: meant } = this.#setup;
    return accounts.flatMap((account) =>
      account.margin.store.owned().flatMap(({ strategy, state }) => {
        if (meant !== undefined && strategy !== meant) return [];
        return state.positions.map((held) => ({ account, strategy, state, held }));
      }),
    );
  }

  #hasAccounts(): boolean {
    const { accounts, strategy: meant } = this.#setup;
    return accounts.some(({ margin }) =>
      margin.store.owned().some(({ strategy }) => (meant ?? strategy) === strategy),
    );
  }
}

const keyOf = ({ account, strategy, state, held }: Open): string =>
  `${account.name} ${strategy} ${state.mode} ${held.symbol}`;

function hasEnded({ id, strategyAccount }: Sent): boolean {
  const order = strategyAccount.orders.find(id);
  // Sent again after one of unknown outcome: the position shows the result.
  return order === undefined || !isOpen(order) || order.status === 'unknown';
}
