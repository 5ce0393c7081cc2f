import { V3_REST_LIMITS, v3RestLimits } from '../../../wire/trading/limits.ts';
import { V3_CALLS, V3_PREFIX } from '../../../wire/trading/v3/calls/table.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import { MarketSocket, type MarketListener } from '../socket/market.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { RequestLimiter } from '../socket/request-limiter.ts';
import { ServiceSockets } from '../socket/sockets.ts';
import { TradingSocket, tradingLimiter, type TradingListener } from '../socket/trading.ts';
import { WalletSocket, walletLimiter, type WalletListener } from '../socket/wallet.ts';
import { RestCaller, type Version } from './caller.ts';
import type { ClockReading } from './clock.ts';
import type { RestCalls } from './rest.ts';
import { resolveSettings, type ClientSettings, type ResolvedSettings } from './settings.ts';

const VERSION_3: Version = {
  number: 3,
  limits: V3_REST_LIMITS,
  limitsOf: (call) => v3RestLimits(call.path),
};

/** Version 3 of the trading service. */
export class TradingClient {
  static {
    const sockets = { marketSocket: 2, tradingSocket: 2, walletSocket: 2 } as const;
    refuseExtraArguments(TradingClient, { clockSkewUs: 0, clock: 0, close: 0, ...sockets });
  }

  readonly #url: string;
  readonly #settings: ResolvedSettings;
  readonly #caller: RestCaller;
  readonly #sockets: ServiceSockets;
  #tradingLimiter: RequestLimiter | undefined;
  #walletLimiter: RequestLimiter | undefined;
  /** Every REST call by its name: `client.rest.createSpotOrder({ symbol, side, quantity, price })`. */
  readonly rest: RestCalls<typeof V3_CALLS>;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: ClientSettings) {
    this.#settings = resolveSettings(settings, V3_PREFIX);
    const { origin, prefix } = this.#settings;
    this.#url = settings.url === undefined ? `${origin}${prefix}` : origin;
    this.#caller = new RestCaller(VERSION_3, this.#settings);
    this.#sockets = new ServiceSockets(this.#settings);
    this.rest = this.#caller.calls(V3_CALLS);
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

  /** The market data socket, not yet open. */
  marketSocket(listener: MarketListener, options?: Partial<SocketOptions>): MarketSocket {
    return this.#sockets.make(MarketSocket, 'public', listener, options);
  }

  /** A trading socket, not yet open. The requests of all of them are counted together. */
  tradingSocket(listener: TradingListener, options?: Partial<SocketOptions>): TradingSocket {
    this.#tradingLimiter ??= tradingLimiter(this.#settings.scheduler);
    const counted = { limiter: this.#tradingLimiter, ...options };
    return this.#sockets.make(TradingSocket, 'trading', listener, counted);
  }

  /** A wallet socket, not yet open. The requests of all of them are counted together. */
  walletSocket(listener: WalletListener, options?: Partial<SocketOptions>): WalletSocket {
    this.#walletLimiter ??= walletLimiter(this.#settings.scheduler);
    const counted = { limiter: this.#walletLimiter, ...options };
    return this.#sockets.make(WalletSocket, 'wallet', listener, counted);
  }

  /** Ends unfinished calls, and all connections, those of sockets too. */
  async close(): Promise<void> {
    await Promise.all([this.#caller.close(), this.#sockets.close()]);
  }
}
