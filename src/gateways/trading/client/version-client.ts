import type { Scheduler } from '../../../platform/scheduler.ts';
import type { Call } from '../../../wire/trading/call.ts';
import { ServiceSockets } from '../socket/sockets.ts';
import { RestCaller, type Version } from './caller.ts';
import type { ClockReading } from './clock.ts';
import type { RestCalls } from './rest.ts';
import { resolveSettings, type ClientSettings, type ResolvedSettings } from './settings.ts';

/** What the clients of both versions of the trading service have in common. */
export abstract class VersionClient<Calls extends Readonly<Record<string, Call>>> {
  // Private, as the credentials are in it.
  readonly #settings: ResolvedSettings;
  readonly #sockets: ServiceSockets;
  readonly #url: string;
  readonly #caller: RestCaller;
  /** Every REST call by its name: `client.rest.createSpotOrder({ symbol, side, quantity, price })`. */
  readonly rest: RestCalls<Calls>;

  protected constructor(
    settings: ClientSettings,
    version: Version,
    standard: string,
    calls: Calls,
  ) {
    this.#settings = resolveSettings(settings, standard);
    const { origin, prefix } = this.#settings;
    this.#url = settings.url === undefined ? `${origin}${prefix}` : origin;
    this.#caller = new RestCaller(version, this.#settings);
    this.#sockets = new ServiceSockets(this.#settings);
    this.rest = this.#caller.calls(calls);
  }

  /** Where the service is: its `url`, or its `baseUrl`. */
  get url(): string {
    return this.#url;
  }

  /**
   * By how many microseconds the clock of the service is ahead of this client's, behind where negative.
   * Throws `unreachable`, `service-unavailable`, or `answer-invalid` where no answer has the time.
   */
  async clockSkewUs(): Promise<number> {
    const { skewUs } = await this.#caller.clock();
    return skewUs;
  }

  /** The same with how far it may be off. */
  async clock(): Promise<ClockReading> {
    return this.#caller.clock();
  }

  protected get scheduler(): Scheduler {
    return this.#settings.scheduler;
  }

  protected get sockets(): ServiceSockets {
    return this.#sockets;
  }

  /** Ends what is under way, and all connections, those of sockets too. */
  async close(): Promise<void> {
    await Promise.all([this.#caller.close(), this.#sockets.close()]);
  }
}
