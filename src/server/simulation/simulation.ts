import { Instrument } from '../../model/instrument.ts';
import type { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Progress } from '../data/logged-inputs.ts';
import { Faults } from '../faults/faults.ts';
import type { Log } from '../http/failures.ts';
import { openMarket } from '../market/open.ts';
import type { Player } from '../market/player.ts';
import type { MarketSource } from '../market/source.ts';
import { ServiceLimits } from '../trading/limits.ts';
import { TradingService } from '../trading/service.ts';
import { Venue } from '../venue.ts';
import type { StoredVenueState, Restored } from './stored-state.ts';
import { takeIn } from './members.ts';
import type { OutsideServices, VenueChains } from './chains.ts';
import { newSeed } from './seed.ts';
import type { OutsideSettings } from './chain-settings.ts';
import type { SimulationSettings } from './settings.ts';

/** Receives unrequested events of a simulation. */
export interface SimulationListener {
  /** An internal error; the caller learned only that there was one. */
  readonly failed?: Log;
  /** A part of the market has ended, or failed. */
  readonly marketEnded?: (source: MarketSource, fault?: unknown) => void;
  /** The earlier state is being restored, which takes some seconds or more. */
  readonly restoring?: (progress: Progress) => void;
  /** The state cannot be written any more; nothing leaves the venue from then on. */
  readonly stateLost?: (error: MillraceError) => void;
  /** The disk has become full, so that requests which change something are refused, or has room again. */
  readonly stateFull?: (isFull: boolean) => void;
}

/** The folder of a venue's state. */
export interface DataFolder {
  readonly folder: string;
  /** Release of the program, named if another one wrote the stored state. */
  readonly release: string;
}

interface Parts {
  readonly venue: Venue;
  readonly player: Player;
  readonly chains: VenueChains | undefined;
  readonly outside: OutsideServices | undefined;
  readonly kept: StoredVenueState | undefined;
  readonly restored: Restored | undefined;
}

/** A venue with its members and with what moves its markets, listening. */
export class Simulation {
  readonly venue: Venue;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.venue = parts.venue;
    this.#parts = parts;
  }

  /** State found in its data folder; nothing if it has none. */
  get restored(): Restored | undefined {
    return this.#parts.restored;
  }

  /**
   * Opens everything, from a data folder's state if there is one; resolves once it listens. Throws errors
   * of the settings and of the folder (`venue-data-…`), and the system's if the address is unavailable.
   */
  static async open(
    given: SimulationSettings,
    scheduler: Scheduler,
    listener: SimulationListener = {},
    data?: DataFolder,
  ): Promise<Simulation> {
    const settings = given.outside?.real === undefined ? given : await addressed(given);
    const kept = data && (await keptState(data, settings, scheduler, listener));
    try {
      return await Simulation.#put(settings, scheduler, listener, kept);
    } catch (error) {
      kept?.close();
      throw error;
    }
  }

  /** Closes everything; resolves when nothing is open any more. */
  async close(): Promise<void> {
    const { player, outside, chains, venue, kept } = this.#parts;
    player.close();
    await outside?.close();
    chains?.close();
    await venue.close();
    kept?.close();
  }

  /** Puts a venue together. */
  static async #put(
    settings: SimulationSettings,
    scheduler: Scheduler,
    listener: SimulationListener,
    kept: StoredVenueState | undefined,
  ): Promise<Simulation> {
    const { host, port, adminToken, market, members, hosts = [], origins = [] } = settings;
    // 1. The chains and the exchange, by a clock that can be set wrong on purpose.
    const clock = kept?.inputs.clock;
    const timers = clock?.timers ?? scheduler;
    const faults = new Faults(timers, settings.faults, clock);
    const seed = kept?.seed;
    const chains = settings.outside && (await chainsOf(settings.outside, faults.clock, seed));
    const trading = tradingOf(settings, { faults, timers, kept, chains });
    // 2. Its members.
    for (const member of members) takeIn(trading, member);
    // 3. Its market sources, from now on and by the right clock.
    const player = await openMarket(trading, market, {
      scheduler: clock ?? scheduler,
      isReplayed: kept !== undefined,
      ended: listener.marketEnded,
    });
    let outside: OutsideServices | undefined;
    try {
      // 4. The services on the chains.
      const at = { scheduler: faults.clock, folder: kept?.folder, present: scheduler };
      const beside = { trading, members, log: listener.failed, ...at };
      outside = chains?.open(beside);
      // 5. The doors, behind which everything becomes as it was.
      let restored: Restored | undefined;
      const venue = await Venue.open({
        trading,
        host,
        port,
        admission: { hosts: [host, ...hosts], origins },
        faults,
        ...outside,
        ...(adminToken === undefined ? {} : { adminToken }),
        ...(listener.failed === undefined ? {} : { log: listener.failed }),
        ready: async () => {
          restored = await kept?.restore(trading, player, listener.restoring);
          await outside?.start(restored?.isNew ?? true);
        },
      });
      return new Simulation({ venue, player, chains, outside, kept, restored });
    } catch (error) {
      player.close();
      await outside?.close();
      chains?.close();
      trading.close();
      throw error;
    }
  }
}

interface Around {
  readonly faults: Faults;
  readonly timers: Scheduler;
  readonly kept: StoredVenueState | undefined;
  readonly chains: VenueChains | undefined;
}

/** The trading service, whose symbols take orders or not. */
function tradingOf(
  settings: SimulationSettings,
  { faults, timers, kept, chains }: Around,
): TradingService {
  const trading = new TradingService({
    instruments: settings.symbols.map(({ terms }) => new Instrument(terms)),
    scheduler: faults.clock,
    timers: faults.timers,
    ...(kept === undefined ? {} : { inputs: kept.inputs }),
    exchange: { ...settings.exchange, ...chains?.exchange },
    chains: settings.chains,
    kept: settings.kept,
    ...(settings.rateLimits ? { limits: new ServiceLimits(() => timers.now()) } : {}),
  });
  for (const { terms, status } of settings.symbols) {
    trading.exchange.statuses.set(terms.symbol, status);
  }
  return trading;
}

/** A venue without chains loads neither them nor the services on them. */
async function chainsOf(
  settings: OutsideSettings,
  scheduler: Scheduler,
  seed: number | undefined,
): Promise<VenueChains> {
  const { VenueChains: OutsideChains } = await import('./chains.ts');
  return new OutsideChains(seed === undefined ? settings : { ...settings, seed }, scheduler);
}

/** Real networks need the addresses of their keys. */
async function addressed(settings: SimulationSettings): Promise<SimulationSettings> {
  const { withAddresses } = await import('./real-chains.ts');
  return withAddresses(settings);
}

/** A venue that keeps nothing loads nothing for it. */
async function keptState(
  data: DataFolder,
  settings: SimulationSettings,
  scheduler: Scheduler,
  { stateLost = () => undefined, stateFull }: SimulationListener,
): Promise<StoredVenueState> {
  const { StoredVenueState: KeptState } = await import('./stored-state.ts');
  const listener = { failed: stateLost, full: stateFull };
  return KeptState.open({ ...data, listener }, settings, scheduler, newSeed);
}
