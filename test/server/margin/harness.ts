import { expect } from 'vitest';
import { decimal, Decimal } from '../../../src/model/decimal.ts';
import { eventColumns, QUOTE, SELL, TRADE } from '../../../src/model/events.ts';
import { Instrument, type InstrumentTerms } from '../../../src/model/instrument.ts';
import type { MarginTerms } from '../../../src/model/margin-terms.ts';
import { openVenue, type TestVenue, type VenueOptions } from '../kit.ts';

/** An object as it came over HTTP. */
export type Body = Readonly<Record<string, unknown>>;

/** An order of a test; sent as it is. */
export interface OrderBody {
  readonly symbol?: string;
  readonly side?: 'buy' | 'sell';
  readonly quantity?: string;
  readonly [member: string]: unknown;
}

/** A venue whose members trade on margin: short ways to quote and to ask. */
export class MarginHarness {
  readonly venue: TestVenue;
  readonly #columns = eventColumns(1);

  constructor(venue: TestVenue) {
    this.venue = venue;
  }

  /** Who asks where nothing else is said. */
  as = 'demo';

  /** Of which version the calls are. */
  version: 2 | 3 = 3;

  /** The recorded market shows these best prices, so much of each. */
  quote(bid: string, ask: string, symbol = 'BTCUSDT', size = '1000'): void {
    const { index, tickSize, quantityIncrement } = this.#terms(symbol);
    const columns = this.#columns;
    columns.kind[0] = QUOTE;
    columns.flags[0] = 0;
    columns.price[0] = decimal(bid).div(tickSize).toNumber();
    columns.askPrice[0] = decimal(ask).div(tickSize).toNumber();
    const lots = decimal(size).div(quantityIncrement).toNumber();
    columns.size[0] = columns.price[0] === 0 ? 0 : lots;
    columns.askSize[0] = columns.askPrice[0] === 0 ? 0 : lots;
    this.#feed(index);
  }

  /** A trade of the recorded market, of one who sold. */
  print(price: string, symbol = 'BTCUSDT', size = '1'): void {
    const { index, tickSize, quantityIncrement } = this.#terms(symbol);
    const columns = this.#columns;
    columns.kind[0] = TRADE;
    columns.flags[0] = SELL;
    columns.price[0] = decimal(price).div(tickSize).toNumber();
    columns.size[0] = decimal(size).div(quantityIncrement).toNumber();
    this.#feed(index);
  }

  /** A contract has this index from now on. */
  index(price: string, symbol: string): void {
    this.venue.trading.act(({ margin }, at) => {
      margin.index(this.#terms(symbol).index, decimal(price), at);
    });
  }

  /** What a call answers; it must be done. */
  async done<T = Body>(method: string, path: string, json?: unknown): Promise<T> {
    const { status, body } = await this.#call(method, path, json);
    expect(body).not.toHaveProperty('error');
    expect(status).toBe(200);
    return body as T;
  }

  /** The status and the error of a call that is refused. */
  async rejected(method: string, path: string, json?: unknown): Promise<Body & { status: number }> {
    const { status, body } = await this.#call(method, path, json);
    return { status, ...(body as { error: Body }).error };
  }

  /** Places an order on margin, or of a futures where the symbol is a contract. */
  order(order: OrderBody, as = this.as): Promise<Body> {
    return this.#as(as, () => this.done('POST', `${this.#market(order)}/order`, filled(order)));
  }

  /** The same for one that is refused. */
  orderRejected(order: OrderBody): Promise<Body & { status: number }> {
    return this.rejected('POST', `${this.#market(order)}/order`, filled(order));
  }

  /** Gives an isolated account a margin balance. */
  fund(marginBalance: string, symbol = 'BTCUSDT', more: Body = {}): Promise<Body> {
    const json = { margin_balance: marginBalance, ...more };
    return this.done('PUT', `${this.#market({ symbol })}/account/isolated/${symbol}`, json);
  }

  /** The only position of an isolated account. */
  async position(symbol = 'BTCUSDT'): Promise<Body> {
    const path = `${this.#market({ symbol })}/account/isolated/${symbol}`;
    const { positions } = await this.done<{ positions: readonly [Body] }>('GET', path);
    expect(positions).toHaveLength(1);
    return positions[0];
  }

  /** What an isolated account has, holds for orders and holds for positions. */
  async margin(symbol = 'BTCUSDT'): Promise<Body> {
    const path = `${this.#market({ symbol })}/account/isolated/${symbol}`;
    const { currencies } = await this.done<{ currencies: readonly [Body] }>('GET', path);
    return currencies[0];
  }

  /** Adds to the derivatives balance of the member who asks. */
  derive(amount: string, currency = 'USDT'): void {
    const { exchange } = this.venue.trading;
    exchange.derivatives.deposit(this.account, currency, new Decimal(amount));
  }

  /** The account of the member who asks. */
  get account(): number {
    const account = this.venue.trading.members.key(this.as)?.account;
    if (account === undefined) throw new Error(`${this.as} has not joined`);
    return account;
  }

  #terms(symbol: string) {
    const { exchange } = this.venue.trading;
    const index = exchange.instrument(symbol);
    const { tickSize, quantityIncrement } = exchange.instruments[index];
    return { index, tickSize, quantityIncrement };
  }

  #feed(index: number): void {
    const columns = this.#columns;
    columns.sequence[0] = 0;
    this.venue.trading.act((exchange, at) => {
      columns.receivedAt[0] = at;
      columns.stampedAt[0] = at;
      exchange.market(index, columns, 0, at);
    });
  }

  async #as<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.as;
    this.as = name;
    const acting = act();
    this.as = before;
    return acting;
  }

  #market({ symbol = 'BTCUSDT' }: OrderBody): string {
    const { exchange } = this.venue.trading;
    const index = exchange.instrument(symbol);
    return exchange.instruments[index]?.isContract ? '/futures' : '/margin';
  }

  #call(method: string, path: string, json?: unknown) {
    const ask = { as: this.as, json };
    return this.venue.call(method, `/api/${this.version}${path}`, ask);
  }
}

const filled = (order: OrderBody): OrderBody => ({ symbol: 'BTCUSDT', side: 'buy', ...order });

/** Opens a venue for the test that asks. */
export const openHarness = async (options: VenueOptions = {}): Promise<MarginHarness> =>
  new MarginHarness(await openVenue(options));

const MARGIN: MarginTerms = {
  marginMode: 'isolated',
  marginCallLeverageMul: '1.5',
  liquidationLeverageMul: '2',
  maxInitialLeverage: '10',
  forceCloseFee: '0.005',
  enabled: true,
  active: true,
};

/** Terms of a symbol on both kinds of margin. */
export const onMargin = (change: Partial<MarginTerms> = {}): readonly MarginTerms[] => [
  { ...MARGIN, ...change },
  { ...MARGIN, ...change, marginMode: 'cross' },
];

/** BTCUSDT on the terms of docs/margin-and-futures.md: leverage 10, the taker pays 0.1% and the maker nothing. */
export const bitcoin = (change: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
    takeRate: '0.001',
    makeRate: '0',
    feeCurrency: 'USDT',
    margin: onMargin(),
    ...change,
  });

/** Its perpetual contract. */
export const perpetual = (change: Partial<InstrumentTerms> = {}): Instrument =>
  bitcoin({ symbol: 'BTCUSDT_PERP', type: 'futures', contractType: 'perpetual', ...change });
