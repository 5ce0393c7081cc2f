import { z } from 'zod';
import { checker, type CheckResult, type Verdict } from '../../bot/doctor/check-result.ts';
import { MillraceError } from '../../model/errors.ts';
import { systemRandom } from '../../platform/system-random.ts';
import type { Destination } from '../../bot/settings/notifications.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { readConfig } from '../../config/document.ts';
import { readBotConfig, type BotConfig } from '../bot-config.ts';
import { ownConfig } from '../own-config.ts';
import type { Environment } from '../bot/secret.ts';
import { paint, type Terminal } from '../terminal.ts';

/** Flags of `millrace doctor`. */
export interface DoctorFlags {
  readonly json?: true;
  readonly notify?: true;
}

/** Checks everything that a bot needs; throws `check-failed` if something is missing. */
export async function doctor(
  configPath: string | undefined,
  { json, notify }: DoctorFlags,
  { out, env }: Terminal,
): Promise<void> {
  const path = ownConfig('bot', configPath);
  const found = await findings(path, env, notify === true);
  for (const one of found) {
    out.write(json === true ? `${JSON.stringify(one)}\n` : `${line(one, out)}\n`);
  }
  const failed = found.filter(({ verdict }) => verdict === 'fail').length;
  if (failed === 0) return;
  throw new MillraceError(
    'check-failed',
    `${failed} of ${found.length} checks of ${path} failed; what to do stands below each.`,
  );
}

/** A configuration that cannot be read is what ails the bot, and all else waits for it. */
async function findings(
  path: string,
  env: Environment,
  sends: boolean,
): Promise<readonly CheckResult[]> {
  const { ok, warn, fail } = checker('configuration');
  const dependencies = {
    scheduler: new SystemScheduler(),
    random: systemRandom(),
    nodeVersion: process.versions.node,
  };
  const warned = (warnings: readonly string[]): readonly CheckResult[] =>
    warnings.map((warning) => warn(warning, 'Do so before the bot is live.'));
  try {
    if (isPortfolio(path)) {
      const { readRebalancingConfig } = await import('../rebalancing-config.ts');
      const { settings, warnings } = await readRebalancingConfig(path, env);
      const { examinePortfolio } = await import('../../bot/doctor/doctor.ts');
      const sound = ok(`${path} is sound: the portfolio ${settings.name}.`);
      const found = await examinePortfolio({ settings, ...dependencies });
      return [sound, ...warned(warnings), ...found];
    }
    const config = await readBotConfig(path, env);
    const { settings, warnings } = config;
    const { examine } = await import('../../bot/doctor/doctor.ts');
    const sound = ok(`${path} is sound: ${settings.name}, ${settings.mode}.`);
    return [
      sound,
      ...warned(warnings),
      ...(await examine({ settings, ...dependencies })),
      ...(await checkTargets(config, sends, dependencies.scheduler)),
    ];
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return [fail(error.message, 'Mend it there, and ask again.')];
  }
}

/** True for a configuration of `millrace rebalance`; one that cannot be read is reported later. */
function isPortfolio(path: string): boolean {
  try {
    return 'targets' in readConfig(path, z.looseObject({}));
  } catch {
    return false;
  }
}

/** Checks that notification targets take messages; sends one to each if `sends`. */
async function checkTargets(
  { notifications, settings }: BotConfig,
  sends: boolean,
  scheduler: Scheduler,
): Promise<readonly CheckResult[]> {
  if (notifications === undefined) {
    if (!sends) return [];
    const { fail } = checker('notifications');
    return [fail('There are no targets.', 'Name them in notifications of the configuration.')];
  }
  const { probe, sendTest } = await import('../../bot/notifications/check.ts');
  const sender = { bot: settings.name, mode: settings.mode };
  const found: CheckResult[] = [];
  for (const target of notifications.targets) {
    const { kind } = target.destination;
    const { ok, fail } = checker('notifications', target.name);
    const fault = await (sends ? sendTest(target, sender, scheduler) : probe(target, scheduler));
    const sound = sends ? 'A test message was sent.' : `It takes messages (${kind}).`;
    found.push(fault === undefined ? ok(sound) : fail(`It takes no messages (${kind}): ${fault}`, ADVICE[kind])); // prettier-ignore
  }
  return found;
}

const ADVICE = {
  telegram: 'Look at token and chat; the bot must be in the chat, or have been sent /start there.',
  slack: 'Make a new incoming webhook, and write its address to where url says.',
  discord: 'Make a new webhook of the channel, and write its address to where url says.',
  webhook: 'Look at its address, headers and log.',
} as const satisfies Record<Destination['kind'], string>;

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<
  Verdict,
  string
>;

function line(
  { check, about, verdict, message, advice }: CheckResult,
  out: Terminal['out'],
): string {
  const head = `${paint(out, COLOURS[verdict], verdict.padEnd(4))}  ${check}${about === undefined ? '' : ` (${about})`}: ${message}`;
  return advice === undefined ? head : `${head}\n      ${advice}`;
}
