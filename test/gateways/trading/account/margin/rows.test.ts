import { describe, expect, it } from 'vitest';
import { micros, US_PER_MINUTE } from '../../../../../src/platform/time.ts';
import { decimal } from '../../../../../src/model/decimal.ts';
import { OPENED } from '../../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../../server/margin/harness.ts';
import { placeOf, until } from '../kit.ts';
import { brief, on, openRelayed, PERP, showPrices, type RelayedScene } from './kit.ts';
import { eachRow } from '../../../../conformance/each-row.ts';

// Rows of the specification, shown by what a bot makes of them: what goes over the wire of its account, and
// what it is told.

const BTC = { symbol: 'BTCUSDT', mode: 'isolated' } as const;
const ETH = { symbol: PERP, mode: 'isolated' } as const;

/** Calls of a gateway without what they are asked for by, each once. */
const callsOf = ({ calls }: RelayedScene): readonly string[] =>
  [
    ...new Set(calls.received.map(({ line }) => line.replace(/\?.*/, '').replace('/api/3', ''))),
  ].sort();

/** A floor short before a funding, on which interest is charged and the account has fees of its own. */
async function beforeFunding(): Promise<MarginHarness> {
  const floor = await openHarness({ exchange: { margin: { dailyRates: { USDT: '0.0003' } } } });
  floor.venue.scheduler.advanceTo(micros(Date.parse('2026-01-05T15:59:58Z') * 1_000));
  showPrices(floor);
  floor.index('3000', PERP);
  const { fees } = floor.venue.trading.exchange;
  fees.set(floor.account, PERP, { takeRate: decimal('0.0004'), makeRate: decimal('0.0001') });
  return floor;
}

describe(
  'what a bot reads',
  {
    tags: [
      'client:trading-v3.public.symbol-record',
      'client:trading-v3.public.symbol-type-values',
      'client:trading-v3.spot.get-balances',
    ],
  },
  () => {
    it(
      'are the terms and fees of its key, on which its instruments are traded',
      {
        tags: [
          'client:trading-v3.margin.get-config',
          'client:trading-v3.futures.get-config',
          'client:trading-v3.futures.get-fees',
        ],
      },
      async () => {
        const scene = await openRelayed(await beforeFunding());
        expect(callsOf(scene)).toEqual([
          // Whether the key may trade is asked by canceling what nobody placed.
          'DELETE /spot/order/millrace-no-such-order',
          ...[
            'GET /futures/config',
            'GET /futures/fee',
            'GET /margin/config',
            'GET /public/symbol',
          ],
          'GET /spot/fee',
        ]);
        const [bitcoin, , , perpetual] = scene.account.instruments;
        expect(bitcoin.margin.cross?.maxInitialLeverage.toFixed()).toBe('25');
        expect(perpetual).toMatchObject({ symbol: PERP, isContract: true });
        expect(perpetual.margin.isolated?.maxInitialLeverage.toFixed()).toBe('75');
        expect([perpetual.takeRate.toFixed(), perpetual.makeRate.toFixed()]).toEqual([
          ...['0.0004', '0.0001'],
        ]);
      },
    );

    it(
      'are the derivatives balance, to which funds of futures are moved and from which they come back',
      { tags: ['client:trading-v3.futures.get-balance', 'client:trading-v3.wallet.post-transfer'] },
      async () => {
        const scene = await openRelayed(await beforeFunding());
        const { calls, set, floor, ear } = scene;
        const before = calls.received.length;
        await set({ ...ETH, balance: '1000' });
        await set({ ...ETH, balance: '400' });
        await until(floor.venue, () => ear.balance('USDT')?.[0] === '999600');
        const moved = calls.received
          .slice(before)
          .filter(({ line }) => line.includes('/wallet/transfer'));
        expect(moved.map(({ line, body }) => [line, JSON.parse(body) as unknown])).toEqual([
          [
            'POST /api/3/wallet/transfer',
            { currency: 'USDT', amount: '1000', source: 'spot', destination: 'derivatives' },
          ],
          [
            'POST /api/3/wallet/transfer',
            { currency: 'USDT', amount: '600', source: 'derivatives', destination: 'spot' },
          ],
        ]);
        expect(callsOf(scene)).toContain('GET /futures/balance/USDT');
        expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '0' });
      },
    );

    it(
      'are accounts, orders, trades, ended positions and payments of both markets, by which it compares itself',
      {
        tags: [
          'client:trading-v3.spot.trade-taker',
          ...[
            ...['get-orders', 'get-history-orders', 'history-order-record', 'order-extra-fields'],
            ...['get-history-trades', 'history-trade-record', 'get-accounts', 'account-currencies'],
            ...['account-positions', 'position-fee-cumulative', 'get-history-positions'],
            'get-history-clearing',
          ].map((row) => `client:trading-v3.margin.${row}`),
          ...[
            ...['get-orders', 'get-accounts', 'get-history-orders', 'get-history-trades'],
            ...['get-history-positions', 'get-history-clearing'],
          ].map((row) => `client:trading-v3.futures.${row}`),
        ],
      },
      async () => {
        const scene = await openRelayed(await beforeFunding());
        const { set, account, next, floor, ear, settled, calls } = scene;
        await set({ ...BTC, balance: '2000', leverage: '5' });
        await set({ ...ETH, balance: '1000', leverage: '10' });
        const eth = { symbol: PERP, ...on('isolated') } as const;
        const bitcoin = { ...on('isolated') } as const;
        account.send(placeOf('btc-order', { ...bitcoin, ticks: 5_000_000, lots: 10_000 }));
        account.send(placeOf('eth-order', { ...eth, side: 'sell', ticks: 2_999_000, lots: 1_000 }));
        account.send(placeOf('btc-rest', { ...bitcoin, ticks: 4_000_000, lots: 1_000 }));
        const reduce = { mode: 'isolated', reduceOnly: true } as const;
        account.send(placeOf('eth-rest', { ...eth, margin: reduce, ticks: 2_000_000, lots: 400 }));
        // Two trades, and what was paid at 16:00.
        await next(4);
        await until(floor.venue, () => ear.of('new').length >= 2);
        account.send(
          placeOf('eth-close', { ...eth, margin: reduce, ticks: 3_000_000, lots: 1_000 }),
        );
        await next(1);
        const from = calls.received.length;
        const { orders, ended, fills, margin } = await settled(account.snapshot(OPENED));
        const asked = new Set(
          calls.received
            .slice(from)
            .map(({ line }) => line.replace(/\?.*/, '').replace('/api/3', '')),
        );
        expect([...asked].filter((line) => !line.includes('/spot/')).sort()).toEqual([
          ...[
            'GET /futures/account',
            'GET /futures/history/clearing',
            'GET /futures/history/order',
          ],
          ...['GET /futures/history/positions', 'GET /futures/history/trade', 'GET /futures/order'],
          ...['GET /margin/account', 'GET /margin/history/clearing', 'GET /margin/history/order'],
          ...['GET /margin/history/positions', 'GET /margin/history/trade', 'GET /margin/order'],
          // By which the clock of the service is read.
          'GET /public/symbol/-',
        ]);
        expect(orders.map(({ clientOrderId, margin: of }) => [clientOrderId, of])).toEqual([
          ['btc-rest', { mode: 'isolated' }],
        ]);
        expect(
          ended.map(({ clientOrderId, status, lots, filledLots, margin: of }) => [
            ...[clientOrderId, status, lots, filledLots, of],
          ]),
        ).toEqual([
          ['btc-order', 'filled', 10_000, 10_000, { mode: 'isolated' }],
          ['eth-order', 'filled', 1_000, 1_000, { mode: 'isolated' }],
          // It would have opened one, once the position had ended.
          ['eth-rest', 'canceled', 400, 0, reduce],
          ['eth-close', 'filled', 1_000, 1_000, reduce],
        ]);
        expect(
          fills.map(({ clientOrderId, taker, fee, margin: of }) => [
            ...[clientOrderId, taker, fee.toFixed(), of],
          ]),
        ).toEqual([
          ['btc-order', true, '12.5', 'isolated'],
          ['eth-order', true, '1.1996', 'isolated'],
          ['eth-close', true, '1.2', 'isolated'],
        ]);
        const [held, empty] = margin?.accounts ?? [];
        const exact = floor.venue.trading.exchange.margin.account(
          floor.account,
          'BTCUSDT',
          'isolated',
        );
        expect(held?.balance.toFixed()).toBe(exact?.marginBalance.toFixed());
        expect(held?.reservedOrders.isZero()).toBe(false);
        expect(held?.leverage?.toFixed()).toBe('5');
        expect(held?.positions).toMatchObject([{ symbol: 'BTCUSDT', lots: 10_000 }]);
        expect(held?.positions[0]?.fees.toFixed()).toBe('12.5');
        expect(held?.positions[0]?.liquidationPrice).toBeDefined();
        expect(empty?.positions).toEqual([]);
        expect(margin?.ended).toMatchObject([{ symbol: PERP, mode: 'isolated', end: 'closed' }]);
        expect(margin?.ended[0]?.realizedPnl?.toFixed()).toBe('-1');
        expect(margin?.ended[0]?.fees?.toFixed()).toBe('2.3996');
        expect(margin?.carries.map(({ symbol, carry }) => [symbol, carry.kind])).toEqual([
          ['BTCUSDT', 'interest'],
          [PERP, 'funding'],
        ]);
      },
    );

    it(
      'is the newest of the orders of one name',
      { tags: ['client:trading-v3.margin.history-orders-same-client-id'] },
      async () => {
        const floor = await beforeFunding();
        await floor.fund('10000');
        for (const quantity of ['0.001', '0.003']) {
          await floor.order({ quantity, price: '50000', client_order_id: 'the-name-' });
          floor.venue.pass(10 * US_PER_MINUTE);
        }
        const { account, settled } = await openRelayed(floor);
        const { ended } = await settled(
          account.snapshot(floor.venue.scheduler.now(), ['the-name-']),
        );
        expect(ended.map(({ clientOrderId, lots }) => [clientOrderId, lots])).toEqual([
          ['the-name-', 300],
        ]);
      },
    );
  },
);

describe('records as they are published', () => {
  const mul = { margin_call_leverage_mul: '1.50', liquidation_leverage_mul: '2.00' };
  const TERMS = {
    symbol: 'BTCUSDT',
    ...mul,
    max_initial_leverage: '10.00',
    margin_mode: 'Isolated',
    force_close_fee: '0.05',
    enabled: true,
    active: true,
  };
  const grid = { quantity_increment: '0.00001', tick_size: '0.01', fee_currency: 'USDT' };
  const rates = { take_rate: '0.0025', make_rate: '0.0012', status: 'working' };
  const SPOT = {
    type: 'spot',
    base_currency: 'BTC',
    quote_currency: 'USDT',
    ...grid,
    ...rates,
    margin_trading: true,
    max_initial_leverage: '10.00',
    contract_type: null,
    expiry: null,
  };
  const CONTRACT = {
    type: 'futures',
    base_currency: null,
    quote_currency: 'USDT',
    ...grid,
    ...rates,
    quantity_increment: '0.001',
    tick_size: '0.001',
    underlying: 'ETH',
    expiry: null,
    contract_type: 'perpetual',
    margin_trading: true,
    max_initial_leverage: '75.00',
  };

  /** A bot to which the service tells symbols, fees and terms in the order in which they are asked for. */
  async function reported(margin: readonly object[], futures: readonly object[]) {
    const floor = await openHarness();
    showPrices(floor);
    return openRelayed(floor, (calls) => {
      calls.answer({ BTCUSDT: SPOT, [PERP]: CONTRACT });
      calls.answer([{ symbol: 'BTCUSDT', take_rate: '0.001', make_rate: '-0.0001' }]);
      calls.answer({ config: margin });
      calls.answer({ config: futures });
      calls.answer([{ symbol: PERP, take_rate: 0.0005, make_rate: '0.0001' }]);
    });
  }

  it(
    'are instruments with terms of both modes, a risk limit where there is one, numbers and text alike, and null where a member means nothing',
    {
      tags: [
        'client:trading-v3.public.symbol-nulls',
        'client:trading-v3.margin.config-record',
        'client:trading-v3.margin.config-risk-limit',
        'client:trading-v3.conv.plain-number-fields',
      ],
    },
    async () => {
      const limit = { limit_base: '50000', limit_power: '2.2', unlimited_threshold: '10' };
      const cross = { ...TERMS, margin_mode: 'Cross', max_initial_leverage: 5, ...limit };
      const futures = { ...TERMS, symbol: PERP, max_initial_leverage: '75.00', limit_base: null };
      const { account, warnings } = await reported([TERMS, cross], [futures]);
      const [spot, contract] = account.instruments;
      expect(spot).toMatchObject({ symbol: 'BTCUSDT', isContract: false });
      expect([spot.takeRate.toFixed(), spot.makeRate.toFixed()]).toEqual(['0.001', '-0.0001']);
      expect(spot.terms.margin).toMatchObject([
        { marginMode: 'isolated', maxInitialLeverage: '10' },
        {
          marginMode: 'cross',
          maxInitialLeverage: '5',
          limitBase: '50000',
          limitPower: '2.2',
          unlimitedThreshold: '10',
        },
      ]);
      expect(contract.terms).toMatchObject({
        symbol: PERP,
        type: 'futures',
        contractType: 'perpetual',
        baseCurrency: 'ETH',
        takeRate: '0.0005',
        makeRate: '0.0001',
      });
      expect(contract.terms.margin).toMatchObject([{ marginMode: 'isolated' }]);
      expect(contract.terms.margin?.[0]).not.toHaveProperty('limitBase');
      expect(contract.terms).not.toHaveProperty('expiry');
      expect(warnings).toEqual([]);
    },
  );

  /** Records F and H of docs/margin-and-futures.md, which reserve at another rate than the taker's. */
  it.each([
    [
      'margin',
      { symbol: 'BTCUSDT', type: 'isolated', leverage: '12.00' },
      ['10.000000000000', '1.551775130250'],
      { quantity: '0.00087', price_entry: '20097.46', call: '9267.37', liquidation: '9081.05' },
      { lots: 87, entry: '17.4847902' },
    ],
    [
      'futures',
      { symbol: PERP, type: 'isolated', leverage: 20 },
      ['1.847347812014', '2.052639960455'],
      { quantity: '-51', price_entry: '0.4853', call: '0.4992', liquidation: '0.5073' },
      { lots: -51_000, entry: '24.7503' },
    ],
  ] as const)(
    'are read to the last digit from a notification of %s',
    {
      tags: [
        'client:trading-v3.stream-trading.notif-margin-account',
        'client:trading-v3.margin.account-currencies',
        'client:trading-v3.margin.account-positions',
        'client:trading-v3.margin.position-fee-cumulative',
      ],
    },
    async (market, account, [balance, reserved], position, known) => {
      const { relay, next, warnings } = await reported([TERMS], [{ ...TERMS, symbol: PERP }]);
      const times = {
        created_at: '2022-08-27T05:39:49.444Z',
        updated_at: '2022-08-27T14:52:56.114Z',
      };
      relay.emit({
        jsonrpc: '2.0',
        method: `${market}_account`,
        params: {
          ...account,
          ...times,
          report_type: 'updated',
          report_reason: 'openTrade',
          currencies: [
            ...[
              {
                code: 'USDT',
                margin_balance: balance,
                reserved_orders: '0',
                reserved_positions: reserved,
              },
            ],
          ],
          positions: [
            {
              id: 615_075,
              symbol: account.symbol,
              quantity: position.quantity,
              price_entry: position.price_entry,
              price_margin_call: position.call,
              price_liquidation: position.liquidation,
              pnl: '0',
              fee_cumulative: '0.0437',
              ...times,
            },
          ],
        },
      });
      const [report] = await next(1);
      expect(report?.account.balance.toString()).toBe(String(Number(balance)));
      expect(report?.account.reservedPositions.toFixed()).toBe(reserved.replace(/0+$/, ''));
      const [held] = report?.account.positions ?? [];
      expect(held).toMatchObject({ id: 615_075, symbol: account.symbol, lots: known.lots });
      expect(
        [held?.entryPrice, held?.entryValue, held?.fees, held?.marginCallPrice].map((one) =>
          one?.toFixed(),
        ),
      ).toEqual([position.price_entry, known.entry, '0.0437', position.call]);
      expect(held?.liquidationPrice?.toFixed()).toBe(position.liquidation);
      expect(warnings).toEqual([]);
    },
  );
});

eachRow('client:trading-v3.stream-trading.', [
  ['notif-margin-orders', 'margin', 'BTCUSDT', '0.1', '40000', '39999.00'],
  ['notif-futures-orders', 'futures', PERP, '1', '2000', '1999.000'],
])(
  '%s orders that were active before a bot came are no doing of others when they trade',
  async (market, symbol, quantity, price, below) => {
    const floor = await openHarness();
    showPrices(floor);
    if (market === 'futures') floor.derive('5000');
    await floor.fund('5000', symbol, market === 'futures' ? { leverage: '10' } : {});
    await floor.order({ symbol, quantity, price, client_order_id: 'early-order' });
    const { next, ear } = await openRelayed(floor);
    ear.clear();
    floor.quote(below, price, symbol);
    floor.print(below, symbol, '1000');
    const [opened] = await next(1);
    expect(brief(opened ?? ear.margins[0] ?? never())).toMatchObject({ reason: 'openTrade' });
    expect(opened).not.toHaveProperty('byOthers');
    // One that came later is told as that of somebody else.
    await floor.order({ symbol, side: 'sell', quantity, price: below });
    expect(brief((await next(1))[0] ?? never())).toMatchObject({ byOthers: true });
  },
);

const never = (): never => {
  throw new Error('nothing was told');
};
