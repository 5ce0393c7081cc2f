import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_MS } from '../../../src/platform/time.ts';
import type { BotProcess } from './bot-process.ts';
import { LOST_AFTER_US } from './rules.ts';

/** An order is lost when so many truths in a row do not name it. */
const TRUTHS = 2;

const scheduler = new SystemScheduler();

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    scheduler.at(micros(scheduler.now() + ms * US_PER_MS), resolve);
  });

/**
 * Waits until the bot has compared its journal with as many truths as it takes to find what is lost,
 * however long the machine takes for them: nothing that was intended before is unsure then.
 */
export async function expectSure(bot: BotProcess, path: string): Promise<void> {
  const { intendedAt } = certainty(path);
  let last = intendedAt + LOST_AFTER_US;
  for (let truths = 0; truths < TRUTHS;) {
    bot.expectRunning();
    await pause(20);
    const { comparedAt } = certainty(path);
    if (comparedAt <= last) continue;
    last = comparedAt;
    truths += 1;
  }
  expect(unsureUpTo(path, intendedAt)).toEqual([]);
}

/** What a journal knows that is being written: times in microseconds, 0 where there is none. */
interface Certainty {
  /** When the last order was intended. */
  readonly intendedAt: number;
  /** The time of the last truth that it was compared with. */
  readonly comparedAt: number;
}

function certainty(path: string): Certainty {
  const database = new DatabaseSync(path, { readOnly: true });
  const number = (sql: string): number => Number(database.prepare(sql).get()?.['at'] ?? 0);
  const known = {
    intendedAt: number('SELECT max(intended_at) AS at FROM orders'),
    comparedAt: number("SELECT value AS at FROM facts WHERE name = 'reconciledAt'"),
  };
  database.close();
  return known;
}

/** Orders that were intended up to a time and of which the journal does not know what became. */
function unsureUpTo(path: string, at: number): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const unsure = database
    .prepare(
      "SELECT client_order_id FROM orders WHERE status IN ('pending', 'unknown') AND intended_at <= ?",
    )
    .all(at);
  database.close();
  return unsure;
}
