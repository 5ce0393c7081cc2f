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

/** What became of a margin account that an exchange was to take up. */
export interface RestoredMargin {
  /** The ids that its positions had, by the ids that they have now. */
  readonly positionIds: ReadonlyMap<number, number>;
  /** What could not be taken up; without a position the account itself. */
  readonly left: readonly UnrestoredOrders[];
}

/** A position or a margin account that could not be taken up, and why. */
export interface UnrestoredOrders {
  readonly position?: VenuePosition | undefined;
  readonly rejection: Rejection;
}

/**
 * Takes up margin accounts as they were in a previous run of their exchange: funds, leverage and positions to
 * the last digit. The funds come from outside, like a deposit, and the recorded market is the other side of the
 * positions, at what they cost: so the sums of the ledgers are as if they had been traded here. What cannot be
 * taken up is left: its funds go to the spot balance, a position ends without a result, as nobody knows a price.
 */

/** Takes up a margin account of a trader, who must have none of that place. */
export function restoreMargin(
  state: State,
  trader: number,
  from: MarginAccountState,
): RestoredMargin {
  const positionIds = new Map<number, number>();
  const bearer = bearerOf(state, from);
  if ('code' in bearer) {
    giveBack(state, trader, from.currency, from.balance);
    const positions = from.positions.map((position) => ({ position, rejection: bearer }));
    return { positionIds, left: from.isOpen ? [...positions, { rejection: bearer }] : [] };
  }
  const key = state.marginAccounts.keyOn(trader, bearer.index, from.mode);
  if (!from.isOpen) {
    rememberClosed(state, key);
    return { positionIds, left: [] };
  }
  const currency = state.ledger.currency(from.currency);
  const leverage = from.leverage ?? bearer.leverage;
  const account = new MarginAccount(key, currency, leverage, state.now);
  account.isCalled = from.isCalled === true;
  account.awaitsPrices = true;
  state.marginAccounts.add(account);
  addFunds(state, account, from.balance);
  const left: UnrestoredOrders[] = [];
  for (const position of from.positions) {
    const rejection =
      positionRejection(state, account, position) ?? takePosition(state, account, position);
    if (typeof rejection === 'number') positionIds.set(rejection, position.id);
    else left.push({ position, rejection });
  }
  state.marginAccounts.stirred.add(account);
  return { positionIds, left };
}

/** An instrument that is traded in the account, and the leverage of an account that names none. */
function bearerOf(
  state: State,
  { mode, symbol, isContract, currency }: MarginAccountState,
): { readonly index: number; readonly leverage: Decimal | undefined } | Rejection {
  const index = state.instruments.findIndex(
    (one) =>
      (mode === 'cross' || one.symbol === symbol) &&
      one.isContract === isContract &&
      one.quoteCurrency === currency &&
      one.margin[mode] !== undefined,
  );
  if (index >= 0) {
    const most = state.instruments[index].margin[mode]?.maxInitialLeverage;
    return { index, leverage: mode === 'isolated' ? most : undefined };
  }
  const isThere = mode === 'cross' || state.instruments.some((one) => one.symbol === symbol);
  return isThere ? marginForbidden(symbol ?? currency, mode) : state.symbols.unknown(symbol ?? '');
}

/** Why a position cannot be held in an account. */
function positionRejection(
  state: State,
  account: MarginAccount,
  position: VenuePosition,
): Rejection | undefined {
  const { symbol, lots } = position;
  const { mode, trader, isContract, subject } = account.key;
  const index = state.instruments.findIndex((one) => one.symbol === symbol);
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
      message: `${symbol} has expired meanwhile, and at which price it was settled is not known here.`,
    };
  }
  const cost = position.entryValue.div(terms.quantum);
  const isWhole = Number.isSafeInteger(lots) && lots !== 0 && cost.isInteger();
  if (isWhole && cost.greaterThan(0) && !account.positions.has(index)) return undefined;
  return {
    code: 'quantity-invalid',
    field: 'quantity',
    message: `A position of ${lots} lots in ${symbol} that cost ${brief(position.entryValue)} is none on its grid.`,
  };
}

/** Gives the number that the position has here. */
function takePosition(state: State, account: MarginAccount, position: VenuePosition): number {
  const index = state.instruments.findIndex((one) => one.symbol === position.symbol);
  const { quantum, quantityIncrement, isContract } = state.instruments[index];
  const cost = position.entryValue.div(quantum);
  const taken = addPosition(state, index, (id, terms) =>
    Position.resumed({ id, account, instrument: index, terms }, position, BigInt(cost.toFixed())),
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

function giveBack(state: State, trader: number, currency: string, amount: Decimal): void {
  const index = state.ledger.find(currency);
  if (index !== undefined && amount.greaterThan(0)) state.ledger.deposit(trader, currency, amount);
}
