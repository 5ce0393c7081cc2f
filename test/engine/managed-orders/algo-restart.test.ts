import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { AccountGateway } from '../../../src/engine/account-gateway.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { restoreOrders } from '../../../src/engine/orders/restored.ts';
import { testFeed } from '../../../src/engine/test-kit/feed.ts';
import { amount, dca, defineStrategy, grid, iceberg, rate, twap, z } from '../../../src/index.ts';
import type { AlgoOrder } from '../../../src/model/algo-order.ts';
import { Amount } from '../../../src/model/amount.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { ManagedState } from '../../../src/model/managed-state.ts';
import { isActive, type Order, type VenueOrder } from '../../../src/model/order.ts';
import { applyOrderEvent, pendingOrder } from '../../../src/model/order-reducer.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { Fill, Report } from '../../../src/model/report.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { runs, seed } from '../../kit/size.ts';
import { TERMS } from '../rig.ts';

const NAME = 'tested';
const instrument = new Instrument(TERMS);

/** A venue whose answers the test gives out: it fills what it is told to, whoever listens. */
class Venue {
  readonly orders = new Map<string, VenueOrder>();
  readonly fills: Fill[] = [];
  listener: ((report: Report) => void) | undefined;
  readonly #clock: VirtualScheduler;

  constructor(clock: VirtualScheduler) {
    this.#clock = clock;
  }

  request(request: OrderRequest): void {
    if (request.kind === 'cancel') {
      this.end(request.clientOrderId, 'canceled');
      return;
    }
    if (request.kind !== 'place') throw new Error(`a ${request.kind} is not expected`);
    const { kind: _, ...terms } = request;
    const at = this.#clock.now();
    const order: VenueOrder = {
      ...terms,
      id: this.orders.size + 1,
      status: 'new',
      filledLots: lots(0),
      createdAt: at,
      updatedAt: at,
    };
    this.#tell('new', order);
  }

  end(clientOrderId: string, status: 'canceled' | 'expired'): void {
    const order = this.orders.get(clientOrderId);
    if (order !== undefined && isActive(order.status)) this.#tell(status, { ...order, status });
  }

  fill(order: VenueOrder, count: number): void {
    const filledLots = lots(order.filledLots + count);
    const status = filledLots === order.lots ? 'filled' : 'partiallyFilled';
    const { clientOrderId, symbol, side } = order;
    const fill: Fill = {
      id: this.fills.length + 1,
      clientOrderId,
      symbol,
      side,
      lots: lots(count),
      ticks: order.ticks ?? ticks(100),
      fee: Amount.count(0),
      feeCurrency: 'USDT',
      taker: true,
      at: this.#clock.now(),
    };
    this.fills.push(fill);
    this.#tell('trade', { ...order, filledLots, status }, fill);
  }

  get open(): readonly VenueOrder[] {
    return [...this.orders.values()].filter(({ status }) => isActive(status));
  }

  #tell(kind: 'new' | 'canceled' | 'expired' | 'trade', order: VenueOrder, fill?: Fill): void {
    const at = this.#clock.now();
    this.orders.set(order.clientOrderId, { ...order, updatedAt: at });
    this.listener?.({ kind, at, order, ...(fill && { fill }) } as Report);
  }
}

/** The orders of the venue as a start finds them: with all fills, and canceled where they stood. */
const foundAt = (venue: Venue): readonly Order[] =>
  [...venue.orders.values()].map((order) => {
    const requester = { strategy: NAME, managed: true, requestedAt: order.createdAt };
    const fills = venue.fills.filter((one) => one.clientOrderId === order.clientOrderId);
    const received = fills.reduce(
      (known, fill) => {
        const report = { kind: 'trade', at: fill.at, order, fill } as const;
        return applyOrderEvent(known, report, fill.at);
      },
      pendingOrder(order, requester),
    );
    return applyOrderEvent(received, { kind: 'status', at: order.updatedAt, order } as never, order.updatedAt); // prettier-ignore
  });

/** A process: an engine that goes on from what the disk has, and what it said last of its algo order. */
function life(command: Command, venue: Venue, clock: VirtualScheduler, disk: Map<string, string>) {
  const memory = new Map<string, string>();
  const commands = new Subject<Command>();
  let told: AlgoOrder | undefined;
  const logs: string[] = [];
  let isDead = false;
  const queue: (() => void)[] = [];
  const account = new AccountGateway({
    venue: {
      venue: 'model',
      instruments: [instrument],
      connect: (listener) => {
        venue.listener = (report) => queue.push(() => listener(report));
      },
      send: (request) => {
        // What was saved before is on the disk with the request.
        for (const [id, state] of memory) disk.set(id, state);
        queue.push(() => venue.request(request));
      },
    },
    scheduler: clock,
    strategy: NAME,
  });
  restoreOrders(account.store, foundAt(venue));
  const engine = new Engine({
    scheduler: clock,
    gateway: Object.assign(account, {
      save: (id: string, state: ManagedState | undefined) => {
        if (!isDead) memory.set(id, JSON.stringify(state));
      },
    }),
    strategy: defineStrategy({
      name: NAME,
      summary: 'A test.',
      parameters: z.object({}),
      run: () => commands,
    }),
    parameters: {},
    clientOrderIdPrefix: 'test',
    previousLife: {
      lastOrderNumber: venue.orders.size,
      entries: new Map(),
      managed: [...disk.values()].map((state) => JSON.parse(state) as ManagedState),
      fillsOf: (id) => venue.fills.filter(({ clientOrderId }) => clientOrderId === id),
    },
    audit: (event) => {
      if (event.kind === 'algo-order' && !isDead) told = event.order;
      if (event.kind === 'log') logs.push(event.message);
    },
  });
  engine.start();
  commands.next(command);
  return {
    engine,
    logs,
    get told() {
      return told;
    },
    /** Lets requests and reports arrive that are on their way, or as many of them. */
    deliver: (count = Number.POSITIVE_INFINITY): void => {
      for (let done = 0; done < count && queue.length > 0; done += 1) queue.shift()?.();
    },
    flush: (): void => {
      for (const [id, state] of memory) disk.set(id, state);
    },
    kill: (): void => {
      isDead = true;
      venue.listener = undefined;
      engine.stop();
    },
  };
}

const COMMANDS = {
  twap: twap('BTCUSDT', {
    id: 'algo-0001',
    side: 'buy',
    lots: 23,
    over: 30_000,
    slices: 7,
    atEnd: 'market',
  }),
  grid: grid('BTCUSDT', { id: 'algo-0001', lowTicks: 80, highTicks: 100, levels: 3, lots: 5 }),
  dca: dca('BTCUSDT', {
    id: 'algo-0001',
    value: amount('0.01'),
    every: 4_000,
    max: 3,
    takeProfit: rate('0.1'),
  }),
  iceberg: iceberg('BTCUSDT', {
    id: 'algo-0001',
    side: 'sell',
    ticks: 99,
    lots: 17,
    visibleLots: 4,
  }),
} as const;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({
  kind: fc.constantFrom('deliver', 'fill', 'fill', 'expire', 'time', 'kill', 'flush'),
  count: fc.integer({ min: 1, max: 5 }),
});

/** What a venue and the processes that trade there come to by these steps. */
function played(command: Command, steps: readonly Step[]) {
  const clock = new VirtualScheduler(micros(0));
  const venue = new Venue(clock);
  const disk = new Map<string, string>();
  let bot = life(command, venue, clock, disk);
  let second = 0;
  const market = (): void => {
    second += 1;
    const at = new Date(second * 1_000).toISOString().slice(11, 19);
    const book = { at, bids: [['0.99', 9 + (second % 2)]], asks: [['1.01', 9]] } as const;
    const columns = testFeed(instrument, [book], undefined);
    for (let row = 0; row < columns.length; row += 1) {
      clock.advanceTo(micros(second * 1_000_000));
      bot.engine.market(0, columns, row);
    }
  };
  market();
  for (const { kind, count } of steps) {
    const order = venue.open[count % Math.max(1, venue.open.length)];
    if (kind === 'deliver') bot.deliver(count);
    else if (kind === 'time') for (let n = 0; n < count; n += 1) market();
    else if (kind === 'flush') bot.flush();
    else if (kind === 'fill' && order !== undefined) {
      venue.fill(order, Math.min(count, order.lots - order.filledLots));
    } else if (kind === 'expire' && order !== undefined) {
      venue.end(order.clientOrderId, 'expired');
    } else if (kind === 'kill') {
      bot.kill();
      // A start cancels managed orders first.
      for (const one of venue.open) venue.end(one.clientOrderId, 'canceled');
      bot = life(command, venue, clock, disk);
    }
  }
  market();
  bot.deliver();
  const traded = (side: 'buy' | 'sell'): number =>
    venue.fills.reduce((sum, fill) => sum + (fill.side === side ? fill.lots : 0), 0);
  return { bot, venue, market, traded };
}

test.each(['twap', 'iceberg'] as const)(
  'a %s fills its quantity and no lot more, whenever the process is killed',
  (kind) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { bot, venue, market, traded } = played(COMMANDS[kind], steps);
        for (let turn = 0; turn < 400 && bot.told?.status !== 'filled'; turn += 1) {
          market();
          bot.deliver();
          for (const order of venue.open) venue.fill(order, order.lots - order.filledLots);
          bot.deliver();
        }
        const { lots: asked, side } = COMMANDS[kind];
        expect(traded(side)).toBe(asked);
        const part = kind === 'twap' ? 'bought' : 'sold';
        expect(bot.told).toMatchObject({ status: 'filled', [part]: { lots: asked } });
      }),
      { numRuns: runs(300), seed: seed(7) },
    );
  },
);

test.each(['grid', 'dca'] as const)(
  'a %s knows what it traded, and sells no more than it bought, whenever the process is killed',
  (kind) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { bot, traded } = played(COMMANDS[kind], steps);
        const [bought, sold] = [traded('buy'), traded('sell')];
        expect(bot.told).toMatchObject({ bought: { lots: bought }, sold: { lots: sold } });
        expect(sold).toBeLessThanOrEqual(bought);
        // Two cells of 5, or three purchases of 9.
        expect(bought - sold).toBeLessThanOrEqual(kind === 'grid' ? 10 : 27);
      }),
      { numRuns: runs(300), seed: seed(7) },
    );
  },
);

test('a grid and a dca go on after a kill, with what they hold', () => {
  const all = [
    grid('BTCUSDT', { id: 'grid-0001', lowTicks: 80, highTicks: 100, levels: 3, lots: 5 }),
    dca('BTCUSDT', { id: 'dca-00001', value: amount('0.01'), drop: rate('0.1'), max: 3, takeProfit: rate('0.5') }), // prettier-ignore
  ];
  for (const [command, after] of [
    [
      all[0],
      [
        ['sell', 5, 100],
        ['buy', 5, 80],
      ],
    ],
    [all[1], [['sell', 9, 150]]],
  ] as const) {
    const clock = new VirtualScheduler(micros(0));
    const venue = new Venue(clock);
    const disk = new Map<string, string>();
    const first = life(command, venue, clock, disk);
    const book = testFeed(instrument, [{ at: '00:00:01', bids: [['0.99', 9]], asks: [['1.01', 9]] }], undefined); // prettier-ignore
    for (let row = 0; row < book.length; row += 1) first.engine.market(0, book, row);
    first.deliver();
    // The highest buy fills while nobody listens.
    first.kill();
    const [order] = venue.open.toSorted((one, other) => (other.ticks ?? 0) - (one.ticks ?? 0));
    if (order !== undefined) venue.fill(order, order.lots);
    for (const one of venue.open) venue.end(one.clientOrderId, 'canceled');
    const before = venue.orders.size;
    const second = life(command, venue, clock, disk);
    for (let row = 0; row < book.length; row += 1) second.engine.market(0, book, row);
    second.deliver();
    const placed = [...venue.orders.values()].slice(before);
    expect(placed.map(({ side, lots: count, ticks: at }) => [side, count, at])).toEqual(
      expect.arrayContaining([...after]),
    );
    expect(placed).toHaveLength(after.length);
  }
});

test.each([
  [{ grid: '0.1 1' }, 'BTCUSDT has other price steps now'],
  [{ symbol: 'ETHUSDT' }, 'ETHUSDT is not traded any more'],
])('one that cannot go on is said, and its id stays taken: %j', (changed, why) => {
  const clock = new VirtualScheduler(micros(0));
  const venue = new Venue(clock);
  const disk = new Map<string, string>();
  const first = life(COMMANDS.twap, venue, clock, disk);
  first.flush();
  first.kill();
  for (const [key, state] of disk) {
    disk.set(key, JSON.stringify({ ...(JSON.parse(state) as ManagedState), ...changed }));
  }
  const book = testFeed(instrument, [{ at: '00:00:01', bids: [['0.99', 9]], asks: [['1.01', 9]] }], undefined); // prettier-ignore
  const logs: string[] = [];
  const ordersOf = (left: Map<string, string>): number => {
    const bot = life(COMMANDS.twap, venue, clock, left);
    for (let row = 0; row < book.length; row += 1) bot.engine.market(0, book, row);
    bot.deliver();
    logs.push(...bot.logs);
    return venue.orders.size;
  };
  expect(ordersOf(disk)).toBe(0);
  expect(logs).toContain(`The twap algo-0001 of before the start is not resumed: ${why}.`);
  expect(ordersOf(new Map())).toBe(1);
});
