import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { MarginRequest } from '../../../src/model/order-request.ts';
import { marginRejection } from '../../../src/risk/margin-rejection.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { at, MARKETS, position, REDUCE_ONLY, viewAt } from '../limits/view.ts';
import { limitsOf, open, type ViewTexts } from '../view.ts';
import { accountOf, BTC, ETH, marginOf, type Funds } from './view.ts';

const set = (
  balance?: string,
  leverage?: string,
  mode: MarginMode = 'isolated',
): MarginRequest => ({
  kind: 'setMargin',
  symbol: 'BTCUSDT',
  mode,
  ...(balance === undefined ? {} : { balance: decimal(balance) }),
  ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
});

const rejected = (
  request: MarginRequest,
  view: RiskView,
  limits: Parameters<typeof limitsOf>[0] = {},
) => marginRejection(request, view, limitsOf(limits));

const why = (symbol: string) => ({
  code: 'risk-market-unknown',
  field: 'symbol',
  message: `Taking funds from a margin account needs a price of ${symbol}, and its market is not known or stale.`,
});

/** A short of 1 at 100, with so many USDT. */
const short = (balance = '60'): Funds => position('-1', 'isolated', BTC, balance);

describe('a rejection says', () => {
  test('which leverage may be set', () => {
    const limits = { maxLeverage: '5' };
    expect(rejected(set('100', '5.01'), viewAt([]), limits)).toEqual({
      code: 'risk-leverage',
      field: 'leverage',
      message: 'A leverage of 5.01 is above the 5 that may be.',
      limit: '5',
    });
    expect(rejected(set('100'), viewAt([]), limits)).toBeUndefined();
    expect(rejected(set('100', '5.01'), viewAt([]))).toBeUndefined();
  });

  test.each([
    ['reducing', 'trading-reducing'],
    ['halted', 'trading-halted'],
    ['killed', 'trading-halted'],
  ] as const)('while trading is %s, what an account with positions keeps', (state, code) => {
    const message = `Trading is ${state}: a margin account with positions keeps its funds and its leverage; more funds may come.`;
    const view = viewAt([short()], { state });
    const fault = { code, message, limit: '60' };
    expect(rejected(set('59'), view)).toEqual({ ...fault, field: 'balance' });
    expect(rejected(set('59', '5'), view)).toEqual({ ...fault, field: 'balance' });
    expect(rejected(set('60', '5'), view)).toEqual({ ...fault, field: 'leverage' });
    expect(rejected(set('61', '5'), view)).toEqual({ ...fault, field: 'leverage' });
    expect(rejected(set('61'), view)).toBeUndefined();
  });

  test('how large positions could be, and what they could need', () => {
    expect(rejected(set('24.99'), viewAt([short()]), { maxLeverage: '4' })).toEqual({
      code: 'risk-leverage',
      field: 'balance',
      message: 'Positions could reach 100 USDT on an equity of 24.99: the leverage would exceed the limit of 4.', // prettier-ignore
      limit: '4',
    });
    expect(rejected(set('20.19'), viewAt([short()]), { maxMarginUse: '0.25' })).toEqual({
      code: 'risk-margin-use',
      field: 'balance',
      message: 'Positions could come to need 5.05 USDT of an equity of 20.19, more than the 25 % that may be.', // prettier-ignore
      limit: '0.25',
    });
  });

  test('how near a liquidation could come', () => {
    // At 10 more than 100 it is 110 ÷ 1.0505, rounded down.
    const limits = { minLiquidationDistance: '0.05' };
    expect(rejected(set('10'), viewAt([short()]), limits)).toEqual({
      code: 'risk-liquidation-distance',
      field: 'balance',
      message: 'The position in BTCUSDT could be liquidated at 104.71, 4.71 % from 100; 5 % must be left.', // prettier-ignore
      limit: '0.05',
    });
    // At a leverage of 5 that is liquidated at 10 it is 110 ÷ 1.1005.
    expect(rejected(set('10', '5'), viewAt([short()]), limits)?.message).toContain('at 99.95, -0.05 %'); // prettier-ignore
    expect(rejected(set(undefined, '5'), viewAt([short('20')]), { minLiquidationDistance: '0.1' })).toMatchObject({ field: 'leverage', code: 'risk-liquidation-distance' }); // prettier-ignore
  });
});

describe('an account that is beyond its limits already', () => {
  const limits = { maxLeverage: '20', maxMarginUse: '0.01', minLiquidationDistance: '0.5' };

  test('may be given what makes nothing worse', () => {
    const view = viewAt([short('20')]);
    expect(rejected(set('20', '10'), view, limits)).toBeUndefined();
    // At a leverage of 6 instead of 5 a position keeps less, and is liquidated later.
    const low = viewAt([{ ...short('20'), leverage: '5' }]);
    expect(rejected(set(undefined, '6'), low, limits)).toBeUndefined();
    expect(rejected(set('20', '6'), low, limits)).toBeUndefined();
    expect(rejected(set('21', '6'), low, limits)).toBeUndefined();
  });

  test('may be given nothing that makes its equity less, or its use more', () => {
    const use = { maxMarginUse: '0.01' };
    const view = viewAt([{ ...short('20'), leverage: '6' }]);
    expect(rejected(set('19.99', '7'), view, use)).toMatchObject({ code: 'risk-margin-use', field: 'balance' }); // prettier-ignore
    expect(rejected(set('21', '5'), view, use)).toMatchObject({ code: 'risk-margin-use', field: 'leverage' }); // prettier-ignore
    const near = { minLiquidationDistance: '0.5' };
    expect(rejected(set('19.99'), view, near)?.code).toBe('risk-liquidation-distance');
    expect(rejected(set('20', '5'), view, near)?.code).toBe('risk-liquidation-distance');
    // More funds make up for a lower leverage: (100 + 30) ÷ 1.1005 is farther than 120 ÷ (1 + f + 1/12).
    expect(rejected(set('30', '5'), view, near)).toBeUndefined();
  });

  test('may have a leverage said again that is above the limit, and none changed to it', () => {
    const view = viewAt([short()]);
    const low = { maxLeverage: '5' };
    expect(rejected(set('60', '10'), view, low)).toBeUndefined();
    expect(rejected(set('60', '9'), view, low)?.message).toContain('A leverage of 9');
    const none = viewAt([{ balance: '60' }]);
    const account = { ...accountOf({ balance: '60' }), leverage: undefined };
    const margin = marginOf([account], {});
    expect(rejected(set('60', '9'), { ...none, margin }, low)?.message).toContain(
      'A leverage of 9',
    );
  });
});

describe('an account that has no leverage of its own', () => {
  const withoutLeverage = (state: RiskView['state']): RiskView => {
    const view = viewAt([short()], { state });
    const account = { ...accountOf(short()), leverage: undefined };
    return { ...view, margin: marginOf([account], { BTCUSDT: '100' }) };
  };

  test('is weaker with one, and stays as it is without', () => {
    expect(rejected(set(undefined, '10'), withoutLeverage('reducing'))?.field).toBe('leverage');
    expect(rejected(set('60'), withoutLeverage('reducing'))).toBeUndefined();
    expect(rejected(set('60', '10'), withoutLeverage('running'), { maxMarginUse: '0.01' })).toBeUndefined(); // prettier-ignore
  });
});

describe('open orders', () => {
  const isolated = { orders: [open(at('sell', 1_000, 'isolated'))] };

  test('count for an account without positions', () => {
    const view = viewAt([{ balance: '60' }], isolated);
    const limits = { maxLeverage: '4' };
    expect(rejected(set('25'), view, limits)).toBeUndefined();
    expect(rejected(set('24.99'), view, limits)?.code).toBe('risk-leverage');
    // (100 + 15.8) ÷ 1.0505 is 110.23, and with 15.5 it is 109.94.
    const near = { minLiquidationDistance: '0.1' };
    expect(rejected(set('15.8'), view, near)).toBeUndefined();
    expect(rejected(set('15.5'), view, near)?.code).toBe('risk-liquidation-distance');
  });

  test('of another account do not count', () => {
    const orders = [
      open(at('sell', 9_000, 'cross')),
      open(at('sell', 9_000)),
      open(at('sell', 9_000, REDUCE_ONLY)),
      open({ ...at('sell', 9_000, 'isolated'), symbol: 'ETHUSDT' }),
    ];
    const view = viewAt([short()], { orders });
    const limits = { maxLeverage: '4', minLiquidationDistance: '0.15' };
    expect(rejected(set('25'), view, limits)).toBeUndefined();
    expect(rejected(set('24.99'), view, limits)?.code).toBe('risk-leverage');
  });

  test('of an unknown price hold funds back in their own account, and in no other', () => {
    const market = { type: 'market', lots: 1, symbol: 'ETHUSDT' } as const;
    const of = (mode: MarginMode) => ({
      markets: { BTCUSDT: MARKETS.BTCUSDT },
      orders: [open({ ...market, margin: { mode } })],
    });
    const limits = { maxLeverage: '4' };
    expect(rejected(set('59', undefined), viewAt([short()], of('cross')), limits)).toBeUndefined();
    expect(rejected(set('59'), viewAt([short()], of('isolated')), limits)).toBeUndefined();
    const cross = { ...short(), mode: 'cross' } as const;
    const request = set('59', undefined, 'cross');
    expect(rejected(request, viewAt([cross], of('cross')), limits)).toEqual({ ...why('ETHUSDT'), field: 'balance' }); // prettier-ignore
    expect(rejected(request, viewAt([cross], of('cross')))).toBeUndefined();
  });

  test('let an account without positions give its funds back where nothing is limited', () => {
    expect(rejected(set('0'), viewAt([{ balance: '60' }], isolated))).toBeUndefined();
    expect(rejected(set('0'), viewAt([{ balance: '60' }]), { maxLeverage: '4' })).toBeUndefined();
  });
});

describe('a cross account', () => {
  const held = [
    { instrument: BTC, size: '-1', entry: '100' },
    { instrument: ETH, size: '10', entry: '10' },
  ];
  const cross: Funds = { mode: 'cross', balance: '100', held };
  const request = (balance: string) => set(balance, undefined, 'cross');

  test('is judged by all of its positions', () => {
    const limits = { maxLeverage: '4' };
    expect(rejected(request('50'), viewAt([cross]), limits)).toBeUndefined();
    expect(rejected(request('49.99'), viewAt([cross]), limits)?.code).toBe('risk-leverage');
    const lost = { BTCUSDT: '100', ETHUSDT: '9' };
    // Worth 190, with a loss of 10.
    expect(rejected(request('57.5'), viewAt([cross], {}, lost), limits)).toBeUndefined();
    expect(rejected(request('57.49'), viewAt([cross], {}, lost), limits)?.code).toBe(
      'risk-leverage',
    );
  });

  test('is judged by its own funds and not by those of another account', () => {
    const both = viewAt([short('1'), cross]);
    const limits = { maxLeverage: '4', minLiquidationDistance: '0.1' };
    expect(rejected(request('50'), both, limits)).toBeUndefined();
    // What is set is judged, and not what was there: 15 are too few for 100 of each.
    expect(rejected(request('15'), both, limits)?.code).toBe('risk-leverage');
    expect(rejected(request('15'), both, { minLiquidationDistance: '0.1' })?.code).toBe('risk-liquidation-distance'); // prettier-ignore
  });

  test('keeps its funds while the mark price of any of its positions is unknown', () => {
    expect(rejected(request('99'), viewAt([cross], {}, { BTCUSDT: '100' }))).toEqual(
      why('ETHUSDT'),
    );
    expect(rejected(request('99'), viewAt([cross], {}, { ETHUSDT: '10' }))).toEqual(why('BTCUSDT'));
    expect(rejected(request('101'), viewAt([cross], {}, {}))).toBeUndefined();
  });

  test('keeps its funds while the mark price of an open order is unknown and its distance limited', () => {
    const orders: ViewTexts['orders'] = [open(at('buy', 1, 'cross'))];
    const view = viewAt([{ mode: 'cross', balance: '100' }], { orders }, {});
    const limits = { minLiquidationDistance: '0.1' };
    expect(rejected(request('99'), view, limits)).toEqual({ ...why('USDT'), field: 'balance' });
    expect(rejected(request('99'), view)).toBeUndefined();
    const isolated = viewAt([{ balance: '100' }], { orders: [open(at('buy', 1, 'isolated'))] }, {});
    expect(rejected(set('99'), isolated, limits)).toEqual({ ...why('BTCUSDT'), field: 'balance' });
  });
});
