import type { SessionMaker } from '../../socket/connection.ts';
import type { TradingService } from '../service.ts';
import { unlimited, v2Quota, v3TradingQuota, v3WalletQuota } from './quotas.ts';
import { rpcSessions, type SocketEndpoint } from './rpc-session.ts';
import { v2Account } from './v2/account.ts';
import { v2Public } from './v2/public.ts';
import { v2Trading } from './v2/trading.ts';
import { v3Public } from './v3/public.ts';
import { v3Trading } from './v3/trading.ts';
import { v3Wallet } from './v3/wallet.ts';

/** The sockets of both versions by their paths. */
const ENDPOINTS: Readonly<Record<string, SocketEndpoint>> = {
  '/api/3/ws/public': { version: 3, parts: [v3Public], quota: unlimited },
  '/api/3/ws/trading': { version: 3, parts: [v3Trading], quota: v3TradingQuota },
  '/api/3/ws/wallet': { version: 3, parts: [v3Wallet], quota: v3WalletQuota },
  '/api/2/ws/public': { version: 2, parts: [v2Public], quota: v2Quota },
  '/api/2/ws/trading': { version: 2, parts: [v2Trading], quota: v2Quota },
  '/api/2/ws/account': { version: 2, parts: [v2Account], quota: v2Quota },
  /** Older clients of version 2 use one socket for everything. */
  '/api/2/ws': { version: 2, parts: [v2Public, v2Trading, v2Account], quota: v2Quota },
};

/** The sockets of the trading service by their paths. */
export const tradingSockets = (service: TradingService): ReadonlyMap<string, SessionMaker> =>
  new Map(
    Object.entries(ENDPOINTS).map(([path, endpoint]) => [path, rpcSessions(service, endpoint)]),
  );
