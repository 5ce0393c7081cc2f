import { expect, test } from 'vitest';
import { FIRST_ACCOUNT, HOUSE } from '../../src/exchange/ledger/ledger.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { Random } from '../../src/platform/random.ts';
import { Floor, instrumentOf } from './kit.ts';

const ACCOUNTS = 120;

/** Many accounts, prices and expiries, so that every table grows several times. */
function crowd(seed: number): Floor {
  const floor = new Floor([instrumentOf()], { orderCapacity: 2 });
  const accounts = Array.from({ length: ACCOUNTS }, () =>
    floor.account({ USDT: '1000000', BTC: '1000' }),
  );
  const random = new Random(seed);
  floor.snapshot([
    ['bid', 9_000, 5],
    ['ask', 11_000, 5],
  ]);
  for (let i = 0; i < 3_000; i += 1) {
    floor.at += random.integer(0, 40_000);
    const account = accounts[random.integer(0, ACCOUNTS - 1)];
    if (random.chance(0.2)) {
      floor.cancel(account, `o${random.integer(0, i)}`);
    } else {
      const side = random.chance(0.5) ? 'buy' : 'sell';
      const away = random.integer(-2, 400);
      floor.place(account, `o${i}`, {
        side,
        lots: random.integer(1, 9),
        ticks: side === 'buy' ? 10_000 - away : 10_000 + away,
        ...(random.chance(0.5)
          ? { timeInForce: 'GTD', expireAt: floor.at + random.integer(1, 50_000_000) }
          : {}),
      });
    }
    if (random.chance(0.05)) floor.trade('buy', 10_000 + random.integer(0, 300), 20);
  }
  return floor;
}

test('a crowd of accounts keeps every balance and every lot', () => {
  const floor = crowd(3);
  const { exchange } = floor;
  exchange.ledger.balances.forEach((budget, currency) => {
    let sum = new Decimal(0);
    for (let account = HOUSE; account < exchange.ledger.accounts; account += 1) {
      const available = exchange.ledger.available(account, currency);
      const reserved = exchange.ledger.reserved(account, currency);
      sum = sum.plus(available).plus(reserved);
      if (account >= FIRST_ACCOUNT) {
        expect(available.isNegative()).toBe(false);
        expect(reserved.isNegative()).toBe(false);
      }
    }
    expect(sum.toFixed()).toBe(budget.currency === 'USDT' ? '120000000' : '120000');
  });
  const fills = new Map<string, number>();
  for (const line of floor.log.filter((l) => l.startsWith('trade'))) {
    const [, , name, , part, , , progress] = line.split(' ');
    const executed = (fills.get(name) ?? 0) + Number(part.split('@')[0]);
    expect(progress.split('/')[0]).toBe(String(executed));
    fills.set(name, executed);
  }
  expect(fills.size).toBeGreaterThan(200);
  for (let account = FIRST_ACCOUNT; account < exchange.ledger.accounts; account += 1) {
    exchange.cancelAll(account, exchange.now);
  }
  expect(exchange.nextExpiryAt).toBe(Infinity);
  expect(exchange.books[0].sides.map((side) => side.count)).toEqual([0, 0]);
  exchange.ledger.balances.forEach((_, currency) => {
    for (let account = HOUSE; account < exchange.ledger.accounts; account += 1) {
      expect(exchange.ledger.reserved(account, currency).toFixed()).toBe('0');
    }
  });
});

test('the same calls give the same reports, line by line', () => {
  expect(crowd(5).log).toEqual(crowd(5).log);
});

test('one step may touch more balances than any before', () => {
  const floor = new Floor();
  const makers = Array.from({ length: 100 }, () => floor.account({ BTC: '1' }));
  const taker = floor.account({ USDT: '100000' });
  for (const maker of makers) floor.place(maker, 'sell', { side: 'sell', lots: 1, ticks: 100 });
  floor.reported();
  floor.place(taker, 'buy', { side: 'buy', lots: 100, ticks: 100 });
  const balances = floor.reported().filter((line) => line.startsWith('balance'));
  expect(balances.length).toBe(2 * makers.length + 2);
  expect(new Set(balances.map((line) => line.split(' ', 3).join(' '))).size).toBe(balances.length);
});

test('sums of price times quantity beyond 2^53 stay exact', () => {
  const huge = 3_000_000_000_000_000;
  const floor = new Floor([instrumentOf({ takeRate: '0', makeRate: '0' })]);
  const maker = floor.account({ BTC: '9000000000000000' });
  // 2 × huge × 5 + 1 × huge × 7 = 17 × huge = 51,000,000,000,000,000 and one more than that.
  const poor = floor.account({ USDT: '51000000000000000' });
  const rich = floor.account({ USDT: '51000000000000001' });
  floor.place(maker, 'a', { side: 'sell', lots: huge, ticks: 5 });
  floor.place(maker, 'b', { side: 'sell', lots: huge, ticks: 5 });
  floor.place(maker, 'c', { side: 'sell', lots: huge, ticks: 7 });
  const order = { side: 'buy', lots: 3 * huge - 1 } as const;
  floor.reported();
  expect(floor.place(poor, 'almost', order)).toBeUndefined();
  expect(floor.balance(poor, 'USDT')).toBe('7 0');
  expect(floor.place(rich, 'last', { side: 'buy', lots: 1 })).toBeUndefined();
  expect(floor.balance(maker, 'USDT')).toBe('51000000000000000 0');
});
