import { onTestFinished } from 'vitest';
import { TradingClientV2 } from '../../../../src/gateways/trading/client/client-v2.ts';
import type { ClientTerms } from '../../../../src/gateways/trading/client/settings.ts';
import type { TestVenue } from '../../../server/kit.ts';
import { openSocketRelay, type SocketRelay } from './socket-relay.ts';

/** A socket of a client, what of it goes over the wire, and what it told. */
export interface Line<Socket> {
  readonly socket: Socket;
  readonly relay: SocketRelay;
  /** Notifications as method and params, oldest first, of those that the test did not take yet. */
  readonly reported: [method: string, params: unknown][];
  /** What nobody waited for. */
  readonly failed: unknown[];
}

/** The clock of a test stands still while frames are under way: nobody need ask who is alive. */
const OPTIONS = { pingAfterUs: 86_400_000_000 } as const;

type Kind = 'market' | 'trading' | 'account';
type Sockets = {
  readonly [K in Kind]: ReturnType<TradingClientV2[`${K}Socket`]>;
};

/** Opens a socket of version 2 of a member through a relay. */
export async function openLineV2<K extends Kind>(
  venue: TestVenue,
  kind: K,
  as = 'demo',
  more: Partial<ClientTerms> = {},
): Promise<Line<Sockets[K]>> {
  const relay = await openSocketRelay(venue.base);
  const client = new TradingClientV2({
    url: relay.url,
    credentials: { key: as, secret: `${as}-secret`, scheme: 'hs256' },
    scheduler: venue.scheduler,
    ...more,
  });
  onTestFinished(() => client.close());
  const reported: [method: string, params: unknown][] = [];
  const failed: unknown[] = [];
  const listener = {
    notification: (method: string, params: unknown, _receivedAt: number) => {
      reported.push([method, params]);
    },
    failed: (error: unknown) => {
      failed.push(error);
    },
  };
  const makers: { readonly [Each in Kind]: () => Sockets[Each] } = {
    market: () => client.marketSocket(listener, OPTIONS),
    trading: () => client.tradingSocket(listener, OPTIONS),
    account: () => client.accountSocket(listener, OPTIONS),
  };
  const socket = makers[kind]();
  await socket.open();
  return { socket, relay, reported, failed };
}
