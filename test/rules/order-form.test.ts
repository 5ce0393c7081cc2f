import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import type { OrderType, Side } from '../../src/model/order.ts';
import { micros } from '../../src/platform/time.ts';
import { changeOf, orderOf, type ChangeForm, type OrderForm } from '../../src/rules/order-form.ts';
import { instrumentOf } from '../kit/instruments.ts';

const INSTRUMENT = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.001' });
const NOW = micros(1_000_000);
const FORM: OrderForm = {
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: decimal('0.0051'),
  price: decimal('99.996'),
};
const order = (change: object = {}) => orderOf(INSTRUMENT, { ...FORM, ...change }, 'order-1', NOW);
const change = (form: Partial<ChangeForm>, type: OrderType = 'limit') =>
  changeOf(INSTRUMENT, type, { clientOrderId: 'order-1', ...form });

describe('the form of an order', () => {
  test('becomes an order on the nearest steps, with its name and the rates that it asks for', () => {
    expect(order({ takeRate: decimal('0.004') })).toEqual({
      symbol: 'BTCUSDT',
      clientOrderId: 'order-1',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      lots: 5,
      ticks: 10_000,
      postOnly: false,
      takeRate: decimal('0.004'),
    });
  });

  test('is refused off the grid where it asks for that', () => {
    expect(order({ strictValidate: true })).toMatchObject({ code: 'quantity-off-increment' });
    expect(order({ strictValidate: true, quantity: decimal('0.005') })).toMatchObject({
      code: 'price-off-tick',
    });
    expect(order({ strictValidate: false })).toMatchObject({ lots: 5, ticks: 10_000 });
  });

  test.each([
    [{ strictValidate: 'yes' }, 'request-invalid', 'strictValidate'],
    [{ postOnly: 1 }, 'request-invalid', 'postOnly'],
    [{ takeRate: decimal('2') }, 'rate-invalid', 'takeRate'],
    [{ side: 'hold' as Side }, 'side-invalid', 'side'],
    [{ type: 'iceberg' }, 'type-invalid', 'type'],
    [{ timeInForce: 'GTX' }, 'time-in-force-invalid', 'timeInForce'],
    [{ quantity: undefined }, 'quantity-missing', 'quantity'],
    [{ price: new Decimal(Number.NaN) }, 'price-invalid', 'price'],
    [{ type: 'market' }, 'type-invalid', 'price'],
  ])('is refused with %o', (wrong, code, field) => {
    expect(order(wrong)).toMatchObject({ code, field });
  });

  test('is refused as it is, without fields of an order', () => {
    expect(order({ quantity: undefined })).toEqual({
      code: 'quantity-missing',
      field: 'quantity',
      message: 'The order needs a quantity.',
    });
  });

  test('has flags that are true or false', () => {
    expect(order({ postOnly: 'no' })).toEqual({
      code: 'request-invalid',
      field: 'postOnly',
      message: 'postOnly is "no" and must be true or false.',
      limit: 'true, false',
    });
    expect(order({ postOnly: true })).toMatchObject({ postOnly: true });
  });
});

describe('the form of a replacement', () => {
  test('becomes whole ticks and lots on the nearest steps', () => {
    const price = decimal('99.996');
    const quantity = decimal('0.0051');
    expect(change({ quantity, price })).toEqual({ lots: 5, ticks: 10_000 });
    expect(change({ quantity, price, stopPrice: decimal('98.004') }, 'stopLimit')).toEqual({
      lots: 5,
      ticks: 10_000,
      stopTicks: 9_800,
    });
  });

  test('needs the quantity, and the price where the type has one', () => {
    const quantity = decimal('1');
    expect(change({ price: decimal('1') })).toEqual({
      code: 'quantity-missing',
      field: 'quantity',
      message: 'A replacement needs the new quantity.',
    });
    expect(change({ quantity })).toEqual({
      code: 'price-missing',
      field: 'price',
      message: 'A replacement of a limit order needs the price.',
    });
    // A stop price that is not given stays.
    expect(change({ quantity }, 'stopMarket')).toEqual({ lots: 1_000 });
  });

  test('takes no price that the type does not have', () => {
    const quantity = decimal('1');
    const price = decimal('1');
    expect(change({ quantity, price }, 'stopMarket')).toMatchObject({
      code: 'type-invalid',
      field: 'price',
    });
    expect(change({ quantity, price, stopPrice: price }, 'limit')).toMatchObject({
      code: 'type-invalid',
      field: 'stopPrice',
    });
  });

  test.each([
    [{ quantity: decimal('0.0051') }, 'quantity-off-increment'],
    [{ price: decimal('1.001') }, 'price-off-tick'],
    [{ stopPrice: decimal('1.001') }, 'stop-price-off-tick'],
  ])('is refused off the grid where it asks for that: %o', (wrong, code) => {
    const form = { quantity: decimal('1'), price: decimal('1'), stopPrice: decimal('1') };
    expect(change({ ...form, ...wrong, strictValidate: true }, 'stopLimit')).toMatchObject({
      code,
    });
    expect(change({ ...form, ...wrong }, 'stopLimit')).toHaveProperty('lots');
  });

  test('has flags that are true or false', () => {
    const strictValidate = 'yes' as unknown as boolean;
    expect(change({ quantity: decimal('1'), price: decimal('1'), strictValidate })).toMatchObject({
      code: 'request-invalid',
      field: 'strictValidate',
    });
  });
});
