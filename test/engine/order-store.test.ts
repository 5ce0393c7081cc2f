import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderRequest } from '../../src/model/order-request.ts';
import { OrderStore } from '../../src/engine/orders/order-store.ts';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import { isActive, isOpen, type NewOrder, type Order } from '../../src/model/order.ts';
import type { OrderReport, RejectReport, Report } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros, type Micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../exchange/kit.ts';
import { runs } from '../kit/size.ts';

type Reported = OrderReport | RejectReport;

/** One step: a request by numbers, or a row of the market. */
interface Step {
  readonly kind: 'place' | 'oco' | 'otoco' | 'replace' | 'cancel' | 'trade' | 'quote';
  readonly a: number;
  readonly b: number;
  readonly isBuy: boolean;
}

const step = fc.record<Step>({
  kind: fc.constantFrom('place', 'oco', 'otoco', 'replace', 'cancel', 'trade', 'trade', 'quote'),
  a: fc.nat(99),
  b: fc.nat(99),
  isBuy: fc.boolean(),
});

const TYPES = ['limit', 'limit', 'limit', 'market', 'stopLimit', 'stopMarket'] as const;

/** An exchange with one account, and the orders that somebody keeps by its reports alone. */
class Pair {
  readonly scheduler = new VirtualScheduler(micros(1_000));
  readonly reported: Reported[] = [];
  readonly requests: { readonly request: OrderRequest; readonly at: Micros }[] = [];
  readonly #venue: SimulatedVenue;
  readonly #ids: string[] = [];

  constructor(steps: readonly Step[]) {
    this.#venue = new SimulatedVenue({
      venue: 'simulated',
      instruments: [instrumentOf()],
      scheduler: this.scheduler,
      latency: { orderUs: 0, reportUs: 0 },
      balances: new Map([
        ['USDT', decimal('100000')],
        ['BTC', decimal('1000')],
      ]),
      exchange: { nameHoldUs: 0 },
    });
    this.#venue.connect((report) => this.#receive(report));
    for (const one of steps) {
      this.scheduler.advanceTo(micros(this.scheduler.now() + 10));
      this.#do(one);
      this.scheduler.advanceTo(micros(this.scheduler.now() + 10));
    }
  }

  #receive(report: Report): void {
    if (report.kind !== 'balance' && report.kind !== 'outcome-unknown') this.reported.push(report);
  }

  #do(one: Step): void {
    const { kind, a, b } = one;
    if (kind === 'trade' || kind === 'quote') {
      const columns = eventColumns(1);
      columns.kind[0] = kind === 'trade' ? TRADE : QUOTE;
      columns.flags[0] = LAST;
      columns.price[0] = 90 + (a % 20);
      columns.size[0] = 1 + (b % 6);
      columns.askPrice[0] = 91 + (a % 20) + (b % 3);
      columns.askSize[0] = 1 + (b % 6);
      this.#venue.market(0, columns, 0);
      return;
    }
    const request = this.#request(one);
    if (request === undefined) return;
    this.requests.push({ request, at: this.scheduler.now() });
    this.#venue.submit(request);
  }

  #request(one: Step): OrderRequest | undefined {
    const { kind, a, b } = one;
    const known = this.#ids[a % Math.max(1, this.#ids.length)] as string | undefined;
    if (kind === 'place') return { kind, ...this.#order(one, TYPES[b % TYPES.length]) };
    if (kind === 'oco' || kind === 'otoco') {
      const first = kind === 'oco' ? [] : [this.#order(one, 'limit')];
      const exit: Step = { ...one, isBuy: kind === 'otoco' ? !one.isBuy : one.isBuy };
      const orders = [...first, this.#order(exit, 'limit'), this.#order(exit, 'stopMarket')];
      const contingencyType = kind === 'oco' ? 'oneCancelOther' : 'oneTriggerOneCancelOther';
      return { kind: 'placeList', orderListId: orders[0].clientOrderId, contingencyType, orders };
    }
    if (known === undefined) return undefined;
    const named = { clientOrderId: known, symbol: 'BTCUSDT' };
    if (kind === 'cancel') return { kind, ...named };
    return {
      kind: 'replace',
      ...named,
      newClientOrderId: this.#id(),
      lots: lots(1 + (b % 9)),
      ticks: ticks(90 + (b % 20)),
    };
  }

  #order({ a, b, isBuy }: Step, type: (typeof TYPES)[number]): NewOrder {
    const hasPrice = type === 'limit' || type === 'stopLimit';
    return {
      clientOrderId: this.#id(),
      symbol: 'BTCUSDT',
      side: isBuy ? 'buy' : 'sell',
      type,
      timeInForce: type === 'market' ? 'IOC' : type === 'stopMarket' ? 'FOK' : 'GTC',
      lots: lots(1 + (b % 9)),
      ...(hasPrice ? { ticks: ticks(90 + (a % 20)) } : {}),
      ...(type === 'limit' || type === 'market' ? {} : { stopTicks: ticks(90 + (b % 20)) }),
      postOnly: type === 'limit' && a % 7 === 0,
    };
  }

  #id(): string {
    const id = `order-${String(this.#ids.length).padStart(4, '0')}`;
    this.#ids.push(id);
    return id;
  }
}

/** What the reports in their true order come to, worked out in the plainest way. */
interface Plain {
  status: string;
  filledLots: number;
  tradedLots: number;
  replacedBy?: string;
}

function plainly(reported: readonly Reported[]): Map<string, Plain> {
  const orders = new Map<string, Plain>();
  for (const report of reported) {
    if (report.kind === 'rejected') {
      if (report.request === 'place' || report.request === 'replace') {
        orders.set(report.clientOrderId, { status: 'rejected', filledLots: 0, tradedLots: 0 });
      }
      continue;
    }
    const { clientOrderId, originalClientOrderId: old, status, filledLots } = report.order;
    const before = orders.get(clientOrderId);
    const replaced = old === undefined || before !== undefined ? undefined : orders.get(old);
    const filled = (before ?? replaced)?.tradedLots ?? 0;
    const tradedLots = filled + (report.kind === 'trade' ? report.fill.lots : 0);
    orders.set(clientOrderId, { status, filledLots, tradedLots });
    if (replaced === undefined || old === undefined) continue;
    orders.set(old, { ...replaced, status: 'canceled', replacedBy: clientOrderId });
  }
  return orders;
}

const seen = (order: Order | undefined): Plain | undefined =>
  order && {
    status: order.status,
    filledLots: order.filledLots,
    tradedLots: order.receivedLots,
    replacedBy: order.replacedBy,
  };

function storeOf({ requests }: Pair): OrderStore {
  const store = new OrderStore();
  const requester = { strategy: 'test', managed: false };
  for (const { request, at } of requests) store.request(request, { ...requester, requestedAt: at });
  return store;
}

test('orders are after each report as the exchange has them, reports repeated included', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.array(fc.nat(1_000), { maxLength: 20 }),
      (steps, repeats) => {
        const pair = new Pair(steps);
        const store = storeOf(pair);
        pair.reported.forEach((report, index) => {
          const fresh = store.take(report, pair.scheduler.now()).flatMap(({ fill }) => fill ?? []);
          expect(fresh).toEqual(report.kind === 'trade' ? [report.fill] : []);
          const again = pair.reported[(repeats[index % repeats.length] ?? 0) % (index + 1)];
          if (repeats.length > 0 && again.kind !== 'rejected') {
            for (const { fill } of store.take(again, pair.scheduler.now())) {
              expect(fill).toBeUndefined();
            }
          }
          for (const [id, plain] of plainly(pair.reported.slice(0, index + 1))) {
            expect([id, seen(store.find(id))]).toEqual([id, plain]);
          }
        });
      },
    ),
    { numRuns: runs(400) },
  );
});

test('orders are in the end as the exchange has them, in whatever order the reports came', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 }),
      (steps, keys) => {
        const pair = new Pair(steps);
        const store = storeOf(pair);
        // A rejection has no time of the order that it could be late by; they keep their places.
        const key = (index: number): number => index + 8 * keys[index % keys.length];
        const shuffled = pair.reported
          .map((report, index) => ({ report, at: report.kind === 'rejected' ? index : key(index) }))
          .sort((one, other) => one.at - other.at);
        for (const { report } of shuffled) store.take(report, pair.scheduler.now());
        const last = new Map<string, OrderReport>();
        for (const report of pair.reported) {
          if (report.kind !== 'rejected') last.set(report.order.clientOrderId, report);
        }
        for (const { order, at } of last.values()) {
          if (isActive(order.status)) store.take({ kind: 'status', at, order }, at);
        }
        for (const [id, plain] of plainly(pair.reported)) {
          const order = store.find(id);
          expect([id, order?.status, order?.filledLots, order?.replacedBy]).toEqual([
            id,
            plain.status,
            plain.filledLots,
            plain.replacedBy,
          ]);
          if (order !== undefined && isOpen(order))
            expect(isActive(order.status as never)).toBe(true);
        }
      },
    ),
    { numRuns: runs(400) },
  );
});
