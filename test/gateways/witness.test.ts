import { expect, test } from 'vitest';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { Report } from '../../src/model/report.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../kit/instruments.ts';

test('an observer gets events when they happen, the listener after the latency, both the same', () => {
  const scheduler = new VirtualScheduler(micros(0));
  const seen: [number, Report][] = [];
  const received: [number, Report][] = [];
  const venue = new SimulatedVenue({
    venue: 'here',
    instruments: [instrumentOf()],
    scheduler,
    latency: { orderUs: 20, reportUs: 7 },
    balances: new Map([['USDT', new Decimal(100)]]),
    observer: (report) => seen.push([scheduler.now(), report]),
  });
  venue.connect((report) => received.push([scheduler.now(), report]));
  const opening = received.splice(0);
  expect(opening.map(([, { kind }]) => kind)).toEqual(['balance', 'balance']);
  expect(seen, 'opening balances are no news').toEqual([]);
  venue.send({
    kind: 'place',
    clientOrderId: 'order-0001',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    timeInForce: 'FOK',
    lots: lots(1),
    postOnly: false,
  });
  scheduler.advanceTo(micros(100));
  expect(seen.map(([at, report]) => [at, report.kind])).toEqual([[20, 'expired']]);
  expect(received).toEqual(seen.map(([at, report]) => [at + 7, report]));
});
