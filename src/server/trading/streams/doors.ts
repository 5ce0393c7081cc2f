import type { SessionMaker } from '../../socket/connection.ts';
import type { TradingService } from '../service.ts';

/** The sockets of the trading service by their paths. */
export const tradingDoors = (_service: TradingService): ReadonlyMap<string, SessionMaker> =>
  new Map<string, SessionMaker>([
    // ['/api/3/ws/public', (connection) => new PublicSession(service, connection)],
  ]);
