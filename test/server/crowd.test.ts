import { expect, test } from 'vitest';
import { Decimal } from '../../src/model/decimal.ts';
import { Random } from '../../src/platform/random.ts';
import { openVenue, type Frame, type TestSocket, type TestVenue } from './kit.ts';
import { sizeOf } from '../kit/size.ts';

/** Requests of the whole crowd; a minute's worth is some hundred thousand. */
const REQUESTS = sizeOf('MILLRACE_CROWD', 1_000, 3_000);
const MEMBERS = ['anna', 'bert', 'carl', 'dora', 'emil'] as const;
const SOCKETS_EACH = 2;
const OPENING = { BTC: '50', ETH: '500', USDT: '2000000' } as const;
const PAGE = 1_000;

type Row = Readonly<Record<string, string | number | boolean>>;
interface Market {
  readonly symbol: string;
  readonly price: number;
  readonly places: number;
  readonly quantity: string;
}
const MARKETS: readonly Market[] = [
  { symbol: 'BTCUSDT', price: 30_000, places: 2, quantity: '0.00100' },
  { symbol: 'ETHUSDT', price: 2_000, places: 3, quantity: '0.0100' },
  { symbol: 'ETHBTC', price: 0.066, places: 6, quantity: '0.0100' },
];

const pick = <T>(chance: Random, items: readonly T[]): T =>
  items[chance.integer(0, items.length - 1)];

/** One who asks for things at random, over a socket or over REST. */
interface Actor {
  readonly name: string;
  ask(method: string, params: object): Promise<void>;
}

/** Does one thing by chance; what an order is called is remembered, to cancel or replace it later. */
async function act(actor: Actor, chance: Random, names: string[], serial: number): Promise<void> {
  const market = pick(chance, MARKETS);
  const offset = chance.integer(-20, 20) / 1_000;
  const order = {
    client_order_id: `${actor.name}-${serial}`.padEnd(8, '_'),
    symbol: market.symbol,
    side: pick(chance, ['buy', 'sell']),
    quantity: market.quantity,
    price: (market.price * (1 + offset)).toFixed(market.places),
  };
  const old = names.length > 0 ? pick(chance, names) : undefined;
  const dice = chance.integer(0, 99);
  if (dice < 20 && old !== undefined) {
    await actor.ask('cancel', { client_order_id: old });
  } else if (dice < 30 && old !== undefined) {
    const { client_order_id: name, price, quantity } = order;
    names.push(name);
    await actor.ask('replace', {
      client_order_id: old,
      new_client_order_id: name,
      price,
      quantity,
    });
  } else if (dice < 40) {
    const { price: _, ...rest } = order;
    await actor.ask('place', { ...rest, type: 'market', time_in_force: 'IOC' });
  } else if (dice < 50) {
    const stop = { ...order, type: 'stopLimit', stop_price: order.price };
    names.push(`${order.client_order_id}b`);
    const second = { ...stop, client_order_id: `${order.client_order_id}b` };
    await actor.ask('list', { contingency_type: 'oneCancelOther', orders: [order, second] });
  } else if (dice < 52) {
    await actor.ask('cancelAll', { symbol: market.symbol });
  } else {
    names.push(order.client_order_id);
    await actor.ask('place', order);
  }
}

const METHODS: Readonly<Record<string, string>> = {
  place: 'spot_new_order',
  list: 'spot_new_order_list',
  cancel: 'spot_cancel_order',
  replace: 'spot_replace_order',
  cancelAll: 'spot_cancel_orders',
};

const onSocket = (socket: TestSocket, name: string): Actor => ({
  name,
  ask: async (method, params) => {
    await socket.request(METHODS[method] ?? method, params);
    // What was told is kept by the listener; to look through it for each reply would take long.
    socket.frames.length = 0;
  },
});

const onRest = (venue: TestVenue, name: string): Actor => ({
  name,
  ask: async (method, params) => {
    const { client_order_id: id = '', ...json } = params as Readonly<Record<string, string>>;
    const path = '/api/3/spot/order';
    if (method === 'place') await venue.call('POST', path, { as: name, json: params });
    if (method === 'list') await venue.call('POST', `${path}/list`, { as: name, json: params });
    if (method === 'cancel') await venue.call('DELETE', `${path}/${id}`, { as: name });
    if (method === 'replace') await venue.call('PATCH', `${path}/${id}`, { as: name, json });
    if (method === 'cancelAll') {
      await venue.call('DELETE', `${path}?symbol=${json['symbol'] ?? ''}`, { as: name });
    }
  },
});

/** An order that meets one of its own account is told twice under one number of a trade. */
const nameOf = (trade: { readonly id?: unknown; readonly order_id?: unknown }): string =>
  `${String(trade.id)} ${String(trade.order_id)}`;

/** What an account's stream says when it is replayed: the orders still active, the trades, the balances. */
class Replay {
  readonly active = new Map<unknown, Row>();
  readonly trades = new Map<unknown, Row>();
  readonly balances = new Map<unknown, Row>();

  receive({ method, params }: Frame): void {
    if (method === 'spot_orders') for (const report of params as Row[]) this.#report(report);
    if (method === 'spot_order') this.#report(params as Row);
    if (method !== 'spot_balance') return;
    for (const balance of params as Row[]) this.balances.set(balance['currency'], balance);
  }

  #report(reported: Row): void {
    const { report_type: _, trade_id, trade_quantity, trade_price, trade_fee, ...rest } = reported;
    const { trade_taker: taker, taker: __, ...order } = rest;
    if (trade_id !== undefined) {
      const { id: order_id, symbol, side } = order;
      const sums = { quantity: trade_quantity, price: trade_price, fee: trade_fee };
      const trade = { id: trade_id, order_id, symbol, side, ...sums, taker };
      this.trades.set(nameOf(trade), trade);
    }
    this.active.delete(order['original_client_order_id']);
    if (['new', 'suspended', 'partiallyFilled'].includes(String(order['status']))) {
      this.active.set(order['client_order_id'], order);
    } else this.active.delete(order['client_order_id']);
  }
}

const byName = (rows: Iterable<Row>, name: string): Row[] =>
  [...rows].sort((a, b) => String(a[name]).localeCompare(String(b[name])));

async function rows(venue: TestVenue, name: string, path: string): Promise<Row[]> {
  const { status, body } = await venue.call('GET', `/api/3/spot/${path}`, { as: name });
  expect(status).toBe(200);
  return body as Row[];
}

/** Every trade that REST tells of an account, page by page. */
async function allTrades(venue: TestVenue, name: string): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await rows(
      venue,
      name,
      `history/trade?sort=ASC&by=id&limit=${PAGE}&offset=${all.length}`,
    );
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

test(`ten sockets and REST trade at once, ${REQUESTS} requests: each stream replays to what REST says, and the ledger sums exactly`, async () => {
  const venue = await openVenue();
  for (const name of MEMBERS) venue.join(name, { spot: OPENING });
  const replays: { readonly name: string; readonly replay: Replay }[] = [];
  const sockets: TestSocket[] = [];
  const actors: Actor[] = [];
  for (const name of MEMBERS.flatMap((one) => Array<string>(SOCKETS_EACH).fill(one))) {
    const replay = new Replay();
    const socket = await venue.tradingSocket(name);
    socket.raw.on('message', (data: Buffer) => {
      replay.receive(JSON.parse(data.toString('utf8')) as Frame);
    });
    await socket.request('spot_subscribe');
    await socket.request('spot_balance_subscribe', { mode: 'updates' });
    replays.push({ name, replay });
    sockets.push(socket);
    actors.push(onSocket(socket, name));
  }
  actors.push(onRest(venue, MEMBERS[0]));

  let asked = 0;
  await Promise.all(
    actors.map(async (actor, index) => {
      const chance = new Random(1_000 + index);
      const names: string[] = [];
      for (; asked < REQUESTS;) {
        asked += 1;
        venue.pass(1_000);
        await act(actor, chance, names, asked);
      }
    }),
  );
  for (const socket of sockets) await socket.settle();

  for (const { name, replay } of replays) {
    const active = await rows(venue, name, 'order');
    expect(byName(replay.active.values(), 'client_order_id')).toEqual(
      byName(active, 'client_order_id'),
    );
    const balances = await rows(venue, name, 'balance');
    const reported = balances.filter(({ currency }) => replay.balances.has(currency));
    expect(byName(replay.balances.values(), 'currency')).toEqual(byName(reported, 'currency'));
    expect(reported.map(({ currency }) => currency).sort()).toEqual(Object.keys(OPENING).sort());
    const trades = await allTrades(venue, name);
    expect(trades.length).toBeGreaterThan(REQUESTS / 100);
    expect(replay.trades.size).toBe(trades.length);
    for (const { client_order_id: _, timestamp: __, ...trade } of trades) {
      expect(replay.trades.get(nameOf(trade))).toEqual(trade);
    }
  }

  const { ledger } = venue.trading.exchange;
  for (const [currency, amount] of Object.entries(OPENING)) {
    const index = ledger.currency(currency);
    let sum = new Decimal(0);
    for (let account = 0; account < ledger.accounts; account += 1) {
      sum = sum.plus(ledger.available(account, index)).plus(ledger.reserved(account, index));
    }
    const rich = { BTC: 100, ETH: 1_000, USDT: 1_000_000 }[currency] ?? 0;
    const paidIn = new Decimal(amount).times(MEMBERS.length).plus(2 * rich);
    expect(sum.toFixed(), currency).toBe(paidIn.toFixed());
  }
});
