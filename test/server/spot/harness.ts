import { expect } from 'vitest';
import { openVenue, type TestVenue, type VenueOptions } from '../kit.ts';

/** An object as it came over HTTP. */
export type Body = Readonly<Record<string, unknown>>;

/** An error with the status that it came with. */
export interface Rejected {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly description: string;
}

/** A limit order that rests, where an order of a test says nothing else. */
const DEFAULT = { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.05' } as const;

/** A member who trades spot over HTTP. */
export class SpotTrader {
  readonly venue: TestVenue;
  readonly as: string;
  readonly #prefix: string;

  constructor(venue: TestVenue, as: string, prefix = '/api/3') {
    this.venue = venue;
    this.as = as;
    this.#prefix = prefix;
  }

  get account(): number {
    return this.venue.trading.members.key(this.as)?.account ?? -1;
  }

  /** What a call answers; it must be done. */
  async done<T = Body>(method: string, path: string, json?: unknown): Promise<T> {
    const { status, body } = await this.#call(method, path, json);
    expect(body).not.toHaveProperty('error');
    expect(status).toBe(200);
    return body as T;
  }

  /** The error of a call that is refused, which must leave no trace. */
  async rejected(method: string, path: string, json?: unknown): Promise<Rejected> {
    const before = await this.#state();
    const { status, body } = await this.#call(method, path, json);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await this.#state()).toEqual(before);
    return { status, ...(body as { error: Omit<Rejected, 'status'> }).error };
  }

  /** Places an order: what it does not say is usual, and what it says is undefined is not sent. */
  order(order: Body = {}): Promise<Body> {
    return this.done('POST', '/spot/order', { ...DEFAULT, ...order });
  }

  orderRejected(order: Body): Promise<Rejected> {
    return this.rejected('POST', '/spot/order', { ...DEFAULT, ...order });
  }

  list(type: string, orders: readonly Body[], more: Body = {}): Promise<readonly Body[]> {
    return this.done('POST', '/spot/order/list', listBody(type, orders, more));
  }

  listRejected(type: string, orders: readonly Body[], more: Body = {}): Promise<Rejected> {
    return this.rejected('POST', '/spot/order/list', listBody(type, orders, more));
  }

  replace(clientOrderId: string, change: Body): Promise<Body> {
    return this.done('PATCH', `/spot/order/${clientOrderId}`, change);
  }

  replaceRejected(clientOrderId: string, change: Body): Promise<Rejected> {
    return this.rejected('PATCH', `/spot/order/${clientOrderId}`, change);
  }

  cancel(clientOrderId: string): Promise<Body> {
    return this.done('DELETE', `/spot/order/${clientOrderId}`);
  }

  active(query = ''): Promise<readonly Body[]> {
    return this.done('GET', `/spot/order${query}`);
  }

  past(query = ''): Promise<readonly Body[]> {
    return this.done('GET', `/spot/history/order${query}`);
  }

  /** The newest order that has or had a client order id, as the history shows it. */
  async pastOrder(clientOrderId: string): Promise<Body> {
    const [order] = await this.past(`?client_order_id=${clientOrderId}`);
    expect(order).toBeDefined();
    return order;
  }

  trades(query = ''): Promise<readonly Body[]> {
    return this.done('GET', `/spot/history/trade${query}`);
  }

  balance(currency: string): Promise<Body> {
    return this.done('GET', `/spot/balance/${currency}`);
  }

  #call(method: string, path: string, json?: unknown) {
    const ask = { as: this.as, json };
    return this.venue.call(method, this.#prefix + path, ask);
  }

  async #state(): Promise<unknown> {
    const paths = ['/api/3/spot/order', '/api/3/spot/balance', '/api/3/spot/history/order'];
    return Promise.all(
      paths.map(async (path) => (await this.venue.call('GET', path, { as: this.as })).body),
    );
  }
}

const listBody = (type: string, orders: readonly Body[], more: Body): Body => ({
  contingency_type: type,
  orders: orders.map((order) => ({ ...DEFAULT, ...order })),
  ...more,
});

/** Members who trade with each other, and the venue where they do. */
export interface Market {
  readonly venue: TestVenue;
  readonly demo: SpotTrader;
  readonly other: SpotTrader;
  /** Lets the public price be so, by a trade of one increment between two who have no part in a test. */
  print(price: string, symbol?: string): Promise<void>;
}

/** Opens a venue for the test that asks. */
export async function openMarket(options: VenueOptions = {}): Promise<Market> {
  const venue = await openVenue(options);
  venue.join('seller');
  venue.join('buyer');
  const seller = new SpotTrader(venue, 'seller');
  const buyer = new SpotTrader(venue, 'buyer');
  return {
    venue,
    demo: new SpotTrader(venue, 'demo'),
    other: new SpotTrader(venue, 'other'),
    print: async (price, symbol = 'ETHBTC') => {
      const order = { symbol, price, quantity: '0.0001' };
      await seller.order({ ...order, side: 'sell' });
      await buyer.order({ ...order, side: 'buy' });
      const [trade] = await buyer.trades('?limit=1');
      expect(trade).toMatchObject({ symbol, taker: true });
      expect(Number(trade['price'])).toBe(Number(price));
    },
  };
}

/** A client order id of the length that is asked for. */
export const idOf = (name: string): string => name.padEnd(8, '-');
