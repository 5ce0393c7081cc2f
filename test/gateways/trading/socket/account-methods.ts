import { onTestFinished } from 'vitest';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import type { TradingSocket } from '../../../../src/gateways/trading/socket/trading.ts';
import { Decimal } from '../../../../src/model/decimal.ts';
import { Random } from '../../../../src/platform/random.ts';
import type { TestVenue } from '../../../server/kit.ts';
import type { TestMarket } from '../../../server/streams/trading-markets.ts';
import { Ear } from './listener.ts';
import { until } from './service.ts';

export type Reported = Readonly<Record<string, unknown>>;

/** A member of a venue at the client's trading socket, live. */
export interface Subscriptions {
  readonly client: TradingClient;
  readonly socket: TradingSocket;
  readonly ear: Ear;
  /** The same as `request`, for methods whose names are put together. */
  ask(method: string, params?: object): Promise<unknown>;
  /** The params of a notification, oldest first. */
  reported(method: string): readonly unknown[];
  /** Waits until a notification has come so many times, and gives the params of all. */
  hears(method: string, times: number): Promise<readonly unknown[]>;
}

/** A member's client that does not count its requests, as the clock stands still. */
export const clientOf = (venue: TestVenue, as: string): TradingClient => {
  const client = new TradingClient({
    url: venue.base,
    scheduler: venue.scheduler,
    random: new Random(3),
    paced: false,
    credentials: { key: as, secret: `${as}-secret`, scheme: 'hs256' },
  });
  onTestFinished(() => client.close());
  return client;
};

/** No limits: the venue of a test counts none. */
export const UNCOUNTED = { limiter: { limitOf: () => undefined } as never };

/** Seats a member at a trading socket, with what a market asks for. */
export async function session(
  venue: TestVenue,
  member: string,
  on?: TestMarket,
): Promise<Subscriptions> {
  const client = clientOf(venue, member);
  const ear = new Ear();
  const socket = client.tradingSocket(ear, UNCOUNTED);
  await socket.open();
  const reported = (method: string): readonly unknown[] =>
    (ear.reported as (readonly [string, unknown])[])
      .filter(([name]) => name === method)
      .map(([, params]) => params);
  const subscriptions: Subscriptions = {
    client,
    socket,
    ear,
    reported,
    ask: (method, params) =>
      (socket.request as (name: string, given?: object) => Promise<unknown>).call(
        socket,
        method,
        params,
      ),
    hears: (method, times) =>
      until(() => {
        const all = reported(method);
        if (all.length < times) throw new Error(`${method} came ${all.length} times`);
        return all;
      }),
  };
  if (on !== undefined && on.market !== 'spot') await fund(venue, subscriptions, member, on);
  return subscriptions;
}

async function fund(
  venue: TestVenue,
  subscriptions: Subscriptions,
  member: string,
  { market, symbol }: TestMarket,
): Promise<void> {
  if (market === 'futures') {
    const account = venue.trading.members.key(member)?.account ?? -1;
    venue.trading.exchange.derivatives.deposit(account, 'USDT', new Decimal('100000'));
  }
  const leverage = market === 'futures' ? { leverage: '10' } : {};
  await subscriptions.ask(`${market}_set_account`, {
    symbol,
    margin_balance: '10000',
    ...leverage,
  });
}
