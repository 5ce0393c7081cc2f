import { expect, test } from 'vitest';
import { chartData } from '../../../src/backtest/page/chart-data.ts';
import { scriptJson, text } from '../../../src/backtest/page/escape.ts';
import {
  clock,
  exact,
  figure,
  money,
  padded,
  percent,
  signedMoney,
  signedPercent,
  span,
} from '../../../src/backtest/page/format.ts';
import { walkedResult } from '../../kit/backtest-result.ts';

test('ratios read as percentages, and small ones are not hidden', () => {
  expect(
    [0.0123, -0.0123, 0, 12.5, 12_345_678, null, Number.NaN].map((ratio) => percent(ratio)),
  ).toEqual(['1.23%', '−1.23%', '0.00%', '1,250.00%', '1.2e+9%', '–', '–']);
  expect(percent(-0.0000186)).toBe('−0.0019%');
  expect(percent(1e-15)).toBe('0.00000000%');
  expect(percent(0.5, 0)).toBe('50%');
  expect([0.01, -0.01, 0, null].map(signedPercent)).toEqual(['+1.00%', '−1.00%', '0.00%', '–']);
});

test('statistics have two digits and undefined ones a dash', () => {
  expect([1.005, -0.001, 12_345.6, -1e7, null].map((value) => figure(value))).toEqual([
    '1.00',
    '0.00',
    '12,345.60',
    '−1.0e+7',
    '–',
  ]);
});

test('money reads with two decimals, or four significant digits below one', () => {
  expect(['1234567.891', '-0.00012345', '0', '0.5', null].map(money)).toEqual([
    '1,234,567.89',
    '−0.0001234',
    '0.00',
    '0.5',
    '–',
  ]);
  expect(['1', '-1', '0'].map(signedMoney)).toEqual(['+1.00', '−1.00', '0.00']);
  expect(exact('1234.000000000001')).toBe('1,234');
  expect(exact('0.00042')).toBe('0.00042');
  expect(padded('61727.5', 2)).toBe('61,727.50');
});

test('spans read as their two largest units', () => {
  expect([0, 7, 1_500, 61_000_000, 90_000_000_000, 3 * 86_400_000_000].map(span)).toEqual([
    '0 s',
    '7 µs',
    '1 ms 500 µs',
    '1 min 1 s',
    '1 d 1 h',
    '3 d',
  ]);
  expect(clock('2024-08-08T10:00:05.123456Z')).toBe('2024-08-08 10:00:05');
});

test('text cannot become markup, and data cannot end its script', () => {
  expect(text(`<b title="x">&'`)).toBe('&lt;b title=&quot;x&quot;&gt;&amp;&#39;');
  const value = { a: '</script><!--', b: '\u2028\u2029' };
  const json = scriptJson(value);
  expect(json).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(value);
});

test('fills are merged by point and side, and points of one second become one', () => {
  const result = walkedResult({ minutes: 240 });
  const drawn = chartData(result);
  const [instrument] = drawn.instruments;
  const counted = instrument.fills.reduce((sum, [, , count]) => sum + count, 0);
  expect(counted).toBe(result.fills.total);
  for (const [index, side] of instrument.fills) {
    const upTo = drawn.times[index];
    const after = index === 0 ? Number.NEGATIVE_INFINITY : drawn.times[index - 1];
    const own = result.fills.rows.filter(
      (fill) =>
        fill.side === side &&
        Date.parse(fill.at) / 1_000 <= upTo &&
        Date.parse(fill.at) / 1_000 > after,
    );
    expect(own.length).toBeGreaterThan(0);
  }
  const { series } = result;
  const twice = { ...series, at: series.at.map((at, i) => (i === 1 ? series.at[0] : at)) };
  expect(chartData({ ...result, series: twice }).times.length).toBe(drawn.times.length - 1);
});
