import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { venueSettings } from '../venue-settings.ts';

export interface TrialVenue {
  readonly simulation: Simulation;
  readonly port: number;
  /** A client of the bot's own account. */
  readonly client: TradingClient;
  close(): Promise<void>;
}

/** A lively venue in this process, by the real clock, with the rate limits of the specification. */
export async function openTrialVenue(): Promise<TrialVenue> {
  const settings = venueSettings(['bot'], {
    market: [
      {
        ...{ kind: 'generated', symbol: 'BTCUSDT', seed: 11, startPrice: '60000' },
        shape: { tradesPerSecond: 30, updatesPerSecond: 30 },
      },
    ],
  });
  const simulation = await Simulation.open(settings, new SystemScheduler());
  const { port } = simulation.venue;
  const client = new TradingClient({
    url: `http://127.0.0.1:${port}`,
    credentials: { key: 'bot', secret: 'bot-secret', scheme: 'hs256' },
  });
  return {
    ...{ simulation, port, client },
    close: async () => {
      await client.close();
      await simulation.close();
    },
  };
}
