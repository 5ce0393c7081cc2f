import type { z } from 'zod';
import { ZERO } from '../../../../model/decimal.ts';
import type { MarginAccountState, PositionEnd } from '../../../../model/margin-account.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Lots } from '../../../../model/units.ts';
import { micros, type Micros } from '../../../../platform/time.ts';
import type { closedPosition } from '../../../../wire/trading/v3/records/margin.ts';
import type { EndedPosition, MarginSnapshot, PositionCarry } from '../../../venue-account.ts';
import type { TradingClient } from '../../client/client.ts';
import type { MarginMarket } from '../market.ts';
import type { MarketRead } from '../market-reader.ts';
import type { RecordReader, WireTrade } from '../records.ts';
import type { MarginBook } from './book.ts';
import type { KnownPosition } from './known-position.ts';
import { lived, type PositionLifecycle } from './position-lifecycle.ts';
import type { WireAccount, WireClearing, WirePosition } from './reading.ts';
import { modeOf } from './terms.ts';

type Rest = TradingClient['rest'];
export type WireEnded = z.output<typeof closedPosition>;

interface Query {
  readonly by: 'timestamp';
  readonly sort: 'DESC';
  readonly limit: number;
  readonly offset: number;
  readonly from: { readonly kind: 'time'; readonly at: Micros };
  readonly symbol?: readonly string[];
}

/** The trades of a position, oldest first. */
interface TradesQuery {
  readonly position_id: number;
  readonly by: 'id';
  readonly sort: 'ASC';
  readonly limit: number;
  readonly offset: number;
}

interface MarginCalls {
  accounts(): Promise<readonly WireAccount[]>;
  ended(query: Query): Promise<readonly WireEnded[]>;
  clearings(query: Query): Promise<readonly WireClearing[]>;
  trades(query: TradesQuery): Promise<readonly WireTrade[]>;
}

const CALLS: Readonly<Record<MarginMarket, (rest: Rest) => MarginCalls>> = {
  margin: (rest) => ({
    accounts: () => rest.getMarginAccounts(),
    ended: (query) => rest.getMarginPositionHistory(query),
    clearings: (query) => rest.getMarginClearingHistory(query),
    trades: (query) => rest.getMarginTradeHistory(query),
  }),
  futures: (rest) => ({
    accounts: () => rest.getFuturesAccounts(),
    ended: (query) => rest.getFuturesPositionHistory(query),
    clearings: (query) => rest.getFuturesClearingHistory(query),
    trades: (query) => rest.getFuturesTradeHistory(query),
  }),
};

/** The margin accounts of a market as read at one time. */
export interface MarginRead {
  readonly market: MarginMarket;
  readonly accounts: readonly WireAccount[];
  readonly ended: readonly WireEnded[];
  readonly clearings: readonly WireClearing[];
  /** Histories of open positions with missing facts, by their ids. */
  readonly lives: ReadonlyMap<number, PositionLifecycle>;
}

const PAGE = 1_000;
/** For a position with more pages of trades or payments the service's own rounded figures are used. */
const LIFE_PAGES_MAX = 10;

/** Reads the margin accounts of one market and their events. */
export class MarginReader {
  readonly market: MarginMarket;
  readonly #calls: MarginCalls;
  readonly #ask: MarketRead;

  constructor(market: MarginMarket, rest: Rest, ask: MarketRead) {
    this.market = market;
    this.#calls = CALLS[market](rest);
    this.#ask = ask;
  }

  accounts(): Promise<readonly WireAccount[]> {
    return this.#ask(() => this.#calls.accounts());
  }

  /** Positions that ended since a time, newest first. */
  ended(bound: Micros): Promise<readonly WireEnded[]> {
    return this.#since(bound, (query) => this.#calls.ended(query));
  }

  /** Payments of positions since a time, newest first. */
  clearings(bound: Micros): Promise<readonly WireClearing[]> {
    return this.#since(bound, (query) => this.#calls.clearings(query));
  }

  /** The histories of open positions with missing facts. */
  async lives(
    accounts: readonly WireAccount[],
    isKnown: (position: WirePosition) => boolean,
  ): Promise<ReadonlyMap<number, PositionLifecycle>> {
    const lives = new Map<number, PositionLifecycle>();
    for (const position of accounts.flatMap(({ positions }) => positions ?? [])) {
      if (isKnown(position)) continue;
      const trades = await this.#tradesOf(position);
      const { created_at: from, symbol } = position;
      const clearings = await this.#since(from, (query) =>
        this.#calls.clearings({ ...query, symbol: [symbol] }),
      );
      lives.set(position.id, { at: position.updated_at, trades, clearings });
    }
    return lives;
  }

  async #tradesOf({ id }: WirePosition): Promise<readonly WireTrade[]> {
    const found: WireTrade[] = [];
    for (let offset = 0; offset < LIFE_PAGES_MAX * PAGE; offset += PAGE) {
      const page = await this.#ask(() =>
        this.#calls.trades({ position_id: id, by: 'id', sort: 'ASC', limit: PAGE, offset }),
      );
      found.push(...page);
      if (page.length < PAGE) break;
    }
    return found;
  }

  /**
   * Newest first: rows that arrive during the read move the pages, and repeat a row rather than skip it.
   */
  async #since<T extends { readonly id: number }>(
    bound: Micros,
    call: (query: Query) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const found = new Map<number, T>();
    for (let offset = 0; ; offset += PAGE) {
      const from = { kind: 'time', at: micros(Math.max(0, bound)) } as const;
      const query = { by: 'timestamp', sort: 'DESC', limit: PAGE, offset, from } as const;
      const page = await this.#ask(() => call(query));
      for (const one of page) found.set(one.id, one);
      if (page.length < PAGE) return [...found.values()];
    }
  }
}

/** True if two readings of accounts show the same accounts and positions as they stood. */
export function isSameAccounts(
  some: readonly WireAccount[],
  others: readonly WireAccount[],
): boolean {
  return shown(some) === shown(others);
}

/** The members of accounts that events change, as text; market prices do not affect them. */
const shown = (accounts: readonly WireAccount[]): string =>
  JSON.stringify(
    accounts.map(({ symbol, currency, type, leverage, updated_at, currencies, positions }) => [
      ...[symbol, currency, type, leverage?.toFixed(), updated_at],
      currencies.map(({ code, margin_balance }) => [code, margin_balance.toFixed()]),
      (positions ?? []).map(({ id, quantity, updated_at: at }) => [id, quantity.toFixed(), at]),
    ]),
  );

export interface MarginSnapshotSetup {
  readonly records: RecordReader;
  readonly book: MarginBook;
}

/** The margin accounts as they are, and what became of positions since a time, oldest first. */
export function marginSnapshot(
  looks: readonly MarginRead[],
  bound: Micros,
  { records, book }: MarginSnapshotSetup,
): MarginSnapshot {
  return {
    accounts: looks.flatMap((look) => {
      const better = livesOf(look, records);
      return look.accounts.flatMap((one): readonly MarginAccountState[] => {
        const read = book.read(one, look.market, better);
        return read === undefined ? [] : [read.state];
      });
    }),
    ended: looks
      .flatMap((look) => endedOf(look, bound, records))
      .sort((one, other) => one.at - other.at || one.id - other.id),
    carries: looks
      .flatMap((look) => carriesOf(look, bound, records))
      .sort((one, other) => one.at - other.at),
  };
}

/** Combines the histories with the last reported positions. */
function livesOf(
  { accounts, lives }: MarginRead,
  records: RecordReader,
): ReadonlyMap<number, KnownPosition> {
  const found = new Map<number, KnownPosition>();
  for (const position of accounts.flatMap(({ positions }) => positions ?? [])) {
    const life = lives.get(position.id);
    const instrument = records.instrument(position.symbol);
    const known = life && instrument && lived(position, life, instrument);
    if (known !== undefined) found.set(position.id, known);
  }
  return found;
}

function endedOf(
  { ended, clearings }: MarginRead,
  bound: Micros,
  records: RecordReader,
): readonly EndedPosition[] {
  return ended.flatMap((given) => {
    const instrument = records.instrument(given.symbol);
    if (given.updated_at < bound || instrument === undefined) return [];
    const own = clearings.filter(({ position_id: id }) => id === given.id);
    const liquidated = liquidatedLots(own, instrument);
    return [
      {
        id: given.id,
        symbol: given.symbol,
        at: given.updated_at,
        mode: given.margin_mode === undefined ? 'isolated' : modeOf(given.margin_mode),
        end: endOf(given, own, instrument),
        realizedPnl: given.pnl,
        fees: given.fee_cumulative,
        ...(liquidated === 0 ? {} : { liquidatedLots: liquidated }),
      },
    ];
  });
}

/** A settlement ends a contract that has expired; before that it is a deleveraging. */
function endOf(
  { liquidated, updated_at: at }: WireEnded,
  own: readonly WireClearing[],
  { expiresAt }: Instrument,
): PositionEnd {
  if (liquidated === true) return 'liquidated';
  const isSettled = own.some(({ kind, timestamp }) => kind === 'settlement' && timestamp === at);
  if (!isSettled) return 'closed';
  return at >= expiresAt ? 'settled' : 'deleveraged';
}

/** Lots that liquidations took of a position. */
function liquidatedLots(own: readonly WireClearing[], instrument: Instrument): Lots {
  const taken = own
    .filter(({ kind }) => kind === 'liquidation')
    .reduce((sum, { quantity }) => sum.plus(quantity.abs()), ZERO);
  return instrument.lots(taken, 'near');
}

function carriesOf(
  { clearings }: MarginRead,
  bound: Micros,
  records: RecordReader,
): readonly PositionCarry[] {
  return clearings.flatMap(({ kind, symbol, position_id, amount, price, rate, timestamp }) => {
    const isCarry = kind === 'funding' || kind === 'interest';
    if (!isCarry || timestamp < bound || records.instrument(symbol) === undefined) return [];
    const carry = { kind, amount, price, rate };
    return [{ positionId: position_id, symbol, carry, at: timestamp }];
  });
}

/** Ids of liquidation orders by their trades: nobody sent them. */
export const liquidationOrders = (trades: readonly WireTrade[]): ReadonlySet<number> =>
  new Set(trades.flatMap(({ liquidation, order_id: id }) => (liquidation === true ? [id] : [])));
