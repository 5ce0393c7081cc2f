import { describe, expect, test } from 'vitest';
import { Amount } from '../../src/model/amount.ts';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { decimal } from '../../src/model/decimal.ts';
import type { PaperAccount } from '../../src/bot/paper/account.ts';
import type { AccountListener } from '../../src/gateways/venue-account.ts';
import { place } from '../../src/strategy/orders.ts';
import { botRig, driven, folder, NO_LIMITS } from './rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };
const trade = (price: string): TestEvent => ({ at: '00:00:01', trade: price, aggressor: 'sell' });
const buy = (lots: number, ticks: number) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks });

/** The account of the exchange in the process, with a way to move money past it. */
function withTransfers() {
  let listener: AccountListener | undefined;
  return {
    venue: (paper: PaperAccount) => {
      const open = paper.open.bind(paper);
      return Object.assign(paper, {
        open: (given: AccountListener) => {
          listener = given;
          return open(given);
        },
      });
    },
    /** Says what is there of a currency now, by no trade. */
    set: (currency: string, available: string, at: number) => {
      listener?.report({
        kind: 'balance',
        at: at as never,
        currency,
        available: Amount.of(decimal(available)),
        reserved: Amount.count(0),
      });
    },
  };
}

describe('the watch over a running bot', () => {
  const risk = { ...NO_LIMITS, maxDailyLoss: new Map([['USDT', decimal('20')]]) };

  test('halts a strategy that lost too much of the day, cancels its orders, and remembers', async () => {
    const data = folder();
    const rig = await botRig({ data, strategies: [{ risk }] });
    rig.market.emit(BOOK, trade('100'));
    rig.commands[0]?.next(buy(5, 7_000));
    await rig.pass(2_500);
    expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running', openOrders: 1 });
    rig.market.emit(trade('79'));
    await rig.pass(2_500);
    expect(rig.bot.status().strategies[0]).toMatchObject({
      state: 'halted',
      openOrders: 0,
      dayResult: { USDT: '-21' },
    });
    await driven(rig.bot.close(), rig.clock);
    const again = await botRig({ data, clock: rig.clock, strategies: [{ risk }] });
    expect(again.bot.status().strategies[0]).toMatchObject({ state: 'halted' });
  });

  test('takes money that was withdrawn for no loss, and what is lost after it for one', async () => {
    const { venue, set } = withTransfers();
    const rig = await botRig({ venue, strategies: [{ risk }], account: { risk } });
    rig.market.emit(BOOK, trade('100'));
    await rig.pass(2_500);
    set('USDT', '400', rig.clock.now());
    await rig.pass(3_500);
    expect(rig.bot.status()).toMatchObject({
      accounts: [{ state: 'running' }],
      strategies: [{ state: 'running', dayResult: { USDT: '0' } }],
    });
    rig.market.emit(trade('79'));
    await rig.pass(2_500);
    expect(rig.bot.status()).toMatchObject({
      accounts: [{ state: 'halted' }],
      strategies: [{ state: 'halted', dayResult: { USDT: '-21' } }],
    });
  });

  test('counts money that came or went between runs as neither profit nor loss', async () => {
    const data = folder();
    const balances = { USDT: '1000', BTC: '1' };
    const strategies = [{ risk }];
    const rig = await botRig({ data, strategies, account: { risk }, balances });
    rig.market.emit(BOOK, trade('100'));
    await rig.pass(2_500);
    await driven(rig.bot.close(), rig.clock);
    const { venue, set } = withTransfers();
    const next = await botRig({ data, clock: rig.clock, venue, strategies, account: { risk } });
    // As a venue tells it at the start.
    set('USDT', '400', next.clock.now());
    next.market.emit(BOOK, trade('100'));
    await next.pass(3_500);
    expect(next.bot.status()).toMatchObject({
      accounts: [{ state: 'running' }],
      strategies: [{ state: 'running', dayResult: { USDT: '0' } }],
    });
    next.market.emit(trade('79'));
    await next.pass(2_500);
    expect(next.bot.status().strategies[0]).toMatchObject({
      state: 'halted',
      dayResult: { USDT: '-21' },
    });
  });

  test('halts where a market has no data for too long', async () => {
    const stale = { ...NO_LIMITS, staleAfterUs: 5_000_000 };
    const rig = await botRig({ strategies: [{ risk: stale }] });
    rig.market.emit(BOOK);
    await rig.pass(4_000);
    expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running' });
    await rig.pass(3_000);
    expect(rig.bot.status().strategies[0]).toMatchObject({
      state: 'halted',
      why: expect.stringContaining('BTCUSDT'),
    });
  });

  describe('where the cause of a breach passes', () => {
    const stale = {
      ...NO_LIMITS,
      staleAfterUs: 5_000_000,
      autoResume: new Set(['data', 'connection'] as const),
    };

    test('resumes automatically once market data comes again', async () => {
      const rig = await botRig({ strategies: [{ risk: stale }] });
      rig.market.emit(BOOK);
      rig.commands[0]?.next(buy(5, 7_000));
      await rig.pass(7_500);
      expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'halted', openOrders: 0 });
      rig.market.emit(trade('100'));
      await rig.pass(1_500);
      expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running' });
      expect(rig.logs).toContainEqual(expect.stringContaining('Strategy s0 is running again'));
      rig.commands[0]?.next(buy(5, 7_000));
      await rig.pass(100);
      expect(rig.bot.status().strategies[0]).toMatchObject({ openOrders: 1 });
    });

    test('stays halted where an operator paused it meanwhile', async () => {
      const rig = await botRig({ strategies: [{ risk: stale }] });
      rig.market.emit(BOOK);
      await rig.pass(7_500);
      await rig.bot.operate('pause', 's0');
      rig.market.emit(trade('100'));
      await rig.pass(1_500);
      expect(rig.bot.status().strategies[0]).toMatchObject({
        state: 'halted',
        why: 'An operator asked it to pause.',
      });
    });

    test('a restart finds it running, as nothing of the silence is kept', async () => {
      const data = folder();
      const rig = await botRig({ data, strategies: [{ risk: stale }] });
      rig.market.emit(BOOK);
      await rig.pass(7_500);
      expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'halted' });
      await driven(rig.bot.close(), rig.clock);
      const again = await botRig({ data, clock: rig.clock, strategies: [{ risk: stale }] });
      expect(again.bot.status().strategies[0]).toMatchObject({ state: 'running' });
    });
  });

  test('takes requests that never left for no breach', async () => {
    const rig = await botRig({
      strategies: [{ risk: { ...NO_LIMITS, maxRejectsPerMinute: 2 } }],
      venue: (paper) =>
        Object.assign(paper, {
          open: unreachable(paper.open.bind(paper), paper),
        }),
    });
    rig.market.emit(BOOK);
    for (let i = 0; i < 9; i += 1) {
      rig.commands[0]?.next(buy(5, 7_000));
      await rig.pass(50);
    }
    expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running', openOrders: 0 });
  });
});

/** Opens the account, and from then on lets no request leave. */
const unreachable =
  (open: PaperAccount['open'], paper: PaperAccount): PaperAccount['open'] =>
  (listener) => {
    paper.send = (request) => {
      if (request.kind !== 'place') return;
      const { kind, clientOrderId, symbol } = request;
      listener.report({
        kind: 'rejected',
        at: 0 as never,
        request: kind,
        clientOrderId,
        symbol,
        rejection: { code: 'venue-unreachable', message: 'It was not sent.' },
      });
    };
    return open(listener);
  };
