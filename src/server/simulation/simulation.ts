import { Instrument } from '../../model/instrument.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { Faults } from '../faults/faults.ts';
import type { Log } from '../http/failures.ts';
import { openMarket } from '../market/open.ts';
import type { Player } from '../market/player.ts';
import type { MarketSource } from '../market/source.ts';
import { Limits } from '../trading/limits.ts';
import { TradingService } from '../trading/service.ts';
import { Venue } from '../venue.ts';
import { takeIn } from './members.ts';
import type { Outside, OutsideChains } from './outside.ts';
import type { OutsideSettings } from './outside-settings.ts';
import type { SimulationSettings } from './settings.ts';

/** Who is told what happens to a simulation that nobody asked for. */
export interface SimulationListener {
  /** Something went wrong inside; whoever called learned nothing but that. */
  readonly failed?: Log;
  /** A part of the market has come to its end, or to a fault that ended it. */
  readonly marketEnded?: (source: MarketSource, fault?: unknown) => void;
}

interface Parts {
  readonly venue: Venue;
  readonly player: Player;
  readonly chains: OutsideChains | undefined;
  readonly outside: Outside | undefined;
}

/** A venue with its members and with what moves its markets, listening. */
export class Simulation {
  readonly venue: Venue;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.venue = parts.venue;
    this.#parts = parts;
  }

  /**
   * Opens everything; resolves once it listens. Throws what is wrong with the settings, and what
   * the system says where the address cannot be had.
   */
  static async open(
    settings: SimulationSettings,
    scheduler: Scheduler,
    listener: SimulationListener = {},
  ): Promise<Simulation> {
    const { host, port, adminToken, market } = settings;
    // 1. The chains and the exchange, by a clock that can be set wrong on purpose.
    const faults = new Faults(scheduler, settings.faults);
    const chains = settings.outside && (await chainsOf(settings.outside, faults.clock));
    const trading = new TradingService({
      instruments: settings.symbols.map(({ terms }) => new Instrument(terms)),
      scheduler: faults.clock,
      exchange: { ...settings.exchange, ...chains?.exchange },
      chains: settings.chains,
      kept: settings.kept,
      ...(settings.rateLimits ? { limits: new Limits(() => scheduler.now()) } : {}),
    });
    for (const { terms, status } of settings.symbols) {
      trading.exchange.statuses.set(terms.symbol, status);
    }
    // 2. Those who trade on it.
    for (const member of settings.members) takeIn(trading, member);
    // 3. What moves its markets, from now on and by the right clock.
    const player = await openMarket(trading, market, {
      scheduler,
      ...(listener.marketEnded === undefined ? {} : { ended: listener.marketEnded }),
    });
    let outside: Outside | undefined;
    try {
      // 4. The services on the chains.
      const { members } = settings;
      const beside = { trading, scheduler: faults.clock, members, log: listener.failed };
      outside = chains?.open(beside);
      // 5. The doors.
      const venue = await Venue.open({
        trading,
        host,
        port,
        faults,
        ...outside,
        ...(adminToken === undefined ? {} : { adminToken }),
        ...(listener.failed === undefined ? {} : { log: listener.failed }),
      });
      return new Simulation({ venue, player, chains, outside });
    } catch (error) {
      player.close();
      outside?.close();
      chains?.close();
      trading.close();
      throw error;
    }
  }

  /** Closes everything; resolves when nothing is open any more. */
  async close(): Promise<void> {
    const { player, outside, chains, venue } = this.#parts;
    player.close();
    outside?.close();
    chains?.close();
    await venue.close();
  }
}

/** A venue without chains loads neither them nor the services on them. */
async function chainsOf(settings: OutsideSettings, scheduler: Scheduler): Promise<OutsideChains> {
  const { OutsideChains } = await import('./outside.ts');
  return new OutsideChains(settings, scheduler);
}
