import { mergeMap, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { twap } from '../../src/strategy/algo-orders.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { setLeverage, setMargin } from '../../src/strategy/margin.ts';
import { cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { placeList } from '../../src/strategy/lists.ts';
import { cross, isolated, on } from '../../src/strategy/where.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';

import { Rig } from './margin-rig.ts';

const BTC = isolated('BTCUSDT');
const PERP = cross('BTCUSDT_PERP');
const funds = (balance: string, leverage?: number) => ({
  balance: decimal(balance),
  leverage,
});

const LEG = {
  symbol: 'BTCUSDT',
  type: 'limit',
  side: 'buy',
  ticks: ticks(90),
  lots: lots(1),
} as const;

const STOP = {
  symbol: 'BTCUSDT',
  type: 'stopMarket',
  side: 'buy',
  stopTicks: ticks(110),
  lots: lots(1),
} as const;

describe('a target on margin', () => {
  test('goes short, turns around and closes, with orders that only reduce where that is all they do', () => {
    const rig = new Rig();
    rig.do(setMargin(BTC, funds('500', 10)), target(BTC, { lots: -5 }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-5');
    rig.do(target(BTC, { lots: -2 }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
    rig.do(target(BTC, { lots: 3 }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('3');
    rig.do(flat(BTC));
    expect(rig.lots('BTCUSDT', 'isolated')).toBeUndefined();
    expect(rig.requests).toEqual([
      ...['sell 5', 'buy 3 reduce', 'buy 2 reduce', 'buy 3', 'sell 3 reduce'],
    ]);
    expect(rig.rejections).toEqual([]);
  });

  test('gives way to an algo order, which only reduces where that is asked for', () => {
    const rig = new Rig();
    const buying = { side: 'buy', over: 60_000, slices: 1 } as const;
    rig.do(setMargin(BTC, funds('500', 10)), target(BTC, { lots: -5 }));
    rig.do(twap(BTC, { ...buying, id: 'algo-0001', lots: 3, reduceOnly: true }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
    rig.do(twap(BTC, { ...buying, id: 'algo-0002', lots: 4 }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('2');
    expect(rig.requests).toEqual(['sell 5', 'buy 3 reduce', 'buy 4']);
    expect(rig.rejections).toEqual([]);
  });

  test('of a share is worth that share of the equity of its account, whatever its leverage', () => {
    for (const leverage of [2, 10]) {
      const rig = new Rig();
      rig.do(setMargin(BTC, funds('500', leverage)), target(BTC, -0.5));
      // 250 at the index of 100: 2 lots, toward zero.
      expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
    }
  });

  test('of more than the funds bear is cut to what they do', () => {
    const rig = new Rig();
    rig.do(setMargin(PERP, funds('99', 1)), target(PERP, -3));
    // One lot holds 99 × (1 + 0.001 + 0.001 × 2) = 99.297.
    expect(rig.requests).toEqual([]);
    rig.do(setMargin(PERP, funds('240', 2)), target(PERP, -3));
    // A lot holds 99 × (1/2 + 0.001 + 0.001 × 1.5) = 49.7475, so that 4 are borne of 7.
    expect(rig.lots('BTCUSDT_PERP', 'cross')).toBe('-4');
  });

  test('of a share that turns around is closed first, and opened by what the funds bear then', () => {
    const rig = new Rig();
    rig.do(setMargin(BTC, funds('500', 2)), target(BTC, 1.5));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('7');
    rig.do(target(BTC, -1.5));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-7');
    expect(rig.rejections).toEqual([]);
  });

  test('of a share waits for the account that was asked for in the same turn', () => {
    const rig = new Rig();
    rig.commands.next(setMargin(BTC, funds('500', 2)));
    rig.commands.next(target(BTC, -0.5));
    rig.pass();
    rig.quote(99, 101);
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
  });

  test('leaves the spot holding of the same symbol alone', () => {
    const rig = new Rig();
    rig.do(
      setMargin(BTC, funds('300', 5)),
      target(BTC, { lots: -2 }),
      target('BTCUSDT', { lots: 3 }),
    );
    expect(rig.venue.available('BTC').toFixed()).toBe('3');
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
    rig.do(flat('BTCUSDT'));
    expect(rig.venue.available('BTC').toFixed()).toBe('0');
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-2');
  });

  test('is not taken up again after a liquidation until a new one is given', () => {
    const rig = new Rig(({ account }) =>
      account.marginEvents(BTC).pipe(mergeMap(({ kind }) => of(kind))),
    );
    rig.do(setMargin(BTC, funds('110', 10)), target(BTC, { lots: -10 }));
    const sent = rig.requests.length;
    for (let price = 101; rig.lots('BTCUSDT', 'isolated') !== undefined; price += 1) {
      rig.quote(price - 1, price + 1);
    }
    rig.quote(99, 101);
    rig.pass(100_000_000);
    rig.quote(98, 100);
    expect(rig.requests).toHaveLength(sent);
    expect(rig.seen).toEqual(['marginChanged', 'leverageChanged', 'marginCall', 'liquidated']);
    // What is left of the funds bears a lot again.
    rig.do(setMargin(BTC, funds('100')), target(BTC, { lots: 1 }));
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('1');
  });
});

describe('a quote on margin', () => {
  test('stands on both sides without anything held', () => {
    const rig = new Rig();
    rig.do(
      setMargin(PERP, funds('500')),
      quote(PERP, { bid: { ticks: 95, lots: 1 }, ask: { ticks: 105, lots: 1 } }),
    );
    expect(rig.requests).toEqual(['sell 1', 'buy 1']);
    expect(rig.rejections).toEqual([]);
    rig.do(cancelAll(PERP));
    expect(
      rig.venue.exchange.balance(rig.venue.exchange.ledger.accounts - 1, 'USDT'),
    ).toBeDefined();
    expect(rig.account('BTCUSDT_PERP', 'cross')?.reservedOrders.toFixed()).toBe('0');
  });
});

describe('orders on margin', () => {
  test('reduce only where they say so, and close the whole position at a stop price', () => {
    const rig = new Rig();
    rig.do(
      setMargin(BTC, funds('500', 10)),
      place(BTC, { type: 'market', side: 'sell', lots: 4 }),
      place(BTC, { type: 'market', side: 'buy', lots: 9, reduceOnly: true, timeInForce: 'IOC' }),
    );
    expect(rig.lots('BTCUSDT', 'isolated')).toBeUndefined();
    rig.do(
      place(BTC, { type: 'market', side: 'sell', lots: 4 }),
      place(BTC, { type: 'stopMarket', side: 'buy', stopTicks: 110, closePosition: true }),
    );
    rig.quote(111, 113);
    expect(rig.lots('BTCUSDT', 'isolated')).toBeUndefined();
    expect(rig.rejections).toEqual([]);
  });

  test('of a bracket sell first, and its exits only reduce', () => {
    const rig = new Rig();
    rig.do(
      setMargin(BTC, funds('500', 10)),
      bracket(BTC, {
        entry: { type: 'market', side: 'sell' },
        takeProfit: { ticks: 80 },
        stopLoss: { stopTicks: 110 },
        lots: 3,
      }),
    );
    expect(rig.lots('BTCUSDT', 'isolated')).toBe('-3');
    rig.quote(79, 81);
    rig.quote(78, 80);
    expect(rig.lots('BTCUSDT', 'isolated')).toBeUndefined();
    expect(rig.rejections).toEqual([]);
  });

  test('of one place leave those of another, when all of it are canceled', () => {
    const rig = new Rig();
    const bid = { type: 'limit', side: 'buy', ticks: 90, lots: 1 } as const;
    rig.do(setMargin(BTC, funds('300', 5)), place(BTC, bid), place('BTCUSDT', bid));
    rig.do(cancelAll(BTC));
    const open = rig.audit.flatMap((event) =>
      event.kind === 'report' && event.report.kind === 'canceled'
        ? (event.report.order.margin?.mode ?? 'spot')
        : [],
    );
    expect(open).toEqual(['isolated']);
  });
});

test.each<[string, string, readonly Command[]]>([
  ['a contract on spot', 'margin-mode-invalid symbol', [target('BTCUSDT_PERP', 0.5)]],
  ['no account', 'margin-account-unknown symbol', [target(BTC, -0.5)]],
  [
    'no account',
    'margin-account-unknown symbol',
    [place(PERP, { type: 'market', side: 'buy', lots: 1 })],
  ],
  [
    'reduce-only without a position',
    'position-unknown reduceOnly',
    [
      setMargin(BTC, funds('100', 5)),
      place(BTC, { type: 'market', side: 'buy', lots: 1, reduceOnly: true }),
    ],
  ],
  ...(['buy', 'sell'] as const).flatMap((side) => {
    const held = side === 'buy' ? 2 : -2;
    const setUp = [setMargin(BTC, funds('300', 5)), target(BTC, { lots: held })] as const;
    const order = { type: 'limit', side, ticks: 90, lots: 1, reduceOnly: true } as const;
    const stop = { type: 'stopMarket', side, stopTicks: 120, closePosition: true } as const;
    const legs = [
      { ...order, symbol: 'BTCUSDT', margin: 'isolated' },
      { ...LEG, margin: 'isolated' },
    ] as const;
    return [
      [
        `reduce-only on the side of a position that is to ${side}`,
        'position-unknown reduceOnly',
        [...setUp, place(BTC, order)],
      ],
      [
        `closing on the side of a position that is to ${side}`,
        'position-unknown closePosition',
        [...setUp, place(BTC, stop)],
      ],
      [
        `a list with an order that reduces on its own side, to ${side}`,
        'position-unknown orders[0].reduceOnly',
        [...setUp, placeList('oneCancelOther', legs)],
      ],
    ] as [string, string, readonly Command[]][];
  }),
  ['a leverage above the symbol', 'leverage-invalid leverage', [setMargin(BTC, funds('100', 11))]],
  ['a leverage below 1', 'leverage-invalid leverage', [setLeverage(BTC, 0.5)]],
  ['nothing that is set', 'request-invalid balance', [setMargin(BTC, {})]],
  ['a negative balance', 'margin-balance-invalid balance', [setMargin(BTC, funds('-1'))]],
  ['an unknown symbol', 'symbol-unknown symbol', [setMargin(isolated('ETHUSDT'), funds('1'))]],
  ['a short on spot', 'number-out-of-range share', [target('BTCUSDT', -0.5)]],
  [
    'a short of a value on spot',
    'number-out-of-range notional',
    [target('BTCUSDT', { notional: decimal('-1') })],
  ],
  ['a value that is a number', 'quantity-invalid hold', [target(BTC, { notional: 100 as never })]],
  [
    'a value beside lots',
    'quantity-invalid hold',
    [target(BTC, { notional: decimal('100'), lots: 1 })],
  ],
  [
    'reduce-only on spot',
    'request-invalid reduceOnly',
    [place('BTCUSDT', { type: 'market', side: 'buy', lots: 1, reduceOnly: true } as never)],
  ],
  [
    'a list over two margins',
    'margin-mode-invalid orders[1].margin',
    [
      setMargin(BTC, funds('300', 5)),
      setMargin(cross('BTCUSDT'), funds('300')),
      placeList('oneCancelOther', [
        { ...LEG, margin: 'isolated' },
        { ...STOP, margin: 'cross' },
      ]),
    ],
  ],
  [
    'a list over spot and margin',
    'margin-mode-invalid orders[1].margin',
    [
      setMargin(BTC, funds('300', 5)),
      placeList('oneCancelOther', [STOP, { ...LEG, margin: 'isolated' }]),
    ],
  ],
])('%s is rejected with %s before anything leaves', (_, code, commands) => {
  const rig = new Rig();
  rig.do(...commands.slice(0, -1));
  const before = rig.venue.exchange.orders.issued;
  rig.do(...commands.slice(-1));
  expect(rig.rejections).toEqual([code]);
  expect(rig.venue.exchange.orders.issued).toBe(before);
});

test('an order that reduces what an open order is to make is sent, and a reducing one makes nothing', () => {
  const rig = new Rig();
  const reducing = { type: 'limit', side: 'buy', ticks: 90, lots: 1, reduceOnly: true } as const;
  rig.do(setMargin(BTC, funds('300', 5)), target(BTC, { lots: 2 }));
  rig.do(place(BTC, { type: 'limit', side: 'sell', ticks: 130, lots: 1, reduceOnly: true }));
  rig.do(place(BTC, reducing));
  expect(rig.rejections).toEqual(['position-unknown reduceOnly']);
  rig.do(place(BTC, { type: 'limit', side: 'sell', ticks: 130, lots: 3 }), place(BTC, reducing));
  // It left, and the venue knows that the sale has not filled.
  expect(rig.rejections.slice(1)).toEqual(['venue position-unknown']);
});

test('what the venue rejects of a margin account names the members of the command', () => {
  const rig = new Rig(({ account }) =>
    account
      .marginEvents()
      .pipe(
        mergeMap((event) =>
          of(
            event.kind === 'rejected'
              ? `${event.rejection.code} ${event.rejection.field ?? ''}`
              : '',
          ),
        ),
      ),
  );
  rig.do(setMargin(BTC, funds('1000.5', 5)));
  expect(rig.seen).toEqual(['funds-insufficient balance']);
});

test('a reopened account has the leverage that it is given, and without one says which it has', () => {
  const rig = new Rig(({ account }) =>
    account
      .marginEvents()
      .pipe(
        mergeMap((event) =>
          event.kind === 'leverageChanged' ? of(event.leverage?.toFixed()) : NEVER,
        ),
      ),
  );
  rig.do(setMargin(BTC, funds('100', 5)), setMargin(BTC, funds('0')), setMargin(BTC, funds('100')));
  expect(rig.seen).toEqual(['5', '10']);
  rig.do(setMargin(BTC, funds('0')), setMargin(BTC, funds('100', 3)));
  expect(rig.seen).toEqual(['5', '10', '3']);
});

test('an id of the form that the engine makes is refused, wherever it stands', () => {
  const rig = new Rig();
  const order = { type: 'limit', side: 'buy', ticks: 90, lots: 1 } as const;
  rig.do(
    place('BTCUSDT', { ...order, clientOrderId: 'hand-0000009' }),
    place('BTCUSDT', { ...order, clientOrderId: 'hand-entry-1' }),
    replace('hand-entry-1', { lots: 2, newClientOrderId: 'hand-12' }),
    placeList('oneCancelOther', [{ ...LEG, clientOrderId: 'hand-10000000' }, STOP]),
    place('BTCUSDT', order),
  );
  expect(rig.rejections).toEqual([
    'client-order-id-invalid clientOrderId',
    'client-order-id-invalid clientOrderId',
    'client-order-id-invalid orders[0].clientOrderId',
  ]);
});

describe('a target that all of the funds go into', () => {
  test.each([1, -1])('is sent for no more than the price it comes to allows (%i)', (sign) => {
    for (const [bid, ask] of [
      [95, 105],
      [99, 101],
      [97, 103],
    ] as const) {
      const rig = new Rig();
      rig.quote(bid, ask);
      rig.do(setMargin(BTC, funds('500', 5)), target(BTC, sign * 5));
      expect(rig.rejections).toEqual([]);
      // Reserved is v × (1/5 + 0.001 + 0.001 × 1.2) = 0.2022 v, of which 500 bear 2,472.8, less a thousandth.
      const price = sign > 0 ? ask : bid;
      const count = Math.min(25, Math.floor(500 / 0.2022 / 1.001 / price));
      expect(Number(rig.lots('BTCUSDT', 'isolated'))).toBe(sign * count);
    }
  });

  test.each([1, -1])('is taken though the book moves while it is on its way (%i)', (sign) => {
    const fine = new Rig(undefined, { tickSize: '0.01', quantityIncrement: '0.025' });
    fine.quote(10_000, 10_001);
    fine.do(setMargin(BTC, funds('500', 5)));
    fine.commands.next(target(BTC, sign * 5));
    // The order is on its way when both sides move by 5 ticks against it.
    fine.quote(10_000 + 5 * sign, 10_001 + 5 * sign);
    fine.pass();
    expect(fine.rejections).toEqual([]);
    expect(Number(fine.lots('BTCUSDT', 'isolated')) * sign).toBeGreaterThan(24.6);
  });

  test('is logged once where it is cut, and not again while it holds', () => {
    const rig = new Rig();
    rig.do(setMargin(BTC, funds('500', 5)), target(BTC, -5));
    for (const bid of [98, 97, 96]) rig.quote(bid, bid + 2);
    const cuts = (): unknown[] =>
      rig.audit.flatMap((event) =>
        event.kind === 'log' && event.message.includes('bear no more') ? [event.fields] : [],
      );
    expect(cuts()).toEqual([{ symbol: 'BTCUSDT', margin: 'isolated', lots: -24, wanted: -25 }]);
    rig.do(target(BTC, -0.5), target(BTC, 0.5));
    expect(cuts().length).toBe(1);
  });
});

test.each([
  ['isolated', '450', '4'],
  ['isolated', '-450', '-4'],
  ['isolated', '-99.99', undefined],
  ['spot', '450', '4'],
  ['spot', '400', '4'],
  ['spot', '399.99', '3'],
] as const)('a target of a value on %s of %s is %s lots, toward zero', (market, value, lots_) => {
  const rig = new Rig();
  const where = on('BTCUSDT', market);
  if (market === 'isolated') rig.do(setMargin(BTC, funds('500', 5)));
  rig.do(target(where, { notional: decimal(value) }));
  expect(rig.rejections).toEqual([]);
  const held =
    market === 'isolated'
      ? rig.lots('BTCUSDT', 'isolated')
      : rig.venue.balances.find(({ currency }) => currency === 'BTC')?.available.toFixed();
  expect(held).toBe(lots_);
});

test('an order right behind the setting of its account is rejected, and a target there waits', () => {
  const rig = new Rig();
  rig.commands.next(setMargin(BTC, funds('300', 5)));
  rig.do(place(BTC, { type: 'market', side: 'buy', lots: 1 }), target(BTC, { lots: 2 }));
  expect(rig.rejections).toEqual(['margin-account-unknown symbol']);
  expect(rig.lots('BTCUSDT', 'isolated')).toBe('2');
});

test('an account that was not set says why until it is, and that nothing comes of what waits for it', () => {
  const rig = new Rig();
  rig.do(setMargin(BTC, funds('1000.5', 5)));
  const why =
    'The isolated margin account of BTCUSDT was not set; there is none, and managed orders for it keep waiting: ';
  expect(rig.engine.marginTrouble).toContain(why);
  const logged = rig.audit.flatMap((event) => (event.kind === 'log' ? [event.message] : []));
  expect(logged.filter((line) => line.startsWith(why))).toHaveLength(1);
  rig.do(setMargin(PERP, funds('100', 5)));
  expect(rig.engine.marginTrouble).toContain(why);
  rig.do(setMargin(BTC, funds('300', 5)));
  expect(rig.engine.marginTrouble).toBeUndefined();
  rig.do(setMargin(BTC, funds('300', 1_000)));
  expect(rig.engine.marginTrouble).toContain('it is unchanged: ');
});

test('a setting that is said again changes nothing, and is no rejection', () => {
  const rig = new Rig(({ account }) =>
    account.marginEvents().pipe(mergeMap(({ kind }) => of(kind))),
  );
  rig.do(setMargin(BTC, funds('100', 5)), setMargin(BTC, funds('100', 5)));
  rig.do(setMargin(BTC, funds('0')), setMargin(BTC, funds('0')));
  expect(rig.seen).toEqual(['marginChanged', 'leverageChanged', 'marginChanged']);
});

test('a market of a parameter that there is not is refused, and is neither spot nor margin', () => {
  const rig = new Rig();
  const order = { type: 'market', side: 'buy', lots: 1 } as const;
  rig.do(setMargin(BTC, funds('100', 5)));
  rig.do(
    place(on('BTCUSDT', 'isloated' as never), order),
    place(on('BTCUSDT', undefined as never), order),
  );
  expect(rig.rejections).toEqual(['margin-mode-invalid margin', 'margin-mode-invalid margin']);
});

test('a position is shown as it changes, and with its mark price', () => {
  const rig = new Rig(({ account }) =>
    account
      .position(BTC)
      .pipe(
        mergeMap(({ side, lots, markPrice, unrealizedPnl }) =>
          of([side, lots, markPrice?.toFixed(), unrealizedPnl?.toFixed()].join(' ')),
        ),
      ),
  );
  rig.do(setMargin(BTC, funds('500', 10)), target(BTC, { lots: -2 }));
  rig.quote(109, 111);
  rig.do(flat(BTC));
  expect(rig.seen).toEqual(['none 0  ', 'short -2 100 -2', 'short -2 110 -22', 'none 0  ']);
});

test('the spot balance is reported as funds move to a margin account and back', () => {
  const rig = new Rig(({ account }) =>
    account.balances('USDT').pipe(mergeMap(({ available }) => of(available.toFixed()))),
  );
  rig.do(setMargin(PERP, funds('400')), setMargin(PERP, funds('100')), setMargin(PERP, funds('0')));
  expect(rig.seen[0]).toBe('1000');
  expect(rig.seen.at(-1)).toBe('1000');
  expect(rig.seen).toContain('600');
  expect(rig.seen).toContain('900');
});
