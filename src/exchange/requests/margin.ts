import { brief, decimal, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { FUNDING, INDEX, MARK, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import type { TimerQueue } from '../queues/timers.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Herald } from '../state/herald.ts';
import { FUND, type Ledger } from '../ledger/ledger.ts';
import type { Life } from '../stages/lifecycle.ts';
import type { OrderLists } from '../orders/lists.ts';
import type { MarketData } from '../market-data/market-data.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { SymbolStatuses } from '../state/symbol-status.ts';
import { unknownSymbol } from '../state/unknown.ts';
import { AccountViews, type MarginAccountView } from '../margin/account-view.ts';
import type { MarginBooks } from '../margin/books.ts';
import type { EndedPosition } from '../clearing/reports.ts';
import { contractView, type ContractView } from '../margin/contract-view.ts';
import type { Contract } from '../positions/contract.ts';
import { Deleverage } from '../margin/deleverage.ts';
import { Examination } from '../margin/examination.ts';
import { Exit, type PositionExit } from '../margin/exit.ts';
import { missedIn } from '../margin/fundings.ts';
import { Hands } from '../margin/system-orders.ts';
import { Liquidation } from '../margin/liquidation.ts';
import type { MarginListener } from '../positions/listener.ts';
import { Reducing } from '../stages/reducing.ts';
import { Replenishment } from '../margin/replenishment.ts';
import type { MarginReport } from '../positions/report.ts';
import { Restoration, type RestoredMargin } from '../margin/restoration.ts';
import { Timetable } from '../margin/timetable.ts';
import { Treasury, type MarginSetting } from '../margin/account-setting.ts';

export interface MarginOptions {
  /** Interest a day by borrowed currency, as decimal text; a currency without one costs nothing. */
  readonly dailyRates?: Readonly<Record<string, string>>;
  /** Value in the quote currency of the orders whose prices make the premium index; 10,000. */
  readonly impactValue?: string;
  /**
   * Contracts of which the rows that come in tell the funding, from the start: until they tell a rate
   * none is paid. Of all others the exchange makes it, until a row tells of one.
   */
  readonly toldFunding?: readonly string[];
}

/** What margin trading is built on and told by. */
export interface MarginSetup {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly lists: OrderLists;
  readonly register: OrderIndex;
  readonly fees: Fees;
  readonly life: Life;
  readonly statuses: SymbolStatuses;
  readonly ledger: Ledger;
  readonly derivatives: Ledger;
  readonly herald: Herald;
  readonly due: TimerQueue;
  readonly marketData: MarketData | undefined;
  readonly listener: MarginListener;
  readonly door: MarginDoor;
  readonly options: MarginOptions | undefined;
}

/** What the exchange lends to the margin side: the passing of time, and the end of a request. */
export interface MarginDoor {
  now(): Micros;
  /** Begins a request of an account; refuses where the account may not trade. */
  enter(account: number, at: Micros): Refusal | undefined;
  come(at: Micros): void;
  finish(refusal?: Refusal): Refusal | undefined;
}

/**
 * Margin accounts, positions and futures contracts. The exchange tells it of moves of the market
 * (`moved`) and of the end of each operation (`tend`); then it looks at the prices of what has open
 * positions, examines the accounts that were stirred, and liquidates where it must.
 */
export class Margin {
  /** Who has funds added when a margin call comes. */
  readonly replenishment: Replenishment;
  readonly #books: MarginBooks;
  readonly #setup: MarginSetup;
  readonly #hands: Hands;
  readonly #reducing: Reducing;
  readonly #examination: Examination;
  readonly #treasury: Treasury;
  readonly #exit: Exit;
  readonly #restoration: Restoration;
  readonly #timetable: Timetable;
  readonly #views: AccountViews;
  /** By instrument: those whose price follows from its market. */
  readonly #dependents: readonly (readonly number[])[];
  readonly #all: readonly number[];

  constructor(books: MarginBooks, setup: MarginSetup) {
    this.#books = books;
    this.#setup = setup;
    const { instruments, ledger, orders, lists, door } = setup;
    const now = (): number => door.now();
    this.#hands = new Hands({ ...setup, now });
    const { accounts, vault, chronicle, clearing, prices, watch, reserves, admission } = books;
    const kept = { accounts, vault, chronicle, clearing, prices, watch, reserves, admission };
    const parts = { ...kept, instruments, ledger, orders, lists, hands: this.#hands, now };
    // 1. What account holders ask for.
    this.#treasury = new Treasury(parts);
    this.#exit = new Exit({ ...parts, statuses: setup.statuses });
    const { derivatives, herald } = setup;
    const treasury = this.#treasury;
    this.#restoration = new Restoration({ ...parts, derivatives, herald, treasury });
    // 2. What happens without anybody's asking.
    const deleverage = new Deleverage(accounts, clearing, prices, watch);
    const reducing = new Reducing(parts);
    this.#reducing = reducing;
    const liquidation = new Liquidation({ ...parts, deleverage, reducing });
    this.replenishment = new Replenishment(parts);
    const { replenishment } = this;
    this.#examination = new Examination({ ...parts, liquidation, reducing, replenishment });
    this.#timetable = this.#newTimetable();
    // 3. What is shown.
    this.#views = new AccountViews({ ...parts, deleverage });
    this.#all = instruments.map((_, index) => index);
    this.#dependents = this.#all.map((index) => prices.dependents(index));
  }

  /** True once there was a margin account: until then there is none to examine and to tell of. */
  get isUsed(): boolean {
    return this.#books.accounts.areUsed;
  }

  /** True while nothing can happen to any margin account but by time. */
  get isIdle(): boolean {
    return this.#books.clearing.open === 0 && this.#books.clearing.stirred.size === 0;
  }

  /** True when there is something to tell. */
  get hasNews(): boolean {
    return !this.#books.chronicle.isEmpty;
  }

  /** Begins at the first time that is known. */
  start(at: number): void {
    this.#timetable.start(at);
  }

  /** The market of an instrument has moved. */
  moved(instrument: number): void {
    this.#examination.look(this.#dependents[instrument]);
  }

  /** A trade was told: the orders end that would reduce a position that it has ended. */
  after(): void {
    this.#reducing.end();
  }

  /** An operation is over: looks at everything that has open positions. */
  tend(): void {
    if (this.isIdle) return;
    this.#examination.look(this.#all);
  }

  /** Tells what happened to margin accounts. */
  tell(): void {
    const { chronicle } = this.#books;
    const { listener } = this.#setup;
    for (const report of chronicle.take()) listener.marginAccount?.(report);
    for (const cover of chronicle.takeCovers()) listener.covered?.(cover);
  }

  /** Opens, funds or closes a margin account of an account. */
  set(account: number, setting: MarginSetting, at: Micros): Refusal | undefined {
    const { door } = this.#setup;
    const stopped = door.enter(account, at);
    if (stopped !== undefined) return door.finish(stopped);
    const instrument = this.#find(setting.symbol);
    if (typeof instrument === 'object') return door.finish(instrument);
    return door.finish(this.#treasury.set(account, instrument, setting));
  }

  /**
   * Takes up a margin account as it was in a former life of the account, before its first request: exactly, and
   * without a report. It is judged by the first prices that are known of all of its positions.
   */
  restore(account: number, state: MarginAccountState, at: Micros): RestoredMargin {
    const { door } = this.#setup;
    door.come(at);
    const restored = this.#restoration.restore(account, state);
    door.finish();
    return restored;
  }

  /**
   * Closes a position: at the market for what can be had at once, or by an order at a price that only
   * reduces it.
   */
  close(account: number, exit: PositionExit, at: Micros): Refusal | undefined {
    const { door } = this.#setup;
    const stopped = door.enter(account, at);
    if (stopped !== undefined) return door.finish(stopped);
    const instrument = this.#find(exit.symbol);
    if (typeof instrument === 'object') return door.finish(instrument);
    return door.finish(this.#exit.close(account, instrument, exit));
  }

  /**
   * Takes what a venue says of a contract beside its market; of anything else that is none of its
   * business. What follows from it is examined by `moved`.
   */
  take(instrument: number, columns: EventColumns, row: number): void {
    const contract = this.#books.contracts[instrument];
    if (contract === undefined) return;
    const [whole, rest] = [columns.price[row], columns.size[row]];
    switch (columns.kind[row]) {
      case MARK:
        this.#books.prices.tellMark(instrument, whole, rest);
        return;
      case INDEX:
        this.#books.prices.tellIndex(instrument, whole, rest);
        return;
      case FUNDING: {
        const [at, nextAt] = [columns.askPrice[row], columns.askSize[row]];
        const told = { rate: { whole, rest }, at, nextAt };
        this.#timetable.fundings.take(contract, told, this.#setup.door.now());
      }
    }
  }

  /** How many fundings of a contract nobody paid, as their rates were never told. */
  missedFundings(instrument: number): number {
    const contract = this.#books.contracts[instrument];
    if (contract === undefined) return 0;
    return contract.missed + missedIn(contract);
  }

  /** Sets the index of a contract, which from then on nothing else moves. */
  index(instrument: number, price: Decimal, at: Micros): void {
    const { door } = this.#setup;
    door.come(at);
    this.#books.prices.feed(instrument, price);
    this.moved(instrument);
    door.finish();
  }

  /**
   * Adds to what an insurance fund has, of spot margin or of futures. Throws `currency-unknown`, and
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
    const ledger = of === 'futures' ? this.#setup.derivatives : this.#setup.ledger;
    ledger.purses[ledger.currency(currency)].deposit(FUND, amount);
  }

  /**
   * Sets whether positions are opened in a symbol whose terms allow it; while they are not, those that
   * are open can be made smaller. Throws `symbol-unknown`.
   */
  enable(symbol: string, isEnabled: boolean): void {
    const instrument = this.#find(symbol);
    if (typeof instrument === 'object') {
      throw new MillraceError('symbol-unknown', instrument.message, { field: 'symbol' });
    }
    if (isEnabled) this.#books.accounts.closing.delete(instrument);
    else this.#books.accounts.closing.add(instrument);
  }

  /** The margin accounts of an account, oldest first. */
  accounts(account: number): MarginAccountView[] {
    return this.#books.accounts.of(account).map((one) => this.#views.account(one));
  }

  /** The margin account in which an account trades a symbol, undefined where there is none. */
  account(account: number, symbol: string, mode: MarginMode): MarginAccountView | undefined {
    const instrument = this.#find(symbol);
    if (typeof instrument === 'object') return undefined;
    const found = this.#books.accounts.on(account, instrument, mode);
    return found === undefined ? undefined : this.#views.account(found);
  }

  /** The price that positions in an instrument are judged by now; undefined before the first is known. */
  price(instrument: number): Decimal | undefined {
    this.#books.prices.refresh(instrument);
    return this.#books.prices.price(instrument);
  }

  /** Within `fill` of the listener: what the trade of a margin order did to its account. */
  get latest(): MarginReport | undefined {
    return this.#books.chronicle.latest;
  }

  /** False while positions in an instrument can only be made smaller, whatever its terms say. */
  opens(instrument: number): boolean {
    return !this.#books.accounts.closing.has(instrument);
  }

  /** Ended positions of an account, oldest first, the last thousand of them. */
  ended(account: number): readonly EndedPosition[] {
    return this.#books.chronicle.ended(account);
  }

  /** What is known of a futures contract now; undefined for a symbol that is none. */
  contract(instrument: number): ContractView | undefined {
    const contract = this.#books.contracts[instrument];
    if (contract === undefined) return undefined;
    this.#books.prices.refresh(instrument);
    const { positionsOn } = this.#books.accounts;
    return contractView(
      this.#setup.instruments[instrument],
      contract,
      this.#books.prices,
      positionsOn,
    );
  }

  #find(symbol: string): number | Refusal {
    const index = this.#setup.instruments.findIndex((one) => one.symbol === symbol);
    return index === NONE ? unknownSymbol(symbol, this.#setup.instruments) : index;
  }

  #newTimetable(): Timetable {
    const setup = this.#setup;
    const { dailyRates = {}, impactValue = '10000' } = setup.options ?? {};
    const { accounts, contracts, clearing, prices, sources } = this.#books;
    const rates = Object.entries(dailyRates).map(([currency, rate]) => [
      currency,
      decimal(rate, 'dailyRates'),
    ]);
    return new Timetable({
      ...setup,
      contracts,
      accounts,
      clearing,
      prices,
      sources,
      dailyRates: Object.fromEntries(rates) as Record<string, Decimal>,
      impactValue: decimal(impactValue, 'impactValue'),
      listener: {
        sampled: (contract) => {
          this.#sampled(contract);
        },
        paid: () => {
          this.tend();
        },
        funded: (contract, funding) => {
          setup.listener.funding?.(contract, funding);
          this.tend();
        },
        expiring: (contract, ticks) => {
          this.#settle(contract, ticks);
        },
      },
    });
  }

  /** What everybody may know of a contract is sampled with it. */
  #sampled(contract: Contract): void {
    const { marketData, door } = this.#setup;
    const view = this.contract(contract.instrument);
    if (marketData !== undefined && view !== undefined) {
      const at = door.now();
      const series = {
        index: view.indexPrice,
        mark: view.markPrice,
        premiumIndex: view.premiumIndex,
      };
      for (const name of ['index', 'mark', 'premiumIndex'] as const) {
        const value = series[name];
        if (value !== undefined) marketData.series(contract.instrument, name).sample(at, value);
      }
      marketData.series(contract.instrument, 'openInterest').sample(at, view.openInterest);
    }
    this.tend();
  }

  /** A contract ends: nothing is ordered any more, and every position is settled. */
  #settle(contract: Contract, ticks: number): void {
    const { instrument } = contract;
    const { statuses, register, ledger, listener } = this.#setup;
    statuses.set(this.#setup.instruments[instrument].symbol, 'clearing');
    for (let trader = 0; trader < ledger.accounts; trader += 1) {
      for (const order of register.listed(trader, instrument)) {
        this.#hands.withdraw(order);
      }
    }
    this.#books.clearing.settleAll(instrument, ticks);
    if (ticks > 0) listener.cleared?.(contract, ticks);
    this.tend();
  }
}
