import { interval, merge, Observable, of, Subscription, type Subscriber } from 'rxjs';
import type { z } from 'zod';
import type { Candle } from '../model/candle.ts';
import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { Order, Side } from '../model/order.ts';
import type { CandlePeriodName } from '../model/period.ts';
import type { Fill } from '../model/report.ts';
import type { Command, LimitLife, OrderOptions } from './commands.ts';
import type { Balance, BestBidOffer, Book, Context, Position, Trade } from './context.ts';
import { defineStrategy, type StrategyDefinition } from './define.ts';
import { derive, type Derived } from './derive.ts';
import type { FundingRate } from './derivatives.ts';
import type { Indicator } from './indicator.ts';
import { flat } from './managed-orders.ts';
import type { PriceOf, QuantityOf, StopOf } from './numbers.ts';
import { place, type OrderInput } from './orders.ts';
import type { MarginPosition } from './positions.ts';
import type { MarginSymbol, Where } from './where.ts';

/** Handler of an event; it answers with `send`, `buy`, `sell` and `close`. */
export type Handler<E> = (event: E) => void;

type NoPrice = { readonly [Name in keyof (PriceOf & StopOf)]?: never };

/**
 * An order in short form: a market order; with a price a limit order; with a stop price a stop
 * order.
 */
export type QuickOrder = OrderOptions &
  QuantityOf &
  (PriceOf | StopOf | (PriceOf & StopOf) | NoPrice) &
  Partial<LimitLife>;

/** Indicators of candles by the names of their values; `event` is reserved for the candle. */
export type CandleIndicators = Readonly<Record<string, Indicator<Candle, unknown>>> & {
  readonly event?: never;
};

/** Interface of a callback strategy. Its members can be destructured: nothing depends on `this`. */
export interface Callbacks<P> extends Pick<
  Context<P>,
  'parameters' | 'market' | 'account' | 'portfolio' | 'clock' | 'log'
> {
  readonly instrument: Context<P>['instrument'];
  readonly plot: Context<P>['plot'];

  /** Called once, before any event. */
  readonly onStart: (handler: () => void) => void;
  /** Called at this interval in milliseconds: event time in a backtest, the wall clock live. */
  readonly onTimer: (everyMs: number, handler: () => void) => void;
  readonly onCandle: {
    (symbol: string, period: CandlePeriodName, handler: Handler<Candle>): void;
    /** With indicators: called with their values and the candle as `event`, once all are warm. */
    <R extends CandleIndicators>(
      symbol: string,
      period: CandlePeriodName,
      indicators: R,
      handler: Handler<Derived<Candle, R>>,
    ): void;
  };
  readonly onTrade: (symbol: string, handler: Handler<Trade>) => void;
  readonly onBook: (symbol: string, handler: Handler<Book>) => void;
  readonly onBbo: (symbol: string, handler: Handler<BestBidOffer>) => void;
  readonly onFunding: (symbol: string, handler: Handler<FundingRate>) => void;
  /** Every change of an own order. */
  readonly onOrder: (handler: Handler<Order>) => void;
  readonly onFill: (handler: Handler<Fill>) => void;
  /** Every event of any other stream: `on(account.lists(), (list) => …)`. */
  readonly on: <E>(stream: Observable<E>, handler: Handler<E>) => void;

  /** Sends any command: `send(target('BTCUSDT', 0.5))`. */
  readonly send: (command: Command) => void;
  readonly buy: (where: Where, order: QuickOrder) => void;
  readonly sell: (where: Where, order: QuickOrder) => void;
  /** Closes a position: `flat`. */
  readonly close: (where: Where) => void;

  /** The current position. Empty while a margin account is unknown. */
  readonly position: {
    (symbol: string): Position;
    (where: MarginSymbol): MarginPosition | undefined;
  };
  readonly balance: (currency: string) => Balance | undefined;
  /** Value of spot holdings in the quote currency of a symbol, if there is a price. */
  readonly equity: (symbol: string) => Decimal | undefined;
}

/** A callback strategy as its author writes it. */
export interface CallbackDefinition<S extends z.ZodObject> extends Omit<
  StrategyDefinition<S>,
  'run'
> {
  /** Called once per run: subscribes the handlers. State is in its variables. */
  setup(this: void, callbacks: Callbacks<z.output<S>>): void;
}

/**
 * A strategy of callbacks instead of streams. It is a strategy as any other:
 *
 *     export default defineCallbackStrategy({
 *       name: 'dip-buyer',
 *       summary: 'Buys what has fallen far.',
 *       parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
 *       setup: ({ parameters: p, onCandle, position, buy, close }) => {
 *         onCandle(p.symbol, 'M5', { rsi: ta.rsi(14) }, ({ rsi }) => {
 *           const isHeld = position(p.symbol).lots > 0;
 *           if (!isHeld && rsi < 30) buy(p.symbol, { quantity: '0.01' });
 *           if (isHeld && rsi > 70) close(p.symbol);
 *         });
 *       },
 *     });
 *
 * An exception in a handler stops the strategy, as an error of a stream does. Handlers are
 * synchronous. Throws `strategy-invalid`.
 */
export function defineCallbackStrategy<S extends z.ZodObject>(
  definition: CallbackDefinition<S>,
): StrategyDefinition<S> {
  const { setup, ...rest } = Object(definition) as CallbackDefinition<S>;
  if (typeof setup !== 'function') {
    const sentence = 'A strategy of callbacks has a setup, a function that says what to listen to.';
    throw new MillraceError('strategy-invalid', sentence, { field: 'setup' });
  }
  return defineStrategy<S>({ ...rest, run: (context) => new CallbackRun(context, setup).commands });
}

/** One run: its subscriptions, and its commands. */
class CallbackRun<P> {
  readonly commands: Observable<Command>;
  readonly #context: Context<P>;
  readonly #starts: Observable<unknown>[] = [];
  readonly #sources: Observable<unknown>[] = [];
  /** Latest values of the requested state streams. */
  readonly #states = new Map<string, { value: unknown }>();
  readonly #listening = new Subscription();
  #sink: Subscriber<Command> | undefined;

  constructor(context: Context<P>, setup: (callbacks: Callbacks<P>) => unknown) {
    this.#context = context;
    checkSynchronous('setup', setup(this.#callbacks()));
    this.commands = new Observable((subscriber) => {
      this.#sink = subscriber;
      this.#listening.add(
        merge(...this.#starts, ...this.#sources).subscribe({
          error: (error: unknown) => {
            subscriber.error(error);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
      );
      return this.#listening;
    });
  }

  #callbacks(): Callbacks<P> {
    const { market, account } = this.#context;
    const on = <E>(name: string, stream: Observable<E>, handler: Handler<E>): void => {
      this.#on(name, stream, handler);
    };
    const order = (side: Side) => (where: Where, given: QuickOrder) => {
      this.#send(place(where, orderOf(side, given)));
    };
    return Object.freeze<Callbacks<P>>({
      ...this.#context,
      onStart: (handler) => {
        on('onStart', of(undefined), handler);
      },
      onTimer: (everyMs, handler) => {
        checkEvery(everyMs);
        on('onTimer', interval(everyMs), () => handler());
      },
      onCandle: (symbol: string, period: CandlePeriodName, ...rest: readonly unknown[]) => {
        const candles = market.candles(symbol, period);
        const [indicators, handler] = rest.length > 1 ? rest : [undefined, rest[0]];
        const stream =
          indicators === undefined ? candles : candles.pipe(derive(indicators as never));
        on('onCandle', stream as Observable<unknown>, handler as Handler<unknown>);
      },
      onTrade: (symbol, handler) => {
        on('onTrade', market.trades(symbol), handler);
      },
      onBook: (symbol, handler) => {
        on('onBook', market.book(symbol), handler);
      },
      onBbo: (symbol, handler) => {
        on('onBbo', market.bbo(symbol), handler);
      },
      onFunding: (symbol, handler) => {
        on('onFunding', market.funding(symbol), handler);
      },
      onOrder: (handler) => {
        on('onOrder', account.orders(), handler);
      },
      onFill: (handler) => {
        on('onFill', account.fills(), handler);
      },
      on: (stream, handler) => {
        on('on', stream, handler);
      },
      send: (command) => {
        this.#send(command);
      },
      buy: order('buy'),
      sell: order('sell'),
      close: (where) => {
        this.#send(flat(where));
      },
      ...this.#readers(),
    });
  }

  #readers(): Pick<Callbacks<P>, 'position' | 'balance' | 'equity'> {
    const { account } = this.#context;
    return {
      position: ((where: Where) =>
        typeof where === 'string'
          ? this.#state(`position ${where}`, () => account.position(where))
          : this.#state(`position ${where.margin} ${where.symbol}`, () =>
              account.position(where),
            )) as Callbacks<P>['position'],
      balance: (currency) => this.#state(`balance ${currency}`, () => account.balances(currency)),
      equity: (symbol) => this.#state(`equity ${symbol}`, () => account.equity(symbol)),
    };
  }

  #on<E>(name: string, stream: Observable<E>, handler: (event: E) => unknown): void {
    if (typeof handler !== 'function') {
      const sentence = `${name} takes a function that is called with each event.`;
      throw new MillraceError('strategy-failed', sentence, { field: 'handler' });
    }
    if (this.#sink !== undefined) {
      const sentence = `${name} was called after setup; say in setup what to listen to.`;
      throw new MillraceError('strategy-failed', sentence);
    }
    const sources = name === 'onStart' ? this.#starts : this.#sources;
    sources.push(
      new Observable((subscriber) =>
        stream.subscribe({
          next: (event) => {
            try {
              checkSynchronous(name, handler(event));
            } catch (error) {
              subscriber.error(error);
            }
          },
          error: (error: unknown) => {
            subscriber.error(error);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
      ),
    );
  }

  #send(command: Command): void {
    if (this.#sink === undefined) {
      const sentence = 'A command was given in setup; give it in onStart or another handler.';
      throw new MillraceError('strategy-failed', sentence);
    }
    this.#sink.next(command);
  }

  /** Current value of a state stream, which emits it at once and then every change. */
  #state<T>(name: string, stream: () => Observable<T>): T | undefined {
    let state = this.#states.get(name);
    if (state === undefined) {
      const fresh: { value: unknown } = { value: undefined };
      state = fresh;
      this.#states.set(name, fresh);
      this.#listening.add(
        stream().subscribe((value) => {
          fresh.value = value;
        }),
      );
    }
    return state.value as T | undefined;
  }
}

/** Type of an order by the prices that it has. */
function orderOf(side: Side, given: QuickOrder): OrderInput {
  const { price, ticks, stopPrice, stopTicks } = Object(given) as Readonly<Record<string, unknown>>;
  const hasPrice = (price ?? ticks) !== undefined;
  const hasStop = (stopPrice ?? stopTicks) !== undefined;
  const type = hasStop ? (hasPrice ? 'stopLimit' : 'stopMarket') : hasPrice ? 'limit' : 'market';
  return { ...given, side, type } as OrderInput;
}

function checkEvery(everyMs: unknown): void {
  if (typeof everyMs === 'number' && everyMs > 0 && Number.isFinite(everyMs)) return;
  const sentence = 'onTimer takes a positive number of milliseconds, such as seconds(10).';
  throw new MillraceError('strategy-failed', sentence, { field: 'everyMs' });
}

/** Rejects a promise, whose later commands would have no event time. */
function checkSynchronous(name: string, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('then' in answer)) return;
  const sentence = `The function of ${name} is async; what it does later has no event time. Make it synchronous.`;
  throw new MillraceError('strategy-failed', sentence);
}
