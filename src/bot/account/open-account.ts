import { unlessAborted } from '../../platform/aborted.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { VenueConnection } from '../connection/venue-connection.ts';
import { Journal } from '../journal/journal.ts';
import { journalPath } from '../journal/path.ts';
import type { Meter } from '../api/bot-api.ts';
import { recalled } from '../risk/equity-memory.ts';
import { Guards } from '../risk/guards.ts';
import type { States } from '../risk/states.ts';
import type { AccountSettings, BotSettings } from '../settings/settings.ts';
import { Account, type AccountListener } from './account.ts';
import type { AccountContext } from './account-context.ts';
import { MarketHub } from './market-hub.ts';
import { marketNeeds } from './market-needs.ts';
import { errorText } from '../../model/errors.ts';

export interface OpenAccountOptions {
  readonly settings: AccountSettings;
  readonly bot: BotSettings;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Meter;
  readonly states: States;
  readonly listener: AccountListener;
  /** Ends the opening of what nobody wants any more. */
  readonly signal?: AbortSignal | undefined;
  /** Connects the account to its venue and its market: the service, or the exchange of this process. */
  connect(
    account: AccountSettings,
    settings: BotSettings,
    journal: Journal,
  ): VenueConnection | Promise<VenueConnection>;
}

/**
 * Opens an account: its journal, which locks it, then the venue, from which the journal is repaired. Throws
 * what keeps the account from trading, with nothing left open.
 */
export async function openAccount(options: OpenAccountOptions): Promise<AccountContext> {
  const { settings, bot, scheduler, random, log, listener, signal } = options;
  const { name } = settings;
  // Trades on paper are no part of live ones.
  const journal = Journal.open(journalPath(bot, name), {
    account: name,
    scheduler,
    random,
    holder: bot.name,
    retentionUs: bot.journal?.retentionUs,
    notice: (sentence) => log.warn(sentence),
    failed: (error) => listener.journalFailed(error, name),
  });
  let connection: VenueConnection;
  try {
    connection = await unlessAborted(
      Promise.resolve(options.connect(settings, bot, journal)),
      signal,
    );
  } catch (error) {
    journal.close();
    throw error;
  }
  const { market, paper, close = () => Promise.resolve() } = connection;
  const account = accountOf(options, journal, connection);
  try {
    await unlessAborted(account.open(), signal);
    const hub = hubOf(options, account, connection);
    account.strategies.trade(hub);
    const guards = new Guards(settings.risk, recalled(journal, `account:${name}`));
    return { settings, account, hub, market, paper, guards, movesInventory: false, close };
  } catch (error) {
    await account.close();
    await close();
    throw error;
  }
}

const strategiesOf = ({ strategies }: BotSettings, account: string): BotSettings['strategies'] =>
  strategies.filter((one) => one.account === account);

/** Symbols that the strategies of an account trade. */
const symbolsOf = (bot: BotSettings, account: string): readonly string[] => [
  ...new Set(strategiesOf(bot, account).flatMap(({ symbols }) => symbols)),
];

function accountOf(
  options: OpenAccountOptions,
  journal: Journal,
  { venue, paper }: VenueConnection,
): Account {
  const { settings, bot, scheduler, log, meter, states, listener } = options;
  const { name, risk: limits, service } = settings;
  return new Account({
    name,
    venue,
    journal,
    rules: bot.reconciliation,
    limits,
    symbols: symbolsOf(bot, name),
    scheduler,
    log,
    meter,
    states,
    listener,
    key: bot.mode === 'live' ? service?.credentials?.key : undefined,
    strategies: strategiesOf(bot, name).map((one) => one.name),
    isInBook: paper === undefined,
    sharedMargin: settings.sharedMargin,
  });
}

/** The market has instruments once the account is open. */
function hubOf(
  options: OpenAccountOptions,
  account: Account,
  { market, row, paper, states }: VenueConnection,
): MarketHub {
  const { settings, bot, scheduler, log, meter } = options;
  const { name } = settings;
  const receivedOnce = new Set<string>();
  return new MarketHub(
    symbolsOf(bot, name).map((symbol) => account.instruments.get(symbol)),
    {
      scheduler,
      market,
      row,
      states,
      needs: (symbol) => marketNeeds(account, symbol, paper !== undefined),
      unsubscribed: (error) => {
        const why = errorText(error);
        log.warn(`A market of ${name} could not be subscribed to: ${why}`);
      },
      feedDelay: (us) => meter.feedDelay(name, us),
      connectionState: (symbol, connectionState, why) => {
        if (connectionState === 'lost') {
          log.warn(`The market of ${symbol} (${name}) is disconnected: ${why ?? 'no reason'}`);
          return;
        }
        log.info(`The market of ${symbol} (${name}) is connected.`);
        if (receivedOnce.has(symbol)) meter.reconnected(name, 'market');
        receivedOnce.add(symbol);
      },
    },
  );
}
