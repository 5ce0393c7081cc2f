import type { MarketSource } from '../gateways/market-source.ts';
import { TradingAccount } from '../gateways/trading/account/account.ts';
import { instrumentsOf } from '../gateways/trading/account/instruments.ts';
import { TradingClient } from '../gateways/trading/client/client.ts';
import { TradingMarket } from '../gateways/trading/market/market.ts';
import type { MillraceError } from '../model/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Random } from '../platform/random.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Log } from '../strategy/context.ts';
import type { Behind } from './account/floor.ts';
import type { Journal } from './journal/journal.ts';
import { PaperAccount } from './paper/account.ts';
import { continuePaper } from './paper/continuing.ts';
import { RecordedMarket } from './paper/recorded-market.ts';
import type { AccountSettings, Mode } from './settings.ts';

interface Means {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
}

/**
 * What stands behind an account: the trading service where the bot is live; on paper the exchange
 * of this process, moved by the service's market or by recordings, and going on where the journal
 * says that it was.
 */
export async function behindOf(
  account: AccountSettings,
  mode: Mode,
  journal: Journal,
  means: Means,
): Promise<Behind> {
  return mode === 'live' ? live(account, means) : await paper(account, journal, means);
}

function live(account: AccountSettings, means: Means): Behind {
  const { scheduler, random } = means;
  const client = clientOf(account, means);
  const setup = { client, scheduler, random, warn: warnTo(means.log, account.name) };
  return {
    venue: new TradingAccount(setup),
    market: new TradingMarket(setup),
    close: () => client.close(),
  };
}

async function paper(account: AccountSettings, journal: Journal, means: Means): Promise<Behind> {
  const { market, instruments, close } = await marketOf(account, means);
  const venue = new PaperAccount({
    ...{ venue: account.name, instruments, scheduler: means.scheduler },
    settings: account.paper,
  });
  continuePaper(venue, journal);
  const places = new Map(instruments.map(({ symbol }, index) => [symbol, index]));
  return {
    ...{ venue, market, close, paper: venue },
    row: (symbol, columns, row) => {
      const index = places.get(symbol);
      if (index !== undefined) venue.market(index, columns, row);
    },
  };
}

interface PaperMarket {
  readonly market: MarketSource;
  readonly instruments: readonly Instrument[];
  readonly close: () => Promise<void>;
}

async function marketOf(account: AccountSettings, means: Means): Promise<PaperMarket> {
  const { scheduler, random, log } = means;
  if (account.market.kind === 'recordings') {
    const { paths, speed } = account.market;
    const market = new RecordedMarket({ paths, speed, scheduler });
    return { market, instruments: market.instruments, close: () => Promise.resolve() };
  }
  const client = clientOf(account, means);
  const warn = warnTo(log, account.name);
  try {
    const instruments = instrumentsOf(await client.rest.getSymbols(), [], warn);
    const market = new TradingMarket({ client, scheduler, random, warn });
    return { market, instruments, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function clientOf({ service }: AccountSettings, { scheduler, random }: Means): TradingClient {
  const { url, credentials } = service;
  return new TradingClient({
    ...{ url, scheduler, random },
    ...(credentials === undefined
      ? {}
      : { credentials: { ...credentials, scheme: 'hs256' as const } }),
  });
}

const warnTo =
  (log: Log, account: string) =>
  ({ code, message }: MillraceError): void =>
    log.warn(`${message} (${account})`, { code });
