import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal, ZERO } from '../../src/model/decimal.ts';
import { lots, ticks } from '../../src/model/units.ts';
import {
  buyReserve,
  fee,
  fundsRejection,
  holdsFee,
  payingCurrency,
  reserveOf,
  sellReserve,
  stopReserveTicks,
} from '../../src/rules/funds.ts';
import { count, Exact, rateText, stepText } from '../kit/exact.ts';
import { instrumentOf } from '../kit/instruments.ts';

const hostile = fc.record({
  tickSize: stepText,
  quantityIncrement: stepText,
  takeRate: rateText,
  makeRate: rateText,
  t: count,
  l: count,
});

describe('fees', () => {
  test('are price times quantity times rate to the last digit, in the quote currency', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const instrument = instrumentOf(terms);
        const value = new Exact(terms.tickSize).times(t).times(terms.quantityIncrement).times(l);
        const expected = value.times(terms.takeRate).plus(0);
        const charged = fee(instrument, ticks(t), lots(l), instrument.takeRate);
        expect(charged.toFixed()).toBe(expected.isZero() ? '0' : expected.toFixed());
      }),
    );
  });

  test('are quantity times rate where they are in the base currency', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const instrument = instrumentOf({ ...terms, feeCurrency: 'BTC' });
        const expected = new Exact(terms.quantityIncrement).times(l).times(terms.makeRate);
        const charged = fee(instrument, ticks(t), lots(l), instrument.makeRate);
        expect(charged.toFixed()).toBe(expected.isZero() ? '0' : expected.toFixed());
      }),
    );
  });

  // Published records, and rates that make them: trading semantics facts, sections 1 and 5.
  test.each([
    ['0.1035696', '55', '0.0025', '0.01424082'],
    ['0.0001', '41118.51', '0.0005', '0.0020559255'],
    ['1', '100', '0.001', '0.1'],
    ['1', '100', '-0.0001', '-0.01'],
  ])('%s at %s with a rate of %s costs %s', (quantity, price, rate, expected) => {
    const instrument = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.0000001' });
    const t = instrument.ticksExactly(decimal(price)) ?? ticks(0);
    const l = instrument.lotsExactly(decimal(quantity)) ?? lots(0);
    expect(fee(instrument, t, l, decimal(rate)).toFixed()).toBe(expected);
  });

  test('a rebate on nothing is zero, not negative zero', () => {
    const nothing = fee(instrumentOf(), ticks(5), lots(0), decimal('-0.1'));
    expect(Object.is(nothing.toNumber(), 0)).toBe(true);
  });
});

describe('reserves', () => {
  test('a buy holds value + value × max(take, make) to the last digit', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const instrument = instrumentOf(terms);
        const value = new Exact(terms.tickSize).times(t).times(terms.quantityIncrement).times(l);
        const rate = Exact.max(terms.takeRate, terms.makeRate);
        const reserve = buyReserve(instrument, instrument.value(ticks(t), lots(l)), instrument);
        expect(reserve.toFixed()).toBe(value.plus(value.times(rate)).plus(0).toFixed());
      }),
    );
  });

  test('no fill of either role costs more than what is held for it', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const instrument = instrumentOf(terms);
        const value = instrument.value(ticks(t), lots(l));
        const reserve = buyReserve(instrument, value, instrument);
        for (const rate of [instrument.takeRate, instrument.makeRate]) {
          const cost = value.plus(fee(instrument, ticks(t), lots(l), rate));
          expect(cost.lessThanOrEqualTo(reserve)).toBe(true);
        }
      }),
    );
  });

  test('grow in proportion, so that a ledger may hold them per tick and lot, or per lot', () => {
    fc.assert(
      fc.property(hostile, ({ t, l, ...terms }) => {
        const instrument = instrumentOf({ ...terms, feeCurrency: 'BTC' });
        const buy = buyReserve(instrument, instrument.value(ticks(t), lots(l)), instrument);
        const sell = sellReserve(instrument, lots(l), instrument);
        expect(
          buyReserve(instrument, instrument.tickValue, instrument).times(t).times(l).equals(buy),
        ).toBe(true);
        expect(sellReserve(instrument, lots(1), instrument).times(l).equals(sell)).toBe(true);
      }),
    );
  });

  test('with two rebates a buy holds less than its value', () => {
    const rebates = { takeRate: decimal('-0.0001'), makeRate: decimal('-0.0002') };
    expect(buyReserve(instrumentOf(), decimal('100'), rebates).toFixed()).toBe('99.99');
  });

  test('with two rebates in the base currency a buy holds its value, which it pays whole', () => {
    const instrument = instrumentOf({ feeCurrency: 'BTC' });
    const rebates = { takeRate: decimal('-0.0001'), makeRate: decimal('-0.0002') };
    expect(buyReserve(instrument, decimal('100'), rebates).toFixed()).toBe('100');
    const one = { ...rebates, takeRate: decimal('0.001') };
    expect(buyReserve(instrument, decimal('100'), one).toFixed()).toBe('100.1');
  });

  test('a sell holds its quantity, with a fee in the base currency on top', () => {
    const quote = instrumentOf({ takeRate: '0.0025', makeRate: '0.0012' });
    expect(sellReserve(quote, lots(100_000), quote).toFixed()).toBe('1');
    const base = instrumentOf({ takeRate: '0.0012', makeRate: '0.0025', feeCurrency: 'BTC' });
    expect(sellReserve(base, lots(100_000), base).toFixed()).toBe('1.0025');
    const rebates = instrumentOf({ takeRate: '-0.01', makeRate: '-0.02', feeCurrency: 'BTC' });
    expect(sellReserve(rebates, lots(100_000), rebates).toFixed()).toBe('1');
  });

  test('the quote currency pays for a buy, the base currency for a sell', () => {
    expect(payingCurrency(instrumentOf(), 'buy')).toBe('USDT');
    expect(payingCurrency(instrumentOf(), 'sell')).toBe('BTC');
  });
});

describe('funds', () => {
  test('a buy must exceed its reserve, an equal balance is refused', () => {
    const reserve = decimal('100.1');
    expect(fundsRejection('buy', 'USDT', reserve, decimal('100.1'))).toEqual({
      code: 'funds-insufficient',
      field: 'quantity',
      message: '100.1 USDT is available and must exceed 100.1, fee included.',
      limit: '100.1',
    });
    const hair = decimal('100.1').plus(decimal('1e-40'));
    expect(fundsRejection('buy', 'USDT', reserve, hair)).toBeUndefined();
  });

  test('a sell may use all that is available', () => {
    const reserve = decimal('1');
    expect(fundsRejection('sell', 'BTC', reserve, reserve)).toBeUndefined();
    const short = reserve.minus(decimal('1e-40'));
    expect(fundsRejection('sell', 'BTC', reserve, short)).toMatchObject({
      code: 'funds-insufficient',
      message: expect.stringMatching(/ BTC is available and must be at least 1, fee included\.$/),
      limit: '1',
    });
  });

  test('the published case: 26.547 at 0.58 with 0.1 % needs 15.41265726, 15.4127656 covers it', () => {
    const instrument = instrumentOf({
      tickSize: '0.01',
      quantityIncrement: '0.001',
      takeRate: '0.001',
      makeRate: '0.001',
    });
    const reserve = buyReserve(instrument, instrument.value(ticks(58), lots(26_547)), instrument);
    expect(reserve.toFixed()).toBe('15.41265726');
    expect(fundsRejection('buy', 'USDT', reserve, decimal('15.4127656'))).toBeUndefined();
    expect(fundsRejection('buy', 'USDT', reserve, decimal('15.41265726'))).toBeDefined();
  });

  test('nothing available covers nothing', () => {
    expect(fundsRejection('buy', 'USDT', new Decimal('1e-36'), ZERO)).toBeDefined();
    expect(fundsRejection('sell', 'BTC', new Decimal('1e-18'), ZERO)).toBeDefined();
  });
});

test('a stop market buy holds its stop price and a tenth of it, up to the next tick', () => {
  expect([1, 9, 10, 11, 103, 8_188_362_958_855_446].map(stopReserveTicks)).toEqual([
    2,
    10,
    11,
    13,
    114,
    Number.MAX_SAFE_INTEGER,
  ]);
});

test('a fee is held for a buy, and for a sell that pays it in the base currency', () => {
  const inQuote = instrumentOf();
  const inBase = instrumentOf({ feeCurrency: 'BTC' });
  const held = [inQuote, inBase].map((one) => [holdsFee(one, 'buy'), holdsFee(one, 'sell')]);
  expect(held).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('lots at a price need what their side holds', () => {
  const instrument = instrumentOf();
  const { takeRate, makeRate } = instrument;
  const rates = { takeRate, makeRate };
  const value = instrument.value(ticks(100), lots(7));
  expect(reserveOf(instrument, 'buy', 100, 7, rates)).toEqual(buyReserve(instrument, value, rates));
  expect(reserveOf(instrument, 'sell', 100, 7, rates)).toEqual(
    sellReserve(instrument, lots(7), rates),
  );
});
