import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { venueSettings } from '../venue-settings.ts';

export interface TrialVenue {
  readonly simulation: Simulation;
  readonly port: number;
  /** A client of the bot's own account. */
  readonly client: TradingClient;
  close(): Promise<void>;
}

/** A lively venue with the rate limits of the specification. */
export const trialSettings = (): SimulationSettings =>
  venueSettings(['bot'], {
    market: [
      {
        ...{ kind: 'generated', symbol: 'BTCUSDT', seed: 11, startPrice: '60000' },
        shape: { tradesPerSecond: 30, updatesPerSecond: 30 },
      },
    ],
  });

/** A client of the bot's own account. */
export const clientOf = (port: number): TradingClient =>
  new TradingClient({
    url: `http://127.0.0.1:${port}`,
    credentials: { key: 'bot', secret: 'bot-secret', scheme: 'hs256' },
  });

/** A lively venue in this process, by the real clock. */
export async function openTrialVenue(): Promise<TrialVenue> {
  const simulation = await Simulation.open(trialSettings(), new SystemScheduler());
  const { port } = simulation.venue;
  const client = clientOf(port);
  return {
    ...{ simulation, port, client },
    close: async () => {
      await client.close();
      await simulation.close();
    },
  };
}
