import type { Warn } from '../../../../model/errors.ts';
import type { z } from 'zod';
import { ZERO, type Decimal } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginReason,
} from '../../../../model/margin-account.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Micros } from '../../../../platform/time.ts';
import type {
  marginAccountNotice,
  marginAccountReport,
} from '../../../../wire/trading/v3/records/margin.ts';
import type { MarginMarket } from '../market.ts';
import type { RecordReader } from '../records.ts';
import { isOfFunds, isOfTrade, reportsOf, type MarginTrade } from './change.ts';
import { KnownPosition } from './known-position.ts';
import {
  readAccount,
  type AccountReading,
  type ReadAccount,
  type WireAccount,
  type WirePosition,
} from './reading.ts';

export type WireAccountReport = z.output<typeof marginAccountReport>;

/** The report of an account in one of its forms: with the account, or with its funds alone. */
export type Notice = z.output<typeof marginAccountNotice>;

export interface MarginBookSetup {
  readonly records: RecordReader;
  readonly warn: Warn;
}

/** A requested setting: answered once a report of its account's funds arrived. */
export interface Expected {
  isAnswered: boolean;
}

/** Trades of an account that its reports do not include yet. */
interface Pending {
  readonly trades: MarginTrade[];
  /** True once a report of the account followed. */
  isFollowed: boolean;
}

/**
 * The margin accounts of a key as the service reports them. A report names an event and shows the account
 * after it. It follows the reports of the orders that caused it, one for each trade. Other events are
 * derived from the account before and after (change.ts).
 */
export class MarginBook {
  readonly #reading: AccountReading;
  readonly #records: RecordReader;
  readonly #states = new Map<string, MarginAccountState>();
  /** By account and symbol. */
  readonly #positions = new Map<string, KnownPosition>();
  /** The last ended position by account and symbol: its end is reported after the trade that caused it. */
  readonly #ended = new Map<string, KnownPosition>();
  readonly #pending = new Map<string, Pending>();
  readonly #expected = new Map<string, Expected[]>();

  constructor({ records, warn }: MarginBookSetup) {
    this.#records = records;
    this.#reading = {
      records,
      warn,
      known: (key, symbol, id) => this.#known(`${key} ${symbol}`, id),
      know: (key, symbol, known) => this.#positions.set(`${key} ${symbol}`, known),
    };
  }

  /** An account as last reported; absent if it is closed or was never reported. */
  find(marginAccount: MarginAccountId): MarginAccountState | undefined {
    return this.#states.get(marginAccountKey(marginAccount));
  }

  /**
   * Reads a record without storing it: it may be older than the last report. Better known facts of its
   * positions, by their ids, apply to it, and from now on if nothing has happened since.
   */
  read(
    given: WireAccount,
    market: MarginMarket,
    better: ReadonlyMap<number, KnownPosition> = new Map(),
  ): ReadAccount | undefined {
    return readAccount(given, market, {
      ...this.#reading,
      known: (key, symbol, id) => {
        const known = better.get(id);
        if (known === undefined) return this.#known(`${key} ${symbol}`, id);
        this.#learn(`${key} ${symbol}`, known);
        return known;
      },
      know: () => undefined,
    });
  }

  /** True if nothing of the life of an open position is missing here. */
  isWhole(market: MarginMarket, { id, symbol }: WirePosition): boolean {
    const isContract = market === 'futures';
    return [...this.#states].some(([key, state]) => {
      if (state.isContract !== isContract) return false;
      const known = this.#positions.get(`${key} ${symbol}`);
      return known?.id === id && known.isWhole;
    });
  }

  /** Processes a trade of an order, which is reported before its account. */
  trade(trade: MarginTrade): void {
    const { instrument, mode, side, ticks, lots, fee } = trade;
    const key = keyOf(instrument, mode);
    const pending = this.#pending.get(key);
    if (pending === undefined || pending.isFollowed) {
      this.#pending.set(key, { trades: [trade], isFollowed: false });
    } else pending.trades.push(trade);
    const name = `${key} ${instrument.symbol}`;
    const known = this.#positions.get(name) ?? this.#begun(key, instrument.symbol);
    known.id ??= trade.positionId;
    const signed = (side === 'buy' ? 1 : -1) * lots;
    const rest = known.trade({ ticks, lots: signed, fee }, instrument);
    this.#positions.set(name, known);
    if (known.lots !== 0) return;
    this.#ended.set(name, known);
    // The fee of its last trade stays with it.
    const next = this.#begun(key, undefined);
    if (rest !== 0) next.trade({ ticks, lots: rest, fee: ZERO }, instrument);
    this.#positions.set(name, next);
  }

  /** Processes the service's report of an account. */
  report(given: WireAccountReport, market: MarginMarket): readonly MarginAccountReport[] {
    const read = readAccount(given, market, this.#reading);
    if (read === undefined) return [];
    const { key, ended, at } = read;
    const reason = reasonOf(given);
    const before = this.#states.get(key);
    const pending = this.#pending.get(key);
    if (pending !== undefined) pending.isFollowed = true;
    const trade = isOfTrade(reason) ? pending?.trades.shift() : undefined;
    const isClosed = reason === 'closed' && trade === undefined && isEmpty(read, before);
    const after = isClosed ? closed(read.state) : read.state;
    this.#keep(key, after);
    const expected = this.#expected.get(key)?.find(({ isAnswered }) => !isAnswered);
    const reports = reportsOf({
      reason,
      at,
      before,
      after,
      ended,
      trade,
      isMoreToCome: (pending?.trades.length ?? 0) > 0,
      isAsked: expected !== undefined,
      instrument: (symbol) => this.#records.instrument(symbol),
    });
    if (expected !== undefined && reports.some(isOfFunds)) expected.isAnswered = true;
    // A payment that cannot be distinguished from other changes of the funds, or has no position.
    const isUnclear = ({ carry, position }: MarginAccountReport): boolean =>
      carry === undefined ? reason === 'interestTaken' : position === undefined;
    if (reports.some(isUnclear)) this.#miss(key);
    const gain = after.balance.minus(before?.balance ?? after.balance);
    return reports.map((report) => this.#counted(key, report, trade === undefined ? gain : ZERO));
  }

  /**
   * All accounts of a market, at the beginning of a connection: known accounts that are missing are closed.
   */
  status(
    accounts: readonly WireAccount[],
    market: MarginMarket,
    at: Micros,
  ): readonly MarginAccountReport[] {
    this.#compareTimes(accounts, market);
    const shown = accounts.flatMap((one) => readAccount(one, market, this.#reading) ?? []);
    const keys = new Set(shown.map(({ key }) => key));
    const isContract = market === 'futures';
    const gone = [...this.#states].filter(
      ([key, state]) => state.isContract === isContract && !keys.has(key),
    );
    for (const { key, state } of shown) this.#keep(key, state);
    for (const [key] of gone) this.#states.delete(key);
    return [...shown.map(({ state }) => state), ...gone.map(([, state]) => closed(state))].map(
      (account) => ({ kind: 'marginAccount', at, reason: 'updated', account }),
    );
  }

  /** Positions that changed while the connection was down are incomplete. */
  #compareTimes(accounts: readonly WireAccount[], market: MarginMarket): void {
    const times = new Map(
      accounts.flatMap(({ positions }) =>
        (positions ?? []).map(({ id, symbol, updated_at: at }) => [`${symbol} ${id}`, at]),
      ),
    );
    for (const [key, { isContract, positions }] of this.#states) {
      if (isContract !== (market === 'futures')) continue;
      for (const { id, symbol } of positions) {
        const known = this.#known(`${key} ${symbol}`, id);
        const isSame = known?.updatedAt === times.get(`${symbol} ${id}`);
        if (known !== undefined && !isSame) known.isWhole = false;
      }
    }
  }

  /** The connection is lost: trades whose accounts were not reported come from the history. */
  lose(): void {
    this.#pending.clear();
  }

  /** A setting of an account is requested. */
  expect(marginAccount: MarginAccountId): Expected {
    const key = marginAccountKey(marginAccount);
    const expected: Expected = { isAnswered: false };
    const others = (this.#expected.get(key) ?? []).filter(({ isAnswered }) => !isAnswered);
    this.#expected.set(key, [...others, expected]);
    return expected;
  }

  /** The report that an account has the requested setting already. */
  present(marginAccount: MarginAccountId, at: Micros): MarginAccountReport {
    const account = this.find(marginAccount) ?? {
      ...marginAccount,
      isOpen: false,
      balance: ZERO,
      reservedOrders: ZERO,
      reservedPositions: ZERO,
      positions: [],
    };
    return { kind: 'marginAccount', at, reason: 'marginChanged', account };
  }

  /** If the same position is still held, better known facts apply from now on. */
  #learn(name: string, known: KnownPosition): void {
    const now = this.#positions.get(name);
    const isSame = now?.id === known.id && now?.lots === known.lots;
    if (isSame && now?.updatedAt === known.updatedAt) this.#positions.set(name, known.copy());
  }

  /** Facts of an account's positions may be missing from now on. */
  #miss(key: string): void {
    for (const [name, known] of this.#positions) {
      if (name.startsWith(`${key} `)) known.isWhole = false;
    }
  }

  /** Payments and partial settlements of a position count from now on. */
  #counted(key: string, report: MarginAccountReport, gain: Decimal): MarginAccountReport {
    const { carry, forced, position, account } = report;
    const known = position && this.#known(`${key} ${position.symbol}`, position.id);
    const isSettled = forced !== undefined && position?.lots !== 0 && !gain.isZero();
    if (position === undefined || known === undefined || (carry === undefined && !isSettled)) {
      return report;
    }
    known.carry = known.carry.plus(carry?.amount ?? ZERO);
    if (isSettled) known.realized = known.realized.plus(gain);
    const counted = { ...position, carry: known.carry, realizedPnl: known.realized };
    const positions = account.positions.map((one) => (one.id === counted.id ? counted : one));
    const state = { ...account, positions };
    this.#keep(key, state);
    return { ...report, account: state, position: counted };
  }

  /** A position that begins now; facts are missing of one that was held before. */
  #begun(key: string, symbol: string | undefined): KnownPosition {
    const known = new KnownPosition(undefined);
    const held = this.#states.get(key)?.positions ?? [];
    known.isWhole = held.every((one) => one.symbol !== symbol);
    return known;
  }

  #known(name: string, id: number): KnownPosition | undefined {
    const open = this.#positions.get(name);
    if (open?.id === id) return open;
    const ended = this.#ended.get(name);
    if (ended?.id === id) return ended;
    return open?.id === undefined ? open : undefined;
  }

  #keep(key: string, state: MarginAccountState): void {
    if (state.isOpen) this.#states.set(key, state);
    else this.#states.delete(key);
    const held = new Set(state.positions.map(({ symbol }) => `${key} ${symbol}`));
    for (const name of this.#positions.keys()) {
      if (name.startsWith(`${key} `) && !held.has(name)) this.#positions.delete(name);
    }
  }
}

const keyOf = (instrument: Instrument, mode: MarginMode): string =>
  marginAccountKey(marginAccountId(instrument, mode));

const reasonOf = ({ report_reason: reason }: WireAccountReport): MarginReason =>
  reason === 'status' ? 'updated' : reason;

/** True for a closed account; one that only lost its position was reported with it. */
const isEmpty = ({ state, ended }: ReadAccount, before: MarginAccountState | undefined): boolean =>
  state.balance.isZero() &&
  state.positions.length + ended.length + (before?.positions.length ?? 0) === 0;

const closed = (state: MarginAccountState): MarginAccountState => ({
  ...state,
  isOpen: false,
  balance: ZERO,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions: [],
});
