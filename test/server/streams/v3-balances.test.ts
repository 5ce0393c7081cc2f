import { describe, expect, test } from 'vitest';
import { openVenue, type Frame, type TestSocket } from '../kit.ts';
import {
  ask,
  askList,
  askOne,
  BUY,
  MARKETS,
  rejection,
  SELL,
  traderOn,
} from './trading-markets.ts';

const ROW = 'server:trading-v3.stream-trading';
const [SPOT, , FUTURES] = MARKETS;
const order = { ...BUY, symbol: 'BTCUSDT' } as const;

/** What was told of balances, each notification as currency and available amount. */
const amounts = (socket: TestSocket, method: string) =>
  socket
    .received(method)
    .map(({ params }) =>
      (params as readonly Frame[]).map((one) => [
        one['currency'],
        one['available'],
        one['reserved'],
      ]),
    );

describe('spot balances', () => {
  test(
    'balances are sent as they change',
    { tags: [`${ROW}.spot-balance-subscribe`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      expect(await ask(socket, 'spot_balance_subscribe', { mode: 'updates' })).toBe(true);
      await ask(socket, 'spot_new_order', order);
      expect(amounts(socket, 'spot_balance').slice(1)).toEqual([[['USDT', '998997.5', '1002.5']]]);
    },
  );

  test(
    'first all that are not zero, then only what changed',
    { tags: [`${ROW}.notif-spot-balance`] },
    async () => {
      const venue = await openVenue();
      venue.join('two', { spot: { USDT: '5000', ETH: '3' } });
      const socket = await venue.tradingSocket('two');
      await ask(socket, 'spot_balance_subscribe', { mode: 'updates' });
      await ask(socket, 'spot_new_order', { ...order, client_order_id: 'order-0001' });
      await ask(socket, 'spot_cancel_order', { client_order_id: 'order-0001' });
      expect(amounts(socket, 'spot_balance')).toEqual([
        [
          ['USDT', '5000', '0'],
          ['ETH', '3', '0'],
        ],
        [['USDT', '3997.5', '1002.5']],
        [['USDT', '5000', '0']],
      ]);
      const [first] = socket.received('spot_balance')[0]?.['params'] as readonly Frame[];
      expect(first).toMatchObject({ reserved_margin: '0', cross_margin_reserved: '0' });
    },
  );

  test(
    'batches gather what changes within a tenth of a second, updates do not wait',
    { tags: [`${ROW}.spot-balance-mode`] },
    async () => {
      const venue = await openVenue();
      const batched = await venue.tradingSocket('demo');
      const prompt = await venue.tradingSocket('demo');
      await ask(batched, 'spot_balance_subscribe', { mode: 'batches' });
      await ask(prompt, 'spot_balance_subscribe');
      await ask(prompt, 'spot_new_order', order);
      await ask(prompt, 'spot_new_order', { ...order, side: 'sell', price: '9000' });
      await ask(prompt, 'spot_new_order', order);
      venue.pass(99_000);
      await batched.settle();
      expect(amounts(prompt, 'spot_balance')).toHaveLength(4);
      expect(amounts(batched, 'spot_balance')).toHaveLength(1);
      venue.pass(1_000);
      await batched.settle();
      expect(amounts(batched, 'spot_balance').slice(1)).toEqual([
        [
          ['USDT', '997995', '2005'],
          ['BTC', '99.5', '0.5'],
        ],
      ]);
      expect(await rejection(prompt, 'spot_balance_subscribe', { mode: 'never' })).toMatchObject({
        code: 10001,
      });
    },
  );

  test.each(['updates', 'batches'])(
    'nothing more is sent, with mode %s',
    { tags: [`${ROW}.spot-balance-unsubscribe`] },
    async (mode) => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      await ask(socket, 'spot_balance_subscribe', { mode });
      await ask(socket, 'spot_new_order', order);
      if (mode === 'updates') expect(socket.received('spot_balance')).toHaveLength(2);
      const before = socket.received('spot_balance').length;
      expect(await ask(socket, 'spot_balance_unsubscribe', { mode })).toBe(true);
      await ask(socket, 'spot_new_order', order);
      venue.pass(1_000_000);
      await socket.settle();
      expect(socket.received('spot_balance')).toHaveLength(before);
    },
  );

  test(
    'balances are given, or that of a currency',
    { tags: [`${ROW}.spot-balances`, `${ROW}.spot-balance`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const balances = await askList(socket, 'spot_balances');
      const { body } = await venue.call('GET', '/api/3/spot/balance', { as: 'demo' });
      expect(balances).toEqual(body);
      expect(balances).toContainEqual(
        expect.objectContaining({ currency: 'BTC', available: '100' }),
      );
      const { currency: _, ...bitcoin } = balances.find((one) => one['currency'] === 'BTC') ?? {};
      expect(await ask(socket, 'spot_balance', { currency: 'BTC' })).toEqual(bitcoin);
      expect(await rejection(socket, 'spot_balance', { currency: 'XXX' })).toMatchObject({
        code: 2002,
      });
      expect(await rejection(socket, 'spot_balance')).toMatchObject({ code: 10001 });
    },
  );

  test(
    'fee rates are given, or those of a symbol',
    { tags: [`${ROW}.spot-fees`, `${ROW}.spot-fee`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      expect(await ask(socket, 'spot_fees')).toEqual([
        { symbol: 'BTCUSDT', take_rate: '0.0025', make_rate: '0.0012' },
        { symbol: 'ETHUSDT', take_rate: '0.0025', make_rate: '0.0012' },
        { symbol: 'ETHBTC', take_rate: '0.002', make_rate: '0.001' },
      ]);
      const rates = { take_rate: '0.002', make_rate: '0.001' };
      expect(await ask(socket, 'spot_fee', { symbol: 'ETHBTC' })).toEqual(rates);
      const foreign = { symbol: 'ETHUSDT_PERP' };
      expect(await rejection(socket, 'spot_fee', foreign)).toMatchObject({ code: 2001 });
    },
  );
});

describe('futures balances', () => {
  test(
    'balances are sent as they change, each as a list',
    { tags: [`${ROW}.futures-balance-subscribe`, `${ROW}.notif-futures-balance`] },
    async () => {
      const venue = await openVenue();
      const socket = await traderOn(venue, FUTURES, 'demo');
      expect(await ask(socket, 'futures_balance_subscribe', { mode: 'updates' })).toBe(true);
      await ask(socket, 'futures_set_account', {
        symbol: FUTURES.symbol,
        margin_balance: '20000',
        leverage: '10',
      });
      expect(amounts(socket, 'futures_balance')).toEqual([
        [['USDT', '90000', '0']],
        [['USDT', '80000', '0']],
      ]);
    },
  );

  test('nothing more is sent', { tags: [`${ROW}.futures-balance-unsubscribe`] }, async () => {
    const venue = await openVenue();
    const socket = await traderOn(venue, FUTURES, 'demo');
    await ask(socket, 'futures_balance_subscribe');
    expect(await ask(socket, 'futures_balance_unsubscribe')).toBe(true);
    await ask(socket, 'futures_set_account', {
      symbol: FUTURES.symbol,
      margin_balance: '20000',
      leverage: '10',
    });
    expect(socket.received('futures_balance')).toHaveLength(1);
  });

  test(
    'balances are given, or that of a currency',
    { tags: [`${ROW}.futures-balances`, `${ROW}.futures-balance`] },
    async () => {
      const venue = await openVenue();
      const socket = await traderOn(venue, FUTURES, 'demo');
      const balances = await askList(socket, 'futures_balances');
      expect(balances).toContainEqual(
        expect.objectContaining({ currency: 'USDT', available: '90000', reserved_margin: '10000' }),
      );
      expect(await ask(socket, 'futures_balance', { currency: 'USDT' })).toMatchObject({
        available: '90000',
      });
    },
  );

  test(
    'fee rates are given, or those of a symbol',
    { tags: [`${ROW}.futures-fees`, `${ROW}.futures-fee`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const rates = { take_rate: '0.0007', make_rate: '0.0002' };
      expect(await ask(socket, 'futures_fees')).toEqual([{ symbol: 'ETHUSDT_PERP', ...rates }]);
      expect(await ask(socket, 'futures_fee', { symbol: 'ETHUSDT_PERP' })).toEqual(rates);
    },
  );
});

describe.each([
  ['margin', MARKETS[1]],
  ['futures', FUTURES],
] as const)('accounts of the market %s', (market, one) => {
  const { symbol } = one;
  const buy = { ...BUY, symbol };

  test(
    'accounts and their positions are given',
    { tags: [`${ROW}.${market}-get-accounts`] },
    async () => {
      const venue = await openVenue();
      const maker = await traderOn(venue, one, 'other');
      const socket = await traderOn(venue, one, 'demo');
      await ask(maker, `${market}_new_order`, { ...SELL, symbol });
      await ask(socket, `${market}_new_order`, buy);
      const accounts = await askList(socket, `${market}_get_accounts`);
      expect(accounts).toMatchObject([{ symbol, type: 'isolated', positions: [{ symbol }] }]);
      const { body } = await venue.call('GET', `/api/3/${market}/account`, { as: 'demo' });
      expect(accounts).toEqual(body);
    },
  );

  test(
    'an account is set, and given as it stands then',
    { tags: [`${ROW}.${market}-set-account`] },
    async () => {
      const venue = await openVenue();
      const socket = await traderOn(venue, one, 'demo');
      const set = await askOne(socket, `${market}_set_account`, {
        symbol,
        margin_balance: '2500.5',
        ...(market === 'futures' ? { leverage: '20' } : { strict_validate: true }),
      });
      expect(set).toMatchObject({
        symbol,
        currencies: [{ code: 'USDT', margin_balance: '2500.5' }],
      });
      if (market === 'futures') expect(set).toMatchObject({ leverage: '20.00' });
      expect(await ask(socket, `${market}_get_accounts`)).toEqual([set]);
    },
  );

  test(
    'a position is closed, and given as it ended',
    { tags: [`${ROW}.${market}-close-position`] },
    async () => {
      const venue = await openVenue();
      const maker = await traderOn(venue, one, 'other');
      const socket = await traderOn(venue, one, 'demo');
      expect(await rejection(socket, `${market}_close_position`, { symbol })).toMatchObject({
        code: 20032,
      });
      await ask(maker, `${market}_new_order`, { ...SELL, symbol });
      await ask(socket, `${market}_new_order`, { ...buy, quantity: '0.2' });
      await ask(maker, `${market}_new_order`, { ...BUY, symbol, price: '1990' });
      const closed = await askOne(socket, `${market}_close_position`, { symbol });
      expect(Number(closed['quantity'])).toBe(0);
      expect(closed).toMatchObject({ symbol, pnl: '-2' });
      expect(await ask(socket, `${market}_get_accounts`)).toMatchObject([{ positions: null }]);
    },
  );

  test(
    'accounts are sent at the subscription, and each change before its reply',
    { tags: market === 'margin' ? [`${ROW}.notif-margin-account`] : [] },
    async () => {
      const venue = await openVenue();
      const maker = await traderOn(venue, one, 'other');
      const socket = await traderOn(venue, one, 'demo');
      await ask(socket, `${market}_subscribe`);
      await socket.settle();
      expect(socket.received(`${market}_accounts`).map(({ params }) => params)).toMatchObject([
        [{ symbol, report_type: 'status', report_reason: 'status', positions: null }],
      ]);
      await ask(maker, `${market}_new_order`, { ...SELL, symbol });
      await ask(socket, `${market}_new_order`, buy);
      const [opened] = socket.received(`${market}_account`);
      expect(opened?.['params']).toMatchObject({
        symbol,
        report_type: 'updated',
        report_reason: 'openTrade',
        positions: [{ symbol }],
      });
      expect(socket.frames.indexOf(opened)).toBeLessThan(socket.frames.length - 1);
      await ask(socket, `${market}_unsubscribe`);
      await ask(socket, `${market}_cancel_orders`);
      await ask(socket, `${market}_close_position`, { symbol }).catch(() => undefined);
      expect(socket.received(`${market}_account`)).toHaveLength(1);
    },
  );
});

test('spot trading needs no account of its own', async () => {
  const venue = await openVenue();
  const socket = await traderOn(venue, SPOT, 'demo');
  expect(await ask(socket, 'margin_get_accounts')).toEqual([]);
});
