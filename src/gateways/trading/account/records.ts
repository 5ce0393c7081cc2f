import { Amount } from '../../../model/amount.ts';
import type { z } from 'zod';
import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError, type Warn } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { hasPrice, hasStopPrice, type VenueOrder } from '../../../model/order.ts';
import type { Fill, OrderReport } from '../../../model/report.ts';
import type { Ticks } from '../../../model/units.ts';
import type { MarginMode, OrderMargin } from '../../../model/margin-terms.ts';
import type { marginOrder, marginTrade } from '../../../wire/trading/v3/records/order.ts';
import type { marginReport } from '../../../wire/trading/v3/records/report.ts';
import type { AccountMarketApi } from './market.ts';

/** Records of any market: those of spot have none of the members that margin adds. */
export type WireOrder = z.output<typeof marginOrder>;
export type WireTrade = z.output<typeof marginTrade>;
export type WireReport = z.output<typeof marginReport>;

/** Common members of orders and reports. */
type Status = Omit<WireOrder, 'trades'>;

/** No service has so many symbols that are no instruments; of more nobody needs to be warned. */
const STRANGE_MAX = 1_000;
/** Most characters shown of an unknown name. */
const NAME_SHOWN = 32;

/**
 * Reads orders, trades and reports of the service into whole ticks and lots. Nothing is rounded: a
 * record of a symbol that is not among the instruments, with a number off its grid, or with a quantity
 * or price below zero, is left out with a warning (`undefined`). Symbols are warned of once each.
 *
 * Times are those of the service, in its milliseconds. Fees are in the fee currency of the symbol. Where a
 * trade does not say which side took, it counts as made.
 */
export class RecordReader {
  readonly #warn: Warn;
  #instruments: ReadonlyMap<string, Instrument> = new Map();
  readonly #strange = new Set<string>();

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /** Reads records of these from here on. */
  know(instruments: readonly Instrument[]): void {
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
  }

  instrument(symbol: string): Instrument | undefined {
    const instrument = this.#instruments.get(symbol);
    if (instrument !== undefined || this.#strange.has(symbol)) return instrument;
    if (this.#strange.size >= STRANGE_MAX) return undefined;
    this.#strange.add(symbol);
    const name = symbol.slice(0, NAME_SHOWN);
    this.#warn(
      new MillraceError(
        'symbol-unknown',
        `The account has orders or trades of ${name}, which is no instrument here; they are left out.`,
        { field: 'symbol' },
      ),
    );
    return undefined;
  }

  order(given: Status, market: AccountMarketApi = 'spot'): VenueOrder | undefined {
    const instrument = this.instrument(given.symbol);
    if (instrument === undefined) return undefined;
    const { type } = given;
    const lots = instrument.lotsExactly(given.quantity);
    const filledLots = instrument.lotsExactly(given.quantity_cumulative);
    // Orders without their own price show their execution price, which need not be on the grid.
    const ticks = hasPrice(type) ? ticksOf(instrument, given.price) : undefined;
    const stopTicks = hasStopPrice(type) ? ticksOf(instrument, given.stop_price) : undefined;
    if (lots === undefined || filledLots === undefined || ticks === null || stopTicks === null) {
      this.#offGrid(`order ${given.client_order_id}`, instrument);
      return undefined;
    }
    const margin = marginOf(given, market);
    // An order that closes a position has no quantity until it is triggered.
    const isQuantity = margin?.closePosition === true ? lots >= 0 : lots > 0;
    if (!isQuantity || filledLots < 0 || isBelowZero(ticks) || isBelowZero(stopTicks)) {
      this.#negative(`order ${given.client_order_id}`, instrument);
      return undefined;
    }
    return {
      ...namesOf(given),
      symbol: given.symbol,
      side: given.side,
      type,
      timeInForce: given.time_in_force,
      status: given.status,
      lots,
      filledLots,
      ...(ticks === undefined ? {} : { ticks }),
      ...(stopTicks === undefined ? {} : { stopTicks }),
      ...(given.expire_time === undefined ? {} : { expireAt: given.expire_time }),
      postOnly: given.post_only ?? false,
      ...(given.inactive === true ? { inactive: true } : {}),
      ...(margin === undefined ? {} : { margin }),
      createdAt: given.created_at,
      updatedAt: given.updated_at,
    };
  }

  /** A trade of the history. */
  fill(given: WireTrade, market: AccountMarketApi = 'spot'): Fill | undefined {
    const { id, client_order_id: clientOrderId, symbol, side, price, quantity } = given;
    const { taker = false, timestamp: at } = given;
    const names = { id, clientOrderId, symbol, side };
    const rest = { fee: Amount.of(given.fee), taker, at, ...fillMarginOf(given, market) };
    return this.#fill(names, price, quantity, rest);
  }

  report(given: WireReport, market: AccountMarketApi = 'spot'): OrderReport | undefined {
    const read = this.order(given, market);
    if (read === undefined) return undefined;
    const at = given.updated_at;
    if (given.report_type !== 'trade') return { kind: kindOf(given), at, order: read };
    const { trade_id: id, trade_quantity, trade_price, trade_fee: fee } = given;
    if (
      id === undefined ||
      trade_quantity === undefined ||
      trade_price === undefined ||
      fee === undefined
    ) {
      this.#warn(
        new MillraceError(
          'answer-invalid',
          `A report of a trade of order ${read.clientOrderId} lacks its number, price, quantity or fee; the trade is left to the comparison with the history.`,
          { field: 'trade_id' },
        ),
      );
      return undefined;
    }
    const { clientOrderId, symbol, side } = read;
    const taker = given.trade_taker ?? given.taker ?? false;
    const names = { id, clientOrderId, symbol, side };
    const rest = { fee: Amount.of(fee), taker, at, ...fillMarginOf(given, market) };
    const fill = this.#fill(names, trade_price, trade_quantity, rest);
    return fill === undefined ? undefined : { kind: 'trade', at, order: read, fill };
  }

  #fill(
    names: Pick<Fill, 'id' | 'clientOrderId' | 'symbol' | 'side'>,
    price: Decimal,
    quantity: Decimal,
    rest: Pick<Fill, 'fee' | 'taker' | 'at' | 'margin'>,
  ): Fill | undefined {
    const instrument = this.instrument(names.symbol);
    if (instrument === undefined) return undefined;
    const ticks = instrument.ticksExactly(price);
    const lots = instrument.lotsExactly(quantity);
    if (ticks === undefined || lots === undefined) {
      this.#offGrid(`trade ${names.id} of order ${names.clientOrderId}`, instrument);
      return undefined;
    }
    if (lots <= 0 || ticks < 0) {
      this.#negative(`trade ${names.id} of order ${names.clientOrderId}`, instrument);
      return undefined;
    }
    return { ...names, ticks, lots, ...rest, feeCurrency: instrument.terms.feeCurrency };
  }

  /** The side says what is bought or sold: a negative quantity would turn a sale into a loss. */
  #negative(what: string, { symbol }: Instrument): void {
    this.#warn(
      new MillraceError(
        'answer-invalid',
        `The ${what} in ${symbol} has a quantity of nothing or a number below zero; it is left out.`,
        { field: 'quantity' },
      ),
    );
  }

  #offGrid(what: string, { symbol }: Instrument): void {
    this.#warn(
      new MillraceError(
        'off-grid',
        `The ${what} has a price or quantity that is off the grid of ${symbol}; it is left out. Has the service changed the symbol? A restart reloads it.`,
        { field: 'price' },
      ),
    );
  }
}

const namesOf = (
  given: Status,
): Pick<
  VenueOrder,
  'id' | 'clientOrderId' | 'originalClientOrderId' | 'orderListId' | 'contingencyType'
> => ({
  id: given.id,
  clientOrderId: given.client_order_id,
  originalClientOrderId: given.original_client_order_id,
  orderListId: given.order_list_id,
  contingencyType: given.contingency_type,
});

type MarginMembers = Pick<WireOrder, 'margin_mode' | 'reduce_only' | 'close_position'>;

/** How an order is traded on margin; without a mode, the service's default. */
function marginOf(given: MarginMembers, market: AccountMarketApi): OrderMargin | undefined {
  if (market === 'spot') return undefined;
  return {
    mode: given.margin_mode ?? 'isolated',
    ...(given.reduce_only === true ? { reduceOnly: true } : {}),
    ...(given.close_position === true ? { closePosition: true } : {}),
  };
}

const fillMarginOf = (
  { margin_mode: mode = 'isolated' }: Pick<WireTrade, 'margin_mode'>,
  market: AccountMarketApi,
): { readonly margin?: MarginMode } => (market === 'spot' ? {} : { margin: mode });

const isBelowZero = (ticks: Ticks | undefined): boolean => ticks !== undefined && ticks < 0;

/** `undefined` if there is no price, `null` if it is off the grid. */
function ticksOf(instrument: Instrument, price: Decimal | undefined): Ticks | null | undefined {
  return price === undefined ? undefined : (instrument.ticksExactly(price) ?? null);
}

/** A `rejected` of an order that has a number is reported as what became of the order. */
function kindOf({ report_type: kind, status }: WireReport): Exclude<OrderReport['kind'], 'trade'> {
  if (kind !== 'rejected' && kind !== 'trade') return kind;
  return status === 'canceled' || status === 'expired' ? status : 'status';
}
