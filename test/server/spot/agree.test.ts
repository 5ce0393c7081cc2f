import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { startVenue, type TestVenue } from '../kit.ts';
import { SpotTrader, type Body } from './harness.ts';

/** What each member has at first. */
const START: Readonly<Record<string, string>> = { BTC: '1', ETH: '20', USDT: '1000' };
const CURRENCIES = Object.keys(START);

const SYMBOLS: Readonly<Record<string, readonly [base: string, quote: string]>> = {
  ETHBTC: ['ETH', 'BTC'],
  ETHUSDT: ['ETH', 'USDT'],
};

interface Request {
  readonly who: number;
  readonly what: 'order' | 'replace' | 'cancel' | 'cancelAll' | 'list' | 'pass';
  /** Which of the active orders, counted round. */
  readonly which: number;
  readonly order: Body;
  readonly other: Body;
  readonly contingency: string;
}

const price = fc.constantFrom('0.048', '0.049', '0.05', '0.051', '0.0505555', '0.05', '0.05');
const rests = fc.constantFrom('GTC', 'GTC', 'Day', undefined);
const atOnce = fc.constantFrom('IOC', 'FOK', undefined);
const take_rate = fc.option(fc.constantFrom('0.01', '0.0001'), { nil: undefined, freq: 1 });

/** Mostly such as are taken. */
const order: fc.Arbitrary<Body> = fc
  .record({
    symbol: fc.constantFrom('ETHBTC', 'ETHBTC', 'ETHUSDT'),
    side: fc.constantFrom('buy', 'sell'),
    quantity: fc.constantFrom('1', '2.5', '0.3333', '7', '30'),
  })
  .chain((defaults) =>
    fc
      .oneof(
        {
          weight: 8,
          arbitrary: fc.record({ price, time_in_force: rests, take_rate }),
        },
        { weight: 1, arbitrary: fc.record({ price, time_in_force: atOnce }) },
        { weight: 1, arbitrary: fc.record({ price, post_only: fc.constant(true) }) },
        { weight: 2, arbitrary: fc.record({ type: fc.constant('market'), time_in_force: atOnce }) },
        {
          weight: 2,
          arbitrary: fc.record({
            type: fc.constantFrom('stopLimit', 'takeProfitLimit'),
            price,
            stop_price: price,
            time_in_force: rests,
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ type: fc.constant('stopMarket'), stop_price: price }),
        },
      )
      .map((special) => ({ ...defaults, ...special })),
  );

const request: fc.Arbitrary<Request> = fc.record({
  who: fc.nat(1),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('order' as const) },
    { weight: 3, arbitrary: fc.constantFrom('replace' as const, 'cancel' as const) },
    { weight: 2, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cancelAll' as const, 'pass' as const) },
  ),
  which: fc.nat(20),
  order,
  other: order,
  contingency: fc.constantFrom('oneCancelOther', 'oneTriggerOther'),
});

/** Sends a request; it may be refused, but never with an error of the server's own. */
async function send(venue: TestVenue, methods: SpotTrader, one: Request): Promise<void> {
  const ask = async (method: string, path: string, json?: unknown): Promise<void> => {
    const options = { as: methods.as, json };
    const { status, body } = await venue.call(method, `/api/3/spot/order${path}`, options);
    expect([200, 400], JSON.stringify(body)).toContain(status);
  };
  const active = await methods.active();
  const chosen = active[one.which % Math.max(1, active.length)];
  const id = chosen === undefined ? 'nobody-00' : String(chosen['client_order_id']);
  const { quantity, price: newPrice, stop_price: stop } = one.order;
  if (one.what === 'order') await ask('POST', '', one.order);
  if (one.what === 'replace') {
    await ask('PATCH', `/${id}`, { quantity, price: newPrice, stop_price: stop });
  }
  if (one.what === 'cancel') await ask('DELETE', `/${id}`);
  if (one.what === 'cancelAll') await ask('DELETE', '');
  if (one.what === 'list') {
    const body = { contingency_type: one.contingency, orders: [one.order, one.other] };
    await ask('POST', '/list', body);
  }
  if (one.what === 'pass') venue.pass(60_000_000);
}

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((all, one) => all.plus(one), new Decimal(0));
const number = (value: unknown): Decimal => new Decimal(String(value));

/** What an account's trades changed of a currency. */
const flow = (trades: readonly Body[], currency: string): Decimal =>
  sum(
    trades.map((trade) => {
      const [base, quote] = SYMBOLS[String(trade['symbol'])] ?? [];
      const quantity = number(trade['quantity']);
      const value = quantity.times(number(trade['price']));
      const isBuy = trade['side'] === 'buy';
      if (currency === base) return isBuy ? quantity : quantity.negated();
      if (currency !== quote) return new Decimal(0);
      return (isBuy ? value.negated() : value).minus(number(trade['fee']));
    }),
  );

/** Value and quantity of all that was executed of an order and of those that it replaced. */
function executed(
  order: Body,
  orders: readonly Body[],
  trades: readonly Body[],
): [Decimal, Decimal] {
  const own = trades.filter((trade) => trade['order_id'] === order['id']);
  const replaced = orders.find(
    (one) => one['client_order_id'] === order['original_client_order_id'],
  );
  const [value, quantity] =
    replaced === undefined ? [new Decimal(0), new Decimal(0)] : executed(replaced, orders, trades);
  const values = own.map((trade) => number(trade['price']).times(number(trade['quantity'])));
  return [
    value.plus(sum(values)),
    quantity.plus(sum(own.map((trade) => number(trade['quantity'])))),
  ];
}

/** What REST tells of a member agrees with itself and with the exchange. */
async function check(venue: TestVenue, methods: SpotTrader): Promise<readonly Body[]> {
  const { exchange } = venue.trading;
  const active = await methods.active();
  const past = await methods.past('?by=id&sort=ASC&limit=1000');
  const trades = await methods.trades('?by=id&sort=ASC&limit=1000');
  const isActive = ({ status }: Body): boolean =>
    ['new', 'suspended', 'partiallyFilled'].includes(String(status));
  expect(past.filter(isActive)).toEqual(active);
  for (const one of active) {
    const slot = exchange.activeOrder(methods.account, String(one['client_order_id']));
    const { quantityIncrement } = exchange.instruments[exchange.orders.instrument(slot)];
    expect(exchange.orders.id(slot)).toBe(one['id']);
    expect(exchange.orders.status(slot)).toBe(one['status']);
    const left = quantityIncrement.times(exchange.orders.remaining(slot));
    const shown = number(one['quantity']).minus(number(one['quantity_cumulative']));
    expect(shown.toFixed()).toBe(left.toFixed());
  }
  for (const one of past) {
    const [value, quantity] = executed(one, past, trades);
    expect(number(one['quantity_cumulative']).toFixed()).toBe(quantity.toFixed());
    const mean = quantity.isZero() ? new Decimal(0) : value.div(quantity);
    expect(number(one['price_average']).minus(mean).abs().lessThan('1e-12')).toBe(true);
  }
  for (const currency of CURRENCIES) {
    const { available, reserved } = await methods.balance(currency);
    const held = exchange.balance(methods.account, currency);
    expect([available, reserved]).toEqual([held.available.toFixed(), held.reserved.toFixed()]);
    const total = number(START[currency]).plus(flow(trades, currency));
    expect(number(available).plus(number(reserved)).toFixed()).toBe(total.toFixed());
    if (active.length === 0) expect(reserved).toBe('0');
  }
  return trades;
}

/** Every trade has two sides, which tell the same of it. */
function checkSides(trades: readonly Body[]): void {
  const sides = Map.groupBy(trades, ({ id }) => id);
  for (const [one, other, ...more] of sides.values()) {
    expect(more).toEqual([]);
    expect(other).toMatchObject({
      symbol: one?.['symbol'],
      price: one?.['price'],
      quantity: one?.['quantity'],
      timestamp: one?.['timestamp'],
      side: one?.['side'] === 'buy' ? 'sell' : 'buy',
      taker: one?.['taker'] !== true,
    });
  }
}

test('whatever two members ask for over HTTP, orders, balances and history agree with each other and with the exchange', async () => {
  let traded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 50 }), async (requests) => {
      const venue = await startVenue();
      try {
        const desks = ['ann', 'bob'].map((name) => {
          venue.join(name, { spot: START });
          return new SpotTrader(venue, name);
        });
        for (const one of requests) await send(venue, desks[one.who], one);
        const trades = await Promise.all(desks.map((desk) => check(venue, desk)));
        checkSides(trades.flat());
        traded += trades.flat().length;
        for (const desk of desks) {
          const active = await desk.active();
          expect(await desk.done('DELETE', '/spot/order')).toHaveLength(active.length);
          await check(venue, desk);
        }
      } finally {
        await venue.venue.close();
      }
    }),
    { seed: 29, numRuns: 10 },
  );
  expect(traded).toBeGreaterThan(50);
});
