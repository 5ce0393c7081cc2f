import { decimal } from '../../../src/model/decimal.ts';
import type { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { ccxtGateway } from '../../../src/gateways/ccxt/gateway.ts';
import type { ContractSettings } from '../../../src/gateways/ccxt/agreement.ts';
import type { GatewayModule } from '../../../src/gateways/own/gateway.ts';

/** What brings ccxt's class `hitbtc`, which speaks the protocol of the trading service, to a venue at an address. */
export const urlsAt = (address: string) => {
  const [rest, socket] = [`http://${address}/api/3`, `ws://${address}/api/3/ws`];
  const ws = { public: `${socket}/public`, private: `${socket}/trading` };
  return { api: { public: rest, private: rest, ws } };
};

/** The perpetual of the trial venue by the name of ccxt, and how it is traded. */
export const CCXT_PERPETUAL = 'ETH/USDT:USDT';
export const CONTRACTS: ContractSettings = { leverage: decimal('10'), apply: false };

/** The account of a member of a venue by ccxt. */
export const hitbtcAt = (
  address: string,
  member: string,
  symbols: readonly string[],
  contracts?: ContractSettings,
): GatewayModule => ({
  path: 'ccxt hitbtc',
  factory: ccxtGateway({
    id: 'hitbtc',
    sandbox: false,
    symbols,
    pollUs: 500_000,
    contracts,
    // Many tests share the cores of a machine.
    config: { urls: urlsAt(address), timeout: 10_000 },
  }),
  settings: {},
  secrets: { apiKey: member, secret: `${member}-secret` },
});

/** Opens the cross margin account of the futures of a client, as its holder does at the exchange. */
export async function openCrossAccount(
  { rest }: TradingClient,
  funds: string,
  leverage: string,
): Promise<void> {
  const [currency, amount] = ['USDT', decimal(funds)];
  await rest.transfer({ currency, amount, source: 'spot', destination: 'derivatives' });
  await rest.setCrossFuturesAccount({
    currency,
    margin_balance: amount,
    leverage: decimal(leverage),
    strict_validate: true,
  });
}
