import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { sizeOf } from '../../kit/size.ts';
import { folder } from '../rig.ts';
import { BotProcess, ChildProcessOf } from './bot-process.ts';
import { expectSure, pause } from './sure.ts';
import { expectSame } from './trial.ts';
import { clientOf } from './venue.ts';

const CHILD = fileURLToPath(new URL('./venue-child.ts', import.meta.url));
/** How often somebody is killed. */
export const BOTH_KILLS = sizeOf('MILLRACE_VENUE_KILLS', 2, 24);
/** A life ends after at most so many requests. */
const REQUESTS_MAX = 30;

type Victim = 'bot' | 'venue' | 'both';
const VICTIMS: readonly Victim[] = ['both', 'venue', 'venue', 'bot'];

/** A venue that keeps its state, at the port that it had before; gives its port too. */
async function startVenue(port: number, data: string): Promise<readonly [ChildProcessOf, number]> {
  const venue = new ChildProcessOf(CHILD, [String(port), data]);
  await venue.says('port');
  return [venue, Number(venue.lines[0]?.split(' ')[1])];
}

/**
 * Kills a venue, its bot, or both, again and again at random moments. Then nothing that the venue
 * has answered is gone, and journal and venue say the same. Gives how many orders and fills there were.
 */
export async function bothKilledTrial(seed: number): Promise<string> {
  const random = new Random(seed);
  const kept = folder();
  const data = folder();
  const path = join(data, 'main.sqlite');
  let [venue, port] = await startVenue(0, kept);
  const newBot = (life: number): BotProcess => new BotProcess(port, data, seed * 1_000 + life);
  let bot = newBot(0);
  await bot.says('ready');
  for (let kill = 0; kill < BOTH_KILLS; kill += 1) {
    const sent = bot.lines.filter((line) => line.startsWith('sent')).length;
    await bot.says('sent', sent + random.integer(1, REQUESTS_MAX));
    await pause(random.integer(0, 20));
    const victim = VICTIMS[kill % VICTIMS.length];
    if (victim !== 'bot') await venue.kill();
    if (victim !== 'venue') await bot.kill();
    expect(bot.errors).toBe('');
    expect(venue.errors).toBe('');
    // Whoever is left alone has a moment in which it finds nobody.
    if (victim !== 'bot') {
      await pause(random.integer(0, 200));
      [venue, port] = await startVenue(port, kept);
    }
    if (victim !== 'venue') {
      bot = newBot(kill + 1);
      await bot.says('ready');
    }
  }
  await expectSure(bot, path);
  expect(await bot.stop()).toBe(0);
  const client = clientOf(port);
  try {
    return await expectSame(client, path);
  } finally {
    await client.close();
    await venue.stop();
  }
}
