import { Amount } from '../../src/model/amount.ts';
import { ignoreElements, map, merge, Subject, tap, withLatestFrom, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { place } from '../../src/strategy/orders.ts';
import { rig, TERMS, type Rig } from './rig.ts';

const TWO: readonly InstrumentTerms[] = [
  TERMS,
  { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' },
  { ...TERMS, symbol: 'ETHBTC', baseCurrency: 'ETH', quoteCurrency: 'BTC', feeCurrency: 'BTC' },
];

/** An account whose strategy listens to one of its streams, with the opening balances told. */
function account<T>(
  stream: (context: Context<unknown>) => Observable<T>,
  balances: Readonly<Record<string, string>> = {},
): Rig & {
  readonly values: T[];
  readonly commands: Subject<Command>;
  trade(side: 'buy' | 'sell', lots: number, ticks: number): void;
} {
  const values: T[] = [];
  const commands = new Subject<Command>();
  const parts = rig(
    (context) =>
      merge(
        stream(context).pipe(
          tap((value) => values.push(value)),
          ignoreElements(),
        ),
        commands,
      ),
    { terms: TWO },
  );
  for (const [currency, amount] of Object.entries(balances)) parts.wire.balance(currency, amount);
  parts.engine.start();
  let count = 0;
  return {
    ...parts,
    values,
    commands,
    trade: (side, lots, ticks) => {
      count += 1;
      const clientOrderId = `order-${String(count).padStart(4, '0')}`;
      commands.next(place('BTCUSDT', { type: 'limit', side, lots, ticks, clientOrderId }));
      parts.wire.accept();
      parts.wire.fill(clientOrderId, lots, ticks);
    },
  };
}

describe('position', () => {
  const positions = ({ account: own }: Context<unknown>): Observable<readonly [number, number]> =>
    own.position('BTCUSDT').pipe(map(({ lots, entryTicks }) => [lots, entryTicks] as const));

  test('it emits the present at once and whenever it changes', () => {
    const { values, wire } = account(positions, { BTC: '0.0059' });
    expect(values).toEqual([[5, Number.NaN]]);
    wire.balance('BTC', '0.0051');
    wire.balance('BTC', '0.0051', '0.001');
    expect(values.slice(1)).toEqual([[6, Number.NaN]]);
  });

  test('the mean price of what was bought', () => {
    const { values, trade, wire } = account(positions);
    trade('buy', 10, 1_000);
    trade('buy', 30, 1_100);
    wire.balance('BTC', '0.04');
    trade('sell', 20, 1_300);
    trade('sell', 20, 1_300);
    trade('buy', 1, 900);
    expect(values).toEqual([
      [0, Number.NaN],
      [10, 1_000],
      [40, 1_075],
      [20, 1_075],
      [0, Number.NaN],
      [1, 900],
    ]);
  });

  test('the mean price is not known while something is held that was there before', () => {
    const { values, trade } = account(positions, { BTC: '0.005' });
    trade('buy', 5, 1_000);
    trade('sell', 10, 1_000);
    trade('buy', 2, 1_200);
    expect(values.map(([, entry]) => entry)).toEqual([Number.NaN, Number.NaN, Number.NaN, 1_200]);
  });

  test('who sees a fill sees the position with it', () => {
    const seen: unknown[] = [];
    const { trade } = account(({ account: own }) =>
      own.fills().pipe(
        withLatestFrom(own.position('BTCUSDT')),
        tap(([fill, position]) =>
          own
            .position('BTCUSDT')
            .subscribe(({ lots }) => seen.push([fill.lots, position.lots, lots])),
        ),
      ),
    );
    trade('buy', 7, 1_000);
    expect(seen[0]).toEqual([7, 7, 7]);
  });

  test('its size is a decimal', () => {
    const { values } = account(({ account: own }) => own.position('BTCUSDT'), { BTC: '0.0059' });
    expect(values[0].size.toFixed()).toBe('0.005');
  });

  test('more sold than held is nothing, not less', () => {
    const { values, trade } = account(positions);
    trade('sell', 3, 1_000);
    expect(values).toEqual([[0, Number.NaN]]);
  });
});

describe('balances', () => {
  test('they are what the venue says', () => {
    const { values, wire } = account(({ account: own }) => own.balances('USDT'), { USDT: '100' });
    wire.balance('USDT', '90', '10');
    wire.balance('BTC', '1');
    expect(
      values.map(({ available, reserved }) => [available.toFixed(), reserved.toFixed()]),
    ).toEqual([
      ['100', '0'],
      ['90', '10'],
    ]);
    expect(Object.isFrozen(values[0])).toBe(true);
  });

  test('a currency that was not reported yet is silent, one that nothing trades is refused', () => {
    const { values, engine } = account(({ account: own }) => own.balances('ETH'));
    expect(values).toEqual([]);
    expect(engine.state).toBe('running');
    expect(account(({ account: own }) => own.balances('EUR')).engine.failure).toMatchObject({
      code: 'currency-unknown',
    });
  });
});

describe('equity', () => {
  const equity = ({ account: own }: Context<unknown>): Observable<string> =>
    own.equity('BTCUSDT').pipe(map((value) => value.toFixed()));

  test('it moves with prices and fills, and is silent while a price is missing', () => {
    const { values, play, trade } = account(equity, { USDT: '100', BTC: '1' });
    expect(values).toEqual([]);
    play([{ at: '00:01', trade: 20 }]);
    play([{ at: '00:02', trade: 20 }]);
    play([{ at: '00:03', trade: 20.5 }]);
    trade('buy', 1_000, 2_000);
    expect(values).toEqual(['120', '120.5', '121']);
  });

  test('what no instrument leads from counts nothing, other bases count', () => {
    const { values, play, wire } = account(equity, { USDT: '100', ETH: '2' });
    play([{ at: '00:01', trade: 7 }], 1);
    wire.balance('DOGE', '5');
    expect(values).toEqual(['114']);
  });

  test('before the first trade the middle of the best quote is the price, where it has both sides', () => {
    const { values, play } = account(equity, { BTC: '1' });
    play([
      { at: '00:01', ask: 30 },
      { at: '00:02', bid: 20, ask: 30.01 },
      { at: '00:03', bid: 20 },
      { at: '00:04', trade: 26 },
      { at: '00:05', bid: 21, ask: 30 },
    ]);
    expect(values).toEqual(['25.005', '26']);
  });

  test('without a listener nothing is calculated; a second listener gets the current value', () => {
    const received: string[] = [];
    const { play } = account(
      ({ account: own }) => {
        const first = own.equity('BTCUSDT').subscribe();
        first.unsubscribe();
        return merge(
          equity({ account: own } as Context<unknown>),
          own
            .fills()
            .pipe(
              tap(() => own.equity('ETHUSDT').subscribe((value) => received.push(value.toFixed()))),
            ),
        );
      },
      { USDT: '5' },
    );
    play([{ at: '00:01', trade: 20 }]);
    expect(received).toEqual([]);
  });
});

test('fees are paid in their currency, a rebate is received', () => {
  const { values, commands, wire } = account(
    ({ account: own }) => own.equity('BTCUSDT').pipe(map((value) => value.toFixed())),
    { USDT: '100' },
  );
  commands.next(
    place('BTCUSDT', { type: 'market', side: 'buy', lots: 1_000, clientOrderId: 'order-fee' }),
  );
  const order = {
    ...wire.arrived(wire.last),
    status: 'filled' as const,
    filledLots: 1_000 as never,
  };
  wire.report({
    kind: 'trade',
    at: 0 as never,
    order,
    fill: {
      id: 1,
      clientOrderId: 'order-fee',
      symbol: 'BTCUSDT',
      side: 'buy',
      ticks: 1_000 as never,
      lots: 1_000 as never,
      fee: Amount.units(-5, 1),
      feeCurrency: 'USDT',
      taker: true,
      at: 0 as never,
    },
  });
  wire.balance('BTC', '0');
  expect(values).toEqual(['100', '90.5']);
});
