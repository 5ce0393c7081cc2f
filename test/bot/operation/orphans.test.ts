import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };
const BID = { type: 'limit', side: 'buy', lots: 5, ticks: 9_900 } as const;

describe('orders of a strategy that is not configured any more', () => {
  /** A bot whose only strategy has left an order of another one at the venue. */
  const orphaned = async (options: Parameters<typeof botRig>[0] = {}): Promise<BotRig> => {
    const data = folder();
    const before = await botRig({
      data,
      strategies: [{ name: 'old' }],
      settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
    });
    before.market.emit(BOOK);
    before.commands[0]?.next(place('BTCUSDT', BID));
    await before.pass(100);
    await driven(before.bot.close(), before.clock);
    const rig = await botRig({
      data,
      clock: before.clock,
      strategies: [{ name: 'new' }],
      ...options,
    });
    rig.market.emit(BOOK);
    await rig.pass(100);
    return rig;
  };

  test('are shown by orders and status, and named in the log at the start', async () => {
    const { bot, logs } = await orphaned();
    const [order, ...more] = bot.orders();
    expect(more).toEqual([]);
    expect(order).toMatchObject({ strategy: 'old', symbol: 'BTCUSDT', isOrphan: true });
    expect(bot.status().accounts[0]?.orphanOrders).toBe(1);
    expect(logs.join('\n')).toContain(
      `warn Strategy old is not configured on account main, or not for these symbols, and has orders open: ${order?.clientOrderId ?? ''} (BTCUSDT).`,
    );
  });

  test.each([undefined, 'old'])('are canceled by halt of %s', async (strategy) => {
    const { bot, clock } = await orphaned();
    await driven(bot.operate('halt', strategy), clock);
    expect(bot.orders()).toEqual([]);
    expect(bot.status().accounts[0]?.orphanOrders).toBe(0);
  });

  test.each(['kill', 'flatten'] as const)('are canceled by %s', async (operation) => {
    const { bot, clock } = await orphaned();
    await driven(bot.operate(operation), clock);
    expect(bot.orders()).toEqual([]);
  });

  test('are left alone by a command for another strategy', async () => {
    const { bot, clock } = await orphaned();
    await driven(bot.operate('halt', 'new'), clock);
    expect(bot.orders()).toHaveLength(1);
  });

  test('are canceled by the end of the bot', async () => {
    const { bot, clock } = await orphaned();
    await driven(bot.close(), clock);
    expect(bot.orders()).toEqual([]);
  });

  test('count against the limits of the account', async () => {
    const risk = { ...NO_LIMITS, maxExposure: new Map([['USDT', decimal('6')]]) };
    const { bot, commands, pass } = await orphaned({ account: { risk } });
    commands[0]?.next(place('BTCUSDT', BID));
    await pass(100);
    expect(bot.orders().map(({ strategy }) => strategy)).toEqual(['old']);
  });

  test('are filled into the holdings of their strategy, and only it gets the reports', async () => {
    const { bot, contexts, market, pass } = await orphaned();
    const changes: unknown[] = [];
    contexts[0]?.account.orders().subscribe((change) => changes.push(change));
    market.emit({ at: '00:00:02', trade: '98.00', size: 5, aggressor: 'sell' });
    await pass(100);
    expect(bot.orders()).toEqual([]);
    expect(changes).toEqual([]);
  });

  test('are shown and canceled too where the strategy is there and its symbol is gone', async () => {
    const { bot, clock } = await orphaned({ strategies: [{ name: 'old', symbols: [] }] });
    expect(bot.orders()).toMatchObject([{ strategy: 'old', symbol: 'BTCUSDT', isOrphan: true }]);
    await driven(bot.operate('halt'), clock);
    expect(bot.orders()).toEqual([]);
  });
});
