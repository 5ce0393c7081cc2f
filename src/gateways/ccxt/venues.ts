import type { ClientOrderIdFormName } from './client-order-ids.ts';

/** Rules of a venue that ccxt does not report. */
export interface VenueRules {
  /** The venue's form of client order ids; none if unknown. */
  readonly clientOrderIds?: ClientOrderIdFormName;
  /** The parameter in which ccxt hands it on. */
  readonly clientOrderIdParam: string;
  /**
   * Parameters of `fetchOrder` besides an id, and the one that selects by client order id; none if it
   * cannot.
   */
  readonly lookUp?: { readonly param?: string; readonly params?: object };
  /** Methods that do something unrequested, such as paying a third party a fee; they are disabled. */
  readonly without?: readonly string[];
  /** Parameters that select the spot balances, if ccxt reads others by default. */
  readonly balanceParams?: Readonly<Record<string, string>>;
  /** True if ccxt sends a market order as a limit order at a given price. */
  readonly marketNeedsPrice?: true;
  /** The member of `info` with an order's number, if ccxt puts something else in `id`. */
  readonly orderNumber?: string;
  /** The member of `info` with the filled quantity, if ccxt reports less in `filled`. */
  readonly filled?: string;
  /** The member of `info` that names the order which another replaced. */
  readonly original?: string;
  /** The member of `info` with the time of an order's change, if the streams of ccxt do not report it. */
  readonly updated?: string;
  /** True if a market order has FOK or IOC; elsewhere all fill as far as they can. */
  readonly marketTimeInForce?: true;
  /** True if the id of an order is its client order id. */
  readonly isNamedByClient?: true;
  /**
   * True if `editOrder` replaces an order atomically, with a client order id for the new one and a quantity
   * that includes the filled one; everywhere else a replacement is rejected.
   */
  readonly replaces?: true;
  /** Parameters besides the unified ones that return the oldest candles first. */
  readonly candleParams?: Readonly<Record<string, string>>;
  /** Parameters besides the unified ones that make a market order's quantity base currency. */
  readonly marketParams?: Readonly<Record<string, string>>;
}

const UNKNOWN: VenueRules = { clientOrderIdParam: 'clientOrderId' };

const BY_CLIENT_ORDER_ID = { param: 'clientOrderId' } as const;
const binance: VenueRules = { ...UNKNOWN, clientOrderIds: 'plain', lookUp: BY_CLIENT_ORDER_ID };
const okx: VenueRules = {
  ...UNKNOWN,
  clientOrderIds: 'alphanumeric',
  lookUp: BY_CLIENT_ORDER_ID,
  marketParams: { tgtCcy: 'base_ccy' },
};
const bybit: VenueRules = {
  ...UNKNOWN,
  clientOrderIds: 'plain',
  marketParams: {},
  lookUp: { param: 'orderLinkId', params: { acknowledged: true } },
};
/** ccxt would approve its own builder, add its fee to each order, and set a referrer. */
const hyperliquid: VenueRules = {
  ...UNKNOWN,
  clientOrderIds: 'hex128',
  lookUp: BY_CLIENT_ORDER_ID,
  marketNeedsPrice: true,
  balanceParams: { type: 'spot' },
  without: ['handleBuilderFeeApproval', 'setRef'],
};
/** ccxt takes the client order id for the id of the order there, and passes parameters on unchanged. */
const hitbtc: VenueRules = {
  clientOrderIds: 'plain',
  clientOrderIdParam: 'client_order_id',
  orderNumber: 'id',
  filled: 'quantity_cumulative',
  original: 'original_client_order_id',
  updated: 'updated_at',
  marketTimeInForce: true,
  isNamedByClient: true,
  replaces: true,
  // By default the service returns the newest candles and ignores the `until` of ccxt.
  candleParams: { sort: 'ASC' },
};

const VENUES: Readonly<Record<string, VenueRules>> = {
  binance,
  binanceus: binance,
  binanceusdm: binance,
  binancecoinm: binance,
  bybit,
  okx,
  okxus: okx,
  myokx: okx,
  kraken: { ...UNKNOWN, clientOrderIds: 'plain18' },
  hyperliquid,
  hitbtc,
};

/** The rules of an exchange by its id. */
export const venueRules = (id: string): VenueRules => VENUES[id] ?? UNKNOWN;
