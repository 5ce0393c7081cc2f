import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { place } from '../../../src/strategy/orders.ts';
import type { AccountListener } from '../../../src/gateways/venue-account.ts';
import { micros } from '../../../src/platform/time.ts';
import { botRig, driven, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 9]], asks: [['100.01', 9]] };

const budget = new Map([['USDT', decimal('300')]]);

describe('flattening', () => {
  test('sells what a strategy holds once, however many requests come at the same time', async () => {
    const rig = await botRig({
      balances: { USDT: '1000', BTC: '5' },
      strategies: [{ budget }, { budget }],
    });
    const { bot, clock, commands, market, pass } = rig;
    market.emit(BOOK);
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
    market.emit(BOOK);
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

  test.each([
    [2, '3 of BTCUSDT'],
    [0, '5 of BTCUSDT'],
  ])('says what is left where the market takes %i of 5', async (taken, left) => {
    const rig = await botRig({ balances: { USDT: '1000', BTC: '5' }, strategies: [{}] });
    const bids: [string, number][] = taken === 0 ? [] : [['99.99', taken]];
    rig.market.emit({ at: '00:00:01', bids, asks: [['100.01', 9]] });
    await rig.pass(20);
    const reported = await driven(
      rig.bot.operate('flatten').catch((error: unknown) => error),
      rig.clock,
    );
    expect(reported).toMatchObject({
      code: 'outcome-unknown',
      exitCode: 1,
      message: `The orders are canceled, and what is held was not all sold: ${left} (the market took no more of it)`,
    });
    await rig.pass(20);
    const btc = rig.bot.balances().find(({ currency }) => currency === 'BTC');
    expect(btc?.available).toBe(String(5 - taken));
    await driven(rig.bot.close(), rig.clock);
  });

  test('sells what nobody bought once, where several may', async () => {
    const rig = await botRig({ balances: { USDT: '1000', BTC: '5' }, strategies: [{}, {}] });
    rig.market.emit(BOOK);
    await rig.pass(20);
    await driven(rig.bot.operate('flatten'), rig.clock);
    await rig.pass(20);
    expect(rig.bot.balances().find(({ currency }) => currency === 'BTC')?.available).toBe('0');
    await driven(rig.bot.close(), rig.clock);
  });
});

describe('the day result that flattening answers with', () => {
  /** A bot that has bought 1 BTC for 101 while it is worth 100; balances, or all reports, come later from then on. */
  async function bought(holds: 'balances' | 'all', ms: number) {
    let isLate = false;
    let say: AccountListener['connectionState'] = () => undefined;
    const rig = await botRig({
      balances: { USDT: '1000' },
      strategies: [{}],
      venue: (paper, clock) => {
        const open = paper.open.bind(paper);
        const snapshot = paper.snapshot.bind(paper);
        return Object.assign(paper, {
          // Asked, it answers no sooner either.
          snapshot: async (...asked: Parameters<typeof snapshot>) => {
            if (isLate)
              await new Promise((resolve) =>
                clock.at(micros(clock.now() + ms * 1_000), () => resolve(undefined)),
              );
            return await snapshot(...asked);
          },
          open: (listener: AccountListener) => {
            say = (connectionState) => listener.connectionState(connectionState);
            return open({
              ...listener,
              report: (report) => {
                const isHeld = isLate && (holds === 'all' || report.kind === 'balance');
                if (!isHeld) listener.report(report);
                else clock.at(micros(clock.now() + ms * 1_000), () => listener.report(report));
              },
            });
          },
        });
      },
    });
    rig.market.emit({ at: '00:00:01', bids: [['99', 9]], asks: [['101', 9]] });
    rig.market.emit({ at: '00:00:01', trade: '100', aggressor: 'sell' });
    await rig.pass(2_500);
    rig.commands[0]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 1_000 }));
    await rig.pass(3_000);
    expect(dayResult(rig)).toEqual({ USDT: '-1' });
    isLate = true;
    return { ...rig, say };
  }

  const dayResult = ({ bot }: BotRig) => bot.status().strategies[0].dayResult;

  test.each([
    ['balances', 0],
    ['balances', 1_500],
    ['all', 2_500],
  ] as const)('is of after the sale, where %s come %i ms late', async (holds, ms) => {
    const rig = await bought(holds, ms);
    await driven(rig.bot.operate('flatten'), rig.clock);
    // Sold for 99.
    expect(dayResult(rig)).toEqual({ USDT: '-2' });
  });

  test('is left out while the account is disconnected, and known once it is connected', async () => {
    const rig = await bought('balances', 8_000);
    rig.say('lost');
    rig.say('live');
    await driven(rig.bot.operate('flatten'), rig.clock);
    expect(dayResult(rig)).toEqual({});
    expect(rig.logs.join()).toContain('What flattening brought s0 is not known yet');
    await rig.pass(20_000);
    expect(dayResult(rig)).toEqual({ USDT: '-2' });
  });

  test('does not come where nobody knows what became of the sale', async () => {
    const rig = await bought('all', 60_000);
    await expect(driven(rig.bot.operate('flatten'), rig.clock)).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining('BTCUSDT (nobody knows yet what became of the sale)'),
    });
  });
});
