import { V2_PREFIX } from '../../wire/trading/v2/calls/table.ts';
import { V3_PREFIX } from '../../wire/trading/v3/calls/table.ts';

/** Addresses of everything that a venue serves. */
export interface DepositAddresses {
  readonly host: string;
  readonly port: number;
  readonly v3: {
    readonly rest: string;
    readonly sockets: Readonly<Record<'public' | 'trading' | 'wallet', string>>;
  };
  readonly v2: {
    readonly rest: string;
    readonly sockets: Readonly<Record<'public' | 'trading' | 'account', string>>;
  };
  /** A page that describes all calls and sockets. */
  readonly docs: string;
}

/** Addresses as clients on the same machine use them; an address for all interfaces becomes loopback. */
export function addressesOf({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): DepositAddresses {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : bracketed(host);
  const http = `http://${name}:${port}`;
  const socket = (path: string): string => `ws://${name}:${port}${path}`;
  return {
    host,
    port,
    v3: {
      rest: `${http}${V3_PREFIX}`,
      sockets: {
        public: socket(`${V3_PREFIX}/ws/public`),
        trading: socket(`${V3_PREFIX}/ws/trading`),
        wallet: socket(`${V3_PREFIX}/ws/wallet`),
      },
    },
    v2: {
      rest: `${http}${V2_PREFIX}`,
      sockets: {
        public: socket(`${V2_PREFIX}/ws/public`),
        trading: socket(`${V2_PREFIX}/ws/trading`),
        account: socket(`${V2_PREFIX}/ws/account`),
      },
    },
    docs: `${http}/docs`,
  };
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
