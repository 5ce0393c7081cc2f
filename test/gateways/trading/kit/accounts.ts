import { onTestFinished } from 'vitest';
import { TradingClientV2 } from '../../../../src/gateways/trading/client/client-v2.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import type {
  ClientSettings,
  ClientTerms,
} from '../../../../src/gateways/trading/client/settings.ts';
import type { TestVenue } from '../../../server/kit.ts';
import { openRelay, type Relay } from './relay.ts';

/** A client of version 3 and what of it goes over the wire. */
export interface Subscriptions {
  readonly rest: TradingClient['rest'];
  readonly client: TradingClient;
  readonly relay: Relay;
}

/** The same of version 2. */
export interface SubscriptionsV2 {
  readonly rest: TradingClientV2['rest'];
  readonly client: TradingClientV2;
  readonly relay: Relay;
}

const settingsOf = (venue: TestVenue, relay: Relay, as: string): ClientSettings => ({
  url: relay.url,
  credentials: { key: as, secret: `${as}-secret`, scheme: 'hs256' },
  scheduler: venue.scheduler,
});

/** Lets a member of a venue speak with it through a client whose requests are kept. */
export async function openSubscriptions(
  venue: TestVenue,
  as = 'demo',
  more: Partial<ClientTerms> = {},
): Promise<Subscriptions> {
  const relay = await openRelay(venue.base);
  const client = new TradingClient({ ...settingsOf(venue, relay, as), ...more });
  onTestFinished(() => client.close());
  return { rest: client.rest, client, relay };
}

/** The same by version 2, which lets so few calls through in a moment that these are not counted. */
export async function openSubscriptionsV2(
  venue: TestVenue,
  as = 'demo',
  more: Partial<ClientTerms> = {},
): Promise<SubscriptionsV2> {
  const relay = await openRelay(venue.base);
  const settings = { ...settingsOf(venue, relay, as), paced: false, ...more };
  const client = new TradingClientV2(settings);
  onTestFinished(() => client.close());
  return { rest: client.rest, client, relay };
}
