import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { MillraceError } from '../../model/errors.ts';
import { US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import { planText, readPlan } from './texts.ts';

/** Prices move on: a plan that was shown longer ago is made anew. */
const GOOD_FOR_US = 10 * US_PER_MINUTE;

/** Keeps the plan that a person was shown last, so that just this one can be confirmed. For its owner alone. */
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

/**
 * The plan that was shown under an id. Throws `usage` where another one or none was shown last, or this
 * one too long ago: what is confirmed is what was seen.
 */
export function shownPlan(path: string, id: string, now: Micros): RebalancePlan {
  const plan = shownLast(path);
  if (plan?.id !== id) {
    const last = plan === undefined ? 'none was shown yet' : `the last one was ${plan.id}`;
    throw unconfirmed(`No plan ${id} was shown last; ${last}.`);
  }
  if (now - plan.createdAt > GOOD_FOR_US) {
    throw unconfirmed(`The plan ${id} is more than ${GOOD_FOR_US / US_PER_MINUTE} minutes old.`);
  }
  return plan;
}

/** `undefined` where there is none that can be read, as of an older version. */
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
