import { madeGateway, type GatewayModule } from '../../gateways/own/gateway.ts';
import { MillraceError } from '../../model/errors.ts';
import type { LiveServices, OpenMarket } from './live.ts';
import type { VenueConnection } from './venue-connection.ts';

/** Connects to a venue through a module's gateway. */
export async function connectGateway(
  module: GatewayModule,
  services: LiveServices,
): Promise<VenueConnection> {
  const gateway = await madeGateway(module, services);
  const { account: venue, market } = gateway;
  return { venue, market, close: async () => gateway.close?.() };
}

/**
 * Its market alone, for a paper account. Throws `config-invalid` if the gateway cannot provide it alone.
 */
export async function gatewayMarket(
  module: GatewayModule,
  services: LiveServices,
): Promise<OpenMarket> {
  const gateway = await madeGateway(module, services);
  const close = async (): Promise<void> => gateway.close?.();
  try {
    const instruments = await gateway.instruments?.();
    if (instruments !== undefined) return { market: gateway.market, instruments, close };
    const sentence = `The gateway by ${module.path} has no instruments(), by which a bot on paper knows what is traded; set mode: live, or add it.`;
    throw new MillraceError('config-invalid', sentence, { where: module.path });
  } catch (error) {
    await close();
    throw error;
  }
}
