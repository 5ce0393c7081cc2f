import type { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { decode, encode } from '../../../src/wire/trading/decoding.ts';
import { decodeAnswer } from '../../../src/wire/trading/call.ts';
import { readServerFrame } from '../../../src/wire/trading/rpc.ts';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import * as v2Market from '../../../src/wire/trading/v2/streams/market.ts';
import { TRADING_NOTIFICATIONS as V2_TOLD } from '../../../src/wire/trading/v2/streams/trading.ts';
import { TRADING_NOTIFICATIONS } from '../../../src/wire/trading/v3/streams/trading.ts';
import { WALLET_NOTIFICATIONS } from '../../../src/wire/trading/v3/streams/wallet.ts';
import { plain } from './arbitrary.ts';

/** A value as it is read, with decimals and times made plain; the fault where it is not. */
const read = (schema: z.ZodType, given: unknown): unknown => {
  const outcome = decode(schema, given);
  return outcome.kind === 'ok' ? plain(outcome.value) : outcome.fault;
};

const us = (iso: string): number => Date.parse(iso) * 1_000;

describe('records that the wire facts show', () => {
  test('the report of a trade', () => {
    const frame = readServerFrame(
      '{"jsonrpc":"2.0","method":"spot_order","params":{"id":19592625059,"client_order_id":"abc12345","symbol":"BTCUSDT","side":"buy","status":"filled","type":"limit","time_in_force":"GTC","quantity":"0.00150","quantity_cumulative":"0.00150","price":"16731.00","post_only":false,"created_at":"2024-01-02T10:59:40.65Z","updated_at":"2024-01-02T10:59:40.65Z","report_type":"trade","trade_id":1068784,"trade_quantity":"0.00150","trade_price":"16724.16","trade_fee":"0.022577616","trade_taker":true}}',
    );
    if (frame.kind !== 'notification') throw new Error('it is a notification');
    expect(frame.method).toBe('spot_order');
    expect(read(TRADING_NOTIFICATIONS.spot_order, frame.params)).toEqual({
      id: 19_592_625_059,
      client_order_id: 'abc12345',
      symbol: 'BTCUSDT',
      side: 'buy',
      status: 'filled',
      type: 'limit',
      time_in_force: 'GTC',
      quantity: 'decimal 0.0015',
      quantity_cumulative: 'decimal 0.0015',
      price: 'decimal 16731',
      post_only: false,
      created_at: us('2024-01-02T10:59:40.650Z'),
      updated_at: us('2024-01-02T10:59:40.650Z'),
      report_type: 'trade',
      trade_id: 1_068_784,
      trade_quantity: 'decimal 0.0015',
      trade_price: 'decimal 16724.16',
      trade_fee: 'decimal 0.022577616',
      trade_taker: true,
    });
  });

  const REPORT = {
    id: 1,
    client_order_id: 'abc12345',
    symbol: 'BTCUSDT',
    side: 'buy',
    status: 'new',
    type: 'market',
    time_in_force: 'FOK',
    quantity: '1',
    quantity_cumulative: '0',
    created_at: '2024-01-02T10:59:40Z',
    updated_at: '2024-01-02T10:59:40Z',
    report_type: 'new',
  };

  test('a report without price, and with members that are null or unknown', () => {
    const given = { ...REPORT, price: null, stop_price: null, order_list_id: null, later: {} };
    expect(read(TRADING_NOTIFICATIONS.spot_order, given)).toMatchObject({
      status: 'new',
      type: 'market',
    });
    const margin = { ...REPORT, margin_mode: 'cross', reduce_only: true, trade_position_id: 7 };
    expect(read(TRADING_NOTIFICATIONS.futures_order, margin)).toMatchObject({
      margin_mode: 'cross',
      reduce_only: true,
      trade_position_id: 7,
    });
  });

  test.each([
    ['status', 'done'],
    ['report_type', 'filled'],
    ['side', 'long'],
    ['quantity', 'x'],
    ['created_at', 'x'],
    ['id', 'x'],
    ['client_order_id', {}],
  ])('a report with a malformed %s is refused for it', (member, value) => {
    expect(read(TRADING_NOTIFICATIONS.spot_order, { ...REPORT, [member]: value })).toMatchObject({
      code: 10001,
      member,
    });
  });

  test.each(Object.keys(REPORT))('a report without %s is refused for it', (member) => {
    const { [member as keyof typeof REPORT]: _, ...given } = REPORT;
    expect(read(TRADING_NOTIFICATIONS.spot_order, given)).toMatchObject({
      member,
      description: `${member} is required`,
    });
  });

  test('the symbol of a spot market, and a perpetual', () => {
    const spot = {
      type: 'spot',
      base_currency: 'BTC',
      quote_currency: 'USDT',
      status: 'working',
      quantity_increment: '0.00001',
      tick_size: '0.01',
      take_rate: '0.0025',
      make_rate: '0.0012',
      fee_currency: 'USDT',
      margin_trading: true,
      max_initial_leverage: '25.00',
    };
    expect(read(V3_CALLS.getSymbols.response, { BTCUSDT: spot })).toMatchObject({
      BTCUSDT: { tick_size: 'decimal 0.01', max_initial_leverage: 'decimal 25' },
    });
    const perpetual = {
      ...spot,
      type: 'futures',
      contract_type: 'perpetual',
      expiry: null,
      underlying: 'BTC',
      base_currency: null,
    };
    expect(read(V3_CALLS.getSymbol.response, perpetual)).toMatchObject({
      expiry: null,
      base_currency: null,
      underlying: 'BTC',
    });
  });

  test('balances, all and of one currency', () => {
    const balance = { available: '1.0', reserved: '0', reserved_margin: '0' };
    expect(
      read(V3_CALLS.getSpotBalances.response, [{ currency: 'ADA', ...balance }]),
    ).toMatchObject([{ currency: 'ADA', available: 'decimal 1' }]);
    expect(read(V3_CALLS.getSpotBalance.response, balance)).toMatchObject({
      available: 'decimal 1',
    });
    expect(read(V3_CALLS.getSpotBalances.response, [balance])).toMatchObject({
      member: '[0].currency',
    });
  });

  test('a margin account without positions, and a position closed', () => {
    const account = {
      symbol: 'BTCUSDT_PERP',
      type: 'isolated',
      leverage: '8.00',
      created_at: '2022-03-30T22:34:27.161Z',
      updated_at: '2022-03-30T22:34:27.161Z',
      currencies: [
        {
          code: 'USDT',
          margin_balance: '0.000000000000',
          reserved_orders: '0',
          reserved_positions: '0',
        },
      ],
      positions: null,
    };
    expect(read(V3_CALLS.setIsolatedFuturesAccount.response, account)).toMatchObject({
      positions: null,
      currencies: [{ code: 'USDT', margin_balance: 'decimal 0' }],
    });
    const closed = {
      id: 485_308,
      symbol: 'BTCUSDT_PERP',
      margin_mode: 'Cross',
      leverage: '0.00',
      quantity: '0',
      price_entry: '0',
      price_margin_call: '0',
      price_liquidation: '0',
      pnl: '0.001032',
      created_at: '2022-05-11T01:32:40.659Z',
      updated_at: '2022-05-11T01:32:40.659Z',
    };
    expect(read(V3_CALLS.closeFuturesPosition.response, closed)).toMatchObject({
      margin_mode: 'Cross',
      pnl: 'decimal 0.001032',
    });
    const short = { ...account, positions: [{ ...closed, quantity: '-0.01' }] };
    expect(read(V3_CALLS.getFuturesAccounts.response, [short])).toMatchObject([
      { positions: [{ quantity: 'decimal -0.01' }] },
    ]);
  });

  test('a wallet transaction with a subtype that nobody here knows', () => {
    const transaction = {
      id: 5,
      created_at: '2024-01-02T10:59:40.65Z',
      updated_at: '2024-01-02T10:59:40.65Z',
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: 'TELEPORT',
      native: {
        tx_id: 'a-b',
        index: 0,
        currency: 'BTC',
        amount: '1',
        senders: ['x'],
        confirmations: '3',
      },
      commit_risk: { score: 30, rbf: false, low_fee: true },
      meta: { fiat: { amount: '1' } },
    };
    expect(read(WALLET_NOTIFICATIONS.transaction_update, transaction)).toMatchObject({
      subtype: 'TELEPORT',
      native: { amount: 'decimal 1', confirmations: 3 },
      commit_risk: { score: 30 },
      meta: { fiat: { amount: '1' } },
    });
  });

  test('balances of the wallet that changed, one or several', () => {
    const balance = { currency: 'BTC', available: '1', reserved: '0' };
    const expected = [{ currency: 'BTC', available: 'decimal 1', reserved: 'decimal 0' }];
    for (const given of [balance, [balance]]) {
      expect(read(WALLET_NOTIFICATIONS.wallet_balance_update, given)).toEqual(expected);
    }
  });

  test('sub-accounts, bare or in a result', () => {
    const account = { sub_account_id: '5', email: 'a@b.c', status: 'disabled' };
    const expected = { result: [{ sub_account_id: 5, email: 'a@b.c', status: 'disabled' }] };
    expect(read(V3_CALLS.getSubAccounts.response, { result: [account] })).toEqual(expected);
    expect(read(V3_CALLS.getSubAccounts.response, [account])).toEqual(expected);
    for (const given of [
      { result: [{ ...account, email: 5.5e-9, status: 'x' }] },
      [{ status: 'x' }],
    ]) {
      expect(read(V3_CALLS.getSubAccounts.response, given)).toMatchObject({
        code: 10001,
        member: expect.stringMatching(/\[0\]\.(status|sub_account_id)$/),
      });
    }
    expect(read(V3_CALLS.getSubAccounts.response, [{ ...account, sub_account_id: 5 }])).toEqual(
      expected,
    );
    const given = [{ sub_account_id: 5, email: 'a', status: 'new' }] as const;
    expect(encode(V3_CALLS.getSubAccounts.response, { result: given })).toEqual({
      result: [{ ...given[0], sub_account_id: '5' }],
    });
  });

  test('the order book and its averages, the trades and the candles', () => {
    const book = {
      timestamp: '2021-06-02T10:23:22.555Z',
      ask: [['9779.68', '2.497']],
      bid: [['9779.67', '0.03719']],
      bid_average_price: '9779.29',
    };
    expect(read(V3_CALLS.getOrderBook.response, book)).toMatchObject({
      ask: [['decimal 9779.68', 'decimal 2.497']],
      bid_average_price: 'decimal 9779.29',
    });
    const trade = {
      id: 974_786_185,
      price: '0.032462',
      qty: '0.3673',
      side: 'buy',
      timestamp: '2020-10-16T12:57:39.846Z',
    };
    expect(read(V3_CALLS.getTrades.response, { ETHBTC: [trade] })).toMatchObject({
      ETHBTC: [{ qty: 'decimal 0.3673' }],
    });
    expect(decodeAnswer(V3_CALLS.getOrderBook, { ...book, ask: [['1']] })).toMatchObject({
      fault: { code: 10001 },
    });
  });

  test('a ticker without any trade', () => {
    const ticker = {
      ask: null,
      bid: null,
      last: null,
      open: null,
      low: '0',
      high: '0',
      volume: '0',
      volume_quote: '0',
      timestamp: '2024-01-02T10:59:40Z',
    };
    expect(read(V3_CALLS.getTicker.response, ticker)).toMatchObject({ ask: null, open: null });
  });

  test('futures: where a contract stands', () => {
    const info = {
      contract_type: 'perpetual',
      mark_price: '30897.68',
      index_price: '30895.29',
      funding_rate: '0.0001',
      open_interest: '93.7128',
      next_funding_time: '2021-07-21T16:00:00.000Z',
      indicative_funding_rate: '0.0001',
      premium_index: '0.000047541807127312',
      avg_premium_index: '0.000087063368020112',
      interest_rate: '0.0001',
      timestamp: '2021-07-21T09:48:37.235Z',
    };
    expect(read(V3_CALLS.getFuturesInfos.response, { BTCUSDT_PERP: info })).toMatchObject({
      BTCUSDT_PERP: { premium_index: 'decimal 0.000047541807127312' },
    });
  });
});

describe('records of margin accounts in the forms that servers have shown', () => {
  const account = {
    symbol: 'BTCUSDT',
    type: 'isolated',
    leverage: '12.00',
    created_at: '2021-07-01T23:14:06.978Z',
    updated_at: '2021-07-01T23:45:12.119Z',
    currencies: [
      {
        code: 'USDT',
        margin_balance: '0.080706742356',
        reserved_orders: '0',
        reserved_positions: '0.029630234750',
      },
    ],
    positions: null,
  };
  const notice = { ...account, report_type: 'updated', report_reason: 'openTrade' };

  test('is reported with its positions and the reason', () => {
    expect(read(TRADING_NOTIFICATIONS.margin_account, notice)).toMatchObject({
      symbol: 'BTCUSDT',
      report_reason: 'openTrade',
      currencies: [{ margin_balance: 'decimal 0.080706742356' }],
    });
  });

  test('with a margin call and the funds at which things happen', () => {
    const [funds] = account.currencies;
    const more = {
      required_margin: '0.01',
      margin_call_margin: '0.007',
      liquidation_margin: '0.005',
    };
    const given = { ...notice, margin_call: true, currencies: [{ ...funds, ...more }] };
    expect(read(TRADING_NOTIFICATIONS.futures_account, given)).toMatchObject({
      margin_call: true,
      currencies: [{ required_margin: 'decimal 0.01', liquidation_margin: 'decimal 0.005' }],
    });
  });

  test('of a cross account with its funds alone', () => {
    const given = {
      account_margin: '10',
      currency: 'USDT',
      debt_sum: '0',
      exec_type: 'marginChanged',
      margin: '10',
      required_margin: '0',
      margin_call_margin: '0',
      liquidation_margin: '0',
      margin_call: false,
      margin_mode: 'Cross',
    };
    const reported = { currency: 'USDT', account_margin: 'decimal 10', exec_type: 'marginChanged' };
    expect(read(V3_CALLS.setCrossFuturesAccount.response, given)).toMatchObject(reported);
    expect(read(TRADING_NOTIFICATIONS.futures_account, given)).toMatchObject(reported);
  });
});

describe('records of version 2', () => {
  test('an order whose id is text, and its report', () => {
    const order = {
      id: '4345613661',
      clientOrderId: '57d5525562c945448e3cbd559bd068c3',
      symbol: 'ETHBTC',
      side: 'sell',
      status: 'new',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: '0.013',
      price: '0.100000',
      cumQuantity: '0.000',
      postOnly: false,
      createdAt: '2017-10-20T12:17:12.245Z',
      updatedAt: '2017-10-20T12:17:12.245Z',
    };
    expect(read(V2_CALLS.getOrder.response, order)).toMatchObject({
      id: 4_345_613_661,
      cumQuantity: 'decimal 0',
    });
    expect(read(V2_TOLD.report, { ...order, reportType: 'status' })).toMatchObject({
      reportType: 'status',
    });
    expect(read(V2_TOLD.report, order)).toMatchObject({ member: 'reportType' });
  });

  test('a book whose time has nine digits of fraction', () => {
    const book = {
      ask: [{ price: '0.046002', size: '0.088' }],
      bid: [{ price: '0.046001', size: '0.005' }],
      timestamp: '2018-11-19T05:00:28.193123456Z',
    };
    expect(read(V2_CALLS.getOrderBook.response, book)).toMatchObject({
      ask: [{ price: 'decimal 0.046002', size: 'decimal 0.088' }],
      timestamp: us('2018-11-19T05:00:28.193Z') + 123,
    });
    expect(
      read(v2Market.MARKET_NOTIFICATIONS.updateOrderbook, {
        ...book,
        symbol: 'ETHBTC',
        sequence: 8_073_830,
      }),
    ).toMatchObject({ sequence: 8_073_830 });
  });
});
