import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 9]], asks: [['100.01', 9]] };

const budget = new Map([['USDT', decimal('300')]]);

describe('flattening', () => {
  test('sells what a strategy holds once, however often it is told at the same time', async () => {
    const rig = await botRig({
      balances: { USDT: '1000', BTC: '5' },
      strategies: [{ budget }, { budget }],
    });
    const { bot, clock, commands, market, pass } = rig;
    market.tell(BOOK);
    commands[0]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 1_000 }));
    commands[1]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 500 }));
    await pass(20);
    expect(bot.positions().map(({ quantity }) => quantity)).toEqual(['1', '0.5']);
    await driven(
      Promise.all([bot.operate('flatten', 's0'), bot.operate('flatten'), bot.operate('flatten')]),
      clock,
    );
    await pass(20);
    expect(bot.positions().map(({ quantity }) => quantity)).toEqual(['0', '0']);
    // What the account has besides is not theirs.
    expect(bot.balances().find(({ currency }) => currency === 'BTC')?.available).toBe('5');
    await driven(bot.close(), clock);
  });

  test('of a strategy without a budget leaves what the others bought', async () => {
    const rig = await botRig({ balances: { USDT: '1000', BTC: '5' }, strategies: [{}, {}] });
    const { bot, clock, commands, market, pass } = rig;
    const held = () => bot.balances().find(({ currency }) => currency === 'BTC')?.available;
    market.tell(BOOK);
    commands[0]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 1_000 }));
    commands[1]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 500 }));
    await pass(20);
    await driven(bot.operate('flatten', 's1'), clock);
    await pass(20);
    // 5 that nobody bought are everybody's, so that what the other bought stays.
    expect(held()).toBe('1');
    await driven(bot.operate('flatten'), clock);
    await pass(20);
    expect(held()).toBe('0');
    await driven(bot.close(), clock);
  });

  test('sells what nobody bought once, where several may', async () => {
    const rig = await botRig({ balances: { USDT: '1000', BTC: '5' }, strategies: [{}, {}] });
    rig.market.tell(BOOK);
    await rig.pass(20);
    await driven(rig.bot.operate('flatten'), rig.clock);
    await rig.pass(20);
    expect(rig.bot.balances().find(({ currency }) => currency === 'BTC')?.available).toBe('0');
    await driven(rig.bot.close(), rig.clock);
  });
});
