import type { CancelRequest, OrderRequest, ReplaceRequest } from '../../model/order-request.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isActive, type NewOrder, type Order, type VenueOrder } from '../../model/order.ts';
import type { AnyOrderReport, BalanceReport } from '../../model/report.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { payingCurrency } from '../../rules/funds.ts';

/** Longest delay of a balance that an order has changed after the report on the order. */
const LAG_US = 5 * US_PER_SECOND;

/** The parts of the account that are read. */
export interface SpendingAccount {
  readonly instruments: { find(symbol: string): Instrument | undefined };
  /** True while it is connected and nothing is overdue. */
  readonly isCurrent: boolean;
  now(): Micros;
  openOrders(): Iterable<Order>;
}

/**
 * What of an account may be spent, as the venue reported it: a balance less what all open orders of the
 * account hold, those of others too. It is given only while nothing can have increased it since, so that no
 * order is held up that the venue would accept. It is not given:
 *
 * - before the balance was received on this connection, while the connection is lost or an answer overdue,
 *   and while the balance is not what fills made of it
 * - while a cancel or a replacement in the currency is not answered, or an order that brings some of it
 * - while an order is open that executes at once (market, IOC, FOK): it fills or releases in a moment
 * - after a report on an order that holds the currency, or on a fill that changes it, until the balance is
 *   received again, for 5 s at most
 *
 * Orders in flight that only reduce it are no reason: should they arrive, less is available than given, and
 * the venue rejects the next. They do not count as held either, as the venue may reject them.
 */
export class KnownAvailable {
  readonly #account: SpendingAccount;
  readonly #agrees: (currency: string) => boolean;
  readonly #reported = new Map<string, Decimal>();
  /** When a currency's balance was last known to lag behind a report. */
  readonly #laggingSince = new Map<string, Micros>();
  /** Requests that may increase the available amount, by the key of their answer. */
  readonly #unanswered = new Map<string, readonly string[]>();

  /** `agrees` returns whether a balance was received on this connection and matches the fills. */
  constructor(account: SpendingAccount, agrees: (currency: string) => boolean) {
    this.#account = account;
    this.#agrees = agrees;
  }

  /** Available amount of a currency; `undefined` while it is uncertain. */
  of(currency: string): Decimal | undefined {
    const account = this.#account;
    const since = this.#laggingSince.get(currency);
    if (since !== undefined && account.now() - since < LAG_US) return undefined;
    if (!account.isCurrent || !this.#agrees(currency)) return undefined;
    for (const currencies of this.#unanswered.values()) {
      if (currencies.includes(currency)) return undefined;
    }
    for (const { venueOrder, symbol } of account.openOrders()) {
      if (venueOrder === undefined || !isPassing(venueOrder)) continue;
      if (venueOrder.margin !== undefined) continue;
      if (this.#both(symbol).includes(currency)) return undefined;
    }
    return this.#reported.get(currency);
  }

  /** A request is about to leave. */
  passed(request: OrderRequest): void {
    for (const [key, currencies] of this.#raising(request)) this.#unanswered.set(key, currencies);
  }

  /** A request that had passed was not sent. */
  kept(request: OrderRequest): void {
    for (const [key] of this.#raising(request)) this.#unanswered.delete(key);
  }

  balance({ currency, available }: BalanceReport): void {
    this.#reported.set(currency, available.toDecimal());
    this.#laggingSince.delete(currency);
  }

  received(report: AnyOrderReport): void {
    // A request with an unknown outcome counts as in flight.
    if (report.kind === 'outcome-unknown') return;
    if (report.kind === 'rejected') {
      const { request, clientOrderId } = report;
      this.#unanswered.delete(keyOf(request, clientOrderId));
      if (request !== 'placeList') return;
      for (const key of [...this.#unanswered.keys()]) {
        if (key.startsWith(keyOf('placeList', `${clientOrderId} `))) this.#unanswered.delete(key);
      }
      return;
    }
    const { order } = report;
    this.#answered(order);
    // Margin orders reserve and change no balance.
    if (order.margin !== undefined) return;
    const instrument = this.#instrument(order.symbol);
    if (instrument === undefined) return;
    const changed =
      report.kind === 'trade' ? bothOf(instrument) : [payingCurrency(instrument, order.side)];
    for (const currency of changed) this.#laggingSince.set(currency, this.#account.now());
  }

  /** The connection is lost: only balances of the next one count. */
  clear(): void {
    this.#reported.clear();
    this.#laggingSince.clear();
    this.#unanswered.clear();
  }

  #answered({ clientOrderId, orderListId, status }: VenueOrder): void {
    this.#unanswered.delete(keyOf('place', clientOrderId));
    this.#unanswered.delete(keyOf('replace', clientOrderId));
    if (orderListId !== undefined) {
      this.#unanswered.delete(keyOf('placeList', `${orderListId} ${clientOrderId}`));
    }
    // A fill in between is no answer to a cancel.
    if (!isActive(status)) this.#unanswered.delete(keyOf('cancel', clientOrderId));
  }

  /** The currencies that each part of a request may bring or release, by the part's key. */
  #raising(request: OrderRequest): readonly (readonly [string, readonly string[]])[] {
    switch (request.kind) {
      case 'place':
        return [[keyOf('place', request.clientOrderId), this.#brought(request)]];
      case 'placeList':
        return request.orders.map((order) => [
          keyOf('placeList', `${request.orderListId} ${order.clientOrderId}`),
          this.#brought(order),
        ]);
      case 'replace':
        return [[keyOf('replace', request.newClientOrderId), this.#changed(request)]];
      case 'cancel':
        return [[keyOf('cancel', request.clientOrderId), this.#changed(request)]];
    }
  }

  #brought({ symbol, side, margin }: Pick<NewOrder, 'symbol' | 'side' | 'margin'>): Currencies {
    if (margin !== undefined) return [];
    const instrument = this.#instrument(symbol);
    if (instrument === undefined) return [];
    return [side === 'buy' ? instrument.baseCurrency : instrument.quoteCurrency];
  }

  #changed({ symbol, margin }: ReplaceRequest | CancelRequest): Currencies {
    return margin === undefined ? this.#both(symbol) : [];
  }

  #both(symbol: string): Currencies {
    const instrument = this.#instrument(symbol);
    return instrument === undefined ? [] : bothOf(instrument);
  }

  #instrument(symbol: string): Instrument | undefined {
    return this.#account.instruments.find(symbol);
  }
}

/** True for an order that fills or ends at once and does not wait for a stop price. */
const isPassing = ({ type, timeInForce, status, inactive }: VenueOrder): boolean =>
  (type === 'market' || timeInForce === 'IOC' || timeInForce === 'FOK') &&
  status !== 'suspended' &&
  inactive !== true;

type Currencies = readonly string[];

const bothOf = ({ baseCurrency, quoteCurrency }: Instrument): readonly string[] => [
  baseCurrency,
  quoteCurrency,
];

const keyOf = (kind: OrderRequest['kind'], id: string): string => `${kind} ${id}`;
