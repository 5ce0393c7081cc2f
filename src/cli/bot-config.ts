import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { ControlSettings } from '../bot/control/settings.ts';
import type { LogSettings } from '../bot/logs/settings.ts';
import { LOG_LEVELS } from '../bot/logs/settings.ts';
import type { NotificationSettings } from '../bot/settings/notifications.ts';
import type {
  AccountSettings,
  BotSettings,
  PortfolioSettings,
  StrategySettings,
} from '../bot/settings/settings.ts';
import { brief } from '../model/decimal.ts';
import type { PortfolioModel } from '../gateways/rebalancing/simulated/settings.ts';
import { readConfigDocument } from '../config/document.ts';
import { accountOf, type AccountConfig } from './bot/accounts.ts';
import { ccxtModule } from './bot/ccxt.ts';
import { ownModule } from './config-modules.ts';
import { nameOf } from '../config/fields.ts';
import { positiveSpan } from '../config/amounts.ts';
import { daysUs } from '../config/fields.ts';
import { MODEL_CONFIG, portfolioModel } from '../backtest/config/portfolio.ts';
import { notificationSettings, notificationsOf } from './bot/notifications.ts';
import { secretSource, type Environment } from './bot/secret.ts';
import { SecretKeeper } from './bot/secret-keeper.ts';
import { tradingAddress } from './bot/trading-address.ts';
import {
  refuser,
  STRATEGY,
  STRATEGY_NAME_LENGTH,
  strategySettings,
  type Refuse,
} from './bot/strategies.ts';

const atLeastOne = (what: string) => ({
  error: `at least one ${what}`,
});

const reconciliation = z
  .strictObject({
    every: positiveSpan.prefault('1m').describe('How often the account is compared.'),
    foreignOrders: z
      .enum(['report', 'adopt', 'cancel'])
      .default('report')
      .describe('What becomes of orders that no journal knows.'),
    // The service's histories may be 30 s late, and an order that filled at once appears only in them.
    lostAfter: positiveSpan
      .prefault('45s')
      .describe('An order that the venue does not know so long after it was sent never arrived.'),
  })
  .prefault({});

const journal = z
  .strictObject({
    // Histories are compared over hours after a long outage; retention must exceed that.
    retention: daysUs
      .prefault('90d')
      .describe('Events and ended orders are kept so long; what is open stays.'),
  })
  .prefault({});

const shutdown = z
  .strictObject({
    orders: z
      .enum(['cancel', 'keep'])
      .default('cancel')
      .describe('What becomes of open orders when the bot ends.'),
    within: positiveSpan.prefault('20s').describe('The bot has ended after so long at most.'),
  })
  .prefault({});

const controlOf = (folder: string) =>
  z
    .strictObject({
      host: z
        .string()
        .regex(/^[^\s\0]+$/, 'an address or a name')
        .default('127.0.0.1')
        .describe('Address to listen on; loopback alone unless said otherwise.'),
      port: z.int().min(0).max(65_535).default(8340).describe('0 for any free port.'),
      hosts: z
        .array(z.string().regex(/^[A-Za-z0-9.:[\]_-]+$/, 'the name of a host without a port'))
        .default([])
        .describe('Further names under which it may be called, such as that of a container.'),
      token: secretSource(folder)
        .optional()
        .describe('Where the token is; made and kept in the data folder where absent.'),
    })
    .prefault({});

const logOf = (folder: string) =>
  z
    .strictObject({
      level: z.enum(LOG_LEVELS).default('info'),
      file: z
        .string()
        .min(1)
        .transform((path) => resolve(folder, path))
        .optional()
        .describe('Lines go here too, relative to this file.'),
    })
    .prefault({});

const portfolioOf = (folder: string) =>
  z.strictObject({
    config: z
      .string()
      .min(1)
      .transform((path) => resolve(folder, path))
      .optional()
      .describe(
        'Of a live bot: a configuration as `millrace rebalance` reads it, relative to this file.',
      ),
    paper: MODEL_CONFIG.optional().describe(
      'Of a paper bot: wallets, and models of what moves between them, as `portfolio` of a backtest.',
    ),
    strategy: nameOf(STRATEGY_NAME_LENGTH)
      .optional()
      .describe('Whose it is; may be left out where there is but one.'),
    every: positiveSpan.prefault('10s').describe('How often holdings are read.'),
  });

/** Schema of a bot's configuration; paths are relative to `folder`. */
export const botConfig = (folder: string) =>
  z
    .strictObject({
      name: nameOf(32).default('bot').describe('Stands in logs and metrics.'),
      mode: z
        .enum(['paper', 'live'])
        .describe('live sends orders to the venue; paper simulates them and sends nothing.'),
      data: z
        .string()
        .min(1)
        .default('data')
        .transform((path) => resolve(folder, path))
        .describe('Folder of the journals, relative to this file.'),
      accounts: z
        .record(nameOf(32), accountOf(folder))
        .refine((accounts) => Object.keys(accounts).length > 0, atLeastOne('account'))
        .describe('Accounts at services, by name.'),
      strategies: z
        .record(nameOf(STRATEGY_NAME_LENGTH), STRATEGY)
        .refine((strategies) => Object.keys(strategies).length > 0, atLeastOne('strategy'))
        .describe('What trades, by name; a name stands before the ids of its orders.'),
      portfolio: portfolioOf(folder)
        .optional()
        .describe('Inventory over chains and accounts, which a strategy may rebalance.'),
      reconciliation,
      journal,
      shutdown,
      control: controlOf(folder).describe('The control API.'),
      log: logOf(folder).describe('Lines of the log.'),
      notifications: notificationsOf(folder)
        .optional()
        .describe('Messages to people about what happens.'),
    })
    .describe('A bot of Millrace.');

type BotFile = z.output<ReturnType<typeof botConfig>>;

/** A configuration with names resolved and secrets read. */
export interface BotConfig {
  readonly path: string;
  readonly settings: BotSettings;
  readonly control: ControlSettings;
  readonly log: LogSettings;
  readonly notifications?: NotificationSettings | undefined;
  /** Every secret that was read; no log line may hold one. */
  readonly secrets: readonly string[];
  /** Sentences about settings that are allowed but unwise. */
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration of a bot and loads its strategies. Throws `config-missing`, `config-invalid`,
 * `secret-missing`, `strategy-unknown`, `strategy-invalid` and `parameter-invalid`, each with its line.
 */
export async function readBotConfig(path: string, environment: Environment): Promise<BotConfig> {
  const folder = dirname(resolve(path));
  const config = readConfigDocument(path, botConfig(folder));
  const { data: file } = config;
  const refuse = refuser(config);
  const secrets = new SecretKeeper(config, environment);
  const placed: AccountSettings[] = [];
  for (const [name, account] of Object.entries(file.accounts)) {
    const at = ['accounts', name, 'venue'];
    const { venue } = account;
    const isModule = venue !== undefined && 'module' in venue;
    placed.push({
      ...accountSettings(name, account, file.mode, secrets, refuse),
      gateway: isModule ? await ownModule(venue, { folder, at, what: GATEWAY }, secrets, refuse) : undefined, // prettier-ignore
    });
  }
  const names = placed.map(({ name }) => name);
  const strategies: StrategySettings[] = [];
  // One at a time, so that an error names the file at fault.
  for (const [name, strategy] of Object.entries(file.strategies)) {
    const place = { accounts: names, folder, rebalances: name === strategyOf(file) };
    strategies.push(await strategySettings(name, strategy, place, refuse));
  }
  const accounts = placed.map((account): AccountSettings => {
    const { venue } = file.accounts[account.name];
    if (venue === undefined || !('ccxt' in venue)) return account;
    return { ...account, gateway: ccxtModule(venue, account.name, strategies, secrets) };
  });
  refuseSharing(accounts, strategies, refuse);
  if (file.mode === 'paper') refuseLeverage(accounts, refuse);
  const settled = { accounts, strategies };
  const portfolio = await portfolioSettings(file, settled, environment, refuse);
  const control = controlSettings(file, secrets);
  const notifications =
    file.notifications && notificationSettings(file.notifications, secrets, refuse);
  return {
    path,
    settings: {
      name: file.name,
      mode: file.mode,
      data: file.data,
      accounts,
      strategies,
      portfolio: portfolio.settings,
      reconciliation: {
        everyUs: file.reconciliation.every,
        foreignOrders: file.reconciliation.foreignOrders,
        lostAfterUs: file.reconciliation.lostAfter,
      },
      journal: { retentionUs: file.journal.retention },
      shutdown: { orders: file.shutdown.orders, withinUs: file.shutdown.within },
    },
    control,
    log: file.log,
    notifications,
    secrets: [...secrets.secrets, ...portfolio.secrets],
    warnings: [...secrets.warnings, ...portfolio.warnings],
  };
}

const GATEWAY = 'a function that makes a gateway, a GatewayFactory';

interface ReadPortfolio {
  readonly settings?: PortfolioSettings;
  readonly secrets: readonly string[];
  readonly warnings: readonly string[];
}

/** The strategy that owns the portfolio: the configured one, or the only one. */
function strategyOf({ portfolio, strategies }: BotFile): string | undefined {
  const names = Object.keys(strategies);
  return portfolio && (portfolio.strategy ?? (names.length === 1 ? names[0] : undefined));
}

/** A live bot uses the services of `config`, a paper bot the model of `paper`. */
async function portfolioSettings(
  file: BotFile,
  { accounts, strategies }: Pick<BotSettings, 'accounts' | 'strategies'>,
  environment: Environment,
  refuse: Refuse,
): Promise<ReadPortfolio> {
  const { mode, portfolio, reconciliation } = file;
  if (portfolio === undefined) return { secrets: [], warnings: [] };
  const names = strategies.map(({ name }) => name);
  const strategy = strategyOf(file);
  const { config, paper, every: everyUs } = portfolio;
  if (strategy === undefined || !names.includes(strategy)) {
    refuse(
      ['portfolio', 'strategy'],
      `strategy must be the one whose portfolio it is: ${names.join(', ')}.`,
    );
  }
  if (mode === 'paper') {
    if (paper === undefined) {
      const warning =
        'portfolio.paper is missing: this paper bot rejects rebalances. Its form is that of portfolio of a backtest.';
      return { secrets: [], warnings: [warning] };
    }
    const model = portfolioModel(paper);
    checkPrices(model, strategy, strategies, refuse);
    const means = { kind: 'model', model } as const;
    return { settings: { strategy, everyUs, means }, secrets: [], warnings: [] };
  }
  if (config === undefined) {
    refuse(
      ['portfolio', 'config'],
      'config is missing; a live bot needs the path of a configuration as `millrace rebalance` reads it.',
    );
  }
  const { readRebalancingConfig } = await import('./rebalancing-config.ts');
  const { settings, secrets, warnings } = await readRebalancingConfig(config, environment);
  const key = settings.account?.credentials.key;
  const isShared = accounts.some(({ service }) => service?.credentials?.key === key);
  const { foreignOrders } = reconciliation;
  if (isShared && key !== undefined && foreignOrders !== 'report') {
    refuse(
      ['reconciliation', 'foreignOrders'],
      `foreignOrders must be report, not ${foreignOrders}: the portfolio moves through an account of this bot, with orders that are none of its strategies'.`,
    );
  }
  const means = { kind: 'services', rebalancing: settings } as const;
  return { settings: { strategy, everyUs, means }, secrets, warnings };
}

/** Prices on paper are those of the symbols that the account of the strategy subscribes to. */
function checkPrices(
  { prices }: PortfolioModel,
  name: string,
  strategies: readonly StrategySettings[],
  refuse: Refuse,
): void {
  const account = strategies.find((one) => one.name === name)?.account;
  const traded = strategies.filter((one) => one.account === account);
  const symbols = [...new Set(traded.flatMap((one) => one.symbols))];
  for (const [asset, source] of prices) {
    if (!('symbol' in source) || symbols.includes(source.symbol)) continue;
    refuse(
      ['portfolio', 'paper', 'prices', asset, 'symbol'],
      symbols.length === 0
        ? `symbol is ${source.symbol}, and no strategy of account ${account ?? ''} has symbols, whose prices are known; list it in symbols of the strategy, or give the price as a number.`
        : `symbol is ${source.symbol}, which no strategy of account ${account ?? ''} trades; expected one of ${symbols.join(', ')}.`,
    );
  }
}

/** The part that commands need which talk to a running bot: no strategy is loaded for it. */
export function readControlConfig(path: string, environment: Environment): ControlSettings {
  const config = readConfigDocument(path, botConfig(dirname(resolve(path))));
  return controlSettings(config.data, new SecretKeeper(config, environment));
}

function accountSettings(
  name: string,
  account: AccountConfig,
  mode: BotSettings['mode'],
  secrets: SecretKeeper,
  refuse: Refuse,
): AccountSettings {
  const at = ['accounts', name];
  const { market, paper, risk, sharedMargin } = account;
  if (mode === 'live' && market.kind === 'recordings') {
    refuse([...at, 'market'], 'recordings are played by a paper bot alone; set mode: paper.');
  }
  if (mode === 'paper' && paper.balances.size === 0) {
    refuse(
      at,
      'paper.balances is missing; say what the paper account begins with, such as { USDT: 10000 }.',
    );
  }
  const service = serviceSettings(name, account, mode, secrets, refuse);
  const source = market.kind === 'nats' ? { ...market, env: secrets.nats() } : market;
  return { name, service, market: source, paper, risk, sharedMargin };
}

/** The trading service of an account; `undefined` for a venue with its own gateway. */
function serviceSettings(
  name: string,
  account: AccountConfig,
  mode: BotSettings['mode'],
  secrets: SecretKeeper,
  refuse: Refuse,
): AccountSettings['service'] {
  const at = ['accounts', name];
  const { key, secret, market, venue } = account;
  if (venue !== undefined) {
    const { url, baseUrl, wsUrl } = account;
    const beside = Object.entries({ url, baseUrl, wsUrl, key, secret }).find(([, one]) => one !== undefined)?.[0]; // prettier-ignore
    if (beside === undefined) return undefined;
    refuse([...at, beside], `${beside} does not go with venue; give the module its settings and secrets.`); // prettier-ignore
  }
  const address = tradingAddress(account, (sentence) => refuse(at, sentence));
  if (mode === 'live' && (key === undefined || secret === undefined)) {
    const missing = key === undefined ? 'key' : 'secret';
    refuse(
      at,
      `${missing} is missing; a live bot needs key and secret, each as { env: NAME } or { file: PATH }.`,
    );
  }
  const credentials =
    key === undefined || secret === undefined || market.kind === 'recordings'
      ? undefined
      : secrets.credentials({ key, secret }, at, mode === 'live');
  return { ...address, version: 3, credentials };
}

/** Rejects a shared margin account that names unknown strategies, or some that do not trade it. */
function refuseSharing(
  accounts: readonly AccountSettings[],
  strategies: readonly StrategySettings[],
  refuse: Refuse,
): void {
  for (const { name, sharedMargin = [] } of accounts) {
    for (const [index, shared] of sharedMargin.entries()) {
      const at = ['accounts', name, 'sharedMargin', String(index), 'strategies'];
      const own = strategies.filter(({ account }) => account === name);
      for (const one of shared.strategies) {
        const strategy = own.find((other) => other.name === one);
        if (strategy === undefined) {
          refuse(at, `${one} is no strategy of account ${name}, which has ${own.map((other) => other.name).join(', ')}.`); // prettier-ignore
        } else if (shared.mode === 'isolated' && !strategy.symbols.includes(shared.symbol)) {
          refuse(at, `${one} does not trade ${shared.symbol}; name the symbol in its symbols.`);
        }
      }
      if (new Set(shared.strategies).size < shared.strategies.length) {
        refuse(at, 'names a strategy twice.');
      }
    }
  }
}

/** Rejects a leverage beyond the terms of a paper account; those of a venue are known later. */
function refuseLeverage(accounts: readonly AccountSettings[], refuse: Refuse): void {
  for (const { name, sharedMargin = [], paper } of accounts) {
    for (const [index, shared] of sharedMargin.entries()) {
      if (shared.mode !== 'isolated') continue;
      const { symbol, leverage } = shared;
      const terms = paper.margin?.[symbol]?.find(({ marginMode }) => marginMode === shared.mode);
      if (terms === undefined || leverage?.greaterThan(terms.maxInitialLeverage) !== true) continue;
      refuse(
        ['accounts', name, 'sharedMargin', String(index), 'leverage'],
        `leverage is ${brief(leverage)}, and paper.margin of ${symbol} allows ${terms.maxInitialLeverage} at most on isolated margin.`,
      );
    }
  }
}

function controlSettings({ control, data }: BotFile, secrets: SecretKeeper): ControlSettings {
  const { host, port, hosts, token } = control;
  return {
    host,
    port,
    hosts,
    data,
    token: token === undefined ? undefined : secrets.find(token, ['control', 'token']),
  };
}
