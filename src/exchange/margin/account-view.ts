import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { unrealisedPnl } from '../../rules/margin/position-value.ts';
import { thresholdPrice } from '../../rules/margin/threshold-price.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import { stateOf } from '../clearing/reports.ts';
import type { Deleverage } from './deleverage.ts';
import type { MarkPrices } from '../positions/prices.ts';
import type { PositionState } from '../positions/report.ts';
import type { Reserves } from '../clearing/requirement.ts';
import type { Watch } from '../clearing/standing.ts';

/** An open position as its holder may see it. */
export interface PositionView extends PositionState {
  /** At the tick size, rounded toward the entry price; 0 where no price brings it about. */
  readonly priceMarginCall: Decimal;
  readonly priceLiquidation: Decimal;
  /** Unrealised result at the index or mark price, before fees. */
  readonly pnl: Decimal;
  /** 0 to 4: how near it is to the head of those that would be reduced. */
  readonly adlIndicator: number;
}

/** A margin account as its holder may see it. */
export interface MarginAccountView {
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Of an isolated account its symbol. */
  readonly symbol: string | undefined;
  /** Of a cross account undefined where every symbol has the most that it allows. */
  readonly leverage: Decimal | undefined;
  readonly currency: string;
  readonly marginBalance: Decimal;
  readonly reservedOrders: Decimal;
  readonly reservedPositions: Decimal;
  readonly isCalled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly positions: readonly PositionView[];
}

/** Draws margin accounts up as their holders may see them. */
export class AccountViews {
  readonly #instruments: readonly Instrument[];
  readonly #ledger: Ledger;
  readonly #accounts: MarginAccounts;
  readonly #reserves: Reserves;
  readonly #prices: MarkPrices;
  readonly #watch: Watch;
  readonly #deleverage: Deleverage;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly ledger: Ledger;
    readonly accounts: MarginAccounts;
    readonly reserves: Reserves;
    readonly prices: MarkPrices;
    readonly watch: Watch;
    readonly deleverage: Deleverage;
  }) {
    this.#instruments = setup.instruments;
    this.#ledger = setup.ledger;
    this.#accounts = setup.accounts;
    this.#reserves = setup.reserves;
    this.#prices = setup.prices;
    this.#watch = setup.watch;
    this.#deleverage = setup.deleverage;
  }

  account(account: MarginAccount): MarginAccountView {
    const { key, leverage, currency, balance, isCalled, createdAt, updatedAt } = account;
    return {
      mode: key.mode,
      isContract: key.isContract,
      symbol: key.mode === 'isolated' ? this.#instruments[key.subject].symbol : undefined,
      leverage,
      currency: this.#ledger.purses[currency].currency,
      marginBalance: balance,
      reservedOrders: this.#reserves.ofOrders(account),
      reservedPositions: this.#reserves.ofPositions(account),
      isCalled,
      createdAt,
      updatedAt,
      positions: [...account.positions.values()].map((position) => this.position(position)),
    };
  }

  position(position: Position): PositionView {
    const price = this.#prices.price(position.instrument);
    return {
      ...stateOf(position, undefined),
      priceMarginCall: this.#limitPrice(position, 'call'),
      priceLiquidation: this.#limitPrice(position, 'liquidation'),
      pnl: price === undefined ? ZERO : unrealisedPnl(position.value, price),
      adlIndicator: this.#deleverage.indicator(position),
    };
  }

  #limitPrice(position: Position, limit: 'call' | 'liquidation'): Decimal {
    const { account, instrument, terms } = position;
    const { rules, leverage, rate } = this.#accounts.deal(account, instrument);
    const mul = limit === 'call' ? rules.marginCallMul : rules.liquidationMul;
    const threshold = {
      position: position.value,
      funds: this.#watch.fundsOf(position, limit),
      rate,
      leverage: leverage.times(mul),
    };
    return thresholdPrice(threshold, terms.tickSize);
  }
}
