import { Book } from '../../src/exchange/book/book.ts';
import { NONE, Orders } from '../../src/exchange/orders/orders.ts';
import { BUY, SELL } from '../../src/exchange/orders/side.ts';
import { busyNs } from '../../src/platform/stopwatch.ts';
import { sweepHeap } from './heap.ts';
import { ADD, CANCEL, type Operations } from './operations.ts';
import type { Outcome } from './outcome.ts';

/**
 * The operations through the order records and the book of the exchange alone: price-time queues
 * and matching, without accounts, names, reserves, fees and reports. An order is found by its
 * number, as a caller would that keeps the slot it was given.
 */
export function runBook(operations: Operations): Outcome {
  const { length, filling, kind, order, side, ticks, lots } = operations;
  const orders = new Orders(1_024);
  const book = new Book(orders);
  const slots = new Int32Array(operations.orders).fill(NONE);
  let trades = 0;
  let tradedLots = 0;
  let startNs = 0;
  for (let row = 0; row < length; row += 1) {
    if (row === filling) {
      sweepHeap();
      startNs = busyNs();
    }
    if (kind[row] === CANCEL) {
      const slot = slots[order[row]];
      book.sides[orders.side(slot)].remove(slot);
      orders.release(slot);
      continue;
    }
    const own = book.sides[side[row]];
    const against = book.sides[side[row] === BUY ? SELL : BUY];
    const reach = against.sign * ticks[row];
    let left = lots[row];
    while (left > 0) {
      const level = against.best();
      if (level === NONE || against.key(level) < reach) break;
      const maker = against.head(level);
      const part = Math.min(left, orders.remaining(maker));
      orders.execute(maker, part, row);
      against.shrink(maker, part);
      if (orders.remaining(maker) === 0) orders.release(maker);
      left -= part;
      trades += 1;
      tradedLots += part;
    }
    if (kind[row] !== ADD || left === 0) continue;
    const slot = orders.open({
      account: 0,
      instrument: 0,
      side: side[row],
      type: 'limit',
      timeInForce: 'GTC',
      postOnly: false,
      margin: 0,
      lots: lots[row],
      filled: lots[row] - left,
      ticks: ticks[row],
      expireAt: Number.POSITIVE_INFINITY,
      clientOrderId: '',
      originalClientOrderId: undefined,
      createdAt: row,
      at: row,
    });
    slots[order[row]] = slot;
    own.append(slot, 0, 0);
  }
  return { busyNs: busyNs() - startNs, trades, tradedLots };
}
