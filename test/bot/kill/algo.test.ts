import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { instruments } from '../../server/instruments.ts';
import { folder } from '../rig.ts';
import { journalBooks, venueBooks } from './books.ts';
import { BotProcess } from './bot-process.ts';
import { pause } from './sure.ts';
import { KILLS } from './trial.ts';
import { openTrialVenue } from './venue.ts';
import { WORKED } from './worker.ts';

test(
  `algo orders of a bot that is killed ${KILLS} times fill their quantity and no lot more, and its trailing stop never goes back`,
  { timeout: 60_000 + KILLS * 15_000 },
  async ({ annotate }) => {
    const trial = await openTrialVenue('algo');
    const data = folder();
    const path = join(data, 'main.sqlite');
    const random = new Random(5);
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const bot = new BotProcess(trial.port, data, kill, { scenario: 'algo' });
        await bot.says('ready');
        await pause(random.integer(20, 700));
        await bot.kill();
        expect(bot.errors).toBe('');
      }
      const last = new BotProcess(trial.port, data, 1, { scenario: 'algo' });
      await last.says('ready');
      while (!isOver(path)) {
        last.expectRunning();
        await pause(100);
      }
      expect(await last.stop()).toBe(0);
      const venue = await venueBooks(trial.client);
      const journal = journalBooks(path);
      expect(new Map([...journal.fills].sort())).toEqual(new Map([...venue.fills].sort()));
      const traded = (side: string): string =>
        [...venue.fills.values()]
          .filter(({ order }) => venue.orders.get(order)?.side === side)
          .reduce((sum, { quantity }) => sum.plus(decimal(quantity)), ZERO)
          .toFixed();
      const btc = instruments().find(({ symbol }) => symbol === 'BTCUSDT');
      const size = (lots: number): string | undefined => btc?.size(lots as never).toFixed();
      expect(traded('buy')).toBe(size(WORKED.twap));
      expect(traded('sell')).toBe(size(WORKED.iceberg));
      const stops = stopPrices(path);
      expect(stops).toEqual(stops.toSorted((one, other) => one - other));
      expect(new Set(stops).size).toBeGreaterThan(1);
      await annotate(
        `${venue.orders.size} orders, ${venue.fills.size} fills, ${stops.length} stops`,
      );
    } finally {
      await trial.close();
    }
  },
);

/** True once the journal has that both algo orders are over, in whichever life that was. */
function isOver(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT value FROM facts WHERE name LIKE 'managed one %-0001'")
    .all();
  database.close();
  return rows.length === 2 && rows.every((row) => String(row['value']).includes('"isOver":true'));
}

/** The stop prices of all stop orders, in the order in which they were asked for. */
function stopPrices(path: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      "SELECT stop_ticks FROM orders WHERE stop_ticks IS NOT NULL AND status <> 'rejected' ORDER BY intended_at, client_order_id",
    )
    .all();
  database.close();
  return rows.map((row) => Number(row['stop_ticks']));
}
