import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { repair } from '../../../src/bot/recovery/repair.ts';
import {
  DISCREPANCIES,
  type Discrepancy,
  type ReconcileInput,
  type Reconciliation,
} from '../../../src/bot/recovery/finding.ts';
import { reconcile } from '../../../src/bot/recovery/reconcile.ts';
import type { ReconciliationSettings } from '../../../src/bot/settings/settings.ts';
import type { AccountSnapshot } from '../../../src/gateways/venue-account.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { desk, fill, intent, place, START, reported, trade, venueOrder } from '../journal/kit.ts';
import { docTable } from './doc-table.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';
const LATER = micros(START + 60 * US_PER_SECOND);
const BEFORE = { createdAt: START, updatedAt: START };

/** A journal, and what it comes to when it is held against a snapshot. */
function bench(rules: Partial<ReconciliationSettings> = {}) {
  const parts = desk();
  let missing: ReadonlyMap<string, number> = new Map();
  const compare = (
    part: Partial<AccountSnapshot>,
    more: Partial<Pick<ReconcileInput, 'adoptFor' | 'startedAt'>> = {},
  ): Reconciliation => {
    const { journal } = parts;
    const snapshot: AccountSnapshot = {
      at: LATER,
      orders: [],
      ended: [],
      fills: [],
      balances: [],
      ...part,
    };
    const result = reconcile({
      ...journal.concerning(snapshot),
      snapshot,
      missing,
      ...more,
      rules: { everyUs: 1, foreignOrders: 'report', lostAfterUs: 30 * US_PER_SECOND, ...rules },
      strategyOf: (id) => journal.strategyOf(id),
    });
    missing = result.missing;
    for (const discrepancy of result.discrepancies) {
      repair(journal, discrepancy, LATER);
      for (const report of discrepancy.reports) journal.received(report, LATER);
    }
    for (const balance of result.balances) journal.received(balance, LATER);
    return result;
  };
  return { ...parts, compare };
}

const kinds = ({ discrepancies }: Reconciliation): string[] =>
  discrepancies.map(({ kind }) => kind);
const reports = ({ discrepancies }: Reconciliation): string[] =>
  discrepancies.flatMap((discrepancy: Discrepancy) => discrepancy.reports.map(({ kind }) => kind));

describe('an order without an answer', () => {
  test('that is active arrived', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    expect(kinds(compare({ orders: [venueOrder(A, BEFORE)] }))).toEqual(['order-answered']);
    expect(journal.order(A)).toMatchObject({ status: 'new' });
    expect(kinds(compare({ orders: [venueOrder(A, BEFORE)] }))).toEqual([]);
  });

  test('of which a fill is found behind a later one has both once, reported again or not', () => {
    const { journal, compare, restart } = bench();
    journal.intend([intent(place(A))]);
    const [first, second] = [fill(A, 1, 4), fill(A, 2, 6)];
    journal.received(trade(second, 10), LATER);
    const filled = venueOrder(A, { ...BEFORE, status: 'filled', filledLots: 10 as Lots });
    const snapshot = { ended: [filled], fills: [first, second] };
    expect(reports(compare(snapshot))).toEqual(['trade']);
    expect(compare(snapshot).discrepancies).toEqual([]);
    expect(restart().order(A)).toMatchObject({ receivedLots: 10, fillIds: [1, 2] });
  });

  test('that has ended had arrived, and its fills are reported first, oldest first', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    const filled = venueOrder(A, { ...BEFORE, status: 'filled', filledLots: 10 as Lots });
    const result = compare({ ended: [filled], fills: [fill(A, 1, 4), fill(A, 2, 6)] });
    expect(reports(result)).toEqual(['trade', 'trade', 'status']);
    expect(
      result.discrepancies[0].reports.map((report) => 'order' in report && report.order),
    ).toMatchObject([
      { status: 'partiallyFilled', filledLots: 4 },
      { status: 'filled', filledLots: 10 },
      { status: 'filled', filledLots: 10 },
    ]);
    expect(journal.order(A)).toMatchObject({
      status: 'filled',
      filledLots: 10,
      receivedLots: 10,
    });
  });

  test('that is nowhere is lost once two truths in a row miss it, and the second is late enough', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    const soon = { at: micros(START + 10 * US_PER_SECOND) };
    expect(kinds(compare(soon))).toEqual([]);
    expect(kinds(compare(soon))).toEqual([]);
    const result = compare({});
    expect(kinds(result)).toEqual(['order-lost']);
    expect(result.discrepancies[0].reports).toMatchObject([
      { kind: 'rejected', request: 'place', clientOrderId: A, rejection: { code: 'order-lost' } },
    ]);
    expect(journal.order(A)).toMatchObject({ status: 'rejected' });
  });

  test('is not lost by one late snapshot, nor by two with one between that has it', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    expect(kinds(compare({}))).toEqual([]);
    compare({ orders: [venueOrder(A, BEFORE)] });
    expect(kinds(compare({}))).toEqual([]);
    expect(journal.order(A)).toMatchObject({ status: 'new' });
  });

  test('that was intended after the snapshot is left out', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A), { at: micros(LATER + 1) })]);
    expect(compare({})).toMatchObject({ discrepancies: [], missing: new Map() });
    expect(compare({})).toMatchObject({ discrepancies: [], missing: new Map() });
  });

  test('of a list is lost with the whole list', () => {
    const { journal, compare } = bench();
    const orders = [place(A), place(B)];
    journal.intend([
      intent({ kind: 'placeList', orderListId: A, contingencyType: 'oneCancelOther', orders }),
    ]);
    compare({});
    const result = compare({});
    expect(result.discrepancies).toMatchObject([
      { kind: 'list-lost', reports: [{ request: 'placeList', clientOrderId: A }] },
    ]);
    expect([A, B].map((id) => journal.order(id)?.status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a replacement without an answer', () => {
  const replaced = () => {
    const parts = bench();
    parts.journal.intend([intent(place(A))]);
    parts.journal.received(reported('new', venueOrder(A)), START);
    const change = { symbol: 'BTCUSDT', lots: 20 as Lots, ticks: 900 as Ticks };
    parts.journal.intend([
      intent({ kind: 'replace', clientOrderId: A, newClientOrderId: B, ...change }),
    ]);
    return parts;
  };

  test('that is found by its new id was done; the old order ends, after its fills are reported', () => {
    const { journal, compare } = replaced();
    const old = venueOrder(A, { status: 'canceled', filledLots: 2 as Lots, updatedAt: LATER });
    const now = venueOrder(B, {
      ...BEFORE,
      id: 2,
      originalClientOrderId: A,
      lots: 20 as Lots,
      filledLots: 2 as Lots,
    });
    const result = compare({ orders: [now], ended: [old], fills: [fill(A, 1, 2)] });
    expect(kinds(result)).toEqual(['fills-missed', 'order-replaced']);
    expect(reports(result)).toEqual(['trade', 'status']);
    expect(journal.order(A)).toMatchObject({ status: 'canceled', replacedBy: B, filledLots: 2 });
    expect(journal.order(B)).toMatchObject({ status: 'new', filledLots: 2, receivedLots: 2 });
  });

  test('whose old order stands was not done', () => {
    const { journal, compare } = replaced();
    compare({ orders: [venueOrder(A)] });
    const result = compare({ orders: [venueOrder(A)] });
    expect(result.discrepancies).toMatchObject([
      { kind: 'order-lost', reports: [{ request: 'replace', clientOrderId: B }] },
    ]);
    expect(journal.order(A)).toMatchObject({ status: 'new' });
    expect(journal.order(B)).toMatchObject({ status: 'rejected' });
  });
});

describe('an order that was answered', () => {
  const open = () => {
    const parts = bench();
    parts.journal.intend([intent(place(A))]);
    parts.journal.received(reported('new', venueOrder(A)), START);
    return parts;
  };

  test('and ended unheard is ended', () => {
    const { journal, compare } = open();
    expect(
      kinds(compare({ ended: [venueOrder(A, { status: 'expired', updatedAt: LATER })] })),
    ).toEqual(['order-changed']);
    expect(journal.order(A)).toMatchObject({ status: 'expired' });
  });

  test('and is nowhere is taken for canceled, and back when it is there after all', () => {
    const { journal, compare } = open();
    compare({});
    expect(kinds(compare({}))).toEqual(['order-lost']);
    expect(journal.order(A)).toMatchObject({
      status: 'canceled',
      rejection: { code: 'order-lost' },
    });
    expect(kinds(compare({ orders: [venueOrder(A)] }))).toEqual(['order-revived']);
    expect(journal.order(A)).toMatchObject({ status: 'new', rejection: undefined });
    expect(journal.openOrders()).toHaveLength(1);
  });

  test('and was reported as ended is active again only by a later report', () => {
    const { journal, compare } = open();
    journal.received(reported('canceled', venueOrder(A, { status: 'canceled' })), START);
    expect(kinds(compare({ orders: [venueOrder(A)] }))).toEqual([]);
    const later = venueOrder(A, { updatedAt: LATER });
    expect(kinds(compare({ orders: [later] }))).toEqual(['order-revived']);
    expect(journal.order(A)).toMatchObject({ status: 'new' });
  });

  test('and was reported as ended, but is active at the venue minutes later, is canceled there', () => {
    const { journal, compare } = open();
    journal.received(reported('canceled', venueOrder(A, { status: 'canceled' })), START);
    const minutes = (count: number) => micros(START + count * 60 * US_PER_SECOND);
    expect(kinds(compare({ at: minutes(1), orders: [venueOrder(A)] }))).toEqual([]);
    const result = compare({ at: minutes(3), orders: [venueOrder(A)] });
    expect(kinds(result)).toEqual(['order-standing']);
    expect(result.discrepancies[0]?.requests).toMatchObject([{ kind: 'cancel', clientOrderId: A }]);
    expect(journal.order(A)).toMatchObject({ status: 'canceled' });
  });

  test('has more executed than its history shows: older history is asked for', () => {
    const { journal, compare } = open();
    const partly = venueOrder(A, {
      status: 'partiallyFilled',
      filledLots: 5 as Lots,
      updatedAt: LATER,
    });
    const result = compare({ orders: [partly], fills: [fill(A, 9, 2)] });
    expect(kinds(result)).toEqual(['fills-behind']);
    expect(result.needsSince).toBe(START);
    expect(compare({ orders: [partly] })).toMatchObject({ discrepancies: [], needsSince: START });
    const full = compare({ orders: [partly], fills: [fill(A, 8, 3), fill(A, 9, 2)] });
    expect(kinds(full)).toEqual(['fills-missed']);
    expect(full.needsSince).toBeUndefined();
    expect(journal.order(A)).toMatchObject({ filledLots: 5, receivedLots: 5 });
  });

  test('is not set back by a snapshot older than the last report', () => {
    const { journal, compare } = open();
    const report = trade(fill(A, 1, 4, { at: LATER }), 4);
    journal.received(report, START);
    expect(kinds(compare({ orders: [venueOrder(A)] }))).toEqual([]);
    expect(journal.order(A)).toMatchObject({ status: 'partiallyFilled', filledLots: 4 });
  });
});

describe('orders and fills of others', () => {
  const stranger = venueOrder('by-hand-1', { status: 'partiallyFilled', filledLots: 3 as Lots });
  const snapshot = { orders: [stranger], fills: [fill('by-hand-1', 1, 3)] };

  test('are reported once and left alone', () => {
    const { journal, compare } = bench();
    const result = compare(snapshot);
    expect(kinds(result)).toEqual(['order-foreign', 'fill-foreign']);
    expect(result.discrepancies.flatMap(({ requests }) => requests)).toEqual([]);
    expect(kinds(compare(snapshot))).toEqual([]);
    expect(journal.openOrders()).toEqual([]);
  });

  test('are adopted where that is configured', () => {
    const { journal, compare } = bench({ foreignOrders: 'adopt' });
    expect(kinds(compare(snapshot, { adoptFor: 'ema' }))).toEqual(['order-adopted']);
    expect(journal.order('by-hand-1')).toMatchObject({
      strategy: 'ema',
      filledLots: 3,
      receivedLots: 3,
    });
    expect(kinds(compare(snapshot))).toEqual([]);
  });

  test('are for the operator where nobody is named', () => {
    const { journal, compare } = bench({ foreignOrders: 'adopt' });
    compare(snapshot);
    expect(journal.order('by-hand-1')).toMatchObject({ strategy: 'operator' });
  });

  test('on margin are for the strategy whose margin account it is, and nobody else', () => {
    const { journal, compare } = bench({ foreignOrders: 'adopt' });
    const onMargin = { ...venueOrder('by-hand-1'), margin: { mode: 'isolated' } } as const;
    const reported = { orders: [onMargin], fills: [] };
    expect(kinds(compare(reported, { adoptFor: 'ema' }))).toEqual(['order-foreign']);
    journal.intendMargin('grid', { kind: 'setMargin', symbol: 'BTCUSDT', mode: 'isolated' });
    expect(kinds(compare(reported, { adoptFor: 'ema' }))).toEqual(['order-adopted']);
    expect(journal.order('by-hand-1')).toMatchObject({ strategy: 'grid' });
  });

  test('are canceled where that is configured, until they are gone', () => {
    const { compare } = bench({ foreignOrders: 'cancel' });
    for (const _ of [1, 2]) {
      const requests = compare(snapshot).discrepancies.flatMap(
        (discrepancy) => discrepancy.requests,
      );
      expect(requests).toEqual([{ kind: 'cancel', clientOrderId: 'by-hand-1', symbol: 'BTCUSDT' }]);
    }
    expect(kinds(compare({}))).toEqual([]);
  });

  test('with an id of this journal are ours: the journal is an older copy', () => {
    const { journal, compare } = bench();
    const id = `${journal.prefixOf('ema')}-0000009`;
    expect(kinds(compare({ orders: [venueOrder(id)], fills: [] }))).toEqual(['order-unjournaled']);
    expect(journal.order(id)).toMatchObject({ strategy: 'ema', status: 'new' });
    expect(journal.previousLife('ema', journal.prefixOf('ema')).lastOrderNumber).toBe(9);
  });
});

describe('balances', () => {
  const usdt = (available: string, reserved = '0') => ({
    currency: 'USDT',
    available: decimal(available),
    reserved: decimal(reserved),
  });
  const at = (available: string, when = START) =>
    ({
      kind: 'balance',
      at: when,
      currency: 'USDT',
      available: Amount.of(decimal(available)),
      reserved: Amount.count(0),
    }) as const;

  test('that a transfer changed are found, and the venue is believed', () => {
    const { journal, compare } = bench();
    journal.received(at('100'), START);
    const result = compare({ balances: [usdt('90', '12.5')] });
    expect(result.discrepancies).toMatchObject([
      { kind: 'balance-moved', message: expect.stringContaining('USDT changed by +2.5') as string },
    ]);
    expect(journal.balances().get('USDT')?.reserved.toFixed()).toBe('12.5');
    expect(kinds(compare({ balances: [usdt('90', '12.5')] }))).toEqual([]);
  });

  test('that fills explain, of ours and of others, are no discrepancy', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    journal.received(reported('new', venueOrder(A)), START);
    journal.received(at('100'), START);
    const since = micros(START + 1);
    const fills = [fill(A, 1, 4, { at: since }), fill('by-hand-1', 2, 2, { at: since })];
    const partly = venueOrder(A, {
      status: 'partiallyFilled',
      filledLots: 4 as Lots,
      updatedAt: since,
    });
    // 6 lots of 0.00001 at 10.00, and two fees of 0.0001.
    const result = compare({ orders: [partly], fills, balances: [usdt('99.9992')] });
    expect(kinds(result)).toEqual(['fills-missed', 'fill-foreign']);
  });

  test('that were reported after the snapshot are left as they are', () => {
    const { journal, compare } = bench();
    journal.received(at('100', micros(LATER + 1)), START);
    expect(compare({ balances: [usdt('7')] })).toMatchObject({ discrepancies: [], balances: [] });
  });

  test('of which the venue does not speak are nothing', () => {
    const { journal, compare } = bench();
    journal.received(at('100'), START);
    expect(kinds(compare({}))).toEqual(['balance-moved']);
    expect(journal.balances().get('USDT')?.available.toFixed()).toBe('0');
  });
});

test('the page on the journal has every kind of discrepancy, with its meaning', () => {
  const listed = docTable();
  expect(listed).toHaveLength(Object.keys(DISCREPANCIES).length);
  expect(Object.fromEntries(listed)).toEqual(DISCREPANCIES);
});

describe('an order of somebody else under an id of the journal', () => {
  const other = { ...BEFORE, id: 9, side: 'sell' as const };

  test('is reported once and not adopted', () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    const result = compare({ orders: [venueOrder(A, other)] });
    expect(kinds(result)).toEqual(['order-conflict']);
    expect(result.discrepancies[0].message).toContain('a limit to sell BTCUSDT, and the journal\'s is a limit to buy BTCUSDT'); // prettier-ignore
    expect(journal.order(A)).toMatchObject({ status: 'pending', side: 'buy' });
    expect(journal.order(A)?.venueOrder).toBeUndefined();
    // It is no trace of the journal's own order, which is lost like any other.
    expect(kinds(compare({ orders: [venueOrder(A, other)] }))).toEqual(['order-lost']);
    expect(kinds(compare({ orders: [venueOrder(A, other)] }))).toEqual([]);
  });

  test.each([{ type: 'market' as const }, { symbol: 'ETHUSDT' }])(
    'is known by %j too',
    (change) => {
      const { journal, compare } = bench();
      journal.intend([intent(place(A))]);
      expect(kinds(compare({ orders: [venueOrder(A, { ...BEFORE, ...change })] }))).toEqual(['order-conflict']); // prettier-ignore
    },
  );

  test("has fills that are nobody's of the bot, and does not hide the journal's own order", () => {
    const { journal, compare } = bench();
    journal.intend([intent(place(A))]);
    const fills = [fill(A, 7, 4, { side: 'sell' }), fill(A, 8, 10)];
    const own = venueOrder(A, { ...BEFORE, id: 2, status: 'filled', filledLots: 10 as Lots });
    const result = compare({ orders: [venueOrder(A, other)], ended: [own], fills });
    expect(kinds(result)).toEqual(['order-answered', 'order-conflict', 'fill-foreign']);
    expect(journal.order(A)).toMatchObject({ status: 'filled', filledLots: 10 });
    expect([...(journal.order(A)?.fillIds ?? [])]).toEqual([8]);
    expect(journal.holdings('ema')[0].change.toFixed()).toBe('0.0001');
    expect(kinds(compare({ orders: [venueOrder(A, other)], ended: [own], fills }))).toEqual([]);
  });

  test("that is reported live changes nothing of the journal's own", () => {
    const { journal } = bench();
    journal.intend([intent(place(A))]);
    const foreign = fill(A, 7, 4, { side: 'sell' });
    expect(journal.received(trade(foreign, 4, { id: 9 }), START).strategy).toBeUndefined();
    expect(
      journal.received(reported('status', venueOrder(A, other)), START).strategy,
    ).toBeUndefined();
    expect(journal.order(A)).toMatchObject({ status: 'pending', filledLots: 0 });
    expect(journal.holdings('ema')).toEqual([]);
  });
});
