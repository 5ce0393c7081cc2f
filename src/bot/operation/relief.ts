import type { StoredMarginAccount } from '../../engine/account/margin-store.ts';
import { marginAccountId } from '../../model/margin-account.ts';
import { isOpen, type Order } from '../../model/order.ts';
import { priceOf } from '../../model/prices.ts';
import type { Lots } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import { CLOSE_RETRY_US, type NearLiquidation } from '../../risk/guards/liquidation.ts';
import { reducingOrder } from '../../risk/margin/reduction.ts';
import { lotsAt } from '../../rules/margin/shared-account.ts';
import type { Log } from '../../strategy/context.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';
import type { Guards } from '../risk/guards.ts';
import type { OperatorIds } from './operator-ids.ts';

/** A position that is too near to its liquidation, by the limit of a strategy or of the account. */
type NearPosition = NearLiquidation & { readonly strategy?: string | undefined };

/** The order that was sent for a position last. */
interface Sent {
  readonly id: string;
  readonly at: Micros;
  readonly isShared: boolean;
  readonly strategyAccount: StrategyAccount;
  readonly near: NearLiquidation;
  /** The guards that found it too near; they learn when the order changed nothing. */
  readonly guards: Guards;
}

/** Reduces positions too near to their liquidation: one order for each breach. */
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
   * Closes as much of a position as restores the given distance, without checking limits. An order already
   * in flight for it suffices, such as one for the limit of its account beside that of its strategy. On a
   * shared account the limit of a strategy closes its own part, and that of the account the parts on the
   * side of the net position, the largest first.
   */
  reduce({ account, hub }: AccountContext, near: NearPosition, guards: Guards): void {
    const { symbol, mode, distance, strategy } = near;
    if (distance === undefined) return;
    const instrument = account.instruments.known(symbol);
    const kept = account.margin.store.find(marginAccountId(instrument, mode)) ?? {};
    const isShared = kept.parts !== undefined;
    const holders = holdersOf(kept, symbol, strategy);
    const keyOf = (holder: string): string => `${account.name} ${mode} ${symbol} ${holder}`;
    const sent = holders.flatMap((one) => this.#sent.get(keyOf(one.strategy)) ?? []);
    if (sent.some((one) => isUnderway(orderOf(one), isShared))) return;
    if (holders.length === 0) {
      this.#log.warn(`The position in ${symbol} on ${mode} margin of account ${account.name} is not made smaller, as no strategy of the bot trades it: look at it at the venue.`); // prettier-ignore
      return;
    }
    const view = {
      instrument: (one: string) => account.instruments.known(one),
      margin: account.margin.view(isShared ? strategy : undefined),
      touch: (one: string, side: 'buy' | 'sell') => {
        const state = hub.states.get(one);
        return state && priceOf(account.instruments.known(one), state.prices.touch(side));
      },
    };
    let left: number | undefined;
    for (const { strategy: holder, lots: held } of holders) {
      const strategyAccount = account.strategies.of(holder, symbol);
      const id = this.#ids.next(account.journal.identity);
      const order = reducingOrder({ symbol, mode, distance }, view, id);
      if (order === undefined || left === 0) return;
      left ??= order.lots;
      if (strategyAccount === undefined) continue;
      const lots = Math.min(left, held) as Lots;
      left -= lots;
      this.#sent.set(keyOf(holder), { id, at: this.#scheduler.now(), isShared, strategyAccount, near, guards }); // prettier-ignore
      const size = instrument.size(lots).toFixed();
      const whose = isShared ? ` of strategy ${holder}` : '';
      this.#log.warn(`${size} of the position${whose} in ${symbol} on ${mode} margin is closed at market, to bring it back from its liquidation.`, { symbol, margin: mode, clientOrderId: id }); // prettier-ignore
      strategyAccount.operate({ ...order, lots });
    }
  }

  /** Reports failed reductions again; called repeatedly. */
  poll(): void {
    const now = this.#scheduler.now();
    for (const [key, sent] of this.#sent) {
      const order = orderOf(sent);
      if (isUnderway(order, sent.isShared) || now - sent.at < CLOSE_RETRY_US) continue;
      this.#sent.delete(key);
      if (order !== undefined && order.filledLots > 0) continue;
      sent.guards.retryLiquidation(sent.near.symbol, sent.near.mode);
    }
  }
}

const orderOf = ({ id, strategyAccount }: Sent): Order | undefined =>
  strategyAccount.orders.find(id);

/**
 * True while its outcome is open. One of unknown outcome is reduce-only, so another may follow, but not on
 * a shared account, where the venue does not compare it with its strategy's position.
 */
const isUnderway = (order: Order | undefined, isShared: boolean): boolean =>
  order !== undefined && isOpen(order) && (isShared || order.status !== 'unknown');

/** A strategy whose position can be reduced, and by how many lots. */
interface Holder {
  readonly strategy: string;
  readonly lots: number;
}

/**
 * Owners of a position: of a shared account the given strategy, or if none is given, those on the side of
 * the net position, the largest first.
 */
function holdersOf(
  { state, strategy: owner, parts }: StoredMarginAccount,
  symbol: string,
  strategy: string | undefined,
): readonly Holder[] {
  if (parts === undefined) {
    return owner === undefined ? [] : [{ strategy: owner, lots: Number.POSITIVE_INFINITY }];
  }
  const net = state === undefined ? 0 : lotsAt(state, symbol);
  return parts.shares
    .filter((one) => strategy === undefined || one.strategy === strategy)
    .map((one) => {
      const held = lotsAt(one.state, symbol);
      const isMeant = strategy !== undefined || Math.sign(held) === Math.sign(net);
      return { strategy: one.strategy, lots: isMeant ? Math.abs(held) : 0 };
    })
    .filter(({ lots }) => lots > 0)
    .sort((one, other) => other.lots - one.lots);
}
