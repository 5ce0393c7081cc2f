import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { valuesOf } from '../../src/risk/values.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { amounts, BTC, ETH, ETHBTC, type Amounts } from './view.ts';
import { accountOf, BTC as MARGIN_BTC, ETH as MARGIN_ETH, marginOf } from './margin/view.ts';

function values(
  holdings: Amounts,
  prices: Amounts,
  { instruments = [BTC, ETH, ETHBTC], margin }: Partial<{ instruments: Parameters<typeof valuesOf>[0]; margin: Parameters<typeof valuesOf>[3] }> = {}, // prettier-ignore
): Record<string, string> {
  const held = amounts(holdings);
  const known = amounts(prices);
  const found = valuesOf(
    instruments,
    (currency) => held.get(currency) ?? decimal('0'),
    (symbol) => known.get(symbol),
    margin,
  );
  return Object.fromEntries([...found].map(([currency, value]) => [currency, value.toFixed()]));
}

describe('what is held is worth', () => {
  test('its quote currency and each base currency at its price, once', () => {
    const prices = { BTCUSDT: '100', ETHUSDT: '10', ETHBTC: '0.1' };
    expect(values({ USDT: '7', BTC: '2', ETH: '3' }, prices)).toEqual({ USDT: '237', BTC: '2' });
    // ETH counts in BTC where that symbol is first.
    const instruments = [ETHBTC, BTC, ETH];
    expect(values({ USDT: '7', BTC: '2', ETH: '3' }, prices, { instruments })).toEqual({
      ...{ BTC: '2.3', USDT: '207' },
    });
  });

  test('at the price of the first symbol of a currency, and no further one', () => {
    const again = instrumentOf({ ...BTC.terms, symbol: 'BTCUSDT_2' });
    const prices = { BTCUSDT: '100', BTCUSDT_2: '900' };
    expect(values({ BTC: '2' }, prices, { instruments: [BTC, again] })).toEqual({ USDT: '200' });
    expect(values({ BTC: '2' }, { BTCUSDT: '100' }, { instruments: [BTC, again] })).toEqual({
      ...{ USDT: '200' },
    });
  });

  test('nothing that is known in a currency while a price is missing that it needs', () => {
    expect(values({ USDT: '7', BTC: '2', ETH: '3' }, { BTCUSDT: '100' })).toEqual({ BTC: '2' });
    expect(values({ USDT: '7', BTC: '2' }, { BTCUSDT: '100' })).toEqual({ BTC: '2', USDT: '207' });
    expect(values({ USDT: '7' }, {})).toEqual({ BTC: '0', USDT: '7' });
  });
});

describe('with margin accounts it is worth their funds and open results too', () => {
  const instruments = [MARGIN_BTC, MARGIN_ETH];
  const cross = accountOf({
    mode: 'cross',
    balance: '50',
    held: [{ instrument: MARGIN_ETH, size: '-2', entry: '10' }],
  });
  const isolated = accountOf({
    balance: '30',
    held: [{ instrument: MARGIN_BTC, size: '1', entry: '100' }],
  });

  test('of all accounts of a currency', () => {
    const margin = marginOf([cross, isolated], { BTCUSDT: '110', ETHUSDT: '12' });
    // 7 + (50 − 4) + (30 + 10)
    expect(values({ USDT: '7' }, {}, { instruments, margin })).toEqual({ USDT: '93' });
    const none = marginOf([], {});
    expect(values({ USDT: '7' }, {}, { instruments, margin: none })).toEqual({ USDT: '7' });
  });

  test('and nothing that is known while a mark price is not, whichever account it is of', () => {
    for (const accounts of [
      [cross, isolated],
      [isolated, cross],
    ]) {
      for (const marks of [{ BTCUSDT: '110' }, { ETHUSDT: '12' }] as Amounts[]) {
        const margin = marginOf(accounts, marks);
        expect(values({ USDT: '7' }, {}, { instruments, margin })).toEqual({});
      }
    }
  });

  test('also of a symbol that is not traded here, where its instrument is known', () => {
    const margin = marginOf([cross], { ETHUSDT: '12' });
    const own = { instruments: [MARGIN_BTC], margin };
    expect(values({ USDT: '7' }, {}, own)).toEqual({});
    const known = { ...margin, instrument: () => MARGIN_ETH };
    expect(values({ USDT: '7' }, {}, { ...own, margin: known })).toEqual({ USDT: '53' });
  });

  test('of a currency in which nothing is traded on spot nothing is said', () => {
    const margin = marginOf([{ ...isolated, currency: 'EUR' }], { BTCUSDT: '110' });
    expect(values({ USDT: '7' }, {}, { instruments, margin })).toEqual({ USDT: '7' });
  });
});
