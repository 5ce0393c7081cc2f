import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import type { MarketListener, MarketSource, Wanted } from '../market-source.ts';
import { SubscribedMarket, type NatsMarketSetup } from './subscribed-market.ts';
import { watchConnection } from './watch.ts';

/**
 * The market of a venue as a publisher sends it on NATS: all data of each symbol, whatever is subscribed,
 * since one subject has it in one order. Rows carry the time of receipt here.
 *
 * A message that is missing, a server that is lost, a publisher that is silent, ends or restarts: each is
 * a gap as one of a socket is, first a GAP row, then `lost`, then what was missed, as far as it is known, a
 * new snapshot and `live`.
 */
export class NatsMarket implements MarketSource {
  readonly #setup: NatsMarketSetup;
  #markets: readonly SubscribedMarket[] = [];
  #isClosed = false;

  constructor(setup: NatsMarketSetup) {
    this.#setup = setup;
  }

  /**
   * Subscribes; resolves when each symbol has its snapshot, however long the publisher takes. Throws
   * `symbol-unknown` for a symbol that it does not have, `instrument-invalid` for one of other steps, and
   * `unreachable` when it is closed before.
   */
  async open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    if (this.#markets.length > 0 || this.#isClosed) {
      throw new MillraceError('internal', 'A market is opened once.');
    }
    this.#markets = wanted.map(
      ({ instrument }, index) =>
        new SubscribedMarket({ ...this.#setup, instrument, index, listener }),
    );
    watchConnection(this.#setup.connection, {
      connected: (isConnected) => {
        for (const market of this.#markets) market.connected(isConnected);
      },
      warn: this.#setup.warn,
    });
    try {
      await Promise.all(this.#markets.map((market) => market.open()));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  history(
    instrument: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns> {
    return this.#setup.history(instrument, period, from, till);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const market of this.#markets) market.close();
    return Promise.resolve();
  }
}
