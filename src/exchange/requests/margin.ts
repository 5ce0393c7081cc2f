import { brief, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import { FUND } from '../ledger/ledger.ts';
import { type MarginSetting, setMarginAccount } from '../margin/account-setting.ts';
import { examine } from '../margin/margin-check.ts';
import { missedIn, startFunding } from '../margin/fundings.ts';
import { type RestoredMargin, restoreMargin } from '../margin/restoration.ts';
import { closePosition, type PositionExit } from '../margin/system-orders.ts';
import {
  type ContractView,
  contractView,
  marginAccountView,
  type MarginAccountView,
} from '../margin/views.ts';
import { NONE } from '../orders/orders.ts';
import type { EndedPosition, MarginReport } from '../positions/report.ts';
import type { State } from '../state/state.ts';
import { runRequest, runEvent } from './pipeline.ts';

/**
 * Requests of account holders and operators about margin accounts, positions and futures contracts.
 * Forced changes are made at the end of each request and with each row of the market.
 */
export class Margin {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Opens, funds or closes a margin account. */
  set(account: number, setting: MarginSetting, at: Micros): Rejection | undefined {
    return this.#runRequest(account, setting.symbol, at, (instrument) =>
      setMarginAccount(this.#state, account, instrument, setting),
    );
  }

  /**
   * Restores a margin account of a previous run, before the account's first request: exactly, and
   * without a report. It is checked once the prices of all its positions are known.
   */
  restore(account: number, from: MarginAccountState, at: Micros): RestoredMargin {
    return runEvent(this.#state, at, () => restoreMargin(this.#state, account, from));
  }

  /** Closes a position: at the market, or by a reduce-only order at a price. */
  close(account: number, exit: PositionExit, at: Micros): Rejection | undefined {
    return this.#runRequest(account, exit.symbol, at, (instrument) =>
      closePosition(this.#state, account, instrument, exit),
    );
  }

  /** From now on funding comes with the rows of a contract: none is paid before the first rate. */
  awaitFunding(instrument: number): void {
    const contract = this.#state.contracts[instrument];
    if (contract === undefined) return;
    contract.awaitRate();
    startFunding(this.#state, contract, this.#state.now);
  }

  /** Number of a contract's fundings not paid, as their rates never came. */
  missedFundings(instrument: number): number {
    const contract = this.#state.contracts[instrument];
    if (contract === undefined) return 0;
    return contract.missed + missedIn(contract);
  }

  /** Sets the index of a contract; from then on it does not follow a market. */
  index(instrument: number, price: Decimal, at: Micros): void {
    const state = this.#state;
    runEvent(state, at, () => {
      state.prices.feed(instrument, price);
      examine(state, state.prices.dependents[instrument]);
    });
  }

  /**
   * Adds to an insurance fund, of spot margin or of futures. Throws `currency-unknown`, and
   * `out-of-range` for an amount that is not positive.
   */
  insure(currency: string, amount: Decimal, of: 'margin' | 'futures'): void {
    if (!amount.isFinite() || !amount.greaterThan(0)) {
      throw new MillraceError(
        'out-of-range',
        `An insurance fund takes a positive amount, not ${brief(amount)} ${currency}.`,
        { field: 'amount' },
      );
    }
    const ledger = of === 'futures' ? this.#state.derivatives : this.#state.ledger;
    ledger.change(FUND, AVAILABLE, ledger.currency(currency), amount);
  }

  /**
   * Enables or disables new positions in a symbol whose terms allow them; while disabled, positions
   * can only be reduced. Throws `symbol-unknown`.
   */
  enable(symbol: string, isEnabled: boolean): void {
    const { symbols, marginAccounts } = this.#state;
    const instrument = symbols.known(symbol);
    if (isEnabled) marginAccounts.closing.delete(instrument);
    else marginAccounts.closing.add(instrument);
  }

  /** The margin accounts of an account, oldest first. */
  accounts(account: number): MarginAccountView[] {
    const { marginAccounts } = this.#state;
    return marginAccounts.of(account).map((each) => marginAccountView(this.#state, each));
  }

  /** The margin account in which an account trades a symbol, undefined if there is none. */
  account(account: number, symbol: string, mode: MarginMode): MarginAccountView | undefined {
    const { symbols, marginAccounts } = this.#state;
    const instrument = symbols.index(symbol);
    if (instrument === NONE) return undefined;
    const found = marginAccounts.on(account, instrument, mode);
    return found === undefined ? undefined : marginAccountView(this.#state, found);
  }

  /**
   * The price that positions in an instrument are checked by; undefined before the first is known.
   */
  price(instrument: number): Decimal | undefined {
    const { prices, now } = this.#state;
    prices.refresh(instrument, now);
    return prices.price(instrument);
  }

  /** Within `fill` of the listener: the margin report of that trade. */
  get latest(): MarginReport | undefined {
    return this.#state.marginReports.pending.at(-1);
  }

  /** False while positions in an instrument can only be reduced, whatever its terms say. */
  opens(instrument: number): boolean {
    return !this.#state.marginAccounts.closing.has(instrument);
  }

  /** The last thousand ended positions of an account, oldest first. */
  ended(account: number): readonly EndedPosition[] {
    return this.#state.marginReports.ended(account);
  }

  /** Current data of a futures contract; undefined for another symbol. */
  contract(instrument: number): ContractView | undefined {
    const { contracts, prices, now } = this.#state;
    const contract = contracts[instrument];
    if (contract === undefined) return undefined;
    prices.refresh(instrument, now);
    return contractView(this.#state, contract);
  }

  /** True if a trader's margin accounts are replenished at a margin call. */
  isReplenished(trader: number, of: 'margin' | 'futures'): boolean {
    return this.#state.marginAccounts.replenished[of].has(trader);
  }

  /** Turns replenishing on or off. */
  replenish(trader: number, of: 'margin' | 'futures', isWanted: boolean): void {
    const wanted = this.#state.marginAccounts.replenished[of];
    if (isWanted) wanted.add(trader);
    else wanted.delete(trader);
  }

  /** Runs a request of an account about a symbol. */
  #runRequest(
    account: number,
    symbol: string,
    at: Micros,
    work: (instrument: number) => Rejection | undefined,
  ): Rejection | undefined {
    return runRequest(this.#state, account, at, () => {
      const instrument = this.#state.symbols.find(symbol);
      return isRejection(instrument) ? instrument : work(instrument);
    });
  }
}
