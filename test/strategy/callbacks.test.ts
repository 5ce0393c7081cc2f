import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import emaCross from '../../strategies/ema-cross.ts';
import {
  defineCallbackStrategy,
  ema,
  flat,
  place,
  quote,
  seconds,
  target,
  z,
  type Callbacks,
} from '../../src/index.ts';
import { at, replay, type Replay, type ReplayOptions } from '../../src/testing.ts';

const strategyOf = (setup: (callbacks: Callbacks<{ symbol: string }>) => void) =>
  defineCallbackStrategy({
    name: 'callbacks',
    summary: 'For tests.',
    parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
    setup,
  });

const run = (
  setup: (callbacks: Callbacks<{ symbol: string }>) => void,
  options?: ReplayOptions,
): Replay => replay(strategyOf(setup), {}, options);

/** strategies/ema-cross.ts in callbacks. */
const emaCallbacks = defineCallbackStrategy({
  name: 'ema-callbacks',
  summary: 'The same in callbacks.',
  parameters: emaCross.parameters,
  setup: ({ parameters, onCandle, send }) => {
    const p = parameters as { symbol: string; fast: number; slow: number; share: number };
    let before: boolean | undefined;
    onCandle(p.symbol, 'M1', { fast: ema(p.fast), slow: ema(p.slow) }, ({ fast, slow }) => {
      if (fast === slow) return;
      const isUp = fast > slow;
      if (isUp !== before) send(target(p.symbol, isUp ? p.share : 0));
      before = isUp;
    });
  },
});

describe('callbacks', () => {
  test('give the commands that the same strategy in streams gives', () => {
    const closes = fc.array(fc.integer({ min: 90, max: 110 }), { maxLength: 60 });
    fc.assert(
      fc.property(closes, fc.integer({ min: 2, max: 4 }), (prices, fast) => {
        const parameters = { fast, slow: fast + 2 };
        const candles = (strategy: typeof emaCross) =>
          replay(strategy, parameters).candles('M1', prices);
        expect(candles(emaCallbacks as never)).toEqual(candles(emaCross));
      }),
    );
  });

  test('receive trades, quotes, candles and timers in the order of their times', () => {
    const seen: string[] = [];
    run(
      ({ onStart, onTimer, onTrade, onCandle, clock }) => {
        onTimer(seconds(40), () => seen.push(`timer ${clock.now() / 1e6}`));
        onTrade('BTCUSDT', (trade) => seen.push(`trade ${trade.price.toFixed()}`));
        onCandle('BTCUSDT', 'M1', (candle) => seen.push(`candle ${candle.close.toFixed()}`));
        onStart(() => seen.push('start'));
      },
      { until: '00:01:30' },
    ).trades([
      ['00:00:10', 10],
      ['00:00:50', 12],
      ['00:01:10', 11],
    ]);
    expect(seen).toEqual([
      'start',
      'trade 10',
      'timer 40',
      'trade 12',
      'candle 12',
      'trade 11',
      'timer 80',
    ]);
  });

  test('receive orders and fills, and read position, balance and equity as they are then', () => {
    const seen: unknown[] = [];
    run(
      ({ onTrade, onFill, onOrder, position, balance, equity, buy }) => {
        onTrade('BTCUSDT', ({ price }) => {
          if (price.equals(10)) buy('BTCUSDT', { quantity: '2' });
          else seen.push(balance('USDT')?.currency);
        });
        onOrder(({ status }) => seen.push(status));
        onFill((fill) =>
          seen.push({
            side: fill.side,
            held: position('BTCUSDT').size.toFixed(),
            equity: equity('BTCUSDT')?.toFixed(),
          }),
        );
      },
      { fills: true, balances: { USDT: '100' } },
    ).trades([
      ['00:00:10', 10],
      ['00:00:50', 12],
    ]);
    expect(seen).toEqual([
      'pending',
      'new',
      'filled',
      { side: 'buy', held: '2', equity: '100' },
      'USDT',
    ]);
  });

  test('make orders in the shortest form', () => {
    const commands = run(({ onTrade, buy, sell, close, send }) => {
      onTrade('BTCUSDT', () => {
        buy('BTCUSDT', { quantity: '1' });
        sell('BTCUSDT', { quantity: '1', price: '11', postOnly: true });
        sell('BTCUSDT', { lots: 5, stopPrice: '9' });
        buy('BTCUSDT', { lots: 5, stopTicks: 1_200, ticks: 1_210 });
        close('BTCUSDT');
        send(quote('BTCUSDT', {}));
      });
    }).trades([['00:00:10', 10]]);
    const symbol = 'BTCUSDT';
    expect(commands).toEqual(
      [
        place(symbol, { type: 'market', side: 'buy', quantity: '1' }),
        place(symbol, { type: 'limit', side: 'sell', quantity: '1', price: '11', postOnly: true }),
        place(symbol, { type: 'stopMarket', side: 'sell', lots: 5, stopPrice: '9' }),
        place(symbol, { type: 'stopLimit', side: 'buy', lots: 5, stopTicks: 1_200, ticks: 1_210 }),
        flat(symbol),
        quote(symbol, {}),
      ].map((command) => at('00:00:10', command)),
    );
  });

  test('start fresh with every run', () => {
    const strategy = strategyOf(({ onTrade, send }) => {
      let count = 0;
      onTrade('BTCUSDT', () => {
        count += 1;
        send(target('BTCUSDT', { lots: count }));
      });
    });
    const once = () => replay(strategy, {}).trades([['00:00:10', 10]]);
    expect(once()).toEqual(once());
  });

  test('fail the strategy with what a handler throws', () => {
    const failing = run(({ onTrade }) => {
      onTrade('BTCUSDT', () => {
        throw new Error('the sky fell');
      });
    });
    expect(() => failing.trades([['00:00:10', 10]])).toThrow('the sky fell');
  });

  test('are synchronous, and chosen in setup', () => {
    const trades = (setup: (callbacks: Callbacks<{ symbol: string }>) => void) => () =>
      run(setup).trades([['00:00:10', 10]]);
    const later = ({ onTrade, send }: Callbacks<{ symbol: string }>) => {
      const handler: unknown = async (): Promise<void> => {
        await Promise.resolve();
        send(flat('BTCUSDT'));
      };
      onTrade('BTCUSDT', handler as () => void);
    };
    expect(trades(later)).toThrow('The function of onTrade is async');
    const setup: unknown = async () => Promise.resolve();
    expect(trades(setup as () => void)).toThrow('The function of setup is async');
    expect(trades(({ send }) => send(flat('BTCUSDT')))).toThrow('A command was given in setup');
    const nested = trades(({ onTrade }) => {
      onTrade('BTCUSDT', () => {
        onTrade('BTCUSDT', () => undefined);
      });
    });
    expect(nested).toThrow('onTrade was called after setup');
    expect(trades(({ onTimer }) => onTimer(0, () => undefined))).toThrow('a positive number');
    expect(trades(({ onBbo }) => onBbo('BTCUSDT', 5 as never))).toThrow('onBbo takes a function');
    expect(trades(({ onTrade }) => onTrade('ETHUSDT', () => undefined))).toThrow('ETHUSDT');
    expect(() =>
      defineCallbackStrategy({ name: 'a', summary: '', parameters: z.object({}) } as never),
    ).toThrow('has a setup');
  });
});
