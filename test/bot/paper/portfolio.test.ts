import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi, type MockInstance } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { RebalancingJournal } from '../../../src/bot/rebalancing/journal.ts';
import type { PortfolioModel } from '../../../src/gateways/rebalancing/modelled/settings.ts';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { slotName } from '../../../src/model/portfolio.ts';
import { US_PER_MS, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { rebalance, type PortfolioReport } from '../../../src/strategy/portfolio.ts';
import { fixed, model, network, service } from '../../backtest/portfolio/rig.ts';
import {
  botRig,
  driven,
  folder,
  NO_LIMITS,
  START,
  type BotRig,
  type TestStrategy,
} from '../rig.ts';

const WEIGHTS = {
  'USDT@trading': { weight: '0.25', band: '0.01' },
  'BTC@trading': { weight: '0.15', band: '0.01' },
  'USDT@ethereum': { weight: '0.45', band: '0.01' },
  'BTC@bitcoin': { weight: '0.15', band: '0.01' },
};
const LIMITS = { maximumCost: '0.05' };

const ms = (count: number) => fixed(count * US_PER_MS);

/** Everything in tenths of seconds; a swap, a withdrawal and a trade are needed. */
const quick = (changes: Partial<PortfolioModel> = {}): PortfolioModel => ({
  ...model({
    networks: new Map([['ethereum', network({ takes: ms(300) })]]),
    services: new Map([['swaps', service({ accept: ms(50), confirm: ms(200), deliver: ms(200) })]]),
  }),
  ...changes,
});

interface Life extends BotRig {
  readonly reports: PortfolioReport[];
}

/** A paper bot whose strategy has a portfolio, before a book of 10 BTC at 50,000. */
async function life(
  data: string,
  clock: VirtualScheduler,
  of = quick(),
  strategy: TestStrategy = {},
): Promise<Life> {
  const reports: PortfolioReport[] = [];
  const rig = await botRig({
    ...{ data, clock, balances: { USDT: '6000', BTC: '0.1' }, strategies: [strategy] },
    settings: {
      portfolio: { strategy: 's0', everyUs: 100_000, means: { kind: 'model', model: of } },
    },
  });
  rig.contexts[0]?.portfolio.rebalances().subscribe((report) => reports.push(report));
  rig.market.tell({ at: '10:00:00', bids: [['49995', 10]], asks: [['50005', 10]] });
  return Object.assign(rig, { reports });
}

/** What is held, by slot, as the journals in a folder have it, once nobody writes them any more. */
function written(data: string): {
  readonly held: ReadonlyMap<string, string>;
  readonly onWay: readonly (readonly [string, string])[];
} {
  const database = new DatabaseSync(join(data, 'main.paper.sqlite'), { readOnly: true });
  const held = new Map<string, Decimal>();
  const add = (slot: string, amount: string): void => {
    held.set(slot, (held.get(slot) ?? ZERO).plus(amount));
  };
  for (const row of database.prepare('SELECT * FROM balances').all()) {
    const slot = `${String(row['currency'])}@trading`;
    add(slot, Decimal.add(String(row['available']), String(row['reserved'])).toFixed());
  }
  const fact = (name: string): unknown => {
    const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
    return row === undefined ? undefined : JSON.parse(String(row['value']));
  };
  const untold = (fact('paperUntold') ?? []) as [string, string][];
  for (const [currency, amount] of untold) add(`${currency}@trading`, amount);
  const outside = (fact('paperPortfolio') ?? {
    wallets: [
      ['USDT@ethereum', '4000'],
      ['BTC@bitcoin', '0.1'],
    ],
    onWay: [],
  }) as { wallets: [string, string][]; onWay: [string, string][] };
  for (const [slot, amount] of outside.wallets) add(slot, amount);
  database.close();
  return {
    held: new Map([...held].map(([slot, amount]) => [slot, amount.toFixed()])),
    onWay: outside.onWay.filter(([, amount]) => decimal(amount).greaterThan(0)),
  };
}

interface MoveRow {
  readonly state: string;
  /** What was begun and not ended. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  readonly left: Decimal;
  readonly arrived: Decimal;
}

function movesOf(data: string): readonly MoveRow[] {
  const database = new DatabaseSync(join(data, 'main.paper-moves.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT * FROM moves ORDER BY plan, position').all();
  database.close();
  return rows.map((row) => ({
    ...{
      state: String(row['state']),
      step: String(row['step']),
      from: String(row['from_slot']),
      to: String(row['to_slot']),
    },
    left: new Decimal(String(row['sent'] ?? row['send'])),
    arrived: new Decimal(String(row['arrived'] ?? 0)),
  }));
}

/** What must be held after moves: what they say, once each, and nothing else. */
function expected(moves: readonly MoveRow[]): ReadonlyMap<string, string> {
  const held = new Map<string, Decimal>([
    ['USDT@trading', decimal('6000')],
    ['BTC@trading', decimal('0.1')],
    ['USDT@ethereum', decimal('4000')],
    ['BTC@bitcoin', decimal('0.1')],
  ]);
  for (const { state, from, to, left, arrived } of moves) {
    if (state !== 'fulfilled') continue;
    held.set(from, (held.get(from) ?? ZERO).minus(left));
    held.set(to, (held.get(to) ?? ZERO).plus(arrived));
  }
  return new Map([...held].map(([slot, amount]) => [slot, amount.toFixed()]));
}

/** A copy of a data folder as it is on the disk now: what a killed process leaves. */
function copied(data: string): string {
  const copy = folder();
  for (const name of readdirSync(data)) {
    if (/\.sqlite(-wal)?$/.test(name)) cpSync(join(data, name), join(copy, name));
  }
  return copy;
}

describe('the portfolio of a paper bot', () => {
  test('is brought to its targets by a trade, a transfer and a swap, and what is where is told', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { commands, contexts, reports, pass, bot } = await life(data, clock);
    const seen: string[] = [];
    contexts[0]?.portfolio.holdings().subscribe((holdings) => {
      const usdt = holdings.find(({ asset, place }) => asset === 'USDT' && place === 'ethereum');
      seen.push(usdt?.amount.toFixed() ?? '');
    });
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(10_000);
    expect(reports.at(-1)).toMatchObject({ state: 'done' });
    expect(seen[0]).toBe('4000');
    expect(seen.length).toBeGreaterThan(1);
    await driven(bot.close(), clock);
    const moves = movesOf(data);
    expect(moves.map(({ from, to, state }) => `${from} ${to} ${state}`).toSorted()).toEqual([
      'BTC@bitcoin USDT@ethereum fulfilled',
      'BTC@trading USDT@trading fulfilled',
      'USDT@trading USDT@ethereum fulfilled',
    ]);
    expect(written(data).held).toEqual(expected(moves));
  });

  test('has each move made once and nothing lost, after whichever write its process is killed', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const copies = new Map<string, { readonly copy: string; readonly at: Micros }>();
    const kept = (): void => {
      const copy = copied(data);
      const whole = JSON.stringify([...written(copy).held, written(copy).onWay, movesOf(copy)]);
      if (!copies.has(whole)) copies.set(whole, { copy, at: clock.now() });
    };
    const { bot, commands, reports, pass } = await life(data, clock);
    after(RebalancingJournal.prototype, ['begin', 'write', 'end'], kept);
    after(Journal.prototype, ['flush', 'intend'], kept);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    for (let steps = 0; reports.at(-1)?.state !== 'done' && steps < 500; steps += 1) await pass(10);
    vi.restoreAllMocks();
    await driven(bot.close(), clock);
    expect(reports.at(-1)).toMatchObject({ state: 'done' });
    expect(copies.size).toBeGreaterThan(15);
    const ends = new Set<string>();
    for (const { copy, at } of copies.values()) {
      const next = await life(copy, new VirtualScheduler(at));
      await next.pass(5_000);
      await driven(next.bot.close(), next.clock);
      const moves = movesOf(copy);
      for (const { state } of moves) ends.add(state);
      const { held, onWay } = written(copy);
      expect(held).toEqual(expected(moves));
      expect(onWay).toEqual([]);
    }
    // What was not paid was given up, and what was paid has arrived.
    expect(ends).toEqual(new Set(['fulfilled', 'expired']));
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
      seen.push(holdings.map((one) => `${slotName(one)} ${one.amount.toFixed()}`).join(', '));
    });
    for (const [slot, amount] of before) expect(seen[0]).toContain(`${slot} ${amount}`);
    expect(seen[0]).toContain('USDT@tron 77');
  });

  test('lets nothing happen once the bot has ended, and goes on with it in the next one', async () => {
    const data = folder();
    const clock = new VirtualScheduler(START);
    const { bot, commands, pass } = await life(data, clock);
    commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await pass(100);
    await driven(bot.close(), clock);
    const { held, onWay } = written(data);
    expect(onWay.length).toBeGreaterThan(0);
    expect(clock.nextAt).toBe(Number.POSITIVE_INFINITY);
    await pass(10_000);
    expect(written(data)).toEqual({ held, onWay });
    const next = await life(data, clock);
    await next.pass(1_000);
    await driven(next.bot.close(), clock);
    expect(written(data).onWay).toEqual([]);
    expect(written(data).held).toEqual(expected(movesOf(data)));
  });

  test('moves nothing while its strategy is halted, and no more by one order than a limit lets', async () => {
    const risk = { ...NO_LIMITS, maxNotional: new Map([['USDT', decimal('500')]]) };
    const rig = await life(folder(), new VirtualScheduler(START), quick(), { risk });
    await driven(rig.bot.operate('halt'), rig.clock);
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    expect(rig.reports.at(-1)).toMatchObject({
      ...{ state: 'refused', refusal: { code: 'trading-halted' } },
    });
    await driven(rig.bot.operate('resume'), rig.clock);
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    // A trade of about 2,000 is needed.
    expect(rig.reports.at(-1)).toMatchObject({ state: 'refused' });
    expect(rig.reports.at(-1)?.message).toContain('500 USDT that one order may be worth');
  });

  test.each([
    ['a price that nothing tells', { worth: new Map([['BTC', { symbol: 'BTCEUR' }]]) }, 'which no strategy of the account trades; they trade BTCUSDT'], // prettier-ignore
    ['a service between places that are no wallets', { wallets: new Map() }, 'is no wallet'],
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
    const spoilt = database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)');
    spoilt.run('paperPortfolio', '{"wallets":[["USDT@ethereum","many"]]}');
    database.close();
    await expect(life(data, clock)).rejects.toMatchObject({ code: 'journal-invalid' });
  });

  test('halts the bot where what has moved cannot be written down', async () => {
    const rig = await life(folder(), new VirtualScheduler(START));
    vi.spyOn(Journal.prototype, 'flush').mockImplementation(({ isDurable } = {}) => {
      if (isDurable === true) throw new MillraceError('journal-unwritable', 'The disk is full.');
    });
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await rig.pass(1_000);
    vi.restoreAllMocks();
    expect(rig.bot.status().state).toBe('halted');
  });
});

/** Has something done after each call of methods, until mocks are restored. */
function after<T extends object>(
  of: T,
  names: readonly (keyof T & string)[],
  then: () => void,
): void {
  for (const name of names) {
    const method = of[name] as (...given: unknown[]) => unknown;
    const spied = vi.spyOn(of, name as never) as unknown as MockInstance<typeof method>;
    spied.mockImplementation(function (this: unknown, ...given) {
      const result = method.apply(this, given);
      then();
      return result;
    });
  }
}
