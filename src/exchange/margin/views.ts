import { type Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { INTEREST_RATE } from '../../rules/margin/funding.ts';
import { unrealizedPnl } from '../../rules/margin/position-value.ts';
import { thresholdPrice } from '../../rules/margin/threshold-price.ts';
import { stateOf } from '../clearing/reports.ts';
import { ordersRequirement, positionsRequirement } from '../clearing/requirement.ts';
import { fundsOfPosition } from '../clearing/margin-status.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import type { Contract } from '../positions/contract.ts';
import type { PositionState } from '../positions/report.ts';
import type { State } from '../state/state.ts';
import { indicatorOf } from './liquidation.ts';

/** An open position as its holder sees it. */
export interface PositionView extends PositionState {
  /** At the tick size, rounded toward the entry price; 0 if no price triggers it. */
  readonly priceMarginCall: Decimal;
  readonly priceLiquidation: Decimal;
  /** Unrealized PnL at the index or mark price, before fees. */
  readonly pnl: Decimal;
  /** 0 to 4: how near it is to the head of the ADL queue. */
  readonly adlIndicator: number;
}

/** A margin account as its holder sees it. */
export interface MarginAccountView {
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Symbol of an isolated account. */
  readonly symbol: string | undefined;
  /** Undefined for a cross account if every symbol has its maximum. */
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

export function marginAccountView(state: State, account: MarginAccount): MarginAccountView {
  const { key, leverage, currency, balance, isCalled, createdAt, updatedAt } = account;
  return {
    mode: key.mode,
    isContract: key.isContract,
    symbol: key.mode === 'isolated' ? state.instruments[key.subject].symbol : undefined,
    leverage,
    currency: state.ledger.balances[currency].currency,
    marginBalance: balance,
    reservedOrders: ordersRequirement(state, account),
    reservedPositions: positionsRequirement(state, account),
    isCalled,
    createdAt,
    updatedAt,
    positions: [...account.positions.values()].map((position) => positionView(state, position)),
  };
}

export function positionView(state: State, position: Position): PositionView {
  const price = state.prices.price(position.instrument);
  return {
    ...stateOf(position, undefined),
    priceMarginCall: limitPrice(state, position, 'call'),
    priceLiquidation: limitPrice(state, position, 'liquidation'),
    pnl: price === undefined ? ZERO : unrealizedPnl(position.value, price),
    adlIndicator: indicatorOf(state, position),
  };
}

function limitPrice(state: State, position: Position, limit: 'call' | 'liquidation'): Decimal {
  const { account, instrument, terms } = position;
  const { rules, leverage, rate } = state.marginAccounts.deal(account, instrument);
  const mul = limit === 'call' ? rules.marginCallMul : rules.liquidationMul;
  const threshold = {
    position: position.value,
    funds: fundsOfPosition(state, position, limit),
    rate,
    leverage: leverage.times(mul),
  };
  return thresholdPrice(threshold, terms.tickSize);
}

/** Public data of a futures contract; prices are undefined before the first is known. */
export interface ContractView {
  readonly symbol: string;
  readonly contractType: 'perpetual' | 'cash_settled';
  readonly markPrice: Decimal | undefined;
  readonly indexPrice: Decimal | undefined;
  /**
   * Rate of the coming funding, and the average premium of the period before, from which it
   * follows.
   */
  readonly fundingRate: Decimal;
  readonly avgPremiumIndex: Decimal;
  /** The rate if the current period ended now. */
  readonly indicativeFundingRate: Decimal;
  /** Latest sample. */
  readonly premiumIndex: Decimal;
  readonly interestRate: Decimal;
  /** +Infinity if there is no funding. */
  readonly nextFundingAt: number;
  /** Time between fundings. */
  readonly fundingPeriodUs: number;
  /** Long lots, those of the recorded market included, as a quantity. */
  readonly openInterest: Decimal;
}

export function contractView(state: State, contract: Contract): ContractView {
  const { instrument } = contract;
  const { prices, marginAccounts } = state;
  const { symbol, terms } = state.instruments[instrument];
  return {
    symbol,
    contractType: terms.contractType ?? 'perpetual',
    markPrice: prices.price(instrument),
    indexPrice: prices.index(instrument),
    fundingRate: contract.fundingRate,
    avgPremiumIndex: contract.avgPremiumIndex,
    indicativeFundingRate: contract.indicativeFundingRate,
    premiumIndex: contract.premiumIndex,
    interestRate: INTEREST_RATE,
    nextFundingAt: contract.nextFundingAt,
    fundingPeriodUs: contract.periodUs,
    openInterest: marginAccounts.openInterest(instrument),
  };
}
