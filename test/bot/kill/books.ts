import { DatabaseSync } from 'node:sqlite';
import type { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { MONEY } from '../venue-settings.ts';

/** An order as both sides tell it, in one form. */
export interface OrderLine {
  readonly id: string;
  readonly side: string;
  readonly type: string;
  readonly status: string;
  readonly quantity: string;
  readonly executed: string;
}

/** An execution as both sides tell it, in one form. */
export interface FillLine {
  readonly id: string;
  readonly order: string;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly taker: boolean;
}

export interface Books {
  readonly orders: ReadonlyMap<string, OrderLine>;
  readonly fills: ReadonlyMap<string, FillLine>;
  /** What is held, reserved or not, by currency. */
  readonly balances: Readonly<Record<string, string>>;
}

export const PAGE = 1_000;

/** Every page of a list. */
export async function all<T>(
  page: (offset: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (;;) {
    const next = await page(rows.length);
    rows.push(...next);
    if (next.length < PAGE) return rows;
  }
}

type VenueOrder = Pick<
  Awaited<ReturnType<TradingClient['rest']['getSpotOrders']>>[number],
  'client_order_id' | 'side' | 'type' | 'status' | 'quantity' | 'quantity_cumulative'
>;
type VenueTrade = Pick<
  Awaited<ReturnType<TradingClient['rest']['getSpotTradeHistory']>>[number],
  'client_order_id' | 'id' | 'price' | 'quantity' | 'fee' | 'taker'
>;

export const orderLine = (order: VenueOrder): OrderLine => ({
  id: order.client_order_id,
  side: order.side,
  type: order.type,
  status: order.status,
  quantity: order.quantity.toFixed(),
  executed: order.quantity_cumulative.toFixed(),
});

export const fillLine = (trade: VenueTrade): FillLine => ({
  id: `${trade.client_order_id} ${trade.id}`,
  order: trade.client_order_id,
  taker: trade.taker === true,
  price: trade.price.toFixed(),
  quantity: trade.quantity.toFixed(),
  fee: trade.fee.toFixed(),
});

/** What the venue says of the account; throws where it says one thing twice. */
export async function venueBooks({ rest }: TradingClient): Promise<Books> {
  const active = await rest.getSpotOrders();
  const ended = await all((offset) =>
    rest.getSpotOrderHistory({ limit: PAGE, offset, sort: 'ASC' }),
  );
  const trades = await all((offset) =>
    rest.getSpotTradeHistory({ limit: PAGE, offset, sort: 'ASC' }),
  );
  const orders = new Map<string, OrderLine>();
  const numbersOf = new Map<string, Set<number>>();
  for (const order of [...active, ...ended]) {
    const line = orderLine(order);
    const { id } = line;
    const numbers = numbersOf.get(id) ?? new Set();
    numbersOf.set(id, numbers.add(order.id));
    // The history has active orders too.
    if (numbers.size > 1) throw new Error(`the venue has ${id} twice`);
    orders.set(id, line);
  }
  const fills = new Map(
    trades.map((trade) => [`${trade.client_order_id} ${trade.id}`, fillLine(trade)]),
  );
  const balances = await rest.getSpotBalances();
  return {
    orders,
    fills,
    balances: Object.fromEntries(
      balances
        .filter(({ currency }) => currency in MONEY)
        .map(({ currency, available, reserved }) => [currency, available.plus(reserved).toFixed()]),
    ),
  };
}

type Row = Readonly<Record<string, string | number | null>>;

/**
 * What a journal says, read as a stranger reads it: by its tables, without the code that wrote
 * them. Orders that never came to be at the venue are left out, and named apart.
 */
export function journalBooks(path: string): Books & { readonly neverThere: ReadonlySet<string> } {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = (sql: string): readonly Row[] =>
    database.prepare(sql).all() as unknown as readonly Row[];
  const terms = new Map(
    rows('SELECT id, terms FROM instruments').map(({ id, terms: text }) => [
      id,
      JSON.parse(String(text)) as { readonly tickSize: string; readonly quantityIncrement: string },
    ]),
  );
  const size = (instrument: unknown, lots: unknown): string =>
    decimal(terms.get(instrument as number)?.quantityIncrement ?? '0')
      .times(Number(lots))
      .toFixed();
  const orders = new Map<string, OrderLine>();
  const neverThere = new Set<string>();
  for (const row of rows('SELECT * FROM orders')) {
    const id = String(row['client_order_id']);
    if (row['status'] === 'rejected') neverThere.add(id);
    else
      orders.set(id, {
        id,
        side: String(row['side']),
        type: String(row['type']),
        status: String(row['status']),
        quantity: size(row['instrument'], row['lots']),
        executed: size(row['instrument'], row['executed_lots']),
      });
  }
  const fills = new Map<string, FillLine>();
  const executions = rows(
    'SELECT f.*, o.instrument FROM fills f JOIN orders o USING (client_order_id)',
  );
  for (const row of executions) {
    const order = String(row['client_order_id']);
    const id = `${order} ${String(row['id'])}`;
    const tick = decimal(terms.get(row['instrument'])?.tickSize ?? '0');
    fills.set(id, {
      id,
      order,
      taker: row['taker'] === 1,
      price: tick.times(Number(row['ticks'])).toFixed(),
      quantity: size(row['instrument'], row['lots']),
      fee: decimal(String(row['fee'])).toFixed(),
    });
  }
  const balances: Record<string, string> = Object.fromEntries(
    rows('SELECT * FROM balances')
      .filter(({ currency }) => String(currency) in MONEY)
      .map(({ currency, available, reserved }) => [
        currency,
        decimal(String(available)).plus(String(reserved)).toFixed(),
      ]),
  );
  const changes = rows('SELECT currency, change FROM holdings');
  for (const [currency, start] of Object.entries(MONEY)) {
    const sum = changes
      .filter((row) => row['currency'] === currency)
      .reduce((total, { change }) => total.plus(String(change)), decimal(start));
    balances[`${currency} by fills`] = sum.toFixed();
  }
  database.close();
  return { orders, fills, balances, neverThere };
}

/** Money to begin with and what fills changed of it. */
export function moneyAfter(fills: Iterable<FillLine>, sides: ReadonlyMap<string, OrderLine>) {
  let btc: Decimal = decimal(MONEY.BTC);
  let usdt: Decimal = decimal(MONEY.USDT);
  for (const { order, price, quantity, fee } of fills) {
    const sign = sides.get(order)?.side === 'buy' ? 1 : -1;
    btc = btc.plus(decimal(quantity).times(sign));
    usdt = usdt.minus(decimal(price).times(quantity).times(sign)).minus(fee);
  }
  return { BTC: btc.plus(ZERO).toFixed(), USDT: usdt.plus(ZERO).toFixed() };
}
