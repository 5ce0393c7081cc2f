import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven, folder, NO_LIMITS, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

/** Keeps others from writing a journal until it is called: another writer holds the file. */
function blockWrites(data: string): () => void {
  const database = new DatabaseSync(join(data, 'main.paper.sqlite'));
  let isHeld = true;
  const release = (): void => {
    if (isHeld) database.exec('ROLLBACK');
    isHeld = false;
  };
  database.exec('BEGIN IMMEDIATE');
  onTestFinished(() => {
    release();
    database.close();
  });
  return release;
}

describe('while the journal cannot be written', () => {
  const trading = async (): Promise<BotRig & { data: string }> => {
    const data = folder();
    const rig = await botRig({ data });
    rig.market.emit(BOOK);
    rig.commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 5, ticks: 9_900 }));
    await rig.pass(100);
    expect(rig.bot.orders()).toHaveLength(1);
    return { ...rig, data };
  };

  test.each(['halt', 'kill'] as const)(
    '%s cancels what is open, and the state is known to the next start',
    async (operation) => {
      const { bot, clock, data, pass } = await trading();
      const release = blockWrites(data);
      await driven(bot.operate(operation), clock);
      expect(bot.orders()).toEqual([]);
      expect(bot.status().state).toBe(operation === 'halt' ? 'halted' : 'killed');
      release();
      await pass(1_000);
      await driven(bot.close(), clock);
      const next = await botRig({ data, clock });
      expect(next.bot.status().state).toBe(operation === 'halt' ? 'halted' : 'killed');
      expect(next.bot.orders()).toEqual([]);
    },
  );

  test('a state is known to the next start where the journal was never written again', async () => {
    const { bot, clock, data } = await trading();
    const release = blockWrites(data);
    await driven(bot.operate('kill'), clock);
    await driven(bot.close(), clock);
    release();
    const next = await botRig({ data, clock });
    expect(next.bot.status().state).toBe('killed');
    expect(next.bot.status().why).toBe('An operator asked it to kill.');
  });

  test('resume does not come about, not at the next start either', async () => {
    const { bot, clock, data, pass } = await trading();
    await driven(bot.operate('halt'), clock);
    const release = blockWrites(data);
    await driven(bot.operate('resume'), clock);
    expect(bot.status().state).toBe('halted');
    release();
    await pass(1_000);
    await driven(bot.close(), clock);
    const next = await botRig({ data, clock });
    expect(next.bot.status().state).toBe('halted');
  });

  test('the end of the bot cancels what is open', async () => {
    const { bot, clock, data } = await trading();
    blockWrites(data);
    await driven(bot.close(), clock);
    expect(bot.orders()).toEqual([]);
  });

  test('flatten cancels, and says that nothing was sold', async () => {
    const { bot, clock, commands, data, market, pass } = await trading();
    commands[0]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 5 }));
    await pass(100);
    market.emit(BOOK);
    blockWrites(data);
    await expect(driven(bot.operate('flatten'), clock)).rejects.toThrow(
      /^The orders are canceled, and what is held was not all sold: BTCUSDT \(The journal could not be written/,
    );
    expect(bot.orders()).toEqual([]);
  });

  test('an order is refused and the bot halted, and a cancel is written down once the journal can be', async () => {
    const { bot, commands, data, pass } = await trading();
    const release = blockWrites(data);
    commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 9_800 }));
    await pass(100);
    expect(bot.orders()).toHaveLength(1);
    expect(bot.status().state).toBe('halted');
    void bot.operate('halt');
    await pass(1_000);
    expect(bot.orders()).toEqual([]);
    release();
    await pass(3_000);
    const file = new DatabaseSync(join(data, 'main.paper.sqlite'), { readOnly: true });
    const bodies = file.prepare("SELECT body FROM events WHERE kind = 'intended'").all();
    file.close();
    expect(bodies.map(({ body }) => JSON.parse(String(body)) as object)).toMatchObject([
      { kind: 'place' },
      { kind: 'cancel' },
    ]);
  });
});

describe('a bot whose journal was moved away', () => {
  const DEFAULT = new Set(['data', 'connection'] as const);
  const halted = async (autoResume: typeof DEFAULT) => {
    const data = folder();
    const rig = await botRig({ data, account: { risk: { ...NO_LIMITS, autoResume } } });
    rig.market.emit(BOOK);
    const path = join(data, 'main.paper.sqlite');
    renameSync(path, `${path}.away`);
    await rig.pass(2_000);
    expect(rig.bot.status()).toMatchObject({
      state: 'halted',
      why: expect.stringMatching(/was moved or removed while its bot runs/),
    });
    return { ...rig, back: () => renameSync(`${path}.away`, path) };
  };
  const order = place('BTCUSDT', { type: 'limit', side: 'buy', lots: 5, ticks: 9_900 });

  test('goes on and says so once the file is back, and not before', async () => {
    const { bot, logs, pass, back, commands } = await halted(DEFAULT);
    await pass(5_000);
    expect(bot.status().state).toBe('halted');
    back();
    await pass(2_000);
    expect(bot.status().state).toBe('running');
    expect(logs.filter((line) => line.includes('again'))).toEqual([
      'info The bot is running again: Its journals are at their place and can be written again.',
    ]);
    commands[0]?.next(order);
    await pass(100);
    expect(bot.orders()).toMatchObject([{ status: 'new' }]);
  });

  test('stays halted where an operator halted it meanwhile', async () => {
    const { bot, pass, back, clock } = await halted(DEFAULT);
    await driven(bot.operate('halt'), clock);
    back();
    await pass(2_000);
    expect(bot.status()).toMatchObject({ state: 'halted', why: 'An operator asked it to halt.' });
  });

  test('waits for resume where autoResume is none, and says so', async () => {
    const { bot, pass, back, clock } = await halted(new Set());
    expect(bot.status().why).toContain('"millrace resume" lets trading go on');
    back();
    await pass(5_000);
    expect(bot.status().state).toBe('halted');
    await driven(bot.operate('resume'), clock);
    expect(bot.status().state).toBe('running');
  });
});
