import { resolve } from 'node:path';
import { readVenueConfig } from '../../../src/cli/venue-config.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../../src/platform/time.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';

const CONFIG = resolve('config/venue.yaml');

/** Dozens of rows a second in each market, so that nobody waits long for the next. */
const LIVELY = { tradesPerSecond: 20, updatesPerSecond: 10 } as const;

/** The settings of the venue that comes along, with markets that are livelier. */
export function example(): SimulationSettings {
  const settings = readVenueConfig(CONFIG, {});
  const market = settings.market.map((one) =>
    one.kind === 'recorded' ? one : { ...one, shape: { ...one.shape, ...LIVELY } },
  );
  return { ...settings, market };
}

/** Opens the venue that comes along, with changes, in this process and by the real clock. */
export const openExample = (changes: Partial<SimulationSettings> = {}): Promise<Simulation> =>
  Simulation.open({ ...example(), ...changes, port: 0 }, new SystemScheduler());

export const urlOf = ({ venue }: Simulation): string => `http://127.0.0.1:${venue.port}`;

const MOMENT_US = 50 * US_PER_MS;

/** How long services take from the approval, and from the payment. */
interface Paces {
  readonly acceptUs?: number;
  readonly payoutUs?: number;
}

/** Chains and services that take a moment for what takes them seconds otherwise. */
export function hurried(
  settings: SimulationSettings,
  { acceptUs = MOMENT_US, payoutUs = MOMENT_US }: Paces = {},
): SimulationSettings {
  const { outside } = settings;
  if (outside?.swaps === undefined || outside.exchangeOrders === undefined) {
    throw new Error('the example has no services');
  }
  const { swaps, exchangeOrders } = outside;
  const paces = { acceptUs, depositUs: MOMENT_US, fulfilUs: payoutUs, refundUs: MOMENT_US };
  const spans = { exchangeUs: MOMENT_US, sendUs: payoutUs, refundUs: MOMENT_US };
  const resolver = { ...swaps.terms.resolver, ...paces };
  const clients = exchangeOrders.clients.map((one) => ({ ...one, requestsPerSecond: 1_000 }));
  return {
    ...settings,
    chains: { others: { sendUs: MOMENT_US, blockUs: MOMENT_US } },
    outside: {
      ...outside,
      networks: outside.networks.map((one) => ({ ...one, blockUs: MOMENT_US })),
      swaps: { ...swaps, terms: { ...swaps.terms, resolver } },
      exchangeOrders: { ...exchangeOrders, clients, terms: { ...exchangeOrders.terms, ...spans } },
    },
  };
}
