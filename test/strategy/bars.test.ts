import fc from 'fast-check';
import { from, map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  bars,
  defineStrategy,
  derive,
  lots,
  rolling,
  target,
  ticks,
  z,
  type TradeBar,
  type BarOperator,
  type Trade,
} from '../../src/index.ts';
import { at, replay } from '../../src/testing.ts';
import { micros } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';

const instrument = instrumentOf();
const DAY_US = 86_400_000_000;

const tradeOf = (time: number, price: number, size: number): Trade => ({
  instrument,
  at: micros(time),
  stampedAt: micros(time),
  id: 1,
  aggressor: 'buy',
  ticks: ticks(price),
  lots: lots(size),
  price: instrument.price(ticks(price)),
  size: instrument.size(lots(size)),
});

const collect = (trades: readonly Trade[], operator: BarOperator): TradeBar[] => {
  const seen: TradeBar[] = [];
  from(trades)
    .pipe(operator)
    .subscribe((bar) => seen.push(bar));
  return seen;
};

const some = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: DAY_US / 4 }),
    price: fc.integer({ min: 90, max: 110 }),
    size: fc.integer({ min: 1, max: 50 }),
  }),
  { maxLength: 80 },
);

type Given = readonly { readonly gap: number; readonly price: number; readonly size: number }[];

const tradesOf = (given: Given): Trade[] => {
  let time = 0;
  return given.map(({ gap, price, size }) => tradeOf((time += gap), price, size));
};

/** The slow way: cut the trades where the rule says so, then look at each part. */
function naive(
  trades: readonly Trade[],
  isEnd: (part: readonly Trade[]) => boolean,
  isAnchored: boolean,
): unknown[] {
  const parts: { part: Trade[]; isWhole: boolean }[] = [];
  let part: Trade[] = [];
  let isFirst = true;
  for (const trade of trades) {
    const last = trades[trades.indexOf(trade) - 1] as Trade | undefined;
    const isNewDay =
      last !== undefined && Math.floor(trade.at / DAY_US) !== Math.floor(last.at / DAY_US);
    if (isAnchored && isNewDay) {
      if (part.length > 0) parts.push({ part, isWhole: false });
      [part, isFirst] = [[], false];
    }
    part.push(trade);
    if (!isEnd(part)) continue;
    parts.push({ part, isWhole: !isFirst });
    [part, isFirst] = [[], false];
  }
  return parts.map(({ part: all, isWhole }) => ({
    openedAt: all[0].at,
    closedAt: all.at(-1)?.at,
    open: all[0].ticks,
    high: Math.max(...all.map((trade) => trade.ticks)),
    low: Math.min(...all.map((trade) => trade.ticks)),
    close: all.at(-1)?.ticks,
    volume: all.reduce((sum, trade) => sum + trade.lots, 0),
    trades: all.length,
    isWhole,
  }));
}

const shown = (bar: TradeBar): unknown => ({
  openedAt: bar.openedAt,
  closedAt: bar.closedAt,
  open: bar.openTicks,
  high: bar.highTicks,
  low: bar.lowTicks,
  close: bar.closeTicks,
  volume: bar.volumeLots,
  trades: bar.trades,
  isWhole: bar.isWhole,
});

const sum = (part: readonly Trade[], of: (trade: Trade) => number): number =>
  part.reduce((all, trade) => all + of(trade), 0);

const { tickSize, quantityIncrement, tickValue } = instrument;

/** Each rule with its end in ticks, lots and units, and the operator of the same in decimals. */
const RULES: readonly [
  name: string,
  of: (size: number, anchor?: 'D1') => BarOperator,
  isEnd: (size: number) => (part: readonly Trade[]) => boolean,
][] = [
  [
    'tick',
    (size, anchor) => bars.tick(size, anchor === undefined ? {} : { anchor }),
    (size) => (part) => part.length >= size,
  ],
  [
    'volume',
    (size, anchor) =>
      bars.volume(quantityIncrement.times(size), anchor === undefined ? {} : { anchor }),
    (size) => (part) => sum(part, (trade) => trade.lots) >= size,
  ],
  [
    'value',
    // Half a unit more than 100 each: it is reached by the next whole one.
    (size, anchor) =>
      bars.value(
        tickValue
          .times(size * 100)
          .plus(tickValue.div(2))
          .toFixed(),
        anchor === undefined ? {} : { anchor },
      ),
    (size) => (part) => sum(part, (trade) => trade.ticks * trade.lots) > size * 100,
  ],
  [
    'range',
    (size, anchor) => bars.range(tickSize.times(size), anchor === undefined ? {} : { anchor }),
    (size) => (part) => {
      const prices = part.map((trade) => trade.ticks);
      return Math.max(...prices) - Math.min(...prices) >= size;
    },
  ],
];

describe.each(RULES)('%s bars', (rule, of, isEnd) => {
  test('end with the trade that reaches their end, and count exactly', () => {
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (given, size, isAnchored) => {
          const trades = tradesOf(given);
          const made = collect(trades, of(size, isAnchored ? 'D1' : undefined));
          expect(made.map(shown)).toEqual(naive(trades, isEnd(size), isAnchored));
          expect(made.every((bar) => bar.period === rule)).toBe(true);
        },
      ),
    );
  });

  test('are from midnight on those of every run, whenever it was started', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 30 }), fc.nat(40), (given, size, skipped) => {
        const trades = tradesOf(given);
        const late = trades.slice(skipped);
        if (late.length === 0) return;
        const midnight = (Math.floor(late[0].at / DAY_US) + 1) * DAY_US;
        const after = (part: readonly Trade[]): unknown[] =>
          collect(part, of(size, 'D1'))
            .filter((bar) => bar.openedAt >= midnight)
            .map(shown);
        expect(after(late)).toEqual(after(trades));
      }),
    );
  });
});

describe('bars', () => {
  test('of a value that passes 2^53 are exact', () => {
    const big = 2 ** 40;
    const trades = [1, 2, 3].map((turn) => tradeOf(turn, big, 2 ** 20));
    const least = tickValue.times((2n ** 60n * 2n + 1n).toString());
    expect(collect(trades, bars.value(least)).map((bar) => bar.trades)).toEqual([3]);
  });

  test('are candles: indicators read them, and a strategy trades on them', () => {
    const strategy = defineStrategy({
      name: 'bars',
      summary: 'Holds as many lots as the last two bars closed at.',
      parameters: z.object({}),
      run: ({ market }) =>
        market.trades('BTCUSDT').pipe(
          bars.volume('2'),
          derive({ sum: rolling.sum(2) }),
          map((values) => target('BTCUSDT', { lots: values.sum })),
        ),
    });
    expect(
      replay(strategy, {}).trades([
        ['00:00:01', 10, 1],
        ['00:00:02', 11, 1],
        ['00:00:03', 12, 1.5],
        ['00:00:04', 13, 1.5],
      ]),
    ).toEqual([at('00:00:04', target('BTCUSDT', { lots: 2_400 }))]);
  });

  test('refuse what ends no bar', () => {
    expect(() => bars.tick(0)).toThrow('bars.tick: the number of trades is a whole number');
    expect(() => bars.volume('0')).toThrow('bars.volume: the quantity is a positive decimal');
    expect(() => bars.value('much')).toThrow('bars.value: the value is a positive decimal');
    expect(() => bars.range(5 as never)).toThrow('bars.range: the price is a positive decimal');
    expect(() => bars.tick(5, { anchor: 'H1' as never })).toThrow('the anchor is D1');
  });
});
