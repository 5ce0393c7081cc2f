import { describe, expect, test } from 'vitest';
import type { ExchangeOptions } from '../../../src/exchange/exchange.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { ORDER_TYPES, TIMES_IN_FORCE } from '../../../src/model/order.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { ChangeForm, ListForm, OrderForm } from '../../../src/rules/order-form.ts';
import { Floor, idOf, instrumentOf } from '../kit.ts';
import { MarginFloor } from '../margin/kit.ts';
import { serviceCode } from '../service-code.ts';

const GRID = { tickSize: '0.000001', quantityIncrement: '0.001' };

/** An exchange whose door for decimals is used, with one account that has enough. */
class Desk {
  readonly floor: Floor;
  readonly account: number;

  constructor(options: ExchangeOptions = {}) {
    this.floor = new Floor(
      [instrumentOf(GRID), instrumentOf({ ...GRID, symbol: 'ETHUSDT', baseCurrency: 'ETH' })],
      options,
    );
    this.account = this.floor.account({ USDT: '1000', BTC: '1000', ETH: '1000' });
  }

  /** Places a form as it may come from outside; where nothing is said it is a limit buy of 1 at 1. */
  place(form: object): Rejection | undefined {
    const base = { symbol: 'BTCUSDT', side: 'buy', quantity: decimal('1'), price: decimal('1') };
    const whole = { ...base, ...form } as OrderForm;
    return this.floor.exchange.forms.place(this.account, whole, micros(this.floor.at));
  }

  list(form: ListForm): Rejection | undefined {
    return this.floor.exchange.forms.placeList(this.account, form, micros(this.floor.at));
  }

  replace(form: ChangeForm): Rejection | undefined {
    return this.floor.exchange.forms.replace(this.account, form, micros(this.floor.at));
  }

  /** Slot of the oldest active order. */
  get order(): number {
    const { orders } = this.floor.exchange;
    for (let slot = 0; slot < orders.issued; slot += 1) if (orders.active(slot)) return slot;
    throw new Error('There is no active order.');
  }

  /** Type, time in force, ticks and lots of the oldest active order. */
  terms(): string {
    const { orders } = this.floor.exchange;
    const { order } = this;
    return `${orders.type(order)} ${orders.timeInForce(order)} ${orders.lots(order)}@${orders.ticks(order)}`;
  }
}

const code = (form: object): string | undefined => serviceCode(new Desk().place(form));

describe('an order in decimals', () => {
  test(
    'needs a symbol, one that is traded',
    { tags: ['server:trading-v3.rule.symbol-required'] },
    () => {
      expect(new Desk().place({ symbol: undefined })).toMatchObject({
        code: 'symbol-unknown',
        field: 'symbol',
      });
      expect(new Desk().place({ symbol: 'NONE' })?.code).toBe('symbol-unknown');
      expect(new Desk().place({})).toBeUndefined();
    },
  );

  test('needs a side, buy or sell', { tags: ['server:trading-v3.rule.side-required'] }, () => {
    for (const side of [undefined, 'BUY', '']) {
      expect(new Desk().place({ side })).toMatchObject({ code: 'side-invalid', field: 'side' });
    }
    for (const side of ['buy', 'sell']) expect(new Desk().place({ side })).toBeUndefined();
  });

  test(
    'is a limit order, good till canceled, where nothing else is said',
    {
      tags: [
        'server:trading-v3.rule.type-default-limit',
        'server:trading-v3.rule.tif-default-limit-gtc',
      ],
    },
    () => {
      const desk = new Desk();
      desk.place({});
      expect(desk.terms()).toBe('limit GTC 1000@1000000');
      for (const type of ['stopLimit', 'takeProfitLimit']) {
        const other = new Desk();
        expect(other.place({ type, stopPrice: decimal('2') })).toBeUndefined();
        expect(other.terms()).toBe(`${type} GTC 1000@1000000`);
      }
    },
  );

  test(
    'has one of six types',
    {
      tags: [
        'server:trading-v3.rule.type-values',
        'server:trading-v3.rule.type-invalid-code',
        'server:trading-v3.error.20049',
      ],
    },
    () => {
      for (const type of ORDER_TYPES) {
        const price = type.endsWith('imit') ? decimal('1') : undefined;
        const stopPrice = type.length > 6 ? decimal('2') : undefined;
        expect(new Desk().place({ type, price, stopPrice })).toBeUndefined();
      }
      for (const type of ['Limit', 'stop', '']) expect(code({ type })).toBe('400 20049');
    },
  );

  test(
    'counts as a limit order without a type, and then needs a price',
    { tags: ['server:trading-v3.rule.type-market-without-price'] },
    () => {
      expect(new Desk().place({ price: undefined })).toMatchObject({
        code: 'price-missing',
        field: 'price',
      });
      expect(new Desk().place({ price: undefined, type: 'market' })).toBeUndefined();
      for (const type of ['stopMarket', 'takeProfitMarket']) {
        const stopPrice = decimal('2');
        expect(new Desk().place({ price: undefined, type, stopPrice })).toBeUndefined();
      }
    },
  );

  test(
    'has one of five times in force, which fits its type',
    {
      tags: [
        'server:trading-v3.rule.tif-values',
        'server:trading-v3.rule.tif-invalid-code',
        'server:trading-v3.error.20048',
      ],
    },
    () => {
      for (const timeInForce of TIMES_IN_FORCE) {
        const expireAt = timeInForce === 'GTD' ? micros(10) : undefined;
        expect(new Desk().place({ timeInForce, expireAt })).toBeUndefined();
      }
      for (const timeInForce of ['gtc', 'DAY', '']) expect(code({ timeInForce })).toBe('400 20048');
      expect(code({ timeInForce: 'GTC', type: 'market', price: undefined })).toBe('400 20048');
    },
  );

  test(
    'of a market type is fill or kill where nothing else is said',
    { tags: ['server:trading-v3.rule.tif-default-market-fok'] },
    () => {
      for (const type of ['stopMarket', 'takeProfitMarket']) {
        const desk = new Desk();
        desk.place({ type, price: undefined, stopPrice: decimal('2') });
        expect(desk.terms()).toBe(`${type} FOK 1000@0`);
      }
      const desk = new Desk();
      desk.floor.snapshot([['ask', 1_000_000, 500]]);
      desk.place({ type: 'market', price: undefined, clientOrderId: idOf('m') });
      expect(desk.floor.events()).toEqual(['expired m------- expired 0/1000']);
    },
  );

  test(
    'needs an expire time with GTD',
    { tags: ['server:trading-v3.rule.expire-time-required'] },
    () => {
      expect(new Desk().place({ timeInForce: 'GTD' })).toMatchObject({
        code: 'expire-time-invalid',
        field: 'expireAt',
      });
      expect(new Desk().place({ timeInForce: 'GTD', expireAt: micros(1) })).toBeUndefined();
    },
  );

  test(
    'needs a price with each of the limit types',
    { tags: ['server:trading-v3.rule.price-required-limit'] },
    () => {
      for (const type of ['limit', 'stopLimit', 'takeProfitLimit']) {
        const stopPrice = type === 'limit' ? undefined : decimal('2');
        expect(new Desk().place({ type, stopPrice, price: undefined })?.code).toBe('price-missing');
        expect(new Desk().place({ type, stopPrice })).toBeUndefined();
      }
    },
  );

  test(
    'needs a stop price with the stop and take-profit types',
    { tags: ['server:trading-v3.rule.stop-price-required'] },
    () => {
      for (const type of ORDER_TYPES.slice(2)) {
        const price = type.endsWith('Limit') ? decimal('1') : undefined;
        expect(new Desk().place({ type, price })?.code).toBe('stop-price-missing');
        expect(new Desk().place({ type, price, stopPrice: decimal('2') })).toBeUndefined();
      }
    },
  );

  test(
    'needs a quantity, unless it is to close a position',
    { tags: ['server:trading-v3.rule.quantity-required'] },
    () => {
      const rejection = new Desk().place({ quantity: undefined });
      expect(rejection).toMatchObject({ code: 'quantity-missing', field: 'quantity' });
      const margin = { mode: 'isolated', closePosition: true } as const;
      const close = {
        type: 'stopMarket',
        side: 'sell',
        stopPrice: decimal('9000'),
        margin,
      } as const;
      const floor = new MarginFloor();
      floor.quote(9_999, 10_000);
      const account = floor.account({ USDT: '10000' });
      floor.set(account, '5000');
      floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
      const form = { symbol: 'BTCUSDT', ...close } as const;
      expect(floor.exchange.forms.place(account, form, micros(0))).toBeUndefined();
    },
  );

  test(
    'is refused with a quantity or a price that is no number',
    { tags: ['server:trading-v3.error.2010', 'server:trading-v3.error.2020'] },
    () => {
      for (const bad of ['1', 1, {}, decimal('1').div(0)]) {
        expect(code({ quantity: bad })).toBe('400 2010');
        expect(code({ price: bad })).toBe('400 2020');
      }
    },
  );

  test('is refused with a flag that is neither true nor false', () => {
    for (const flag of ['postOnly', 'strictValidate']) {
      expect(new Desk().place({ [flag]: 'yes' })).toMatchObject({
        code: 'request-invalid',
        field: flag,
      });
    }
    expect(
      new Desk().floor.exchange.forms.place(4, null as unknown as OrderForm, micros(0)),
    ).toEqual({
      code: 'request-invalid',
      message: 'The request is not given and must be an object with fields.',
    });
  });
});

describe('off the grid', () => {
  const placed = (form: object): string => {
    const desk = new Desk();
    expect(desk.place(form)).toBeUndefined();
    return desk.terms();
  };

  test.each([false, undefined])(
    'a price goes to the nearest tick, an exact half down (strictValidate %s)',
    { tags: ['server:trading-v3.rule.strict-off-round-price-half-down'] },
    (strictValidate) => {
      const at = (price: string): string => placed({ price: decimal(price), strictValidate });
      // The figures of the service's own page.
      expect(at('0.0460165')).toBe('limit GTC 1000@46016');
      expect(at('0.0460166')).toBe('limit GTC 1000@46017');
      expect(at('0.0460164')).toBe('limit GTC 1000@46016');
    },
  );

  test(
    'a quantity goes to the nearest increment, an exact half down',
    { tags: ['server:trading-v3.rule.strict-off-round-quantity-half-down'] },
    () => {
      const of = (quantity: string): string =>
        placed({ quantity: decimal(quantity), strictValidate: false });
      expect(of('0.0015')).toBe('limit GTC 1@1000000');
      expect(of('0.0016')).toBe('limit GTC 2@1000000');
      expect(of('0.0025')).toBe('limit GTC 2@1000000');
    },
  );

  test(
    'leaving strictValidate out is the same as false',
    { tags: ['server:trading-v3.rule.strict-default-off'] },
    () => {
      expect(placed({ quantity: decimal('0.0015') })).toBe('limit GTC 1@1000000');
    },
  );

  test(
    'what becomes zero is refused',
    {
      tags: [
        'server:trading-v3.rule.rounded-to-zero',
        'server:trading-v3.error.2011',
        'server:trading-v3.error.2021',
      ],
    },
    () => {
      expect(code({ quantity: decimal('0.0005') })).toBe('400 2011');
      expect(code({ price: decimal('0.0000005') })).toBe('400 2021');
      const stop = { type: 'stopLimit', stopPrice: decimal('0.0000005') };
      expect(code(stop)).toBe('400 2021');
      expect(code({ quantity: decimal('0.00051') })).toBeUndefined();
    },
  );

  test(
    'a price is refused with strictValidate',
    { tags: ['server:trading-v3.rule.strict-validate-price', 'server:trading-v3.error.2022'] },
    () => {
      const strictValidate = true;
      expect(code({ price: decimal('0.0460165'), strictValidate })).toBe('400 2022');
      const stop = { type: 'stopLimit', stopPrice: decimal('0.0460165'), strictValidate };
      expect(code(stop)).toBe('400 2022');
      expect(placed({ price: decimal('0.046016'), strictValidate })).toBe('limit GTC 1000@46016');
    },
  );

  test(
    'a quantity is refused with strictValidate',
    { tags: ['server:trading-v3.rule.strict-validate-quantity', 'server:trading-v3.error.2012'] },
    () => {
      expect(code({ quantity: decimal('0.0015'), strictValidate: true })).toBe('400 2012');
      expect(placed({ quantity: decimal('0.002'), strictValidate: true })).toBe(
        'limit GTC 2@1000000',
      );
    },
  );

  test(
    'nothing rests: books hold whole ticks and lots only',
    { tags: ['server:trading-v3.rule.quantity-increment-divisible'] },
    () => {
      const desk = new Desk();
      for (const text of ['0.0460165', '0.1234567', '0.9999999']) {
        desk.place({ price: decimal(text), quantity: decimal(text) });
      }
      const [bids] = desk.floor.exchange.books[0].sides;
      expect(bids.count).toBe(3);
      for (let level = bids.best(); level >= 0; level = bids.below(bids.key(level))) {
        expect(Number.isSafeInteger(bids.key(level))).toBe(true);
        expect(Number.isSafeInteger(bids.lots(level))).toBe(true);
      }
    },
  );

  test(
    'a replacement is judged like an order',
    { tags: ['server:trading-v3.rule.replace-strict-validate'] },
    () => {
      const desk = new Desk();
      desk.place({ clientOrderId: idOf('old') });
      const change = {
        clientOrderId: idOf('old'),
        newClientOrderId: idOf('new'),
        quantity: decimal('2.0005'),
        price: decimal('1'),
      };
      expect(serviceCode(desk.replace({ ...change, strictValidate: true }))).toBe('400 2012');
      expect(desk.replace({ ...change, quantity: decimal('0.0005') })?.code).toBe(
        'quantity-below-minimum',
      );
      expect(desk.replace(change)).toBeUndefined();
      expect(desk.terms()).toBe('limit GTC 2000@1000000');
    },
  );

  test('a member of a list is judged like an order', () => {
    const desk = new Desk();
    const order = { symbol: 'BTCUSDT', side: 'buy', price: decimal('1') } as const;
    const parts = [
      { ...order, quantity: decimal('1') },
      { ...order, quantity: decimal('0.0005') },
    ];
    expect(desk.list({ contingencyType: 'oneTriggerOther', orders: parts })).toMatchObject({
      code: 'quantity-below-minimum',
      field: 'orders[1].quantity',
    });
    expect(desk.floor.reported()).toEqual([]);
  });
});

describe('a replacement in decimals', () => {
  const change = { clientOrderId: idOf('old'), newClientOrderId: idOf('new') };

  test(
    'needs the quantity, and has it',
    { tags: ['server:trading-v3.rule.replace-quantity-required'] },
    () => {
      const desk = new Desk();
      desk.place({ clientOrderId: idOf('old') });
      expect(desk.replace({ ...change, price: decimal('1') })).toMatchObject({
        code: 'quantity-missing',
        field: 'quantity',
      });
      desk.replace({ ...change, price: decimal('1'), quantity: decimal('3') });
      expect(desk.terms()).toBe('limit GTC 3000@1000000');
    },
  );

  test(
    'needs the price where the type has one',
    { tags: ['server:trading-v3.rule.replace-price-required'] },
    () => {
      for (const type of ['limit', 'stopLimit', 'takeProfitLimit']) {
        const desk = new Desk();
        const stopPrice = type === 'limit' ? undefined : decimal('5');
        desk.place({ clientOrderId: idOf('old'), type, stopPrice });
        expect(desk.replace({ ...change, quantity: decimal('2') })).toMatchObject({
          code: 'price-missing',
          field: 'price',
        });
      }
      const desk = new Desk();
      const stop = { type: 'stopMarket', price: undefined, stopPrice: decimal('5') };
      desk.place({ clientOrderId: idOf('old'), ...stop });
      expect(desk.replace({ ...change, quantity: decimal('2') })).toBeUndefined();
    },
  );

  test('of an order without such a price is refused', () => {
    const kinds: readonly [object, object, string][] = [
      [{ type: 'limit' }, { price: decimal('1'), stopPrice: decimal('5') }, 'stopPrice'],
      [
        { type: 'stopMarket', price: undefined, stopPrice: decimal('5') },
        { price: decimal('1') },
        'price',
      ],
    ];
    for (const [order, prices, field] of kinds) {
      const desk = new Desk();
      desk.place({ clientOrderId: idOf('old'), ...order });
      const rejection = desk.replace({ ...change, quantity: decimal('2'), ...prices });
      expect(rejection).toMatchObject({ code: 'type-invalid', field });
      expect(desk.floor.exchange.activeOrder(desk.account, idOf('old'))).toBe(desk.order);
    }
  });

  test(
    'takes a stop price, or leaves it as it was',
    { tags: ['server:trading-v3.rule.replace-stop-price'] },
    () => {
      const desk = new Desk();
      const { stops } = desk.floor.exchange;
      desk.place({ clientOrderId: idOf('old'), type: 'stopLimit', stopPrice: decimal('5') });
      desk.replace({ ...change, quantity: decimal('2'), price: decimal('1') });
      expect(stops.ticks(desk.order)).toBe(5_000_000);
      const again = { clientOrderId: idOf('new'), quantity: decimal('2'), price: decimal('1') };
      desk.replace({ ...again, stopPrice: decimal('6') });
      expect(stops.ticks(desk.order)).toBe(6_000_000);
    },
  );

  test(
    'has the new client order id where one is given, and the old one as original',
    {
      tags: [
        'server:trading-v3.rule.replace-new-client-id',
        'server:trading-v3.rule.replace-original-id',
      ],
    },
    () => {
      const desk = new Desk();
      const { orders } = desk.floor.exchange;
      desk.place({ clientOrderId: idOf('old') });
      desk.replace({ ...change, quantity: decimal('2'), price: decimal('1') });
      expect(orders.clientOrderId(desk.order)).toBe(idOf('new'));
      expect(orders.originalClientOrderId(desk.order)).toBe(idOf('old'));
      desk.replace({ clientOrderId: idOf('new'), quantity: decimal('3'), price: decimal('1') });
      expect(orders.clientOrderId(desk.order)).toMatch(/^[0-9a-f]{32}$/);
      expect(orders.originalClientOrderId(desk.order)).toBe(idOf('new'));
    },
  );

  test(
    'of an order that is not active is refused',
    { tags: ['server:trading-v3.rule.replace-not-found'] },
    () => {
      const desk = new Desk();
      const whole = { ...change, quantity: decimal('2'), price: decimal('1') };
      expect(serviceCode(desk.replace(whole))).toBe('400 20002');
      desk.place({ clientOrderId: idOf('old') });
      desk.floor.cancel(desk.account, 'old');
      expect(serviceCode(desk.replace(whole))).toBe('400 20002');
    },
  );

  test(
    'with the price and quantity that are there is refused',
    { tags: ['server:trading-v3.rule.replace-unchanged', 'server:trading-v3.error.20009'] },
    () => {
      const desk = new Desk();
      desk.place({ clientOrderId: idOf('old') });
      const same = { ...change, quantity: decimal('1'), price: decimal('1') };
      expect(serviceCode(desk.replace(same))).toBe('400 20009');
    },
  );
});

describe('client order ids that are made', () => {
  test(
    'an order without one gets one of 32 characters',
    {
      tags: [
        'server:trading-v3.rule.client-order-id-generated',
        'server:trading-v3.rule.client-order-id-generated-form',
      ],
    },
    () => {
      const desk = new Desk();
      const { orders } = desk.floor.exchange;
      for (let i = 0; i < 50; i += 1)
        expect(desk.place({ quantity: decimal('0.001') })).toBeUndefined();
      const ids = Array.from({ length: 50 }, (_, slot) => orders.clientOrderId(slot));
      for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(new Set(ids).size).toBe(50);
    },
  );

  test('are the same on every machine, pass over those that are taken, and are not used up by rejections', () => {
    const made: number[] = [];
    const desk = new Desk({
      clientOrderIds: (number) => {
        made.push(number);
        return `made-by-number-${number}`;
      },
    });
    desk.place({ clientOrderId: 'made-by-number-1' });
    desk.place({ quantity: decimal('100000') });
    expect(desk.floor.reported().length).toBe(2);
    desk.place({});
    expect(desk.floor.events()).toEqual(['new made-by-number-2 new 0/1000']);
    expect(made).toEqual([1, 2, 1, 2]);
  });

  test(
    'a list without an id has that of its first order, which is made too',
    { tags: ['server:trading-v3.list.list-id-generated'] },
    () => {
      const desk = new Desk();
      const { lists, orders } = desk.floor.exchange;
      const order = {
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: decimal('1'),
        price: decimal('1'),
      } as const;
      const list = { contingencyType: 'oneTriggerOther', orders: [order, order] } as const;
      expect(desk.list(list)).toBeUndefined();
      const first = orders.clientOrderId(desk.order);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect(lists.of(desk.order)?.id).toBe(first);
      expect(desk.list({ ...list, orderListId: idOf('mine') })).toBeUndefined();
      expect(desk.floor.exchange.activeOrder(desk.account, idOf('mine'))).not.toBe(-1);
    },
  );
});
