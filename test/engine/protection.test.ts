import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Order } from '../../src/model/order.ts';
import { oco, oto } from '../../src/strategy/lists.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { rig, TERMS, type Rig } from './rig.ts';

interface OrderManager extends Rig {
  readonly orders: Order[];
  give(command: Command): void;
}

function orderManager(terms: Partial<InstrumentTerms> = {}): OrderManager {
  const commands = new Subject<Command>();
  const orders: Order[] = [];
  const parts = rig(
    ({ account }) => {
      account.orders().subscribe((order) => orders.push(order));
      return commands;
    },
    { terms: [{ ...TERMS, ...terms }] },
  );
  parts.engine.start();
  return { ...parts, orders, give: (command) => commands.next(command) };
}

const [ENTRY, PROFIT, LOSS] = ['entry-01', 'profit-1', 'loss-001'];

const bracketOf = (lots: number): Command =>
  bracket('BTCUSDT', {
    entry: { side: 'buy', type: 'limit', ticks: 1_000, clientOrderId: ENTRY },
    takeProfit: { ticks: 1_100, clientOrderId: PROFIT },
    stopLoss: { stopTicks: 950, clientOrderId: LOSS },
    lots,
  });

const warnings = ({ received }: Rig): readonly string[] =>
  received('log').flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

const reasons = ({ orders }: OrderManager): unknown[] =>
  orders.flatMap(({ clientOrderId, rejection }) =>
    rejection === undefined ? [] : [[clientOrderId, rejection.code, rejection.message]],
  );

describe('a bracket where the fee is taken in the base currency', () => {
  const terms = { takeRate: '0.001', makeRate: '0.001', feeCurrency: 'BTC' };

  test('has exits for what the fees leave, and the log says so', () => {
    const one = orderManager(terms);
    one.give(bracketOf(1_000));
    expect(one.wire.last).toMatchObject({
      orders: [{ lots: 1_000 }, { lots: 998 }, { lots: 998 }],
    });
    expect(one.received('log')).toMatchObject([
      {
        level: 'info',
        message:
          'The exits of the bracket entry-01 are for 998 of 1000 lots: the fees are taken in BTC, and so much is left to sell.',
        fields: { symbol: 'BTCUSDT', entryLots: 1_000, exitLots: 998 },
      },
    ]);
    expect(one.orders.map(({ lots }) => lots)).toEqual([1_000, 998, 998]);
  });

  test('is refused where the fees leave no lot to sell', () => {
    const one = orderManager(terms);
    one.give(bracketOf(1));
    expect(one.wire.requests).toEqual([]);
    expect(one.received('refused')).toMatchObject([
      {
        rejection: {
          code: 'quantity-below-minimum',
          field: 'orders[0].quantity',
          message:
            'The bracket buys 0.001 BTC, of which the fees in BTC leave less than one lot (0.001) to sell; buy more.',
        },
      },
    ]);
  });

  test('whose exits have sold all that they were for has lost no protection', () => {
    const one = orderManager(terms);
    one.give(bracketOf(1_000));
    one.wire.accept();
    one.wire.fill(ENTRY, 1_000, 1_000);
    one.wire.activate(PROFIT);
    one.wire.activate(LOSS);
    one.wire.fill(PROFIT, 998, 1_100);
    one.wire.end(LOSS, 'canceled');
    expect(warnings(one)).toEqual([]);
  });
});

describe('protection that ends before what it protects is sold', () => {
  function entered(): OrderManager {
    const one = orderManager();
    one.give(bracketOf(10));
    one.wire.accept();
    one.wire.fill(ENTRY, 10, 1_000);
    return one;
  }

  const LOST = (lots: number, of = 10): string =>
    `The exits of the list entry-01 have ended: ${lots} of ${of} lots of BTCUSDT stand without protection.`;

  test('by exits that the venue canceled at once is reported with the reason of each', () => {
    const one = entered();
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'canceled');
    expect(warnings(one)).toEqual([LOST(10)]);
    expect(reasons(one)).toEqual([
      [
        PROFIT,
        'protection-ended',
        'The venue canceled the order when its entry had filled, as it does where the account lacks the BTC that it needs.',
      ],
      [LOSS, 'protection-ended', LOST(10)],
    ]);
    expect(one.received('unprotected')).toMatchObject([
      { symbol: 'BTCUSDT', orderListId: ENTRY, clientOrderId: LOSS, lots: 10, ofLots: 10 },
    ]);
  });

  test('by a stop that ended when a target filled in part is reported, though the target stays active', () => {
    const one = entered();
    one.wire.activate(PROFIT);
    one.wire.activate(LOSS);
    one.wire.fill(PROFIT, 3, 1_100);
    one.wire.end(LOSS, 'canceled');
    expect(warnings(one)).toEqual([
      'The stop loss-001 ended as profit-1 filled in part: 7 of 10 lots of BTCUSDT stand without a stop.',
    ]);
    one.wire.fill(PROFIT, 7, 1_100);
    expect(warnings(one)).toHaveLength(1);
  });

  test('by a stop that found too little liquidity is reported, and the target that it ended is no reason', () => {
    const one = entered();
    one.wire.activate(PROFIT);
    one.wire.activate(LOSS);
    one.wire.fill(LOSS, 3, 950);
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'expired');
    expect(warnings(one)).toEqual([LOST(7)]);
    expect(reasons(one)).toEqual([[LOSS, 'protection-ended', LOST(7)]]);
  });

  test('with an entry that filled in part is reported', () => {
    const one = orderManager();
    one.give(bracketOf(10));
    one.wire.accept();
    one.wire.fill(ENTRY, 4, 1_000);
    one.give(cancel(ENTRY));
    one.wire.end(ENTRY, 'canceled');
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'canceled');
    expect(warnings(one)).toEqual([LOST(4, 4)]);
  });

  test('is reported once, whatever reports of its orders follow', () => {
    const one = entered();
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'canceled');
    one.wire.end(LOSS, 'canceled');
    one.wire.end(PROFIT, 'canceled');
    expect(warnings(one)).toEqual([LOST(10)]);
  });

  test.each([
    ['an exit', cancel(LOSS)],
    ['all', cancelAll('BTCUSDT')],
  ])('because the strategy canceled %s is its own affair', (_, command) => {
    const one = entered();
    one.wire.activate(PROFIT);
    one.wire.activate(LOSS);
    one.give(command);
    one.wire.end(LOSS, 'canceled');
    one.wire.end(PROFIT, 'canceled');
    expect(warnings(one)).toEqual([]);
    expect(reasons(one)).toEqual([]);
  });

  test('does not follow from an entry that bought nothing', () => {
    const one = orderManager();
    one.give(bracketOf(10));
    one.wire.accept();
    one.wire.end(ENTRY, 'expired');
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'canceled');
    expect(warnings(one)).toEqual([]);
  });

  const stop = { type: 'stopMarket', side: 'sell', stopTicks: 950, lots: 10 } as const;

  test('by a plain stop that is whole or nothing is reported with that reason', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...stop, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.wire.end('guard-01', 'expired');
    expect(warnings(one)).toEqual([
      'The FOK stopMarket guard-01, which fills whole or not at all, has ended: 10 of 10 lots of BTCUSDT stand without protection.',
    ]);
  });

  test('by a leg of a pair of exits is reported', () => {
    const one = orderManager();
    const profit = { type: 'limit', side: 'sell', ticks: 1_100, lots: 10 } as const;
    const loss = { ...stop, timeInForce: 'IOC' } as const;
    one.give(
      oco('BTCUSDT', [
        { ...profit, clientOrderId: PROFIT },
        { ...loss, clientOrderId: LOSS },
      ]),
    );
    one.wire.accept();
    one.wire.fill(LOSS, 3, 950);
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'expired');
    expect(warnings(one)).toEqual([
      'The exits of the list profit-1 have ended: 7 of 10 lots of BTCUSDT stand without protection.',
    ]);
  });

  test('by one exit of an entry is reported, and a second entry is none', () => {
    const one = orderManager();
    const buy = { type: 'limit', side: 'buy', ticks: 1_000, lots: 10 } as const;
    one.give(
      oto('BTCUSDT', [
        { ...buy, clientOrderId: ENTRY },
        { ...buy, ticks: 990, clientOrderId: 'more-001' },
        { ...stop, lots: 10, clientOrderId: LOSS },
      ]),
    );
    one.wire.accept();
    one.wire.fill(ENTRY, 10, 1_000);
    one.wire.activate('more-001');
    one.wire.activate(LOSS);
    one.wire.end(LOSS, 'expired');
    one.wire.end('more-001', 'canceled');
    expect(warnings(one)).toEqual([LOST(10)]);
  });
});

describe('a rejection for want of what other orders reserve', () => {
  const guard = { type: 'stopMarket', side: 'sell', stopTicks: 950, lots: 10 } as const;
  const out = { type: 'market', side: 'sell', lots: 10, clientOrderId: 'leave-01' } as const;

  test('names them on the order and in the log', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.give(place('BTCUSDT', out));
    one.wire.reject();
    const message = 'No. BTC is reserved by guard-01 (stopMarket sell of 10 lots).';
    expect(one.orders.at(-1)).toMatchObject({ clientOrderId: 'leave-01', rejection: { message } });
    expect(warnings(one)).toEqual([`The place of leave-01 was refused: ${message}`]);
  });

  test('names them on exits that the venue canceled when they were to become active', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.give(bracketOf(10));
    one.wire.accept();
    one.wire.fill(ENTRY, 10, 1_000);
    one.wire.end(PROFIT, 'canceled');
    one.wire.end(LOSS, 'canceled');
    const reserved = /\. BTC is reserved by guard-01 \(stopMarket sell of 10 lots\)\.$/;
    expect(reasons(one)).toEqual([
      [PROFIT, 'protection-ended', expect.stringMatching(reserved)],
      [LOSS, 'protection-ended', expect.stringMatching(reserved)],
    ]);
    expect(warnings(one)).toEqual([expect.stringMatching(reserved)]);
  });

  test('names one that was asked for before and is not answered yet, and none asked for after', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.give(place('BTCUSDT', out));
    const request = one.wire.last;
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-02' }));
    one.wire.reject(request, 'budget-exceeded');
    const message = 'No. BTC is reserved by guard-01 (stopMarket sell of 10 lots).';
    expect(one.orders.at(-1)?.rejection?.message).toBe(message);
  });

  test('names what each order of a list may lack, and not the order that one is to replace', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    const buy = { type: 'limit', side: 'buy', ticks: 900, lots: 1 } as const;
    one.give(oco('BTCUSDT', [{ ...buy }, { ...guard, lots: 1 }]));
    one.wire.reject();
    const message = 'No. BTC is reserved by guard-01 (stopMarket sell of 10 lots).';
    expect(one.orders.at(-1)?.rejection?.message).toBe(message);
    one.give(replace('guard-01', { lots: 20 }));
    one.wire.reject();
    expect(warnings(one).at(-1)).toMatch(/No\.$/);
  });

  test('names no order that pays with another currency, has ended, or waits for its entry', () => {
    const one = orderManager();
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.wire.end('guard-01', 'canceled');
    one.give(bracketOf(10));
    one.wire.accept();
    one.give(place('BTCUSDT', out));
    one.wire.reject();
    expect(one.orders.at(-1)?.rejection?.message).toBe('No.');
  });
});

describe('a refused request', () => {
  test('on an order that has ended shows nothing again', () => {
    const one = orderManager();
    const guard = { type: 'limit', side: 'sell', ticks: 1_100, lots: 10 } as const;
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.give(cancel('guard-01'));
    const request = one.wire.last;
    one.give(cancel('guard-01'));
    one.wire.end('guard-01', 'canceled');
    one.wire.reject(request, 'order-unknown');
    expect(one.orders.map(({ status }) => status)).toEqual(['pending', 'new', 'canceled']);
  });

  test('on an order that stands shows that it does', () => {
    const one = orderManager();
    const guard = { type: 'limit', side: 'sell', ticks: 1_100, lots: 10 } as const;
    one.give(place('BTCUSDT', { ...guard, clientOrderId: 'guard-01' }));
    one.wire.accept();
    one.give(cancel('guard-01'));
    one.wire.reject(one.wire.last, 'venue-refused');
    expect(one.orders.map(({ status }) => status)).toEqual(['pending', 'new', 'new']);
  });
});
