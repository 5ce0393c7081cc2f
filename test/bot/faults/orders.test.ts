import { expect, test } from 'vitest';
import { US_PER_MS } from '../../../src/platform/time.ts';
import { seconds } from '../../../src/strategy/durations.ts';
import { cancel, place } from '../../../src/strategy/orders.ts';
import { buy, sell, openHarness } from './harness.ts';

const REPLY = { socket: '/api/3/ws/trading', topic: 'reply' } as const;
const REPORT = { socket: '/api/3/ws/trading', topic: 'spot_order' } as const;

test('an order whose reply and reports are lost was done: its outcome is found, once', async () => {
  const { bot, commands, faults, until, prove, seen, hop } = await openHarness();
  await faults({
    streams: [
      { ...REPLY, fault: { kind: 'drop' } },
      { ...REPORT, fault: { kind: 'drop' } },
    ],
  });
  commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'new']);
  });
  expect(bot.orders()).toMatchObject([{ status: 'new', quantity: '0.001' }]);
  await faults();
  expect(hop.sent.filter((frame) => frame.includes('new_order'))).toHaveLength(1);
  await prove();
});

test('an order that never arrives counts until it is known to be lost, and is not sent again', async () => {
  const { bot, commands, hop, until, prove, seen } = await openHarness();
  hop.passes = (frame) => !frame.includes('new_order');
  commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(bot.orders()).toMatchObject([{ status: 'pending' }]);
  });
  await until(() => {
    expect(seen.at(-1)).toMatchObject({ status: 'rejected', rejection: { code: 'order-lost' } });
  });
  expect(hop.sent.filter((frame) => frame.includes('new_order'))).toHaveLength(1);
  await prove();
});

test('fills that come before, behind, twice and out of order count once each', async () => {
  const { bot, commands, faults, other, prove } = await openHarness();
  for (const fault of [
    { kind: 'delay', delayMs: 300 },
    { kind: 'duplicate' },
    { kind: 'reorder' },
  ] as const) {
    await faults({
      streams: [
        { ...REPLY, fault: { kind: 'delay', delayMs: 200 } },
        { ...REPORT, fault },
      ],
    });
    commands.next(buy(300, 5_000_000));
    for (const quantity of ['0.001', '0.002']) {
      await other.rest.createSpotOrder({
        symbol: 'BTCUSDT',
        side: 'sell',
        price: '50000',
        quantity,
      });
    }
    await faults();
    commands.next(sell(100, 4_999_000));
    await prove();
  }
  expect(bot.positions()[0]?.quantity).toBe('100.006');
});

test('a fill that is reported after the reply to a cancel counts', async () => {
  const { commands, faults, other, until, prove, seen, bot } = await openHarness();
  commands.next(buy(200, 5_000_000));
  await until(() => {
    expect(seen.at(-1)?.status).toBe('new');
  });
  await faults({ streams: [{ ...REPORT, fault: { kind: 'delay', delayMs: 800 } }] });
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '50000',
    quantity: '0.001',
  });
  commands.next(cancel(seen.at(-1)?.clientOrderId ?? ''));
  await faults();
  await until(() => {
    expect(seen.at(-1)).toMatchObject({ status: 'canceled', filledLots: 100 });
  });
  await prove();
  expect(bot.positions()[0]?.quantity).toBe('100.001');
});

test('what filled, was canceled and expired while the bot was away is known when it is back', async () => {
  const { commands, hop, own, other, until, prove, seen, bot, logs } = await openHarness();
  const areNew = (count: number) =>
    until(() => {
      expect(bot.orders().filter(({ status }) => status === 'new')).toHaveLength(count);
    });
  const sentAt = bot.status().at;
  for (const ticks of [5_000_000, 4_990_000]) commands.next(buy(100, ticks));
  await areNew(2);
  // It is to be heard of before it expires, on a slow machine too.
  const within = seconds(1) + 20 * Math.ceil((bot.status().at - sentAt) / US_PER_MS);
  commands.next(
    place('BTCUSDT', { type: 'limit', side: 'buy', lots: 100, ticks: 4_980_000, within }),
  );
  await areNew(3);
  const [filled, canceled, expired] = bot.orders();
  hop.cut('/ws/trading');
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '50000',
    quantity: '0.001',
  });
  await own.rest.cancelSpotOrder({ client_order_id: canceled?.clientOrderId ?? '' });
  await until(() => {
    expect(bot.orders()).toEqual([]);
  });
  await prove();
  const last = (id: string | undefined) =>
    seen.filter(({ clientOrderId }) => clientOrderId === id).at(-1)?.status;
  expect([filled, canceled, expired].map((one) => last(one?.clientOrderId))).toEqual([
    'filled',
    'canceled',
    'expired',
  ]);
  expect(logs.join('\n')).toMatch(/is connected again/);
});

test('a cable that was pulled is noticed, and nothing is lost by it', async () => {
  const { commands, hop, other, until, prove, bot } = await openHarness({
    socket: { pingAfterUs: 500_000, pongWithinUs: 500_000 },
  });
  commands.next(buy(100, 5_000_000));
  await until(() => {
    expect(bot.orders()).toMatchObject([{ status: 'new' }]);
  });
  hop.isSilent = true;
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '50000',
    quantity: '0.001',
  });
  await until(() => {
    expect(bot.status().accounts[0]?.connectionState).toBe('lost');
  });
  hop.isSilent = false;
  await prove();
});

test('orders and transfers by hand are reported and left alone, and the balances are right', async () => {
  const { own, bot, until, prove, logs, commands } = await openHarness();
  commands.next(buy(100, 4_990_000));
  await until(() => {
    expect(bot.orders()).toMatchObject([{ status: 'new' }]);
  });
  await own.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'buy',
    price: '48000',
    quantity: '0.01',
    client_order_id: 'by-hand-1',
  });
  await own.rest.transfer({
    currency: 'USDT',
    amount: '1000',
    source: 'wallet',
    destination: 'spot',
  });
  await until(() => {
    expect(logs.join('\n')).toMatch(/by-hand-1/);
  });
  await own.rest.cancelSpotOrder({ client_order_id: 'by-hand-1' });
  await until(() => {
    const usdt = bot.balances().find(({ currency }) => currency === 'USDT');
    expect(usdt?.available).toMatch(/^10009/);
  });
  await prove(['by-hand-1']);
});
