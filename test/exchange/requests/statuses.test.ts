import { describe, expect, test } from 'vitest';
import { Floor, instrumentOf } from '../kit.ts';
import { serviceCode } from '../service-code.ts';

describe.each(['suspended', 'clearing'] as const)('a symbol that is %s', (status) => {
  const stopped = (): { floor: Floor; account: number } => {
    const floor = new Floor([
      instrumentOf(),
      instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
    ]);
    const account = floor.account({ USDT: '1000', BTC: '10' });
    floor.place(account, 'there', { side: 'buy', lots: 1, ticks: 10 });
    floor.exchange.statuses.set('BTCUSDT', status);
    floor.reported();
    return { floor, account };
  };

  test(
    'takes no new order',
    { tags: ['server:trading-v3.rule.symbol-not-working', 'server:trading-v3.error.20010'] },
    () => {
      const { floor, account } = stopped();
      const rejection = floor.place(account, 'new', { side: 'buy', lots: 1, ticks: 10 });
      expect(rejection).toMatchObject({
        code: 'symbol-suspended',
        field: 'symbol',
        limit: 'working',
      });
      expect(serviceCode(rejection)).toBe('400 20010');
      const other = { symbol: 'ETHUSDT', side: 'buy', lots: 1, ticks: 10 } as const;
      expect(floor.place(account, 'other', other)).toBeUndefined();
      floor.exchange.statuses.set('BTCUSDT', 'working');
      expect(floor.place(account, 'new', { side: 'buy', lots: 1, ticks: 10 })).toBeUndefined();
    },
  );

  test('takes no list with an order on it, and no replacement', () => {
    const { floor, account } = stopped();
    const order = { side: 'buy', lots: 1, ticks: 10 } as const;
    const list = floor.placeList(account, 'oneTriggerOther', [
      ['e', { ...order, symbol: 'ETHUSDT' }],
      ['b', order],
    ]);
    expect(list).toMatchObject({ code: 'symbol-suspended', field: 'orders[1].symbol' });
    expect(floor.replace(account, 'there', 'next', { lots: 2 })?.code).toBe('symbol-suspended');
    expect(floor.reported()).toEqual([]);
  });

  test('lets its orders be canceled, and fills them with what the market brings', () => {
    const { floor } = stopped();
    floor.trade('sell', 9, 1);
    expect(floor.events()).toEqual(['trade 1 there--- buy 1@10 maker filled 1/1']);
    const again = stopped();
    expect(again.floor.cancel(again.account, 'there')).toBeUndefined();
  });
});

test('a symbol that is none has no status', () => {
  const { statuses } = new Floor().exchange;
  expect(statuses.of(0)).toBe('working');
  expect(() => {
    statuses.set('NONE', 'suspended');
  }).toThrow('There is no symbol NONE here.');
});
