import type { ClientOrderIdFormName } from './client-order-ids.ts';

/** What the gateway has to know of a venue that ccxt does not report. */
export interface VenueRules {
  /** What the venue takes as a client order id; none if that is not known here. */
  readonly clientOrderIds?: ClientOrderIdFormName;
  /** The parameter in which ccxt hands it on. */
  readonly clientOrderIdParam: string;
  /**
   * What `fetchOrder` needs beside an id, and the parameter by which it finds an order by its client order
   * id; none if it cannot.
   */
  readonly lookUp?: { readonly param?: string; readonly params?: object };
  /** Methods by which the class does what nobody asked for, such as paying somebody else a fee. */
  readonly without?: readonly string[];
  /** Which balances are those of spot, where ccxt takes others by itself. */
  readonly balanceParams?: Readonly<Record<string, string>>;
  /** True if ccxt sends a market order as a limit order at a price that it is given. */
  readonly marketNeedsPrice?: true;
  /** The member of `info` that numbers an order, where ccxt puts something else in `id`. */
  readonly orderNumber?: string;
  /** The member of `info` that reports what is executed, where ccxt reports less in `filled`. */
  readonly filled?: string;
  /** The member of `info` that names the order which another replaced. */
  readonly original?: string;
  /** The member of `info` that reports when an order changed, where the streams of ccxt do not. */
  readonly updated?: string;
  /**
   * True if a market order says whether it is FOK or IOC; elsewhere all are filled as far as they can be.
   */
  readonly marketTimeInForce?: true;
  /** True if the id of an order is its client order id. */
  readonly isNamedByClient?: true;
  /**
   * True if `editOrder` replaces an order as one, with a client order id for the new one and a quantity
   * that counts what is executed; everywhere else a replacement is refused.
   */
  readonly replaces?: true;
  /** What candles from a time on need beside the unified parameters, so that the oldest come first. */
  readonly candleParams?: Readonly<Record<string, string>>;
  /** What a market order needs beside the unified parameters, so that its quantity is in the base currency. */
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
/** ccxt would approve a builder of its own, add its fee to each order, and set a referrer. */
const hyperliquid: VenueRules = {
  ...UNKNOWN,
  clientOrderIds: 'hex128',
  lookUp: BY_CLIENT_ORDER_ID,
  marketNeedsPrice: true,
  balanceParams: { type: 'spot' },
  without: ['handleBuilderFeeApproval', 'setRef'],
};
/** ccxt takes the client order id for the id of the order there, and passes parameters on as they are. */
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
  // The service gives the newest candles if nobody says otherwise, and passes over the `until` of ccxt.
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
