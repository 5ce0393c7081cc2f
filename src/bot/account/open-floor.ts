import type { OrderRequest } from '../../model/order-request.ts';
import type { MarketUse } from '../../engine/market/use.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';
import { unlessAborted } from '../../platform/aborted.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import { Journal } from '../journal/journal.ts';
import { journalPath } from '../journal/path.ts';
import type { Meter } from '../operated.ts';
import { Guards } from '../risk/guards.ts';
import { recalled } from '../operation/equity-memory.ts';
import type { AccountSettings, BotSettings } from '../settings.ts';
import { Account } from './account.ts';
import type { Behind, Floor } from './floor.ts';
import { MarketHub } from './market-hub.ts';
import type { BestOf } from './unshown.ts';
import type { Seat } from './seat.ts';

export interface FloorSetup {
  readonly settings: AccountSettings;
  readonly bot: BotSettings;
  /** What the strategies of the account trade. */
  readonly symbols: readonly string[];
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Meter;
  readonly signal: AbortSignal | undefined;
  behind(journal: Journal): Behind | Promise<Behind>;
  refusal(seat: Seat, request: OrderRequest): Refusal | undefined;
  /** What the bot itself needs of the market of a symbol. */
  needs(account: Account, instrument: Instrument, isPaper: boolean): MarketUse;
  /** The best of a symbol's book as a strategy on the account knows it. */
  best: BestOf;
  rejected(seat: Seat, report: RejectReport): void;
  journalFailed(error: unknown): void;
  conflict(why: string): void;
}

/**
 * Opens an account: its journal, which locks it, then the venue, by whose word the journal is
 * healed. Throws what keeps it from being traded on, with nothing left open.
 */
export async function openFloor(setup: FloorSetup): Promise<Floor> {
  const { settings, bot, scheduler, random } = setup;
  const { name } = settings;
  // What was traded on paper is no part of what is live.
  const path = journalPath(bot, name);
  const journal = Journal.open(path, {
    ...{ account: name, scheduler, random, holder: bot.name },
    retentionUs: bot.journal?.retentionUs,
    notice: (sentence) => setup.log.warn(sentence),
    failed: (error) => setup.journalFailed(error),
  });
  let behind: Behind;
  try {
    behind = await unlessAborted(Promise.resolve(setup.behind(journal)), setup.signal);
  } catch (error) {
    journal.close();
    throw error;
  }
  const { floor, account } = assembled(setup, journal, behind);
  try {
    await unlessAborted(account.open(), setup.signal);
    return floor();
  } catch (error) {
    await account.close();
    await behind.close?.();
    throw error;
  }
}

/** The parts of a floor; the market has instruments only once the account is open. */
function assembled(
  setup: FloorSetup,
  journal: Journal,
  { venue, market, row, close, paper }: Behind,
): { readonly account: Account; readonly floor: () => Floor } {
  const { settings, bot, symbols, scheduler, log, meter } = setup;
  const { name, risk: limits } = settings;
  let hub: MarketHub | undefined;
  const heardOnce = new Set<string>();
  const account = new Account({
    ...{ name, venue, journal, rules: bot.reconciliation, symbols },
    key: bot.mode === 'live' ? settings.service.credentials?.key : undefined,
    strategies: bot.strategies.filter((one) => one.account === name).map((one) => one.name),
    host: {
      ...{ scheduler, log, meter },
      refusal: (seat, request) => setup.refusal(seat, request),
      marketTicks: (symbol) => hub?.lastTicks(symbol) ?? Number.NaN,
      cause: () => hub?.cause,
      best: paper === undefined ? setup.best : () => undefined,
      rejected: (seat, report) => setup.rejected(seat, report),
      journalFailed: (error) => setup.journalFailed(error),
      conflict: (why) => setup.conflict(why),
    },
  });
  const floor = (): Floor => {
    hub = new MarketHub(
      symbols.map((symbol) => account.instrument(symbol)),
      {
        ...(row === undefined ? {} : { row }),
        ...{ scheduler, market },
        needs: (symbol) => setup.needs(account, account.instrument(symbol), paper !== undefined),
        unsubscribed: (error) => {
          const why = error instanceof Error ? error.message : String(error);
          log.warn(`A market of ${name} could not be subscribed to: ${why}`);
        },
        feedDelay: (us) => meter.feedDelay(name, us),
        hearing: (symbol, hearing, why) => {
          if (hearing === 'lost') {
            log.warn(`The market of ${symbol} (${name}) is not heard of: ${why ?? 'no reason'}`);
            return;
          }
          log.info(`The market of ${symbol} (${name}) is heard of.`);
          if (heardOnce.has(symbol)) meter.reconnected(name, 'market');
          heardOnce.add(symbol);
        },
      },
    );
    const guards = new Guards(limits, recalled(journal, `account:${name}`));
    return {
      ...{ settings, account, hub, market, paper, limits, guards, movesInventory: false },
      close: close ?? (() => Promise.resolve()),
    };
  };
  return { account, floor };
}
