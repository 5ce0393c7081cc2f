import { ZERO, type Decimal } from '../../model/decimal.ts';
import { unrealisedPnl } from '../../rules/margin/position-value.ts';
import { bankruptcySteps } from '../../rules/margin/threshold-price.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Deleverage } from './deleverage.ts';
import { LIQUIDATION } from '../positions/flags.ts';
import type { Hands } from './system-orders.ts';
import type { MarkPrices } from '../positions/prices.ts';
import type { Reducing } from '../stages/reducing.ts';
import type { Reserves } from '../clearing/requirement.ts';
import type { Vault } from '../clearing/funds.ts';
import type { Watch } from '../clearing/standing.ts';

/**
 * Liquidates an account that is beyond its limit: cancels its orders, tests again, and sells or buys
 * back what it holds at the market, the position with the largest loss first, until it is safe or
 * flat. What its funds and the insurance fund together can bear limits the price; where the market is
 * beyond that, holders of opposite positions take it over at the price at which nothing is left, and
 * what they do not take goes at any price, for which the house pays. Where the market is empty it is
 * tried again in the next step.
 */
export class Liquidation {
  readonly #accounts: MarginAccounts;
  readonly #prices: MarkPrices;
  readonly #reserves: Reserves;
  readonly #vault: Vault;
  readonly #watch: Watch;
  readonly #deleverage: Deleverage;
  readonly #hands: Hands;
  readonly #reducing: Reducing;

  constructor(setup: {
    readonly accounts: MarginAccounts;
    readonly prices: MarkPrices;
    readonly reserves: Reserves;
    readonly vault: Vault;
    readonly watch: Watch;
    readonly deleverage: Deleverage;
    readonly hands: Hands;
    readonly reducing: Reducing;
  }) {
    this.#accounts = setup.accounts;
    this.#prices = setup.prices;
    this.#reserves = setup.reserves;
    this.#vault = setup.vault;
    this.#watch = setup.watch;
    this.#deleverage = setup.deleverage;
    this.#hands = setup.hands;
    this.#reducing = setup.reducing;
  }

  /** Takes an account that was found beyond its limit as far as the market allows. */
  run(account: MarginAccount): void {
    account.isLiquidating = true;
    for (const order of this.#reserves.active(account)) this.#hands.withdraw(order);
    const tried = new Set<number>();
    while (this.#watch.standing(account) === 'beyond') {
      const position = this.#worst(account, tried);
      if (position === undefined) return;
      tried.add(position.instrument);
      this.#close(position);
      this.#watch.adjust(account);
    }
  }

  /** The position with the largest loss among those that were not tried in this step. */
  #worst(account: MarginAccount, tried: ReadonlySet<number>): Position | undefined {
    let worst: Position | undefined;
    let least: Decimal | undefined;
    for (const position of account.positions.values()) {
      const price = this.#prices.price(position.instrument);
      if (price === undefined || tried.has(position.instrument)) continue;
      const pnl = unrealisedPnl(position.value, price);
      if (least !== undefined && !pnl.lessThan(least)) continue;
      worst = position;
      least = pnl;
    }
    return worst;
  }

  #close(position: Position): void {
    const { account, terms, instrument } = position;
    const { rules, takeRate } = this.#accounts.deal(account, instrument);
    const isLong = position.lots > 0;
    const direction = isLong ? 'up' : 'down';
    const own = this.#watch.equityBeside(position);
    const bearable = {
      position: position.value,
      funds: own.plus(this.#vault.insured(account)),
      rate: takeRate.plus(rules.forceCloseFee),
    };
    const limit = bankruptcySteps(bearable, terms.tickSize, direction).toNumber();
    const half = this.#prices.half(instrument);
    const isBeyondTick = this.#prices.parts(instrument) > 0;
    if (isLong ? half >= 2 * limit : half < 2 * limit || (half === 2 * limit && !isBeyondTick)) {
      this.#trade(position, limit);
      return;
    }
    const nothingLeft = { ...bearable, funds: own, rate: ZERO };
    const price = bankruptcySteps(nothingLeft, terms.tickSize, direction).toNumber();
    this.#deleverage.close(position, Math.max(1, price));
    // What is in the book now must not offer to reduce what is gone.
    this.#reducing.end();
    if (position.lots !== 0) this.#trade(position, 0);
  }

  /** Sends a system order for all of a position; `limit` 0 for any price. */
  #trade(position: Position, limit: number): void {
    this.#hands.reduce(position, Math.min(limit, Number.MAX_SAFE_INTEGER), 'IOC', LIQUIDATION);
  }
}
