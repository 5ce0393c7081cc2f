import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { Side } from '../../../src/model/order.ts';
import { exposureRejection, netExposureRejection } from '../../../src/risk/limits/exposure.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { runs, seed } from '../../kit/size.ts';
import { accountOf, BTC, ETH, marginOf, type Funds, type Held } from '../margin/view.ts';
import { limitsOf, marketOf, open, place, placeList, viewOf } from '../view.ts';
import {
  at,
  checkedOf,
  MARKETS,
  PERPETUAL,
  position,
  REDUCE_ONLY,
  replace,
  viewAt,
} from './view.ts';

const ETHBTC = instrumentOf({
  symbol: 'ETHBTC',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.01',
  quantityIncrement: '0.01',
  margin: onMargin(),
});
const ISOLATED: OrderMargin = { mode: 'isolated' };

const gross = (request: OrderRequest, view: RiskView, limit: string, priceCollar?: string) =>
  exposureRejection(
    checkedOf(
      request,
      view,
      limitsOf({
        maxExposure: { USDT: limit },
        ...(priceCollar === undefined ? {} : { priceCollar }),
      }),
    ),
  );
const net = (request: OrderRequest, view: RiskView, limit: string) =>
  netExposureRejection(checkedOf(request, view, limitsOf({ maxNetExposure: { USDT: limit } })));

/** The codes at a limit, and a cent below it. */
function edge(of: typeof gross | typeof net, request: OrderRequest, view: RiskView, limit: string) {
  const below = decimal(limit).minus('0.01').toFixed();
  return [of(request, view, limit)?.code, of(request, view, below)?.code];
}
const GROSS_EDGE = [undefined, 'risk-exposure'];
const NET_EDGE = [undefined, 'risk-net-exposure'];

describe('the largest exposure', () => {
  test('says what would be at stake, and how much may be', () => {
    const view = viewAt([position('-2')], { holdings: { BTC: '1' } });
    expect(gross(place(at('buy', 1_000)), view, '399.99')).toEqual({
      code: 'risk-exposure',
      field: 'quantity',
      message: 'With all open buys 400 USDT would be at stake, more than the 399.99 that may be.',
      limit: '399.99',
    });
    expect(gross(place(at('buy', 1_000)), view, '400')).toBeUndefined();
  });

  test('counts a position of either side at its mark price, and orders of its side at theirs', () => {
    for (const [size, side] of [
      ['-2', 'sell'],
      ['2', 'buy'],
    ] as const) {
      const view = viewAt([position(size)], { orders: [open(at(side, 1_000, 'isolated'))] });
      // 200 held, 100 open and 100 requested.
      expect(edge(gross, place(at(side, 1_000, 'isolated')), view, '400')).toEqual(GROSS_EDGE);
    }
  });

  test.each([
    ['-2', 'buy'],
    ['2', 'sell'],
  ] as const)(
    'counts a %s that a %s turns around by what it turns to, where that is worth more',
    (size, side) => {
      const view = viewAt([position(size)]);
      expect(gross(place(at(side, 4_000, 'isolated')), view, '200')).toBeUndefined();
      expect(edge(gross, place(at(side, 5_000, 'isolated')), view, '300')).toEqual(GROSS_EDGE);
      // At the highest price of the side: of 5 at 100 and at 200, 2 close and 3 are opened.
      const other = side === 'buy' ? 'sell' : 'buy';
      const orders = [
        open(at(side, 4_000, 'isolated')),
        open(at(other, 9_000, REDUCE_ONLY, 90_000)),
      ];
      const more = viewAt([position(size)], { orders });
      expect(edge(gross, place(at(side, 1_000, 'isolated', 20_000)), more, '600')).toEqual(
        GROSS_EDGE,
      );
    },
  );

  test.each(['buy', 'sell'] as const)(
    'counts every %s at its own price where nothing is held',
    (side) => {
      const view = viewAt([], { orders: [open(at(side, 1_000, 'isolated', 20_000))] });
      expect(edge(gross, place(at(side, 1_000, 'isolated')), view, '300')).toEqual(GROSS_EDGE);
    },
  );

  test('counts spot and both margins, and all symbols of the currency', () => {
    const held: readonly Held[] = [{ instrument: ETH, size: '-3', entry: '10' }];
    const cross: Funds = { mode: 'cross', balance: '1000', held };
    const view = viewAt([position('2'), cross], { holdings: { BTC: '1', ETH: '4' } });
    // 100 + 40 on spot, 200 + 30 on margin, and 50 requested.
    expect(edge(gross, place(at('buy', 500, 'cross')), view, '420')).toEqual(GROSS_EDGE);
  });

  test('does not count what is owed of a currency', () => {
    const view = viewAt([], { holdings: { BTC: '-5', ETH: '4' } });
    expect(edge(gross, place(at('buy', 1_000)), view, '140')).toEqual(GROSS_EDGE);
  });

  test('counts each currency once, at the market of the first symbol that trades it', () => {
    const again = instrumentOf({ ...BTC.terms, symbol: 'BTCUSDT_2' });
    const markets = { ...MARKETS, BTCUSDT_2: marketOf(90_000, 90_000) };
    const view = viewAt([], { instruments: [BTC, again], markets, holdings: { BTC: '1' } });
    expect(edge(gross, place(at('buy', 1_000)), view, '200')).toEqual(GROSS_EDGE);
  });

  test('counts what is held without the contracts of its currency', () => {
    const instruments = [PERPETUAL, BTC];
    const view = viewAt([], { instruments, holdings: { BTC: '1' } });
    expect(edge(gross, place(at('buy', 1_000)), view, '200')).toEqual(GROSS_EDGE);
  });

  test('counts a market buy at the best ask and the collar, on spot and on margin', () => {
    for (const margin of [undefined, { mode: 'isolated' }] as const) {
      const order = { type: 'market', lots: 1_000, ...(margin && { margin }) } as const;
      expect(gross(place(order), viewAt([]), '110', '0.1')).toBeUndefined();
      expect(gross(place(order), viewAt([]), '109.99', '0.1')?.code).toBe('risk-exposure');
      expect(gross(place(order), viewAt([]), '100')).toBeUndefined();
    }
  });

  test('is none of a currency that has no limit, and another of each that has one', () => {
    const view = viewAt([], { instruments: [BTC, ETH, ETHBTC] });
    const two = placeList('allOrNone', at('buy', 1_000), {
      symbol: 'ETHBTC',
      lots: 100,
      ticks: 200,
    });
    const codeOf = (maxExposure: Record<string, string>) =>
      exposureRejection(checkedOf(two, view, limitsOf({ maxExposure })))?.message;
    expect(codeOf({ USDT: '100', BTC: '2' })).toBeUndefined();
    expect(codeOf({ USDT: '99', BTC: '2' })).toContain('100 USDT');
    expect(codeOf({ USDT: '100', BTC: '1' })).toContain('2 BTC');
    expect(codeOf({ BTC: '1' })).toContain('2 BTC');
    expect(codeOf({ EUR: '0' })).toBeUndefined();
  });

  test('counts no positions and orders of other currencies, and needs no price of them', () => {
    const orders = [
      open({ symbol: 'ETHBTC', type: 'market', lots: 900, margin: { mode: 'isolated' } }),
      open({ symbol: 'ETHBTC', type: 'market', lots: 900 }),
    ];
    const accounts = [position('2'), position('3', 'cross', ETHBTC)];
    const view = viewAt(accounts, { instruments: [ETHBTC, BTC], orders, holdings: { ETH: '9' } });
    expect(edge(gross, place(at('buy', 1_000, 'isolated')), view, '300')).toEqual(GROSS_EDGE);
  });
});

describe('beyond the largest exposure', () => {
  const held = { holdings: { BTC: '9' } };

  test('spot may be sold, and a position be closed by an order that only reduces', () => {
    const orders = [open(at('buy', 3_000, 'isolated'))];
    const view = viewAt([position('-2')], { ...held, orders });
    expect(gross(place(at('sell', 9_000)), view, '1')).toBeUndefined();
    // Once it has closed the short of 2, the open buy leads to a long of 3.
    expect(gross(place(at('buy', 2_000, REDUCE_ONLY)), view, '1')).toBeUndefined();
    expect(gross(place(at('buy', 2_000, 'isolated')), view, '1')?.code).toBe('risk-exposure');
  });

  test('a buy on spot may become smaller, and not larger', () => {
    const order = open(at('buy', 3_000));
    const view = viewAt([position('2')], { ...held, orders: [order] });
    const size = (lots: number) => gross(replace(order.clientOrderId, lots), view, '1')?.code;
    expect([size(2_999), size(3_000), size(3_001)]).toEqual([
      ...[undefined, undefined],
      'risk-exposure',
    ]);
  });

  test('an order on margin may become smaller, and not larger', () => {
    const order = open(at('sell', 3_000, 'isolated'));
    const view = viewAt([], { ...held, orders: [order] });
    const size = (lots: number) => gross(replace(order.clientOrderId, lots), view, '1')?.code;
    expect([size(2_999), size(3_000), size(3_001)]).toEqual([
      ...[undefined, undefined],
      'risk-exposure',
    ]);
  });

  test('a position may be closed by a plain order, as long as it does not turn to more', () => {
    const view = viewAt([position('-2')], held);
    expect(gross(place(at('buy', 4_000, 'isolated')), view, '1')).toBeUndefined();
    expect(gross(place(at('buy', 4_001, 'isolated')), view, '1')?.code).toBe('risk-exposure');
  });
});

describe('the largest exposure where a price is unknown', () => {
  const why = (symbol: string) => ({
    code: 'risk-market-unknown',
    field: 'symbol',
    message: `The largest exposure needs a price of ${symbol}, and its market is not known or stale.`,
  });
  const unpriced = { BTCUSDT: MARKETS.BTCUSDT };

  test('of what is held rejects what buys, and lets a smaller buy pass', () => {
    const order = open(at('buy', 3_000));
    const view = viewAt([], { markets: unpriced, holdings: { ETH: '1' }, orders: [order] });
    expect(gross(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
    expect(gross(place(at('buy', 1, 'isolated')), view, '9999')).toEqual(why('ETHUSDT'));
    expect(gross(replace(order.clientOrderId, 2_999), view, '9999')).toBeUndefined();
  });

  test('of a position rejects what opens, and lets a smaller order pass', () => {
    const order = open(at('sell', 3_000, 'isolated'));
    const cross = position('1', 'cross', ETH);
    const view = viewAt([cross], { orders: [order] }, { BTCUSDT: '100' });
    expect(gross(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
    expect(gross(replace(order.clientOrderId, 3_001), view, '9999')).toEqual(why('ETHUSDT'));
    expect(gross(replace(order.clientOrderId, 2_999), view, '9999')).toBeUndefined();
  });

  test('of an open market order, on spot or on margin, rejects what opens', () => {
    for (const margin of [undefined, { mode: 'isolated' }] as const) {
      const order = { symbol: 'ETHUSDT', type: 'market', ...(margin && { margin }) } as const;
      const view = viewAt([], { markets: unpriced, orders: [open(order)] });
      expect(gross(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
    }
  });

  test('of an open market order that can open nothing is not needed', () => {
    const orders = [
      open({ symbol: 'ETHUSDT', type: 'market', margin: REDUCE_ONLY }),
      open({ symbol: 'ETHUSDT', type: 'market', side: 'sell' }),
    ];
    const view = viewAt([], { markets: unpriced, orders });
    expect(edge(gross, place(at('buy', 1_000, 'isolated')), view, '100')).toEqual(GROSS_EDGE);
  });

  test('of a place without a position is not needed', () => {
    const view = viewAt([], {}, {});
    expect(edge(gross, place(at('sell', 1_000, 'isolated')), view, '100')).toEqual(GROSS_EDGE);
  });
});

describe('the largest net exposure', () => {
  test('says by how much longs and shorts would differ, and by how much they may', () => {
    const view = viewAt([position('-2')], { holdings: { BTC: '1' } });
    expect(net(place(at('sell', 500, 'isolated')), view, '149.99')).toEqual({
      code: 'risk-net-exposure',
      field: 'quantity',
      message: 'With all open orders of one side the net exposure would be -150 USDT, beyond the limit of 149.99.', // prettier-ignore
      limit: '149.99',
    });
    expect(net(place(at('sell', 500, 'isolated')), view, '150')).toBeUndefined();
  });

  test('counts every buy that may fill, and no sell, where a request buys', () => {
    const orders = [
      open(at('buy', 1_000)),
      open(at('buy', 2_000, 'cross')),
      open(at('sell', 9_000, 'isolated')),
    ];
    const view = viewAt([position('-2')], { holdings: { BTC: '1' }, orders });
    // 100 − 200 held, 100 + 200 open, and 100 requested.
    expect(edge(net, place(at('buy', 1_000)), view, '300')).toEqual(NET_EDGE);
    expect(edge(net, place(at('buy', 1_000, 'isolated')), view, '300')).toEqual(NET_EDGE);
  });

  test('counts every sell on margin that may fill, and no buy, where a request sells', () => {
    const orders = [
      open(at('buy', 9_000)),
      open(at('sell', 9_000)),
      open(at('sell', 2_000, 'cross')),
      open(at('sell', 1_000, 'isolated')),
    ];
    const view = viewAt([position('2')], { holdings: { BTC: '1' }, orders });
    // 100 + 200 held, less 200 and 100 open and 400 requested.
    expect(edge(net, place(at('sell', 4_000, 'isolated')), view, '400')).toEqual(NET_EDGE);
  });

  test('lets everything pass that brings longs and shorts nearer to each other', () => {
    const short = viewAt([position('-5')]);
    expect(net(place(at('buy', 5_000)), short, '1')).toBeUndefined();
    expect(edge(net, place(at('buy', 6_000, 'cross')), short, '100')).toEqual(NET_EDGE);
    const long = viewAt([], { holdings: { BTC: '5' } });
    expect(net(place(at('sell', 5_000, 'isolated')), long, '1')).toBeUndefined();
    expect(edge(net, place(at('sell', 6_000, 'isolated')), long, '100')).toEqual(NET_EDGE);
  });

  test('lets what is beyond it already become smaller, and not larger', () => {
    for (const [side, margin] of [
      ['buy', undefined],
      ['buy', 'isolated'],
      ['sell', 'isolated'],
    ] as const) {
      const order = open(at(side, 3_000, margin));
      const view = viewAt([], { orders: [order] });
      const size = (lots: number) => net(replace(order.clientOrderId, lots), view, '1')?.code;
      expect([size(2_999), size(3_000), size(3_001)]).toEqual([
        ...[undefined, undefined],
        'risk-net-exposure',
      ]);
    }
  });

  test('holds back neither a sell on spot nor what only reduces', () => {
    const view = viewAt([position('-5')], { orders: [open(at('sell', 9_000, 'isolated'))] });
    expect(net(place(at('sell', 9_000)), view, '1')).toBeUndefined();
    expect(net(place(at('buy', 9_000, REDUCE_ONLY)), view, '1')).toBeUndefined();
  });

  test('is none of a currency that has no limit, and another of each that has one', () => {
    const view = viewAt([], { instruments: [BTC, ETH, ETHBTC] });
    const eth = { symbol: 'ETHBTC', lots: 100, ticks: 200 };
    const two = placeList('allOrNone', at('buy', 1_000), eth);
    const messageOf = (maxNetExposure: Record<string, string>) =>
      netExposureRejection(checkedOf(two, view, limitsOf({ maxNetExposure })))?.message;
    expect(messageOf({ USDT: '100', BTC: '2' })).toBeUndefined();
    expect(messageOf({ USDT: '99', BTC: '2' })).toContain('100 USDT');
    expect(messageOf({ USDT: '100', BTC: '1' })).toContain('2 BTC');
    expect(messageOf({ BTC: '1' })).toContain('2 BTC');
    expect(messageOf({})).toBeUndefined();
    expect(netExposureRejection(checkedOf(two, view, limitsOf({})))).toBeUndefined();
  });
});

describe('the largest net exposure where a price is unknown', () => {
  const why = (symbol: string) => ({
    code: 'risk-market-unknown',
    field: 'symbol',
    message: `The largest net exposure needs a price of ${symbol}, and its market is not known or stale.`,
  });

  test('of what is held rejects what opens, and lets a smaller order pass', () => {
    const order = open(at('sell', 3_000, 'isolated'));
    const markets = { BTCUSDT: MARKETS.BTCUSDT };
    const view = viewAt([], { markets, holdings: { ETH: '1' }, orders: [order] });
    expect(net(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
    expect(net(replace(order.clientOrderId, 2_999), view, '9999')).toBeUndefined();
  });

  test('of a position rejects what opens, and lets a smaller order pass', () => {
    const order = open(at('sell', 3_000, 'isolated'));
    const cross = position('1', 'cross', ETH);
    const view = viewAt([cross], { orders: [order] }, { BTCUSDT: '100' });
    expect(net(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
    expect(net(replace(order.clientOrderId, 2_999), view, '9999')).toBeUndefined();
  });

  test('of an open market order rejects what opens', () => {
    const orders = [open({ symbol: 'ETHUSDT', type: 'market', margin: { mode: 'isolated' } })];
    const view = viewAt([], { markets: { BTCUSDT: MARKETS.BTCUSDT }, orders });
    expect(net(place(at('buy', 1)), view, '9999')).toEqual(why('ETHUSDT'));
  });

  test('of a place without a position is not needed', () => {
    const view = viewAt([], {}, {});
    expect(edge(net, place(at('sell', 1_000, 'isolated')), view, '100')).toEqual(NET_EDGE);
  });
});

interface Drawn {
  readonly side: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly on: 'spot' | 'isolated' | 'reduces';
}

const drawnOrder: fc.Arbitrary<Drawn> = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  lots: fc.integer({ min: 1, max: 5 }),
  ticks: fc.integer({ min: 1, max: 3 }),
  on: fc.constantFrom('spot', 'isolated', 'reduces'),
});

const termsOf = ({ on, ...terms }: Drawn) => ({
  ...terms,
  ...(on === 'spot' ? {} : { margin: on === 'reduces' ? REDUCE_ONLY : ISOLATED }),
});

/** Opens a long, or on margin a short. */
const opens = ({ side, on }: Drawn): boolean =>
  on === 'isolated' || (on === 'spot' && side === 'buy');

/** What the orders of a side that open something come to. A sell counts at its price, as the best bid is no higher. */
const opened = (all: readonly Drawn[], side: Side): number =>
  all
    .filter((one) => one.side === side && opens(one))
    .reduce((sum, { lots, ticks }) => sum + lots * ticks, 0);

test('whatever is held and open, the net exposure is judged as a plain sum of both ways', () => {
  const thousandths = (count: number): string => new Decimal(count).div(1_000).toFixed();
  fc.assert(
    fc.property(
      fc.array(drawnOrder, { maxLength: 5 }),
      drawnOrder,
      fc.integer({ min: -6, max: 6 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 20 }),
      (all, requested, lots, spot, limit) => {
        const accounts = lots === 0 ? [] : [accountOf(position(thousandths(lots)))];
        const view = viewOf({
          instruments: [BTC, ETH],
          markets: { BTCUSDT: marketOf(1, 1) },
          holdings: { BTC: thousandths(spot) },
          orders: all.map((one) => open(termsOf(one))),
          margin: marginOf(accounts, { BTCUSDT: '0.01' }),
        });
        const held = lots + spot;
        const most = held + opened([...all, requested], 'buy');
        const least = held - opened([...all, requested], 'sell');
        const isBeyond = requested.side === 'buy' ? most > limit : -least > limit;
        // A tick × lot is 0.00001.
        const limited = new Decimal(limit).div(100_000).toFixed();
        expect(net(place(termsOf(requested)), view, limited)?.code).toBe(
          opens(requested) && isBeyond ? 'risk-net-exposure' : undefined,
        );
      },
    ),
    { numRuns: runs(1_000), seed: seed(423) },
  );
});
