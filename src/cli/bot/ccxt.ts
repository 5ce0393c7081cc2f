import { z } from 'zod';
import type { StrategySettings } from '../../bot/settings/settings.ts';
import { leverage, positiveSpan } from '../../config/amounts.ts';
import {
  CLIENT_ORDER_ID_FORMS,
  type ClientOrderIdFormName,
} from '../../gateways/ccxt/client-order-ids.ts';
import { ccxtGateway } from '../../gateways/ccxt/gateway.ts';
import type { GatewayModule } from '../../gateways/own/gateway.ts';
import { secretSource } from './secret.ts';
import type { SecretKeeper } from './secret-keeper.ts';

const FORMS = Object.keys(CLIENT_ORDER_ID_FORMS) as ClientOrderIdFormName[];

/** How a configuration names an exchange of ccxt. */
export const ccxtVenueOf = (folder: string) =>
  z.strictObject({
    ccxt: z.string().min(1).describe('Id of an exchange of ccxt, such as binance.'),
    sandbox: z.boolean().default(false).describe('Trade on its test network.'),
    config: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('What the class of ccxt takes: options, urls, timeout.'),
    secrets: z
      .record(z.string().min(1), secretSource(folder))
      .default({})
      .describe('Credentials by the names of ccxt (apiKey, secret, password, walletAddress, privateKey), each as env: NAME or file: PATH.'), // prettier-ignore
    pollEvery: positiveSpan
      .prefault('1s')
      .describe('How often what the exchange has no stream for is asked for.'),
    clientOrderIds: z
      .enum(FORMS)
      .optional()
      .describe('What an exchange takes as client order id, where Millrace does not know it.'),
    margin: z
      .strictObject({
        leverage: leverage.describe('The leverage that each perpetual has at the exchange.'),
        apply: z
          .boolean()
          .default(false)
          .describe('Set cross margin and leverage where the exchange has others.'),
      })
      .optional()
      .describe('How perpetuals are traded live: on cross margin.'),
  });

type CcxtVenue = z.output<ReturnType<typeof ccxtVenueOf>>;

/** The gateway to an exchange of ccxt, with the symbols of the strategies of an account. */
export function ccxtModule(
  { ccxt: id, sandbox, config, secrets, pollEvery: pollUs, clientOrderIds, margin }: CcxtVenue,
  name: string,
  strategies: readonly StrategySettings[],
  keeper: SecretKeeper,
): GatewayModule {
  const traded = strategies.filter(({ account }) => account === name);
  const symbols = [...new Set(traded.flatMap((one) => one.symbols))];
  const found = Object.entries(secrets).map(([secret, source]) => {
    return [secret, keeper.find(source, ['accounts', name, 'venue', 'secrets', secret])] as const;
  });
  return {
    path: `ccxt ${id}`,
    factory: ccxtGateway({
      id,
      sandbox,
      config,
      symbols,
      pollUs,
      clientOrderIds,
      contracts: margin,
    }),
    settings: {},
    secrets: Object.fromEntries(found),
  };
}
