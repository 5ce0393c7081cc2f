import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { micros, US_PER_DAY, US_PER_MINUTE } from '../../src/platform/time.ts';
import { Floor, idOf, instrumentOf } from './kit.ts';
import { serviceCode } from './service-code.ts';

const START = { USDT: '100000', BTC: '1000' };

class Street {
  readonly floor: Floor;
  readonly account: number;
  readonly other: number;

  constructor(change: Parameters<typeof instrumentOf>[0] = {}) {
    this.floor = new Floor([instrumentOf(change)]);
    this.account = this.floor.account(START);
    this.other = this.floor.account(START);
  }

  /** Status, executed and total lots of an order that is active or has ended just now. */
  of(slot: number): string {
    const { orders } = this.floor.exchange;
    return `${orders.status(slot)} ${orders.filled(slot)}/${orders.lots(slot)}`;
  }

  slot(name: string): number {
    return this.floor.exchange.activeOrder(this.account, idOf(name));
  }

  /** Lots that rest at a price. */
  resting(side: 0 | 1, ticks: number): number {
    const book = this.floor.exchange.books[0].sides[side];
    const level = book.at(ticks);
    return level < 0 ? 0 : book.lots(level);
  }
}

describe('an order', () => {
  test(
    'that does not match rests as new',
    { tags: ['server:trading-v3.state.create-to-new', 'server:trading-v3.state.new'] },
    () => {
      const street = new Street();
      street.floor.place(street.account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      expect(street.of(street.slot('buy'))).toBe('new 0/5');
      expect(street.resting(0, 100)).toBe(5);
    },
  );

  test(
    'that matches in part rests with its rest',
    {
      tags: [
        'server:trading-v3.state.create-to-partially-filled',
        'server:trading-v3.state.partially-filled',
      ],
    },
    () => {
      const street = new Street();
      street.floor.place(street.other, 'sell', { side: 'sell', lots: 2, ticks: 100 });
      street.floor.place(street.account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      expect(street.of(street.slot('buy'))).toBe('partiallyFilled 2/5');
      expect(street.resting(0, 100)).toBe(3);
    },
  );

  test(
    'goes through partiallyFilled to filled as others match it',
    { tags: ['server:trading-v3.state.new-to-filled-by-later-match'] },
    () => {
      const street = new Street();
      const { floor, account, other } = street;
      floor.place(account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      const slot = street.slot('buy');
      floor.place(other, 's1', { side: 'sell', lots: 2, ticks: 100 });
      expect(street.of(slot)).toBe('partiallyFilled 2/5');
      floor.place(other, 's2', { side: 'sell', lots: 3, ticks: 100 });
      expect(street.of(slot)).toBe('filled 5/5');
    },
  );

  test(
    'of a stop type is active as suspended, and in no book',
    { tags: ['server:trading-v3.state.suspended'] },
    () => {
      const street = new Street();
      const stop = { type: 'stopLimit', side: 'sell', stop: 90, ticks: 80, lots: 5 } as const;
      street.floor.place(street.account, 'stop', stop);
      expect(street.of(street.slot('stop'))).toBe('suspended 0/5');
      expect(street.resting(1, 80)).toBe(0);
      // It would match if it stood in the book.
      street.floor.place(street.other, 'buy', { side: 'buy', lots: 5, ticks: 85 });
      expect(street.of(street.slot('stop'))).toBe('suspended 0/5');
    },
  );

  test(
    'is canceled by its owner',
    { tags: ['server:trading-v3.state.canceled', 'server:trading-v3.state.cancel-to-canceled'] },
    () => {
      const street = new Street();
      street.floor.place(street.account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      const slot = street.slot('buy');
      expect(street.floor.cancel(street.account, 'buy')).toBeUndefined();
      expect(street.of(slot)).toBe('canceled 0/5');
      expect(street.resting(0, 100)).toBe(0);
    },
  );

  test(
    'that is replaced ends as canceled, and the replacement is new',
    {
      tags: [
        'server:trading-v3.state.replace-to-new',
        'server:trading-v3.state.replaced-original-canceled',
      ],
    },
    () => {
      const street = new Street();
      street.floor.place(street.account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      const slot = street.slot('buy');
      street.floor.replace(street.account, 'buy', 'next', { lots: 6 });
      expect(street.of(slot)).toBe('canceled 0/5');
      expect(street.slot('buy')).toBe(-1);
      expect(street.of(street.slot('next'))).toBe('new 0/6');
    },
  );

  test(
    'that has ended is active no more and never changes again',
    {
      tags: [
        'server:trading-v3.state.terminal-states',
        'server:trading-v3.state.inactive-leave-active-list',
        'server:trading-v3.error.20002',
        'server:trading-v3.error.20002-status',
      ],
    },
    () => {
      const street = new Street();
      const { floor, account, other } = street;
      floor.place(other, 'ask', { side: 'sell', lots: 5, ticks: 100 });
      floor.place(account, 'filled', { side: 'buy', lots: 5, ticks: 100 });
      floor.place(account, 'expired', { side: 'buy', lots: 5, ticks: 100, timeInForce: 'IOC' });
      floor.place(account, 'canceled', { side: 'buy', lots: 5, ticks: 100 });
      floor.cancel(account, 'canceled');
      floor.reported();
      for (const name of ['filled', 'expired', 'canceled']) {
        expect(street.slot(name)).toBe(-1);
        expect(serviceCode(floor.cancel(account, name))).toBe('400 20002');
        expect(serviceCode(floor.replace(account, name, 'next', { lots: 9 }))).toBe('400 20002');
      }
      floor.place(other, 'all', { side: 'sell', lots: 50, ticks: 1 });
      floor.pass(US_PER_DAY);
      expect(floor.events().filter((line) => !line.includes(' all'))).toEqual([]);
    },
  );
});

test(
  'a Day order is there until 23:59 UTC and expires then',
  { tags: ['server:trading-v3.rule.tif-day'] },
  () => {
    const { floor, account } = new Street();
    floor.place(account, 'day', { side: 'buy', lots: 1, ticks: 9, timeInForce: 'Day' });
    floor.reported();
    floor.pass(US_PER_DAY - US_PER_MINUTE - 1);
    expect(floor.reported()).toEqual([]);
    floor.pass(1);
    expect(floor.events()).toEqual(['expired day----- expired 0/1']);
  },
);

test(
  'the best price is taken first, and at one price the earlier order',
  { tags: ['server:trading-v3.rule.matching-price-time'] },
  () => {
    const { floor, account, other } = new Street();
    for (const [name, ticks] of [
      ['late', 101],
      ['first', 100],
      ['second', 100],
      ['best', 99],
    ] as const) {
      floor.place(other, name, { side: 'sell', lots: 1, ticks });
    }
    floor.reported();
    floor.place(account, 'buy', { side: 'buy', lots: 4, ticks: 101 });
    const makers = floor.events().filter((line) => line.includes('maker'));
    expect(makers.map((line) => line.split(' ')[2].replace(/-+$/, ''))).toEqual([
      ...['best', 'first', 'second', 'late'],
    ]);
  },
);

test(
  'an IOC or FOK order has a final status when its request is answered',
  { tags: ['server:trading-v3.rule.ioc-fok-final-status'] },
  () => {
    for (const timeInForce of ['IOC', 'FOK'] as const) {
      for (const [there, status] of [
        [0, 'expired 0/5'],
        [2, timeInForce === 'IOC' ? 'expired 2/5' : 'expired 0/5'],
        [5, 'filled 5/5'],
      ] as const) {
        const street = new Street();
        const { floor, account, other } = street;
        if (there > 0) floor.place(other, 'ask', { side: 'sell', lots: there, ticks: 100 });
        const slot = there > 0 ? 1 : 0;
        floor.place(account, 'buy', { side: 'buy', lots: 5, ticks: 100, timeInForce });
        expect(street.of(slot)).toBe(status);
        expect(street.slot('buy')).toBe(-1);
      }
    }
  },
);

describe('balances', () => {
  test(
    'of an active order are reserved, and free when it has ended',
    { tags: ['server:trading-v3.rule.balance-reserve'] },
    () => {
      const { floor, account } = new Street();
      floor.place(account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
      floor.place(account, 'sell', { side: 'sell', lots: 5, ticks: 200 });
      expect(floor.balance(account, 'USDT')).toBe('99499 501');
      expect(floor.balance(account, 'BTC')).toBe('995 5');
      floor.cancel(account, 'buy');
      floor.cancel(account, 'sell');
      expect(floor.balance(account, 'USDT')).toBe('100000 0');
      expect(floor.balance(account, 'BTC')).toBe('1000 0');
    },
  );

  test(
    'a buy needs more than price × quantity × (1 + the higher rate); as much is too little',
    { tags: ['server:trading-v3.rule.balance-buy-rule'] },
    () => {
      const place = (
        funds: string,
        change: Parameters<typeof instrumentOf>[0],
      ): string | undefined => {
        const floor = new Floor([instrumentOf(change)]);
        const account = floor.account({ USDT: funds });
        return serviceCode(floor.place(account, 'buy', { side: 'buy', lots: 2, ticks: 100 }));
      };
      expect(place('200.4', {})).toBe('400 20001');
      expect(place('200.4000001', {})).toBeUndefined();
      expect(place('201', { makeRate: '0.005' })).toBe('400 20001');
      expect(place('201.0000001', { makeRate: '0.005' })).toBeUndefined();
    },
  );

  test(
    'a sell needs its quantity of the base currency',
    { tags: ['server:trading-v3.rule.balance-sell', 'server:trading-v3.error.20001-status'] },
    () => {
      const floor = new Floor();
      const account = floor.account({ BTC: '2' });
      expect(serviceCode(floor.place(account, 'three', { side: 'sell', lots: 3, ticks: 1 }))).toBe(
        '400 20001',
      );
      expect(floor.place(account, 'two', { side: 'sell', lots: 2, ticks: 1 })).toBeUndefined();
    },
  );

  test(
    'a negative rate of the maker is paid out',
    { tags: ['server:trading-v3.rule.fee-maker-rebate'] },
    () => {
      const { floor, account, other } = new Street({ makeRate: '-0.0001' });
      floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 100 });
      floor.place(other, 'sell', { side: 'sell', lots: 1, ticks: 100 });
      expect(floor.balance(account, 'USDT')).toBe('99900.01 0');
    },
  );

  test(
    'a replacement beyond the means is refused, and the order is as it was',
    {
      tags: [
        'server:trading-v3.rule.replace-insufficient',
        'server:trading-v3.rule.replace-refused-keeps-original',
      ],
    },
    () => {
      const street = new Street();
      street.floor.place(street.account, 'buy', { side: 'buy', lots: 500, ticks: 100 });
      const rejection = street.floor.replace(street.account, 'buy', 'next', { lots: 2_000 });
      expect(serviceCode(rejection)).toBe('400 20001');
      expect(street.of(street.slot('buy'))).toBe('new 0/500');
      expect(street.resting(0, 100)).toBe(500);
      expect(street.floor.balance(street.account, 'USDT')).toBe('49900 50100');
    },
  );
});

test(
  'a client order id that is in use is refused',
  {
    tags: [
      'server:trading-v3.error.20008',
      'server:trading-v3.rule.client-order-id-duplicate-code',
    ],
  },
  () => {
    const { floor, account } = new Street();
    floor.place(account, 'once', { side: 'buy', lots: 1, ticks: 1 });
    const again = floor.place(account, 'once', { side: 'buy', lots: 1, ticks: 2 });
    expect(serviceCode(again)).toBe('400 20008');
  },
);

test(
  'a client order id has 8 to 32 letters, digits, _ or -',
  {
    tags: [
      'server:trading-v3.rule.client-order-id-min-8',
      'server:trading-v3.rule.client-order-id-max-32',
      'server:trading-v3.rule.client-order-id-charset',
    ],
  },
  () => {
    const { floor, account } = new Street();
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: decimal('1'),
      price: decimal('1'),
    } as const;
    const place = (clientOrderId: string): string | undefined =>
      serviceCode(floor.exchange.forms.place(account, { ...order, clientOrderId }, micros(0)));
    expect(place('seven77')).toBe('400 10001');
    expect(place('eight888')).toBeUndefined();
    expect(place('x'.repeat(33))).toBe('400 10001');
    expect(place('x'.repeat(32))).toBeUndefined();
    for (const bad of ['with space', 'ümlauts-x', 'a.b.c.d.e', 'plus+plus', '']) {
      expect(place(bad)).toBe('400 10001');
    }
    expect(place('AZaz09_-')).toBeUndefined();
  },
);
