import { expect } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import type { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { marginAccountKey, type MarginAccountState } from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { CCXT_PERPETUAL } from '../../gateways/ccxt/hitbtc.ts';
import { instruments } from '../../server/instruments.ts';
import { MONEY } from '../venue-settings.ts';
import { all, fillLine, journalBooks, orderLine, PAGE, type Books } from './books.ts';

/** A margin account as both sides tell it, in one form. */
interface AccountLine {
  readonly balance: string;
  readonly leverage: string;
  readonly positions: readonly string[];
}

type Accounts = ReadonlyMap<string, AccountLine>;

/** What journal and venue say of orders, fills, margin accounts and positions once the bot has ended. */
export async function expectSameOnMargin(client: TradingClient, path: string): Promise<string> {
  const venue = await marginBooks(client);
  const journal = journalBooks(path);
  expect(venue.orders.size).toBeGreaterThan(20);
  expect(venue.fills.size).toBeGreaterThan(4);
  expect([...venue.orders.keys()].filter((id) => journal.neverThere.has(id))).toEqual([]);
  expect(new Map([...journal.orders].sort())).toEqual(new Map([...venue.orders].sort()));
  expect(new Map([...journal.fills].sort())).toEqual(new Map([...venue.fills].sort()));
  const accounts = await venueAccounts(client);
  expect(accounts.size).toBeGreaterThan(0);
  expect(journalAccounts(path)).toEqual(accounts);
  for (const currency of Object.keys(MONEY)) {
    expect([currency, journal.balances[currency]]).toEqual([currency, venue.balances[currency]]);
  }
  const { orders, fills } = venue;
  return `${orders.size} orders, ${fills.size} fills, ${accounts.size} margin accounts`;
}

/** What the venue says of the orders on margin and of futures. */
async function marginBooks({ rest }: TradingClient): Promise<Books> {
  const page = (offset: number) => ({ limit: PAGE, offset, sort: 'ASC' as const });
  const orders = [
    ...(await rest.getMarginOrders()),
    ...(await rest.getFuturesOrders()),
    ...(await all((offset) => rest.getMarginOrderHistory(page(offset)))),
    ...(await all((offset) => rest.getFuturesOrderHistory(page(offset)))),
  ];
  const trades = [
    ...(await all((offset) => rest.getMarginTradeHistory(page(offset)))),
    ...(await all((offset) => rest.getFuturesTradeHistory(page(offset)))),
  ];
  const balances = await rest.getSpotBalances();
  return {
    orders: new Map(orders.map((one) => [one.client_order_id, orderLine(one)])),
    // What the venue traded to liquidate is no order of the bot.
    fills: new Map(
      trades
        .filter(({ liquidation }) => liquidation !== true)
        .map((one) => [`${one.client_order_id} ${one.id}`, fillLine(one)]),
    ),
    balances: Object.fromEntries(
      balances.map(({ currency, available, reserved }) => [
        currency,
        available.plus(reserved).toFixed(),
      ]),
    ),
  };
}

async function venueAccounts({ rest }: TradingClient): Promise<Accounts> {
  const found = new Map<string, AccountLine>();
  const sides = [
    { isContract: false, accounts: await rest.getMarginAccounts() },
    { isContract: true, accounts: await rest.getFuturesAccounts() },
  ];
  for (const { isContract, accounts } of sides) {
    for (const { type, symbol, leverage, currencies, positions } of accounts) {
      const [first] = currencies;
      const mode: MarginMode = type;
      const currency = first.code;
      found.set(marginAccountKey({ mode, isContract, symbol, currency }), {
        balance: first.margin_balance.toFixed(),
        leverage: leverage?.toFixed() ?? '',
        positions: (positions ?? [])
          .map(
            (one) =>
              `${one.symbol} ${one.quantity.toFixed()} ${one.price_entry?.toFixed() ?? 'none'}`,
          )
          .sort(),
      });
    }
  }
  return found;
}

/**
 * That the parts of a shared account are the sums of their strategies' own fills, and the account with them:
 * all lots are somebody's, and all money but for what the venue rounds of an entry price.
 */
export function expectParts(path: string): string {
  const reader = JournalReader.open(path);
  try {
    const [kept, ...others] = reader.marginAccounts().filter(({ parts }) => parts !== undefined);
    expect(others).toEqual([]);
    const { state, parts } = kept ?? {};
    if (state === undefined || parts === undefined) throw new Error('no account is shared');
    expect(parts.foreign.lots).toEqual({});
    const net = state.positions.reduce((sum, { lots }) => sum + Math.abs(lots), 0);
    // An entry price is shown to a tick of 0.01, of lots of 0.001.
    expect(parts.foreign.cash.abs().toNumber()).toBeLessThanOrEqual(net * 0.001 * 0.01);
    const lots = new Map(parts.shares.map(({ strategy }) => [strategy, 0]));
    const orders = [...journalBooks(path).orders.keys()];
    for (const fill of orders.flatMap((id) => reader.fills(id))) {
      const signed = fill.lots * (fill.side === 'buy' ? 1 : -1);
      lots.set(fill.strategy, (lots.get(fill.strategy) ?? 0) + signed);
    }
    const held = parts.shares.map(({ strategy, state: own }): [string, number] => {
      return [strategy, own.positions.reduce((sum, one) => sum + one.lots, 0)];
    });
    expect(new Map(held)).toEqual(lots);
    return `${held.map(([strategy, own]) => `${strategy} ${own}`).join(', ')} lots, net ${state.positions[0]?.lots ?? 0}, cash of nobody ${parts.foreign.cash.toFixed()}`;
  } finally {
    reader.close();
  }
}

function journalAccounts(path: string): Accounts {
  const reader = JournalReader.open(path);
  try {
    const open = reader
      .marginAccounts()
      .flatMap(({ state }) => (state?.isOpen === true ? [state] : []));
    return new Map(open.map((state) => [marginAccountKey(state), accountLine(state)]));
  } finally {
    reader.close();
  }
}

const INCREMENTS = new Map(
  instruments().map(({ symbol, quantityIncrement }) => [symbol, quantityIncrement]),
);

const accountLine = ({ balance, leverage, positions }: MarginAccountState): AccountLine => ({
  balance: balance.toFixed(),
  leverage: leverage?.toFixed() ?? '',
  positions: positions
    .map(({ symbol: name, lots, entryPrice }) => {
      const symbol = name === CCXT_PERPETUAL ? 'ETHUSDT_PERP' : name;
      const quantity = INCREMENTS.get(symbol)?.times(lots).toFixed() ?? '?';
      return `${symbol} ${quantity} ${entryPrice.toFixed()}`;
    })
    .sort(),
});
