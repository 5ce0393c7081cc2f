import { ccxtGateway } from '../../../src/gateways/ccxt/gateway.ts';
import type { GatewayModule } from '../../../src/gateways/own/gateway.ts';

/** What brings ccxt's class `hitbtc`, which speaks the protocol of the trading service, to a venue at an address. */
export const urlsAt = (address: string) => {
  const [rest, socket] = [`http://${address}/api/3`, `ws://${address}/api/3/ws`];
  const ws = { public: `${socket}/public`, private: `${socket}/trading` };
  return { api: { public: rest, private: rest, ws } };
};

/** The account of a member of a venue by ccxt. */
export const hitbtcAt = (
  address: string,
  member: string,
  symbols: readonly string[],
): GatewayModule => ({
  path: 'ccxt hitbtc',
  factory: ccxtGateway({
    id: 'hitbtc',
    sandbox: false,
    symbols,
    pollUs: 500_000,
    // Many tests share the cores of a machine.
    config: { urls: urlsAt(address), timeout: 10_000 },
  }),
  settings: {},
  secrets: { apiKey: member, secret: `${member}-secret` },
});
