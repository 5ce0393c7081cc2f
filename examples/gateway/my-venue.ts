/**
 * A venue in the process of the bot. Its price is a random walk, market orders fill at the best
 * price, and limit orders fill in full once the price has reached them.
 */
import {
  Amount,
  Instrument,
  LAST,
  micros,
  MillraceError,
  parseDecimal,
  QUOTE,
  rejectReport,
  EventRows,
  TRADE,
  lots,
  ticks,
  type AccountListener,
  type Fill,
  type GatewayFactory,
  type GatewayOptions,
  type MarketListener,
  type NewOrder,
  type OrderRequest,
  type OrderStatus,
  type RejectionCode,
  type Ticks,
  type VenueOrder,
  type Wanted,
} from 'millrace/gateway';

const instruments = ['ALPHA', 'BETA'].map(
  (base) =>
    new Instrument({
      symbol: `${base}USD`,
      type: 'spot',
      baseCurrency: base,
      quoteCurrency: 'USD',
      tickSize: '0.01',
      quantityIncrement: '0.001',
      takeRate: '0.001',
      makeRate: '0',
      feeCurrency: 'USD',
    }),
);
const STEP_US = 100_000;
const NONE = Amount.count(0);

const known = (symbol: string): Instrument => {
  const instrument = instruments.find((one) => one.symbol === symbol);
  if (instrument === undefined) throw new Error(`${symbol} is not traded here`);
  return instrument;
};

/** What a fill changes, by currency. */
function changesOf(order: NewOrder, price: Ticks, fee: Amount): [string, Amount][] {
  const instrument = known(order.symbol);
  const { baseCurrency, quoteCurrency } = instrument;
  const size = instrument.sizeAmount(order.lots);
  const value = instrument.valueAmount(price, order.lots);
  return order.side === 'buy'
    ? [
        [quoteCurrency, value.plus(fee).negated()],
        [baseCurrency, size],
      ]
    : [
        [baseCurrency, size.negated()],
        [quoteCurrency, value.minus(fee)],
      ];
}

/** Prices, orders and balances of the venue. */
class RandomVenue {
  readonly held: Map<string, Amount>;
  readonly orders = new Map<string, VenueOrder>();
  readonly fills: Fill[] = [];
  account: AccountListener | undefined;
  market: MarketListener | undefined;
  wanted: readonly Wanted[] = [];
  readonly #scheduler: GatewayOptions['scheduler'];
  readonly #random: GatewayOptions['random'];
  readonly #middles = instruments.map(() => 10_000);
  #lastId: number;
  #cancelStep = (): void => {};

  constructor({ settings, scheduler, random }: GatewayOptions) {
    const start = parseDecimal(String(settings.balance));
    if (start === undefined)
      throw new MillraceError('config-invalid', 'balance must be a decimal.');
    this.held = new Map([['USD', Amount.of(start)]]);
    this.#scheduler = scheduler;
    this.#random = random;
    this.#lastId = scheduler.now();
  }

  reportBalance(currency: string): void {
    const available = this.held.get(currency) ?? NONE;
    const at = this.#scheduler.now();
    this.account?.report({ kind: 'balance', at, currency, available, reserved: NONE });
  }

  /** Answers a request; the engine calls it in a later turn than `send`. */
  answer(request: OrderRequest): void {
    const now = this.#scheduler.now();
    const reject = (code: RejectionCode, message: string): void =>
      this.account?.report(rejectReport(request, { code, message }, now));
    if (request.kind === 'cancel') {
      const order = this.orders.get(request.clientOrderId);
      if (order?.status === 'new') this.#change('canceled', { ...order, status: 'canceled' });
      else reject('order-unknown', 'There is no such active order.');
    } else if (request.kind === 'place' && ['limit', 'market'].includes(request.type)) {
      const { kind: _, takeRate: _take, makeRate: _make, ...order } = request;
      this.#place(this.#made(order, 'new', (this.#lastId += 1)), true);
    } else {
      reject('type-invalid', 'This venue takes limit and market orders, one at a time.');
    }
  }

  /** One step of the walk: each price moves, is published, and fills what it has reached. */
  step(): void {
    const now = this.#scheduler.now();
    instruments.forEach((_, index) => {
      const moved = this.#middles[index] + this.#random.integer(-10, 10);
      this.#middles[index] = Math.max(1_000, moved);
    });
    this.wanted.forEach(({ instrument }, index) => {
      const middle = this.#middleOf(instrument.symbol);
      const rows = new EventRows();
      rows.add(now, now, QUOTE, 0, 0, middle - 1, 5_000, middle + 1, 5_000, 0);
      rows.add(now, now, TRADE, LAST, (this.#lastId += 1), middle, 10, 0, 0, 0);
      this.market?.rows(index, rows.columns);
    });
    for (const order of this.orders.values()) {
      if (order.status === 'new') this.#place(order, false);
    }
    this.#cancelStep = this.#scheduler.at(micros(now + STEP_US), () => this.step());
  }

  stop(): void {
    this.#cancelStep();
  }

  #middleOf(symbol: string): number {
    return this.#middles[instruments.findIndex((one) => one.symbol === symbol)];
  }

  #made(order: NewOrder, status: OrderStatus, id: number): VenueOrder {
    const now = this.#scheduler.now();
    const filledLots = status === 'filled' ? order.lots : lots(0);
    return { ...order, id, status, filledLots, createdAt: now, updatedAt: now };
  }

  #change(kind: 'new' | 'canceled' | 'expired', order: VenueOrder): void {
    this.orders.set(order.clientOrderId, order);
    this.account?.report({ kind, at: this.#scheduler.now(), order });
  }

  #place(order: VenueOrder, isNew: boolean): void {
    const { side, ticks: limit } = order;
    const best = ticks(this.#middleOf(order.symbol) + (side === 'buy' ? 1 : -1));
    const crosses = limit === undefined || (side === 'buy' ? best <= limit : best >= limit);
    if (isNew) this.#change('new', order);
    if (crosses && this.#fill(order, best, isNew)) return;
    if (isNew && order.timeInForce !== 'GTC')
      this.#change('expired', { ...order, status: 'expired' });
  }

  /** Fills an order in full; `false` where the account does not have what it takes. */
  #fill(order: VenueOrder, price: Ticks, taker: boolean): boolean {
    const instrument = known(order.symbol);
    const rate = Amount.of(taker ? instrument.takeRate : instrument.makeRate);
    const fee = instrument.valueAmount(price, order.lots).times(rate);
    const after = changesOf(order, price, fee).map(
      ([currency, change]) => [currency, (this.held.get(currency) ?? NONE).plus(change)] as const,
    );
    if (after.some(([, amount]) => amount.sign < 0)) return false;
    for (const [currency, amount] of after) this.held.set(currency, amount);
    const { clientOrderId, symbol, side } = order;
    const at = this.#scheduler.now();
    const done = this.#made(order, 'filled', order.id);
    const trade: Fill = {
      id: (this.#lastId += 1),
      clientOrderId,
      symbol,
      side,
      ticks: price,
      lots: order.lots,
      fee,
      feeCurrency: 'USD',
      taker,
      at,
    };
    this.orders.set(clientOrderId, done);
    this.fills.push(trade);
    this.account?.report({ kind: 'trade', at, order: done, fill: trade });
    for (const [currency] of after) this.reportBalance(currency);
    return true;
  }
}

const factory: GatewayFactory = (context) => {
  const venue = new RandomVenue(context);
  const { scheduler } = context;
  return {
    instruments: async () => instruments,
    account: {
      instruments,
      open: async (listener) => {
        venue.account = listener;
        for (const currency of venue.held.keys()) venue.reportBalance(currency);
        listener.connectionState('live');
      },
      send: (request) => {
        scheduler.at(scheduler.now(), () => venue.answer(request));
      },
      snapshot: async (since) => {
        const orders = [...venue.orders.values()];
        return {
          at: scheduler.now(),
          orders: orders.filter(({ status }) => status === 'new'),
          ended: orders.filter(({ status, updatedAt }) => status !== 'new' && updatedAt >= since),
          fills: venue.fills.filter(({ at }) => at >= since),
          balances: [...venue.held].map(([currency, amount]) => ({
            currency,
            available: amount.toDecimal(),
            reserved: NONE.toDecimal(),
          })),
        };
      },
      clockSkewUs: async () => 0,
      close: async () => {
        venue.account = undefined;
      },
    },
    market: {
      contents: () => ({ trades: true, quotes: true, levels: false }),
      open: async (asked, listener) => {
        venue.wanted = asked;
        venue.market = listener;
        asked.forEach((_, index) => listener.connectionState(index, 'live'));
        venue.step();
      },
      history: async () => new EventRows().columns,
      close: async () => venue.stop(),
    },
  };
};

export default factory;
