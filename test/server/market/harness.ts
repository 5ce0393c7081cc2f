import { expect } from 'vitest';
import type { CurrencyTerms } from '../../../src/model/currency.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import type { Side } from '../../../src/model/order.ts';
import { US_PER_SECOND, type Micros } from '../../../src/platform/time.ts';
import type { Frame, TestSocket, TestVenue } from '../kit.ts';

/** Shorter than the time between two pings of the venue. */
const STEP_US = 20 * US_PER_SECOND;

/** Acts on the market of a test's venue, and asks what everybody may know. */
export class MarketHarness {
  readonly venue: TestVenue;
  #names = 0;

  constructor(venue: TestVenue) {
    this.venue = venue;
  }

  get now(): Micros {
    return this.venue.trading.now();
  }

  /** Places a spot limit order, which must be taken; gives its client order id. */
  order(as: string, symbol: string, side: Side, price: string, quantity: string): string {
    this.#names += 1;
    const clientOrderId = `floor-${String(this.#names).padStart(8, '0')}`;
    const account = this.venue.trading.members.key(as)?.account ?? -1;
    const rejection = this.venue.trading.act((exchange, at) =>
      exchange.forms.place(
        account,
        {
          symbol,
          side,
          type: 'limit',
          price: new Decimal(price),
          quantity: new Decimal(quantity),
          clientOrderId,
        },
        at,
      ),
    );
    expect(rejection).toBeUndefined();
    return clientOrderId;
  }

  /** Puts an order of `demo` into the book. */
  rest(symbol: string, side: Side, price: string, quantity: string): string {
    return this.order('demo', symbol, side, price, quantity);
  }

  cancel(as: string, clientOrderId: string): void {
    const account = this.venue.trading.members.key(as)?.account ?? -1;
    this.venue.trading.act((exchange, at) => exchange.cancel(account, clientOrderId, at));
  }

  /** Makes one trade at a price, whose taker is `other`. */
  trade(symbol: string, side: Side, price: string, quantity: string): void {
    this.rest(symbol, side === 'buy' ? 'sell' : 'buy', price, quantity);
    this.order('other', symbol, side, price, quantity);
  }

  /** Lets time pass in steps in which a socket can answer the venue's pings, as live ones do. */
  async pass(us: number, socket: TestSocket): Promise<void> {
    const end = this.now + us;
    while (this.now < end) {
      this.venue.pass(Math.min(STEP_US, end - this.now));
      await socket.settle();
    }
  }

  /** What a GET answers; it must be answered. */
  async get(path: string): Promise<unknown> {
    const { status, body } = await this.venue.call('GET', path);
    expect(body).not.toHaveProperty('error');
    expect(status).toBe(200);
    return body;
  }

  /** What is wrong with a GET. */
  async rejected(path: string): Promise<{ status: number; code: unknown; description: unknown }> {
    const { status, body } = await this.venue.call('GET', path);
    const { error } = body as { error: { code: number; description?: string } };
    return { status, code: error.code, description: error.description };
  }
}

/** What a socket heard on a channel, oldest first. */
export const receivedOn = (socket: TestSocket, ch: string): readonly Frame[] =>
  socket.frames.filter((frame) => frame['ch'] === ch);

/** Forgets what a socket heard. */
export const forget = (socket: TestSocket): void => {
  socket.frames.length = 0;
};

/** A currency with two networks and all that people are shown, and one that is as good as gone. */
export const CURRENCIES: readonly CurrencyTerms[] = [
  {
    code: 'USDT',
    name: 'Tether',
    payinEnabled: true,
    payoutEnabled: false,
    transferEnabled: true,
    precisionTransfer: '0.00000001',
    networks: [
      {
        network: 'TRX',
        payinEnabled: true,
        payoutEnabled: true,
        precisionPayout: '0.000001',
        payoutFee: '1.5',
        payinConfirmations: 20,
        payinPaymentId: true,
        payoutIsPaymentId: false,
        shown: {
          name: 'Tron',
          contractAddress: 'TR7',
          explorer: 'https://tron.example/{tx}',
          paymentIdName: 'memo',
          processingTime: { low: '60', high: '3600', avg: '600.5' },
          assetId: { decimals: 6 },
          isEns: true,
        },
      },
      {
        network: 'ETH',
        payinEnabled: true,
        payoutEnabled: true,
        precisionPayout: '0.01',
        payoutFee: '8',
        payinConfirmations: 12,
        payinPaymentId: false,
        payoutIsPaymentId: true,
        addressRegex: '0[0-9a-f]*',
        paymentIdRegex: '[0-9]+',
      },
    ],
    shown: {
      sign: '$',
      explorer: 'https://explorer.example/usdt/{tx}',
      topOrder: 2,
      qrPrefix: 'tether:',
      paymentIdName: 'tag',
    },
  },
  {
    code: 'ETH',
    name: 'Ethereum',
    payinEnabled: false,
    payoutEnabled: true,
    transferEnabled: false,
    precisionTransfer: '1',
    networks: [
      {
        network: 'ETH',
        payinEnabled: true,
        payoutEnabled: true,
        precisionPayout: '0.0001',
        payoutFee: '0.002',
        payinConfirmations: 30,
        payinPaymentId: false,
        payoutIsPaymentId: false,
      },
    ],
    shown: { isCrypto: false, isDelisted: true },
  },
];
