import { describe, expect, test } from 'vitest';
import type { BotEvent } from '../../../src/bot/api/bot-event.ts';
import { sentenceOf, type PromptEvent } from '../../../src/bot/notifications/sentences.ts';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { AccountListener, VenueAccount } from '../../../src/gateways/venue-account.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { TERMS } from '../../engine/rig.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { parseIsoTime, micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig, type RigOptions } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };
const buy = (lots: number, ticks: number) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks });

interface Heard extends BotRig {
  readonly events: BotEvent[];
  /** What people are told at once, with how much it matters. */
  sentences(): readonly string[];
}

async function heard(options: RigOptions = {}): Promise<Heard> {
  const events: BotEvent[] = [];
  const notifier = { take: (event: BotEvent) => void events.push(event), lines: () => [] };
  const rig = await botRig({ ...options, notifier });
  const sentences = (): readonly string[] =>
    events
      .filter((event): event is PromptEvent => !['connection', 'unknown'].includes(event.kind))
      .flatMap((event) => sentenceOf(event) ?? [])
      .map(({ kind, level, text }) => `${kind} ${level}: ${text}`);
  return { ...rig, events, sentences };
}

describe('a bot notifies of', () => {
  test('fills, exact', async () => {
    const rig = await heard();
    rig.market.emit(BOOK);
    rig.commands[0]?.next(buy(5, 10_001));
    await rig.pass(10);
    expect(rig.events).toMatchObject([
      {
        kind: 'fill',
        account: 'main',
        strategy: 's0',
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.005',
        price: '100.01',
        feeCurrency: 'USDT',
      },
    ]);
    expect(rig.sentences()).toEqual([
      expect.stringMatching(/^fill info: Strategy s0 \(account main\) bought 0\.005 BTCUSDT at 100\.01, fee 0(\.\d+)? USDT \(order s0-[\w-]+\)\.$/), // prettier-ignore
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('states of a strategy, an account and the bot, and why', async () => {
    const rig = await heard({
      strategies: [{ risk: { ...NO_LIMITS, maxDailyLoss: new Map([['USDT', decimal('5')]]) } }],
    });
    rig.market.emit(BOOK, { at: '00:00:01', trade: '100', aggressor: 'sell' });
    await rig.pass(2_000);
    rig.market.emit({ at: '00:00:01', trade: '90', aggressor: 'sell' });
    await rig.pass(2_000);
    await driven(rig.bot.operate('resume'), rig.clock);
    await driven(rig.bot.operate('reduce', 's0'), rig.clock);
    expect(rig.sentences()).toEqual([
      expect.stringMatching(/^risk urgent: Strategy s0 \(account main\) is halted: 10 USDT were lost since midnight UTC, and 5 may be\./), // prettier-ignore
      'risk info: Strategy s0 (account main) is running: An operator asked it to resume.',
      'risk warning: Strategy s0 (account main) is reducing: An operator asked it to reduce.',
    ]);
    await driven(rig.bot.operate('halt'), rig.clock);
    expect(rig.sentences().at(-1)).toBe('risk urgent: The bot is halted: An operator asked it to halt.'); // prettier-ignore
    await driven(rig.bot.close(), rig.clock);
  });

  test('a strategy that failed, once, and its stopped state not beside that', async () => {
    const rig = await heard();
    rig.commands[0]?.error(new Error('no such price'));
    await rig.pass(10);
    expect(rig.bot.status().strategies[0]?.state).toBe('halted');
    expect(rig.sentences()).toEqual([
      'strategy urgent: Strategy s0 (account main) failed and is halted: no such price',
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('a strategy that failed while it was halted', async () => {
    const rig = await heard();
    await driven(rig.bot.operate('pause', 's0'), rig.clock);
    rig.commands[0]?.error(new Error('no such price'));
    await rig.pass(10);
    expect(rig.sentences().slice(1)).toEqual([
      'strategy urgent: Strategy s0 (account main) failed and is halted: no such price',
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('a strategy that ended by itself', async () => {
    const rig = await heard();
    rig.commands[0]?.complete();
    await rig.pass(10);
    expect(rig.sentences()).toEqual([
      'strategy warning: Strategy s0 (account main) ended by itself; its open orders stay.',
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('what the venue rejects, and not of what lost a race', async () => {
    const rig = await heard({ venue: rejecting });
    rig.market.emit(BOOK);
    rig.commands[0]?.next(buy(5, 9_000));
    await rig.pass(10);
    expect(rig.sentences()).toEqual([
      expect.stringMatching(/^rejection warning: Strategy s0 \(account main\): the venue rejected to place order s0-[\w-]+ \(BTCUSDT\): Too small\.$/), // prettier-ignore
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('reports nothing at an end that was requested', async () => {
    const rig = await heard();
    rig.market.emit(BOOK);
    rig.commands[0]?.next(buy(5, 9_000));
    await rig.pass(10);
    await driven(rig.bot.close(), rig.clock);
    expect(rig.events).toEqual([]);
  });

  test('a lost connection, and that it is back', async () => {
    let listener: AccountListener | undefined;
    const rig = await heard({
      venue: (paper) => opening(paper, (opened) => (listener = opened)),
    });
    listener?.connectionState('lost', 'the socket is silent');
    listener?.connectionState('live');
    await rig.pass(10);
    expect(rig.events).toMatchObject([
      { kind: 'connection', account: 'main', state: 'lost', why: 'the socket is silent' },
      { kind: 'connection', account: 'main', state: 'live' },
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('an outcome that is unknown', async () => {
    let listener: AccountListener | undefined;
    const rig = await heard({
      venue: (paper) => opening(paper, (opened) => (listener = opened)),
    });
    rig.market.emit(BOOK);
    rig.commands[0]?.next(buy(5, 9_000));
    await rig.pass(0);
    const [order] = rig.bot.orders();
    const clientOrderId = order?.clientOrderId ?? '';
    listener?.report({ kind: 'outcome-unknown', at: rig.clock.now(), request: 'place', clientOrderId, symbol: 'BTCUSDT' }); // prettier-ignore
    expect(rig.events).toMatchObject([
      { kind: 'unknown', strategy: 's0', request: 'place', clientOrderId },
    ]);
    expect(rig.bot.orders()[0]?.status).toBe('unknown');
    await driven(rig.bot.close(), rig.clock);
  });

  test('a protection that ended before all was sold', async () => {
    const rig = await heard();
    rig.market.emit(BOOK, { at: '00:00:01', trade: '100', aggressor: 'sell' });
    const stop = { type: 'stopMarket', side: 'sell', lots: 500, stopTicks: 9_950 } as const;
    rig.commands[0]?.next(place('BTCUSDT', { ...stop, timeInForce: 'FOK' }));
    await rig.pass(10);
    rig.market.emit(
      { at: '00:00:01', bids: [['99', 0.1]], asks: [['100.01', 1]] },
      { at: '00:00:01', trade: '99', aggressor: 'sell' },
    );
    await rig.pass(10);
    expect(rig.sentences()).toEqual([
      expect.stringMatching(/^protection urgent: Strategy s0 \(account main\): 0\.5 of 0\.5 BTCUSDT have no protection any more, as order s0-[\w-]+ ended\.$/), // prettier-ignore
    ]);
    await driven(rig.bot.close(), rig.clock);
  });

  test('a margin call and a liquidation', async () => {
    const BTC = isolated('BTCUSDT');
    const rig = await heard({ instrument: new Instrument(SPOT), balances: { USDT: '10000' } });
    const quote = (price: number) => {
      const [bid, ask] = [String(price - 1), String(price + 1)];
      rig.market.emit({ at: '00:00:01', bids: [[bid, 1_000]], asks: [[ask, 1_000]] });
    };
    quote(100);
    rig.commands[0]?.next(setMargin(BTC, { balance: decimal('500'), leverage: 10 }));
    await rig.pass(2_000);
    rig.commands[0]?.next(place(BTC, { type: 'market', side: 'sell', lots: 20 }));
    await rig.pass(2_000);
    for (let price = 105; price < 130; price += 1) {
      quote(price);
      await rig.pass(100);
    }
    const told = rig.sentences().filter((line) => line.startsWith('margin '));
    expect(told).toContainEqual(
      expect.stringMatching(/^margin urgent: Strategy s0 \(account main\): There is a margin call on the isolated margin account of BTCUSDT, which has [\d.]+ USDT\.$/), // prettier-ignore
    );
    expect(told).toContainEqual(
      expect.stringMatching(/^margin urgent: Strategy s0 \(account main\): The position in BTCUSDT on isolated margin was liquidated, to 0 lots; [\d.]+ USDT are left\.$/), // prettier-ignore
    );
    await driven(rig.bot.close(), rig.clock);
  });

  describe('a day of UTC that is over', () => {
    const evening = () => new VirtualScheduler(parseIsoTime('2026-03-02T23:59:50Z') ?? micros(0));
    const feeInstrument = () => new Instrument({ ...TERMS, takeRate: '0.001' });
    const SUMMARY = 'summary info: Account main on 2026-03-02 (UTC): result -0.561001 USDT; fills 1; fees 0.010001 USDT; strategy s0 -0.561001 USDT.'; // prettier-ignore

    /** Buys 0.1 for 10.001 before midnight, after which the price falls from 100 to 99.5. */
    async function traded(data: string): Promise<Heard> {
      const rig = await heard({ data, clock: evening(), instrument: feeInstrument() });
      rig.market.emit(BOOK, { at: '00:00:01', trade: '100', aggressor: 'sell' });
      await rig.pass(2_000);
      rig.commands[0]?.next(buy(100, 10_001));
      await rig.pass(100);
      rig.market.emit(BOOK, { at: '00:00:01', trade: '99.5', aggressor: 'sell' });
      return rig;
    }

    test('once, with result, fills and fees to the last digit', async () => {
      const rig = await traded(folder());
      await rig.pass(8_500);
      rig.commands[0]?.next(buy(10, 10_001));
      await rig.pass(20_000);
      const told = rig.sentences().filter((line) => line.startsWith('summary '));
      expect(told).toEqual([SUMMARY]);
      await driven(rig.bot.close(), rig.clock);
    });

    test('as a whole, where the process was restarted on it', async () => {
      const data = folder();
      const first = await traded(data);
      await first.pass(2_000);
      await driven(first.bot.close(), first.clock);
      const next = await heard({ data, clock: first.clock, instrument: feeInstrument() });
      next.market.emit(BOOK, { at: '00:00:01', trade: '99.5', aggressor: 'sell' });
      await next.pass(20_000);
      expect(next.sentences().filter((line) => line.startsWith('summary '))).toEqual([SUMMARY]);
      await driven(next.bot.close(), next.clock);
    });

    test('and not where the process was not there at its end, as its last equity is not known', async () => {
      const data = folder();
      const first = await traded(data);
      await first.pass(6_000);
      await driven(first.bot.close(), first.clock);
      first.clock.advanceTo(micros(first.clock.now() + 3_600_000_000));
      const summaries: string[][] = [];
      for (let i = 0; i < 2; i += 1) {
        const next = await heard({ data, clock: first.clock, instrument: feeInstrument() });
        next.market.emit(BOOK, { at: '00:00:01', trade: '99.5', aggressor: 'sell' });
        await next.pass(12_000);
        summaries.push(next.sentences().filter((line) => line.startsWith('summary ')));
        await driven(next.bot.close(), next.clock);
      }
      expect(summaries).toEqual([[], []]);
    });
  });
});

/** A venue whose listener the test has too. */
function opening(paper: PaperAccount, opened: (listener: AccountListener) => void): VenueAccount {
  return new Proxy(paper, {
    get(target, name) {
      if (name === 'open') {
        return (listener: AccountListener) => {
          opened(listener);
          return target.open(listener);
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A venue that rejects all orders. */
function rejecting(paper: PaperAccount, clock: VirtualScheduler): VenueAccount {
  let listener: AccountListener | undefined;
  const venue = opening(paper, (opened) => (listener = opened));
  return new Proxy(venue, {
    get(target, name) {
      if (name !== 'send') return Reflect.get(target, name, target) as unknown;
      return ({ clientOrderId, symbol }: { clientOrderId: string; symbol: string }) => {
        const rejection = { code: 'value-below-minimum', message: 'Too small.' } as const;
        listener?.report({ kind: 'rejected', at: clock.now(), request: 'place', clientOrderId, symbol, rejection }); // prettier-ignore
      };
    },
  });
}
