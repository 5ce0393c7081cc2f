import { V2_LIMITS, v2Limit } from '../../../wire/trading/limits.ts';
import { V2_CALLS, V2_PREFIX } from '../../../wire/trading/v2/calls/table.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { RequestLimiter } from '../socket/request-limiter.ts';
import { ServiceSockets } from '../socket/sockets.ts';
import {
  AccountSocketV2,
  MarketSocketV2,
  TradingSocketV2,
  v2Limiter,
  type AccountListenerV2,
  type MarketListenerV2,
  type TradingListenerV2,
} from '../socket/v2.ts';
import { RestCaller, type Version } from './caller.ts';
import type { ClockReading } from './clock.ts';
import type { RestCalls } from './rest.ts';
import { resolveSettings, type ClientSettings, type ResolvedSettings } from './settings.ts';

const VERSION_2: Version = {
  number: 2,
  limits: V2_LIMITS,
  limitsOf: (call) => [v2Limit(call.method, call.path)],
};

/** Version 2 of the trading service. */
export class TradingClientV2 {
  static {
    const sockets = { marketSocket: 2, tradingSocket: 2, accountSocket: 2 } as const;
    refuseExtraArguments(TradingClientV2, { clockSkewUs: 0, clock: 0, close: 0, ...sockets });
  }

  readonly #url: string;
  readonly #settings: ResolvedSettings;
  readonly #caller: RestCaller;
  readonly #sockets: ServiceSockets;
  #limiter: RequestLimiter | undefined;
  /** Every REST call by its name: `client.rest.createOrder({ symbol, side, quantity, price })`. */
  readonly rest: RestCalls<typeof V2_CALLS>;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: ClientSettings) {
    this.#settings = resolveSettings(settings, V2_PREFIX);
    const { origin, prefix } = this.#settings;
    this.#url = settings.url === undefined ? `${origin}${prefix}` : origin;
    this.#caller = new RestCaller(VERSION_2, this.#settings);
    this.#sockets = new ServiceSockets(this.#settings);
    this.rest = this.#caller.calls(V2_CALLS);
  }

  /** Address of the service: its `url`, or its `baseUrl`. */
  get url(): string {
    return this.#url;
  }

  /**
   * How many microseconds the clock of the service is ahead of this client's, negative if behind. Throws
   * `unreachable`, `service-unavailable`, or `answer-invalid` if no answer has the time.
   */
  async clockSkewUs(): Promise<number> {
    const { skewUs } = await this.#caller.clock();
    return skewUs;
  }

  /** The same with its possible error. */
  async clock(): Promise<ClockReading> {
    return this.#caller.clock();
  }

  /** A market data socket, not yet open. The requests of all sockets are counted together. */
  marketSocket(listener: MarketListenerV2, options?: Partial<SocketOptions>): MarketSocketV2 {
    return this.#sockets.make(MarketSocketV2, 'public', listener, this.#counted(options));
  }

  /** A trading socket, not yet open. */
  tradingSocket(listener: TradingListenerV2, options?: Partial<SocketOptions>): TradingSocketV2 {
    return this.#sockets.make(TradingSocketV2, 'trading', listener, this.#counted(options));
  }

  /** An account socket, not yet open. */
  accountSocket(listener: AccountListenerV2, options?: Partial<SocketOptions>): AccountSocketV2 {
    return this.#sockets.make(AccountSocketV2, 'account', listener, this.#counted(options));
  }

  /** Ends unfinished calls, and all connections, those of sockets too. */
  async close(): Promise<void> {
    await Promise.all([this.#caller.close(), this.#sockets.close()]);
  }

  #counted(options: Partial<SocketOptions> | undefined): Partial<SocketOptions> {
    this.#limiter ??= v2Limiter(this.#settings.scheduler);
    return { limiter: this.#limiter, ...options };
  }
}
