import fc from 'fast-check';
import { filter, ignoreElements, merge, Subject, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AccountGateway } from '../../../src/engine/account-gateway.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { eventColumns, LAST, TRADE } from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import type { GridSide } from '../../../src/engine/managed-orders/on-grid.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { quote, target } from '../../../src/strategy/managed-orders.ts';
import { ChaosVenue } from '../../kit/chaos-venue.ts';
import { TERMS } from '../rig.ts';

type ManagedOrder = Extract<Command, { kind: 'target' | 'quote' }>;

interface Step {
  readonly waitMs: number;
  readonly managedOrder: ManagedOrder;
}

const side = (low: number, high: number): fc.Arbitrary<GridSide | undefined> =>
  fc.option(
    fc.record({
      ticks: fc.integer({ min: low, max: high }).map(ticks),
      lots: fc.integer({ min: 1, max: 20 }).map(lots),
    }),
    { nil: undefined },
  );

const managedOrders: fc.Arbitrary<ManagedOrder> = fc.oneof(
  fc.integer({ min: 0, max: 50 }).map((count) => target('BTCUSDT', { lots: count })),
  // Bids and asks overlap between quotes, never within one.
  fc
    .tuple(
      fc.integer({ min: 90, max: 105 }),
      fc.integer({ min: 1, max: 5 }),
      side(0, 0),
      side(0, 0),
    )
    .map(([bid, spread, buys, sells]) =>
      quote('BTCUSDT', {
        bid: buys && { ...buys, ticks: bid },
        ask: sells && { ...sells, ticks: bid + spread },
      }),
    ),
);

const steps = fc.array(
  fc.record({ waitMs: fc.integer({ min: 0, max: 400 }), managedOrder: managedOrders }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

/** Runs the managed orders against the venue, then lets it calm down; throws where an invariant breaks. */
function runAll(plan: readonly Step[], seed: number, inOrder: boolean): void {
  const clock = new VirtualScheduler(micros(0));
  const instrument = new Instrument(TERMS);
  const venue = new ChaosVenue(instrument, clock, new Random(seed), inOrder, 25);
  const commands = new Subject<Command>();
  const filled = { buy: 0, sell: 0 };
  const strategy = defineStrategy({
    name: 'wisher',
    summary: 'Wishes.',
    parameters: z.object({}),
    run: ({ account }) =>
      merge(
        commands,
        account.fills().pipe(
          filter(({ taker }) => !taker),
          tap((fill) => (filled[fill.side] += fill.lots)),
          ignoreElements(),
        ),
      ),
  });
  const engine = new Engine({
    scheduler: clock,
    gateway: new AccountGateway({ venue, scheduler: clock, strategy: strategy.name }),
    strategy,
    parameters: {},
    clientOrderIdPrefix: 'wish',
  });
  let managedOrder: ManagedOrder | undefined;
  venue.check = () => checkVenue(venue);
  venue.onSend = (request) => checkRequest(request, managedOrder, venue.heldLots);
  const trade = eventColumns(1);
  trade.kind[0] = TRADE;
  trade.flags[0] = LAST;
  trade.price[0] = 100;
  trade.size[0] = 1;
  const pass = (ms: number): void => {
    const end = clock.now() + ms * 1_000;
    while (clock.now() < end) {
      clock.advanceTo(micros(Math.min(end, clock.now() + 50_000)));
      engine.market(0, trade, 0);
    }
  };
  engine.start();
  for (const step of plan) {
    managedOrder = step.managedOrder;
    filled.buy = 0;
    filled.sell = 0;
    commands.next(step.managedOrder);
    pass(step.waitMs);
  }
  const stormy = venue.requests.length;
  expect(stormy).toBeLessThanOrEqual(plan.reduce((sum, { waitMs }) => sum + 6 + waitMs / 40, 0));
  venue.calm = true;
  pass(140_000);
  expect(venue.requests.length - stormy).toBeLessThanOrEqual(12);
  const quiet = venue.requests.length;
  pass(10_000);
  expect(venue.requests.length).toBe(quiet);
  if (managedOrder !== undefined) checkTrue(managedOrder, venue, filled);
  engine.stop();
}

/** Never two orders on a side, never a bid that meets an ask. */
function checkVenue(venue: ChaosVenue): void {
  const bids = venue.active('buy');
  const asks = venue.active('sell');
  expect(bids.length).toBeLessThanOrEqual(1);
  expect(asks.length).toBeLessThanOrEqual(1);
  const [bid, ask] = [bids.at(0)?.ticks, asks.at(0)?.ticks];
  if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask);
}

/** A market order never reaches beyond the target, whatever is still to be reported. */
function checkRequest(
  request: OrderRequest,
  managedOrder: ManagedOrder | undefined,
  heldLots: number,
): void {
  if (request.kind !== 'place' || request.type !== 'market') return;
  if (managedOrder?.kind !== 'target' || !('lots' in managedOrder.hold))
    throw new Error('a market order without a target');
  if (request.side === 'buy')
    expect(heldLots + request.lots).toBeLessThanOrEqual(managedOrder.hold.lots);
  else expect(heldLots - request.lots).toBeGreaterThanOrEqual(managedOrder.hold.lots);
}

function checkTrue(
  managedOrder: ManagedOrder,
  venue: ChaosVenue,
  filled: { buy: number; sell: number },
): void {
  if (managedOrder.kind === 'target') {
    expect(venue.heldLots).toBe('lots' in managedOrder.hold ? managedOrder.hold.lots : Number.NaN);
    expect([...venue.active('buy'), ...venue.active('sell')]).toEqual([]);
    return;
  }
  for (const [name, wanted] of [
    ['buy', managedOrder.bid] as const,
    ['sell', managedOrder.ask] as const,
  ]) {
    const order = venue.active(name).at(0);
    const open = order === undefined ? 0 : order.lots - order.filledLots;
    expect(open).toBe(Math.max(0, (wanted?.lots ?? 0) - filled[name]));
    if (order !== undefined) expect(order.ticks).toBe(wanted?.ticks);
  }
}

test('whatever a venue does, managed orders reach their target in the end, with one order a side and no overshoot', () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 0, max: 2 ** 31 }),
      fc.boolean(),
      (plan, seed, inOrder) => {
        runAll(plan, seed, inOrder);
      },
    ),
    { numRuns: 300 },
  );
});
