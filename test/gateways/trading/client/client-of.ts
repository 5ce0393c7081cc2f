import { onTestFinished } from 'vitest';
import { TradingClient, type ClientTerms } from '../../../../src/clients.ts';

/** A client of a service of a test, which the test's end closes. */
export function clientOf(url: string, settings: Partial<ClientTerms> = {}): TradingClient {
  const client = new TradingClient({
    url,
    credentials: { key: 'desk', secret: 'the-secret-of-desk', scheme: 'basic' },
    ...settings,
  });
  onTestFinished(() => client.close());
  return client;
}
