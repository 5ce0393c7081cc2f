import { onTestFinished } from 'vitest';
import { ExchangeOrdersClient, type ExchangeOrdersSettings } from '../../../src/clients.ts';
import {
  openExchangeVenue,
  PRIVATE_KEY,
  type ExchangeVenue,
  type ExchangeVenueOptions,
} from '../../server/exchange-orders/kit.ts';

export const pem = (key: typeof PRIVATE_KEY): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

export interface Subscriptions {
  readonly venue: ExchangeVenue;
  readonly client: ExchangeOrdersClient;
}

/** A client and the simulated service, whose limit of requests is wide. */
export async function openSubscriptions(
  options: ExchangeVenueOptions = {},
  settings: Partial<ExchangeOrdersSettings> = {},
): Promise<Subscriptions> {
  const wide = { ...options.client, requestsPerSecond: 1_000 };
  const venue = await openExchangeVenue({ ...options, client: wide });
  const client = new ExchangeOrdersClient({
    url: venue.base,
    privateKey: pem(PRIVATE_KEY),
    requestsPerSecond: 1_000,
    retries: { attempts: 1 },
    ...settings,
  });
  onTestFinished(() => client.close());
  return { venue, client };
}

/** An exchange of 300 USDC for SOL, unless a test asks for another. */
export const managedOrderOf = (venue: ExchangeVenue, from = 'usdceth', to = 'sol') => ({
  from,
  to,
  amountFrom: '300',
  address: venue.address(to, 'receiver'),
  refundAddress: venue.address(from),
});
