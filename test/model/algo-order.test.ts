import { expect, test } from 'vitest';
import { algoTexts, type AlgoOrder } from '../../src/model/algo-order.ts';
import { decimal } from '../../src/model/decimal.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';

const ORDER: AlgoOrder = {
  id: 'twap-1',
  kind: 'twap',
  symbol: 'BTCUSDT',
  status: 'working',
  bought: { lots: lots(0) },
  sold: { lots: lots(0) },
  startedAt: micros(1),
};

test('an algo order has its numbers as text, and no member for what is absent', () => {
  expect(algoTexts(ORDER, instrumentOf())).toEqual({
    id: 'twap-1',
    kind: 'twap',
    symbol: 'BTCUSDT',
    status: 'working',
    bought: '0',
    sold: '0',
  });
  expect(Object.keys(algoTexts(ORDER, instrumentOf()))).toHaveLength(6);
});

test('an algo order shows what it traded and at which mean prices', () => {
  const order: AlgoOrder = {
    ...ORDER,
    margin: 'cross',
    side: 'buy',
    why: 'The venue closed.',
    lots: lots(300),
    bought: { lots: lots(200), averagePrice: decimal('1.23') },
    sold: { lots: lots(100), averagePrice: decimal('4.5') },
    arrivalPrice: decimal('1.2'),
    slippage: decimal('0.03'),
  };
  expect(algoTexts(order, instrumentOf())).toEqual({
    id: 'twap-1',
    kind: 'twap',
    symbol: 'BTCUSDT',
    status: 'working',
    margin: 'cross',
    side: 'buy',
    why: 'The venue closed.',
    quantity: '0.003',
    bought: '0.002',
    boughtPrice: '1.23',
    sold: '0.001',
    soldPrice: '4.5',
    arrivalPrice: '1.2',
    slippage: '0.03',
  });
});
