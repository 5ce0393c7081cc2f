import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { RejectReport } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { StrategyOrders } from '../../../src/engine/orders/strategy-orders.ts';
import { micros, US_PER_DAY, US_PER_MS, US_PER_SECOND } from '../../../src/platform/time.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { desk, fill, intent, ordersOf, place, START, reported, trade, venueOrder } from './kit.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';

const rejected = (clientOrderId: string, request: RejectReport['request'], code: RejectReport['rejection']['code']): RejectReport => ({
  kind: 'rejected', at: START, request, clientOrderId, symbol: 'BTCUSDT',
  rejection: { code, message: 'No.' },
}); // prettier-ignore

const held = (journal: ReturnType<typeof desk>['journal']): unknown =>
  Object.fromEntries(journal.holdings('ema').map(({ currency, change }) => [currency, change.toFixed()])); // prettier-ignore

describe('an order', () => {
  test('that was intended is there after a restart, and nobody knows whether it arrived', () => {
    const { journal, restart } = desk();
    journal.intend([intent(place(A))]);
    expect(journal.openOrders()).toMatchObject([{ clientOrderId: A, status: 'pending' }]);
    expect(restart().openOrders()).toMatchObject([
      {
        clientOrderId: A,
        status: 'unknown',
        strategy: 'ema',
        lots: 10,
        ticks: 1_000,
        requestedAt: START,
      },
    ]);
  });

  test('has its fills once, whatever is reported twice, before and after a restart', () => {
    const { journal, restart } = desk();
    journal.intend([intent(place(A))]);
    journal.received(reported('new', venueOrder(A)), START);
    const first = trade(fill(A, 5, 4), 4);
    expect(journal.received(first, START)).toMatchObject({ strategy: 'ema', isNew: true });
    expect(journal.received(first, START)).toMatchObject({ strategy: 'ema', isNew: false });
    const next = restart();
    expect(next.received(first, START)).toMatchObject({ strategy: 'ema', isNew: false });
    expect(next.openOrders()).toMatchObject([
      { status: 'partiallyFilled', filledLots: 4, receivedLots: 4, fillIds: [5] },
    ]);
    expect(held(next)).toEqual({ BTC: '0.00004', USDT: '-0.0005' });
    expect(next.fillsOf(A)).toEqual([{ ...fill(A, 5, 4), strategy: 'ema' }]);
  });

  test('never goes back, in whatever order its reports come', () => {
    const { journal, restart } = desk();
    journal.intend([intent(place(A))]);
    journal.received(trade(fill(A, 2, 6), 10), START);
    journal.received(trade(fill(A, 1, 4), 4), START);
    journal.received(reported('new', venueOrder(A)), START);
    expect(restart().order(A)).toMatchObject({
      status: 'filled',
      filledLots: 10,
      receivedLots: 10,
    });
  });

  test('that was refused has ended, and says why', () => {
    const { journal, restart } = desk();
    journal.intend([intent(place(A))]);
    journal.received(rejected(A, 'place', 'funds-insufficient'), START);
    const next = restart();
    expect(next.openOrders()).toEqual([]);
    expect(next.order(A)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'funds-insufficient' },
      endedAt: START,
    });
  });

  test('of unknown outcome is unknown; so is one that the venue does not know when it is to be canceled', () => {
    const { journal } = desk();
    journal.intend([intent(place(A)), intent(place(B))]);
    journal.received(
      { kind: 'outcome-unknown', at: START, request: 'place', clientOrderId: A, symbol: 'BTCUSDT' },
      START,
    );
    journal.received(reported('new', venueOrder(B)), START);
    journal.intend([intent({ kind: 'cancel', clientOrderId: B, symbol: 'BTCUSDT' })]);
    journal.received(rejected(B, 'cancel', 'order-unknown'), START);
    expect(journal.openOrders().map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  });

  test('that replaces another inherits what it executed, late fills of the other too', () => {
    const { journal, restart } = desk();
    journal.intend([intent(place(A))]);
    journal.received(trade(fill(A, 1, 3), 3), START);
    const replace = { kind: 'replace', clientOrderId: A, newClientOrderId: B, symbol: 'BTCUSDT', lots: 20 as Lots, ticks: 900 as Ticks } as const; // prettier-ignore
    journal.intend([intent(replace)]);
    const next = restart();
    expect(next.order(B)).toMatchObject({ status: 'unknown', replaces: A, side: 'buy' });
    const order = venueOrder(B, {
      originalClientOrderId: A,
      lots: 20 as Lots,
      filledLots: 5 as Lots,
    });
    next.received(reported('replaced', order), START);
    const last = restart();
    last.received(trade(fill(A, 2, 2), 5), START);
    expect(last.order(A)).toMatchObject({ status: 'canceled', replacedBy: B, filledLots: 5 });
    expect(last.order(B)).toMatchObject({
      status: 'new',
      filledLots: 5,
      receivedLots: 5,
      fillIds: [],
    });
    expect(held(last)).toMatchObject({ BTC: '0.00005' });
  });

  test('with an id that is taken, one of an unknown symbol and a replacement of nothing are refused whole', () => {
    const { journal } = desk();
    journal.intend([intent(place(A))]);
    const two = [intent(place(B)), intent(place(A))];
    expect(() => journal.intend(two)).toThrow(expect.objectContaining({ code: 'request-invalid' }));
    const other = [intent(place(B)), intent(place('ema-abcd-0000003', { symbol: 'ETHUSDT' }))];
    expect(() => journal.intend(other)).toThrow(
      expect.objectContaining({ code: 'symbol-unknown' }),
    );
    const vain = {
      kind: 'replace',
      clientOrderId: B,
      newClientOrderId: 'x',
      symbol: 'BTCUSDT',
      lots: 1 as Lots,
    } as const;
    expect(() => journal.intend([intent(vain)])).toThrow(
      expect.objectContaining({ code: 'request-invalid' }),
    );
    expect(journal.order(B)).toBeUndefined();
  });
});

describe('a strategy', () => {
  test('takes over open orders that are no managed orders, whole lists, its numbers and its mean price', () => {
    const { journal, restart } = desk();
    const list = [place(A), place(B)];
    journal.intend([
      intent({
        kind: 'placeList',
        orderListId: A,
        contingencyType: 'oneCancelOther',
        orders: list,
      }),
      intent(place('ema-abcd-0000003')),
      intent(place('ema-abcd-0000004'), { managed: true }),
      intent(place('macd-abcd-0000009'), { strategy: 'macd' }),
    ]);
    journal.received(trade(fill('ema-abcd-0000003', 1, 4, { ticks: 1_000 as Ticks }), 4), START);
    journal.received(trade(fill('ema-abcd-0000003', 2, 2, { ticks: 1_300 as Ticks }), 6), START);
    journal.received(reported('canceled', venueOrder(A, { status: 'canceled' })), START);
    const next = restart();
    const orders = new StrategyOrders(next.orders, 'ema').plain();
    const { lastOrderNumber, entries } = next.previousLife('ema', 'ema-abcd');
    expect(orders.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
      [A, 'canceled'],
      [B, 'unknown'],
      ['ema-abcd-0000003', 'partiallyFilled'],
    ]);
    expect(lastOrderNumber).toBe(4);
    expect(entries).toEqual(new Map([['BTCUSDT', { lots: 6, ticks: 1_100 }]]));
  });
});

describe('a report', () => {
  test('is in the file 50 ms later, with what was intended meanwhile', () => {
    const { journal, scheduler, path } = desk();
    journal.intend([intent(place(A))]);
    const reader = JournalReader.open(path);
    onTestFinished(() => reader.close());
    journal.received(trade(fill(A, 1, 4), 4), START);
    expect(reader.order(A)).toMatchObject({ filledLots: 0 });
    scheduler.advanceTo(micros(START + 50 * US_PER_MS));
    expect(reader.order(A)).toMatchObject({ filledLots: 4 });
    journal.received(trade(fill(A, 2, 1), 5), START);
    journal.intend([intent(place(B))]);
    expect(reader.order(A)).toMatchObject({ filledLots: 4 });
    expect(reader.order(B)).toMatchObject({ status: 'pending' });
    scheduler.advanceTo(micros(START + 100 * US_PER_MS));
    expect(reader.order(A)).toMatchObject({ filledLots: 5 });
    expect([...reader.orders(START)]).toHaveLength(2);
  });

  test('of orders that are not ours is kept as foreign once, and comes with an order that is taken in', () => {
    const { journal, restart } = desk();
    const one = trade(fill('by-hand-1', 1, 4), 4);
    expect(journal.received(one, START)).toMatchObject({ isNew: true });
    expect(journal.received(one, START)).toMatchObject({ isNew: false });
    const next = restart();
    expect(next.keepForeign(fill('by-hand-1', 1, 4))).toBe(false);
    expect(next.keepForeign(fill('by-hand-1', 2, 1))).toBe(true);
    const order = venueOrder('by-hand-1', { status: 'partiallyFilled', filledLots: 5 as Lots });
    next.adopt(order, 'ema', START);
    next.received(reported('status', order), START);
    const last = restart();
    expect(last.order('by-hand-1')).toMatchObject({
      strategy: 'ema',
      filledLots: 5,
      receivedLots: 5,
    });
    expect(last.received(one, START)).toMatchObject({ strategy: 'ema', isNew: false });
    expect(held(last)).toMatchObject({ BTC: '0.00005' });
  });

  test('the last comparison, balances and states are known after a restart', () => {
    const { journal, restart } = desk();
    const balance = {
      currency: 'USDT',
      available: Amount.of(decimal('1.10')),
      reserved: Amount.count(2),
      at: START,
    };
    journal.received({ kind: 'balance', ...balance }, micros(START + 5));
    journal.reconciled({ at: micros(START + 7) });
    journal.setState('ema', 'halted', 'told so', START);
    const next = restart();
    expect(next.reconciledAt).toBe(START + 7);
    expect(next.balances().get('USDT')?.available.toFixed()).toBe('1.1');
    expect(next.states()).toEqual([{ scope: 'ema', state: 'halted', why: 'told so', at: START }]);
  });

  test('that cannot be written is reported, kept and written later', () => {
    const failures: unknown[] = [];
    const { journal, scheduler, path, restart } = desk({ failed: (error) => failures.push(error) });
    journal.intend([intent(place(A))]);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    journal.received(trade(fill(A, 1, 4), 4), START);
    scheduler.advanceTo(micros(START + 60 * US_PER_MS));
    expect(failures).toMatchObject([{ code: 'journal-unwritable' }]);
    other.close();
    scheduler.advanceTo(micros(START + 120 * US_PER_MS));
    expect(failures).toHaveLength(1);
    expect(restart().order(A)).toMatchObject({ filledLots: 4 });
  });
});

test('what is older than it need be goes in small steps; holdings and numbers stay', () => {
  const { journal, scheduler, restart } = desk({ retentionUs: 2 * US_PER_DAY });
  for (let i = 1; i <= 50; i += 1) {
    const id = `ema-abcd-${String(i).padStart(7, '0')}`;
    journal.intend([intent(place(id))]);
    journal.received(trade(fill(id, i, 10), 10), START);
  }
  journal.intend([intent(place('ema-abcd-0000051'))]);
  scheduler.advanceTo(micros(START + US_PER_DAY));
  expect(ordersOf(journal, 'ema')).toHaveLength(51);
  scheduler.advanceTo(micros(START + 3 * US_PER_DAY));
  const next = restart();
  expect(ordersOf(next, 'ema')).toMatchObject([{ clientOrderId: 'ema-abcd-0000051' }]);
  expect(held(next)).toMatchObject({ BTC: '0.005' });
  expect(next.previousLife('ema', 'ema-abcd').lastOrderNumber).toBe(51);
});

test('the log of the last commits is emptied while nobody trades, and does not grow without bounds', () => {
  const { journal, scheduler, path } = desk();
  const logBytes = (): number => statSync(`${path}-wal`).size;
  const intend = (from: number): void => {
    for (let i = from; i < from + 300; i += 1) {
      journal.intend([intent(place(`ema-abcd-${String(i).padStart(7, '0')}`))]);
    }
    scheduler.advanceTo(micros(scheduler.now() + US_PER_SECOND));
  };
  intend(1);
  const first = logBytes();
  intend(301);
  intend(601);
  expect(logBytes()).toBeLessThan(first * 2);
  expect(statSync(path).size).toBeGreaterThan(100_000);
});

test('terms that the venue changed are new terms, and old fills are counted in the old', () => {
  const { journal, restart } = desk();
  journal.intend([intent(place(A))]);
  journal.received(trade(fill(A, 1, 10), 10), START);
  journal.learn([instrumentOf({ makeRate: '0.001' })]);
  journal.intend([intent(place(B))]);
  expect(restart().openOrders()).toMatchObject([{ clientOrderId: B }]);
});

test('a finer grid finds open orders, replacements on their way and mean prices on it', () => {
  const { journal, restart } = desk();
  journal.intend([intent(place(A))]);
  journal.received(trade(fill(A, 1, 4), 4), START);
  const replace = {
    kind: 'replace',
    clientOrderId: A,
    newClientOrderId: B,
    symbol: 'BTCUSDT',
  } as const;
  journal.intend([intent({ ...replace, lots: 20 as Lots, ticks: 900 as Ticks })]);
  const finer = instrumentOf({ tickSize: '0.001', quantityIncrement: '0.000001' });
  journal.learn([finer]);
  const next = restart();
  next.learn([finer]);
  expect(next.order(A)).toMatchObject({
    lots: 100,
    filledLots: 40,
    receivedLots: 40,
    ticks: 10_000,
  });
  expect(next.order(B)).toMatchObject({ lots: 200, ticks: 9_000, replaces: A });
  expect(next.fillsOf(A)).toMatchObject([{ id: 1, lots: 40, ticks: 10_000 }]);
  const order = { originalClientOrderId: A, lots: 200 as Lots, filledLots: 41 as Lots };
  next.received(trade(fill(B, 2, 1, { ticks: 9_000 as Ticks }), 41, order), START);
  expect(next.order(A)).toMatchObject({ status: 'canceled', replacedBy: B });
  expect(next.order(B)).toMatchObject({ filledLots: 41, receivedLots: 41 });
  expect(held(next)).toMatchObject({ BTC: '0.000041' });
  expect(next.previousLife('ema', 'ema-abcd').entries.get('BTCUSDT')?.lots).toBe(41);
});
