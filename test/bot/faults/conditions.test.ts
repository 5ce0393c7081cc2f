import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journalBooks, venueBooks } from '../kill/books.ts';
import { BotProcess } from '../kill/bot-process.ts';
import { expectSure, pause } from '../kill/sure.ts';
import { openTrialVenue, type TrialVenue } from '../kill/venue.ts';
import { folder } from '../rig.ts';
import { buy, openHarness } from './harness.ts';

test('a gap in the sequence of a book is seen as stale, and the book is whole again', async () => {
  const { context, faults, other, until, prove } = await openHarness();
  const seen: { stale: boolean; bids: readonly unknown[] }[] = [];
  context.market.book('BTCUSDT').subscribe((book) => {
    seen.push({ stale: book.stale, bids: book.levels('buy', 10) });
  });
  const bid = (price: string) =>
    other.rest.createSpotOrder({ symbol: 'BTCUSDT', side: 'buy', price, quantity: '0.1' });
  await bid('49980');
  await until(() => {
    expect(seen.at(-1)).toMatchObject({ stale: false, bids: [{}, { ticks: 4_998_000 }] });
  });
  seen.length = 0;
  await faults({
    streams: [
      { socket: '/api/3/ws/public', topic: 'orderbook/full', fault: { kind: 'skip' }, count: 1 },
    ],
  });
  await bid('49970');
  await bid('49960');
  await until(() => {
    expect(seen.some(({ stale }) => stale)).toBe(true);
    expect(seen.at(-1)).toEqual({
      stale: false,
      bids: [
        { ticks: 4_999_000, lots: 50_000 },
        { ticks: 4_998_000, lots: 10_000 },
        { ticks: 4_997_000, lots: 10_000 },
        { ticks: 4_996_000, lots: 10_000 },
      ],
    });
  });
  await prove();
});

test.each([429, 503, 504])('a storm of %i over REST ends in the same books', async (status) => {
  const { commands, faults, hop, other, until, prove, bot } = await openHarness();
  await faults({ http: [{ path: '/api/3/spot/*', fault: { kind: 'answer', status } }] });
  commands.next(buy(100, 5_000_000));
  commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(bot.orders().map((order) => order.status)).toEqual(['new', 'new']);
  });
  hop.cut('/ws/trading');
  await faults();
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '50000',
    quantity: '0.001',
  });
  await prove();
  expect(bot.positions()[0]?.quantity).toBe('100.001');
});

test('requests that cannot leave while the trading socket is away halt nothing', async () => {
  const limits = { maxRejectsPerMinute: 2 };
  const { bot, commands, hop, logs, until, prove } = await openHarness({
    risk: limits,
    accountRisk: limits,
    socket: { backoffUs: 20_000, backoffMaxUs: 40_000 },
  });
  hop.refuses = (path) => path.includes('/ws/trading');
  hop.cut('/ws/trading');
  await until(() => {
    expect(bot.status().accounts[0]?.connectionState).toBe('lost');
  });
  for (let count = 0; count < 9; count += 1) commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(logs.filter((line) => line.includes('was not sent'))).toHaveLength(9);
  });
  hop.refuses = () => false;
  await until(() => {
    expect(bot.isReady()).toBe(true);
  });
  commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(bot.orders()).toMatchObject([{ status: 'new' }]);
  });
  expect(bot.status()).toMatchObject({
    accounts: [{ state: 'running' }],
    strategies: [{ state: 'running' }],
  });
  await prove();
});

test('a clock that is too far off halts the account', async () => {
  const { bot, until, commands, own } = await openHarness({
    faults: { clockSkewMs: 5_000 },
    accountRisk: { maxClockSkewUs: 2_000_000 },
  });
  await until(() => {
    expect(bot.status().accounts).toMatchObject([
      { state: 'halted', stateWhy: expect.stringMatching(/clock is .* ahead of ours/) },
    ]);
  });
  commands.next(buy(1, 4_000_000));
  await pause(300);
  expect(await own.rest.getSpotOrders()).toEqual([]);
});

describe('a bot of its own process', () => {
  const FULL = 'warn The journal cannot be written';
  let trial: TrialVenue;
  beforeAll(async () => {
    trial = await openTrialVenue();
  });
  afterAll(async () => {
    await trial.close();
  });

  test('is the only one on its account', async () => {
    const { data } = await openHarness();
    const second = new BotProcess(trial.port, data, 2);
    expect(await second.ends()).not.toBe(0);
    expect(second.errors).toContain('journal-locked');
    expect(second.errors).toContain(String(process.pid));
  });

  test('halts when the disk is full, sends nothing that is not journaled, and goes on later', async () => {
    const data = folder();
    const path = join(data, 'main.sqlite');
    const full = new BotProcess(trial.port, data, 3, { fileBlocks: 400 });
    await full.says(FULL);
    await pause(300);
    await full.kill();
    const warned = full.lines.findIndex((line) => line.startsWith(FULL));
    // Orders may be canceled still, if the journal takes it.
    const sent = full.lines.slice(warned).filter((line) => line.startsWith('sent'));
    expect(sent.filter((line) => line !== 'sent cancel')).toEqual([]);
    const next = new BotProcess(trial.port, data, 4);
    await next.says('sent', 20);
    await expectSure(next, path);
    expect(await next.stop()).toBe(0);
    const { orders } = await venueBooks(trial.client);
    expect(new Map([...journalBooks(path).orders].sort())).toEqual(new Map([...orders].sort()));
  });
});
