import { V3_TRADING_LIMITS, methodLimit } from '../../../wire/trading/limits.ts';
import {
  TRADING_METHODS,
  TRADING_NOTIFICATIONS,
} from '../../../wire/trading/v3/streams/trading.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { v3Login } from './login.ts';
import type { SocketSetup } from './options.ts';
import { RequestLimiter } from './request-limiter.ts';
import { accountDialect, RpcSocket, type RpcListener } from './rpc-socket.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';

export type TradingListener = RpcListener<typeof TRADING_NOTIFICATIONS>;

/** The limits of an account's trading sockets, for those that are to be counted together. */
export const tradingLimiter = (scheduler: Scheduler): RequestLimiter =>
  new RequestLimiter(
    V3_TRADING_LIMITS,
    (method) => methodLimit(V3_TRADING_LIMITS, method),
    scheduler,
  );

/** The trading socket of version 3: orders, balances, fees and margin accounts. */
export class TradingSocket extends RpcSocket<typeof TRADING_METHODS, typeof TRADING_NOTIFICATIONS> {
  constructor(setup: SocketSetup<TradingListener>) {
    const rows = { methods: TRADING_METHODS, notifications: TRADING_NOTIFICATIONS };
    const loginOf = (credentials: TradingCredentials) => v3Login(credentials, setup.scheduler);
    super(accountDialect(setup, 'trading socket', rows, tradingLimiter, loginOf), setup);
  }
}
