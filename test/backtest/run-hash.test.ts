import { expect, test } from 'vitest';
import { RunHash } from '../../src/backtest/run-hash.ts';
import { Amount } from '../../src/model/amount.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { NewOrder, VenueOrder } from '../../src/model/order.ts';
import type { Fill } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { cancel } from '../../src/strategy/orders.ts';

test('a hash depends on the order, the kind and each value of events', () => {
  const hash = (...lines: [string, unknown][]): string => {
    const run = new RunHash();
    for (const [what, value] of lines) run.add(what, value);
    return run.digest();
  };
  const one = hash(['a', 1], ['b', 2]);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(hash(['a', 1], ['b', 2])).toBe(one);
  expect(hash(['b', 2], ['a', 1])).not.toBe(one);
  expect(hash(['a', 2], ['b', 1])).not.toBe(one);
  expect(hash(['a', 1], ['b', '2'])).not.toBe(one);
});

test('a hash depends on each field of requests and reports', () => {
  const at = micros(1);
  const terms: NewOrder = {
    clientOrderId: 'one-000001',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    lots: lots(3),
    ticks: ticks(100),
    postOnly: false,
  };
  const order: VenueOrder = {
    ...terms,
    id: 7,
    status: 'partiallyFilled',
    filledLots: lots(1),
    createdAt: at,
    updatedAt: at,
  };
  const fill: Fill = {
    id: 9,
    clientOrderId: 'one-000001',
    symbol: 'BTCUSDT',
    side: 'buy',
    ticks: ticks(100),
    lots: lots(1),
    fee: Amount.units(5, 2),
    feeCurrency: 'USDT',
    taker: true,
    at,
  };
  const trade =
    (change: Partial<Fill>, of: Partial<VenueOrder> = {}) =>
    (hash: RunHash): void =>
      hash.report({ kind: 'trade', at, order: { ...order, ...of }, fill: { ...fill, ...change } });
  const place =
    (change: Partial<NewOrder>) =>
    (hash: RunHash): void =>
      hash.request(at, { kind: 'place', ...terms, ...change });
  const rows: readonly ((hash: RunHash) => void)[] = [
    (hash) => hash.command(at, cancel('one-000001'), false),
    (hash) => hash.command(at, cancel('one-000001'), true),
    (hash) => hash.command(at, cancel('one-000002'), false),
    place({}),
    place({ side: 'sell' }),
    place({ type: 'stopLimit' }),
    place({ timeInForce: 'IOC' }),
    place({ lots: lots(4) }),
    place({ ticks: ticks(101) }),
    place({ stopTicks: ticks(101) }),
    place({ expireAt: micros(2) }),
    place({ postOnly: true }),
    place({ takeRate: new Decimal('0.1') }),
    place({ makeRate: new Decimal('0.1') }),
    (hash) => hash.request(at, { kind: 'cancel', clientOrderId: 'one-000001', symbol: 'BTCUSDT' }),
    trade({}),
    trade({ id: 10 }),
    trade({ side: 'sell' }),
    trade({ ticks: ticks(99) }),
    trade({ lots: lots(2) }),
    trade({ fee: Amount.units(5, 3) }),
    trade({ fee: Amount.units(2n ** 60n, 2) }),
    trade({ feeCurrency: 'BTC' }),
    trade({ taker: false }),
    trade({}, { id: 8 }),
    trade({}, { status: 'filled' }),
    trade({}, { filledLots: lots(2) }),
    trade({}, { orderListId: 'one-000001' }),
    trade({}, { inactive: true }),
    ...(['new', 'suspended', 'canceled', 'expired', 'replaced', 'status'] as const).map(
      (kind) => (hash: RunHash) => hash.report({ kind, at, order }),
    ),
    (hash) => hash.refused(at, { code: 'price-missing', field: 'price', message: 'No.' }),
    (hash) => hash.refused(at, { code: 'price-missing', message: 'No.' }),
  ];
  const hashes = rows.map((add) => {
    const hash = new RunHash();
    add(hash);
    return hash.digest();
  });
  expect(new Set(hashes).size).toBe(rows.length);
});
