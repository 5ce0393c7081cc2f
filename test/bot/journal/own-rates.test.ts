import { DatabaseSync } from 'node:sqlite';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { StrategyOrders } from '../../../src/engine/orders/strategy-orders.ts';
import type { Lots } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import {
  desk,
  folder,
  forgetStateFile,
  intent,
  place,
  START,
  reported,
  venueOrder,
} from './kit.ts';

const A = 'order-0001';
const B = 'order-0002';
const C = 'order-0003';
const RATES = { takeRate: decimal('0.002'), makeRate: decimal('0.00000015') };

const copied = (from: string): string => {
  const to = join(folder(), 'main.sqlite');
  for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
  forgetStateFile(to);
  return to;
};

const open = (path: string): Journal =>
  Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(5),
  });

const changed = (path: string, sql: string): void => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};

describe('the fee rates of an order in the journal', () => {
  test('outlive a restart, and are those of what replaces it', () => {
    const { journal, scheduler, restart } = desk();
    journal.intend([intent(place(A, RATES)), intent(place(B))]);
    journal.received(reported('new', venueOrder(A)), START);
    const replace = { kind: 'replace', clientOrderId: A, newClientOrderId: C } as const;
    journal.intend([intent({ ...replace, symbol: 'BTCUSDT', lots: 20 as Lots })]);
    scheduler.advanceTo(micros(START + US_PER_SECOND));
    const next = restart();
    expect(next.order(A)).toMatchObject(RATES);
    expect(next.order(C)).toMatchObject(RATES);
    expect(next.order(B)).toMatchObject({ takeRate: undefined, makeRate: undefined });
    expect(new StrategyOrders(next.orders, 'ema').plain().map(({ takeRate }) => takeRate)).toEqual([
      RATES.takeRate,
      undefined,
      RATES.takeRate,
    ]);
  });

  test('outlive a kill between the intent and the tables, exact', () => {
    const { journal, path } = desk();
    const pair = [place(A, RATES), place(B, { makeRate: decimal('-0.0001') })];
    const orders = { orderListId: A, contingencyType: 'oneCancelOther', orders: pair } as const;
    journal.intend([intent({ kind: 'placeList', ...orders })]);
    const next = open(copied(path));
    expect(next.order(A)).toMatchObject(RATES);
    expect(next.order(B)?.makeRate?.toFixed()).toBe('-0.0001');
    next.close();
  });

  test('are in the event log of the order', () => {
    const { journal, path } = desk();
    journal.intend([intent(place(A, RATES))]);
    journal.flush();
    const reader = JournalReader.open(path);
    const [event] = reader.log(A);
    expect(event).toMatchObject({ kind: 'intended', body: { takeRate: '0.002' } });
    reader.close();
  });

  test.each([
    ['changed', "take_rate = '0.001'", /does not match its checksum/],
    ['gone', 'take_rate = NULL, make_rate = NULL', /does not match its checksum/],
    ['no number, whatever the checksum says', "take_rate = 'x', checksum = NULL", /take_rate is x/],
  ])('make the journal damaged where one is %s', (_, change, message) => {
    const { journal, path: original } = desk();
    journal.intend([intent(place(A, RATES))]);
    journal.flush({ isDurable: true });
    const path = copied(original);
    changed(path, `UPDATE orders SET ${change}`);
    expect(() => open(path)).toThrow(message);
  });
});
