import { Exchange } from '../../src/exchange/exchange.ts';
import type { NewOrder } from '../../src/model/order.ts';
import { FIRST_ACCOUNT } from '../../src/exchange/ledger/ledger.ts';
import { BUY } from '../../src/exchange/orders/side.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { busyNs, elapsedNs } from '../../src/platform/stopwatch.ts';
import { micros } from '../../src/platform/time.ts';
import { sweepHeap } from './heap.ts';
import { CANCEL, TAKE, type Operations } from './operations.ts';
import type { Outcome } from './outcome.ts';
import { Reader } from './reader.ts';

const INSTRUMENT = new Instrument({
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
  takeRate: '0.0025',
  makeRate: '0.001',
  feeCurrency: 'USDT',
});

/** Time of the exchange between two operations: one comes every millisecond. */
const STEP_US = 1_000;
/** Time of the first operation, as of our days, so that numbers have the size that they have. */
const START_US = 1_790_000_000_000_000;

/** The whole exchange, ready for a file of operations. */
export class ExchangeRun {
  readonly reader = new Reader();
  readonly exchange: Exchange;
  readonly #operations: Operations;
  readonly #names: readonly string[];
  /** Of each row the account and the time, which come with a request and are not worked out in the loop. */
  readonly #account: Int32Array;
  readonly #at: Float64Array;

  /** The exchange is given `accounts` accounts and room for all orders of the file. */
  constructor(operations: Operations, names: readonly string[], accounts: number) {
    this.#operations = operations;
    this.#names = names;
    // Orders go round the accounts.
    this.#account = operations.order.map((number) => FIRST_ACCOUNT + (number % accounts));
    this.#at = new Float64Array(operations.length).map((_, row) => START_US + STEP_US * row);
    this.exchange = new Exchange({
      instruments: [INSTRUMENT],
      listener: this.reader,
      options: {
        orderCapacity: operations.orders,
        // One account alone has more orders than an account may have.
        ...(accounts === 1 ? { limits: { perAccount: 2 ** 31, perSymbol: 2 ** 31 } } : {}),
      },
    });
    this.reader.listen(this.exchange);
    for (let i = 0; i < accounts; i += 1) {
      const account = this.exchange.openAccount();
      this.exchange.deposit(account, 'USDT', decimal('1000000000000'));
      this.exchange.deposit(account, 'BTC', decimal('1000000000'));
    }
    this.#run(0, operations.filling);
    sweepHeap();
  }

  /** Runs the rest of the file. */
  run(): Outcome {
    const { trades, tradedLots } = this.reader;
    const startNs = busyNs();
    this.#run(this.#operations.filling, this.#operations.length);
    return {
      busyNs: busyNs() - startNs,
      trades: this.reader.trades - trades,
      tradedLots: this.reader.tradedLots - tradedLots,
    };
  }

  /** Runs the rest of the file and gives how many nanoseconds each operation took. */
  time(): Float64Array {
    const { filling, length } = this.#operations;
    const tookNs = new Float64Array(length - filling);
    let before = elapsedNs();
    for (let row = filling; row < length; row += 1) {
      this.#run(row, row + 1);
      const after = elapsedNs();
      tookNs[row - filling] = after - before;
      before = after;
    }
    return tookNs;
  }

  /** Runs the rest of the file and gives the most nanoseconds that the thread was busy with one operation. */
  longestBusyNs(): number {
    let longest = 0;
    let before = busyNs();
    for (let row = this.#operations.filling; row < this.#operations.length; row += 1) {
      this.#run(row, row + 1);
      const after = busyNs();
      longest = Math.max(longest, after - before);
      before = after;
    }
    return longest;
  }

  #run(from: number, to: number): void {
    const { kind, side, ticks, lots } = this.#operations;
    const exchange = this.exchange;
    const names = this.#names;
    const account = this.#account;
    const at = this.#at;
    // What a loop reads from around it is read at every turn, unless it is its own.
    const [cancel, take, buy] = [CANCEL, TAKE, BUY];
    const end = to | 0;
    for (let row = from | 0; row < end; row += 1) {
      const clientOrderId = names[row];
      let rejection: Rejection | undefined;
      if (kind[row] === cancel) {
        rejection = exchange.cancel(account[row], clientOrderId, micros(at[row]));
      } else {
        const placed: NewOrder = {
          clientOrderId,
          symbol: 'BTCUSDT',
          side: side[row] === buy ? 'buy' : 'sell',
          type: 'limit',
          timeInForce: kind[row] === take ? 'IOC' : 'GTC',
          lots: lots[row] as Lots,
          ticks: ticks[row] as Ticks,
          postOnly: false,
        };
        rejection = exchange.place(account[row], placed, micros(at[row]));
      }
      if (rejection !== undefined) throw new Error(`row ${row}: ${rejection.message}`);
    }
  }
}
