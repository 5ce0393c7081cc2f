import { ALL_RIGHTS } from '../server/kit.ts';
import { instruments } from '../server/instruments.ts';
import type { MemberSettings, SimulationSettings } from '../../src/server/simulation/settings.ts';

/** What members of these trials begin with. */
export const MONEY = { BTC: '100', USDT: '1000000' } as const;

const memberOf = (name: string): MemberSettings => ({
  name,
  email: `${name}@example.com`,
  fees: {},
  subAccounts: [],
  keys: [{ key: name, secret: `${name}-secret`, rights: ALL_RIGHTS }],
  balances: { spot: MONEY, wallet: { USDT: '5000' }, derivatives: {} },
});

/** A venue on a free port with one symbol, BTCUSDT, and the rate limits of the specification. */
export const venueSettings = (
  names: readonly string[],
  more: Partial<SimulationSettings> = {},
): SimulationSettings => ({
  host: '127.0.0.1',
  port: 0,
  rateLimits: true,
  market: [],
  exchange: {},
  kept: {},
  symbols: instruments()
    .filter(({ symbol }) => symbol === 'BTCUSDT')
    .map(({ terms }) => ({ terms, status: 'working' })),
  members: names.map(memberOf),
  chains: { networks: {} },
  ...more,
});
