import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { clientsOf, type Shown } from './cryptomarket-client.ts';
import { openExample } from './example.ts';

/**
 * Before it connects, this release of the client makes a socket to nowhere, which the release of ws
 * that it brings along does not survive without options. It gets them.
 */
vi.mock('../../../node_modules/cryptomarket/node_modules/ws/wrapper.mjs', async () => {
  const { WebSocket } = await import('ws');
  class PatientWebSocket extends WebSocket {
    constructor(address: string, protocols?: string, options: object = {}) {
      super(address, protocols, options);
    }
  }
  return { default: PatientWebSocket };
});

type Clients = Awaited<ReturnType<typeof clientsOf>>;

/** A client that nobody here wrote, on the venue that comes along, by the real clock. */
describe('the public client cryptomarket', () => {
  let simulation: Simulation;
  let demo: Clients;

  beforeAll(async () => {
    simulation = await openExample({ rateLimits: false });
    demo = await clientsOf(simulation.venue.port, ['demo', 'demo-secret']);
    await Promise.all([demo.market.connect(), demo.trading.connect(), demo.wallet.connect()]);
    // The markets begin with a book; a trade on each of them takes a moment.
    await vi.waitFor(async () => {
      const trades = (await demo.rest.getTrades()) as Readonly<Record<string, unknown[]>>;
      expect(Object.values(trades).filter((each) => each.length > 0).length).toBeGreaterThanOrEqual(
        4,
      );
    }, PATIENCE);
  });

  afterAll(async () => {
    await Promise.all([demo.market.close(), demo.trading.close(), demo.wallet.close()]);
    await simulation.close();
  });

  describe('over REST', () => {
    test('reads the market', async () => {
      const { rest } = demo;
      expect(Object.keys((await rest.getCurrencies()) as object).sort()).toEqual([
        'BTC',
        'ETH',
        'SOL',
        'USDC',
        'USDT',
      ]);
      expect(await rest.getCurrency('BTC')).toMatchObject({ fullName: 'Bitcoin' });
      expect(Object.keys((await rest.getSymbols()) as object).length).toBe(6);
      expect(await rest.getSymbol('ETHBTC')).toMatchObject({ tickSize: '0.000001' });
      expect(Object.keys((await rest.getTickers(['BTCUSDT', 'ETHUSDT'])) as object)).toEqual([
        'BTCUSDT',
        'ETHUSDT',
      ]);
      expect(await rest.getTicker('BTCUSDT')).toMatchObject({ last: expect.any(String) });
      expect(await rest.getPrices({ from: 'ETH', to: 'BTC' })).toMatchObject({
        ETH: { currency: 'BTC', price: expect.stringMatching(/^0\.05/) },
      });
      expect(await rest.getTickerLastPrices()).toHaveProperty('ETHUSDT');
      expect(await rest.getTickerLastPrice('ETHUSDT')).toMatchObject({ price: expect.any(String) });
      const book = (await rest.getOrderBook('BTCUSDT', 3)) as Readonly<Record<string, unknown[]>>;
      expect([book['ask']?.length, book['bid']?.length]).toEqual([3, 3]);
      expect(await rest.getOrderBookVolume({ symbol: 'BTCUSDT', volume: '1' })).toHaveProperty(
        'ask',
      );
      expect(await rest.getOrderBooks({ symbols: ['ETHBTC'] })).toHaveProperty('ETHBTC');
      expect(await rest.getTradesBySymbol('BTCUSDT', { limit: 1 })).toHaveLength(1);
      expect(await rest.getCandles({ symbols: ['BTCUSDT'], period: 'M1' })).toHaveProperty(
        'BTCUSDT',
      );
      expect(await rest.getCandlesBySymbol('BTCUSDT', { period: 'M1', limit: 1 })).toEqual([
        expect.objectContaining({ open: expect.any(String), volumeQuote: expect.any(String) }),
      ]);
      expect(
        await rest.getConvertedCandlesBySymbol('ETHBTC', { targetCurrency: 'USDT', period: 'M1' }),
      ).toMatchObject({ targetCurrency: 'USDT' });
    });

    test('places, finds, replaces and cancels an order', async () => {
      const { rest } = demo;
      const placed = await rest.createNewSpotOrder({
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.01',
        price: '40000',
        clientOrderId: 'cm-first-order',
      });
      expect(placed).toMatchObject({ clientOrderId: 'cm-first-order', status: 'new' });
      expect(await rest.getActiveSpotOrder('cm-first-order')).toMatchObject({ price: '40000.00' });
      expect(await rest.getAllActiveSpotOrders('BTCUSDT')).toHaveLength(1);
      const replaced = await rest.replaceSpotOrder('cm-first-order', {
        newClientOrderId: 'cm-second-order',
        quantity: '0.02',
        price: '41000',
      });
      expect(replaced).toMatchObject({ clientOrderId: 'cm-second-order', quantity: '0.02000' });
      expect(await rest.cancelSpotOrder('cm-second-order')).toMatchObject({ status: 'canceled' });
      await expect(rest.getActiveSpotOrder('cm-second-order')).rejects.toThrow(
        '(code=20002) Order not found',
      );
      expect(await rest.cancelAllSpotOrders()).toEqual([]);
    });

    test('trades, and finds the trade in its history', async () => {
      const { rest } = demo;
      const before = (await rest.getSpotTradingBalance('ETH')) as Shown;
      const filled = await rest.createNewSpotOrder({
        symbol: 'ETHUSDT',
        side: 'sell',
        type: 'market',
        quantity: '0.01',
        clientOrderId: 'cm-market-order',
      });
      expect(filled).toMatchObject({ status: 'filled', quantityCumulative: '0.0100' });
      const after = (await rest.getSpotTradingBalance('ETH')) as Shown;
      expect(Number(before['available']) - Number(after['available'])).toBeCloseTo(0.01, 8);
      expect(await rest.getSpotOrdersHistory({ clientOrderId: 'cm-market-order' })).toEqual([
        expect.objectContaining({ status: 'filled' }),
      ]);
      expect(await rest.getSpotTradesHistory({ symbol: 'ETHUSDT', limit: 1 })).toEqual([
        expect.objectContaining({ clientOrderId: 'cm-market-order', taker: true }),
      ]);
    });

    test('places an order list, and cancels both orders by one', async () => {
      const { rest } = demo;
      const orders = await rest.createNewSpotOrderList({
        orderListId: 'cm-list-order-1',
        contingencyType: 'oneCancelOther',
        orders: [
          {
            symbol: 'ETHUSDT',
            side: 'sell',
            type: 'limit',
            timeInForce: 'GTC',
            quantity: '0.1',
            price: '9000',
            clientOrderId: 'cm-list-order-1',
          },
          {
            symbol: 'ETHUSDT',
            side: 'sell',
            type: 'stopMarket',
            timeInForce: 'GTC',
            quantity: '0.1',
            stopPrice: '1000',
            clientOrderId: 'cm-list-order-2',
          },
        ],
      });
      expect(orders).toMatchObject([{ status: 'new' }, { status: 'suspended' }]);
      await rest.cancelSpotOrder('cm-list-order-1');
      expect(await rest.getAllActiveSpotOrders()).toEqual([]);
    });

    test('reads balances and fees, moves money and follows it', async () => {
      const { rest } = demo;
      expect(await rest.getSpotTradingBalances()).toEqual(
        expect.arrayContaining([expect.objectContaining({ currency: 'USDT' })]),
      );
      expect(await rest.getTradingCommission('BTCUSDT')).toMatchObject({ symbol: 'BTCUSDT' });
      expect(await rest.getAllTradingCommissions()).toHaveLength(5);
      expect(await rest.getWalletBalance('BTC')).toMatchObject({ available: '1' });
      await rest.transferBetweenWalletAndExchange({
        currency: 'BTC',
        amount: '0.25',
        source: 'wallet',
        destination: 'spot',
      });
      const [moved] = (await rest.getTransactionHistory({
        currencies: ['BTC'],
        limit: 1,
      })) as readonly Shown[];
      expect(moved).toMatchObject({
        type: 'TRANSFER',
        subtype: 'WALLET_TO_SPOT',
        status: 'SUCCESS',
      });
      const { txId } = moved['native'] as { readonly txId: string };
      expect(await rest.getTransaction(txId)).toEqual(moved);
      expect(await rest.getTransactionHistory({ currencies: ['BTC'] })).toHaveLength(2);
      expect(await rest.getDepositCryptoAddress('BTC')).toMatchObject({
        address: expect.stringMatching(/^bc1p/),
      });
      expect(await rest.getEstimateWithdrawalFee({ currency: 'BTC', amount: '0.1' })).toBe(
        '0.0004',
      );
    });

    test('withdraws in two steps, and takes it back', async () => {
      const { rest } = demo;
      const withdraw = async (): Promise<string> =>
        (await rest.withdrawCrypto({
          currency: 'ETH',
          amount: '1',
          address: `0x${'a'.repeat(40)}`,
          autoCommit: false,
        })) as string;
      expect(await rest.withdrawCryptoRollback(await withdraw())).toBe(true);
      expect(await rest.withdrawCryptoCommit(await withdraw())).toBe(true);
      expect(await rest.getWalletBalance('ETH')).toMatchObject({ available: '8.998' });
    });

    test('has a sub-account', async () => {
      const { rest } = demo;
      const [sub] = (await rest.getSubAccountList()) as readonly Shown[];
      expect(sub).toMatchObject({ email: 'demo-sub@example.com' });
      const subAccountId = String(sub['subAccountId']);
      await rest.transferFunds({
        subAccountId,
        amount: '10',
        currency: 'USDT',
        type: 'to_sub_account',
      });
      expect(await rest.getSubAccountBalance(subAccountId)).toMatchObject({
        wallet: [{ currency: 'USDT', available: '10' }],
      });
    });

    test('is rejected with a wrong secret, with the message of the service', async () => {
      const { rest } = await clientsOf(simulation.venue.port, ['demo', 'wrong']);
      await expect(rest.getSpotTradingBalances()).rejects.toThrow('(code=1002)');
    });

    test('may sign with a window', async () => {
      const { rest, trading } = await clientsOf(
        simulation.venue.port,
        ['demo', 'demo-secret'],
        15_000,
      );
      expect(await rest.getWalletBalances()).toEqual(expect.any(Array));
      await trading.connect();
      expect(await trading.getActiveSpotOrders()).toEqual([]);
      await trading.close();
    });
  });

  describe('over sockets', () => {
    /** Follows something until a frame has come that fits. */
    async function first<T>(
      follow: (callback: (notification: never, type: string) => void) => Promise<unknown>,
      fits: (notification: T, type: string) => boolean = () => true,
    ): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>();
      await follow((notification, type) => {
        if (fits(notification, type)) resolve(notification);
      });
      return promise;
    }

    // Mini tickers in batches are left out: the client takes each for a list, which no source shows.
    test.each([
      ['subscribeToTrades', { symbols: ['BTCUSDT'], limit: 3 }],
      ['subscribeToCandles', { symbols: ['BTCUSDT'], period: 'M1', limit: 3 }],
      ['subscribeToFullOrderBook', { symbols: ['BTCUSDT'] }],
      ['subscribeToTicker', { symbols: ['BTCUSDT'], speed: '1s' }],
      ['subscribeToTickerInBatches', { speed: '1s' }],
      ['subscribeToMiniTicker', { symbols: ['BTCUSDT'], speed: '1s' }],
      ['subscribeToPartialOrderBook', { symbols: ['BTCUSDT'], depth: 'D5', speed: '100ms' }],
      ['subscribeToPartialOrderBookInBatches', { depth: 'D5', speed: '100ms' }],
      ['subscribeToTopOfOrderBook', { symbols: ['BTCUSDT'], speed: '100ms' }],
      ['subscribeToTopOfOrderBookInBatches', { speed: '100ms' }],
      ['subscribeToPriceRates', { currencies: ['BTC'], targetCurrency: 'USDT', speed: '1s' }],
    ] as const)('follows the market: %s', async (method, params) => {
      const frame = await first<object>((callback) => demo.market[method]({ callback, params }));
      expect(Object.keys(frame)).toEqual(
        expect.arrayContaining([method === 'subscribeToPriceRates' ? 'BTC' : 'BTCUSDT']),
      );
    });

    test('keeps a book by snapshot and updates without a gap', async () => {
      const { market } = await clientsOf(simulation.venue.port, ['demo', 'demo-secret']);
      await market.connect();
      const sequences: number[] = [];
      await first<Readonly<Record<string, { readonly sequence: number }>>>(
        (callback) =>
          market.subscribeToFullOrderBook({ callback, params: { symbols: ['ETHUSDT'] } }),
        (frame) => sequences.push(frame['ETHUSDT']?.sequence ?? Number.NaN) > 5,
      );
      await market.close();
      expect(sequences).toEqual(sequences.map((_, index) => sequences[0] + index));
    });

    test('receives its orders and balances while it trades over REST and sockets', async () => {
      const { trading, rest } = demo;
      const reports: Shown[] = [];
      const balances: Shown[] = [];
      await trading.subscribeToReports((news) => reports.push(...news));
      await trading.subscribeToSpotBalance((news) => balances.push(...news), 'updates');
      const placed = await trading.createSpotOrder({
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.01',
        price: '40000',
        clientOrderId: 'cm-socket-order',
      });
      expect(placed).toMatchObject({ reportType: 'new', status: 'new' });
      expect(await trading.getActiveSpotOrders()).toHaveLength(1);
      const replaced = await trading.replaceSpotOrder({
        clientOrderId: 'cm-socket-order',
        newClientOrderId: 'cm-socket-order-2',
        quantity: '0.02',
        price: '41000',
      });
      expect(replaced).toMatchObject({
        reportType: 'replaced',
        originalClientOrderId: 'cm-socket-order',
      });
      expect(await trading.cancelSpotOrder('cm-socket-order-2')).toMatchObject({
        reportType: 'canceled',
      });
      await rest.createNewSpotOrder({
        symbol: 'BTCUSDT',
        side: 'sell',
        type: 'market',
        quantity: '0.001',
      });
      await vi.waitFor(() => {
        expect(reports.map(({ reportType }) => reportType)).toEqual([
          'new',
          'replaced',
          'canceled',
          expect.stringMatching(/new|trade/),
          ...reports.slice(4).map(() => 'trade'),
        ]);
        expect(reports.at(-1)).toMatchObject({ status: 'filled' });
      }, PATIENCE);
      const { available } = (await rest.getSpotTradingBalance('BTC')) as Shown;
      await vi.waitFor(() => {
        const last = balances.findLast(({ currency }) => currency === 'BTC');
        expect(last).toMatchObject({ available });
      }, PATIENCE);
    });

    test('places an order list, one reply for each of its orders', async () => {
      const { trading } = demo;
      const leg = (clientOrderId: string, price: string): Shown => ({
        symbol: 'ETHUSDT',
        side: 'sell',
        quantity: '0.1',
        price,
        timeInForce: 'GTC',
        clientOrderId,
      });
      const reports = await trading.createNewSpotOrderList({
        orderListId: 'cm-socket-list-1',
        contingencyType: 'oneTriggerOther',
        orders: [leg('cm-socket-list-1', '9000'), leg('cm-socket-list-2', '9500')],
      });
      expect(reports).toMatchObject([
        { clientOrderId: 'cm-socket-list-1', status: 'new' },
        { clientOrderId: 'cm-socket-list-2', status: 'suspended' },
      ]);
      expect(await trading.cancelSpotOrders()).toHaveLength(2);
    });

    test('reads balances and fees', async () => {
      const { trading } = demo;
      expect(await trading.getSpotTradingBalance('USDT')).toMatchObject({
        available: expect.any(String),
      });
      expect(await trading.getSpotFee('ETHBTC')).toMatchObject({ takeRate: '0.002' });
      expect(await trading.getSpotFees()).toHaveLength(5);
    });

    test('follows its wallet', async () => {
      const { wallet, rest } = demo;
      const transactions: Shown[] = [];
      await wallet.subscribeToTransactions((transaction) => transactions.push(transaction));
      await rest.transferBetweenWalletAndExchange({
        currency: 'USDT',
        amount: '100',
        source: 'wallet',
        destination: 'spot',
      });
      // Withdrawals of the tests before are still on their way, and are told of too.
      await vi.waitFor(() => {
        expect(transactions).toContainEqual(expect.objectContaining({ subtype: 'WALLET_TO_SPOT' }));
      }, PATIENCE);
      expect(await wallet.getWalletBalance('USDT')).toMatchObject({
        available: ((await rest.getWalletBalance('USDT')) as Shown)['available'],
      });
      expect(await wallet.getTransactions({ currencies: ['USDT'] })).not.toEqual([]);
    });
  });
});
