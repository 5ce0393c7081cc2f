import type { Decimal } from '../../model/decimal.ts';
import { PARTS } from '../../model/derivative.ts';
import {
  equity,
  fundsFor,
  type MarkedPosition,
  requirement,
} from '../../rules/margin/maintenance.ts';
import { thresholdSteps } from '../../rules/margin/threshold-price.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import { finePrice, type FinePrice } from '../positions/fine-price.ts';
import type { State } from '../state/state.ts';

/** Margin status of an account at current prices. */
export type MarginStatus = 'safe' | 'called' | 'beyond';

/**
 * Checks accounts by prices. The limit prices of an isolated position are computed when it or its
 * funds change, so that a price move costs one comparison for each position of the symbol. A cross
 * account is added up each time.
 */

/** Recalculates the prices at which an account's positions get a margin call and are liquidated. */
export function adjustLimits(state: State, account: MarginAccount): void {
  if (account.key.mode === 'cross') return;
  for (const position of account.positions.values()) {
    const { rules, leverage, rate } = state.marginAccounts.deal(account, position.instrument);
    position.callAt = limitOf(position, rate, leverage.times(rules.marginCallMul));
    position.liquidateAt = limitOf(position, rate, leverage.times(rules.liquidationMul));
  }
}

/** Marks the accounts whose status has changed with the price of an instrument. */
export function markDirtyAccounts(state: State, instrument: number): void {
  for (const { account } of state.marginAccounts.positionsOn[instrument]) {
    const status = marginStatusOf(state, account);
    if (status === 'beyond' || (status === 'called') !== account.isCalled) {
      state.marginAccounts.dirty.add(account);
    }
  }
}

export function marginStatusOf(state: State, account: MarginAccount): MarginStatus {
  if (!isJudged(state, account)) return account.isCalled ? 'called' : 'safe';
  if (account.key.mode === 'cross') return crossStatus(state, account);
  for (const position of account.positions.values()) {
    const { instrument, callAt, liquidateAt } = position;
    const half = state.prices.half(instrument);
    const parts = state.prices.parts(instrument);
    if (isReached(position, half, parts, liquidateAt)) return 'beyond';
    if (isReached(position, half, parts, callAt)) return 'called';
  }
  return 'safe';
}

/** Positions of an account with a known price, with the leverage of a limit. */
export function markedPositions(
  state: State,
  account: MarginAccount,
  limit: 'initial' | 'call' | 'liquidation',
): MarkedPosition[] {
  const marked: MarkedPosition[] = [];
  for (const position of account.positions.values()) {
    const price = state.prices.price(position.instrument) ?? position.entryPrice;
    const { rules, leverage, rate } = state.marginAccounts.deal(account, position.instrument);
    const muls = { initial: 1, call: rules.marginCallMul, liquidation: rules.liquidationMul };
    marked.push({ ...position.value, price, rate, leverage: leverage.times(muls[limit]) });
  }
  return marked;
}

/**
 * Funds available for one position: the balance, or the part of a cross account that the others do
 * not need.
 */
export function fundsOfPosition(
  state: State,
  position: Position,
  limit: 'call' | 'liquidation',
): Decimal {
  const { account } = position;
  if (account.key.mode === 'isolated') return account.balance;
  const index = [...account.positions.keys()].indexOf(position.instrument);
  return fundsFor(account.balance, markedPositions(state, account, limit), index);
}

/** Equity of an account without a position: the balance, and the PnL of the other positions. */
export function equityWithout(state: State, position: Position): Decimal {
  const { account } = position;
  if (account.key.mode === 'isolated') return account.balance;
  const index = [...account.positions.keys()].indexOf(position.instrument);
  const others = markedPositions(state, account, 'liquidation').filter(
    (_, other) => other !== index,
  );
  return equity(account.balance, others);
}

/**
 * False if the price of a position is not known yet. This happens only to a position of a previous
 * run before its market sends data: its account is not checked, and no other position is checked
 * instead.
 */
function isJudged(state: State, { positions }: MarginAccount): boolean {
  for (const instrument of positions.keys()) if (!state.prices.isKnown(instrument)) return false;
  return true;
}

function crossStatus(state: State, account: MarginAccount): MarginStatus {
  if (account.positions.size === 0) return 'safe';
  for (const limit of ['liquidation', 'call'] as const) {
    const marked = markedPositions(state, account, limit);
    if (requirement(marked).lessThan(equity(account.balance, marked))) continue;
    return limit === 'liquidation' ? 'beyond' : 'called';
  }
  return 'safe';
}

/**
 * The price at which a position reaches a leverage, rounded to parts of a tick away from safety.
 * Prices are whole parts of a tick, so the check is as by the exact price, and never before the
 * market reaches the displayed one.
 */
function limitOf(position: Position, rate: Decimal, leverage: Decimal): FinePrice {
  const { terms, account, lots, value } = position;
  const threshold = { position: value, funds: account.balance, rate, leverage };
  return finePrice(thresholdSteps(threshold, terms.tickSize.div(PARTS), lots > 0 ? 'down' : 'up'));
}

function isReached({ lots }: Position, half: number, parts: number, limit: FinePrice): boolean {
  if (half === limit.half) return lots > 0 ? parts <= limit.parts : parts >= limit.parts;
  return lots > 0 ? half < limit.half : half > limit.half;
}
