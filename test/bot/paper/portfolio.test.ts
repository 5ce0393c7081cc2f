import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { BotSettings } from '../../../src/bot/settings/settings.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { holdingName } from '../../../src/model/portfolio.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { rebalance } from '../../../src/strategy/portfolio.ts';
import { service } from '../../backtest/portfolio/rig.ts';
import { driven, folder, NO_LIMITS, START } from '../rig.ts';
import {
  expected,
  life,
  LIMITS,
  transfersOf,
  ms,
  quick,
  WEIGHTS,
  written,
} from './portfolio-harness.ts';

describe('the portfolio of a paper bot', () => {
  test('is brought to its targets by a trade, a transfer and a swap, and each holding is reported', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { commands, contexts, reports, pass, bot } = await life(data, clock);
    const seen: string[] = [];
    contexts[0]?.portfolio.holdings().subscribe((holdings) => {
      const usdt = holdings.find(
        ({ asset, location }) => asset === 'USDT' && location === 'ethereum',
      );
      seen.push(usdt?.amount.toFixed() ?? '');
    });
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(10_000);
    expect(reports.at(-1)).toMatchObject({ state: 'done' });
    expect(seen[0]).toBe('4000');
    expect(seen.length).toBeGreaterThan(1);
    await driven(bot.close(), clock);
    const transfers = transfersOf(data);
    expect(transfers.map(({ from, to, state }) => `${from} ${to} ${state}`).toSorted()).toEqual([
      'BTC@bitcoin USDT@ethereum fulfilled',
      'BTC@trading USDT@trading fulfilled',
      'USDT@trading USDT@ethereum fulfilled',
    ]);
    expect(written(data).held).toEqual(expected(data));
  });

  test('goes on where it was with the next bot, and a wallet that is new there begins as configured', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const first = await life(data, clock);
    first.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await first.pass(10_000);
    await driven(first.bot.close(), clock);
    const before = written(data).held;
    const wallets = new Map([
      ...quick().wallets,
      ['tron', new Map([['USDT', decimal('77')]])],
    ] as const);
    const next = await life(data, clock, quick({ wallets }));
    const seen: string[] = [];
    next.contexts[0]?.portfolio.holdings().subscribe((holdings) => {
      seen.push(holdings.map((one) => `${holdingName(one)} ${one.amount.toFixed()}`).join(', '));
    });
    for (const [holding, amount] of before) expect(seen[0]).toContain(`${holding} ${amount}`);
    expect(seen[0]).toContain('USDT@tron 77');
  });

  test('lets nothing happen once the bot has ended, and goes on with it in the next one', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(400);
    await driven(bot.close(), clock);
    const { held, onWay } = written(data);
    expect(onWay.length).toBeGreaterThan(0);
    expect(clock.nextAt).toBe(Number.POSITIVE_INFINITY);
    await pass(10_000);
    expect(written(data)).toEqual({ held, onWay });
    const next = await life(data, clock);
    await next.pass(3_000);
    await driven(next.bot.close(), clock);
    expect(written(data).onWay).toEqual([]);
    expect(written(data).held).toEqual(expected(data));
  });

  test('ends in the middle of a step that takes long, and has it undone in the next run', async () => {
    const services = new Map([['swaps', service({ accept: ms(3_600_000) })]]);
    const clock = new VirtualScheduler(START);
    const data = folder();
    const { bot, commands, pass } = await life(data, clock, quick({ services }));
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(1_000);
    const before = clock.now();
    await driven(bot.close(), clock);
    expect(clock.now() - before).toBeLessThan(1_000_000);
    const next = await life(data, clock, quick({ services }));
    await next.pass(5_000);
    await driven(next.bot.close(), clock);
    expect(written(data).held).toEqual(expected(data));
    expect(transfersOf(data).map(({ state }) => state)).toContain('expired');
  });

  test('does not start while what was paid goes by services that are configured otherwise now', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(400);
    await driven(bot.close(), clock);
    const other = quick({ networks: new Map() });
    await expect(life(data, clock, other)).rejects.toThrow('put wallets, decimals, networks');
    const next = await life(data, clock);
    await next.pass(5_000);
    await driven(next.bot.close(), clock);
    expect(written(data).held).toEqual(expected(data));
    // Once it has ended, anything goes.
    await driven((await life(data, clock, other)).bot.close(), clock);
    expect(written(data).held).toEqual(expected(data));
  });

  test('does not start where the journal of the account does not know what was paid', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(400);
    await driven(bot.close(), clock);
    for (const end of ['sqlite', 'sqlite-wal', 'sqlite-shm', 'state']) {
      rmSync(join(data, `main.paper.${end}`), { force: true });
    }
    await expect(life(data, clock)).rejects.toMatchObject({ code: 'journal-invalid' });
    rmSync(join(data, 'main.paper-moves.sqlite'));
    await driven((await life(data, clock)).bot.close(), clock);
  });

  test('keeps what services are configured as under the names that its journal began with', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(5_000);
    await driven(bot.close(), clock);
    const database = new DatabaseSync(join(data, 'main.paper.sqlite'), { readOnly: true });
    const fact = database.prepare("SELECT value FROM facts WHERE name = 'paperPortfolio'").get();
    database.close();
    const { terms } = JSON.parse(String(fact?.['value'])) as { terms: string };
    expect(terms).toContain('"slots":[{"asset":"USDT","place":"ethereum"}');
  });

  test('cannot call its account as a wallet that it had before', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(5_000);
    await driven(bot.close(), clock);
    const renamed = quick({
      account: 'ethereum',
      wallets: new Map(),
      networks: new Map(),
      services: new Map(),
    });
    await expect(life(data, clock, renamed)).rejects.toThrow(
      'The account cannot be called ethereum: there is a wallet of that location',
    );
  });

  test('holds limits as a reload left them', async () => {
    const strict = { ...NO_LIMITS, maxNotional: new Map([['USDT', decimal('500')]]) };
    const reread = (settings: BotSettings): BotSettings => ({
      ...settings,
      strategies: settings.strategies.map((one) => ({ ...one, risk: strict })),
    });
    const rig = await life(folder(), new VirtualScheduler(START), quick(), {}, { reread });
    expect((await rig.bot.reload()).taken).toEqual(['strategies.s0.risk']);
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    expect(rig.reports.at(-1)?.message).toContain('500 USDT that one order may be worth');
  });

  test('is shown with its holdings and the last rebalance in the status', async () => {
    const rig = await life(folder(), new VirtualScheduler(START));
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(10_000);
    const { portfolio } = rig.bot.status();
    expect(portfolio).toMatchObject({ strategy: 's0', last: { state: 'done' } });
    expect(portfolio?.holdings.map(({ holding }) => holding)).toContain('USDT@ethereum');
    expect(portfolio?.last?.transfers).toContainEqual(
      expect.objectContaining({ from: 'USDT@trading', to: 'USDT@ethereum', state: 'fulfilled' }),
    );
  });

  test('moves nothing while its strategy is halted, and no more by one order than a limit lets', async () => {
    const risk = { ...NO_LIMITS, maxNotional: new Map([['USDT', decimal('500')]]) };
    const rig = await life(folder(), new VirtualScheduler(START), quick(), { risk });
    await driven(rig.bot.operate('halt'), rig.clock);
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    expect(rig.reports.at(-1)).toMatchObject({
      state: 'refused',
      rejection: { code: 'trading-halted' },
    });
    await driven(rig.bot.operate('resume'), rig.clock);
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    // A trade of about 2,000 is needed.
    expect(rig.reports.at(-1)).toMatchObject({ state: 'refused' });
    expect(rig.reports.at(-1)?.message).toContain('500 USDT that one order may be worth');
  });

  test.each([
    ['a price that nothing tells', { prices: new Map([['BTC', { symbol: 'BTCEUR' }]]) }, 'which no strategy of the account trades; they trade BTCUSDT'], // prettier-ignore
    ['a service between places that are no wallets', { wallets: new Map(), networks: new Map() }, 'is no wallet'], // prettier-ignore
  ])('whose model names %s keeps the bot from starting, and says why', async (_, changes, why) => {
    const data = folder();
    await expect(life(data, new VirtualScheduler(START), quick(changes))).rejects.toThrow(why);
    // Nothing is left open that would keep the next bot out.
    await life(data, new VirtualScheduler(START));
  });

  test('that the journal does not hold as it was written keeps the bot from starting', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot } = await life(data, clock);
    await driven(bot.close(), clock);
    const database = new DatabaseSync(join(data, 'main.paper.sqlite'));
    const spoilt = database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
    spoilt.run('paperPortfolio', '{"wallets":[["USDT@ethereum","many"]]}');
    database.close();
    await expect(life(data, clock)).rejects.toMatchObject({ code: 'journal-invalid' });
  });

  test('halts the bot where what has moved cannot be written down', async () => {
    const rig = await life(folder(), new VirtualScheduler(START));
    const flush = vi.spyOn(Journal.prototype, 'flush').mockImplementation(({ isDurable } = {}) => {
      if (isDurable === true) throw new MillraceError('journal-unwritable', 'The disk is full.');
    });
    onTestFinished(() => {
      flush.mockRestore();
    });
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    flush.mockRestore();
    expect(rig.bot.status().state).toBe('halted');
  });
});
