import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { journalPath } from '../../src/bot/journal/path.ts';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { decimal } from '../../src/model/decimal.ts';
import { place } from '../../src/strategy/orders.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig, type RigOptions } from './rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99', 5]], asks: [['101', 5]] };
const trade = (price: string): TestEvent => ({ at: '00:00:01', trade: price, aggressor: 'sell' });
const market = (side: 'buy' | 'sell', lots: number) =>
  place('BTCUSDT', { type: 'market', side, lots });

const results = ({ bot }: BotRig) =>
  bot.status().strategies.map(({ dayResult }) => dayResult['USDT']);

/** Strategies on an account that has 1,000 USDT and 1 BTC at 100. */
async function started(options: RigOptions): Promise<BotRig> {
  const rig = await botRig({ balances: { USDT: '1000', BTC: '1' }, ...options });
  rig.market.emit(BOOK, trade('100'));
  await rig.pass(2_500);
  return rig;
}

const budget = new Map([['USDT', decimal('500')]]);

describe('the day result of a strategy without a budget', () => {
  test.each([
    // The BTC that nobody bought falls for who has no budget, the other two for who bought them.
    ['without a budget', {}, '-32'],
    ['with one', { budget }, '-22'],
  ])(
    'is not moved by what another strategy %s buys and holds on the account',
    async (_, other, expected) => {
      const rig = await started({ strategies: [{}, other] });
      rig.commands[1]?.next(market('buy', 2_000));
      await rig.pass(3_500);
      // 2 BTC for 101 each, at 100.
      expect(results(rig)).toEqual(['0', '-2']);
      rig.market.emit(trade('90'));
      await rig.pass(3_500);
      expect(results(rig)).toEqual(['-10', expected]);
    },
  );

  test('is its own fills and positions, whatever the other does meanwhile', async () => {
    const rig = await started({ balances: { USDT: '1000' }, strategies: [{}, {}] });
    rig.commands[0]?.next(market('buy', 1_000));
    rig.commands[1]?.next(market('buy', 3_000));
    await rig.pass(3_500);
    expect(results(rig)).toEqual(['-1', '-3']);
    rig.market.emit(trade('110'));
    await rig.pass(3_500);
    expect(results(rig)).toEqual(['9', '27']);
    rig.commands[1]?.next(market('sell', 3_000));
    await rig.pass(3_500);
    // Sold for 99 each.
    expect(results(rig)).toEqual(['9', '-6']);
  });

  test('leads to no breach by the loss of another, whose own it is', async () => {
    const risk = { ...NO_LIMITS, maxDailyLoss: new Map([['USDT', decimal('20')]]) };
    const rig = await started({ balances: { USDT: '1000' }, strategies: [{ risk }, { risk }] });
    rig.commands[1]?.next(market('buy', 3_000));
    await rig.pass(3_500);
    rig.market.emit(trade('90'));
    await rig.pass(3_500);
    expect(results(rig)).toEqual(['0', '-33']);
    expect(rig.bot.status().strategies.map(({ state }) => state)).toEqual(['running', 'halted']);
  });

  test('goes on over a restart, with the others as they were, with one less, and with one more', async () => {
    const data = folder();
    const strategies = [{}, {}];
    const first = await started({ data, strategies });
    first.commands[0]?.next(market('buy', 1_000));
    first.commands[1]?.next(market('buy', 3_000));
    await first.pass(3_500);
    expect(results(first)).toEqual(['-1', '-3']);
    await driven(first.bot.close(), first.clock);
    for (const [count, expected] of [
      [2, ['-1', '-3']],
      [1, ['-1']],
      [2, ['-1', '-3']],
    ] as const) {
      const next = await started({
        data,
        clock: first.clock,
        strategies: strategies.slice(0, count),
      });
      expect(results(next)).toEqual(expected);
      await driven(next.bot.close(), next.clock);
    }
  });

  test('goes on where an earlier release had counted the others in', async () => {
    const data = folder();
    const first = await started({ data, balances: { USDT: '1000' }, strategies: [{}, {}] });
    first.commands[1]?.next(market('buy', 3_000));
    await first.pass(3_500);
    await driven(first.bot.close(), first.clock);
    // As it was left then: the day of both began with all of the account, and nobody was left out.
    const database = new DatabaseSync(journalPath(first.settings, 'main'));
    database.exec(
      "UPDATE day_starts SET equity = '1000', highest = '1000', checksum = NULL WHERE scope LIKE 'strategy:%'; UPDATE facts SET value = '{}', checksum = NULL WHERE name = 'otherStrategies'",
    );
    database.close();
    const second = await started({ data, clock: first.clock, strategies: [{}, {}] });
    // Until then the loss of the other was in it; from here on it is not.
    expect(results(second)).toEqual(['-3', '-3']);
    second.market.emit(trade('90'));
    await second.pass(3_500);
    expect(results(second)).toEqual(['-3', '-33']);
  });
});

test('what the first trades cost counts, however soon after the start they are made', async () => {
  const budget = new Map([['USDT', decimal('1000')]]);
  const rig = await botRig({ balances: { USDT: '1000' }, strategies: [{ budget }] });
  rig.market.emit(BOOK);
  rig.commands[0]?.next(market('buy', 1_000));
  await rig.pass(10);
  rig.commands[0]?.next(market('sell', 1_000));
  await rig.pass(2_000);
  expect(results(rig)).toEqual(['-2']);
  await driven(rig.bot.close(), rig.clock);
});
