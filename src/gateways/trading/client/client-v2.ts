import { V2_LIMITS, v2Limit } from '../../../wire/trading/limits.ts';
import { V2_CALLS, V2_PREFIX } from '../../../wire/trading/v2/calls/table.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { RequestLimiter } from '../socket/request-limiter.ts';
import {
  AccountSocketV2,
  MarketSocketV2,
  TradingSocketV2,
  v2Limiter,
  type AccountListenerV2,
  type MarketListenerV2,
  type TradingListenerV2,
} from '../socket/v2.ts';
import type { Version } from './caller.ts';
import type { ClientSettings } from './settings.ts';
import { VersionClient } from './version-client.ts';

const VERSION_2: Version = {
  number: 2,
  limits: V2_LIMITS,
  limitsOf: (call) => [v2Limit(call.method, call.path)],
};

/** Version 2 of the trading service. */
export class TradingClientV2 extends VersionClient<typeof V2_CALLS> {
  static {
    const sockets = { marketSocket: 2, tradingSocket: 2, accountSocket: 2 } as const;
    refuseExtraArguments(TradingClientV2, { clockSkewUs: 0, clock: 0, close: 0, ...sockets });
  }

  #limiter: RequestLimiter | undefined;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: ClientSettings) {
    super(settings, VERSION_2, V2_PREFIX, V2_CALLS);
  }

  /** A market data socket, not yet open. The requests of all sockets are counted together. */
  marketSocket(listener: MarketListenerV2, options?: Partial<SocketOptions>): MarketSocketV2 {
    return this.sockets.make(MarketSocketV2, 'public', listener, this.#counted(options));
  }

  /** A trading socket, not yet open. */
  tradingSocket(listener: TradingListenerV2, options?: Partial<SocketOptions>): TradingSocketV2 {
    return this.sockets.make(TradingSocketV2, 'trading', listener, this.#counted(options));
  }

  /** An account socket, not yet open. */
  accountSocket(listener: AccountListenerV2, options?: Partial<SocketOptions>): AccountSocketV2 {
    return this.sockets.make(AccountSocketV2, 'account', listener, this.#counted(options));
  }

  #counted(options: Partial<SocketOptions> | undefined): Partial<SocketOptions> {
    this.#limiter ??= v2Limiter(this.scheduler);
    return { limiter: this.#limiter, ...options };
  }
}
