import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../../../src/model/report.ts';
import { isActive } from '../../../src/model/order.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { runs, seed } from '../../kit/size.ts';
import { Bench, order } from './bench.ts';

type Step =
  | {
      readonly kind: 'place';
      readonly side: 'buy' | 'sell';
      readonly ticks: number;
      readonly lots: number;
    }
  | {
      readonly kind: 'stop';
      readonly side: 'buy' | 'sell';
      readonly ticks: number;
      readonly lots: number;
    }
  | { readonly kind: 'exits'; readonly ticks: number; readonly lots: number }
  | { readonly kind: 'bracket'; readonly ticks: number; readonly lots: number }
  | {
      readonly kind: 'replace' | 'cancel';
      readonly which: number;
      readonly lots: number;
      readonly ticks: number;
    }
  | {
      readonly kind: 'trade';
      readonly side: 'buy' | 'sell';
      readonly ticks: number;
      readonly lots: number;
    }
  | { readonly kind: 'restart' };

const side = fc.constantFrom('buy' as const, 'sell' as const);
const level = fc.integer({ min: 90, max: 110 });
const size = fc.integer({ min: 1, max: 5 });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('place' as const), side, ticks: level, lots: size }),
  fc.record({ kind: fc.constant('stop' as const), side, ticks: level, lots: size }),
  fc.record({ kind: fc.constant('exits' as const), ticks: level, lots: size }),
  fc.record({ kind: fc.constant('bracket' as const), ticks: level, lots: size }),
  fc.record({
    kind: fc.constantFrom('replace' as const, 'cancel' as const),
    which: fc.nat({ max: 9 }),
    lots: size,
    ticks: level,
  }),
  fc.record({ kind: fc.constant('trade' as const), side, ticks: level, lots: size }),
  fc.constant({ kind: 'restart' as const }),
);

let numbers = 0;
const name = (): string => `order-${String((numbers += 1)).padStart(6, '0')}`;

/** Names of the orders that the journal holds for open. */
const openNames = (bench: Bench): readonly string[] =>
  [...bench.orders.values()]
    .filter(({ venueOrder }) => venueOrder !== undefined && isActive(venueOrder.status))
    .map(({ clientOrderId }) => clientOrderId)
    .sort();

function take(bench: Bench, one: Exclude<Step, { kind: 'restart' }>): void {
  switch (one.kind) {
    case 'place':
      bench.place(name(), one);
      break;
    case 'stop':
      bench.place(name(), {
        ...one,
        kind: undefined,
        type: 'stopLimit',
        stopTicks: one.ticks,
      } as never);
      break;
    case 'exits':
      bench.list('oneCancelOther', ...exits(one.ticks, one.lots));
      break;
    case 'bracket':
      bench.list(
        'oneTriggerOneCancelOther',
        order(name(), { ticks: one.ticks, lots: one.lots }),
        ...exits(one.ticks, one.lots),
      );
      break;
    case 'replace':
    case 'cancel':
      change(bench, one);
      break;
    case 'trade':
      bench.trade(one.ticks, one.lots, one.side);
      break;
  }
}

const exits = (around: number, quantity: number) => [
  order(name(), { side: 'sell', ticks: around + 3, lots: quantity }),
  order(name(), { side: 'sell', type: 'stopMarket', stopTicks: around - 3, lots: quantity }),
];

function change(bench: Bench, one: Extract<Step, { kind: 'replace' | 'cancel' }>): void {
  const names = openNames(bench);
  const clientOrderId = names[one.which % Math.max(1, names.length)];
  if (clientOrderId === undefined) return;
  const symbol = 'BTCUSDT';
  if (one.kind === 'cancel') {
    bench.send({ kind: 'cancel', clientOrderId, symbol });
    bench.pass();
    return;
  }
  const { filledLots, stopTicks, ticks: price } = bench.order(clientOrderId);
  const newClientOrderId = name();
  bench.send({
    kind: 'replace',
    clientOrderId,
    newClientOrderId,
    symbol,
    lots: lots(filledLots + one.lots),
    ...(price === undefined ? {} : { ticks: ticks(one.ticks) }),
    ...(stopTicks === undefined ? {} : { stopTicks }),
  });
  bench.pass();
  const [reported] = bench.reported(newClientOrderId);
  if (!reported.startsWith('replaced')) return;
  expect(bench.order(newClientOrderId).lots).toBe(filledLots + one.lots);
}

const fillsOf = (received: readonly Report[]) =>
  received.flatMap((report) => (report.kind === 'trade' ? [report.fill] : []));

/** Money and fills belong together to the last digit, whatever lives lie between. */
function checkMoney(bench: Bench, received: readonly Report[]): void {
  const fills = fillsOf(received);
  expect(new Set(fills.map(({ id, side: of }) => `${id} ${of}`)).size).toBe(fills.length);
  let [btc, usdt] = [20, 1000];
  for (const { side: of, lots: filled, ticks: at } of fills) {
    const sign = of === 'buy' ? 1 : -1;
    btc += sign * filled;
    usdt -= sign * filled * at;
  }
  expect(Object.fromEntries(bench.balances)).toEqual({ BTC: `${btc}`, USDT: `${usdt}` });
}

/** What is said to be executed of an order are its fills, and those of the orders it replaced. */
function checkOrders(received: readonly Report[]): void {
  const filled = new Map<string, number>();
  for (const { clientOrderId, lots: count } of fillsOf(received)) {
    filled.set(clientOrderId, (filled.get(clientOrderId) ?? 0) + count);
  }
  const origins = new Map<string, string>();
  const last = new Map<string, number>();
  for (const report of received) {
    if (!('order' in report)) continue;
    const { clientOrderId, originalClientOrderId, filledLots } = report.order;
    if (originalClientOrderId !== undefined) origins.set(clientOrderId, originalClientOrderId);
    last.set(clientOrderId, filledLots);
  }
  for (const [clientOrderId, executed] of last) {
    let sum = 0;
    for (let id: string | undefined = clientOrderId; id !== undefined; id = origins.get(id)) {
      sum += filled.get(id) ?? 0;
    }
    expect(executed, clientOrderId).toBe(sum);
  }
}

/** Every open order goes on as it was; only its number and its place in the queue are new. */
async function restart(bench: Bench): Promise<Bench> {
  const names = openNames(bench);
  const before = names.map((id) => lasting(bench, id));
  const next = await bench.restart();
  next.pass();
  expect(openNames(next)).toEqual(names);
  expect(names.map((id) => lasting(next, id))).toEqual(before);
  return next;
}

function lasting(bench: Bench, clientOrderId: string) {
  const { id, updatedAt, ...rest } = bench.order(clientOrderId);
  expect([id > 0, updatedAt > 0, rest.filledLots < rest.lots]).toEqual([true, true, true]);
  return rest;
}

async function live(steps: readonly Step[]): Promise<void> {
  let bench = await Bench.open();
  bench.quote(80, 120);
  const received: Report[] = [];
  for (const one of steps) {
    if (one.kind !== 'restart') {
      take(bench, one);
      continue;
    }
    received.push(...bench.received);
    bench = await restart(bench);
    bench.quote(80, 120);
  }
  received.push(...bench.received);
  const { orders } = await bench.snapshot();
  expect(orders.map(({ clientOrderId }) => clientOrderId).sort()).toEqual(openNames(bench));
  for (const one of orders) expect(one).toEqual(bench.order(one.clientOrderId));
  checkMoney(bench, received);
  checkOrders(received);
}

test('money, orders and fills agree to the last digit over any number of runs', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), live), {
    seed: seed(414),
    numRuns: runs(150),
  });
});
