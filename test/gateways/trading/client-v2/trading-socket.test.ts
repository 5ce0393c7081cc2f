import { describe, expect, test } from 'vitest';
import type { TradingSocketV2 } from '../../../../src/gateways/trading/socket/v2.ts';
import { hmac } from '../../../server/accounts/signer.ts';
import { OPENED, openVenue, type TestVenue } from '../../../server/kit.ts';
import { openLineV2, type Line } from '../kit/lines.ts';
import { at, d } from '../kit/values.ts';

type Trading = Line<TradingSocketV2> & { readonly venue: TestVenue };

async function open(): Promise<Trading> {
  const venue = await openVenue();
  return { ...(await openLineV2(venue, 'trading')), venue };
}

/** Another member on the same venue. */
const other = async (venue: TestVenue) => (await openLineV2(venue, 'trading', 'other')).socket;

const ID = (n: number) => `order-000${n}`;

const buy = (n: number, more: object = {}) => ({
  clientOrderId: ID(n),
  symbol: 'ETHUSDT',
  side: 'buy' as const,
  quantity: '0.5',
  price: '2000',
  ...more,
});

/** How a report on a buy that rests is read. */
const report = (n: number, reportType = 'new', more: object = {}) => ({
  id: expect.any(Number) as number,
  clientOrderId: ID(n),
  symbol: 'ETHUSDT',
  side: 'buy',
  status: 'new',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: d('0.5'),
  price: d('2000'),
  cumQuantity: d('0'),
  postOnly: false,
  createdAt: OPENED,
  updatedAt: OPENED,
  reportType,
  ...more,
});

describe('the login of a socket of version 2', () => {
  test(
    'signs a nonce, another one for each socket',
    { tags: ['client:trading-v2.auth.ws-login'] },
    async () => {
      const venue = await openVenue();
      const nonces: string[] = [];
      for (const kind of ['trading', 'account'] as const) {
        const { relay } = await openLineV2(venue, kind);
        const [login] = relay.asked;
        const { nonce } = login?.params as { nonce: string };
        expect(login).toEqual({
          method: 'login',
          params: { algo: 'HS256', pKey: 'demo', nonce, signature: hmac('demo-secret', nonce) },
          id: expect.anything() as unknown,
        });
        expect(nonce.length).toBeGreaterThanOrEqual(16);
        nonces.push(nonce);
      }
      expect(new Set(nonces).size).toBe(2);
    },
  );

  test(
    'hands key and secret over where that is configured',
    { tags: ['client:trading-v2.auth.ws-login'] },
    async () => {
      const credentials = { key: 'demo', secret: 'demo-secret', scheme: 'basic' } as const;
      const { relay } = await openLineV2(await openVenue(), 'trading', 'demo', { credentials });
      expect(relay.asked[0]).toMatchObject({ method: 'login' });
      expect(relay.asked[0]?.params).toEqual({ algo: 'BASIC', pKey: 'demo', sKey: 'demo-secret' });
    },
  );

  test(
    'that is rejected is reported as such',
    { tags: ['client:trading-v2.auth.ws-login'] },
    async () => {
      const venue = await openVenue();
      const credentials = { key: 'demo', secret: 'guess', scheme: 'hs256' } as const;
      const opening = openLineV2(venue, 'trading', 'demo', { credentials });
      await expect(opening).rejects.toMatchObject({ code: 'login-refused' });
    },
  );

  test(
    'the sockets are at public, trading and account',
    { tags: ['client:trading-v2.conv.stream-addresses'] },
    async () => {
      const venue = await openVenue();
      const paths: string[] = [];
      for (const kind of ['market', 'trading', 'account'] as const) {
        const { socket, relay } = await openLineV2(venue, kind);
        expect(socket.state).toBe('live');
        paths.push(...relay.paths);
      }
      expect(paths).toEqual(['/api/2/ws/public', '/api/2/ws/trading', '/api/2/ws/account']);
    },
  );
});

describe('orders on the trading socket of version 2', () => {
  test(
    'active ones are sent, then each event',
    { tags: ['client:trading-v2.stream-trading.subscribe-reports'] },
    async () => {
      const { socket, relay, reported } = await open();
      await socket.request('newOrder', buy(1));
      expect(await socket.request('subscribeReports')).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeReports', params: {} });
      await relay.settle();
      expect(reported.splice(0)).toEqual([['activeOrders', [report(1, 'status')]]]);
      await socket.request('cancelOrder', { clientOrderId: ID(1) });
      await relay.settle();
      expect(reported.splice(0)).toEqual([
        ['report', report(1, 'canceled', { status: 'canceled' })],
      ]);
      expect(await socket.request('unsubscribeReports')).toBe(true);
      expect(relay.sent).toEqual({ method: 'unsubscribeReports', params: {} });
      await socket.request('newOrder', buy(2));
      await relay.settle();
      expect(reported).toEqual([]);
    },
  );

  test(
    'are placed with a name, which may not be left out, and answered behind their report',
    { tags: ['client:trading-v2.stream-trading.new-order'] },
    async () => {
      const { socket, relay, reported } = await open();
      await socket.request('subscribeReports');
      const result = await socket.request('newOrder', buy(1));
      // Told when the answer came, and not only after it.
      expect(reported).toEqual([
        ['activeOrders', []],
        ['report', report(1)],
      ]);
      expect(result).toEqual(report(1));
      expect(relay.sent).toEqual({ method: 'newOrder', params: buy(1) });
      const full = {
        ...buy(2),
        type: 'stopLimit',
        timeInForce: 'GTD',
        expireTime: at('2026-01-06T00:00:00.5Z'),
        stopPrice: d('2100.5'),
        strictValidate: true,
        postOnly: true,
      } as const;
      expect(await socket.request('newOrder', full)).toEqual(
        report(2, 'suspended', {
          status: 'suspended',
          type: 'stopLimit',
          timeInForce: 'GTD',
          expireTime: at('2026-01-06T00:00:00.5Z'),
          stopPrice: d('2100.5'),
          postOnly: true,
        }),
      );
      const sent = { ...full, stopPrice: '2100.5', expireTime: '2026-01-06T00:00:00.5Z' };
      expect(relay.sent).toEqual({ method: 'newOrder', params: sent });
      const { clientOrderId: _, ...unnamed } = buy(3);
      // @ts-expect-error a socket knows an order by the name that it was given
      const nameless = socket.request('newOrder', unnamed);
      await expect(nameless).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'clientOrderId',
      });
      const twice = socket.request('newOrder', buy(1));
      await expect(twice).rejects.toMatchObject({ code: 'service-refused', serviceCode: 20008 });
    },
  );

  test(
    'are canceled by their name',
    { tags: ['client:trading-v2.stream-trading.cancel-order'] },
    async () => {
      const { socket, relay } = await open();
      await socket.request('newOrder', buy(1));
      const params = { clientOrderId: ID(1) };
      expect(await socket.request('cancelOrder', params)).toEqual(
        report(1, 'canceled', { status: 'canceled' }),
      );
      expect(relay.sent).toEqual({ method: 'cancelOrder', params });
      await expect(socket.request('cancelOrder', params)).rejects.toMatchObject({
        serviceCode: 20002,
      });
      await socket.request('newOrder', buy(2));
      const ofSymbol = { symbol: 'ETHUSDT' };
      expect(await socket.request('cancelOrders', ofSymbol)).toEqual([
        report(2, 'canceled', { status: 'canceled' }),
      ]);
      expect(relay.sent).toEqual({ method: 'cancelOrders', params: ofSymbol });
    },
  );

  test(
    'give their place to others',
    { tags: ['client:trading-v2.stream-trading.cancel-replace-order'] },
    async () => {
      const { socket, relay } = await open();
      await socket.request('newOrder', buy(1));
      const params = {
        clientOrderId: ID(1),
        requestClientId: ID(2),
        quantity: '0.7',
        price: '1999.5',
        strictValidate: true,
      };
      expect(await socket.request('cancelReplaceOrder', params)).toEqual(
        report(2, 'replaced', {
          originalRequestClientOrderId: ID(1),
          quantity: d('0.7'),
          price: d('1999.5'),
        }),
      );
      expect(relay.sent).toEqual({ method: 'cancelReplaceOrder', params });
      const stop = { type: 'stopLimit', stopPrice: '2100' } as const;
      await socket.request('newOrder', { ...buy(3), ...stop });
      const moved = {
        clientOrderId: ID(3),
        requestClientId: ID(4),
        quantity: '0.5',
        price: '2000',
      };
      const after = await socket.request('cancelReplaceOrder', { ...moved, stopPrice: '2200' });
      expect(after).toMatchObject({ reportType: 'replaced', stopPrice: d('2200') });
      expect(relay.sent?.params).toEqual({ ...moved, stopPrice: '2200' });
    },
  );

  test(
    'are listed while they are active',
    { tags: ['client:trading-v2.stream-trading.get-orders'] },
    async () => {
      const { socket, relay } = await open();
      await socket.request('newOrder', buy(1));
      expect(await socket.request('getOrders')).toEqual([report(1, 'status')]);
      expect(relay.sent).toEqual({ method: 'getOrders', params: {} });
      expect(await socket.request('getOrders', { symbol: 'BTCUSDT' })).toEqual([]);
      expect(relay.sent).toEqual({ method: 'getOrders', params: { symbol: 'BTCUSDT' } });
    },
  );

  test(
    'hold money, which is listed',
    { tags: ['client:trading-v2.stream-trading.get-trading-balance'] },
    async () => {
      const { socket, relay } = await open();
      await socket.request('newOrder', buy(1));
      expect(await socket.request('getTradingBalance')).toEqual([
        { currency: 'BTC', available: d('100'), reserved: d('0') },
        { currency: 'USDT', available: d('998997.5'), reserved: d('1002.5') },
        { currency: 'ETH', available: d('1000'), reserved: d('0') },
      ]);
      expect(relay.sent).toEqual({ method: 'getTradingBalance', params: {} });
    },
  );
});

describe('a request of the trading socket of version 2', () => {
  test.each([
    ['clientOrderId', { clientOrderId: 'short' }],
    ['price', { price: 2000 }],
    ['quantity', { quantity: 'much' }],
    ['side', { side: 'hold' }],
    // Left out in silence it would take what it was meant to wait for.
    ['postonly', { postonly: true }],
  ])('is not sent where %s is wrong', async (field, change) => {
    const { socket, relay } = await open();
    const before = relay.asked.length;
    const order = { ...buy(1), ...change } as ReturnType<typeof buy>;
    await expect(socket.request('newOrder', order)).rejects.toMatchObject({
      code: 'request-invalid',
      field,
      message: expect.stringContaining('newOrder was not sent') as string,
    });
    expect(relay.asked).toHaveLength(before);
  });
});

describe('reports of version 2', () => {
  test(
    'have a trade: its number, quantity, price and fee',
    { tags: ['client:trading-v2.stream-trading.report-fields'] },
    async () => {
      const { socket, relay, reported, venue } = await open();
      await socket.request('subscribeReports');
      await socket.request('newOrder', buy(1));
      reported.length = 0;
      const taker = await other(venue);
      const sell = { ...buy(2), side: 'sell', quantity: '0.2' } as const;
      const taken = await taker.request('newOrder', sell);
      await relay.settle();
      expect(reported).toEqual([
        [
          'report',
          report(1, 'trade', {
            status: 'partiallyFilled',
            cumQuantity: d('0.2'),
            tradeId: taken.tradeId,
            tradeQuantity: d('0.2'),
            tradePrice: d('2000'),
            tradeFee: d('0.48'),
          }),
        ],
      ]);
      expect(taken).toMatchObject({ reportType: 'trade', tradeFee: d('1') });
    },
  );

  test.each(['status', 'new', 'canceled', 'expired', 'suspended', 'trade', 'replaced'])(
    'may be of the type %s, their ids text and what is optional null',
    { tags: ['client:trading-v2.stream-trading.report-fields'] },
    async (reportType) => {
      const { relay, reported } = await open();
      const { createdAt: _, updatedAt: __, postOnly: ___, ...order } = report(1, reportType);
      const wire = {
        ...order,
        id: '4345613661',
        quantity: '0.5000',
        price: '2000.000',
        cumQuantity: '0.0000',
        stopPrice: null,
        tradeFee: '-0.000100',
        tradeId: '68',
        createdAt: '2026-01-05T10:00:00Z',
        updatedAt: '2026-01-05T10:00:00.001Z',
      };
      relay.emit({ jsonrpc: '2.0', method: 'report', params: wire });
      await relay.settle();
      expect(reported).toEqual([
        [
          'report',
          {
            ...order,
            id: 4_345_613_661,
            tradeFee: d('-0.0001'),
            tradeId: 68,
            createdAt: OPENED,
            updatedAt: OPENED + 1_000,
          },
        ],
      ]);
    },
  );
});

describe('margin on the trading socket of version 2', () => {
  const ETHER = { symbol: 'ETHUSDT' } as const;
  const margin = { reduceOnly: false };
  const account = (marginBalance: string, more: object = {}) => ({
    ...ETHER,
    leverage: d('20'),
    marginBalance: d(marginBalance),
    marginBalanceOrders: d('0'),
    marginBalanceRequired: d('0'),
    createdAt: OPENED,
    updatedAt: OPENED,
    ...more,
  });

  test(
    'accounts are followed, set and listed',
    { tags: ['client:trading-v2.stream-trading.margin'] },
    async () => {
      const { socket, relay, reported } = await open();
      expect(await socket.request('marginSubscribe')).toBe(true);
      expect(relay.sent).toEqual({ method: 'marginSubscribe', params: {} });
      await relay.settle();
      expect(reported.splice(0)).toEqual([
        ['marginOrders', []],
        ['marginAccounts', []],
      ]);
      const params = { ...ETHER, marginBalance: '5000.5', strictValidate: true };
      expect(await socket.request('marginAccountSet', params)).toEqual(account('5000.5'));
      expect(relay.sent).toEqual({ method: 'marginAccountSet', params });
      expect(await socket.request('marginAccountsGet')).toEqual([account('5000.5')]);
      await relay.settle();
      const created = { reportType: 'created', reportReason: 'created' };
      expect(reported).toEqual([['marginAccountReport', account('5000.5', created)]]);
    },
  );

  test(
    'existing accounts and orders are sent first',
    { tags: ['client:trading-v2.stream-trading.margin'] },
    async () => {
      const { socket, relay, reported } = await open();
      const account_ = await socket.request('marginAccountSet', { ...ETHER, marginBalance: '7' });
      await socket.request('marginOrderNew', buy(1, { quantity: '0.01', price: '10' }));
      await socket.request('marginSubscribe');
      await relay.settle();
      const [orders, accounts] = reported;
      const resting = { ...margin, quantity: d('0.01'), price: d('10') };
      expect(orders).toEqual(['marginOrders', [report(1, 'status', resting)]]);
      const status = { reportType: 'status', reportReason: 'status' };
      // 0.1 × (1/20 + 0.0025 + 0.0025 × (1 + 1/20)) for the order.
      const held = { marginBalanceOrders: d('0.0055125') };
      expect(accounts).toEqual(['marginAccounts', [{ ...account_, ...status, ...held }]]);
    },
  );

  test(
    'orders are placed, replaced, listed and canceled, each with its report',
    { tags: ['client:trading-v2.stream-trading.margin'] },
    async () => {
      const { socket, relay, reported } = await open();
      await socket.request('marginAccountSet', { ...ETHER, marginBalance: '5000' });
      await socket.request('marginSubscribe');
      await relay.settle();
      reported.length = 0;
      expect(await socket.request('marginOrderNew', buy(1))).toEqual(report(1, 'new', margin));
      expect(relay.sent).toEqual({ method: 'marginOrderNew', params: buy(1) });
      expect(await socket.request('marginOrdersGet')).toEqual([report(1, 'status', margin)]);
      const change = {
        clientOrderId: ID(1),
        requestClientId: ID(2),
        quantity: '0.6',
        price: '1999',
      };
      const changed = {
        ...margin,
        quantity: d('0.6'),
        price: d('1999'),
        originalRequestClientOrderId: ID(1),
      };
      expect(await socket.request('marginOrderCancelReplace', change)).toEqual(
        report(2, 'replaced', changed),
      );
      expect(relay.sent).toEqual({ method: 'marginOrderCancelReplace', params: change });
      const canceled = { ...changed, status: 'canceled' };
      expect(await socket.request('marginOrderCancel', { clientOrderId: ID(2) })).toEqual(
        report(2, 'canceled', canceled),
      );
      await socket.request('marginOrderNew', buy(3));
      const ended = report(3, 'canceled', { ...margin, status: 'canceled' });
      expect(await socket.request('marginOrdersCancel', ETHER)).toEqual([ended]);
      expect(relay.sent).toEqual({ method: 'marginOrdersCancel', params: ETHER });
      await relay.settle();
      const reports = reported.filter(([method]) => method === 'marginOrderReport');
      expect(reports.map(([, params]) => params)).toEqual([
        report(1, 'new', margin),
        report(2, 'replaced', changed),
        report(2, 'canceled', canceled),
        report(3, 'new', margin),
        ended,
      ]);
      expect(await socket.request('marginUnsubscribe')).toBe(true);
    },
  );

  test(
    'positions are opened, reported and closed',
    { tags: ['client:trading-v2.stream-trading.margin'] },
    async () => {
      const { socket, relay, reported, venue } = await open();
      const maker = await other(venue);
      await maker.request('newOrder', { ...buy(1), side: 'sell' });
      await socket.request('marginAccountSet', { ...ETHER, marginBalance: '5000' });
      await socket.request('marginSubscribe');
      const opened = await socket.request('marginOrderNew', buy(2));
      expect(opened).toEqual(
        report(2, 'trade', {
          ...margin,
          status: 'filled',
          cumQuantity: d('0.5'),
          positionId: 1,
          tradeId: expect.any(Number) as number,
          tradeQuantity: d('0.5'),
          tradePrice: d('2000'),
          tradeFee: d('2.5'),
          tradePositionId: 1,
        }),
      );
      const priced = { ...ETHER, price: '2100', strictValidate: true };
      const waiting = await socket.request('marginPositionClose', priced);
      expect(waiting).toMatchObject({ id: 1, quantity: d('0.5') });
      expect(relay.sent).toEqual({ method: 'marginPositionClose', params: priced });
      await maker.request('newOrder', buy(3));
      expect(await socket.request('marginPositionClose', ETHER)).toMatchObject({
        id: 1,
        ...ETHER,
        quantity: d('0'),
        pnl: d('0'),
        priceEntry: d('2000'),
      });
      expect(relay.sent).toEqual({ method: 'marginPositionClose', params: ETHER });
      await relay.settle();
      const events = reported.filter(([method]) => method === 'marginAccountReport');
      expect(events.map(([, params]) => params)).toMatchObject([
        {
          reportType: 'updated',
          reportReason: 'openTrade',
          marginBalance: d('4997.5'),
          position: { id: 1, quantity: d('0.5'), priceEntry: d('2000') },
        },
        { reportReason: 'closed', marginBalance: d('4995') },
      ]);
    },
  );
});
