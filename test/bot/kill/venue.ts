import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { instruments } from '../../server/instruments.ts';
import { venueSettings } from '../venue-settings.ts';
import type { Scenario } from './bot-process.ts';

export interface TrialVenue {
  readonly simulation: Simulation;
  readonly port: number;
  /** A client of the bot's own account. */
  readonly client: TradingClient;
  close(): Promise<void>;
}

const shape = { tradesPerSecond: 30, updatesPerSecond: 30 };
const kind = 'generated' as const;
const BTC = { kind, symbol: 'BTCUSDT', seed: 11, startPrice: '60000', shape };
const ETH = { kind, symbol: 'ETHUSDT_PERP', seed: 12, startPrice: '3000', shape };

/** A lively venue with the rate limits of the specification. */
export const trialSettings = (scenario: Scenario = 'spot'): SimulationSettings =>
  scenario === 'spot'
    ? venueSettings(['bot'], { market: [BTC] })
    : venueSettings(['bot'], {
        market: [BTC, ETH],
        symbols: instruments()
          .filter(({ symbol }) => symbol === BTC.symbol || symbol === ETH.symbol)
          .map(({ terms }) => ({ terms, status: 'working' })),
      });

/** A client of the bot's own account. */
export const clientOf = (port: number): TradingClient =>
  new TradingClient({
    url: `http://127.0.0.1:${port}`,
    credentials: { key: 'bot', secret: 'bot-secret', scheme: 'hs256' },
  });

/** A lively venue in this process, by the real clock. */
export async function openTrialVenue(scenario: Scenario = 'spot'): Promise<TrialVenue> {
  const simulation = await Simulation.open(trialSettings(scenario), new SystemScheduler());
  const { port } = simulation.venue;
  const client = clientOf(port);
  return {
    simulation,
    port,
    client,
    close: async () => {
      await client.close();
      await simulation.close();
    },
  };
}
