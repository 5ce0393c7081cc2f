import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Subject } from 'rxjs';
import { vi } from 'vitest';
import { z } from 'zod';
import { connect } from '../../../src/bot/connection/connect.ts';
import { Bot } from '../../../src/bot/bot.ts';
import type { RebalancingSettings } from '../../../src/bot/settings/rebalancing.ts';
import type { BotSettings } from '../../../src/bot/settings/settings.ts';
import { readRebalancingConfig } from '../../../src/cli/rebalancing-config.ts';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import type { PortfolioReport } from '../../../src/strategy/portfolio.ts';
import { amountOf } from '../../../src/swaps/tokens.ts';
import { emptyMeter } from '../../bot/meter.ts';
import { folder, NO_LIMITS } from '../../bot/rig.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';

const scheduler = new SystemScheduler();

/** Ids of the tokens of the example that are USDC, with the network and the wallet of each. */
const WALLETS = [
  [11, 'ethereum', '0x063aA85AD815219C347D18f0a51D5639874AB12F'],
  [21, 'tron', 'TNma2HSPAq38wvMc2qbzYNF6hzEdA3fZ3x'],
  [41, 'solana', 'DQVs6CqYL8DLLgDgNCCSkiiLwWA2XNbfgRqK9v4awPMq'],
] as const;

/** A bot with a strategy that does what a test says, before the venue of the example. */
export interface InventoryHarness {
  readonly bot: Bot;
  readonly commands: Subject<Command>;
  readonly reports: PortfolioReport[];
  /** The USDC that the strategy was told of, by location, each time. */
  readonly seen: Record<string, string>[];
  readonly logs: string[];
  /** The USDC that chains and account have, by location. */
  ledger(): Promise<Record<string, Decimal>>;
  until(condition: () => void | Promise<void>): Promise<void>;
  /** Kept with a report that is so, before anything else happens. */
  reported(isSo: (report: PortfolioReport) => boolean): Promise<void>;
  /** Ends the bot; another one begins on its journals with what `commands` of that stage say. */
  again(): Promise<InventoryHarness>;
}

/** What is done when a test has ended, last first. */
type Finish = (done: () => Promise<void>) => void;

/** The venue of the example with chains and services in haste, or with a resolver that waits. */
export async function openVenue(finish: Finish, acceptUs?: number): Promise<string> {
  const simulation = await openExample(
    hurried(example(), acceptUs === undefined ? {} : { acceptUs }),
  );
  finish(() => simulation.close());
  return urlOf(simulation);
}

/** Opens a bot before a venue. */
export async function openHarness(
  url: string,
  finish: Finish,
  data = folder(),
  symbols: readonly string[] = ['BTCUSDC'],
  change = (config: string): string => config,
): Promise<InventoryHarness> {
  const path = join(data, 'rebalancing.yaml');
  writeFileSync(path, change(configuration(url)));
  const environment = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret', KEYS_PASSPHRASE: 'demo' };
  const { settings: rebalancing } = await readRebalancingConfig(path, environment);
  const commands = new Subject<Command>();
  const reports: PortfolioReport[] = [];
  const seen: Record<string, string>[] = [];
  const logs: string[] = [];
  const looking = new Set<(report: PortfolioReport) => void>();
  const strategy = defineStrategy({
    name: 'puppet',
    summary: 'Does what a test says.',
    parameters: z.object({}),
    run: ({ portfolio }) => {
      portfolio.holdings().subscribe((holdings) => {
        seen.push(Object.fromEntries(holdings.map((one) => [one.location, one.amount.toFixed()])));
      });
      portfolio.rebalances().subscribe((report) => {
        reports.push(report);
        for (const look of looking) look(report);
      });
      return commands;
    },
  });
  const log = (message: string): void => void logs.push(message);
  const means = {
    scheduler,
    random: new Random(5),
    log: { debug: log, info: log, warn: log },
  };
  const bot = await Bot.open(settingsOf(url, data, { strategy, symbols }, rebalancing), {
    ...means,
    meter: emptyMeter(),
    connect: (account, { mode }, journal) => connect(account, mode, journal, means),
  });
  finish(() => bot.close());
  return {
    bot,
    commands,
    reports,
    seen,
    logs,
    ledger: () => ledger(url),
    until: (condition) => vi.waitFor(condition, PATIENCE),
    reported: (isSo) =>
      new Promise((resolve) => {
        looking.add((report) => {
          if (isSo(report)) resolve();
        });
        if (reports.some(isSo)) resolve();
      }),
    again: async () => {
      await bot.close();
      return openHarness(url, finish, data, symbols, change);
    },
  };
}

/** Over one network alone, as each more has a plan wait longer for the limits of the service. */
const configuration = (url: string): string => `
name: stage
data: .
keys: { file: ${resolve('config/demo-keys.json')}, passphrase: { env: KEYS_PASSPHRASE } }
account:
  url: ${url}
  key: { env: VENUE_KEY }
  secret: { env: VENUE_SECRET }
  networks: { ethereum: ETH }
chains:
  ethereum: { node: ${url}, key: ethereum }
  tron: { node: ${url}, key: tron }
  solana: { node: ${url}, key: solana }
services: { swaps: { url: ${url}, key: api } }
prices: { USDC: 1 }
targets:
  USDC@ethereum: { weight: 0.5, band: 0.1 }
  USDC@tron: { weight: 0.5, band: 0.1 }
`;

const settingsOf = (
  url: string,
  data: string,
  own: Pick<BotSettings['strategies'][number], 'strategy' | 'symbols'>,
  rebalancing: RebalancingSettings,
): BotSettings => ({
  name: 'staged',
  mode: 'live',
  data,
  accounts: [
    {
      name: 'main',
      service: { url, version: 3, credentials: { key: 'demo', secret: 'demo-secret' } },
      market: { kind: 'service' },
      paper: { balances: new Map(), orderUs: 0, reportUs: 0 },
      risk: NO_LIMITS,
    },
  ],
  strategies: [
    {
      name: 'puppet',
      ...own,
      parameters: {},
      account: 'main',
      warmUpUs: 0,
      onFailure: 'cancel',
      risk: NO_LIMITS,
    },
  ],
  portfolio: { strategy: 'puppet', everyUs: 200_000, means: { kind: 'services', rebalancing } },
  reconciliation: { everyUs: 60_000_000, foreignOrders: 'report', lostAfterUs: 45_000_000 },
  shutdown: { orders: 'cancel', withinUs: 5_000_000 },
});

/** Asks chains and account past the bot. */
async function ledger(url: string): Promise<Record<string, Decimal>> {
  const node = new SimulatedNode({ url, scheduler, random: new Random(6) });
  const client = new TradingClient({
    url,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });
  try {
    const spot = await client.rest.getSpotBalances();
    const usdc = spot.find(({ currency }) => currency === 'USDC');
    const there = await Promise.all(
      WALLETS.map(async ([token, place, address]) => {
        return [place, amountOf(await node.balance(token, address), 6)] as const;
      }),
    );
    return { ...Object.fromEntries(there), trading: usdc?.available ?? new Decimal(0) };
  } finally {
    await Promise.all([node.close(), client.close()]);
  }
}
