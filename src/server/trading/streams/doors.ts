import type { SessionMaker } from '../../socket/connection.ts';
import type { TradingService } from '../service.ts';
import type { Part } from './part.ts';
import { rpcSessions } from './rpc-session.ts';
import { v3Trading } from './v3/trading.ts';

/** The sockets of version 3 by their paths; `public` is not asked by JSON-RPC alone. */
const V3: Readonly<Record<string, readonly Part[]>> = {
  '/api/3/ws/trading': [v3Trading],
};

/** The sockets of the trading service by their paths. */
export const tradingDoors = (service: TradingService): ReadonlyMap<string, SessionMaker> =>
  new Map(Object.entries(V3).map(([path, parts]) => [path, rpcSessions(service, 3, parts)]));
