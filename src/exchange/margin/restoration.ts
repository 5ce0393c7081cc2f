import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import type { Refusal } from '../../model/refusals.ts';
import { marginForbidden } from '../../rules/margin/margin-setting.ts';
import type { Herald } from '../state/herald.ts';
import { POOL, TAPE, type Ledger } from '../ledger/ledger.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import { unknownSymbol } from '../state/unknown.ts';
import { MarginAccount, Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { Treasury } from './account-setting.ts';
import type { Vault } from '../clearing/funds.ts';

/** What became of a margin account that an exchange was to take up. */
export interface RestoredMargin {
  /** The ids that its positions had, by the ids that they have now. */
  readonly positionIds: ReadonlyMap<number, number>;
  /** What could not be taken up; without a position the account itself. */
  readonly left: readonly LeftBehind[];
}

/** A position or a margin account that could not be taken up, and why. */
export interface LeftBehind {
  readonly position?: VenuePosition | undefined;
  readonly refusal: Refusal;
}

/**
 * Takes up margin accounts as they were in a former life of their exchange: funds, leverage and positions to
 * the last digit. The funds come from outside, like a deposit, and the tape is the other side of the
 * positions, at what they cost: so the sums of the ledgers are as if they had been traded here. What cannot be
 * taken up is left: its funds go to the spot balance, a position ends without a result, as nobody knows a price.
 */
export class Restoration {
  readonly #instruments: readonly Instrument[];
  readonly #ledger: Ledger;
  readonly #derivatives: Ledger;
  readonly #herald: Herald;
  readonly #accounts: MarginAccounts;
  readonly #vault: Vault;
  readonly #clearing: Clearing;
  readonly #treasury: Treasury;
  readonly #now: () => number;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly ledger: Ledger;
    readonly derivatives: Ledger;
    readonly herald: Herald;
    readonly accounts: MarginAccounts;
    readonly vault: Vault;
    readonly clearing: Clearing;
    readonly treasury: Treasury;
    readonly now: () => number;
  }) {
    this.#instruments = setup.instruments;
    this.#ledger = setup.ledger;
    this.#derivatives = setup.derivatives;
    this.#herald = setup.herald;
    this.#accounts = setup.accounts;
    this.#vault = setup.vault;
    this.#clearing = setup.clearing;
    this.#treasury = setup.treasury;
    this.#now = setup.now;
  }

  /** Takes up a margin account of a trader, who must have none of that place. */
  restore(trader: number, state: MarginAccountState): RestoredMargin {
    const positionIds = new Map<number, number>();
    const bearer = this.#bearerOf(state);
    if ('code' in bearer) {
      this.#giveBack(trader, state.currency, state.balance);
      const positions = state.positions.map((position) => ({ position, refusal: bearer }));
      return { positionIds, left: state.isOpen ? [...positions, { refusal: bearer }] : [] };
    }
    const key = this.#accounts.keyOn(trader, bearer.index, state.mode);
    if (!state.isOpen) {
      this.#treasury.remember(key);
      return { positionIds, left: [] };
    }
    const currency = this.#ledger.currency(state.currency);
    const leverage = state.leverage ?? bearer.leverage;
    const account = new MarginAccount(key, currency, leverage, this.#now());
    account.isCalled = state.isCalled === true;
    account.awaitsPrices = true;
    this.#accounts.add(account);
    this.#vault.receive(account, state.balance);
    const left: LeftBehind[] = [];
    for (const position of state.positions) {
      const refusal = this.#positionRefusal(account, position) ?? this.#take(account, position);
      if (typeof refusal === 'number') positionIds.set(refusal, position.id);
      else left.push({ position, refusal });
    }
    this.#clearing.stirred.add(account);
    return { positionIds, left };
  }

  /** An instrument that is traded in the account, and the leverage of an account that names none. */
  #bearerOf({
    mode,
    symbol,
    isContract,
    currency,
  }: MarginAccountState):
    | { readonly index: number; readonly leverage: Decimal | undefined }
    | Refusal {
    const index = this.#instruments.findIndex(
      (one) =>
        (mode === 'cross' || one.symbol === symbol) &&
        one.isContract === isContract &&
        one.quoteCurrency === currency &&
        one.margin[mode] !== undefined,
    );
    if (index >= 0) {
      const most = this.#instruments[index].margin[mode]?.maxInitialLeverage;
      return { index, leverage: mode === 'isolated' ? most : undefined };
    }
    const isThere = mode === 'cross' || this.#instruments.some((one) => one.symbol === symbol);
    return isThere
      ? marginForbidden(symbol ?? currency, mode)
      : unknownSymbol(symbol ?? '', this.#instruments);
  }

  /** Why a position cannot be held in an account. */
  #positionRefusal(account: MarginAccount, position: VenuePosition): Refusal | undefined {
    const { symbol, lots } = position;
    const { mode, trader, isContract, subject } = account.key;
    const index = this.#instruments.findIndex((one) => one.symbol === symbol);
    if (index < 0) return unknownSymbol(symbol, this.#instruments);
    const terms = this.#instruments[index];
    const key = this.#accounts.keyOn(trader, index, mode);
    if (
      terms.margin[mode] === undefined ||
      key.isContract !== isContract ||
      key.subject !== subject
    ) {
      return marginForbidden(symbol, mode);
    }
    if (terms.expiresAt <= this.#now()) {
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
  #take(account: MarginAccount, position: VenuePosition): number {
    const index = this.#instruments.findIndex((one) => one.symbol === position.symbol);
    const { quantum, quantityIncrement, isContract } = this.#instruments[index];
    const cost = position.entryValue.div(quantum);
    const taken = this.#clearing.add(index, (id, terms) =>
      Position.resumed({ id, account, instrument: index, terms }, position, BigInt(cost.toFixed())),
    );
    const { lots } = position;
    const size = isContract ? ZERO : quantityIncrement.times(lots);
    const value = lots > 0 ? position.entryValue : position.entryValue.negated();
    const ledger = account.key.isContract ? this.#derivatives : this.#ledger;
    const { baseCurrency } = this.#instruments[index];
    const base = ledger.purses[ledger.currency(baseCurrency)];
    const quote = ledger.purses[account.currency];
    base.change(POOL, AVAILABLE, size);
    base.change(TAPE, AVAILABLE, size.negated());
    quote.change(POOL, AVAILABLE, value.negated());
    quote.change(TAPE, AVAILABLE, value);
    return taken.id;
  }

  #giveBack(trader: number, currency: string, amount: Decimal): void {
    const index = this.#ledger.find(currency);
    if (index === undefined || !amount.greaterThan(0)) return;
    this.#ledger.deposit(trader, currency, amount);
    this.#herald.spot.note(trader, index);
  }
}
