import { join } from 'node:path';
import { expect } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_MS } from '../../../src/platform/time.ts';
import { folder } from '../rig.ts';
import { journalBooks, moneyAfter, unsureBefore, venueBooks } from './books.ts';
import { BotProcess } from './bot-process.ts';
import { openTrialVenue } from './venue.ts';

/** How often the bot of one trial is killed; there are two trials in the test command. */
export const KILLS = Number(process.env['MILLRACE_KILLS'] ?? 50);

/** One of so many lives is long enough for a comparison, after which nothing old may be unsure. */
const LONG_LIFE = 10;
/** A comparison, and how long an order may be unknown to the venue before it is taken for lost. */
const SURE_AFTER_MS = 3_200;

const scheduler = new SystemScheduler();
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    scheduler.at(micros(scheduler.now() + ms * US_PER_MS), resolve);
  });

/**
 * Kills a bot again and again, at random moments, some of them while it is still starting. Then no
 * order is lost, doubled or unknown, and journal and venue say the same to the last digit. Gives how many
 * orders and fills there were.
 */
export async function killTrial(seed: number): Promise<string> {
  const trial = await openTrialVenue();
  const random = new Random(seed);
  const data = folder();
  const path = join(data, 'main.sqlite');
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const bot = new BotProcess(trial.port, data, seed * 1_000 + kill);
      const isLong = kill % LONG_LIFE === LONG_LIFE - 1;
      if (isLong || random.chance(0.85)) await bot.says('ready');
      await pause(isLong ? SURE_AFTER_MS + 300 : random.integer(0, 600));
      if (isLong) {
        const before = micros(scheduler.now() - SURE_AFTER_MS * US_PER_MS);
        expect(unsureBefore(path, before)).toEqual([]);
      }
      await bot.kill();
      expect(bot.errors).toBe('');
    }
    const last = new BotProcess(trial.port, data, seed);
    await last.says('ready');
    await pause(SURE_AFTER_MS);
    expect(await last.stop()).toBe(0);

    const venue = await venueBooks(trial.client);
    const journal = journalBooks(path);
    expect(venue.orders.size).toBeGreaterThan(KILLS * 5);
    expect(venue.fills.size).toBeGreaterThan(KILLS);
    expect([...venue.orders.keys()].filter((id) => journal.neverThere.has(id))).toEqual([]);
    expect(new Map([...journal.orders].sort())).toEqual(new Map([...venue.orders].sort()));
    expect(new Map([...journal.fills].sort())).toEqual(new Map([...venue.fills].sort()));
    const money = moneyAfter(venue.fills.values(), venue.orders);
    expect(venue.balances).toEqual(money);
    expect(journal.balances).toEqual({
      ...money,
      'BTC by fills': money.BTC,
      'USDT by fills': money.USDT,
    });
    const { orders, fills } = venue;
    return `${orders.size} orders, ${fills.size} fills, ${journal.neverThere.size} never there`;
  } finally {
    await trial.close();
  }
}
