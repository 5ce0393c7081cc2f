import { constants } from 'node:os';
import { ControlServer } from '../../bot/control/server.ts';
import { BotMetrics } from '../../bot/control/metrics/metrics.ts';
import { openLog, type RootLog } from '../../bot/logs/log.ts';
import type { Meter, BotApi, OrderLine } from '../../bot/api/bot-api.ts';
import type { ShutdownSettings } from '../../bot/settings/settings.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';
import type { BotConfig } from '../bot-config.ts';
import { internalError } from '../failure.ts';
import type { Notifier } from '../../bot/notifications/notifier.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { messageOf } from '../../config/excerpt.ts';
import { interruptible, Stopped } from '../../platform/interruption.ts';
import { version } from '../../modules/package.ts';
import { isTerminal, type Terminal } from '../terminal.ts';
import { type Signals } from '../../platform/interruption.ts';
import type { Environment } from './secret.ts';

/** A bot that can be run: operated, closed as configured, and perhaps ending by itself. */
export interface Runnable extends BotApi {
  close(): Promise<void>;
  /** Resolves when it has nothing more to do, rejects when it cannot continue. */
  readonly ended?: Promise<void> | undefined;
}

/** Options for opening a bot. */
export interface RunParts {
  readonly scheduler: Scheduler;
  readonly log: RootLog;
  readonly meter: Meter;
  /** Set if notifications are configured. */
  readonly notifier: Notifier | undefined;
  /** Aborts a bot that is still opening. */
  readonly signal: AbortSignal;
  /** The environment with its secrets, for reading the configuration again. */
  readonly env: Environment;
}

export type Opener = (config: BotConfig, parts: RunParts) => Promise<Runnable>;

/** Beyond the stated time a bot that does not end is left to its journal. */
const GRACE_US = 5 * US_PER_SECOND;
/** Time for the notifications that wait at the end. */
const NOTIFY_WITHIN_US = 5 * US_PER_SECOND;

/**
 * Runs a bot until a signal ends it, it ends itself or it cannot continue. The control API listens first
 * and closes last, so that an observer sees the bot start and stop.
 */
export async function runBot(config: BotConfig, open: Opener, terminal: Terminal): Promise<void> {
  const { settings } = config;
  const scheduler = new SystemScheduler();
  const { env, signals } = terminal;
  const log = await logOf(config, scheduler, terminal);
  const meter = new BotMetrics({ bot: settings.name, mode: settings.mode, version: version() });
  const notifier = await notifierOf(config, scheduler, log);
  const run: Run = { hasStarted: false };
  let left: MillraceError | undefined;
  try {
    await interruptible(
      async (signal) => {
        const stopped = stopping(signal, signals, log);
        const control = await ControlServer.open({
          name: settings.name,
          pid: process.pid,
          settings: config.control,
          metrics: meter,
          log,
        });
        try {
          log.hide(control.token);
          welcome(config, control.url, log);
          const parts = { scheduler, log, meter, notifier, signal, env };
          left = await live(config, open, control, parts, { stopped, signals, run });
        } finally {
          await control.close();
        }
      },
      stray,
      signals,
    );
    // It was stopped; what it could not end is still reported to the caller.
    if (left !== undefined) throw left;
    reportEnd(run, undefined, notifier, scheduler);
  } catch (error) {
    reportEnd(run, error, notifier, scheduler);
    throw error;
  } finally {
    await notifier?.close(NOTIFY_WITHIN_US);
    log.close();
  }
}

/** State of a bot's run. */
interface Run {
  hasStarted: boolean;
}

/** Prints how a bot ended; nothing for one that was stopped while it started. */
function reportEnd(
  { hasStarted }: Run,
  error: unknown,
  notifier: Notifier | undefined,
  scheduler: Scheduler,
): void {
  const at = scheduler.now();
  const isAskedFor = error === undefined || error instanceof Stopped;
  const why = isAskedFor ? undefined : messageOf(error);
  if (hasStarted) notifier?.take({ kind: 'stopped', at, why });
  else if (why !== undefined) notifier?.take({ kind: 'start-failed', at, why });
}

/** From the first recovery to the last cancel; returns what was to be ended and was not. */
async function live(
  { settings, ...config }: BotConfig,
  open: Opener,
  control: ControlServer,
  parts: RunParts,
  { stopped, signals, run }: { readonly stopped: Promise<void>; readonly signals: Signals; readonly run: Run }, // prettier-ignore
): Promise<MillraceError | undefined> {
  const { log, notifier, scheduler } = parts;
  const opening = open({ settings, ...config }, parts);
  // A bot that is stopped while it still connects has sent nothing that its journal does not have.
  const bot = await Promise.race([opening, stopped]);
  if (bot === undefined) {
    // It releases its journals and connections; a bot that was open by then is closed normally.
    const late = await opening.catch(() => undefined);
    const left = late && (await closed(late, settings.shutdown));
    log.info('The bot was stopped while it started.');
    return left;
  }
  control.attach(bot);
  run.hasStarted = true;
  notifier?.attach(bot);
  notifier?.take({
    kind: 'started',
    at: scheduler.now(),
    accounts: settings.accounts.map(({ name }) => name),
    strategies: bot
      .status()
      .strategies.map(({ name, state }) => (state === 'running' ? name : `${name} (${state})`)),
    isAfterCrash: control.isAfterCrash,
  });
  const reload = (): void => {
    void reloaded(bot, log);
  };
  signals.on('SIGHUP', reload);
  let left: MillraceError | undefined;
  try {
    await Promise.race([stopped, ...(bot.ended === undefined ? [] : [bot.ended])]);
  } finally {
    signals.off('SIGHUP', reload);
    left = await closed(bot, settings.shutdown);
    if (left !== undefined) log.error(left.message);
    log.info('The bot has ended.');
  }
  return left;
}

/**
 * Closes a bot, and gives up after the time that it announced, measured by a separate clock. Returns the
 * error that names the orders which should have been canceled and are still open.
 */
async function closed(
  bot: Runnable,
  { orders, withinUs }: ShutdownSettings,
): Promise<MillraceError | undefined> {
  const scheduler = new SystemScheduler();
  const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>();
  const cancel = scheduler.at(micros(scheduler.now() + withinUs + GRACE_US), () => {
    giveUp('late');
  });
  try {
    const isLate = (await Promise.race([bot.close(), late])) === 'late';
    const open = orders === 'cancel' || isLate ? bot.orders() : [];
    return isLate || open.length > 0 ? leftError(open, isLate, withinUs) : undefined;
  } finally {
    cancel();
  }
}

/** Most orders named; the journal has all. */
const NAMED_MAX = 20;

function leftError(open: readonly OrderLine[], isLate: boolean, withinUs: number): MillraceError {
  const named = open.slice(0, NAMED_MAX).map(({ clientOrderId, symbol }) => `${clientOrderId} (${symbol})`); // prettier-ignore
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  const which = open.length === 0 ? '' : ` Open at the venue, as far as known: ${named.join(', ')}${more}.`; // prettier-ignore
  const how = isLate
    ? `The bot did not end within ${withinUs / US_PER_SECOND} s and is left as it is.`
    : 'The bot ended, and some orders could not be canceled.';
  return new MillraceError(
    'outcome-unknown',
    `${how}${which} Look at them at the venue; the journal has every order, and the next start looks after them.`,
  );
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
function stopping(signal: AbortSignal, signals: Signals, log: RootLog): Promise<void> {
  return new Promise((resolve) => {
    const onAbort = (): void => {
      const why: unknown = signal.reason;
      if (why instanceof Stopped) log.info('Stopping. A second signal ends the process at once.');
      else log.error(`Stops because of an error: ${messageOf(why)}`);
      for (const name of ['SIGINT', 'SIGTERM'] as const) {
        signals.once(name, () => {
          log.warn(`Ends at once by a second signal, ${name}; the journal has every order.`);
          // For process 1 of a container a signal without a listener would do nothing.
          process.exit(128 + constants.signals[name]);
        });
      }
      resolve();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Millrace itself leaves nothing floating while a bot runs; a strategy may. */
const stray = (error: unknown): Error =>
  error instanceof MillraceError
    ? error
    : new MillraceError('internal', internalError(error).message, { cause: error });

async function reloaded(bot: BotApi, log: RootLog): Promise<void> {
  try {
    const { taken, needsRestart } = await bot.reload();
    log.info('The configuration was reloaded.', { taken, needsRestart });
  } catch (error) {
    log.error(`The configuration could not be taken over: ${messageOf(error)}`);
  }
}

async function logOf(
  config: BotConfig,
  scheduler: Scheduler,
  { out, env }: Terminal,
): Promise<RootLog> {
  return openLog({
    ...config.log,
    bot: config.settings.name,
    scheduler,
    secrets: config.secrets,
    out,
    show: isTerminal(out) ? await linesForPeople(env) : undefined,
  });
}

/** The notifier, loaded if targets are configured. */
async function notifierOf(
  { notifications, settings }: BotConfig,
  scheduler: Scheduler,
  log: RootLog,
): Promise<Notifier | undefined> {
  if (notifications === undefined) return undefined;
  const { Notifier: Loaded } = await import('../../bot/notifications/notifier.ts');
  const { name: bot, mode } = settings;
  const clean = (text: string): string => log.clean(text);
  return new Loaded(notifications, { scheduler, random: systemRandom(), log, sender: { bot, mode }, clean }); // prettier-ignore
}

async function linesForPeople(env: Environment): Promise<(line: string) => string> {
  const { forPeople } = await import('../../bot/logs/for-people.ts');
  return forPeople(env['NO_COLOR'] === undefined);
}

function welcome({ settings, path, warnings }: BotConfig, url: string, log: RootLog): void {
  const { mode, strategies } = settings;
  const money = mode === 'live' ? 'its orders go to the service' : 'its orders are played here';
  log.info(`Millrace ${version()} starts ${settings.name} of ${path}: ${mode}, ${money}.`, {
    mode,
    strategies: strategies.map(({ name }) => name),
    control: url,
    pid: process.pid,
  });
  for (const warning of warnings) log.warn(warning);
}
