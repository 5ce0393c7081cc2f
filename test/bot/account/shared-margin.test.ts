import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { flat, target } from '../../../src/strategy/managed-orders.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { oco, placeList } from '../../../src/strategy/lists.ts';
import { place, replace } from '../../../src/strategy/orders.ts';
import type {
  MarginAccount,
  MarginEvent,
  MarginPosition,
} from '../../../src/strategy/positions.ts';
import { isolated } from '../../../src/strategy/where.ts';
import type { RiskSettings } from '../../../src/risk/settings.ts';
import { limitsOf } from '../../risk/view.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { forgetStateFile } from '../journal/kit.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig, type TestStrategy } from '../rig.ts';

const BTC = isolated('BTCUSDT');
const FEE = { ...SPOT, takeRate: '0.001' };

async function run(
  options: { data?: string; before?: BotRig; strategies?: readonly TestStrategy[]; isShared?: boolean; risk?: RiskSettings; leverage?: string } = {}, // prettier-ignore
): Promise<BotRig> {
  const { data = folder(), before, strategies = [{}, {}], isShared = true, risk = NO_LIMITS, leverage = '5' } = options; // prettier-ignore
  const sharedMargin = [
    {
      mode: 'isolated' as const,
      symbol: 'BTCUSDT',
      leverage: decimal(leverage),
      strategies: ['s0', 's1'],
    },
  ];
  const rig = await botRig({
    data,
    strategies,
    instrument: new Instrument(FEE),
    balances: { USDT: '2000' },
    ...(before === undefined ? {} : { clock: before.clock }),
    account: { risk, ...(isShared ? { sharedMargin } : {}) },
    settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
  });
  market(rig, 99, 101);
  await rig.pass(50);
  return rig;
}

const market = (rig: BotRig, bid: number, ask: number): void =>
  rig.market.emit({ at: '00:00:01', bids: [[String(bid), 90]], asks: [[String(ask), 90]] });

/** What each strategy sees of its part: the balance, the lots and what it may use. */
function seen({ contexts }: BotRig) {
  return contexts.map(({ account }) => {
    const last: { account?: MarginAccount; position?: MarginPosition; events: MarginEvent[] } = {
      events: [],
    };
    account.margin(BTC).subscribe((one) => (last.account = one));
    account.position(BTC).subscribe((one) => (last.position = one));
    account.marginEvents(BTC).subscribe((event) => last.events.push(event));
    return last;
  });
}

const text = (one: ReturnType<typeof seen>[number] | undefined): string =>
  [one?.account?.balance.toFixed(), one?.position?.lots, one?.account?.available.toFixed()].join(
    ' ',
  );

async function fund(rig: BotRig, balance: string, strategy: number): Promise<void> {
  rig.commands[strategy]?.next(setMargin(BTC, { balance: decimal(balance) }));
  await rig.pass(50);
}

const trade = async (
  rig: BotRig,
  strategy: number,
  side: 'buy' | 'sell',
  lots: number,
  more: { reduceOnly?: true } = {},
): Promise<void> => {
  rig.commands[strategy]?.next(place(BTC, { type: 'market', side, lots, ...more }));
  await rig.pass(50);
};

/** Lots and cash of the account as the venue has it, beside the sum over the strategies. */
function sums({ bot }: BotRig) {
  const lines = bot.positions().flatMap((one) => (one.accountType === 'spot' ? [] : [one]));
  const of = (isNet: boolean) =>
    lines
      .filter(({ strategy, foreign }) => (strategy === '') === isNet && foreign !== true)
      .reduce((sum, one) => sum + Number(one.quantity), 0);
  return { net: of(true), own: of(false) };
}

test('two strategies share an account: each has its own funds, position and reserve, at the leverage of the configuration', async () => {
  const rig = await run();
  const [one, two] = seen(rig);
  await fund(rig, '400', 0);
  await fund(rig, '300', 1);
  expect([text(one), text(two)]).toEqual(['400 0 400', '300 0 300']);
  expect(one?.account?.leverage?.toFixed()).toBe('5');
  await trade(rig, 0, 'buy', 5);
  await trade(rig, 1, 'sell', 3);
  // 505 at 101 less the fee; 297 at 99 less the fee: each holds for its own, though the net is 2.
  expect([one?.position?.lots, two?.position?.lots]).toEqual([5, -3]);
  expect([one?.account?.balance.toFixed(), two?.account?.balance.toFixed()]).toEqual(['399.495', '299.703']); // prettier-ignore
  expect(sums(rig)).toEqual({ net: 2, own: 2 });
  expect(rig.bot.balances().filter((line) => line.accountType !== 'spot')).toMatchObject([
    { strategy: 's0', shared: true, balance: '399.495' },
    { strategy: 's1', shared: true, balance: '299.703' },
    // What the two have open against each other the account has realized.
    { strategy: '', shared: true, balance: '693.198' },
  ]);
  expect([one?.events, two?.events].flat().map((event) => event?.kind)).toEqual([
    ...['marginChanged', 'leverageChanged', 'marginChanged', 'leverageChanged'],
  ]);
});

test('another leverage, a strategy that is not named and closePosition are rejected with a code', async () => {
  const rig = await run({ strategies: [{}, {}, {}] });
  const [one, , three] = seen(rig);
  const codes: string[] = [];
  rig.contexts[0]?.account
    .orders()
    .subscribe(({ rejection }) => rejection !== undefined && codes.push(rejection.code));
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('10'), leverage: 4 }));
  await rig.pass(20);
  rig.commands[2]?.next(setMargin(BTC, { balance: decimal('10') }));
  await rig.pass(20);
  expect([one, three].flatMap((each) => each?.events ?? [])).toMatchObject([
    { kind: 'rejected', rejection: { code: 'margin-account-shared', limit: '5' } },
    { kind: 'rejected', rejection: { code: 'margin-account-taken' } },
  ]);
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('100'), leverage: 5 }));
  await rig.pass(50);
  await trade(rig, 0, 'buy', 2);
  const stop = { type: 'stopMarket', side: 'sell', stopTicks: 90 } as const;
  rig.commands[0]?.next(place(BTC, { ...stop, closePosition: true }));
  await rig.pass(20);
  rig.commands[0]?.next(place(BTC, { ...stop, lots: 3, reduceOnly: true }));
  await rig.pass(20);
  expect(codes).toEqual(['margin-account-shared', 'margin-account-shared']);
});

test('an order that only reduces closes the own position where the net one is opposite, and no more', async () => {
  const rig = await run();
  const [one, two] = seen(rig);
  await fund(rig, '400', 0);
  await fund(rig, '400', 1);
  await trade(rig, 0, 'buy', 3);
  await trade(rig, 1, 'sell', 5);
  expect(sums(rig)).toEqual({ net: -2, own: -2 });
  await trade(rig, 0, 'sell', 3, { reduceOnly: true });
  expect([one?.position?.lots, two?.position?.lots]).toEqual([0, -5]);
  rig.commands[1]?.next(flat(BTC));
  await rig.pass(100);
  expect([one?.position?.lots, two?.position?.lots]).toEqual([0, 0]);
  rig.commands[0]?.next(target(BTC, { lots: -2 }));
  await rig.pass(100);
  expect([one?.position?.lots, two?.position?.lots]).toEqual([-2, 0]);
  expect(sums(rig)).toEqual({ net: -2, own: -2 });
});

test('an exit that could close more than is left is canceled, as the venue would not hold it against the own position', async () => {
  const rig = await run();
  await fund(rig, '400', 0);
  await trade(rig, 0, 'buy', 3);
  const stop = { type: 'stopMarket', side: 'sell', stopTicks: 90, lots: 3 } as const;
  rig.commands[0]?.next(place(BTC, { ...stop, reduceOnly: true }));
  await rig.pass(50);
  expect(rig.bot.orders()).toHaveLength(1);
  await trade(rig, 0, 'sell', 1);
  await rig.pass(50);
  expect(rig.bot.orders()).toEqual([]);
  expect(rig.logs.join('\n')).toContain('could close more than');
});

test('what only reduces is held to the own position in a list, as a replacement and beside another', async () => {
  const rig = await run();
  const [one] = seen(rig);
  const rejections: Rejection[] = [];
  rig.contexts[0]?.account
    .orders()
    .subscribe(({ rejection }) => rejection !== undefined && rejections.push(rejection));
  await fund(rig, '400', 0);
  await trade(rig, 0, 'buy', 3);
  const exit = { side: 'sell', reduceOnly: true } as const;
  const exits = (lots: number) =>
    oco(BTC, [
      { ...exit, type: 'limit', ticks: 120, lots },
      { ...exit, type: 'stopMarket', stopTicks: 90, lots },
    ]);
  rig.commands[0]?.next(exits(4));
  await rig.pass(50);
  expect(rig.bot.orders()).toEqual([]);
  expect(rejections.splice(0)[0]).toMatchObject({ code: 'margin-account-shared', limit: '3' });
  rig.commands[0]?.next(exits(3));
  await rig.pass(50);
  expect(rig.bot.orders()).toHaveLength(2);
  rig.commands[0]?.next(replace(rig.bot.orders()[0]?.clientOrderId ?? '', { lots: 4 }));
  await rig.pass(50);
  expect(rejections.splice(0)).toMatchObject([{ code: 'margin-account-shared', limit: '3' }]);
  for (const lots of [2, 2, 1]) {
    rig.commands[0]?.next(place(BTC, { ...exit, type: 'market', lots }));
  }
  await rig.pass(50);
  expect(rejections).toMatchObject([{ code: 'margin-account-shared', limit: '1' }]);
  expect(one?.position?.lots).toBe(0);
});

test('orders that fill all at once are of spot alone, so that no list closes more than the own position together', async () => {
  const rig = await run();
  const rejections: Rejection[] = [];
  rig.contexts[0]?.account
    .orders()
    .subscribe(({ rejection }) => rejection !== undefined && rejections.push(rejection));
  await fund(rig, '400', 0);
  await trade(rig, 0, 'buy', 3);
  const close = { symbol: 'BTCUSDT', side: 'sell', type: 'market', lots: 2 } as const;
  const both = [close, close].map((one) => ({ ...one, margin: 'isolated', reduceOnly: true }));
  rig.commands[0]?.next(placeList('allOrNone', both as unknown as Parameters<typeof placeList>[1]));
  await rig.pass(50);
  expect(rejections).toHaveLength(2);
  expect(rejections[0]?.message).toContain('allOrNone takes spot orders alone');
  expect(sums(rig)).toEqual({ net: 3, own: 3 });
});

test('funds that hold for a position cannot leave, and those of one strategy are not taken by another', async () => {
  const rig = await run();
  const [one, two] = seen(rig);
  await fund(rig, '150', 0);
  await fund(rig, '300', 1);
  await trade(rig, 0, 'buy', 5);
  await fund(rig, '100', 0);
  expect(one?.events.at(-1)).toMatchObject({ kind: 'rejected', rejection: { code: 'funds-insufficient' } }); // prettier-ignore
  await fund(rig, '0', 1);
  expect([text(two), one?.account?.balance.toFixed()]).toEqual(['0 0 0', '149.495']);
  expect(two?.account?.state).toBe('none');
  // What it may open its own part bears, not the account.
  const codes: string[] = [];
  rig.contexts[1]?.account
    .orders()
    .subscribe(({ rejection }) => rejection !== undefined && codes.push(rejection.code));
  await trade(rig, 1, 'buy', 1);
  expect(codes).toEqual(['margin-account-unknown']);
});

test('settings of several strategies in one turn are done one after the other', async () => {
  const rig = await run();
  const [one, two] = seen(rig);
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('100') }));
  rig.commands[1]?.next(setMargin(BTC, { balance: decimal('200') }));
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('150') }));
  await rig.pass(100);
  expect([text(one), text(two)]).toEqual(['150 0 150', '200 0 200']);
});

test('a liquidation closes parts on the side of the net position, and each gets its own lots', async () => {
  const rig = await run();
  const [one, two] = seen(rig);
  await fund(rig, '60', 0);
  await fund(rig, '60', 1);
  await trade(rig, 0, 'buy', 2);
  await trade(rig, 1, 'buy', 1);
  market(rig, 50, 52);
  await rig.pass(200);
  expect([one?.position?.lots, two?.position?.lots]).toEqual([0, 0]);
  expect([one, two].map((each) => each?.events.at(-1)?.kind)).toEqual(['liquidated', 'liquidated']);
  expect(sums(rig)).toEqual({ net: 0, own: 0 });
});

test("a restart goes on with each strategy's part, to the last digit", async () => {
  const data = folder();
  const before = await run({ data });
  const was = seen(before);
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await trade(before, 0, 'buy', 5);
  await trade(before, 1, 'sell', 3);
  const reported = was.map(text);
  await driven(before.bot.close(), before.clock);
  const rig = await run({ data, before });
  const is = seen(rig);
  await rig.pass(50);
  expect(is.map(text)).toEqual(reported);
  expect(sums(rig)).toEqual({ net: 2, own: 2 });
  // The parts are the account, and nothing is foreign.
  await driven(rig.bot.operate('flatten', 's1'), rig.clock);
  expect(is.map((one) => one.position?.lots)).toEqual([5, 0]);
  await driven(rig.bot.operate('flatten'), rig.clock);
  expect(sums(rig)).toEqual({ net: 0, own: 0 });
});

/** Copies the files of a journal; its state file would know that it is a copy. */
function copyAll(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (/sqlite(-wal)?$/.test(name)) copyFileSync(join(from, name), join(to, name));
  }
}

test('a bot on paper that is killed goes on with each part where the journal has it', async () => {
  const data = folder();
  const before = await run({ data });
  const was = seen(before);
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await trade(before, 0, 'buy', 5);
  await trade(before, 1, 'sell', 3);
  const stop = {
    type: 'stopMarket',
    side: 'sell',
    stopTicks: 90,
    lots: 5,
    reduceOnly: true,
  } as const;
  before.commands[0]?.next(place(BTC, stop));
  await before.pass(200);
  const next = folder();
  // As a kill leaves it: what is in the files of the journal, and nothing of what was in memory.
  copyAll(data, next);
  const reported = was.map(text);
  await driven(before.bot.close(), before.clock);
  rmSync(data, { recursive: true });
  mkdirSync(data);
  copyAll(next, data);
  forgetStateFile(join(data, 'main.paper.sqlite'));
  const rig = await run({ data, before });
  const is = seen(rig);
  await rig.pass(50);
  expect(is.map(text)).toEqual(reported);
  expect(sums(rig)).toEqual({ net: 2, own: 2 });
  // The stop of five lots sells all of them, though the account holds a net of two.
  expect(rig.bot.orders()).toMatchObject([{ strategy: 's0', reduceOnly: true, quantity: '5' }]);
  market(rig, 89, 91);
  rig.market.emit({ at: '00:00:02', trade: '89', size: 1, aggressor: 'sell' });
  await rig.pass(100);
  expect(is.map((one) => one.position?.lots)).toEqual([0, -3]);
  expect(sums(rig)).toEqual({ net: -3, own: -3 });
});

test('an account that is shared no more is that of the one strategy that has something on it', async () => {
  const data = folder();
  const before = await run({ data });
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await driven(before.bot.close(), before.clock);
  const still = await run({ data, before, isShared: false });
  expect(still.logs.join('\n')).toContain(
    'several strategies have funds or positions on it, or asked for some: s0, s1 share it until',
  );
  await fund(still, '0', 1);
  await driven(still.bot.close(), still.clock);
  const rig = await run({ data, before: still, isShared: false });
  const [one] = seen(rig);
  expect(one?.account?.balance.toFixed()).toBe('400');
  expect(rig.bot.balances().filter((line) => line.accountType !== 'spot')).toMatchObject([{ strategy: 's0', balance: '400' }]); // prettier-ignore
});

test("an account that was one strategy's is its part once it is shared", async () => {
  const data = folder();
  const before = await run({ data, isShared: false });
  await fund(before, '400', 0);
  await trade(before, 0, 'buy', 2);
  await driven(before.bot.close(), before.clock);
  const rig = await run({ data, before });
  const [one, two] = seen(rig);
  await fund(rig, '100', 1);
  await trade(rig, 1, 'sell', 1);
  expect([one?.position?.lots, two?.position?.lots]).toEqual([2, -1]);
  expect(sums(rig)).toEqual({ net: 1, own: 1 });
});

test('a part of a strategy that left the configuration is named, shown and flattened by its name', async () => {
  const data = folder();
  const before = await run({ data });
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await trade(before, 0, 'buy', 2);
  await trade(before, 1, 'sell', 3);
  await driven(before.bot.close(), before.clock);
  const rig = await run({ data, before, strategies: [{}] });
  expect(rig.logs.join('\n')).toContain('Strategy s1 is not configured on account main any more');
  expect(rig.bot.positions()).toContainEqual(
    expect.objectContaining({ strategy: 's1', quantity: '-3', isOrphan: true, shared: true }),
  );
  await driven(rig.bot.operate('flatten', 's1'), rig.clock);
  expect(sums(rig)).toEqual({ net: 2, own: 2 });
});

const usdt = ({ bot }: BotRig): string | undefined =>
  bot.balances().find((one) => one.accountType === 'spot' && one.currency === 'USDT')?.available;

test('funds of a strategy that left go back to spot as its part is flattened, and the sharing can end', async () => {
  const data = folder();
  const before = await run({ data });
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await trade(before, 0, 'buy', 2);
  await trade(before, 1, 'sell', 3);
  await driven(before.bot.close(), before.clock);
  const rig = await run({ data, before, strategies: [{}] });
  expect(usdt(rig)).toBe('1300');
  expect(rig.logs.join('\n')).toContain(
    'brings the funds back to spot, after which the others share it alone',
  );
  await driven(rig.bot.operate('flatten', 's1'), rig.clock);
  // Sold 3 for 99 and bought them for 101, with fees of 0.297 and 0.303.
  expect(usdt(rig)).toBe('1593.4');
  expect(rig.logs.join('\n')).toContain('293.4 USDT of strategy s1, which is not configured any more, go back to spot'); // prettier-ignore
  const [one] = seen(rig);
  expect([one?.account?.balance.toFixed(), one?.position?.lots]).toEqual(['399.798', 2]);
  expect(sums(rig)).toEqual({ net: 2, own: 2 });
  await driven(rig.bot.close(), rig.clock);
  const alone = await run({ data, before: rig, strategies: [{}], isShared: false });
  expect(alone.logs.join('\n')).not.toContain('share it until');
  const [only] = seen(alone);
  expect([only?.account?.balance.toFixed(), only?.position?.lots]).toEqual(['399.798', 2]);
  expect(alone.bot.balances().filter((line) => line.accountType !== 'spot')).toMatchObject([{ strategy: 's0' }]); // prettier-ignore
});

test('funds of a removed strategy that do not come back are reported, and those of running strategies stay', async () => {
  const data = folder();
  const before = await run({ data });
  await fund(before, '400', 0);
  await fund(before, '300', 1);
  await driven(before.bot.close(), before.clock);
  const rig = await run({ data, before, strategies: [{}] });
  const { margin } = rig.venue;
  if (margin === undefined) throw new Error('the venue has no margin');
  const set = vi.spyOn(margin, 'set').mockImplementation(() => undefined);
  const reported = await driven(
    rig.bot.operate('flatten').catch((error: unknown) => error),
    rig.clock,
  );
  expect(reported).toMatchObject({
    code: 'outcome-unknown',
    message:
      'Positions and orders are closed, and funds on shared margin accounts did not go back to spot: 300 USDT of s1. Look at "millrace balances" and flatten again.',
  });
  // 400 of the strategy that runs are left on the account.
  expect(set.mock.calls.map(([{ balance }]) => balance?.toFixed())).toEqual(['400']);
});

test('limits of the account judge what it has as a whole after a setting of a part', async () => {
  const rig = await run({ risk: limitsOf({ maxLeverage: '5', maxMarginUse: '0.11' }) });
  const [one, two] = seen(rig);
  await fund(rig, '700', 0);
  await fund(rig, '300', 1);
  await trade(rig, 0, 'buy', 10);
  // The account has 998.99 and keeps 51: the 400 of a part are no loss of funds.
  await fund(rig, '400', 1);
  expect(text(two)).toBe('400 0 400');
  // All of the account but a part of the other: what is left is less than the limit needs.
  await fund(rig, '0', 1);
  await fund(rig, '450', 0);
  expect(one?.events.at(-1)).toMatchObject({ kind: 'rejected', rejection: { field: 'balance' } });
});

test('funds may come to a part while trading is halted', async () => {
  const rig = await run();
  const [, two] = seen(rig);
  await fund(rig, '700', 0);
  await fund(rig, '300', 1);
  await trade(rig, 0, 'buy', 10);
  await driven(rig.bot.operate('halt'), rig.clock);
  await fund(rig, '400', 1);
  expect(text(two)).toBe('400 0 400');
  await fund(rig, '100', 1);
  expect(two?.events.at(-1)).toMatchObject({
    kind: 'rejected',
    rejection: { code: 'trading-halted', field: 'balance' },
  });
});

test('a part that comes near to its liquidation is made smaller by the limit of its strategy', async () => {
  const risk = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
  const rig = await run({ strategies: [{ risk }, {}] });
  const [one, two] = seen(rig);
  await fund(rig, '150', 0);
  await fund(rig, '900', 1);
  await trade(rig, 1, 'sell', 8);
  await trade(rig, 0, 'buy', 5);
  market(rig, 90, 92);
  await rig.pass(3_000);
  expect(rig.bot.status().strategies[0]?.state).toBe('reducing');
  expect(one?.position?.lots).toBe(2);
  expect(one?.position?.distance).toBeGreaterThanOrEqual(0.3);
  expect(two?.position?.lots).toBe(-8);
  expect(rig.logs.filter((line) => line.includes('is closed at market'))).toHaveLength(1);
});

test('a shared account that comes near to its liquidation is made smaller by its largest holders', async () => {
  const rig = await run({
    risk: limitsOf({ minLiquidationDistance: '0.2', onLiquidationDistance: 'reduce' }),
  });
  const [one, two] = seen(rig);
  await fund(rig, '80', 0);
  await fund(rig, '80', 1);
  await trade(rig, 0, 'buy', 2);
  await trade(rig, 1, 'buy', 3);
  market(rig, 81, 83);
  await rig.pass(30_000);
  expect(rig.bot.status().accounts[0]?.state).toBe('reducing');
  expect([one?.position?.lots, two?.position?.lots]).toEqual([1, 0]);
  expect(rig.logs.filter((line) => line.includes('is closed at market'))).toEqual([
    expect.stringContaining('3 of the position of strategy s1'),
    expect.stringContaining('1 of the position of strategy s0'),
  ]);
  expect(sums(rig)).toEqual({ net: 1, own: 1 });
});

test('a margin call of one part that the mark price causes is reported, though the account reports none', async () => {
  const rig = await run();
  const [one] = seen(rig);
  await fund(rig, '110', 0);
  await fund(rig, '600', 1);
  await trade(rig, 0, 'buy', 5);
  await trade(rig, 1, 'sell', 5);
  expect(one?.events.map(({ kind }) => kind)).not.toContain('marginCall');
  for (const price of [96, 93, 90]) {
    market(rig, price - 1, price + 1);
    await rig.pass(50);
  }
  expect(one?.events.map(({ kind }) => kind)).toContain('marginCall');
});

test('a leverage that the symbol does not allow is refused at the start', async () => {
  await expect(run({ leverage: '5000' })).rejects.toMatchObject({
    code: 'config-invalid',
    field: 'sharedMargin',
    message: expect.stringContaining(
      'accounts.main.sharedMargin of BTCUSDT: leverage is 5000',
    ) as unknown,
  });
});
