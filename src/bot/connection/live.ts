import { TradingAccount } from '../../gateways/trading/account/account.ts';
import {
  contractsOf,
  instrumentsOf,
  readTerms,
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
import type { AccountSettings } from '../settings/settings.ts';

/** What a connection lives in. */
export interface Means {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
}

/** The trading service behind an account of a live bot. */
export function connectLive(account: AccountSettings, means: Means): VenueConnection {
  const { scheduler, random } = means;
  const client = clientOf(account, means);
  const setup = { client, scheduler, random, warn: warnTo(means.log, account.name) };
  return {
    venue: new TradingAccount(setup),
    market: new TradingMarket(setup),
    close: () => client.close(),
  };
}

/** A market that is there, with the instruments that are traded on it. */
export interface OpenMarket {
  readonly market: MarketSource;
  readonly instruments: readonly Instrument[];
  readonly close: () => Promise<void>;
}

/**
 * The market of the trading service alone, for an account that is played here. Symbols have the margin terms
 * that the service tells for the account's key; without one spot symbols have none, and what is assumed of
 * contracts is said.
 */
export async function liveMarket(account: AccountSettings, means: Means): Promise<OpenMarket> {
  const { scheduler, random, log } = means;
  const client = clientOf(account, means);
  const warn = warnTo(log, account.name);
  try {
    const instruments = await shownBy(client, account, warn);
    const market = new TradingMarket({ client, scheduler, random, warn });
    return { market, instruments, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function shownBy(
  { rest }: TradingClient,
  { service }: AccountSettings,
  warn: (warning: MillraceError) => void,
): Promise<readonly Instrument[]> {
  const symbols = await rest.getSymbols();
  const ask = <T>(question: () => Promise<T>): Promise<T> => question();
  const hasKey = service.credentials !== undefined;
  const terms = hasKey ? await readTerms({ rest, ask, warn }, symbols) : new Map<string, never>();
  const isOnMargin = Object.values(symbols).some(
    (one) => one.type === 'futures' || one.margin_trading === true,
  );
  if (!hasKey && isOnMargin) warn(withoutKey());
  return [
    ...instrumentsOf(symbols, [], warn, terms),
    ...contractsOf(symbols, warn, { fees: [], terms }),
  ];
}

const withoutKey = (): MillraceError =>
  new MillraceError(
    'margin-forbidden',
    'The service tells the terms of margin and futures to those with a key alone, and the account has none: spot symbols are traded without margin and contracts on assumed terms, where paper.margin of the account does not give their terms.',
    { field: 'key' },
  );

function clientOf({ service }: AccountSettings, { scheduler, random }: Means): TradingClient {
  const { version: _, credentials, ...address } = service;
  return new TradingClient({
    ...{ ...address, scheduler, random },
    ...(credentials === undefined
      ? {}
      : { credentials: { ...credentials, scheme: 'hs256' as const } }),
  });
}

const warnTo =
  (log: Log, account: string) =>
  ({ code, message }: MillraceError): void =>
    log.warn(`${message} (${account})`, { code });
