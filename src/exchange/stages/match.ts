import type { Settlement } from './settle.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { ExchangeListener } from '../state/listener.ts';
import type { OrderLists, OrderList } from '../orders/lists.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { FollowUps } from '../queues/follow-ups.ts';
import { NONE as NO_ORDER, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import { BUY as BUY_SIDE, SELL as SELL_SIDE } from '../orders/side.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { StopBook } from '../book/stop-book.ts';
import type { Book, BookSide } from '../book/book.ts';
import type { Consequences } from '../book/consequences.ts';
import { Crossing } from './crossing.ts';
import type { SelfMatch } from '../state/self-match.ts';
import { Trades } from '../state/trades.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const BUY = BUY_SIDE;
const SELL = SELL_SIDE;
const NONE = NO_ORDER;
const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * Brings orders together, with each other and with the tape, by price and then by time. At one
 * price the tape stands in the queue too: as many of its lots come before an order as were shown
 * when the order came and have not gone since.
 */
export class Matching {
  /** Lots of resting orders that the tape has filled so far, a running sum of which differences are used. */
  filled = 0;
  /** Time of what is happening, for the records of the orders. */
  now = 0;
  /** Time from which an order that comes to rest or to wait now is held to have been there. */
  comesAt = 0;
  /** Where the last sweep of early orders halted, else NaN. */
  haltedAt = Number.NaN;
  declare private readonly orders: Orders;
  declare private readonly books: readonly Book[];
  declare private readonly tapes: readonly RecordedMarket[];
  declare private readonly register: OrderIndex;
  declare private readonly settlement: Settlement;
  declare private readonly triggers: StopBook;
  declare private readonly agenda: FollowUps<number | OrderList>;
  declare private readonly listener: ExchangeListener;
  declare private readonly consequences: Consequences;
  declare private readonly lists: OrderLists;
  declare private readonly selfMatch: SelfMatch;
  declare private readonly positions: MarginAccounts;
  declare private readonly clearing: Clearing;
  declare readonly trades: Trades;
  declare private readonly crossing: Crossing;

  constructor(setup: {
    readonly orders: Orders;
    readonly tariffs: readonly FeeSchedule[];
    readonly books: readonly Book[];
    readonly tapes: readonly RecordedMarket[];
    readonly register: OrderIndex;
    readonly settlement: Settlement;
    readonly triggers: StopBook;
    readonly agenda: FollowUps<number | OrderList>;
    readonly listener: ExchangeListener;
    readonly lists: OrderLists;
    readonly consequences: Consequences;
    readonly selfMatch: SelfMatch;
    readonly positions: MarginAccounts;
    readonly clearing: Clearing;
    readonly marketData: MarketData | undefined;
  }) {
    this.orders = setup.orders;
    this.books = setup.books;
    this.tapes = setup.tapes;
    this.register = setup.register;
    this.settlement = setup.settlement;
    this.triggers = setup.triggers;
    this.agenda = setup.agenda;
    this.listener = setup.listener;
    this.lists = setup.lists;
    this.consequences = setup.consequences;
    this.selfMatch = setup.selfMatch;
    this.positions = setup.positions;
    this.clearing = setup.clearing;
    this.trades = new Trades(setup.marketData);
    this.crossing = new Crossing({ ...setup, trades: this.trades });
  }

  /** Lets time come to `at`, or stay where it is later already. */
  come(at: number): void {
    if (at > this.now) this.now = at;
    this.comesAt = this.now;
  }

  /** Executes an incoming order against everything that it reaches; false when an own order ends it. */
  take(order: number): boolean {
    const orders = this.orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order) === BUY ? SELL : BUY;
    const book = this.books[instrument].sides[side];
    const tape = this.tapes[instrument];
    const ticks = orders.ticks(order);
    const reach = ticks === 0 ? -Number.MAX_VALUE : book.sign * ticks;
    if (tape.isBlank) {
      if (book.bestKey < reach) return true;
      if (this.lists.size === 0 && !this.selfMatch.prevents && orders.margin(order) === 0) {
        this.crossing.cross(order, instrument, book, reach, this.now);
        if (book.bestKey < reach || orders.left(order) === 0) return true;
      }
    }
    return this.#takeFrom(order, book, tape, reach);
  }

  #takeFrom(
    order: number,
    book: BookSide,
    { isBlank, sides }: RecordedMarket,
    reach: number,
  ): boolean {
    const tape = sides[book.sign > 0 ? BUY : SELL];
    if (!isBlank) tape.start();
    const goesOn = this.#takeAll(order, book, tape, reach);
    this.settlement.settle(order);
    return goesOn;
  }

  #takeAll(order: number, book: BookSide, tape: RecordedSide, reach: number): boolean {
    let left = this.#room(order);
    while (left > 0) {
      const key = book.bestKey;
      if (key < reach && tape.key < reach) return true;
      let lots: number;
      if (key < tape.key) {
        lots = Math.min(left, tape.open);
        const ticks = tape.sign * tape.key;
        tape.take(lots);
        this.#takeTape(order, ticks, lots);
      } else {
        const level = book.best();
        const maker = book.head(level);
        const ahead = key === tape.key ? Math.min(book.ahead(maker), tape.open) : 0;
        if (ahead > 0) {
          lots = Math.min(left, ahead);
          const ticks = tape.sign * tape.key;
          tape.take(lots);
          book.advance(level, lots);
          this.#takeTape(order, ticks, lots);
        } else if (this.selfMatch.prevents && this.#isSame(order, maker)) {
          if (!this.consequences.met(order, maker)) return false;
          left = this.#room(order);
          continue;
        } else {
          lots = Math.min(left, this.#room(maker));
          this.#withEachOther(book, maker, order, lots);
        }
      }
      left -= lots;
    }
    return true;
  }

  /** True for two orders of one account that may not trade with each other. */
  #isSame(taker: number, maker: number): boolean {
    const account = this.orders.account(taker);
    return account === this.orders.account(maker) && this.selfMatch.mode(account) !== 'none';
  }

  /**
   * A trade of the tape, whose aggressor hit `side`: it fills resting orders of that side, those of
   * better prices first, for no more lots than it has, then those at its own price after what stands
   * before them. The display had lost `counted` of its lots before, and `pending` at its price in all.
   * Gives the lots that are left of it.
   */
  trade(
    instrument: number,
    side: number,
    ticks: number,
    size: number,
    counted: number,
    pending: number,
  ): number {
    const left = this.sweep(instrument, side, ticks, size);
    if (left === 0) return 0;
    const level = this.books[instrument].sides[side].at(ticks);
    return level === NONE ? left : this.#touch(instrument, side, level, left, counted, pending);
  }

  /** Fills resting orders of a side at better prices than `ticks`; gives the lots that are left. */
  sweep(instrument: number, side: number, ticks: number, size: number): number {
    const book = this.books[instrument].sides[side];
    const reach = book.sign * ticks;
    let left = size;
    while (left > 0) {
      const level = book.best();
      if (level === NONE || book.key(level) <= reach) return left;
      const order = book.head(level);
      const lots = Math.min(left, this.#room(order));
      this.#rested(book, order, lots);
      left -= lots;
    }
    return 0;
  }

  /**
   * The same for those only that came to rest by a time: what came later did not see it. With
   * `halts` a fill that brings something about ends it, with its price as `haltedAt`.
   */
  sweepEarly(
    instrument: number,
    side: number,
    ticks: number,
    size: number,
    till: number,
    halts = false,
  ): number {
    const book = this.books[instrument].sides[side];
    const reach = book.sign * ticks;
    let left = size;
    this.haltedAt = Number.NaN;
    while (left > 0) {
      // A fill may end other orders of its list, so the next one is looked for anew.
      const order = this.#firstEarly(book, reach, till);
      if (order === NONE) return left;
      const lots = Math.min(left, this.#room(order));
      const price = this.orders.ticks(order);
      this.#rested(book, order, lots);
      left -= lots;
      if (!halts || this.agenda.length === 0) continue;
      this.haltedAt = price;
      return left;
    }
    return 0;
  }

  /** The first order of a side beyond a key that came to rest at a time or before, else NONE. */
  #firstEarly(book: BookSide, reach: number, till: number): number {
    const orders = this.orders;
    let level = book.best();
    while (level !== NONE && book.key(level) > reach) {
      let order = book.head(level);
      while (order !== NONE && orders.restedAt(order) > till) order = orders.next(order);
      if (order !== NONE) return order;
      level = book.below(book.key(level));
    }
    return NONE;
  }

  /** A trade reaches the orders at its own price; gives the lots that are left when none rests there. */
  #touch(
    instrument: number,
    side: number,
    level: number,
    size: number,
    counted: number,
    pending: number,
  ): number {
    const book = this.books[instrument].sides[side];
    const fresh = Math.max(0, size - counted);
    const ticks = book.sign * book.key(level);
    let filled = 0;
    for (let queue = level; ;) {
      const order = book.head(queue);
      book.bound(order, pending);
      const behind = book.reached(order, size - filled, fresh - filled);
      const room = this.#room(order);
      const lots = Math.min(room, behind);
      if (lots > 0) {
        filled += lots;
        const whole = lots === room;
        this.#rested(book, order, lots);
        // A fill may end other orders of its list, those behind it too.
        queue = book.at(ticks);
        if (queue === NONE) return size - filled;
        if (whole) continue;
      }
      book.print(queue, size - filled, Math.max(0, fresh - filled));
      return 0;
    }
  }

  /** Fills resting orders that the other side of the tape has come to, for what it shows there. */
  cross(instrument: number): void {
    this.#crossSide(instrument, BUY);
    this.#crossSide(instrument, SELL);
  }

  #crossSide(instrument: number, side: number): void {
    const book = this.books[instrument].sides[side];
    if (book.count === 0) return;
    const tape = this.tapes[instrument].sides[side === BUY ? SELL : BUY];
    tape.start();
    for (;;) {
      const level = book.best();
      // The keys of the two sides have opposite signs; at or through is a sum that is not negative.
      if (level === NONE || tape.key === NO_KEY || book.key(level) + tape.key < 0) return;
      const order = book.head(level);
      const lots = Math.min(tape.open, this.#room(order));
      this.#rested(book, order, lots);
      tape.take(lots);
    }
  }

  /** Brings the queues of a side into line with what the tape shows, from the best to `ticks`. */
  recap(instrument: number, side: number, ticks: number): void {
    const book = this.books[instrument].sides[side];
    const tape = this.tapes[instrument].sides[side];
    const worst = book.sign * ticks;
    let level = book.best();
    while (level !== NONE && book.key(level) >= worst) {
      book.cap(level, tape.shown(book.sign * book.key(level)));
      level = book.below(book.key(level));
    }
  }

  /** The same for one price. */
  recapAt(instrument: number, side: number, ticks: number): void {
    const book = this.books[instrument].sides[side];
    const level = book.at(ticks);
    if (level !== NONE) book.cap(level, this.tapes[instrument].sides[side].shown(ticks));
  }

  /** A trade of the tape with itself, of an aggressor of `side`: it gets a number when everybody is told. */
  printed(instrument: number, side: number, ticks: number, lots: number): void {
    if (!this.trades.arePublic || lots <= 0) return;
    this.trades.count += 1;
    this.trades.publish(instrument, ticks, lots, side, this.now);
  }

  /** A resting order executes against the tape at its own price. */
  #rested(book: BookSide, order: number, lots: number): void {
    this.filled += lots;
    const ticks = this.orders.ticks(order);
    this.#tapeTrade(order, ticks, lots, false);
    book.shrink(order, lots);
    if (this.orders.left(order) === 0) this.register.end(order, 'filled', this.now);
    this.#follow(order);
    this.triggers.traded(this.orders.instrument(order), ticks);
  }

  #tapeTrade(order: number, ticks: number, lots: number, taker: boolean): void {
    this.trades.count += 1;
    const instrument = this.orders.instrument(order);
    const side = this.orders.side(order);
    this.settlement.tape(instrument, side, ticks, lots);
    if (taker) this.#executeTaker(order, ticks, lots);
    else this.#executeMaker(order, ticks, lots);
    this.trades.publish(instrument, ticks, lots, taker ? side : 1 - side, this.now);
  }

  #takeTape(order: number, ticks: number, lots: number): void {
    this.#tapeTrade(order, ticks, lots, true);
    this.#follow(order);
    this.triggers.traded(this.orders.instrument(order), ticks);
  }

  #withEachOther(book: BookSide, maker: number, taker: number, lots: number): void {
    const orders = this.orders;
    const ticks = orders.ticks(maker);
    this.trades.count += 1;
    this.#executeMaker(maker, ticks, lots);
    book.shrink(maker, lots);
    this.#executeTaker(taker, ticks, lots);
    const instrument = orders.instrument(taker);
    this.trades.publish(instrument, ticks, lots, orders.side(taker), this.now);
    if (!orders.active(maker)) this.register.end(maker, 'filled', this.now);
    if (this.#isFollowed()) this.#followBoth(maker, taker);
    this.triggers.traded(instrument, ticks);
  }

  /** Lots of an order that can execute: an order that only reduces a position is worth no more than that. */
  #room(order: number): number {
    const orders = this.orders;
    return orders.margin(order) === 0 ? orders.left(order) : this.positions.room(order);
  }

  #follow(order: number): void {
    if (this.#isFollowed()) this.consequences.after(order);
  }

  #followBoth(maker: number, taker: number): void {
    this.#follow(maker);
    this.#follow(taker);
  }

  /** True when somebody may have something to do after a trade. */
  #isFollowed(): boolean {
    return this.lists.size > 0 || this.clearing.ended.length > 0;
  }

  #executeMaker(order: number, ticks: number, lots: number): void {
    if (this.lists.size > 0) this.consequences.before(order);
    this.orders.execute(order, lots, this.now);
    this.settlement.fillMaker(order, ticks, lots);
    this.listener.fill(order, this.trades.count, ticks, lots, false);
  }

  #executeTaker(order: number, ticks: number, lots: number): void {
    if (this.lists.size > 0) this.consequences.before(order);
    this.orders.execute(order, lots, this.now);
    this.settlement.fillTaker(order, ticks, lots);
    this.listener.fill(order, this.trades.count, ticks, lots, true);
  }
}
