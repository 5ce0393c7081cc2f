import { expect, test } from 'vitest';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import type { Report } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../exchange/kit.ts';

test('a request arrives after the order latency and its reports come after the report latency', () => {
  const scheduler = new VirtualScheduler(micros(1_000));
  const venue = new SimulatedVenue({
    venue: 'simulated',
    instruments: [instrumentOf()],
    scheduler,
    latency: { orderUs: 300, reportUs: 200 },
    balances: new Map([['USDT', decimal('1000')]]),
  });
  const heard: [number, Report['kind']][] = [];
  venue.connect((report) => heard.push([scheduler.now(), report.kind]));
  venue.send({
    kind: 'place',
    clientOrderId: 'order-01',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    lots: lots(1),
    ticks: ticks(100),
    postOnly: false,
  });
  scheduler.advanceTo(micros(1_299));
  expect(venue.exchange.orders.issued).toBe(0);
  scheduler.advanceTo(micros(1_499));
  expect(venue.exchange.orders.issued).toBe(1);
  scheduler.advanceTo(micros(1_500));
  expect(heard).toEqual([
    [1_000, 'balance'],
    [1_000, 'balance'],
    [1_500, 'new'],
    [1_500, 'balance'],
  ]);
});
