import { delay, filter, map, merge, Subject, take, withLatestFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import type { Context } from '../../../src/strategy/context.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven, NO_LIMITS, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

/** Keeps one bid in the book: places it again whenever it is gone. */
function keeper(gone: { count: number }) {
  return ({ market, account }: Context<unknown>): Subject<Command> => {
    const commands = new Subject<Command>();
    const top$ = market.bbo('BTCUSDT').pipe(filter(({ bidLots }) => bidLots > 0));
    const lost$ = account.orders('BTCUSDT').pipe(
      filter(({ status }) => ['canceled', 'rejected'].includes(status)),
      withLatestFrom(top$),
      map(([, top]) => {
        gone.count += 1;
        if (gone.count > 5_000) throw new RangeError('asked without end');
        return top;
      }),
    );
    merge(top$.pipe(take(1)), lost$)
      .pipe(
        map(({ bidTicks }) =>
          place('BTCUSDT', { type: 'limit', side: 'buy', ticks: bidTicks - 100, lots: 5 }),
        ),
      )
      .subscribe(commands);
    return commands;
  };
}

async function keeping(
  options: Parameters<typeof botRig>[0] = {},
): Promise<BotRig & { readonly gone: { count: number } }> {
  const gone = { count: 0 };
  const rig = await botRig({ ...options, strategies: [{ run: keeper(gone) }, {}] });
  rig.market.emit(BOOK);
  await rig.pass(10);
  return { ...rig, gone };
}

describe('a strategy that places its order again whenever it is gone', () => {
  test('leaves the bot time for all else while it is halted, and goes on after that', async () => {
    const { bot, clock, commands, gone, pass } = await keeping();
    expect(bot.orders()).toHaveLength(1);
    await driven(bot.operate('halt', 's0'), clock);
    await pass(60_000);
    expect(gone.count).toBeGreaterThan(30);
    expect(gone.count).toBeLessThan(100);
    expect(bot.orders()).toEqual([]);
    const sell = place('BTCUSDT', { type: 'limit', side: 'sell', ticks: 12_000, lots: 1 });
    commands[1]?.next(sell);
    await pass(10);
    expect(bot.orders()).toMatchObject([{ strategy: 's1' }]);
    await driven(bot.operate('resume', 's0'), clock);
    await pass(2_000);
    expect(bot.orders()).toHaveLength(2);
    expect(bot.status().strategies[0]).toMatchObject({ state: 'running' });
  });

  test('is halted after 100 rejections in a row that do not pass', async () => {
    const risk = { ...NO_LIMITS, maxNotional: new Map([['USDT', decimal('0.01')]]) };
    const gone = { count: 0 };
    const { bot, market, logs, pass } = await botRig({
      strategies: [{ run: keeper(gone), risk }],
    });
    market.emit(BOOK);
    await pass(5_000);
    expect(bot.status().strategies[0]).toMatchObject({ state: 'running' });
    await pass(20_000);
    expect(gone.count).toBe(100);
    expect(bot.status().strategies[0]).toMatchObject({ state: 'halted' });
    expect(logs.join('\n')).toContain('100 in a row, each the answer to the one before');
  });

  test('in a later turn of its own leaves the bot time for all else too', async () => {
    const gone = { count: 0 };
    const run = (context: Context<unknown>): Subject<Command> => {
      const later = new Subject<Command>();
      keeper(gone)(context).pipe(delay(1)).subscribe(later);
      return later;
    };
    const { bot, clock, market, pass } = await botRig({ strategies: [{ run }] });
    market.emit(BOOK);
    await pass(10);
    await driven(bot.operate('halt'), clock);
    await pass(1_000);
    expect(bot.status().state).toBe('halted');
    expect(gone.count).toBeLessThan(1_100);
    await driven(bot.operate('resume'), clock);
    await pass(100);
    expect(bot.orders()).toHaveLength(1);
  });

  test('does not keep the bot from its end', async () => {
    const { bot, clock, gone, pass } = await keeping();
    await driven(bot.operate('halt'), clock);
    await pass(3_000);
    await driven(bot.close(), clock);
    const before = gone.count;
    await pass(10_000);
    expect(gone.count).toBe(before);
  });
});
