import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { VenueAccount } from '../../../src/gateways/venue-account.ts';
import { NOTHING } from '../../../src/model/amount.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { MarginRequest, OrderRequest } from '../../../src/model/order-request.ts';
import type { Report } from '../../../src/model/report.ts';
import type { Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import type { MarginEvent } from '../../../src/strategy/positions.ts';
import { cross } from '../../../src/strategy/where.ts';
import { botRig, driven, folder, NO_LIMITS, START } from '../rig.ts';
import { account, BTC, Hands, INSTRUMENT, opened, position, report } from './hands.ts';

/** The report that an order was filled whole, without fees. */
function filled(request: OrderRequest | MarginRequest | undefined): Report {
  if (request?.kind !== 'place') throw new TypeError('no order was sent');
  const { kind: _, takeRate: _take, makeRate: _make, ...terms } = request;
  const { clientOrderId, symbol, side, lots, ticks = 0 as Ticks, margin } = terms;
  const at = micros(START + 1_000);
  const order = { ...terms, id: 1, status: 'filled', filledLots: lots } as const;
  return {
    kind: 'trade',
    at,
    order: { ...order, createdAt: at, updatedAt: at },
    fill: {
      id: 1,
      clientOrderId,
      symbol,
      side,
      ticks,
      lots,
      taker: true,
      at,
      fee: NOTHING,
      feeCurrency: 'USDT',
      margin: margin?.mode,
    },
  };
}

const short = place(BTC, { type: 'limit', side: 'sell', lots: 1, ticks: 101 });

test('an order on a margin account leaves once the account is reported, in order with a setting of it', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened();
  const rejected: string[] = [];
  contexts[0]?.account
    .orders()
    .subscribe((order) => rejected.push(...(order.rejection ? [order.rejection.code] : [])));
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  commands[0]?.next(short);
  await pass(10);
  expect(manualActions.left).toMatchObject([{ kind: 'setMargin', balance: decimal('50') }]);
  expect(rejected).toEqual(['margin-account-unknown']);
  manualActions.listener?.margin(report('created', account('50')));
  await pass(10);
  commands[0]?.next(setMargin(BTC, { balance: decimal('60') }));
  commands[0]?.next(short);
  await pass(10);
  expect(manualActions.left.slice(1)).toMatchObject([
    { kind: 'setMargin', symbol: 'BTCUSDT', mode: 'isolated', balance: decimal('60') },
    { kind: 'place', side: 'sell', margin: { mode: 'isolated' } },
  ]);
  await driven(bot.close(), clock);
});

test('a margin account belongs to the strategy that asked for it first, and the rejection of others names it', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{}, {}],
  });
  const events: MarginEvent[] = [];
  contexts[1]?.account.marginEvents().subscribe((event) => events.push(event));
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  await pass(10);
  commands[1]?.next(setMargin(BTC, { balance: decimal('60') }));
  await pass(10);
  expect(manualActions.left).toHaveLength(1);
  expect(events).toMatchObject([{ kind: 'rejected', rejection: { code: 'margin-account-taken' } }]);
  expect(events[0]).toMatchObject({
    rejection: { message: expect.stringContaining('Strategy s0') },
  });
  await driven(bot.close(), clock);
});

test('only the strategy of a margin account gets its reports', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{}, {}],
  });
  const received: string[] = [];
  contexts.forEach((context, index) =>
    context.account.marginEvents().subscribe(({ kind }) => received.push(`s${index} ${kind}`)),
  );
  commands[1]?.next(setMargin(BTC, { balance: decimal('50') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('50')));
  await pass(10);
  expect(received).toEqual(['s1 marginChanged', 's1 leverageChanged']);
  await driven(bot.close(), clock);
});

test('a liquidation before trading begins is reported when trading begins, with the account as it is then', async () => {
  const data = folder();
  const first = await opened({ data });
  first.commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  await first.pass(10);
  first.manualActions.listener?.margin(report('created', account('50')));
  first.manualActions.listener?.margin(report('openTrade', account('50', [position(-1)])));
  await first.pass(100);
  await driven(first.bot.close(), first.clock);

  const manualActions = new Hands();
  const reported: string[] = [];
  const second = await botRig({
    instrument: INSTRUMENT,
    data,
    clock: first.clock,
    venue: (paper) => {
      const venue = manualActions.venue(paper);
      return new Proxy(venue, {
        get: (of, name) => {
          const value: unknown = Reflect.get(of, name, of);
          if (name !== 'snapshot') return value;
          return async (...given: Parameters<VenueAccount['snapshot']>) => {
            manualActions.listener?.margin(
              report('liquidated', account('12'), {
                position: position(0),
                end: 'liquidated',
                missed: true,
              }),
            );
            const snapshot = await of.snapshot(...given);
            return { ...snapshot, margin: { accounts: [account('12')], ended: [], carries: [] } };
          };
        },
      });
    },
    strategies: [
      {
        run: ({ account: own }) => {
          own.position(BTC).subscribe(({ lots }) => reported.push(`position ${lots}`));
          own
            .marginEvents(BTC)
            .subscribe(({ kind, missed }) => reported.push(`${kind} ${missed === true}`));
          return new Subject<Command>();
        },
      },
    ],
  });
  await second.pass(10);
  expect(reported).toContain('liquidated true');
  expect(reported[0]).toBe('position 0');
  await driven(second.bot.close(), second.clock);
});

test('a margin request that cannot be journaled is not sent, and the strategy gets a rejection', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened();
  const kinds: string[] = [];
  contexts[0]?.account.marginEvents().subscribe((event) => {
    kinds.push(event.kind === 'rejected' ? `rejected ${event.rejection.code}` : event.kind);
  });
  const { intendMargin } = Journal.prototype;
  Journal.prototype.intendMargin = () => {
    throw new Error('the disk is full');
  };
  try {
    commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
    await pass(10);
  } finally {
    Journal.prototype.intendMargin = intendMargin;
  }
  expect(manualActions.left).toEqual([]);
  expect(kinds).toEqual(['rejected journal-failed']);
  await driven(bot.close(), clock);
});

test('a margin account takes from the budget of its strategy and gives back to it', async () => {
  const budget = new Map([['USDT', decimal('500')]]);
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{ budget }],
  });
  const reported: string[] = [];
  contexts[0]?.account
    .balances('USDT')
    .subscribe(({ available }) => reported.push(available.toFixed()));
  contexts[0]?.account.marginEvents().subscribe((event) => {
    reported.push(event.kind === 'rejected' ? event.rejection.code : event.kind);
  });
  commands[0]?.next(setMargin(BTC, { balance: decimal('501') }));
  await pass(10);
  commands[0]?.next(setMargin(BTC, { balance: decimal('400') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('400')));
  await pass(10);
  commands[0]?.next(setMargin(BTC, { balance: decimal('501') }));
  await pass(10);
  manualActions.listener?.margin(report('marginChanged', account('50')));
  await pass(10);
  expect(manualActions.left).toMatchObject([{ balance: decimal('400') }]);
  expect(reported.filter((line) => line !== 'leverageChanged')).toEqual([
    ...['500', 'budget-exceeded', '100', 'marginChanged', 'budget-exceeded'],
    ...['450', 'marginChanged'],
  ]);
  await driven(bot.close(), clock);
});

test('of two strategies that ask for one margin account in one turn the first has it', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{}, {}],
  });
  const events: MarginEvent[] = [];
  contexts[1]?.account.marginEvents().subscribe((event) => events.push(event));
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  commands[1]?.next(setMargin(BTC, { balance: decimal('450') }));
  await pass(10);
  expect(manualActions.left).toMatchObject([{ kind: 'setMargin', balance: decimal('50') }]);
  expect(events).toMatchObject([{ kind: 'rejected', rejection: { code: 'margin-account-taken' } }]);
  await driven(bot.close(), clock);
});

test('a margin account that never came to be is free for another strategy', async () => {
  const { bot, clock, commands, pass, manualActions } = await opened({ strategies: [{}, {}] });
  commands[0]?.next(setMargin(BTC, { balance: decimal('50000') }));
  await pass(10);
  const rejection = { code: 'funds-insufficient', message: 'There is not so much.' } as const;
  const rejected = { kind: 'marginRejected', at: START, symbol: 'BTCUSDT' } as const;
  manualActions.listener?.margin({ ...rejected, mode: 'isolated', rejection });
  await pass(10);
  commands[1]?.next(setMargin(BTC, { balance: decimal('50') }));
  await pass(10);
  expect(manualActions.left).toMatchObject([
    { balance: decimal('50000') },
    { balance: decimal('50') },
  ]);
  await driven(bot.close(), clock);
});

test('what is asked for counts against the budget until it is answered, and while nobody knows what became of it', async () => {
  const budget = new Map([['USDT', decimal('500')]]);
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{ budget }],
  });
  const codes: string[] = [];
  contexts[0]?.account.marginEvents().subscribe((event) => {
    if (event.kind === 'rejected') codes.push(event.rejection.code);
  });
  contexts[0]?.account.orders().subscribe(({ rejection }) => {
    if (rejection !== undefined) codes.push(rejection.code);
  });
  commands[0]?.next(setMargin(BTC, { balance: decimal('400') }));
  await pass(10);
  commands[0]?.next(setMargin(cross('BTCUSDT'), { balance: decimal('400') }));
  await pass(10);
  const rejection = { code: 'outcome-unknown', message: 'Nobody knows.' } as const;
  const rejected = { kind: 'marginRejected', at: START, symbol: 'BTCUSDT' } as const;
  manualActions.listener?.margin({ ...rejected, mode: 'isolated', rejection });
  await pass(10);
  const buy = place('BTCUSDT', { type: 'limit', side: 'buy', lots: 4, ticks: 100 });
  commands[0]?.next(buy);
  await pass(10);
  expect(codes).toEqual(['budget-exceeded', 'outcome-unknown', 'budget-exceeded']);
  expect(manualActions.left).toHaveLength(1);
  await driven(bot.close(), clock);
});

test('a fill on margin counts against the limits before its account is reported', async () => {
  const risk = { ...NO_LIMITS, maxPosition: new Map([['BTCUSDT', decimal('1')]]) };
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{ risk }],
  });
  const codes: string[] = [];
  contexts[0]?.account.orders().subscribe(({ rejection }) => {
    if (rejection !== undefined) codes.push(rejection.code);
  });
  commands[0]?.next(setMargin(BTC, { balance: decimal('500') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('500')));
  await pass(10);
  commands[0]?.next(short);
  await pass(10);
  manualActions.listener?.report(filled(manualActions.left.at(-1)));
  await pass(10);
  commands[0]?.next(short);
  await pass(10);
  expect(codes).toEqual(['risk-position']);
  await driven(bot.close(), clock);
});

test('a report that is older than the status before it by the clocks is taken all the same', async () => {
  const { bot, clock, commands, pass, manualActions } = await opened();
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  await pass(10);
  manualActions.listener?.margin(report('updated', account('50'), { at: micros(START + 900_000) }));
  manualActions.listener?.margin(
    report('openTrade', account('50', [position(-1)]), { at: micros(START + 400_000) }),
  );
  await pass(10);
  expect(bot.positions().filter((one) => one.accountType !== 'spot')).toMatchObject([
    { quantity: '-1' },
  ]);
  await driven(bot.close(), clock);
});

test('funds of nobody that a strategy takes over are no loss of the account', async () => {
  const maxDailyLoss = new Map([['USDT', decimal('20')]]);
  const { bot, clock, commands, pass, manualActions } = await opened({
    account: { risk: { ...NO_LIMITS, maxDailyLoss, maxUnexplained: decimal('0.01') } },
  });
  manualActions.listener?.margin(report('updated', account('400')));
  await pass(3_000);
  commands[0]?.next(setMargin(BTC, { balance: decimal('400'), leverage: 5 }));
  await pass(10);
  manualActions.listener?.margin(report('marginChanged', account('400')));
  await pass(6_000);
  expect(bot.status().accounts[0]?.state).toBe('running');
  await driven(bot.close(), clock);
});

test('a second setting counts until it is answered itself, and one that nobody knows of until journal and venue are compared', async () => {
  const budget = new Map([['USDT', decimal('500')]]);
  const { bot, clock, commands, contexts, pass, manualActions } = await opened({
    strategies: [{ budget }],
  });
  const codes: string[] = [];
  contexts[0]?.account.orders().subscribe(({ rejection }) => {
    if (rejection !== undefined) codes.push(rejection.code);
  });
  const buy = place('BTCUSDT', { type: 'limit', side: 'buy', lots: 3, ticks: 98 });
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  commands[0]?.next(setMargin(BTC, { balance: decimal('400') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('50')));
  await pass(10);
  commands[0]?.next(buy);
  await pass(10);
  expect(codes).toEqual(['budget-exceeded']);
  const rejection = { code: 'outcome-unknown', message: 'Nobody knows.' } as const;
  const rejected = { kind: 'marginRejected', at: clock.now(), symbol: 'BTCUSDT' } as const;
  manualActions.listener?.margin({ ...rejected, mode: 'isolated', rejection });
  await pass(10);
  commands[0]?.next(buy);
  await pass(10);
  expect(codes).toEqual(['budget-exceeded', 'budget-exceeded']);
  await pass(70_000);
  manualActions.left.length = 0;
  commands[0]?.next(buy);
  await pass(10);
  expect(manualActions.left).toMatchObject([{ kind: 'place', side: 'buy' }]);
  await driven(bot.close(), clock);
});

test('a strategy whose margin account was not set has the reason in its status until it is', async () => {
  const budget = new Map([['USDT', decimal('500')]]);
  const { bot, clock, commands, pass, manualActions, logs } = await opened({
    strategies: [{ budget }],
  });
  const why = () => bot.status().strategies[0]?.why;
  commands[0]?.next(setMargin(BTC, { balance: decimal('501') }));
  await pass(10);
  const reason = 'The isolated margin account of BTCUSDT was not set; there is none';
  expect(why()).toContain(reason);
  expect(logs.filter((line) => line.includes(reason))).toHaveLength(1);
  commands[0]?.next(setMargin(BTC, { balance: decimal('400') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('400')));
  await pass(10);
  expect(why()).toBeUndefined();
  await driven(bot.close(), clock);
});

test('events of a margin account without a strategy are notified, and the status shows it', async () => {
  const { bot, clock, pass, manualActions, logs } = await opened();
  const held = account('400', [position(-1)]);
  manualActions.listener?.margin(
    report('openTrade', held, { position: position(-1), byOthers: true }),
  );
  const carry = { kind: 'interest', amount: decimal('-0.5') } as const;
  manualActions.listener?.margin(report('interestTaken', held, { position: position(-1), carry }));
  manualActions.listener?.margin(report('updated', { ...held, isCalled: true }));
  manualActions.listener?.margin(report('marginChanged', { ...account('450', [position(-1)]) }));
  const forced = { position: position(0), end: 'liquidated' } as const;
  manualActions.listener?.margin(report('liquidated', account('12'), forced));
  await pass(10);
  const who = '(account main, no strategy of the bot).';
  expect(logs.filter((line) => line.endsWith(who))).toEqual([
    `warn The position in BTCUSDT on isolated margin was changed by others to -1 lots ${who}`,
    `warn The position in BTCUSDT on isolated margin paid 0.5 USDT of interest ${who}`,
    `warn There is a margin call on the isolated margin account of BTCUSDT, which has 400 USDT ${who}`,
    `warn The isolated margin account of BTCUSDT was set to 450 USDT ${who}`,
    `warn The isolated margin account of BTCUSDT is back from its margin call ${who}`,
    `warn The position in BTCUSDT on isolated margin was liquidated, to 0 lots; 12 USDT are left ${who}`,
  ]);
  expect(bot.status().accounts[0]?.margin[0]?.last).toMatchObject({ kind: 'liquidated' });
  await driven(bot.close(), clock);
});

test("an event of a strategy's margin account is notified once, with the strategy and the amount", async () => {
  const { bot, clock, commands, pass, manualActions, logs } = await opened();
  commands[0]?.next(setMargin(BTC, { balance: decimal('50') }));
  await pass(10);
  manualActions.listener?.margin(report('created', account('50')));
  const held = account('50', [position(1)]);
  manualActions.listener?.margin(report('openTrade', held, { position: position(1) }));
  const carry = { kind: 'funding', amount: decimal('0.25') } as const;
  manualActions.listener?.margin(report('updated', held, { position: position(1), carry }));
  const forced = { position: position(0), end: 'liquidated' } as const;
  manualActions.listener?.margin(report('liquidated', account('12'), forced));
  await pass(10);
  const who = '(account main, strategy s0).';
  expect(logs.filter((line) => line.endsWith(who))).toEqual([
    `info The isolated margin account of BTCUSDT was set to 50 USDT ${who}`,
    `info The leverage of the isolated margin account of BTCUSDT was set to 5 ${who}`,
    `info The position in BTCUSDT on isolated margin received 0.25 USDT of funding ${who}`,
  ]);
  expect(logs.filter((line) => line.includes('liquidated'))).toHaveLength(1);
  await driven(bot.close(), clock);
});
