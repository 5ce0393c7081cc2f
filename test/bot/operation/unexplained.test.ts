import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { AccountListener } from '../../../src/gateways/venue-account.ts';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import type { BalanceReport, Report } from '../../../src/model/report.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, folder, NO_LIMITS, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };
const TRADE: TestEvent = { at: '00:00:02', trade: '100', size: 1 };

/** The account of the exchange in the process, whose balances the test can move by no fill. */
class Moving {
  readonly #moved = new Map<string, Decimal>();
  #emit: ((report: Report) => void) | undefined;
  #last = new Map<string, BalanceReport>();

  readonly venue = (paper: PaperAccount, _: VirtualScheduler): PaperAccount => {
    const open = paper.open.bind(paper);
    const snapshot = paper.snapshot.bind(paper);
    return Object.assign(paper, {
      open: (listener: AccountListener) => {
        this.#emit = (report) => {
          listener.report(report.kind === 'balance' ? this.#reported(report) : report);
        };
        return open({ ...listener, report: this.#emit });
      },
      snapshot: async (...asked: Parameters<typeof snapshot>) => {
        const reported = await snapshot(...asked);
        return { ...reported, balances: reported.balances.map((one) => this.#shown(one)) };
      },
    });
  };

  move(currency: string, by: string): void {
    this.#moved.set(currency, decimal(by));
    const last = this.#last.get(currency);
    if (last !== undefined) this.#emit?.(last);
  }

  #reported(report: BalanceReport): BalanceReport {
    this.#last.set(report.currency, report);
    const by = this.#moved.get(report.currency);
    return by === undefined
      ? report
      : { ...report, available: report.available.plus(Amount.of(by)) };
  }

  #shown<B extends { currency: string; available: Decimal }>(balance: B): B {
    const by = this.#moved.get(balance.currency);
    return by === undefined ? balance : { ...balance, available: balance.available.plus(by) };
  }
}

describe('a change of an account by no fill', () => {
  const opened = async (
    maxUnexplained: string | undefined,
  ): Promise<BotRig & { moving: Moving }> => {
    const moving = new Moving();
    const risk = {
      ...NO_LIMITS,
      ...(maxUnexplained === undefined ? {} : { maxUnexplained: decimal(maxUnexplained) }),
    };
    const rig = await botRig({ data: folder(), venue: moving.venue, account: { risk } });
    rig.market.emit(BOOK, TRADE);
    await rig.pass(5_000);
    return { ...rig, moving };
  };

  test('of more than the limit halts the account, with the amount and the share', async () => {
    const { bot, moving, pass } = await opened('0.01');
    // 1 BTC at 100 and 1,000 USDT: 1,100 in all.
    moving.move('BTC', '-0.47');
    await pass(5_000);
    const [account] = bot.status().accounts;
    expect(account).toMatchObject({ state: 'halted' });
    expect(account?.stateWhy).toBe(
      '0.47 BTC left the account without a fill: 4.27 % of its value; the limit is 1 %. Look at its transfers and at who else trades on it; "millrace resume" lets trading go on.',
    );
    await bot.operate('resume');
    await pass(5_000);
    expect(bot.status().accounts[0]?.state).toBe('running');
  });

  test.each([
    ['0.01', '-0.1'],
    [undefined, '-0.47'],
  ])('within the limit of %s halts nothing: %s BTC', async (limit, by) => {
    const { bot, moving, pass } = await opened(limit);
    moving.move('BTC', by);
    await pass(5_000);
    expect(bot.status().accounts[0]?.state).toBe('running');
  });

  test('by own fills is explained', async () => {
    const { bot, commands, pass } = await opened('0.01');
    commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1_000, ticks: 10_001 }));
    await pass(5_000);
    expect(bot.positions()).not.toMatchObject([{ quantity: '0' }]);
    expect(bot.status().accounts[0]?.state).toBe('running');
  });
});
