import { fileURLToPath } from 'node:url';
import * as signals from 'trading-signals';
import { describe, expect, test } from 'vitest';
import { INDICATORS, ta, type AnyRow } from '../../../src/strategy/ta.ts';
import type { Indicator } from '../../../src/strategy/indicator.ts';
import type { BarTicks } from '../../../src/strategy/indicators/row.ts';
import { Random } from '../../../src/platform/random.ts';
import { indicatorsPage } from './page.ts';
import type { Bars } from './formulas.ts';
import { REFERENCES } from './references.ts';
import type { Series } from './series.ts';

const ROWS = Object.entries<AnyRow>(INDICATORS);
const LENGTH = 160;

/** What trading-signals exports beside its indicators. */
const ABSTRACT = new Set([
  ...[
    'IndicatorSeries',
    'MovingAverage',
    'NotEnoughDataError',
    'SwingLookback',
    'TechnicalIndicator',
  ],
  ...[
    'ThresholdCrossSeries',
    'TradingSignal',
    'TrendIndicator',
    'TrendIndicatorSeries',
    'ZeroCrossSeries',
  ],
]);

/** A random walk of bars; `calm` of 1 stands still half of the time, so that ties and flat bars come. */
function barsOf(seed: number, calm: number): BarTicks[] {
  const random = new Random(seed);
  let price = 10_000;
  return Array.from({ length: LENGTH }, () => {
    const still = calm === 1 && random.integer(0, 2) > 0;
    const wide = still ? 0 : calm === 1 ? 3 : 60;
    const openTicks = price + random.integer(-wide, wide + 1);
    const closeTicks = openTicks + random.integer(-wide, wide + 1);
    price = closeTicks;
    return {
      openTicks,
      closeTicks,
      highTicks: Math.max(openTicks, closeTicks) + random.integer(0, wide + 1),
      lowTicks: Math.min(openTicks, closeTicks) - random.integer(0, wide + 1),
      volumeLots: still ? 0 : random.integer(1, 1_000),
    };
  });
}

const columnsOf = (bars: readonly BarTicks[]): Bars => ({
  o: bars.map((bar) => bar.openTicks),
  h: bars.map((bar) => bar.highTicks),
  l: bars.map((bar) => bar.lowTicks),
  c: bars.map((bar) => bar.closeTicks),
  v: bars.map((bar) => bar.volumeLots),
});

type Given = Readonly<Record<string, number | boolean>>;

const make = (name: string, given: Given): Indicator<BarTicks, unknown> =>
  (ta as unknown as Readonly<Record<string, (given: Given) => Indicator<BarTicks, unknown>>>)[name](
    given,
  );

const defaultsOf = (row: AnyRow): Given =>
  Object.fromEntries(Object.entries(row.parameters).map(([name, spec]) => [name, spec.default]));

/** Small parameters by chance, which the indicator takes. */
function parametersOf(name: string, row: AnyRow, random: Random): Given {
  for (;;) {
    const given: Given = Object.fromEntries<number | boolean>(
      Object.entries(row.parameters).map(([each, { default: usual, whole, least = 0, most }]) => {
        if (typeof usual === 'boolean') return [each, random.integer(0, 2) === 0];
        if (whole === true) return [each, least + random.integer(0, 9)];
        const factor = random.integer(5, 15) / 10;
        return [each, Math.min(most ?? Infinity, Math.max(least, usual * factor))];
      }),
    );
    try {
      make(name, given);
      return given;
    } catch {
      // Not in the order that it needs, or odd where it is even.
    }
  }
}

/** Numbers for what is compared: a side as 1 or −1, a flag as 1 or 0. */
const numberOf = (value: unknown): number => {
  if (value === 'up' || value === 'down') return value === 'up' ? 1 : -1;
  return Number(value);
};

const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b));

function compare(name: string, row: AnyRow, given: Given, bars: readonly BarTicks[]): void {
  const step = make(name, given)();
  const seen = bars.map((bar) => step(bar));
  const expected = REFERENCES[name](columnsOf(bars), given as Readonly<Record<string, number>>);
  const series = Array.isArray(expected)
    ? { value: expected as Series }
    : (expected as Readonly<Record<string, Series>>);
  // A value is there when all of its parts are.
  const first = Math.max(...Object.values(series).map((one) => firstOf(one)));
  const says = `${name} ${JSON.stringify(given)}`;
  expect(firstOf(seen as Series), `${says}: first value`).toBe(first);
  const warmUp = row.warmUp(given);
  if (row.isLater !== true && first < bars.length) expect(first + 1, says).toBe(warmUp);
  expect(first + 1, says).toBeGreaterThanOrEqual(warmUp);
  for (const [part, values] of Object.entries(series)) {
    for (const [turn, value] of seen.entries()) {
      const own =
        part === 'value' ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[part];
      const other = turn < first ? undefined : values[turn];
      if (own === undefined || other === undefined) {
        expect(own, `${says} ${part} at ${turn}`).toBe(other);
      } else if (
        !isNear(numberOf(own), other) ||
        (row.isExact === true && numberOf(own) !== other)
      ) {
        expect(numberOf(own), `${says} ${part} at ${turn}`).toBe(other);
      }
    }
  }
}

const firstOf = (values: Series): number => {
  const turn = values.findIndex((value) => value !== undefined);
  return turn === -1 ? values.length : turn;
};

describe('indicators by name', () => {
  test('are listed in the reference with their parameters, values and warm-up', async () => {
    const page = fileURLToPath(new URL('../../../docs/indicators.md', import.meta.url));
    await expect(indicatorsPage()).toMatchFileSnapshot(page);
  });

  test('are those of trading-signals', () => {
    const names = Object.keys(signals).filter((name) => /^[A-Z]/.test(name) && !ABSTRACT.has(name));
    const nameless = (name: string): string => name.toLowerCase();
    expect(Object.keys(INDICATORS).map(nameless).toSorted()).toEqual(
      names.map(nameless).toSorted(),
    );
  });

  test('are all compared with a reference', () => {
    expect(Object.keys(REFERENCES).toSorted()).toEqual(Object.keys(INDICATORS).toSorted());
  });

  test.each(ROWS)('%s agrees with its formula, from the event at which it is warm', (name, row) => {
    const random = new Random(7);
    for (const calm of [0, 1]) {
      compare(name, row, defaultsOf(row), barsOf(1 + calm, calm));
      for (let turn = 0; turn < 4; turn += 1) {
        compare(name, row, parametersOf(name, row, random), barsOf(10 + turn, calm));
      }
    }
  });
});
