import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi, type MockInstance } from 'vitest';
import type { PortfolioModel } from '../../../src/gateways/rebalancing/simulated/settings.ts';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { US_PER_MS } from '../../../src/platform/time.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { PortfolioReport } from '../../../src/strategy/portfolio.ts';
import { model, network, service } from '../../backtest/portfolio/rig.ts';
import { forgetStateFile } from '../journal/kit.ts';
import { botRig, folder, type BotRig, type RigOptions, type TestStrategy } from '../rig.ts';

export const WEIGHTS = {
  'USDT@trading': { weight: '0.25', band: '0.01' },
  'BTC@trading': { weight: '0.15', band: '0.01' },
  'USDT@ethereum': { weight: '0.45', band: '0.01' },
  'BTC@bitcoin': { weight: '0.15', band: '0.01' },
};
export const LIMITS = { maximumCost: '0.05' };

export const ms = (count: number) => count * US_PER_MS;

/** Everything in tenths of seconds; a swap, a withdrawal and a trade are needed. */
export const quick = (changes: Partial<PortfolioModel> = {}): PortfolioModel => ({
  ...model({
    networks: new Map([['ethereum', network({ takes: ms(300) })]]),
    services: new Map([['swaps', service({ accept: ms(50), confirm: ms(200), deliver: ms(200) })]]),
  }),
  ...changes,
});

export interface Life extends BotRig {
  readonly reports: PortfolioReport[];
}

/** A paper bot whose strategy has a portfolio, before a book of 10 BTC at 50,000. */
export async function life(
  data: string,
  clock: VirtualScheduler,
  of = quick(),
  strategy: TestStrategy = {},
  more: Pick<RigOptions, 'account' | 'reread'> = {},
): Promise<Life> {
  const reports: PortfolioReport[] = [];
  const rig = await botRig({
    data,
    clock,
    balances: { USDT: '6000', BTC: '0.1' },
    strategies: [strategy],
    ...more,
    settings: {
      portfolio: { strategy: 's0', everyUs: 100_000, means: { kind: 'model', model: of } },
    },
  });
  rig.contexts[0]?.portfolio.rebalances().subscribe((report) => reports.push(report));
  rig.market.emit({ at: '10:00:00', bids: [['49995', 10]], asks: [['50005', 10]] });
  return Object.assign(rig, { reports });
}

/**
 * What is held, by holding, as the journals in a folder have it, once nobody writes them any more.
 */
export function written(data: string): {
  readonly held: ReadonlyMap<string, string>;
  readonly onWay: readonly (readonly [string, string])[];
} {
  const database = new DatabaseSync(join(data, 'main.paper.sqlite'), { readOnly: true });
  const held = new Map<string, Decimal>();
  const add = (holding: string, amount: string): void => {
    held.set(holding, (held.get(holding) ?? ZERO).plus(amount));
  };
  for (const row of database.prepare('SELECT * FROM balances').all()) {
    const holding = `${String(row['currency'])}@trading`;
    add(holding, Decimal.add(String(row['available']), String(row['reserved'])).toFixed());
  }
  const fact = (name: string): unknown => {
    const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
    return row === undefined ? undefined : JSON.parse(String(row['value']));
  };
  const outside = (fact('paperPortfolio') ?? {
    held: {
      wallets: [
        ['USDT@ethereum', '4000'],
        ['BTC@bitcoin', '0.1'],
      ],
      account: [],
    },
    onWay: [],
  }) as { held: Record<'wallets' | 'account', [string, string][]>; onWay: [string, string][] };
  for (const [holding, amount] of outside.held.wallets) add(holding, amount);
  // What was gathered there to leave is the account's as well.
  const gathered = new Map(outside.held.account);
  for (const [asset, amount] of gathered) add(`${asset}@trading`, amount);
  database.close();
  return {
    held: new Map([...held].map(([holding, amount]) => [holding, amount.toFixed()])),
    onWay: outside.onWay.filter(([asset, amount]) =>
      decimal(amount).greaterThan(gathered.get(asset) ?? 0),
    ),
  };
}

export interface TransferRow {
  readonly state: string;
  /** What was begun and not ended. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  readonly left: Decimal;
  readonly arrived: Decimal;
}

export function transfersOf(data: string): readonly TransferRow[] {
  const database = new DatabaseSync(join(data, 'main.paper-moves.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT * FROM moves ORDER BY plan, position').all();
  database.close();
  return rows.map((row) => ({
    state: String(row['state']),
    step: String(row['step']),
    from: String(row['from_slot']),
    to: String(row['to_slot']),
    left: new Decimal(String(row['sent'] ?? row['send'])),
    arrived: new Decimal(String(row['arrived'] ?? 0)),
  }));
}

/** What must be held: what transfers say, once each, what own fills changed, and nothing else. */
export function expected(data: string): ReadonlyMap<string, string> {
  const held = new Map<string, Decimal>([
    ['USDT@trading', decimal('6000')],
    ['BTC@trading', decimal('0.1')],
    ['USDT@ethereum', decimal('4000')],
    ['BTC@bitcoin', decimal('0.1')],
  ]);
  const add = (holding: string, amount: Decimal): void =>
    void held.set(holding, (held.get(holding) ?? ZERO).plus(amount));
  for (const { state, from, to, left, arrived } of transfersOf(data)) {
    if (state !== 'fulfilled') continue;
    add(from, left.negated());
    add(to, arrived);
  }
  const database = new DatabaseSync(join(data, 'main.paper.sqlite'), { readOnly: true });
  for (const row of database.prepare('SELECT * FROM holdings').all()) {
    add(`${String(row['currency'])}@trading`, decimal(String(row['change'])));
  }
  database.close();
  return new Map([...held].map(([holding, amount]) => [holding, amount.toFixed()]));
}

/** A copy of a data folder as it is on the disk now: what a killed process leaves. */
export function copied(data: string): string {
  const copy = folder();
  for (const name of readdirSync(data)) {
    if (/\.sqlite(-wal)?$/.test(name)) cpSync(join(data, name), join(copy, name));
  }
  forgetStateFile(join(copy, 'main.paper.sqlite'));
  return copy;
}

/** Has something done after each call of methods, until mocks are restored or the test ends. */
export function after<T extends object>(
  of: T,
  names: readonly (keyof T & string)[],
  then: () => void,
): void {
  onTestFinished(() => void vi.restoreAllMocks());
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

/** A paper account as that of the rig, from which it takes so long to be heard. */
export const paperOf = (reportMs: number) => ({
  balances: new Map([
    ['USDT', decimal('6000')],
    ['BTC', decimal('0.1')],
  ]),
  orderUs: 1_000,
  reportUs: reportMs * US_PER_MS,
});
