import type { VenueConnection } from './venue-connection.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveServices } from './live.ts';
import type { AccountSettings, Mode } from '../settings/settings.ts';

/**
 * Connects an account: live to the trading service or a venue's gateway; on paper to the exchange of this
 * process, restored from the journal and moved by the market of the service or of a NATS server, or by
 * recordings. Loads only what is used.
 */
export async function connect(
  account: AccountSettings,
  mode: Mode,
  journal: Journal,
  services: LiveServices,
): Promise<VenueConnection> {
  if (mode === 'live') {
    if (account.gateway !== undefined) {
      const { connectGateway } = await import('./gateway.ts');
      return await connectGateway(account.gateway, services);
    }
    const { connectLive } = await import('./live.ts');
    return await connectLive(account, services);
  }
  const { connectPaper } = await import('./paper.ts');
  return await connectPaper(account, journal, services);
}
