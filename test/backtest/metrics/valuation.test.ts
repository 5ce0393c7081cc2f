import { expect, test } from 'vitest';
import { Mark } from '../../../src/backtest/metrics/mark.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import { Valuation } from '../../../src/backtest/metrics/valuation.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { eventColumns, TRADE } from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';

function pair(base: string, quote: string, ticks?: number): Mark {
  const mark = new Mark(
    new InstrumentState(
      new Instrument({
        symbol: `${base}${quote}`,
        type: 'spot',
        baseCurrency: base,
        quoteCurrency: quote,
        tickSize: '0.001',
        quantityIncrement: '1',
        takeRate: '0',
        makeRate: '0',
        feeCurrency: quote,
      }),
    ),
  );
  if (ticks !== undefined) {
    const columns = eventColumns(1);
    columns.kind[0] = TRADE;
    columns.price[0] = ticks;
    mark.observe(columns, 0);
  }
  return mark;
}

test('a currency is worth the product of prices along the shortest way', () => {
  const marks = [pair('ETH', 'BTC', 50), pair('BTC', 'USDT', 60_000_000), pair('SOL', 'ETH', 40)];
  const valuation = new Valuation(marks, 'USDT');
  expect(valuation.rate('USDT')?.toFixed()).toBe('1');
  expect(valuation.rate('BTC')?.toFixed()).toBe('60000');
  expect(valuation.rate('ETH')?.toFixed()).toBe('3000');
  expect(valuation.rate('SOL')?.toFixed()).toBe('120');
  expect(valuation.reaches('SOL')).toBe(true);
});

test('the direct pair is preferred to a longer way', () => {
  const marks = [
    pair('ETH', 'BTC', 50),
    pair('BTC', 'USDT', 60_000_000),
    pair('ETH', 'USDT', 2_999_000),
  ];
  expect(new Valuation(marks, 'USDT').rate('ETH')?.toFixed()).toBe('2999');
});

test('what only the inverse of a price would reach is not valued', () => {
  const valuation = new Valuation(
    [pair('BTC', 'USDT', 60_000_000), pair('USDT', 'EUR', 900)],
    'USDT',
  );
  expect(valuation.rate('EUR')).toBeUndefined();
  expect(valuation.reaches('EUR')).toBe(false);
});

test('a price that is not known yet leaves the value unknown', () => {
  const valuation = new Valuation([pair('BTC', 'USDT')], 'USDT');
  expect(valuation.rate('BTC')).toBeUndefined();
  expect(valuation.reaches('BTC')).toBe(true);
});

test('results in a currency in which nothing is quoted are refused with those that would do', () => {
  const reported = (): Valuation => new Valuation([pair('BTC', 'USDT')], 'EUR');
  expect(reported).toThrow(MillraceError);
  expect(reported).toThrow(
    'Results cannot be given in EUR: no instrument of the run is quoted in it. Use USDT.',
  );
});
