import { Exchange } from '../../src/exchange/exchange.ts';
import { merge } from '../../src/feeds/merge.ts';
import { openSeries } from '../../src/feeds/series.ts';
import { decimal } from '../../src/model/decimal.ts';
import { TRADE } from '../../src/model/events.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros, type Micros } from '../../src/platform/time.ts';
import type { NewOrder } from '../../src/model/order.ts';
import { FAR, LOTS, quoteAt, restingId, type Pattern } from './requests.ts';

/** What an exchange did without an engine before it. */
export interface Traded {
  readonly requests: number;
  readonly fills: number;
}

/** Plays recordings to an exchange that is asked directly for what a strategy would ask of it. */
export function exchangeAlone(
  paths: readonly string[],
  pattern: Pattern,
  balances: Readonly<Record<string, string>>,
): Traded {
  const recordings = openSeries(paths);
  const instruments = recordings.map(({ meta }) => new Instrument(meta.instrument));
  let fills = 0;
  const exchange = new Exchange({
    instruments,
    listener: {
      order: () => undefined,
      fill: () => {
        fills += 1;
      },
      balance: () => undefined,
    },
  });
  const account = exchange.openAccount();
  for (const [currency, amount] of Object.entries(balances)) {
    exchange.deposit(account, currency, decimal(amount));
  }
  let trades = 0;
  let turn = 0;
  let requests = 0;
  for (const { source, columns, start, end } of merge(recordings)) {
    const { symbol } = instruments[source];
    for (let row = start; row < end; row += 1) {
      const now = micros(columns.receivedAt[row]);
      exchange.market(source, columns, row, now);
      if (columns.kind[row] !== TRADE || (trades += 1) % pattern.every !== 0) continue;
      const price = columns.price[row];
      requests += ask({ exchange, account, symbol, price, now, turn: turn++ }, pattern);
    }
  }
  for (const recording of recordings) recording.close();
  return { requests, fills };
}

interface Turn {
  readonly exchange: Exchange;
  readonly account: number;
  readonly symbol: string;
  readonly price: number;
  readonly now: Micros;
  readonly turn: number;
}

/** Gives how many requests were made. */
function ask({ exchange, account, symbol, price, now, turn }: Turn, { what }: Pattern): number {
  const order = { symbol, lots: lots(LOTS), postOnly: false };
  switch (what) {
    case 'nothing':
      return 0;
    case 'market': {
      const side = turn % 2 === 0 ? 'buy' : 'sell';
      const terms: NewOrder = {
        ...order,
        clientOrderId: `market-${turn}`,
        side,
        type: 'market',
        timeInForce: 'FOK',
      };
      return done(exchange.place(account, terms, now));
    }
    case 'limit': {
      const clientOrderId = restingId(turn);
      if (turn % 2 === 1) return done(exchange.cancel(account, clientOrderId, now));
      const terms: NewOrder = {
        ...order,
        clientOrderId,
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        ticks: ticks(price - FAR),
      };
      return done(exchange.place(account, terms, now));
    }
    case 'quote': {
      const [bid, ask] = quoteAt(price, turn);
      const both = [
        { clientOrderId: `bid-0000-${turn}`, side: 'buy', ticks: ticks(bid) },
        { clientOrderId: `ask-0000-${turn}`, side: 'sell', ticks: ticks(ask) },
      ] as const;
      for (const one of both) done(moved({ exchange, account, symbol, price, now, turn }, one));
      return both.length;
    }
  }
}

interface QuotedSide {
  readonly clientOrderId: string;
  readonly side: 'buy' | 'sell';
  readonly ticks: ReturnType<typeof ticks>;
}

/** Places a side of a quote the first time, and replaces it from then on. */
function moved(
  { exchange, account, symbol, now, turn }: Turn,
  side: QuotedSide,
): Rejection | undefined {
  if (turn === 0) {
    const terms = { symbol, lots: lots(LOTS), type: 'limit', timeInForce: 'GTC', postOnly: true };
    return exchange.place(account, { ...terms, ...side } as NewOrder, now);
  }
  const { clientOrderId: newClientOrderId, ticks: price } = side;
  const clientOrderId = newClientOrderId.replace(/\d+$/, String(turn - 1));
  const change = { clientOrderId, newClientOrderId, lots: lots(LOTS), ticks: price };
  return exchange.replace(account, change, now);
}

function done(rejection: Rejection | undefined): 1 {
  if (rejection !== undefined) throw new Error(rejection.message);
  return 1;
}
