import { isOpen, type Order } from '../../model/order.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import type { Lots } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { sideToZero } from '../../risk/margin/away-from-zero.ts';
import type { Account } from '../account/account.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';

/** An account without positions is looked at for so long: the report of a last fill may be on its way. */
const SETTLE_US = US_PER_SECOND / 2;
/** A closing that came to nothing, or whose outcome is not known, is sent again after so long. */
const AGAIN_US = 2 * US_PER_SECOND;

export interface MarginClosingSetup {
  readonly scheduler: Scheduler;
  readonly accounts: readonly Account[];
  /** The strategy whose positions are meant; those of all strategies where absent. */
  readonly strategy: string | undefined;
  /** Returns a client order id that nobody has. */
  nextId(identity: string): string;
}

/** The order that closes a position, sent last. */
interface Sent {
  readonly id: string;
  readonly at: Micros;
  readonly strategyAccount: StrategyAccount;
  /** Why the one before came to nothing. */
  readonly before: string | undefined;
}

/** An open position that is to be closed, and whose it is. */
interface Open {
  readonly account: Account;
  readonly strategy: string;
  readonly state: MarginAccountState;
  readonly held: VenuePosition;
}

/**
 * Closes the positions of strategies on margin, of both sides, by market orders of exactly what is open.
 * They only reduce, so that one that is sent again while nobody knows what became of the one before can
 * neither open a position nor turn one around. What comes back by late fills is closed too.
 */
export class MarginClosing {
  readonly #setup: MarginClosingSetup;
  readonly #sent = new Map<string, Sent>();
  #emptySince: Micros;

  constructor(setup: MarginClosingSetup) {
    this.#setup = setup;
    this.#emptySince = setup.scheduler.now();
  }

  /** Sends what is due; true once nothing is open any more. To be called again and again. */
  look(): boolean {
    const now = this.#setup.scheduler.now();
    const open = this.#open();
    for (const one of open) this.#close(one, now);
    if (open.length > 0) this.#emptySince = now;
    if (![...this.#sent.values()].every(hasEnded)) return false;
    return open.length === 0 && (!this.#hasAccounts() || now - this.#emptySince >= SETTLE_US);
  }

  /** What is still open, in words with the reason if one is known. */
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
      // What the market has, however little: an order that fills whole or not at all may close nothing.
      timeInForce: 'IOC',
      margin: { mode: state.mode, reduceOnly: true },
    });
  }

  /**
   * True while the venue has it: another would only be in its way. On a shared account the venue does not hold
   * a closing against the position of its strategy, so that none is sent beside one of unknown outcome.
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
  // One that was sent again in place of another of unknown outcome: the position says what became of it.
  return order === undefined || !isOpen(order) || order.status === 'unknown';
}
