import type { Log } from '../../strategy/context.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarketSource } from '../market-source.ts';
import type { VenueAccount } from '../venue-account.ts';
import { CheckedAccount } from './checked-account.ts';
import { checkedInstruments } from './account-forms.ts';
import { CheckedMarket } from './checked-market.ts';
import { checkMethods, madeBy, unmade, type ModuleOptions, type OwnModule } from './module.ts';

/** Access to a venue: an account there, and its market data. */
export interface Gateway {
  readonly account: VenueAccount;
  readonly market: MarketSource;
  /**
   * Tradable instruments, for a paper bot: it reads only the market, and never opens the account. If
   * absent, a paper bot cannot use this market.
   */
  instruments?(): Promise<readonly Instrument[]>;
  /** Closes what account and market share; after both of them. */
  close?(): Promise<void>;
}

/** Options of a module that makes a gateway. */
export interface GatewayOptions extends ModuleOptions {
  /** The log of the bot. */
  readonly log: Log;
}

/**
 * The default export of a module that a bot's configuration names as the `venue` of an account. It makes
 * the gateway without connecting yet; throw if the settings are invalid. One is made for each account.
 */
export type GatewayFactory = (options: GatewayOptions) => Gateway | Promise<Gateway>;

/** A module that makes a gateway. */
export type GatewayModule = OwnModule<GatewayFactory>;

const ACCOUNT = ['open', 'send', 'snapshot', 'clockSkewUs', 'close'] as const satisfies readonly (keyof VenueAccount)[]; // prettier-ignore
const MARKET = ['open', 'history', 'close'] as const satisfies readonly (keyof MarketSource)[];

/**
 * Makes a gateway by a module's factory; errors name the module's path. Its data are validated. Throws
 * `config-invalid` if it makes none.
 */
export async function madeGateway(
  module: GatewayModule,
  services: Pick<GatewayOptions, 'scheduler' | 'random' | 'log'>,
): Promise<Gateway> {
  const { path, settings, secrets } = module;
  const { scheduler, random, log } = services;
  const made = await madeBy(module, { settings, secrets, scheduler, random, log }, 'gateway');
  for (const [name, methods] of [
    ['account', ACCOUNT],
    ['market', MARKET],
  ] as const) {
    // prettier-ignore
    const part = made[name];
    if (typeof part !== 'object' || part === null) {
      throw unmade(path, `makes a gateway without ${name}; it has account and market`);
    }
    checkMethods(path, part as Readonly<Record<string, unknown>>, `gateway ${name}`, methods);
  }
  checkMethods(path, made, 'gateway', []);
  if (made.instruments !== undefined) checkMethods(path, made, 'gateway', ['instruments']);
  const gateway = made as unknown as Gateway;
  return {
    account: new CheckedAccount(path, gateway.account, services),
    market: new CheckedMarket(path, gateway.market, services.log),
    ...(gateway.instruments === undefined
      ? {}
      : { instruments: async () => checkedInstruments(path, await gateway.instruments?.()) }),
    close: async () => gateway.close?.(),
  };
}
