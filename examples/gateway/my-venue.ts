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
  Rows,
  TRADE,
  lots,
  ticks,
  type AccountListener,
  type Fill,
  type GatewayFactory,
  type MarketListener,
  type NewOrder,
  type OrderStatus,
  type Ticks,
  type VenueOrder,
  type Wanted,
} from 'millrace/gateway';

const instruments = ['ALPHA', 'BETA'].map(
  (base) =>
    new Instrument({
      ...{ symbol: `${base}USD`, type: 'spot', baseCurrency: base, quoteCurrency: 'USD' },
      ...{ tickSize: '0.01', quantityIncrement: '0.001' },
      ...{ takeRate: '0.001', makeRate: '0', feeCurrency: 'USD' },
    }),
);
const STEP_US = 100_000;
const NONE = Amount.count(0);

const factory: GatewayFactory = ({ settings, scheduler, random }) => {
  const start = parseDecimal(String(settings.balance));
  if (start === undefined) throw new MillraceError('config-invalid', 'balance must be a decimal.');
  const held = new Map([['USD', Amount.of(start)]]);
  const middles = instruments.map(() => 10_000);
  const orders = new Map<string, VenueOrder>();
  const fills: Fill[] = [];
  let wanted: readonly Wanted[] = [];
  let account: AccountListener | undefined;
  let market: MarketListener | undefined;
  let cancelStep = () => {};
  let lastId: number = scheduler.now();

  const later = (task: () => void) => scheduler.at(scheduler.now(), task);
  const known = (symbol: string) => {
    const instrument = instruments.find((one) => one.symbol === symbol);
    if (instrument === undefined) throw new Error(`${symbol} is not traded here`);
    return instrument;
  };
  const bestOf = (order: NewOrder): Ticks => {
    const index = instruments.findIndex(({ symbol }) => symbol === order.symbol);
    return ticks(middles[index] + (order.side === 'buy' ? 1 : -1));
  };
  const heldOf = (currency: string) => held.get(currency) ?? NONE;

  /** What a fill changes, by currency. */
  const changesOf = (order: NewOrder, price: Ticks, fee: Amount): [string, Amount][] => {
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
  };
  const tellBalance = (currency: string) =>
    account?.report({
      ...{ kind: 'balance', at: scheduler.now(), currency },
      ...{ available: heldOf(currency), reserved: NONE },
    });
  const made = (order: NewOrder, status: OrderStatus, id: number): VenueOrder => ({
    ...{ ...order, id, status, executedLots: status === 'filled' ? order.lots : lots(0) },
    ...{ createdAt: scheduler.now(), updatedAt: scheduler.now() },
  });
  const change = (kind: 'new' | 'canceled' | 'expired', order: VenueOrder) => {
    orders.set(order.clientOrderId, order);
    account?.report({ kind, at: scheduler.now(), order });
  };

  /** Fills an order in full; `false` where the account does not have what it takes. */
  const fill = (order: VenueOrder, price: Ticks, taker: boolean): boolean => {
    const instrument = known(order.symbol);
    const rate = Amount.of(taker ? instrument.takeRate : instrument.makeRate);
    const fee = instrument.valueAmount(price, order.lots).times(rate);
    const changes = changesOf(order, price, fee);
    if (changes.some(([currency, change]) => heldOf(currency).plus(change).sign < 0)) return false;
    for (const [currency, change] of changes) held.set(currency, heldOf(currency).plus(change));
    const { clientOrderId, symbol, side } = order;
    const done = made(order, 'filled', order.id);
    const trade: Fill = {
      ...{ id: (lastId += 1), clientOrderId, symbol, side, ticks: price, lots: order.lots },
      ...{ fee, feeCurrency: 'USD', taker, at: scheduler.now() },
    };
    orders.set(clientOrderId, done);
    fills.push(trade);
    account?.report({ kind: 'trade', at: scheduler.now(), order: done, fill: trade });
    for (const [currency] of changes) tellBalance(currency);
    return true;
  };
  const crosses = ({ side, ticks: limit }: VenueOrder, best: Ticks) =>
    limit === undefined || (side === 'buy' ? best <= limit : best >= limit);

  const place = (order: VenueOrder, isNew: boolean) => {
    const best = bestOf(order);
    if (isNew) change('new', order);
    if (crosses(order, best) && fill(order, best, isNew)) return;
    if (isNew && order.timeInForce !== 'GTC') change('expired', { ...order, status: 'expired' });
  };

  /** One step of the walk: each price moves, is told, and fills what it has reached. */
  const step = () => {
    const now = scheduler.now();
    instruments.forEach((_, index) => {
      middles[index] = Math.max(1_000, middles[index] + random.integer(-10, 10));
    });
    wanted.forEach(({ instrument }, index) => {
      const middle = middles[instruments.findIndex(({ symbol }) => symbol === instrument.symbol)];
      const rows = new Rows();
      rows.add(now, now, QUOTE, 0, 0, middle - 1, 5_000, middle + 1, 5_000, 0);
      rows.add(now, now, TRADE, LAST, (lastId += 1), middle, 10, 0, 0, 0);
      market?.rows(index, rows.columns);
    });
    for (const order of orders.values()) if (order.status === 'new') place(order, false);
    cancelStep = scheduler.at(micros(now + STEP_US), step);
  };

  return {
    instruments: async () => instruments,
    account: {
      instruments,
      open: async (listener) => {
        account = listener;
        for (const currency of held.keys()) tellBalance(currency);
        listener.hearing('live');
      },
      send: (request) => {
        later(() => {
          const now = scheduler.now();
          if (request.kind === 'cancel') {
            const order = orders.get(request.clientOrderId);
            if (order?.status === 'new') change('canceled', { ...order, status: 'canceled' });
            else {
              const message = 'There is no such active order.';
              account?.report(rejectReport(request, { code: 'order-unknown', message }, now));
            }
          } else if (request.kind === 'place' && ['limit', 'market'].includes(request.type)) {
            const { kind: _, takeRate: _take, makeRate: _make, ...order } = request;
            place(made(order, 'new', (lastId += 1)), true);
          } else {
            const message = 'This venue takes limit and market orders, one at a time.';
            account?.report(rejectReport(request, { code: 'type-invalid', message }, now));
          }
        });
      },
      truth: async (since) => ({
        at: scheduler.now(),
        orders: [...orders.values()].filter(({ status }) => status === 'new'),
        ended: [...orders.values()].filter(
          ({ status, updatedAt }) => status !== 'new' && updatedAt >= since,
        ),
        fills: fills.filter(({ at }) => at >= since),
        balances: [...held].map(([currency, amount]) => ({
          ...{ currency, available: amount.toDecimal(), reserved: NONE.toDecimal() },
        })),
      }),
      clockSkewUs: async () => 0,
      close: async () => {
        account = undefined;
      },
    },
    market: {
      contents: () => ({ trades: true, quotes: true, levels: false }),
      open: async (asked, listener) => {
        wanted = asked;
        market = listener;
        asked.forEach((_, index) => listener.hearing(index, 'live'));
        step();
      },
      history: async () => new Rows().columns,
      close: async () => cancelStep(),
    },
  };
};

export default factory;
