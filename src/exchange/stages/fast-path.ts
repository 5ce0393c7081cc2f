import { TIMES_IN_FORCE } from '../../model/order.ts';
import type { NewOrder } from '../../model/order.ts';
import { isPlainLimit } from '../../rules/order-shape.ts';
import type { Book } from '../book/book.ts';
import type { Matching } from './match.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Herald } from '../state/herald.ts';
import { AVAILABLE as AVAILABLE_POCKET, RESERVED as RESERVED_POCKET } from '../ledger/balances.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { DirtyBalances } from '../ledger/dirty-balances.ts';
import type { Life } from './lifecycle.ts';
import type { ExchangeListener } from '../state/listener.ts';
import type { OrderLists } from '../orders/lists.ts';
import { NONE as NO_ORDER, type Orders } from '../orders/orders.ts';
import { FIELD, STATUS_CODE, TERMS_BITS } from '../orders/record.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { OrderLimits } from './validate.ts';
import type { SymbolStatuses } from '../state/symbol-status.ts';
import { BUY as BUY_SIDE, SELL as SELL_SIDE } from '../orders/side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const NONE = NO_ORDER;
const BUY = BUY_SIDE;
const SELL = SELL_SIDE;
const AVAILABLE = AVAILABLE_POCKET;
const RESERVED = RESERVED_POCKET;
const { LEFT, TICKS, RESTED_AT } = FIELD;
const { ACCOUNT, INSTRUMENT, TARIFF, STATUS, LEVEL, TERMS } = FIELD;
const { SUSPENDED } = STATUS_CODE;
const { TIME_IN_FORCE_BIT, MARGIN_BIT } = TERMS_BITS;
/** TERMS of a limit order of a side that is IOC; those of one that is GTC are the side alone. */
const IOC_TERMS = TIMES_IN_FORCE.indexOf('IOC') << TIME_IN_FORCE_BIT;
/** Recorded lots before an order where there is no tape. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * The short way of plain orders: spot limit orders, GTC or IOC, that may take and pay what everybody
 * pays. Most orders are, and of all rules only those apply to them that are asked here. Who is not
 * plain, or would be refused, is turned away before anything has changed, and goes the long way
 * (`Intake`, `Entry`, `Life`), which every order could go with the same result.
 */
export class Express {
  declare private readonly orders: Orders;
  declare private readonly register: OrderIndex;
  declare private readonly books: readonly Book[];
  declare private readonly tapes: readonly RecordedMarket[];
  declare private readonly tariffs: readonly FeeSchedule[];
  declare private readonly fees: Fees;
  declare private readonly lists: OrderLists;
  declare private readonly statuses: SymbolStatuses;
  declare private readonly matching: Matching;
  declare private readonly life: Life;
  declare private readonly touched: DirtyBalances;
  declare private readonly listener: ExchangeListener;
  declare private readonly limits: OrderLimits;

  constructor(setup: {
    readonly orders: Orders;
    readonly register: OrderIndex;
    readonly books: readonly Book[];
    readonly tapes: readonly RecordedMarket[];
    readonly tariffs: readonly FeeSchedule[];
    readonly fees: Fees;
    readonly lists: OrderLists;
    readonly statuses: SymbolStatuses;
    readonly matching: Matching;
    readonly life: Life;
    readonly herald: Herald;
    readonly listener: ExchangeListener;
    readonly limits: OrderLimits;
  }) {
    this.orders = setup.orders;
    this.register = setup.register;
    this.books = setup.books;
    this.tapes = setup.tapes;
    this.tariffs = setup.tariffs;
    this.fees = setup.fees;
    this.lists = setup.lists;
    this.statuses = setup.statuses;
    this.matching = setup.matching;
    this.life = setup.life;
    this.touched = setup.herald.spot;
    this.listener = setup.listener;
    this.limits = setup.limits;
  }

  /** Takes a plain order in and executes it; false, and nothing has happened, where that is not its way. */
  place(account: number, instrument: number, order: NewOrder): boolean {
    const { register } = this;
    if (
      !isPlainLimit(order) ||
      !this.statuses.isOpen(instrument) ||
      !this.fees.isUsual(account, instrument, order) ||
      !register.isVacant(account, order.clientOrderId) ||
      register.activeCount(account) >= this.limits.perAccount ||
      register.activeCountOn(account, instrument) >= this.limits.perSymbol
    ) {
      return false;
    }
    const { ticks = 0, lots } = order;
    const isBuy = order.side === 'buy';
    const side = isBuy ? BUY : SELL;
    const { sides } = this.books[instrument];
    const tariff = this.tariffs[instrument];
    const purse = isBuy ? tariff.quote : tariff.base;
    const reserve = isBuy ? tariff.buyReserve : tariff.sellReserve;
    // A buy must leave something of what is available, a sell may take all of it.
    const isHeld =
      sides[side].hasRoom(ticks, lots) &&
      purse.hold(account, isBuy ? ticks : 1, lots, reserve, isBuy ? 1 : 0);
    if (!isHeld) return false;
    const terms = order.timeInForce === 'IOC' ? side | IOC_TERMS : side;
    const slot = register.openPlain(account, instrument, terms, order.clientOrderId);
    this.orders.begin(slot, ticks, lots, this.matching.now);
    this.touched.note(account, isBuy ? tariff.quoteIndex : tariff.baseIndex);
    this.listener.order('new', slot);
    const against = sides[1 - side];
    const rests = terms <= SELL && against.bestKey < against.sign * ticks;
    if (rests && this.lists.size === 0 && this.tapes[instrument].isBlank) {
      this.orders.doubles[(slot << 4) | RESTED_AT] = this.matching.comesAt;
      sides[side].append(slot, ALL, 0);
    } else this.life.execute(slot);
    return true;
  }

  /** Cancels a spot order that rests, of no list; false, and nothing has happened, for another. */
  cancel(order: number): boolean {
    const { doubles, integers } = this.orders;
    const i = order << 5;
    const terms = integers[i | TERMS];
    const level = integers[i | LEVEL];
    if (this.lists.size > 0 || level === NONE || terms >> MARGIN_BIT !== 0) return false;
    if (integers[i | STATUS] === SUSPENDED) return false;
    const side = terms & 1;
    this.books[integers[i | INSTRUMENT]].sides[side].remove(order);
    const tariff = this.tariffs[integers[i | TARIFF]];
    const account = integers[i | ACCOUNT];
    const left = doubles[(order << 4) | LEFT];
    if (side === BUY) {
      const ticks = doubles[(order << 4) | TICKS];
      tariff.quote.move(account, RESERVED, AVAILABLE, ticks, left, tariff.buyReserve);
      this.touched.note(account, tariff.quoteIndex);
    } else {
      tariff.base.move(account, RESERVED, AVAILABLE, 1, left, tariff.sellReserve);
      this.touched.note(account, tariff.baseIndex);
    }
    this.register.end(order, 'canceled', this.matching.now);
    this.listener.order('canceled', order);
    this.register.clearAway(order);
    return true;
  }
}
