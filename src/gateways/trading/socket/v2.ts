import type { Scheduler } from '../../../platform/scheduler.ts';
import { V2_LIMITS, v2MethodLimit } from '../../../wire/trading/limits.ts';
import type { Method } from '../../../wire/trading/rpc.ts';
import {
  ACCOUNT_METHODS,
  ACCOUNT_NOTIFICATIONS,
} from '../../../wire/trading/v2/streams/account.ts';
import { MARKET_METHODS, MARKET_NOTIFICATIONS } from '../../../wire/trading/v2/streams/market.ts';
import {
  TRADING_METHODS,
  TRADING_NOTIFICATIONS,
} from '../../../wire/trading/v2/streams/trading.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { v2Login } from './login.ts';
import { checkedSetup, type SocketSetup } from './options.ts';
import { RequestLimiter } from './request-limiter.ts';
import { accountDialect, RpcSocket, type RpcListener } from './rpc-socket.ts';

const ROWS: Readonly<Record<string, Method>> = {
  ...MARKET_METHODS,
  ...TRADING_METHODS,
  ...ACCOUNT_METHODS,
};

/** A login counts with what only reads. */
const limitOf = (method: string): string => v2MethodLimit(ROWS[method]?.access ?? 'read');

/** The limits of version 2, for sockets that are to be counted together. */
export const v2Limiter = (scheduler: Scheduler): RequestLimiter =>
  new RequestLimiter(V2_LIMITS, limitOf, scheduler);

export type MarketListenerV2 = RpcListener<typeof MARKET_NOTIFICATIONS>;
export type TradingListenerV2 = RpcListener<typeof TRADING_NOTIFICATIONS>;
export type AccountListenerV2 = RpcListener<typeof ACCOUNT_NOTIFICATIONS>;

/** The market data socket of version 2, which needs no login. */
export class MarketSocketV2 extends RpcSocket<typeof MARKET_METHODS, typeof MARKET_NOTIFICATIONS> {
  constructor(setup: SocketSetup<MarketListenerV2>) {
    const { options, scheduler } = checkedSetup(setup);
    const limiter = options?.limiter ?? v2Limiter(scheduler);
    super({ methods: MARKET_METHODS, notifications: MARKET_NOTIFICATIONS, limiter }, setup);
  }
}

/** The trading socket of version 2. */
export class TradingSocketV2 extends RpcSocket<
  typeof TRADING_METHODS,
  typeof TRADING_NOTIFICATIONS
> {
  constructor(setup: SocketSetup<TradingListenerV2>) {
    const rows = { methods: TRADING_METHODS, notifications: TRADING_NOTIFICATIONS };
    const loginOf = (credentials: TradingCredentials) => v2Login(credentials, setup.random);
    super(accountDialect(setup, 'trading socket', rows, v2Limiter, loginOf), setup);
  }
}

/** The account socket of version 2: balances and transactions of the wallet. */
export class AccountSocketV2 extends RpcSocket<
  typeof ACCOUNT_METHODS,
  typeof ACCOUNT_NOTIFICATIONS
> {
  constructor(setup: SocketSetup<AccountListenerV2>) {
    const rows = { methods: ACCOUNT_METHODS, notifications: ACCOUNT_NOTIFICATIONS };
    const loginOf = (credentials: TradingCredentials) => v2Login(credentials, setup.random);
    super(accountDialect(setup, 'account socket', rows, v2Limiter, loginOf), setup);
  }
}
