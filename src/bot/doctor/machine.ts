import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, MillraceError } from '../../model/errors.ts';
import { isNodeTooOld, NODE_MIN } from '../../platform/node-version.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { waitingFor } from '../journal/confirmation.ts';
import { lockHolder, takeAccountLock } from '../journal/lock.ts';
import { journalPath } from '../journal/path.ts';
import type { BotSettings } from '../settings/settings.ts';
import { checker, type CheckResult } from './check-result.ts';

export function checkNode(version: string): CheckResult {
  const { ok, fail } = checker('node');
  if (!isNodeTooOld(version)) return ok(`Node ${version} runs this.`);
  return fail(
    `Node ${version} runs this, and ${NODE_MIN} is needed.`,
    `Install Node ${NODE_MIN} or later.`,
  );
}

/** The folder itself, or what of its path is there already. */
function nearest(path: string): string {
  let here = path;
  while (!existsSync(here) && dirname(here) !== here) here = dirname(here);
  return here;
}

export function checkFolder(data: string): CheckResult {
  const { ok, fail } = checker('data folder');
  const place = nearest(data);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    if (!statSync(place).isDirectory()) throw new Error(`${place} is no folder`);
  } catch (error) {
    return fail(
      `No journal can be written to ${data}: ${errorText(error)}`,
      `Let this user write to ${place}, or name another folder as data.`,
    );
  }
  return ok(place === data ? `${data} can be written to.` : `${data} will be made.`);
}

const LITTLE = 1 << 30;
const TOO_LITTLE = 100 << 20;

/** `freeBytes` returns what is free on the disk of a folder; tests give their own. */
export function checkSpace(data: string, freeBytes = freeOn): CheckResult {
  const { ok, warn, fail } = checker('disk');
  const free = freeBytes(nearest(data));
  const reported = `${Math.floor(free / (1 << 20))} MiB are free for ${data}.`;
  const advice =
    'Free some space: without a journal nothing is sent, and a full disk halts the bot.';
  if (free < TOO_LITTLE) return fail(reported, advice);
  return free < LITTLE ? warn(reported, advice) : ok(reported);
}

function freeOn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Whether somebody trades on the accounts already. */
export function checkLocks(settings: BotSettings, scheduler: Scheduler): readonly CheckResult[] {
  return settings.accounts.map(({ name }) => {
    const { ok, warn, fail } = checker('journal', name);
    const path = journalPath(settings, name);
    const base = path.replace(/\.sqlite$/, '');
    if (!existsSync(`${base}.lock`))
      return ok('There is no journal yet; the first start makes it.');
    const before = lockHolder(base);
    try {
      // Whoever held it last stays written down.
      const holder = before ?? { pid: process.pid, name: 'doctor', startedAt: scheduler.now() };
      takeAccountLock(base, holder).release();
      const waiting = waitingFor(path);
      if (waiting.length > 0) {
        return warn(
          `The last start was refused: ${waiting.join(' ')}`,
          `Put it right, or confirm it with "millrace journal ${path} --accept".`,
        );
      }
      return ok('Nobody else trades on its journal.');
    } catch (error) {
      if (error instanceof MillraceError && error.code === 'journal-locked') {
        return warn(error.message, 'If that is the bot that you mean, all is well.');
      }
      return fail(errorText(error), `Look at the rights and the space of ${settings.data}.`);
    }
  });
}
