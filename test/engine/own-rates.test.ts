import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { NewOrder, Order } from '../../src/model/order.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { aon, oco, oto, otoco, placeList } from '../../src/strategy/lists.ts';
import { rate } from '../../src/strategy/numbers.ts';
import { place, replace } from '../../src/strategy/orders.ts';
import { rig, TERMS } from './rig.ts';

const TAKE = rate('0.002');
const MAKE = rate('0.0015');
const RATES = { takeRate: TAKE, makeRate: MAKE };

const ENTRY = { type: 'limit', side: 'buy', ticks: 50, lots: 3, ...RATES } as const;
const PROFIT = { type: 'limit', side: 'sell', ticks: 90, lots: 3, makeRate: MAKE } as const;
const LOSS = { type: 'stopMarket', side: 'sell', stopTicks: 30, lots: 3, takeRate: TAKE } as const;
const on = <T>(order: T) => ({ symbol: 'BTCUSDT', ...order });

/** An engine that commands what the test says, and the orders that its strategy was shown. */
function orderManager(terms = TERMS) {
  const commands = new Subject<Command>();
  const shown: Order[] = [];
  const made = rig(
    ({ account }) => {
      account.orders().subscribe((order) => shown.push(order));
      return commands;
    },
    { terms: [terms] },
  );
  made.engine.start();
  const give = (command: Command): void => {
    commands.next(command);
    made.clock.advanceTo(made.clock.now());
  };
  return { ...made, shown, give };
}

const ratesOf = ({ takeRate, makeRate }: Pick<NewOrder, 'takeRate' | 'makeRate'>) => [
  takeRate?.toFixed(),
  makeRate?.toFixed(),
];

describe('the fee rates that an order asks for itself', () => {
  test('leave with it, are shown with it, and stay with what replaces it', () => {
    const { give, wire, shown } = orderManager();
    give(place('BTCUSDT', { ...ENTRY, clientOrderId: 'entry-001' }));
    expect(wire.last).toMatchObject({ kind: 'place', ...RATES });
    expect(shown.at(-1)).toMatchObject({ status: 'pending', ...RATES });
    wire.accept();
    expect(shown.at(-1)).toMatchObject({ status: 'new', ...RATES });
    give(replace('entry-001', { ticks: 51, newClientOrderId: 'entry-002' }));
    // The venue keeps them with the order; a replacement cannot change them.
    expect(Object.keys(wire.last)).not.toContain('takeRate');
    expect(shown.at(-1)).toMatchObject({ clientOrderId: 'entry-002', ...RATES });
  });

  test('are absent where none was given', () => {
    const { give, wire, shown } = orderManager();
    const { takeRate: _, makeRate: __, ...plain } = ENTRY;
    give(place('BTCUSDT', plain));
    for (const one of [wire.last, shown.at(-1)]) {
      expect(one).toMatchObject({ clientOrderId: 'test-0000001' });
      expect(JSON.stringify(one)).not.toMatch(/Rate/);
    }
  });

  const BOTH = ['0.002', '0.0015'];
  const PROFITS = [undefined, '0.0015'];
  const LOSSES = ['0.002', undefined];
  test.each([
    ['oco', oco('BTCUSDT', [PROFIT, LOSS]), [PROFITS, LOSSES]],
    ['oto', oto('BTCUSDT', [ENTRY, LOSS]), [BOTH, LOSSES]],
    ['otoco', otoco('BTCUSDT', [ENTRY, PROFIT, LOSS]), [BOTH, PROFITS, LOSSES]],
    ['placeList', placeList('oneTriggerOther', [on(ENTRY), on(PROFIT)]), [BOTH, PROFITS]],
    [
      'bracket',
      bracket('BTCUSDT', {
        entry: { type: 'limit', side: 'buy', ticks: 50, ...RATES },
        takeProfit: { ticks: 90, makeRate: MAKE },
        stopLoss: { stopTicks: 30, takeRate: TAKE },
        lots: 3,
      }),
      [BOTH, PROFITS, LOSSES],
    ],
  ] as const)('are those of each order of %s', (_, command, expected) => {
    const { give, wire, shown } = orderManager();
    give(command);
    const request = wire.last;
    if (request.kind !== 'placeList') throw new Error(request.kind);
    expect(request.orders.map(ratesOf)).toEqual(expected);
    expect(shown.map(ratesOf)).toEqual(expected);
  });

  test('are those of each order of aon', () => {
    const { give, wire } = orderManager();
    const orders = [
      { ...on(ENTRY), type: 'limit', takeRate: TAKE },
      { symbol: 'ETHUSDT', type: 'limit', side: 'buy', ticks: 5, lots: 1 },
    ] as const;
    const command = aon(orders);
    expect(command.orders.map(ratesOf)).toEqual([BOTH, [undefined, undefined]]);
    give(command);
    // There is no ETHUSDT here: the list is rejected as a whole, and nothing leaves.
    expect(wire.requests).toEqual([]);
  });

  test.each([
    ['a number', 0.002, "takeRate is 0.002 and must be a decimal or its text, such as '0.05'."],
    ['no number', '0.2 %', 'takeRate'],
    ['a whole', rate('1'), 'must be a fraction between -1 and 1 with at most 9 decimals'],
    ['too fine', rate('0.0000000001'), 'must be a fraction between -1 and 1'],
    ['far too much', rate('-1'), 'must be a fraction between -1 and 1'],
  ])('are rejected before anything leaves where one is %s', (_, takeRate, message) => {
    const { give, wire, shown } = orderManager();
    give(place('BTCUSDT', { ...ENTRY, takeRate } as never));
    give(oco('BTCUSDT', [PROFIT, { ...LOSS, takeRate } as never]));
    expect(wire.requests).toEqual([]);
    const [alone, ...listed] = shown;
    expect(alone).toMatchObject({ status: 'rejected', rejection: { code: 'rate-invalid' } });
    expect(alone?.rejection).toMatchObject({ field: 'takeRate' });
    expect(alone?.rejection?.message).toContain(message);
    expect(listed.map(({ rejection }) => [rejection?.code, rejection?.field])).toEqual([
      ['rate-invalid', 'orders[1].takeRate'],
      ['rate-invalid', 'orders[1].takeRate'],
    ]);
  });

  test('count where the exits of a bracket are sized, each with its own', () => {
    const inBase = { ...TERMS, feeCurrency: 'BTC', takeRate: '0.001', makeRate: '0.001' };
    const { give, wire } = orderManager(inBase);
    give(
      bracket('BTCUSDT', {
        entry: { type: 'market', side: 'buy', takeRate: rate('0.01') },
        takeProfit: { ticks: 90 },
        stopLoss: { stopTicks: 30, takeRate: rate('0.02') },
        lots: 1_000,
      }),
    );
    const request = wire.last;
    if (request.kind !== 'placeList') throw new Error(request.kind);
    // 1,000 less 1 % are 990; 990 / 1.001 = 989.01, 990 / 1.02 = 970.58.
    expect(request.orders.map(({ lots }) => lots)).toEqual([1_000, 989, 970]);
  });

  test('rate takes text and nothing else', () => {
    expect(rate('0.002').toFixed()).toBe('0.002');
    expect(() => rate('2 %')).toThrow(/rate/);
    expect(rate('-0.0001').toFixed()).toBe('-0.0001');
  });
});
