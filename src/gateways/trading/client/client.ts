import { V3_REST_LIMITS, v3RestLimits } from '../../../wire/trading/limits.ts';
import { V3_CALLS, V3_PREFIX } from '../../../wire/trading/v3/calls/table.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import { MarketSocket, type MarketListener } from '../socket/market.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { RequestLimiter } from '../socket/request-limiter.ts';
import { TradingSocket, tradingLimiter, type TradingListener } from '../socket/trading.ts';
import { WalletSocket, walletLimiter, type WalletListener } from '../socket/wallet.ts';
import type { Version } from './caller.ts';
import type { ClientSettings } from './settings.ts';
import { VersionClient } from './version-client.ts';

const VERSION_3: Version = {
  number: 3,
  limits: V3_REST_LIMITS,
  limitsOf: (call) => v3RestLimits(call.path),
};

/** Version 3 of the trading service. */
export class TradingClient extends VersionClient<typeof V3_CALLS> {
  static {
    const sockets = { marketSocket: 2, tradingSocket: 2, walletSocket: 2 } as const;
    refuseExtraArguments(TradingClient, { clockSkewUs: 0, clock: 0, close: 0, ...sockets });
  }

  #tradingLimiter: RequestLimiter | undefined;
  #walletLimiter: RequestLimiter | undefined;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: ClientSettings) {
    super(settings, VERSION_3, V3_PREFIX, V3_CALLS);
  }

  /** The market data socket, not yet open. */
  marketSocket(listener: MarketListener, options?: Partial<SocketOptions>): MarketSocket {
    return this.sockets.make(MarketSocket, 'public', listener, options);
  }

  /** A trading socket, not yet open. The requests of all of them are counted together. */
  tradingSocket(listener: TradingListener, options?: Partial<SocketOptions>): TradingSocket {
    this.#tradingLimiter ??= tradingLimiter(this.scheduler);
    const counted = { limiter: this.#tradingLimiter, ...options };
    return this.sockets.make(TradingSocket, 'trading', listener, counted);
  }

  /** A wallet socket, not yet open. The requests of all of them are counted together. */
  walletSocket(listener: WalletListener, options?: Partial<SocketOptions>): WalletSocket {
    this.#walletLimiter ??= walletLimiter(this.scheduler);
    const counted = { limiter: this.#walletLimiter, ...options };
    return this.sockets.make(WalletSocket, 'wallet', listener, counted);
  }
}
