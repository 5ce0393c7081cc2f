import { describe, expect, test } from 'vitest';
import { Journal } from '../../src/bot/journal/journal.ts';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Random } from '../../src/platform/random.ts';
import { place } from '../../src/strategy/orders.ts';
import { quote, target } from '../../src/strategy/managed-orders.ts';
import { ordersOf } from './journal/kit.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig } from './rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

const buy = (lots: number, ticks: number) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks });

const total = ({ bot }: BotRig, currency: string): string | undefined => {
  const line = bot.balances().find((one) => one.currency === currency);
  return line === undefined ? undefined : decimal(line.available).plus(line.reserved).toFixed();
};

describe('a bot', () => {
  test('trades what its strategy commands, and shows it', async () => {
    const rig = await botRig();
    const { bot, commands, market, pass } = rig;
    expect(bot.isReady()).toBe(true);
    market.emit(BOOK);
    commands[0]?.next(buy(5, 9_990));
    await pass(10);
    expect(bot.orders()).toMatchObject([
      { strategy: 's0', symbol: 'BTCUSDT', quantity: '0.005', price: '99.9', status: 'new' },
    ]);
    market.emit({ at: '00:00:01', trade: '99.80', size: 1, aggressor: 'sell' });
    await pass(10);
    expect(bot.orders()).toEqual([]);
    expect(bot.positions()).toMatchObject([{ strategy: 's0', quantity: '1.005' }]);
    expect([total(rig, 'BTC'), total(rig, 'USDT')]).toEqual(['1.005', '999.5005']);
    await driven(bot.close(), rig.clock);
  });

  test('goes on where it was after a restart: money, plain orders, numbers', async () => {
    const data = folder();
    const first = await botRig({
      data,
      balances: { USDT: '1000' },
      settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
    });
    first.market.emit(BOOK);
    first.commands[0]?.next(buy(5, 10_100));
    first.commands[0]?.next(buy(7, 9_900));
    await first.pass(10);
    const before = first.bot.orders();
    expect(before).toMatchObject([{ price: '99', quantity: '0.007' }]);
    const money = [total(first, 'BTC'), total(first, 'USDT')];
    await driven(first.bot.close(), first.clock);

    const second = await botRig({ data, clock: first.clock });
    expect([total(second, 'BTC'), total(second, 'USDT')]).toEqual(money);
    expect(second.bot.orders()).toMatchObject([{ price: '99', quantity: '0.007', status: 'new' }]);
    second.market.emit(BOOK);
    second.commands[0]?.next(buy(1, 9_800));
    await second.pass(10);
    const ids = second.bot.orders().map(({ clientOrderId }) => clientOrderId);
    expect(ids).toEqual([before[0]?.clientOrderId, before[0]?.clientOrderId.replace(/2$/, '3')]);
    expect(second.bot.positions()).toMatchObject([{ quantity: '0.005', entry: '100.01' }]);
    await driven(second.bot.close(), second.clock);
  });

  test('cancels the orders of managed orders from before the start, as they are set again', async () => {
    const data = folder();
    const managedOrder = quote('BTCUSDT', { bid: { ticks: 9_900, lots: 3 } });
    const first = await botRig({
      data,
      settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
    });
    first.market.emit(BOOK);
    first.commands[0]?.next(managedOrder);
    await first.pass(10);
    expect(first.bot.orders()).toHaveLength(1);
    await driven(first.bot.close(), first.clock);
    const second = await botRig({ data, clock: first.clock });
    expect(second.bot.orders()).toEqual([]);
    second.market.emit(BOOK);
    second.commands[0]?.next(managedOrder);
    await second.pass(10);
    expect(second.bot.orders()).toMatchObject([{ price: '99', quantity: '0.003' }]);
    await driven(second.bot.close(), second.clock);
  });

  test('gives strategies with budgets money of their own', async () => {
    const budget = (usdt: string) => new Map([['USDT', decimal(usdt)]]);
    const rig = await botRig({
      strategies: [{ budget: budget('100') }, { budget: budget('400') }],
    });
    const { bot, commands, market, pass, contexts } = rig;
    const seen: string[] = [];
    contexts[0]?.account.balances('USDT').subscribe(({ available, reserved }) => {
      seen.push(`${available.toFixed()} ${reserved.toFixed()}`);
    });
    market.emit(BOOK);
    commands[0]?.next(buy(500, 10_001));
    await pass(10);
    expect(bot.positions()).toMatchObject([
      { strategy: 's0', quantity: '0.5' },
      { strategy: 's1', quantity: '0' },
    ]);
    expect(seen.at(0)).toBe('100 0');
    expect(seen.at(-1)).toBe('49.995 0');
    commands[0]?.next(target('BTCUSDT', { lots: 5_000 }));
    await pass(10);
    expect(bot.positions()[0]?.quantity).not.toBe('5');
    await driven(bot.close(), rig.clock);
  });

  test('sends nothing that a limit refuses, of the strategy or of its account', async () => {
    const rig = await botRig({
      strategies: [{ risk: { ...NO_LIMITS, maxQuantity: new Map([['BTCUSDT', decimal('0.1')]]) } }],
      account: { risk: { ...NO_LIMITS, maxOpenOrders: 1 } },
    });
    const { bot, commands, market, pass, logs } = rig;
    market.emit(BOOK);
    commands[0]?.next(buy(101, 9_900));
    commands[0]?.next(buy(100, 9_900));
    commands[0]?.next(buy(1, 9_800));
    await pass(10);
    expect(bot.orders()).toMatchObject([{ quantity: '0.1' }]);
    expect(logs.filter((line) => line.includes('refused'))).toHaveLength(2);
    await driven(bot.close(), rig.clock);
  });

  test('halts, resumes, reduces, kills and flattens as operators say, also after a restart', async () => {
    const data = folder();
    const rig = await botRig({ data });
    const { bot, commands, market, pass, clock } = rig;
    market.emit(BOOK);
    commands[0]?.next(buy(5, 9_900));
    await pass(10);
    await bot.operate('pause');
    expect(bot.orders()).toHaveLength(1);
    commands[0]?.next(buy(6, 9_900));
    await pass(10);
    expect(bot.orders()).toHaveLength(1);
    await driven(bot.operate('halt', 's0'), clock);
    expect(bot.orders()).toEqual([]);
    await bot.operate('resume');
    commands[0]?.next(buy(6, 9_900));
    await pass(10);
    expect(bot.orders()).toHaveLength(1);
    await driven(bot.operate('flatten'), clock);
    await pass(10);
    expect(bot.positions()).toMatchObject([{ quantity: '0' }]);
    expect(bot.status()).toMatchObject({
      state: 'halted',
      strategies: [
        {
          state: 'halted',
          ownState: 'running',
          why: 'The bot is halted: An operator asked it to flatten.',
        },
      ],
    });
    await driven(bot.operate('kill', 's0'), clock);
    await driven(bot.close(), clock);
    const again = await botRig({ data, clock });
    expect(again.bot.status()).toMatchObject({
      state: 'halted',
      strategies: [{ name: 's0', state: 'killed' }],
    });
    expect(again.logs.filter((line) => line.includes(' before this start, '))).toEqual([
      expect.stringMatching(
        /^warn The bot is halted since .*Z, .* until "millrace resume": .*flatten/,
      ),
      expect.stringMatching(
        /^warn Strategy s0 is killed since .*Z, .* until "millrace resume s0": .*kill/,
      ),
    ]);
    await expect(again.bot.operate('pause', 'nobody')).rejects.toMatchObject({ code: 'usage' });
    await driven(again.bot.close(), clock);
  });

  test('has each order in its journal before it leaves', async () => {
    const data = folder();
    const known: boolean[] = [];
    const rig = await botRig({
      data,
      venue: (paper) => {
        const send = paper.send.bind(paper);
        return Object.assign(paper, {
          send: (request: Parameters<typeof send>[0]) => {
            known.push(rig_journal().includes('s0-'));
            send(request);
          },
        });
      },
    });
    const rig_journal = () =>
      rig.bot
        .orders()
        .map(({ clientOrderId }) => clientOrderId)
        .join();
    rig.market.emit(BOOK);
    rig.commands[0]?.next(buy(5, 9_900));
    await rig.pass(10);
    expect(known).toEqual([true]);
    await driven(rig.bot.close(), rig.clock);
    const journal = Journal.open(`${data}/main.paper.sqlite`, {
      account: 'main',
      scheduler: rig.clock,
      random: new Random(1),
    });
    expect(ordersOf(journal, 's0')).toMatchObject([{ lots: 5, status: 'canceled' }]);
    journal.close();
  });
});
