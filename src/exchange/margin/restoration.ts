import { brief, type Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import type { Rejection } from '../../model/rejections.ts';
import { marginForbidden } from '../../rules/margin/margin-setting.ts';
import { addFunds } from '../clearing/funds.ts';
import { addPosition } from '../clearing/positions.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import { POOL, RECORDED_MARKET } from '../ledger/ledger.ts';
import { MarginAccount, Position } from '../positions/account.ts';
import type { State } from '../state/state.ts';
import { rememberClosed } from './account-setting.ts';

/** Result of restoring a margin account. */
export interface RestoredMargin {
  /** Previous position ids by their new ids. */
  readonly positionIds: ReadonlyMap<number, number>;
  /** Positions that were not restored; without `position`, the whole account. */
  readonly left: readonly UnrestoredMargin[];
}

/** A position or margin account that could not be restored, and the reason. */
export interface UnrestoredMargin {
  readonly position?: VenuePosition | undefined;
  readonly rejection: Rejection;
}

/**
 * Restores margin accounts of a previous run of the exchange: exact funds, leverage and positions.
 * The funds come from outside, like a deposit, and the recorded market is the other side of the
 * positions at their entry value, so the ledgers' sums are as if they had been traded here. Funds
 * of an account that cannot be restored go to the spot balance. A position that cannot be restored
 * is dropped without PnL, as no price is known.
 */

/** Restores a margin account of a trader, who must have none with its key. */
export function restoreMargin(
  state: State,
  trader: number,
  from: MarginAccountState,
): RestoredMargin {
  const positionIds = new Map<number, number>();
  const accountInstrument = accountInstrumentOf(state, from);
  if ('code' in accountInstrument) {
    refundToSpot(state, trader, from.currency, from.balance);
    const positions = from.positions.map((position) => ({
      position,
      rejection: accountInstrument,
    }));
    return {
      positionIds,
      left: from.isOpen ? [...positions, { rejection: accountInstrument }] : [],
    };
  }
  const key = state.marginAccounts.keyOn(trader, accountInstrument.index, from.mode);
  if (!from.isOpen) {
    rememberClosed(state, key);
    return { positionIds, left: [] };
  }
  const currency = state.ledger.currency(from.currency);
  const leverage = from.leverage ?? accountInstrument.leverage;
  const account = new MarginAccount(key, currency, leverage, state.now);
  account.isCalled = from.isCalled === true;
  account.awaitsPrices = true;
  state.marginAccounts.add(account);
  addFunds(state, account, from.balance);
  const left: UnrestoredMargin[] = [];
  for (const position of from.positions) {
    const rejection =
      positionRejection(state, account, position) ?? restorePosition(state, account, position);
    if (typeof rejection === 'number') positionIds.set(rejection, position.id);
    else left.push({ position, rejection });
  }
  state.marginAccounts.dirty.add(account);
  return { positionIds, left };
}

/** An instrument that is traded in the account, and the default leverage of the account. */
function accountInstrumentOf(
  state: State,
  { mode, symbol, isContract, currency }: MarginAccountState,
): { readonly index: number; readonly leverage: Decimal | undefined } | Rejection {
  const index = state.instruments.findIndex(
    (instrument) =>
      (mode === 'cross' || instrument.symbol === symbol) &&
      instrument.isContract === isContract &&
      instrument.quoteCurrency === currency &&
      instrument.margin[mode] !== undefined,
  );
  if (index >= 0) {
    const maxLeverage = state.instruments[index].margin[mode]?.maxInitialLeverage;
    return { index, leverage: mode === 'isolated' ? maxLeverage : undefined };
  }
  const isThere =
    mode === 'cross' || state.instruments.some((instrument) => instrument.symbol === symbol);
  return isThere ? marginForbidden(symbol ?? currency, mode) : state.symbols.unknown(symbol ?? '');
}

/** Why a position cannot be held in an account, undefined if it can. */
function positionRejection(
  state: State,
  account: MarginAccount,
  position: VenuePosition,
): Rejection | undefined {
  const { symbol, lots } = position;
  const { mode, trader, isContract, subject } = account.key;
  const index = state.instruments.findIndex((instrument) => instrument.symbol === symbol);
  if (index < 0) return state.symbols.unknown(symbol);
  const terms = state.instruments[index];
  const key = state.marginAccounts.keyOn(trader, index, mode);
  if (
    terms.margin[mode] === undefined ||
    key.isContract !== isContract ||
    key.subject !== subject
  ) {
    return marginForbidden(symbol, mode);
  }
  if (terms.expiresAt <= state.now) {
    return {
      code: 'symbol-suspended',
      field: 'symbol',
      message: `${symbol} has expired since, and its settlement price is not known here.`,
    };
  }
  const cost = position.entryValue.div(terms.tickValue);
  const isWhole = Number.isSafeInteger(lots) && lots !== 0 && cost.isInteger();
  if (isWhole && cost.greaterThan(0) && !account.positions.has(index)) return undefined;
  return {
    code: 'quantity-invalid',
    field: 'quantity',
    message: `A position of ${lots} lots in ${symbol} that cost ${brief(position.entryValue)} is not a whole number of ticks times lots.`,
  };
}

/** Returns the new id of the position. */
function restorePosition(state: State, account: MarginAccount, position: VenuePosition): number {
  const index = state.instruments.findIndex((instrument) => instrument.symbol === position.symbol);
  const { tickValue, quantityIncrement, isContract } = state.instruments[index];
  const cost = position.entryValue.div(tickValue);
  const taken = addPosition(state, index, (id, terms) =>
    Position.restored({ id, account, instrument: index, terms }, position, BigInt(cost.toFixed())),
  );
  const { lots } = position;
  const size = isContract ? ZERO : quantityIncrement.times(lots);
  const value = lots > 0 ? position.entryValue : position.entryValue.negated();
  const ledger = account.key.isContract ? state.derivatives : state.ledger;
  const { baseCurrency } = state.instruments[index];
  const base = ledger.balances[ledger.currency(baseCurrency)];
  const quote = ledger.balances[account.currency];
  base.change(POOL, AVAILABLE, size);
  base.change(RECORDED_MARKET, AVAILABLE, size.negated());
  quote.change(POOL, AVAILABLE, value.negated());
  quote.change(RECORDED_MARKET, AVAILABLE, value);
  return taken.id;
}

function refundToSpot(state: State, trader: number, currency: string, amount: Decimal): void {
  const index = state.ledger.find(currency);
  if (index !== undefined && amount.greaterThan(0)) state.ledger.deposit(trader, currency, amount);
}
