import { ServiceError } from '../../gateways/http/service-error.ts';
import { TradingAccount } from '../../gateways/trading/account/account.ts';
import {
  contractsOf,
  instrumentsOf,
  readInstruments,
} from '../../gateways/trading/account/instruments.ts';
import { TradingClient } from '../../gateways/trading/client/client.ts';
import { TradingMarket } from '../../gateways/trading/market/market.ts';
import type { MarketSource } from '../../gateways/market-source.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { VenueConnection } from './venue-connection.ts';
import type { AccountSettings, ServiceSettings } from '../settings/settings.ts';

/** Dependencies of a connection. */
export interface LiveServices {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
}

/** The trading service behind an account of a live bot. */
export async function connectLive(
  account: AccountSettings,
  services: LiveServices,
): Promise<VenueConnection> {
  const { scheduler, random } = services;
  const client = clientOf(account, services);
  const setup = { client, scheduler, random, warn: warnTo(services.log, account.name) };
  const { market, close } = await marketBy(account, services, client);
  return { venue: new TradingAccount(setup), market, close };
}

/** The market of the service itself or of a publisher, and a function that closes it. */
async function marketBy(
  { name, service, market: from }: AccountSettings,
  { scheduler, random, log }: LiveServices,
  client: TradingClient,
): Promise<Omit<OpenMarket, 'instruments'>> {
  const warn = warnTo(log, name);
  const own = new TradingMarket({ client, scheduler, random, warn });
  if (from.kind !== 'nats') return { market: own, close: () => client.close() };
  try {
    const { connectNats } = await import('../../messaging/connection.ts');
    const { NatsMarket } = await import('../../gateways/nats/market.ts');
    const { venueName } = await import('../../gateways/nats/subjects.ts');
    const { url, env, venue = venueName(serviceOf(name, service)) } = from;
    const connection = await connectNats({ url, env, name: `millrace ${name}` });
    const history = own.history.bind(own);
    return {
      market: new NatsMarket({ connection, venue, scheduler, random, warn, history }),
      close: async () => {
        await connection.close();
        await own.close();
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** A market that is there, with the instruments that are traded on it. */
export interface OpenMarket {
  readonly market: MarketSource;
  readonly instruments: readonly Instrument[];
  readonly close: () => Promise<void>;
}

/**
 * The market of the trading service alone, for a paper account. With a key of the account, fees and margin
 * terms are those of that key. Without one, fees are the default ones, spot symbols have no margin terms,
 * and assumptions about contracts are logged. Terms of `paper.margin` apply in both cases.
 */
export async function liveMarket(
  account: AccountSettings,
  services: LiveServices,
): Promise<OpenMarket> {
  const { log } = services;
  const client = clientOf(account, services);
  const warn = warnTo(log, account.name);
  try {
    const instruments = await shownBy(client, account, { log, warn });
    return { ...(await marketBy(account, services, client)), instruments };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function shownBy(
  { rest }: TradingClient,
  { name, service, paper: { margin = {} } }: AccountSettings,
  { log, warn }: { readonly log: Log; readonly warn: (warning: MillraceError) => void },
): Promise<readonly Instrument[]> {
  const given = Object.keys(margin).join(', ');
  const except = given === '' ? '' : `, but for ${given}, whose margin terms paper.margin gives`;
  if (service?.credentials !== undefined) {
    const ask = <T>(question: () => Promise<T>): Promise<T> => question();
    const setup = { rest, ask, warn };
    const instruments = await readInstruments(setup, margin).catch((error: unknown) => {
      throw rejectedKey(error, name);
    });
    log.info(`Fees and margin terms are those of the key at the service${except} (${name})`);
    return instruments;
  }
  const symbols = await rest.getSymbols();
  const isOnMargin = Object.values(symbols).some(
    (one) => one.type === 'futures' || one.margin_trading === true,
  );
  if (isOnMargin) warn(withoutKey(except));
  return [...instrumentsOf(symbols, [], warn), ...contractsOf(symbols, warn)];
}

/** An error for a rejected key; a paper bot can run without a key. */
const rejectedKey = (error: unknown, name: string): unknown =>
  error instanceof ServiceError && error.code === 'service-refused'
    ? new MillraceError(
        'service-refused',
        `Fees and margin terms cannot be read by the key of the account ${name}: ${error.message} Mend the key, or leave key and secret out, which a paper bot does without.`,
        { field: 'key', cause: error },
      )
    : error;

const withoutKey = (except: string): MillraceError =>
  new MillraceError(
    'margin-forbidden',
    `The service gives the terms of margin and futures only with a key, and the account has none that is set: spot symbols are traded without margin and contracts on assumed terms${except}. Fees are those of everybody.`,
    { field: 'key' },
  );

function clientOf(
  { name, service }: AccountSettings,
  { scheduler, random }: LiveServices,
): TradingClient {
  const { version: _, credentials, ...address } = serviceOf(name, service);
  return new TradingClient({
    ...address,
    scheduler,
    random,
    ...(credentials === undefined
      ? {}
      : { credentials: { ...credentials, scheme: 'hs256' as const } }),
  });
}

function serviceOf(name: string, service: AccountSettings['service']): ServiceSettings {
  if (service === undefined) throw new MillraceError('internal', `${name} is at no service.`);
  return service;
}

const warnTo =
  (log: Log, account: string) =>
  ({ code, message }: MillraceError): void =>
    log.warn(`${message} (${account})`, { code });
