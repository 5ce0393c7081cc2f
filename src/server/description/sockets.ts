import type { z } from 'zod';
import { method, type Method } from '../../wire/trading/rpc.ts';
import * as v2Account from '../../wire/trading/v2/streams/account.ts';
import * as v2Market from '../../wire/trading/v2/streams/market.ts';
import * as v2Trading from '../../wire/trading/v2/streams/trading.ts';
import { V2_PREFIX } from '../../wire/trading/v2/calls/table.ts';
import { V3_PREFIX } from '../../wire/trading/v3/calls/table.ts';
import {
  MARKET_METHODS,
  subscription,
  subscriptionResult,
} from '../../wire/trading/v3/streams/market.ts';
import { TRADING_METHODS, TRADING_NOTIFICATIONS } from '../../wire/trading/v3/streams/trading.ts';
import { WALLET_METHODS, WALLET_NOTIFICATIONS } from '../../wire/trading/v3/streams/wallet.ts';

/** A socket of the venue. */
export interface Socket {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  /** The version of its login, if it has one. */
  readonly login?: 2 | 3;
  readonly methods: Readonly<Record<string, Method>>;
  readonly notifications: Readonly<Record<string, z.ZodType>>;
  /** True for market data of version 3, which has a channel besides the method. */
  readonly hasFeeds?: true;
}

const SUBSCRIPTIONS = {
  subscribe: 'Follow a channel for symbols',
  unsubscribe: 'Stop to follow symbols',
  subscriptions: 'The symbols that are followed',
} as const satisfies Record<(typeof MARKET_METHODS)[number], string>;

const marketMethods: Readonly<Record<string, Method>> = Object.fromEntries(
  MARKET_METHODS.map((name) => [
    name,
    method({
      access: 'public',
      summary: SUBSCRIPTIONS[name],
      params: subscription,
      result: subscriptionResult,
    }),
  ]),
);

/** Every socket of both versions. */
export const SOCKETS: readonly Socket[] = [
  {
    name: 'v3-public',
    path: `${V3_PREFIX}/ws/public`,
    about:
      'Market data. Frames name their channel, and hold a snapshot, an update or all there is.',
    methods: marketMethods,
    notifications: {},
    hasFeeds: true,
  },
  {
    name: 'v3-trading',
    path: `${V3_PREFIX}/ws/trading`,
    about: 'Spot, margin and futures orders, balances and fees. A report comes before the reply.',
    login: 3,
    methods: TRADING_METHODS,
    notifications: TRADING_NOTIFICATIONS,
  },
  {
    name: 'v3-wallet',
    path: `${V3_PREFIX}/ws/wallet`,
    about: 'Balances and transactions of the wallet.',
    login: 3,
    methods: WALLET_METHODS,
    notifications: WALLET_NOTIFICATIONS,
  },
  {
    name: 'v2-public',
    path: `${V2_PREFIX}/ws/public`,
    about: 'Market data of version 2.',
    methods: v2Market.MARKET_METHODS,
    notifications: v2Market.MARKET_NOTIFICATIONS,
  },
  {
    name: 'v2-trading',
    path: `${V2_PREFIX}/ws/trading`,
    about: 'Orders and balances of version 2.',
    login: 2,
    methods: v2Trading.TRADING_METHODS,
    notifications: v2Trading.TRADING_NOTIFICATIONS,
  },
  {
    name: 'v2-account',
    path: `${V2_PREFIX}/ws/account`,
    about: 'Balances and transactions of the account, of version 2.',
    login: 2,
    methods: v2Account.ACCOUNT_METHODS,
    notifications: v2Account.ACCOUNT_NOTIFICATIONS,
  },
];
