import { describe, expect, test } from 'vitest';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { positionRejection, shortsRejection } from '../../../src/risk/limits/position.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { limitsOf, open, place, placeList, type Amounts } from '../view.ts';
import { at, checkedOf, PERPETUAL, position, REDUCE_ONLY, replace, viewAt } from './view.ts';

/** On isolated margin alone. */
const ISOLATED = instrumentOf({
  tickSize: '0.01',
  quantityIncrement: '0.001',
  margin: onMargin().slice(0, 1),
});

function outcome(request: OrderRequest, view: RiskView, maxPosition: Amounts, maxShort?: Amounts) {
  const limits = limitsOf({ maxPosition, ...(maxShort === undefined ? {} : { maxShort }) });
  const checked = checkedOf(request, view, limits);
  return positionRejection(checked) ?? shortsRejection(checked);
}

/** The message of a rejection, or that there is none. */
const said = (...given: Parameters<typeof outcome>) => outcome(...given)?.message ?? 'passes';

describe('the largest position', () => {
  test('says what all buys would come to, and how much may be', () => {
    const view = viewAt([position('1')], { holdings: { BTC: '2' } });
    expect(outcome(place(at('buy', 1_500)), view, { BTCUSDT: '4.499' })).toEqual({
      code: 'risk-position',
      field: 'quantity',
      message: 'With all open buys 4.5 BTC would be held, more than the 4.499 that BTCUSDT may come to.', // prettier-ignore
      limit: '4.499',
    });
    expect(said(place(at('buy', 1_500)), view, { BTCUSDT: '4.5' })).toBe('passes');
  });

  test('says what all sells on margin would come to, and how much may be', () => {
    const view = viewAt([position('-1')]);
    expect(outcome(place(at('sell', 1_500, 'isolated')), view, { BTCUSDT: '2.499' })).toEqual({
      code: 'risk-position',
      field: 'quantity',
      message: 'With all open sells 2.5 BTC would be sold short, more than the 2.499 that BTCUSDT may be.', // prettier-ignore
      limit: '2.499',
    });
  });

  test('is none of a symbol that the account does not have', () => {
    const view = viewAt([]);
    const limits = { XRPUSDT: '1', BTCUSDT: '1' };
    expect(said(place(at('buy', 1_000)), view, limits, limits)).toBe('passes');
    expect(outcome(place(at('buy', 1_001)), view, limits)?.code).toBe('risk-position');
  });

  test('of each symbol holds for its own orders', () => {
    const view = viewAt([]);
    const eth = place({ ...at('buy', 101, 'isolated'), symbol: 'ETHUSDT' });
    // A lot of ETH is 0.01.
    expect(outcome(eth, view, { BTCUSDT: '0', ETHUSDT: '1' })?.message).toContain('1.01 ETH');
    expect(said(eth, view, { BTCUSDT: '0', ETHUSDT: '1.01' })).toBe('passes');
    expect(said(eth, view, { BTCUSDT: '0' }, { BTCUSDT: '0' })).toBe('passes');
    const short = place({ ...at('sell', 101, 'isolated'), symbol: 'ETHUSDT' });
    expect(said(short, view, {}, { BTCUSDT: '0', ETHUSDT: '1' })).toContain('1.01 ETH');
    expect(said(short, view, {}, { BTCUSDT: '0', ETHUSDT: '1.01' })).toBe('passes');
  });

  test('holds for each order of a list, whatever the others are', () => {
    const list = placeList('allOrNone', at('buy', 1), at('buy', 1_001, 'isolated'));
    expect(said(list, viewAt([]), { BTCUSDT: '1' })).toContain('1.002 BTC would be held');
    const shorts = placeList('allOrNone', at('buy', 1), at('sell', 1_001, 'isolated'));
    expect(said(shorts, viewAt([]), { BTCUSDT: '1' })).toContain('1.001 BTC would be sold short');
    expect(said(shorts, viewAt([]), {}, { BTCUSDT: '1' })).toContain('1.001 BTC would be sold short'); // prettier-ignore
  });
});

describe('an order that is beyond the largest position already', () => {
  test('on margin may become smaller, and not larger', () => {
    for (const side of ['buy', 'sell'] as const) {
      const order = open(at(side, 3_000, 'isolated'));
      const view = viewAt([], { orders: [order] });
      const size = (lots: number) =>
        outcome(replace(order.clientOrderId, lots), view, { BTCUSDT: '2' })?.code;
      expect([size(2_999), size(3_000), size(3_001)]).toEqual([
        ...[undefined, undefined],
        'risk-position',
      ]);
    }
  });

  test('of spot may become smaller, and not larger, beside longs on margin that stay', () => {
    const order = open(at('buy', 3_000));
    const view = viewAt([position('5')], { orders: [order] });
    const size = (lots: number) =>
      outcome(replace(order.clientOrderId, lots), view, { BTCUSDT: '2' })?.code;
    expect([size(2_999), size(3_001)]).toEqual([undefined, 'risk-position']);
  });

  test('is no reason to hold back one that sells, on spot or what is long on margin', () => {
    const view = viewAt([position('5')], { holdings: { BTC: '5' } });
    expect(said(place(at('sell', 5_000)), view, { BTCUSDT: '2' })).toBe('passes');
    expect(said(place(at('sell', 5_000, 'isolated')), view, { BTCUSDT: '2' })).toBe('passes');
    expect(said(place(at('sell', 7_000, 'isolated')), view, { BTCUSDT: '2' })).toBe('passes');
    // The short that comes of it is held against the limit for itself.
    expect(said(place(at('sell', 7_001, 'isolated')), view, { BTCUSDT: '2' })).toContain('2.001 BTC would be sold short'); // prettier-ignore
  });
});

describe('an order that only reduces', () => {
  test('passes, though open orders can lead further once it has closed the position', () => {
    // Short 2 with a buy of 3 open comes to a long of 1; once the 2 are closed, to one of 3.
    const orders = [open(at('buy', 3_000, 'isolated'))];
    const view = viewAt([position('-2')], { orders });
    const limits = { BTCUSDT: '1' };
    expect(said(place(at('buy', 2_000, REDUCE_ONLY)), view, limits)).toBe('passes');
    expect(outcome(place(at('buy', 2_000, 'isolated')), view, limits)?.message).toContain('3 BTC');
  });

  test('passes the same as a sell of a long, whatever sells are open', () => {
    const orders = [open(at('sell', 3_000, 'isolated'))];
    const view = viewAt([position('2')], { orders });
    const limits = { BTCUSDT: '1' };
    expect(said(place(at('sell', 2_000, REDUCE_ONLY)), view, limits, limits)).toBe('passes');
    expect(outcome(place(at('sell', 2_000, 'isolated')), view, {}, limits)?.code).toBe('risk-short'); // prettier-ignore
  });

  test('counts for others with all that it can close', () => {
    // A stop that closes the short of 2 has no quantity of its own, and lets a buy of 1 lead to a long of 1.
    const margin = { mode: 'isolated', closePosition: true } as const;
    const closing = {
      side: 'buy',
      type: 'stopMarket',
      lots: 0,
      stopTicks: 11_000,
      margin,
    } as const;
    const view = viewAt([position('-2')], { orders: [open(closing)] });
    const buy = (lots: number) => said(place(at('buy', lots, 'isolated')), view, { BTCUSDT: '2' });
    expect(buy(2_000)).toBe('passes');
    expect(buy(2_001)).toContain('2.001 BTC would be held');
    expect(said(place(at('buy', 4_000, 'isolated')), viewAt([position('-2')]), { BTCUSDT: '2' })).toBe('passes'); // prettier-ignore
  });

  test('lets no order beside it in a list pass', () => {
    const list = placeList('allOrNone', at('sell', 1_000, REDUCE_ONLY), at('buy', 3_001));
    expect(said(list, viewAt([position('2')]), { BTCUSDT: '5' })).toContain('5.001 BTC');
  });
});

describe('both margins', () => {
  test('count together, longs with longs and shorts with shorts', () => {
    const view = viewAt([position('2'), position('1', 'cross')]);
    const buy = (lots: number, mode: MarginMode) =>
      outcome(place(at('buy', lots, mode)), view, { BTCUSDT: '4' })?.code;
    for (const mode of ['isolated', 'cross'] as const) {
      expect([buy(1_000, mode), buy(1_001, mode)]).toEqual([undefined, 'risk-position']);
    }
    const shorts = viewAt([position('-2'), position('-1', 'cross')]);
    const sell = (lots: number, mode: MarginMode) =>
      outcome(place(at('sell', lots, mode)), shorts, {}, { BTCUSDT: '4' })?.code;
    for (const mode of ['isolated', 'cross'] as const) {
      expect([sell(1_000, mode), sell(1_001, mode)]).toEqual([undefined, 'risk-short']);
    }
  });

  test('one alone counts of an instrument that is not traded on the other', () => {
    const view = viewAt([position('2', 'isolated', ISOLATED)], { instruments: [ISOLATED] });
    const buy = (lots: number) =>
      outcome(place(at('buy', lots, 'isolated')), view, { BTCUSDT: '3' })?.code;
    expect([buy(1_000), buy(1_001)]).toEqual([undefined, 'risk-position']);
  });
});

describe('a contract', () => {
  const buy = (lots: number) => place({ ...at('buy', lots, 'isolated'), symbol: 'BTCUSDT_PERP' });

  test('counts without what is held and bought of its base currency on spot', () => {
    const view = viewAt([position('2', 'isolated', PERPETUAL)], {
      holdings: { BTC: '9' },
      orders: [open(at('buy', 9_000))],
    });
    expect(said(buy(1_000), view, { BTCUSDT_PERP: '3' })).toBe('passes');
    expect(said(buy(1_001), view, { BTCUSDT_PERP: '3' })).toContain('3.001 BTC');
  });

  test('does not count for the spot symbol, nor a buy of that for the contract', () => {
    const view = viewAt([position('9', 'isolated', PERPETUAL)], { holdings: { BTC: '1' } });
    expect(said(buy(1), view, { BTCUSDT: '0' })).toBe('passes');
    const limits = { BTCUSDT: '2', BTCUSDT_PERP: '1' };
    expect(said(place(at('buy', 1_000)), view, limits)).toBe('passes');
    expect(said(place(at('buy', 1_001)), view, limits)).toContain('2.001 BTC');
  });

  test('beyond its limit may have orders that make nothing larger, whatever is bought on spot', () => {
    const order = open({ ...at('buy', 3_000, 'isolated'), symbol: 'BTCUSDT_PERP' });
    const view = viewAt([], { orders: [order] });
    const size = (lots: number) =>
      outcome(replace(order.clientOrderId, lots), view, { BTCUSDT_PERP: '2' })?.code;
    expect([size(2_999), size(3_001)]).toEqual([undefined, 'risk-position']);
  });
});

describe('the largest short', () => {
  test('holds for shorts alone, and says what all sells would come to', () => {
    const view = viewAt([position('-1')]);
    const limits = { BTCUSDT: '2' };
    expect(said(place(at('buy', 9_000, 'isolated')), view, {}, limits)).toBe('passes');
    expect(said(place(at('sell', 1_000, 'isolated')), view, {}, limits)).toBe('passes');
    expect(outcome(place(at('sell', 1_001, 'isolated')), view, {}, limits)).toEqual({
      code: 'risk-short',
      field: 'quantity',
      message: 'With all open sells 2.001 BTC would be sold short, more than the 2 that BTCUSDT may be.', // prettier-ignore
      limit: '2',
    });
  });

  test('beyond its limit may become smaller, and not larger', () => {
    const order = open(at('sell', 3_000, 'isolated'));
    const view = viewAt([], { orders: [order] });
    const size = (lots: number) =>
      outcome(replace(order.clientOrderId, lots), view, {}, { BTCUSDT: '2' })?.code;
    expect([size(2_999), size(3_001)]).toEqual([undefined, 'risk-short']);
  });

  test('is nothing that a sell on spot comes to', () => {
    expect(said(place(at('sell', 9_000)), viewAt([]), {}, { BTCUSDT: '0' })).toBe('passes');
  });
});
