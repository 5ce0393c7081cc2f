import type { Scheduler } from '../../../platform/scheduler.ts';
import { V3_WALLET_LIMITS, methodLimit } from '../../../wire/trading/limits.ts';
import { WALLET_METHODS, WALLET_NOTIFICATIONS } from '../../../wire/trading/v3/streams/wallet.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { v3Login } from './login.ts';
import type { SocketSetup } from './options.ts';
import { RequestLimiter } from './request-limiter.ts';
import { accountDialect, RpcSocket, type RpcListener } from './rpc-socket.ts';

export type WalletListener = RpcListener<typeof WALLET_NOTIFICATIONS>;

/** The limits of an account's wallet sockets, for those that are to be counted together. */
export const walletLimiter = (scheduler: Scheduler): RequestLimiter =>
  new RequestLimiter(
    V3_WALLET_LIMITS,
    (method) => methodLimit(V3_WALLET_LIMITS, method),
    scheduler,
  );

/** The wallet socket of version 3: balances and transactions of the wallet. */
export class WalletSocket extends RpcSocket<typeof WALLET_METHODS, typeof WALLET_NOTIFICATIONS> {
  constructor(setup: SocketSetup<WalletListener>) {
    const rows = { methods: WALLET_METHODS, notifications: WALLET_NOTIFICATIONS };
    const loginOf = (credentials: TradingCredentials) => v3Login(credentials, setup.scheduler);
    super(accountDialect(setup, 'wallet socket', rows, walletLimiter, loginOf), setup);
  }
}
