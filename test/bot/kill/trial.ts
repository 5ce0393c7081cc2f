import { join } from 'node:path';
import { expect } from 'vitest';
import type { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../../src/platform/time.ts';
import { sizeOf } from '../../kit/size.ts';
import { openCrossAccount } from '../../gateways/ccxt/hitbtc.ts';
import { Hop } from '../faults/hop.ts';
import { folder } from '../rig.ts';
import { journalBooks, moneyAfter, venueBooks } from './books.ts';
import { BotProcess, type Scenario } from './bot-process.ts';
import { expectParts, expectSameOnMargin } from './margin-books.ts';
import { expectSure, pause } from './sure.ts';
import { openTrialVenue } from './venue.ts';

/** How often the bot of one trial is killed; there are two trials. */
export const KILLS = sizeOf('MILLRACE_KILLS', 4, 50);

/** Before one of so many kills, nothing that was intended a while ago may be unsure. */
const SURE_EACH = 10;
/** A life ends after at most so many requests, however long the machine takes for them. */
const REQUESTS_MAX = 40;

/** Within this a bot whose connections were cut may be back or not. */
const BACK_MS = 600;

const scheduler = new SystemScheduler();

/** The part of requests by ccxt whose answer is lost. */
const LOST_ANSWERS = 0.03;

/** How many requests have left a bot. */
const reportedBy = ({ lines }: BotProcess): number =>
  lines.filter((line) => line.startsWith('sent')).length;

/**
 * Kills a bot again and again, at random moments, some of them while it is still starting. Then no
 * order is lost, doubled or unknown, and journal and venue say the same to the last digit. Gives how many
 * orders and fills there were.
 *
 * On margin and through ccxt the connections to the venue are cut too, before half of the kills: some bots are killed before
 * they are back, some once they trade again.
 */
export async function killTrial(
  seed: number,
  scenario: Scenario = 'spot',
  kills = KILLS,
): Promise<string> {
  const trial = await openTrialVenue(scenario);
  const hop = await Hop.open(trial.port);
  const random = new Random(seed);
  if (scenario === 'ccxtMargin') await openCrossAccount(trial.client, '50000', '10');
  if (scenario === 'ccxt' || scenario === 'ccxtMargin') {
    // Its requests are calls, of which some are done and not answered.
    hop.answers = (method) => method === 'GET' || !random.chance(LOST_ANSWERS);
  }
  let cuts = 0;
  const cut = async (bot: BotProcess): Promise<void> => {
    cuts += 1;
    hop.cut();
    if (random.chance(0.5)) await pause(random.integer(0, BACK_MS));
    else await bot.says('sent', reportedBy(bot) + random.integer(1, REQUESTS_MAX));
  };
  const data = folder();
  const path = join(data, 'main.sqlite');
  let startMs = 600;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const bornAt = scheduler.now();
      const bot = new BotProcess(hop.port, data, seed * 1_000 + kill, { scenario });
      if (random.chance(0.85)) {
        await bot.says('ready');
        startMs = Math.ceil((scheduler.now() - bornAt) / US_PER_MS);
        await bot.says('sent', random.integer(0, REQUESTS_MAX));
        if (scenario !== 'spot' && random.chance(0.5)) await cut(bot);
        if (kill % SURE_EACH === SURE_EACH - 1) await expectSure(bot, path);
        await pause(random.integer(0, 20));
      } else {
        await pause(random.integer(0, startMs));
      }
      await bot.kill();
      expect(bot.errors).toBe('');
    }
    const last = new BotProcess(hop.port, data, seed, { scenario });
    await last.says('sent', REQUESTS_MAX);
    await expectSure(last, path);
    expect(await last.stop()).toBe(0);
    if (isSpot(scenario)) {
      return `${await expectSame(trial.client, path, kills)}, ${cuts} cuts`;
    }
    const all = `${await expectSameOnMargin(trial.client, path)}, ${cuts} cuts`;
    return scenario === 'shared' ? `${all}; ${expectParts(path)}` : all;
  } finally {
    hop.close();
    await trial.close();
  }
}

const isSpot = (scenario: Scenario): boolean => scenario === 'spot' || scenario === 'ccxt';

/** What journal and venue say once the bot has ended. */
export async function expectSame(
  client: TradingClient,
  path: string,
  kills = KILLS,
): Promise<string> {
  const venue = await venueBooks(client);
  const journal = journalBooks(path);
  expect(venue.orders.size).toBeGreaterThan(kills * 5);
  expect(venue.fills.size).toBeGreaterThan(kills);
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
}
