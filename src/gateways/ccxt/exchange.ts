import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { suggest } from '../../model/suggest.ts';
import { venueRules } from './venues.ts';

/** A record as ccxt returns it, unchecked. */
export type Given = Readonly<Record<string, unknown>>;

/** `true` if ccxt calls the venue for it, `emulated` if ccxt combines other calls. */
export type Ability = boolean | 'emulated' | undefined;

/** The part of ccxt's exchange classes that the gateway uses. */
export interface CcxtExchange {
  readonly id: string;
  readonly has: Readonly<Record<string, Ability>>;
  readonly markets: Readonly<Record<string, Given>> | undefined;
  readonly precisionMode: number;
  readonly timeframes?: Given;
  number: unknown;
  readonly urls: Given;
  setSandboxMode(isOn: boolean): void;
  loadHttpProxyAgent(): Promise<unknown>;
  loadMarkets(): Promise<unknown>;
  setMarketsFromExchange(source: CcxtExchange): unknown;
  close(): Promise<unknown>;
  featureValue(symbol: string, method: string, name: string): unknown;
  priceToPrecision(symbol: string, price: string): string;
  amountToPrecision(symbol: string, amount: string): string;
  fetchTime(): Promise<unknown>;
  fetchTradingFee(symbol: string): Promise<Given>;
  fetchTradingFees(): Promise<Readonly<Record<string, Given>>>;
  fetchOrderBook(symbol: string): Promise<Given>;
  fetchTrades(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since?: number,
    limit?: number,
    params?: object,
  ): Promise<Rows>;
  fetchPositions(symbols?: readonly string[]): Promise<readonly Given[]>;
  fetchPositionMode(symbol: string): Promise<Given>;
  fetchLeverage(symbol: string): Promise<Given>;
  fetchMarginMode(symbol: string): Promise<Given>;
  setLeverage(leverage: number, symbol: string): Promise<unknown>;
  setMarginMode(mode: string, symbol: string, params?: object): Promise<unknown>;
  fetchFundingHistory(symbol: string, since: number): Promise<readonly Given[]>;
  /** Of the class of HitBTC. */
  privateGetFuturesHistoryClearing(params: object): Promise<unknown>;
  safeSymbol(id: string): string;
  fetchFundingRate(symbol: string): Promise<Given>;
  fetchMarkPrice(symbol: string): Promise<Given>;
  fetchTicker(symbol: string): Promise<Given>;
  fetchOpenInterest(symbol: string): Promise<Given>;
  watchFundingRate(symbol: string): Promise<Given>;
  watchMarkPrice(symbol: string): Promise<Given>;
  watchOrderBook(symbol: string): Promise<Given>;
  watchTrades(symbol: string): Promise<readonly Given[]>;
  watchOHLCV(symbol: string, timeframe: string): Promise<Rows>;
  /** The socket of an address; absent from a class without sockets. */
  client?: (url: string) => CcxtClient;
  watchOrders(symbol?: string): Promise<readonly Given[]>;
  watchMyTrades(symbol?: string): Promise<readonly Given[]>;
  watchBalance(params?: object): Promise<Given>;
  fetchBalance(params?: object): Promise<Given>;
  fetchOpenOrders(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  fetchClosedOrders(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  fetchCanceledOrders(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  fetchOrders(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  fetchOrder(id: string | undefined, symbol: string, params?: object): Promise<Given>;
  fetchMyTrades(symbol: string, since?: number, limit?: number): Promise<readonly Given[]>;
  createOrder(
    ...order: [
      symbol: string,
      type: string,
      side: string,
      amount: string,
      price: string | undefined,
      params: object,
    ]
  ): Promise<Given>;
  cancelOrder(id: string | undefined, symbol: string, params: object): Promise<unknown>;
  editOrder(
    ...order: [
      id: string,
      symbol: string,
      type: string,
      side: string,
      amount: string,
      price: string | undefined,
      params: object,
    ]
  ): Promise<Given>;
}

/** A socket of ccxt. */
interface CcxtClient {
  send(message: unknown): Promise<unknown>;
}

/** Candles: time, open, high, low, close, volume. */
export type Rows = readonly (readonly unknown[])[];

/** How ccxt counts the digits of a market, as its own numbers. */
export interface CcxtModule {
  readonly DECIMAL_PLACES: number;
  readonly SIGNIFICANT_DIGITS: number;
  readonly TICK_SIZE: number;
  readonly exchanges: readonly string[];
  readonly pro: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

/** Settings of an exchange of ccxt. */
export interface ExchangeSettings {
  /** Its id, such as `binance`. */
  readonly id: string;
  readonly sandbox: boolean;
  /** Constructor options of the class: `options`, `urls`, `timeout`. */
  readonly config: Given;
}

/** Loads ccxt, which users install beside Millrace. Throws `config-invalid` if it is missing. */
export async function loadCcxt(): Promise<CcxtModule> {
  try {
    const { default: ccxt } = (await import('ccxt')) as unknown as { readonly default: CcxtModule };
    return ccxt;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new MillraceError(
      'config-invalid',
      'The venue is one of ccxt, which is not installed: npm install ccxt.',
      { field: 'ccxt', cause },
    );
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/** Open orders of a symbol, as many as the venue lists at once: some list 20 by default. */
export async function openOrders(
  exchange: CcxtExchange,
  symbol: string,
): Promise<readonly Given[]> {
  const limit = exchange.featureValue(symbol, 'fetchOpenOrders', 'limit');
  const most = typeof limit === 'number' ? limit : undefined;
  return await exchange.fetchOpenOrders(symbol, undefined, most);
}

/**
 * Loads the markets of an exchange, or takes them from another object of its class; also loads what ccxt
 * needs for a socket without TLS, such as that of a local venue.
 */
export async function loadMarkets(exchange: CcxtExchange, source?: CcxtExchange): Promise<void> {
  if (JSON.stringify(exchange.urls).includes('"ws://')) await exchange.loadHttpProxyAgent();
  if (source === undefined) await exchange.loadMarkets();
  else exchange.setMarketsFromExchange(source);
}

/**
 * Makes an exchange: its class with sockets if ccxt has one, else its class without. `numbers` is the type
 * of unified numbers: `text` keeps the digits that the venue wrote. Throws `config-invalid` for an id that
 * ccxt does not have, and for settings that its class does not take.
 */
export function makeExchange(
  ccxt: CcxtModule,
  { id, sandbox, config }: ExchangeSettings,
  secrets: Readonly<Record<string, string>>,
  numbers: 'text' | 'float',
): CcxtExchange {
  const known = ccxt.exchanges.includes(id);
  const made = known ? (ccxt.pro[id] ?? ccxt[id]) : undefined;
  if (typeof made !== 'function') {
    const near = suggest(id, ccxt.exchanges);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new MillraceError('config-invalid', `ccxt has no exchange "${sanitize(id)}".${hint}`, {
      field: 'ccxt',
    });
  }
  try {
    const exchange = new (made as new (config: object) => CcxtExchange)({ ...config, ...secrets });
    if (numbers === 'text') exchange.number = String;
    if (sandbox) exchange.setSandboxMode(true);
    handleFailedSends(exchange);
    const done = async (): Promise<boolean> => true;
    for (const method of venueRules(id).without ?? []) Object.assign(exchange, { [method]: done });
    return exchange;
  } catch (cause) {
    const why = sanitize(cause instanceof Error ? cause.message : String(cause));
    throw new MillraceError('config-invalid', `ccxt makes no exchange ${id}: ${why}`, {
      field: 'config',
      cause,
    });
  }
}

/**
 * Handles failed sends. ccxt ignores the promise of a throttled `send`; if the socket closed meanwhile it
 * rejects, and the unhandled rejection would end the process. Watchers learn of the close by themselves.
 */
function handleFailedSends(exchange: CcxtExchange): void {
  const clientOf = exchange.client?.bind(exchange);
  if (clientOf === undefined) return;
  const handled = new WeakSet<CcxtClient>();
  exchange.client = (url) => {
    const client = clientOf(url);
    if (handled.has(client)) return client;
    handled.add(client);
    const send = client.send.bind(client);
    client.send = (message) => {
      const sent = send(message);
      sent.catch(() => undefined);
      return sent;
    };
    return client;
  };
}
