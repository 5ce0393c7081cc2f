import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { MillraceError } from '../../model/errors.ts';
import { US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import { planText, readPlan } from './texts.ts';

/** How long a plan can be confirmed, as prices move. */
const VALID_US = 10 * US_PER_MINUTE;

/** Keeps the plan shown last, readable by its owner alone, so that exactly this one can be confirmed. */
export function keepShown(path: string, plan: RebalancePlan): void {
  const next = `${path}.next`;
  try {
    writeFileSync(next, planText(plan), { mode: 0o600 });
    renameSync(next, path);
  } catch (cause) {
    throw new MillraceError(
      'journal-unwritable',
      `The plan cannot be kept in ${path}, so it cannot be confirmed by its id.`,
      { where: path, cause },
    );
  }
}

/** The plan shown last. Throws `usage` where its id is another one or it is too old. */
export function shownPlan(path: string, id: string, now: Micros): RebalancePlan {
  const plan = shownLast(path);
  if (plan?.id !== id) {
    const last = plan === undefined ? 'none was shown yet' : `the last one was ${plan.id}`;
    throw unconfirmed(`No plan ${id} was shown last; ${last}.`);
  }
  if (now - plan.createdAt > VALID_US) {
    throw unconfirmed(`The plan ${id} is more than ${VALID_US / US_PER_MINUTE} minutes old.`);
  }
  return plan;
}

/** `undefined` where there is none, or one of another version that cannot be read. */
function shownLast(path: string): RebalancePlan | undefined {
  try {
    return readPlan(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

const unconfirmed = (why: string): MillraceError =>
  new MillraceError('usage', `${why} Nothing was done: look at a new one with --plan.`, {
    field: '--confirm',
  });
