import { merge } from 'rxjs';
import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { Context } from '../../../src/strategy/context.ts';
import { cancelAll } from '../../../src/strategy/orders.ts';
import { buy, openHarness, type FaultHarness } from '../faults/harness.ts';
import { pause } from '../kill/sure.ts';

const ofCandles = ({ market }: Context<unknown>) => market.candles('BTCUSDT', 'M1');

const TOP = 'orderbook/top/100ms';

/** Waits until the bot has asked for just this, in this order, and for nothing more a moment later. */
async function expectAsked(
  { hop, until }: FaultHarness,
  ...asked: readonly string[]
): Promise<void> {
  await until(() => {
    expect(hop.subscribed).toEqual(asked);
  });
  await pause(200);
  expect(hop.subscribed).toEqual(asked);
}

test('a strategy of candles subscribes to candles and to nothing else, and its market is connected', async () => {
  const staged = await openHarness({
    listen: ({ market }) => merge(market.candles('BTCUSDT', 'H1'), market.candles('BTCUSDT', 'M5')),
  });
  await expectAsked(staged, 'subscribe candles/M1');
  await staged.until(() => {
    expect(staged.bot.status().accounts[0]?.markets['BTCUSDT']?.connectionState).toBe('live');
  });
});

test('a strategy that listens to nothing has trades, by which its holdings are valued', async () => {
  await expectAsked(await openHarness(), 'subscribe trades');
});

test('limits that are measured by the market add the best bid and ask, and those of losses trades', async () => {
  const staged = await openHarness({
    risk: { priceCollar: decimal('0.05') },
    accountRisk: { maxDrawdown: decimal('0.1') },
    listen: ofCandles,
  });
  // What the bot itself needs is asked for before a strategy runs.
  await expectAsked(staged, 'subscribe trades', `subscribe ${TOP}`, 'subscribe candles/M1');
});

test('the equity of a strategy follows trades', async () => {
  const staged = await openHarness({
    listen: ({ market, account }) =>
      merge(market.candles('BTCUSDT', 'M1'), account.equity('BTCUSDT')),
  });
  await expectAsked(staged, 'subscribe trades', 'subscribe candles/M1');
});

test('a channel is subscribed when a strategy begins to listen and ended when it has stopped for a while', async () => {
  const staged = await openHarness({ listen: ofCandles });
  const bids: number[] = [];
  const listening = staged.context.market.book('BTCUSDT').subscribe((book) => {
    if (!book.stale) bids.push(book.ticksAt('buy', 0));
  });
  await expectAsked(staged, 'subscribe candles/M1', 'subscribe orderbook/full');
  await staged.until(() => {
    expect(bids.at(-1)).toBe(4_999_000);
  });
  listening.unsubscribe();
  await staged.until(() => {
    expect(staged.hop.subscribed.at(-1)).toBe('unsubscribe orderbook/full');
  });
  staged.hop.cut('/ws/public');
  await staged.until(() => {
    expect(staged.hop.subscribed.slice(3)).toEqual(['subscribe candles/M1']);
  });
});

test('a strategy that looks away for a moment keeps its subscription', async () => {
  const staged = await openHarness({ listen: ofCandles });
  const { market } = staged.context;
  const first = market.trades('BTCUSDT').subscribe();
  await expectAsked(staged, 'subscribe candles/M1', 'subscribe trades');
  first.unsubscribe();
  await pause(3_000);
  const second = market.trades('BTCUSDT').subscribe();
  await pause(4_000);
  second.unsubscribe();
  expect(staged.hop.subscribed).toHaveLength(2);
});

test('the best bid and ask come while an order is open', async () => {
  const staged = await openHarness({ listen: ofCandles });
  staged.commands.next(buy(100, 4_990_000));
  await expectAsked(staged, 'subscribe candles/M1', `subscribe ${TOP}`);
  staged.commands.next(cancelAll());
  await staged.until(() => {
    expect(staged.hop.subscribed.at(-1)).toBe(`unsubscribe ${TOP}`);
  });
});

test('a strategy that has stopped uses nothing', async () => {
  const staged = await openHarness({
    listen: ({ market }) => merge(market.candles('BTCUSDT', 'M1'), market.book('BTCUSDT')),
  });
  await expectAsked(staged, 'subscribe orderbook/full', 'subscribe candles/M1');
  staged.commands.error(new Error('the strategy failed'));
  await staged.until(() => {
    const ended = ['unsubscribe orderbook/full', 'unsubscribe candles/M1'];
    expect(staged.hop.subscribed.slice(2).toSorted()).toEqual(
      ['subscribe trades', ...ended].toSorted(),
    );
  });
});

test('an account on paper has trades and the whole book, by which its orders fill', async () => {
  const staged = await openHarness({
    settings: { mode: 'paper' },
    listen: ({ market }) => market.bbo('BTCUSDT'),
  });
  await expectAsked(staged, 'subscribe trades', 'subscribe orderbook/full');
});
