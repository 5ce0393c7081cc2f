import { marginPlaceOf } from '../../model/margin-account.ts';
import { isOpen, type Order } from '../../model/order.ts';
import { priceOf } from '../../model/prices.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { NearLiquidation } from '../../risk/guards/liquidation.ts';
import { reducingOrder } from '../../risk/margin/reduction.ts';
import type { Log } from '../../strategy/context.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';
import type { Guards } from '../risk/guards.ts';
import type { OperatorIds } from './operator-ids.ts';

/** A closing of which nothing came is sent again after so long, while the position is too near. */
const AGAIN_US = 10 * US_PER_SECOND;

/** The order that was sent for a position last. */
interface Sent {
  readonly id: string;
  readonly at: Micros;
  readonly strategyAccount: StrategyAccount;
  readonly near: NearLiquidation;
  /** Who found it too near, and is told where nothing came of it. */
  readonly guards: Guards;
}

/** Makes positions smaller that have come too near to their liquidation: one order for each breach. */
export class Relief {
  readonly #scheduler: Scheduler;
  readonly #log: Log;
  readonly #ids: OperatorIds;
  readonly #sent = new Map<string, Sent>();

  constructor(scheduler: Scheduler, log: Log, ids: OperatorIds) {
    this.#scheduler = scheduler;
    this.#log = log;
    this.#ids = ids;
  }

  /**
   * Closes as much of a position as brings it back to the distance that was told, past all limits. Where an order
   * of it is on its way already, as for the limit of its account beside that of its strategy, that one does.
   */
  reduce({ account, hub }: AccountContext, near: NearLiquidation, guards: Guards): void {
    const { symbol, mode, distance } = near;
    if (distance === undefined) return;
    const key = `${account.name} ${mode} ${symbol}`;
    const before = this.#sent.get(key);
    if (before !== undefined && isUnderway(orderOf(before))) return;
    const instrument = account.instruments.known(symbol);
    const owner = account.margin.store.find(marginPlaceOf(instrument, mode))?.strategy;
    const strategyAccount = owner === undefined ? undefined : account.strategies.of(owner, symbol);
    if (strategyAccount === undefined) {
      this.#log.warn(`The position in ${symbol} on ${mode} margin of account ${account.name} is not made smaller, as no strategy of the bot trades it: look at it at the venue.`); // prettier-ignore
      return;
    }
    const view = {
      instrument: (one: string) => account.instruments.known(one),
      margin: account.margin.view(),
      touch: (one: string, side: 'buy' | 'sell') => {
        const state = hub.states.get(one);
        return state && priceOf(account.instruments.known(one), state.prices.touch(side));
      },
    };
    const id = this.#ids.next(account.journal.identity);
    const order = reducingOrder({ symbol, mode, distance }, view, id);
    if (order === undefined) return;
    this.#sent.set(key, { id, at: this.#scheduler.now(), strategyAccount, near, guards });
    const size = instrument.size(order.lots).toFixed();
    this.#log.warn(`${size} of the position in ${symbol} on ${mode} margin is closed at market, to bring it back from its liquidation.`, { symbol, margin: mode, clientOrderId: id }); // prettier-ignore
    strategyAccount.operate(order);
  }

  /** Lets what nothing came of be found again; called again and again. */
  look(): void {
    const now = this.#scheduler.now();
    for (const [key, sent] of this.#sent) {
      const order = orderOf(sent);
      if (isUnderway(order) || now - sent.at < AGAIN_US) continue;
      this.#sent.delete(key);
      if (order !== undefined && order.executedLots > 0) continue;
      sent.guards.stillNear(sent.near.symbol, sent.near.mode);
    }
  }
}

const orderOf = ({ id, strategyAccount }: Sent): Order | undefined =>
  strategyAccount.orders.find(id);

/** True while nobody knows yet what it comes to; one of unknown outcome only reduces, so another may follow. */
const isUnderway = (order: Order | undefined): boolean =>
  order !== undefined && isOpen(order) && order.status !== 'unknown';
