import type { VenueConnection } from './venue-connection.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveServices } from './live.ts';
import type { AccountSettings, Mode } from '../settings/settings.ts';

/**
 * What stands behind an account: the trading service or the gateway of a venue where the bot is live; on paper
 * the exchange of this process, moved by the market of the service or of a NATS server, or by recordings, and
 * going on where the journal says that it was. Only the one that is used is loaded.
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
