import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/wire/trading/call.ts';
import type { Method } from '../../../src/wire/trading/rpc.ts';
import { V2_CALLS, V2_PREFIX } from '../../../src/wire/trading/v2/calls/table.ts';
import {
  ACCOUNT_METHODS,
  ACCOUNT_NOTIFICATIONS,
} from '../../../src/wire/trading/v2/streams/account.ts';
import {
  MARKET_METHODS,
  MARKET_NOTIFICATIONS,
} from '../../../src/wire/trading/v2/streams/market.ts';
import * as v2Trading from '../../../src/wire/trading/v2/streams/trading.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';
import {
  TRADING_METHODS,
  TRADING_NOTIFICATIONS,
} from '../../../src/wire/trading/v3/streams/trading.ts';
import {
  WALLET_METHODS,
  WALLET_NOTIFICATIONS,
} from '../../../src/wire/trading/v3/streams/wallet.ts';

/** Every call and method by the right that it asks for, as the specification and the wire facts name them. */

const V3 = {
  public: [
    'GET /public/candles',
    'GET /public/candles/{symbol}',
    'GET /public/converted/candles',
    'GET /public/converted/candles/{symbol}',
    'GET /public/currency',
    'GET /public/currency/{currency}',
    'GET /public/futures/candles/index_price',
    'GET /public/futures/candles/index_price/{symbol}',
    'GET /public/futures/candles/mark_price',
    'GET /public/futures/candles/mark_price/{symbol}',
    'GET /public/futures/candles/open_interest',
    'GET /public/futures/candles/open_interest/{symbol}',
    'GET /public/futures/candles/premium_index',
    'GET /public/futures/candles/premium_index/{symbol}',
    'GET /public/futures/history/funding',
    'GET /public/futures/history/funding/{symbol}',
    'GET /public/futures/info',
    'GET /public/futures/info/{symbol}',
    'GET /public/orderbook',
    'GET /public/orderbook/{symbol}',
    'GET /public/price/history',
    'GET /public/price/rate',
    'GET /public/price/ticker',
    'GET /public/price/ticker/{symbol}',
    'GET /public/symbol',
    'GET /public/symbol/{symbol}',
    'GET /public/ticker',
    'GET /public/ticker/{symbol}',
    'GET /public/trades',
    'GET /public/trades/{symbol}',
  ],
  read: [
    'GET /futures/account',
    'GET /futures/account/cross/{currency}',
    'GET /futures/account/isolated/{symbol}',
    'GET /futures/balance',
    'GET /futures/balance/{currency}',
    'GET /futures/config',
    'GET /futures/fee',
    'GET /futures/fee/{symbol}',
    'GET /futures/history/clearing',
    'GET /futures/history/order',
    'GET /futures/history/positions',
    'GET /futures/history/trade',
    'GET /futures/margin-settings',
    'GET /futures/order',
    'GET /futures/order/{client_order_id}',
    'GET /margin-settings',
    'GET /margin/account',
    'GET /margin/account/cross/{currency}',
    'GET /margin/account/isolated/{symbol}',
    'GET /margin/config',
    'GET /margin/history/clearing',
    'GET /margin/history/order',
    'GET /margin/history/positions',
    'GET /margin/history/trade',
    'GET /margin/order',
    'GET /margin/order/{client_order_id}',
    'GET /spot/balance',
    'GET /spot/balance/{currency}',
    'GET /spot/fee',
    'GET /spot/fee/{symbol}',
    'GET /spot/history/order',
    'GET /spot/history/trade',
    'GET /spot/order',
    'GET /spot/order/{client_order_id}',
  ],
  trade: [
    'DELETE /futures/order',
    'DELETE /futures/order/{client_order_id}',
    'DELETE /futures/position',
    'DELETE /futures/position/{margin_mode}/{symbol}',
    'DELETE /margin/order',
    'DELETE /margin/order/{client_order_id}',
    'DELETE /margin/position',
    'DELETE /margin/position/cross/{symbol}',
    'DELETE /margin/position/isolated/{symbol}',
    'DELETE /spot/order',
    'DELETE /spot/order/{client_order_id}',
    'PATCH /futures/order/{client_order_id}',
    'PATCH /margin/order/{client_order_id}',
    'PATCH /spot/order/{client_order_id}',
    'POST /futures/order',
    'POST /futures/order/list',
    'POST /margin/order',
    'POST /margin/order/list',
    'POST /spot/order',
    'POST /spot/order/list',
    'PUT /futures/account/cross/{currency}',
    'PUT /futures/account/isolated/{symbol}',
    'PUT /futures/margin-settings/amr',
    'PUT /margin-settings/amm',
    'PUT /margin/account/cross/{currency}',
    'PUT /margin/account/isolated/{symbol}',
    'PUT /margin/margin-settings/amr',
  ],
  payment: [
    'GET /sub-account/acl',
    'GET /sub-account/balance/{sub_account_id}',
    'GET /sub-account/crypto/address/{sub_account_id}/{currency}',
    'GET /transfer-convert/config',
    'GET /wallet/airdrops',
    'GET /wallet/amount-locks',
    'GET /wallet/balance',
    'GET /wallet/balance/{currency}',
    'GET /wallet/crypto/address',
    'GET /wallet/crypto/address/check-mine',
    'GET /wallet/crypto/address/recent-deposit',
    'GET /wallet/crypto/address/recent-withdraw',
    'GET /wallet/crypto/address/white-list',
    'GET /wallet/crypto/fee/deposit/estimate',
    'GET /wallet/crypto/fee/deposit/hash',
    'GET /wallet/crypto/fee/deposit/label/{label_id}/estimate',
    'GET /wallet/crypto/fee/estimate',
    'GET /wallet/crypto/fee/levels',
    'GET /wallet/crypto/fee/withdraw/hash',
    'GET /wallet/crypto/fees/estimate',
    'GET /wallet/transactions',
    'GET /wallet/transactions/{tx_id}',
    'POST /sub-account/acl',
    'POST /wallet/airdrops/{id}/claim',
    'POST /wallet/convert',
    'POST /wallet/crypto/address',
    'POST /wallet/crypto/check-offchain-available',
    'POST /wallet/crypto/fee/deposit/estimate/bulk',
    'POST /wallet/crypto/fee/deposit/label/{label_id}/estimate/bulk',
    'POST /wallet/crypto/fee/estimate/bulk',
    'POST /wallet/crypto/fees/estimate',
    'POST /wallet/transfer',
  ],
  withdraw: [
    'DELETE /wallet/crypto/withdraw/{id}',
    'POST /sub-account/transfer',
    'POST /sub-account/transfer/sub-to-sub',
    'POST /sub-account/transfer/sub-to-super',
    'POST /wallet/crypto/withdraw',
    'POST /wallet/internal/withdraw',
    'PUT /wallet/crypto/withdraw/{id}',
  ],
  key: [
    'GET /sub-account',
    'GET /user/api-keys',
    'POST /sub-account/activate',
    'POST /sub-account/freeze',
  ],
};
const V2 = {
  public: [
    'GET /public/candles',
    'GET /public/candles/{symbol}',
    'GET /public/currency',
    'GET /public/currency/{currency}',
    'GET /public/orderbook',
    'GET /public/orderbook/{symbol}',
    'GET /public/symbol',
    'GET /public/symbol/{symbol}',
    'GET /public/ticker',
    'GET /public/ticker/{symbol}',
    'GET /public/trades',
    'GET /public/trades/{symbol}',
  ],
  read: [
    'GET /history/order',
    'GET /history/order/{orderId}/trades',
    'GET /history/trades',
    'GET /margin/account',
    'GET /margin/account/{symbol}',
    'GET /margin/order',
    'GET /margin/order/{clientOrderId}',
    'GET /margin/position',
    'GET /margin/position/{symbol}',
    'GET /order',
    'GET /order/{clientOrderId}',
    'GET /trading/balance',
    'GET /trading/fee/{symbol}',
  ],
  trade: [
    'DELETE /margin/account',
    'DELETE /margin/account/{symbol}',
    'DELETE /margin/order',
    'DELETE /margin/order/{clientOrderId}',
    'DELETE /margin/position',
    'DELETE /margin/position/{symbol}',
    'DELETE /order',
    'DELETE /order/{clientOrderId}',
    'PATCH /margin/order/{clientOrderId}',
    'PATCH /order/{clientOrderId}',
    'POST /margin/order',
    'POST /order',
    'PUT /margin/account/{symbol}',
    'PUT /margin/order/{clientOrderId}',
    'PUT /order/{clientOrderId}',
  ],
  payment: [
    'GET /account/balance',
    'GET /account/crypto/address/{currency}',
    'GET /account/crypto/addresses/{currency}',
    'GET /account/crypto/estimate-withdraw-levels',
    'GET /account/crypto/is-mine/{address}',
    'GET /account/crypto/used-addresses/{currency}',
    'GET /account/transactions',
    'GET /account/transactions/{id}',
    'GET /sub-acc/acl',
    'GET /sub-acc/balance/{subAccountUserID}',
    'GET /sub-acc/deposit-address/{subAccountUserID}/{currency}',
    'POST /account/crypto/address/{currency}',
    'POST /account/crypto/transfer-convert',
    'POST /account/transfer',
    'PUT /sub-acc/acl/{subAccountUserId}',
  ],
  withdraw: [
    'DELETE /account/crypto/withdraw/{id}',
    'POST /account/crypto/withdraw',
    'POST /account/transfer/internal',
    'POST /sub-acc/transfer',
    'PUT /account/crypto/withdraw/{id}',
  ],
  key: ['GET /sub-acc', 'POST /sub-acc/activate', 'POST /sub-acc/freeze'],
};
const V3_TRADING = {
  read: [
    'futures_balance',
    'futures_balance_subscribe',
    'futures_balance_unsubscribe',
    'futures_balances',
    'futures_fee',
    'futures_fees',
    'futures_get_accounts',
    'futures_get_orders',
    'futures_subscribe',
    'futures_unsubscribe',
    'margin_get_accounts',
    'margin_get_orders',
    'margin_subscribe',
    'margin_unsubscribe',
    'spot_balance',
    'spot_balance_subscribe',
    'spot_balance_unsubscribe',
    'spot_balances',
    'spot_fee',
    'spot_fees',
    'spot_get_orders',
    'spot_subscribe',
    'spot_unsubscribe',
  ],
  trade: [
    'futures_cancel_order',
    'futures_cancel_orders',
    'futures_close_position',
    'futures_new_order',
    'futures_new_order_list',
    'futures_replace_order',
    'futures_set_account',
    'margin_cancel_order',
    'margin_cancel_orders',
    'margin_close_position',
    'margin_new_order',
    'margin_new_order_list',
    'margin_replace_order',
    'margin_set_account',
    'spot_cancel_order',
    'spot_cancel_orders',
    'spot_new_order',
    'spot_new_order_list',
    'spot_replace_order',
  ],
};
const V3_WALLET = {
  payment: [
    'get_transactions',
    'subscribe_transactions',
    'subscribe_wallet_balances',
    'transactions',
    'unsubscribe_transactions',
    'unsubscribe_wallet_balances',
    'wallet_balance',
    'wallet_balances',
  ],
};
const V2_MARKET = {
  public: [
    'getCurrencies',
    'getCurrency',
    'getSymbol',
    'getSymbols',
    'getTrades',
    'subscribeCandles',
    'subscribeOrderbook',
    'subscribeTicker',
    'subscribeTrades',
    'unsubscribeCandles',
    'unsubscribeOrderbook',
    'unsubscribeTicker',
    'unsubscribeTrades',
  ],
};
const V2_TRADING = {
  read: [
    'getOrders',
    'getTradingBalance',
    'marginAccountsGet',
    'marginOrdersGet',
    'marginSubscribe',
    'marginUnsubscribe',
    'subscribeReports',
    'unsubscribeReports',
  ],
  trade: [
    'cancelOrder',
    'cancelOrders',
    'cancelReplaceOrder',
    'marginAccountSet',
    'marginOrderCancel',
    'marginOrderCancelReplace',
    'marginOrderNew',
    'marginOrdersCancel',
    'marginPositionClose',
    'newOrder',
  ],
};
const V2_ACCOUNT = {
  payment: [
    'findTransactions',
    'getBalance',
    'loadTransactions',
    'subscribeBalance',
    'subscribeTransactions',
    'unsubscribeBalance',
    'unsubscribeTransactions',
  ],
};

/** Names by the right that their rows ask for. */
function byRight<Row extends { readonly access: string }>(
  rows: Readonly<Record<string, Row>>,
  nameOf: (name: string, row: Row) => string,
): Record<string, readonly string[]> {
  const sorted = Object.entries(rows).map(
    ([name, row]) => [row.access, nameOf(name, row)] as const,
  );
  const rights = [...new Set(sorted.map(([right]) => right))];
  return Object.fromEntries(
    rights.map((right) => [
      right,
      sorted
        .filter(([of]) => of === right)
        .map(([, name]) => name)
        .sort(),
    ]),
  );
}

const ofCalls = (calls: Readonly<Record<string, Call>>) =>
  byRight(calls, (_, { method, path }) => `${method} ${path}`);
const ofMethods = (methods: Readonly<Record<string, Method>>) => byRight(methods, (name) => name);

describe('what there is, by the right that it asks for', () => {
  test('REST of version 3', () => {
    expect(V3_PREFIX).toBe('/api/3');
    expect(ofCalls(V3_CALLS)).toEqual(V3);
  });

  test('REST of version 2', () => {
    expect(V2_PREFIX).toBe('/api/2');
    expect(ofCalls(V2_CALLS)).toEqual(V2);
  });

  test('sockets of version 3', () => {
    expect(ofMethods(TRADING_METHODS)).toEqual(V3_TRADING);
    expect(ofMethods(WALLET_METHODS)).toEqual(V3_WALLET);
  });

  test('sockets of version 2', () => {
    expect(ofMethods(MARKET_METHODS)).toEqual(V2_MARKET);
    expect(ofMethods(v2Trading.TRADING_METHODS)).toEqual(V2_TRADING);
    expect(ofMethods(ACCOUNT_METHODS)).toEqual(V2_ACCOUNT);
  });

  test('what sockets send without a request', () => {
    const spot = ['spot_balance', 'spot_order', 'spot_orders'];
    const margin = ['margin_account', 'margin_accounts', 'margin_order', 'margin_orders'];
    const futures = ['account', 'accounts', 'balance', 'order', 'orders'].map(
      (of) => `futures_${of}`,
    );
    expect(Object.keys(TRADING_NOTIFICATIONS).sort()).toEqual([...futures, ...margin, ...spot]);
    expect(Object.keys(WALLET_NOTIFICATIONS).sort()).toEqual([
      'transaction_update',
      'wallet_balance_update',
      'wallet_balances',
    ]);
    expect(Object.keys(MARKET_NOTIFICATIONS)).toEqual([
      'ticker',
      'snapshotOrderbook',
      'updateOrderbook',
      'snapshotTrades',
      'updateTrades',
      'snapshotCandles',
      'updateCandles',
    ]);
    expect(Object.keys(v2Trading.TRADING_NOTIFICATIONS)).toEqual([
      'activeOrders',
      'report',
      'marginOrders',
      'marginOrderReport',
      'marginAccounts',
      'marginAccountReport',
    ]);
    expect(Object.keys(ACCOUNT_NOTIFICATIONS)).toEqual(['updateTransaction', 'balance']);
  });
});
