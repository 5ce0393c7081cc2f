import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import type { ListForm } from '../../../src/rules/order-form.ts';
import { Floor, instrumentOf } from '../kit.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'sell', quantity: decimal('1'), price: decimal('1') };

/** What a list of a first order and more like it is refused with. */
function rejectedWith(contingencyType: string, ...more: object[]): string | undefined {
  const floor = new Floor([
    instrumentOf(),
    instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
  ]);
  const account = floor.account({ BTC: '10' });
  const orders = [ORDER, ...more.map((one) => ({ ...ORDER, ...one }))];
  const form = { contingencyType, orders } as ListForm;
  return floor.exchange.forms.placeList(account, form, micros(floor.at))?.code;
}

test('a list in decimals is held against the rules of lists', () => {
  expect(rejectedWith('oneCancelOther')).toBe('order-count-invalid');
  expect(rejectedWith('oneCancelOther', {})).toBe('type-invalid');
  expect(rejectedWith('nonesuch', {})).toBe('contingency-type-invalid');
  expect(rejectedWith('oneTriggerOneCancelOther', { symbol: 'ETHUSDT' }, {})).toBe(
    'list-symbols-invalid',
  );
  expect(rejectedWith('oneTriggerOther', {})).toBeUndefined();
});
