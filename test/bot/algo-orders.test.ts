import { expect, test } from 'vitest';
import { twap } from '../../src/strategy/algo-orders.ts';
import { minutes } from '../../src/strategy/durations.ts';
import { place } from '../../src/strategy/orders.ts';
import { botRig, driven, folder } from './rig.ts';

const keep = { shutdown: { orders: 'keep', withinUs: 1_000_000 } } as const;
const BOOK = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] } as const;
const SLICED = twap('BTCUSDT', {
  id: 'twap-0001',
  side: 'buy',
  lots: 10,
  over: minutes(4),
  slices: 4,
});

test('an algo order on paper goes on after a restart, and status shows it', async () => {
  const data = folder();
  const first = await botRig({ data, settings: keep });
  first.market.emit(BOOK);
  first.commands[0]?.next(SLICED);
  await first.pass(61_000);
  expect(first.bot.status().strategies[0]?.algoOrders).toMatchObject([
    { id: 'twap-0001', status: 'working', quantity: '0.01', bought: '0.004', boughtPrice: '100.01', slippage: '0.01' }, // prettier-ignore
  ]);
  await driven(first.bot.close(), first.clock);

  const second = await botRig({ data, clock: first.clock, settings: keep });
  second.market.emit(BOOK);
  // The strategy says at each start what it wants.
  second.commands[0]?.next(SLICED);
  await second.pass(200_000);
  expect(second.bot.status().strategies[0]?.algoOrders).toMatchObject([
    { id: 'twap-0001', status: 'filled', bought: '0.01', boughtPrice: '100.01' },
  ]);
  expect(second.logs).toContain(
    'info The twap twap-0001 is known already and continues unchanged.',
  );
  await driven(second.bot.close(), second.clock);

  const third = await botRig({ data, clock: first.clock, settings: keep });
  third.market.emit(BOOK);
  third.commands[0]?.next(SLICED);
  await third.pass(10_000);
  expect(third.bot.status().strategies[0]?.algoOrders).toBeUndefined();
  const btc = third.bot.balances().find(({ currency }) => currency === 'BTC');
  expect(btc?.available).toBe('1.01');
});

test('a trailing stop goes on after a restart from where it stood', async () => {
  const data = folder();
  const first = await botRig({ data, settings: keep });
  first.market.emit({ at: '00:00:01', trade: '100', size: 1 });
  first.commands[0]?.next(
    place('BTCUSDT', {
      type: 'stopMarket',
      side: 'sell',
      stopTicks: 9_000,
      lots: 10,
      timeInForce: 'GTC',
      trail: { ticks: 500 },
    }),
  );
  await first.pass(100);
  first.market.emit({ at: '00:00:01', trade: '104', size: 1 });
  await first.pass(100);
  expect(first.bot.orders()).toMatchObject([{ stopPrice: '99' }]);
  await driven(first.bot.close(), first.clock);

  const second = await botRig({ data, clock: first.clock, settings: keep });
  second.market.emit({ at: '00:00:01', trade: '101', size: 1 });
  await second.pass(100);
  expect(second.bot.orders()).toMatchObject([{ stopPrice: '99' }]);
  second.market.emit({ at: '00:00:01', trade: '106', size: 1 });
  await second.pass(100);
  expect(second.bot.orders()).toMatchObject([{ stopPrice: '101' }]);
});

test('child orders are held while trading is halted, and what is missing is spread over the later slices', async () => {
  const rig = await botRig({});
  rig.market.emit(BOOK);
  rig.commands[0]?.next(SLICED);
  await rig.pass(10);
  await driven(rig.bot.operate('pause'), rig.clock);
  await rig.pass(120_000);
  expect(rig.bot.status().strategies[0]?.algoOrders).toMatchObject([{ bought: '0.002' }]);
  await driven(rig.bot.operate('resume'), rig.clock);
  rig.market.emit(BOOK);
  await rig.pass(70_000);
  expect(rig.bot.status().strategies[0]?.algoOrders).toMatchObject([
    { status: 'filled', bought: '0.01' },
  ]);
});
