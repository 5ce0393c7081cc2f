import { Decimal, ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isOpen } from '../../model/order.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Lots } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Account } from '../account/account.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';
import type { StrategyRunner } from '../strategy/runner.ts';
import { MarginClosing } from './margin-closing.ts';
import type { OperatorIds } from './operator-ids.ts';
import { waiter } from './condition-wait.ts';

/** How long sales and closings may take before the rest is reported to the operator. */
const WITHIN_US = 10_000_000;

const UNPROTECTED =
  '. The exits that protected positions are canceled too: look at "millrace positions" and flatten again.';

/** A sale in flight. */
interface Sale {
  readonly instrument: Instrument;
  readonly orders: StrategyAccount['orders'];
  readonly id: string;
}

/** The scope of a flattening. */
export interface Flattened {
  readonly runners: readonly StrategyRunner[];
  readonly accounts: readonly Account[];
  /** The strategy whose margin accounts are meant; all that have an owner if absent. */
  readonly strategy: string | undefined;
}

/** Flattens strategies once their orders are canceled. */
export class Flattening {
  readonly #scheduler: Scheduler;
  readonly #ids: OperatorIds;

  constructor(scheduler: Scheduler, ids: OperatorIds) {
    this.#scheduler = scheduler;
    this.#ids = ids;
  }

  /**
   * Sells the strategies' spot holdings at market, rounded down to whole lots, and closes their margin
   * positions, all at once. Throws `outcome-unknown` with what is left.
   */
  async run({ runners, accounts, strategy }: Flattened): Promise<void> {
    // Holdings without an owner may be sold by any strategy without a budget: one does.
    const sold = new Map<string, Decimal>();
    const sales = runners.flatMap((runner) => this.#sellAll(runner, sold));
    const closing = new MarginClosing({
      scheduler: this.#scheduler,
      accounts,
      strategy,
      nextId: (identity) => this.#ids.next(identity),
    });
    const isSold = (): boolean => sales.every((sale) => hasEnded(sale));
    await waiter(this.#scheduler)(() => {
      const isClosed = closing.poll();
      return isSold() && isClosed;
    }, WITHIN_US);
    const unsold = sales.flatMap(leftOfSale);
    const open = closing.left();
    if (unsold.length + open.length === 0) return;
    throw new MillraceError(
      'outcome-unknown',
      `The orders are canceled, and what is held was not all ${open.length === 0 ? 'sold' : 'sold and closed'}: ${[...unsold, ...open].join('; ')}${open.length === 0 ? '' : UNPROTECTED}`,
    );
  }

  /** Returns the sales; `sold` has the amounts sold already, by account and currency. */
  #sellAll(runner: StrategyRunner, sold: Map<string, Decimal>): readonly Sale[] {
    const { account, strategyAccount } = runner;
    const seen = new Set<string>();
    const sales: Sale[] = [];
    for (const instrument of strategyAccount.instruments) {
      const { symbol, baseCurrency } = instrument;
      // A contract has a base currency that is never held.
      if (instrument.isContract || seen.has(baseCurrency)) continue;
      seen.add(baseCurrency);
      const place = `${account.name} ${baseCurrency}`;
      const soldOfIt = sold.get(place) ?? ZERO;
      const left = account.balances.holding(baseCurrency).minus(soldOfIt);
      const mine = runner.own(baseCurrency);
      const held = strategyAccount.budget.amounts === undefined ? Decimal.min(mine, left) : mine;
      if (held.lessThanOrEqualTo(0)) continue;
      const lots: Lots = instrument.lots(held, 'down');
      if (lots === 0) continue;
      sold.set(place, soldOfIt.plus(instrument.size(lots)));
      const clientOrderId = this.#ids.next(account.journal.identity);
      sales.push({ instrument, orders: strategyAccount.orders, id: clientOrderId });
      const type = 'market';
      strategyAccount.operate({
        kind: 'place',
        clientOrderId,
        symbol,
        side: 'sell',
        type,
        lots,
        postOnly: false,
        // Fills as much as the market has: an order that fills whole or not at all may close nothing.
        timeInForce: 'IOC',
      });
    }
    return sales;
  }
}

function hasEnded({ orders, id }: Sale): boolean {
  const order = orders.find(id);
  return order !== undefined && !isOpen(order);
}

const leftOfSale = ({ instrument, orders, id }: Sale): readonly string[] => {
  const order = orders.find(id);
  if (order === undefined) return [];
  if (isOpen(order)) return [`${order.symbol} (nobody knows yet what became of the sale)`];
  if (order.status === 'rejected') return [`${order.symbol} (${order.rejection.message})`];
  const { lots, filledLots } = order;
  if (filledLots >= lots) return [];
  const left = instrument.size((lots - filledLots) as Lots).toFixed();
  return [`${left} of ${order.symbol} (the market took no more of it)`];
};
