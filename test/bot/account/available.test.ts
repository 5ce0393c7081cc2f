import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { rate } from '../../../src/strategy/numbers.ts';
import { cancel, place, replace, type OrderInput } from '../../../src/strategy/orders.ts';
import { bracket } from '../../../src/strategy/bracket.ts';
import { KnownAvailable } from '../../../src/bot/account/known-available.ts';
import { Amount, NOTHING } from '../../../src/model/amount.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { micros } from '../../../src/platform/time.ts';
import { TERMS } from '../../engine/rig.ts';
import { place as journaled, START, venueOrder } from '../journal/kit.ts';
import { botRig, type RigOptions } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 100]], asks: [['100.01', 100]] };

const order = (change: object): Command =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 9_000, ...change } as OrderInput);

/** A bot whose strategies have no budget, what reached the venue, and why orders were rejected. */
async function desk(options: RigOptions = {}) {
  const sent: OrderRequest[] = [];
  const rejected: string[] = [];
  const rig = await botRig({
    balances: { USDT: '1000', BTC: '1' },
    ...options,
    venue: (paper) => {
      const send = paper.send.bind(paper);
      paper.send = (request) => {
        sent.push(request);
        send(request);
      };
      return paper;
    },
  });
  for (const context of rig.contexts) {
    context.account.orders().subscribe(({ status, rejection }) => {
      if (status === 'rejected') rejected.push(rejection?.code ?? '');
    });
  }
  rig.market.emit(BOOK);
  await rig.pass(10);
  const give = async (...commands: Command[]): Promise<void> => {
    for (const command of commands) rig.commands[0]?.next(command);
    await rig.pass(20);
  };
  return { ...rig, sent, rejected, give };
}

describe('an order that the account cannot pay for, of a strategy without a budget', () => {
  test('is rejected before it is sent, with what is available and needed', async () => {
    const { give, sent, rejected, logs } = await desk();
    await give(order({ lots: 10_001, ticks: 10_000 }));
    expect(sent).toEqual([]);
    expect(rejected).toEqual(['budget-exceeded']);
    const line = 'Of the account 1000 USDT is available and must exceed 1000.1, fee included.';
    expect(logs.filter((one) => one.includes(line))).toHaveLength(1);
  });

  test('is one that comes to all of the balance, as the venue would reject it too', async () => {
    const { give, sent, rejected } = await desk();
    await give(order({ lots: 10_000, ticks: 10_000 }));
    expect([sent.length, rejected]).toEqual([0, ['budget-exceeded']]);
    await give(order({ lots: 9_999, ticks: 10_000 }));
    expect([sent.length, rejected.length]).toEqual([1, 1]);
  });

  test('counts the fee at the higher rate, its own included', async () => {
    const { give, sent, rejected } = await desk();
    const bid = { lots: 9_900, ticks: 10_000 };
    // 990 and 1.01 % of it are 999.999, 1.02 % are 1,000.098.
    await give(order({ ...bid, makeRate: rate('0.0102') }));
    expect([sent.length, rejected]).toEqual([0, ['budget-exceeded']]);
    await give(order({ ...bid, takeRate: rate('0.0101') }));
    expect([sent.length, rejected.length]).toEqual([1, 1]);
  });

  test('is measured by what orders of all strategies on the account leave', async () => {
    const { commands, give, sent, rejected, pass } = await desk({ strategies: [{}, {}] });
    commands[1]?.next(order({ lots: 8_000 }));
    await pass(20);
    expect(sent).toHaveLength(1);
    // 1,000 less 720.
    await give(order({ lots: 3_112 }));
    expect([sent.length, rejected]).toEqual([1, ['budget-exceeded']]);
    await give(order({ lots: 3_111 }));
    expect([sent.length, rejected.length]).toEqual([2, 1]);
  });

  test('is a sell of more than there is, and names the orders that reserve it', async () => {
    const { give, sent, rejected, logs } = await desk();
    await give(order({ side: 'sell', lots: 600, ticks: 11_000, clientOrderId: 'ask-0001' }));
    await give(order({ side: 'sell', lots: 401, ticks: 11_000 }));
    expect([sent.length, rejected]).toEqual([1, ['budget-exceeded']]);
    expect(logs.some((one) => one.includes('must be at least 0.401.'))).toBe(true);
    await give(order({ side: 'sell', lots: 400, ticks: 11_000 }));
    expect(sent).toHaveLength(2);
  });

  test('is a market order that fills whole, by the best ask; one that takes what it gets is sent', async () => {
    const { give, sent, rejected } = await desk();
    await give(order({ type: 'market', ticks: undefined, lots: 10_000 }));
    expect([sent.length, rejected]).toEqual([0, ['budget-exceeded']]);
    await give(order({ type: 'market', ticks: undefined, lots: 10_000, timeInForce: 'IOC' }));
    expect(sent).toHaveLength(1);
  });

  test('is a bracket whose entry it is; exits need nothing yet', async () => {
    const { give, sent, rejected } = await desk();
    const of = (lots: number): Command =>
      bracket('BTCUSDT', {
        entry: { type: 'limit', side: 'buy', ticks: 9_000 },
        takeProfit: { ticks: 11_000 },
        stopLoss: { stopTicks: 8_000 },
        lots,
      });
    await give(of(12_000));
    expect([sent.length, rejected.length]).toEqual([0, 3]);
    await give(of(11_000));
    expect(sent).toHaveLength(1);
  });
});

describe('is never held up by it:', () => {
  const RESTING = order({ lots: 10_000, ticks: 9_900, clientOrderId: 'resting-1' });

  test('a cancel, and a replacement that needs no more', async () => {
    const { give, sent, rejected } = await desk();
    await give(RESTING);
    await give(replace('resting-1', { ticks: 9_800, newClientOrderId: 'resting-2' }));
    expect(sent).toHaveLength(2);
    // 980 are held, and 20 are available.
    await give(replace('resting-2', { ticks: 10_000, newClientOrderId: 'resting-3' }));
    expect([sent.length, rejected]).toEqual([2, ['budget-exceeded']]);
    await give(cancel('resting-2'));
    expect(sent).toHaveLength(3);
  });

  test('an order beside the cancel that makes room for it', async () => {
    const { give, sent, rejected, bot } = await desk();
    await give(RESTING);
    await give(cancel('resting-1'), order({ lots: 10_000, ticks: 9_900 }));
    expect(sent.map(({ kind }) => kind)).toEqual(['place', 'cancel', 'place']);
    expect([rejected, bot.orders().length]).toEqual([[], 1]);
  });

  test('an order that is sent as soon as the end of another is reported, before the balance is', async () => {
    const { contexts, commands, give, sent, rejected } = await desk();
    await give(RESTING);
    contexts[0]?.account.orders().subscribe(({ clientOrderId, status }) => {
      if (clientOrderId !== 'resting-1' || status !== 'canceled') return;
      commands[0]?.next(order({ lots: 10_000, ticks: 9_900 }));
    });
    await give(cancel('resting-1'));
    expect(sent.map(({ kind }) => kind)).toEqual(['place', 'cancel', 'place']);
    expect(rejected).toEqual([]);
  });

  test('a sell of what a fill has just brought', async () => {
    const { contexts, commands, give, sent, rejected } = await desk();
    contexts[0]?.account.orders().subscribe(({ side, status }) => {
      if (side !== 'buy' || status !== 'filled') return;
      commands[0]?.next(order({ side: 'sell', lots: 1_500, ticks: 11_000 }));
    });
    await give(order({ lots: 500, ticks: 10_100 }));
    expect([sent.length, rejected]).toEqual([2, []]);
  });

  test('a buy with the money of a sale that is on its way', async () => {
    const sale = { type: 'market', ticks: undefined, side: 'sell' };
    const { give, sent, rejected, bot } = await desk();
    await give(order({ ...sale, lots: 1_000 }), order({ lots: 11_000, ticks: 9_000 }));
    expect([sent.length, rejected]).toEqual([2, []]);
    expect(bot.orders()).toHaveLength(1);
  });
});

describe('what is known to be available', () => {
  const USDT = { kind: 'balance', at: START, currency: 'USDT' } as const;

  function known() {
    let now = START;
    const account = {
      instruments: {
        find: (symbol: string) => (symbol === TERMS.symbol ? new Instrument(TERMS) : undefined),
      },
      isCurrent: true,
      now: () => now,
      openOrders: () => [],
    };
    let agrees = true;
    const available = new KnownAvailable(account, () => agrees);
    return {
      account,
      available,
      of: () => available.of('USDT')?.toFixed(),
      emit: () => available.balance({ ...USDT, available: Amount.count(7), reserved: NOTHING }),
      receive: (kind: 'canceled' | 'new') =>
        available.received({ kind, at: START, order: venueOrder('order-0001') }),
      pass: (us: number) => (now = micros(now + us)),
      disagree: () => (agrees = false),
    };
  }

  test('is unknown before a balance was reported, and after the connection was lost', () => {
    const { of, emit, available, account } = known();
    expect(of()).toBeUndefined();
    emit();
    expect(of()).toBe('7');
    account.isCurrent = false;
    expect(of()).toBeUndefined();
    account.isCurrent = true;
    available.clear();
    expect(of()).toBeUndefined();
  });

  test('is nothing while the balance is not what fills made of it', () => {
    const { of, emit, disagree } = known();
    emit();
    disagree();
    expect(of()).toBeUndefined();
  });

  test('is unknown after a report on an order that reserves it, until it is reported again or for 5 s', () => {
    const { of, emit, receive, pass } = known();
    emit();
    receive('new');
    expect(of()).toBeUndefined();
    emit();
    expect(of()).toBe('7');
    receive('canceled');
    pass(4_999_999);
    expect(of()).toBeUndefined();
    pass(1);
    expect(of()).toBe('7');
  });

  test('is nothing while a cancel or a list is not answered, and known again once it is', () => {
    const { of, emit, available } = known();
    emit();
    const request = { kind: 'cancel', clientOrderId: 'order-0001', symbol: 'BTCUSDT' } as const;
    available.passed(request);
    expect(of()).toBeUndefined();
    const rejection = { code: 'order-unknown', message: 'No.' } as const;
    available.received({ ...request, kind: 'rejected', at: START, request: 'cancel', rejection });
    expect(of()).toBe('7');
    const sells = ['order-0002', 'order-0003'].map((id) => journaled(id, { side: 'sell' }));
    const list = { kind: 'placeList', orderListId: 'order-0002' } as const;
    const asked = { ...list, contingencyType: 'oneCancelOther', orders: sells } as const;
    available.passed(asked);
    expect(of()).toBeUndefined();
    const named = { clientOrderId: 'order-0002', symbol: 'BTCUSDT', rejection } as const;
    available.received({
      ...named,
      kind: 'outcome-unknown',
      at: START,
      request: 'placeList',
    } as never);
    expect(of()).toBeUndefined();
    available.received({ ...named, kind: 'rejected', at: START, request: 'placeList' });
    expect(of()).toBe('7');
    available.passed(asked);
    // The journal could not be written: it never left.
    available.kept(asked);
    expect(of()).toBe('7');
  });
});
