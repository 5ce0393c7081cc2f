import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import * as millrace from '../../src/index.ts';
import { dca, grid, iceberg, twap, vwap } from '../../src/strategy/algo-orders.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { aon, oco, oto, otoco, placeList } from '../../src/strategy/lists.ts';
import { setLeverage, setMargin } from '../../src/strategy/margin.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { rebalance } from '../../src/strategy/portfolio.ts';
import { isolated } from '../../src/strategy/where.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';
import { rig } from './rig.ts';

/** A maker as code calls it that no compiler has read. */
const loose = (maker: unknown) => maker as (...given: readonly unknown[]) => Command;

const LIMIT = { type: 'limit', side: 'buy', ticks: 5, lots: 1 };
const STOP = { type: 'stopMarket', side: 'sell', stopTicks: 4, lots: 1 };
const BRACKET = {
  entry: { side: 'buy', type: 'limit', ticks: 5 },
  takeProfit: { ticks: 9 },
  stopLoss: { stopTicks: 3 },
  lots: 1,
};
const HOLDING = { weight: '1', band: '0.05' };

const CASES: readonly [string, Command, string, string][] = [
  [
    'place: post_only',
    loose(place)('BTCUSDT', { ...LIMIT, post_only: true }),
    'post_only',
    'place has no member "post_only"; did you mean postOnly?',
  ],
  [
    'place: postonly',
    loose(place)('BTCUSDT', { ...LIMIT, postonly: true }),
    'postonly',
    'did you mean postOnly?',
  ],
  [
    'place: time_in_force',
    loose(place)('BTCUSDT', { ...LIMIT, time_in_force: 'IOC' }),
    'time_in_force',
    'did you mean timeInForce?',
  ],
  [
    'place: reduceOnly on spot',
    loose(place)('BTCUSDT', { ...LIMIT, reduceOnly: true }),
    'reduceOnly',
    "reduceOnly is for orders on margin, and this is a spot order; give the market as isolated('BTCUSDT') or cross('BTCUSDT').",
  ],
  [
    'place: another symbol',
    loose(place)('BTCUSDT', { ...LIMIT, symbol: 'ETHUSDT' }),
    'symbol',
    'place is given symbol twice: "BTCUSDT" and "ETHUSDT"; give one of them.',
  ],
  [
    'place: kind for type',
    loose(place)('BTCUSDT', { ...LIMIT, kind: 'limit' }),
    'kind',
    'place is given kind twice',
  ],
  [
    'a plain object',
    { kind: 'place', symbol: 'BTCUSDT', ...LIMIT, size: 5 } as unknown as Command,
    'size',
    'did you mean side?',
  ],
  [
    'replace: client_order_id',
    loose(replace)('order-one', { lots: 5, new_client_order_id: 'order-two' }),
    'new_client_order_id',
    'did you mean newClientOrderId?',
  ],
  [
    'replace: another id',
    loose(replace)('order-one', { lots: 5, clientOrderId: 'order-two' }),
    'clientOrderId',
    'replace is given clientOrderId twice',
  ],
  [
    'cancel of an object',
    { ...cancel('order-one'), symbol: 'BTCUSDT' } as Command,
    'symbol',
    'cancel has no member "symbol"; there are clientOrderId.',
  ],
  [
    'cancelAll',
    { kind: 'cancelAll', symbols: ['BTCUSDT'] } as unknown as Command,
    'symbols',
    'did you mean symbol?',
  ],
  [
    'target: share and lots',
    loose(target)('BTCUSDT', { share: 0.5, lots: 5 }),
    'hold',
    'one of them',
  ],
  [
    'target: price',
    loose(target)('BTCUSDT', { lots: 5, price: 5 }),
    'hold.price',
    'hold has no member "price"; there are share, lots, quantity, quantityRounding, notional.',
  ],
  [
    'quote: buy',
    loose(quote)('BTCUSDT', { buy: { ticks: 5, lots: 1 } }),
    'buy',
    'quote has no member "buy"; did you mean bid?',
  ],
  [
    'quote: a member of a side',
    loose(quote)('BTCUSDT', { bid: { ticks: 5, lots: 0, postOnly: false } }),
    'bid.postOnly',
    'bid has no member "postOnly"; there are ticks, price, lots, quantity, priceRounding, quantityRounding.',
  ],
  [
    'placeList',
    loose(placeList)('oneCancelOther', [{ symbol: 'BTCUSDT', ...STOP, stop_ticks: 4 }, STOP]),
    'orders[0].stop_ticks',
    'orders[0] has no member "stop_ticks"; did you mean stopTicks?',
  ],
  [
    'oco',
    loose(oco)('BTCUSDT', [STOP, { ...STOP, tif: 'IOC' }]),
    'orders[1].tif',
    'orders[1] has no member "tif"; ',
  ],
  [
    'oco: another symbol',
    loose(oco)('BTCUSDT', [STOP, { ...STOP, symbol: 'ETHUSDT' }]),
    'orders[1].symbol',
    'orders[1] is given symbol twice',
  ],
  [
    'aon: another time in force',
    loose(aon)([
      { symbol: 'BTCUSDT', ...LIMIT, timeInForce: 'GTC' },
      { symbol: 'ETHUSDT', ...LIMIT },
    ]),
    'orders[0].timeInForce',
    'orders[0] is given timeInForce twice: "FOK" and "GTC"',
  ],
  [
    'bracket: stoploss',
    loose(bracket)('BTCUSDT', { ...BRACKET, stopLoss: undefined, stoploss: { stopTicks: 3 } }),
    'stoploss',
    'bracket has no member "stoploss"; did you mean stopLoss?',
  ],
  [
    'bracket: a member of the entry',
    loose(bracket)('BTCUSDT', { ...BRACKET, entry: { ...BRACKET.entry, post_only: true } }),
    'orders[0].post_only',
    'did you mean postOnly?',
  ],
  [
    'bracket: an own quantity of an exit',
    loose(bracket)('BTCUSDT', { ...BRACKET, stopLoss: { stopTicks: 3, lots: 5 } }),
    'orders[2].lots',
    'orders[2] is given lots twice: 1 and 5',
  ],
  [
    'bracket: within beside another time in force',
    loose(bracket)('BTCUSDT', {
      ...BRACKET,
      entry: { ...BRACKET.entry, timeInForce: 'IOC' },
      within: 5_000,
    }),
    'orders[0].timeInForce',
    'orders[0] is given timeInForce twice: "GTD" and "IOC"',
  ],
  [
    'rebalance: a limit',
    loose(rebalance)({ 'USDC@ethereum': HOLDING }, { maxCost: '0.01' }),
    'maxCost',
    'rebalance has no member "maxCost"; ',
  ],
  [
    'rebalance: a slot',
    loose(rebalance)({ 'USDC@ethereum': { ...HOLDING, weigth: '1' } }),
    'USDC@ethereum.weigth',
    'USDC@ethereum has no member "weigth"; did you mean weight?',
  ],
];

/** True for what makes a command of the arguments of any maker. */
function isMaker(one: unknown): boolean {
  for (const given of [
    ['BTCUSDT', []],
    [[], []],
    [{}, {}],
  ]) {
    try {
      const made: unknown = typeof one === 'function' ? loose(one)(...given) : undefined;
      if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'kind')) return true;
    } catch {
      // Not with these.
    }
  }
  return false;
}

/** Inherited, as from a class or from defaults that others build upon. */
const heir = (parent: object, own: object = {}): object =>
  Object.assign(Object.create(parent) as object, own);

const HIDDEN = Object.defineProperty({ ...LIMIT }, 'post_only', { value: true });

class Patient {
  readonly type = 'limit';
  readonly side = 'buy';
  readonly ticks = 5;
  readonly lots = 1;
  get post_only(): boolean {
    return true;
  }
}

const INHERITED: readonly [string, Command, string][] = [
  ['an order', loose(place)('BTCUSDT', heir({ post_only: true }, LIMIT)), 'post_only'],
  ['an order, two steps away', loose(place)('BTCUSDT', heir(heir({ tif: 'IOC' }), LIMIT)), 'tif'],
  [
    'an order, from a parent without a parent',
    loose(place)('BTCUSDT', heir(heir(Object.create(null) as object, { tif: 'IOC' }), LIMIT)),
    'tif',
  ],
  ['an order, by a class', loose(place)('BTCUSDT', new Patient()), 'post_only'],
  ['an order, where no loop shows it', loose(place)('BTCUSDT', HIDDEN), 'post_only'],
  [
    'a command made by hand',
    heir({ post_only: true }, { kind: 'place', symbol: 'BTCUSDT', ...LIMIT }) as Command,
    'post_only',
  ],
  ['a replacement', loose(replace)('order-one', heir({ tif: 'IOC' }, { lots: 5 })), 'tif'],
  ['a target', loose(target)('BTCUSDT', heir({ price: 1 }, { lots: 5 })), 'hold.price'],
  ['a quote', loose(quote)('BTCUSDT', heir({ buy: { ticks: 5, lots: 1 } })), 'buy'],
  [
    'a side of a quote',
    loose(quote)('BTCUSDT', { bid: heir({ post_only: true }, { ticks: 5, lots: 0 }) }),
    'bid.post_only',
  ],
  [
    'an order of a list',
    loose(placeList)('oneCancelOther', [heir({ tif: 'IOC' }, STOP), STOP]),
    'orders[0].tif',
  ],
  ['an order of oco', loose(oco)('BTCUSDT', [heir({ tif: 'IOC' }, STOP), STOP]), 'orders[0].tif'],
  ['a bracket', loose(bracket)('BTCUSDT', heir({ stoploss: 3 }, BRACKET)), 'stoploss'],
  [
    'an exit of a bracket',
    loose(bracket)('BTCUSDT', { ...BRACKET, stopLoss: heir({ tif: 'IOC' }, { stopTicks: 3 }) }),
    'orders[2].tif',
  ],
  ['a rebalance', loose(rebalance)({ 'USDC@a': HOLDING }, heir({ maxCost: '1' })), 'maxCost'],
  ['a holding', loose(rebalance)({ 'USDC@a': heir({ weigth: '1' }, HOLDING) }), 'USDC@a.weigth'],
];

const FURTHER: readonly [string, Command, string][] = [
  [
    'place',
    loose(place)('BTCUSDT', LIMIT, { postOnly: true }),
    'place(where, order) is given one argument more, { postOnly: true }, which it does not take; give it in its place, or leave it out.',
  ],
  ['place, the second', loose(place)('BTCUSDT', LIMIT, undefined, 5), 'one argument more, 5,'],
  ['replace', loose(replace)('order-one', { lots: 5 }, { ticks: 5 }), '{ ticks: 5 }'],
  ['cancel', loose(cancel)('order-one', 'order-two'), 'cancel(clientOrderId) is given'],
  ['cancelAll', loose(cancelAll)('BTCUSDT', 'ETHUSDT'), 'cancelAll(where) is given'],
  ['target', loose(target)('BTCUSDT', 0.5, { within: 5 }), 'target(where, hold) is given'],
  ['flat', loose(flat)('BTCUSDT', 0.5), 'flat(where) is given one argument more, 0.5,'],
  ['quote', loose(quote)('BTCUSDT', {}, { ask: {} }), 'quote(where, sides) is given'],
  [
    'placeList',
    loose(placeList)('oneCancelOther', [STOP, STOP], STOP),
    'placeList(contingencyType, orders) is given',
  ],
  ['oco', loose(oco)('BTCUSDT', [STOP, STOP], { tif: 'IOC' }), 'oco(where, legs) is given'],
  ['oto', loose(oto)('BTCUSDT', [LIMIT, STOP], STOP), 'oto(where, orders) is given'],
  ['otoco', loose(otoco)('BTCUSDT', [LIMIT, STOP, STOP], 5), 'otoco(where, orders) is given'],
  ['aon', loose(aon)([LIMIT, LIMIT], LIMIT), 'aon(orders) is given'],
  ['bracket', loose(bracket)('BTCUSDT', BRACKET, { within: 5 }), 'bracket(where, of) is given'],
  ['setMargin', loose(setMargin)(isolated('BTCUSDT'), {}, 5), 'setMargin(where, setting) is given'],
  [
    'setLeverage',
    loose(setLeverage)(isolated('BTCUSDT'), 5, 6),
    'setLeverage(where, leverage) is given',
  ],
  [
    'target, of the place',
    loose(target)(loose(isolated)('BTCUSDT', 5), 0.5),
    'isolated(symbol) is given one argument more, 5,',
  ],
  ['twap', loose(twap)('BTCUSDT', {}, 5), 'twap(where, of) is given one argument more, 5,'],
  ['vwap', loose(vwap)('BTCUSDT', {}, 5), 'vwap(where, of) is given one argument more, 5,'],
  ['iceberg', loose(iceberg)('BTCUSDT', {}, 5), 'iceberg(where, of) is given'],
  ['grid', loose(grid)('BTCUSDT', {}, 5), 'grid(where, of) is given'],
  ['dca', loose(dca)('BTCUSDT', {}, 5), 'dca(where, of) is given'],
  ['rebalance', loose(rebalance)({ a: HOLDING }, {}, {}), 'rebalance(targets, limits) is given'],
];

test.each(INHERITED)(
  'a member that is inherited is refused by its name: %s',
  (_, command, field) => {
    const { engine, wire, received } = rig(() => of(command));
    engine.start();
    expect(received('refused').map(({ rejection }) => rejection.field)).toEqual([field]);
    expect(wire.requests).toEqual([]);
  },
);

const makers = {
  aon,
  bracket,
  cancel,
  oco,
  oto,
  otoco,
  place,
  placeList,
  quote,
  rebalance,
  replace,
};

test.each(Object.entries({ ...makers, flat, target }))(
  'what %s makes of nothing, null, a number or text reaches no venue and ends no strategy',
  (_, maker) => {
    const nothings = [[], [null], [5], ['BTCUSDT', null], ['BTCUSDT', 5], ['BTCUSDT', 'x']];
    const commands = nothings.map((given) => loose(maker)(...given));
    const { engine, wire, received } = rig(() => of(...commands));
    engine.start();
    expect(received('refused')).toHaveLength(commands.length);
    expect(engine.state).toBe('completed');
    expect(wire.requests).toEqual([]);
  },
);

test('limits of a rebalance that are no object are refused by their name', () => {
  const { engine, received } = rig(() => of(loose(rebalance)({ 'USDC@trading': HOLDING }, null)));
  engine.start();
  expect(received('refused')).toMatchObject([{ rejection: { field: 'limits' } }]);
});

test.each(FURTHER)(
  'an argument that a maker does not take is refused: %s',
  (_, command, message) => {
    const { engine, wire, received } = rig(() => of(command));
    engine.start();
    const [{ rejection }] = received('refused');
    expect(rejection).toMatchObject({ code: 'request-invalid', field: 'arguments' });
    expect(rejection.message).toContain(message);
    expect(wire.requests).toEqual([]);
  },
);

test('every maker that the front door has is among them', () => {
  const makers = Object.entries(millrace).filter(([, one]) => isMaker(one));
  expect(new Set(FURTHER.map(([name]) => name.split(',')[0]))).toEqual(
    new Set(makers.map(([name]) => name)),
  );
});

test('a member that is inherited counts where its name is known', () => {
  const defaults = { type: 'limit', side: 'buy', postOnly: true };
  const { engine, wire } = rig(() =>
    of(loose(place)('BTCUSDT', heir(defaults, { ticks: 5, lots: 1 }))),
  );
  engine.start();
  expect(wire.requests).toEqual([expect.objectContaining({ postOnly: true, side: 'buy' })]);
});

test('a quote of what is no object is refused and withdraws nothing', () => {
  for (const given of [5, true, undefined, () => 5]) {
    const { engine, received } = rig(() => of(loose(quote)('BTCUSDT', given)));
    engine.start();
    expect(received('refused').map(({ rejection }) => rejection.field)).toEqual(['sides']);
  }
});

describe('a command with a member that no such command has is refused by the name of it', () => {
  test.each(CASES)('%s', (_, command, field, message) => {
    const { engine, wire, received } = rig(() => of(command));
    engine.start();
    const [{ rejection }] = received('refused');
    expect(rejection.field).toBe(field);
    expect(rejection.message).toContain(message);
    expect(engine.state).toBe('completed');
    expect(wire.requests).toEqual([]);
  });

  test('an order with one is shown as rejected', () => {
    const statuses: string[] = [];
    const { engine } = rig(({ account }) => {
      account.orders().subscribe(({ status, rejection }) => {
        statuses.push(`${status} ${rejection?.code ?? ''}`);
      });
      return of(loose(place)('BTCUSDT', { ...LIMIT, post_only: true }));
    });
    engine.start();
    expect(statuses).toEqual(['rejected request-invalid']);
  });

  test('one that is undefined is absent', () => {
    const { engine, wire } = rig(() =>
      of(loose(place)('BTCUSDT', { ...LIMIT, post_only: undefined, symbol: 'BTCUSDT' })),
    );
    engine.start();
    expect(wire.requests).toHaveLength(1);
  });

  test('whatever stands where a bracket has objects is refused and not thrown', () => {
    for (const part of ['entry', 'takeProfit', 'stopLoss']) {
      for (const value of [undefined, null, 5, 'x']) {
        const { engine, received, wire } = rig(() =>
          of(loose(bracket)('BTCUSDT', { ...BRACKET, [part]: value })),
        );
        engine.start();
        expect(engine.failure).toBeUndefined();
        expect(received('refused')).toHaveLength(1);
        expect(wire.requests).toEqual([]);
      }
    }
  });
});
