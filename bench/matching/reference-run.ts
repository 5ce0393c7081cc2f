import { OrderBook, type IProcessOrder } from 'nodejs-order-book';
import { BUY } from '../../src/exchange/orders/side.ts';
import { busyNs } from '../../src/platform/stopwatch.ts';
import { sweepHeap } from './heap.ts';
import { ADD, CANCEL, type Operations } from './operations.ts';
import type { Outcome } from './outcome.ts';

/** What is used of it, with its names as text: it does not export all of its enumerations. */
interface ReferenceBook {
  limit(options: {
    readonly id: string;
    readonly side: string;
    readonly size: number;
    readonly price: number;
    readonly timeInForce?: string;
  }): IProcessOrder;
  cancel(id: string): unknown;
}

/** The operations through `nodejs-order-book`. */
export function runReference(operations: Operations, names: readonly string[]): Outcome {
  const { length, kind, side, ticks, lots } = operations;
  const book: ReferenceBook = new OrderBook();
  let trades = 0;
  let tradedLots = 0;
  sweepHeap();
  const startNs = busyNs();
  for (let row = 0; row < length; row += 1) {
    const id = names[row];
    if (kind[row] === CANCEL) {
      if (book.cancel(id) === undefined) throw new Error(`row ${row}: there is no order ${id}`);
      continue;
    }
    const size = lots[row];
    const answer = book.limit({
      id,
      side: side[row] === BUY ? 'buy' : 'sell',
      size,
      price: ticks[row],
      timeInForce: kind[row] === ADD ? 'GTC' : 'IOC',
    });
    if (answer.err !== null) throw new Error(`row ${row}: ${answer.err.message}`);
    if (kind[row] === ADD) {
      if (answer.quantityLeft !== size) throw new Error(`row ${row} trades and should rest`);
      continue;
    }
    tradedLots += size - answer.quantityLeft;
    // `done` has the makers that are filled, and at its end the taker when that is filled;
    // `partial` is the maker that is not filled, or the taker when that is not.
    const filled = answer.quantityLeft === 0;
    trades += answer.done.length;
    if (filled) trades += answer.partial === null ? -1 : 0;
  }
  return { busyNs: busyNs() - startNs, trades, tradedLots };
}
