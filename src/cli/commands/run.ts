import { Command } from 'commander';
import { behindOf } from '../../bot/behind.ts';
import { Bot } from '../../bot/bot.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { botConfigPath, readBotConfig, type BotConfig } from '../bot-config.ts';
import { runBot, type Opener } from '../bot/running.ts';
import { table, type Terminal } from '../terminal.ts';

interface Flags {
  readonly check?: true;
  readonly json?: true;
}

/** `millrace run`: a bot, until it is told to end. */
export const runCommand = (terminal: Terminal): Command =>
  new Command('run')
    .description('Run a bot: strategies on accounts, live or paper, until it is told to end.')
    .argument('[config]', 'YAML file (default: config/bot.yaml here)')
    .option('--check', 'check the configuration, and run nothing')
    .option('--json', 'with --check: print one JSON line')
    .addHelpText(
      'after',
      `
Examples:
  millrace run --check
  millrace run config/bot.yaml

Ctrl-C or SIGTERM ends it as its configuration says; a second one at once. SIGHUP reads the
configuration anew. millrace status, pause, resume and their like talk to it while it runs.`,
    )
    .action(async (configPath: string | undefined, { check, json }: Flags) => {
      const config = await readBotConfig(botConfigPath(configPath), process.env);
      if (check === true) checked(config, json === true, terminal);
      else await runBot(config, openBot, terminal);
    });

const openBot: Opener = (config, { scheduler, log, meter, signal }) => {
  const random = systemRandom();
  return Bot.open(config.settings, {
    scheduler,
    random,
    log,
    meter,
    signal,
    behind: (account, { mode }, journal) =>
      behindOf(account, mode, journal, { scheduler, random, log }),
    reread: async () => {
      const next = await readBotConfig(config.path, process.env);
      for (const secret of next.secrets) log.hide(secret);
      for (const warning of next.warnings) log.warn(warning);
      return next.settings;
    },
  });
};

function checked(config: BotConfig, json: boolean, { out, err }: Terminal): void {
  const { path, settings, warnings } = config;
  const { name, mode, data, accounts, strategies } = settings;
  for (const warning of warnings) err.write(`warning ${warning}\n`);
  if (json) {
    const plain = {
      ...{ path, name, mode, data },
      accounts: accounts.map((account) => ({ name: account.name, url: account.service.url })),
      strategies: strategies.map((one) => ({
        name: one.name,
        strategy: one.strategy.name,
        account: one.account,
        symbols: one.symbols,
      })),
      warnings,
    };
    out.write(`${JSON.stringify(plain)}\n`);
    return;
  }
  const rows = strategies.map((one) => [
    one.name,
    one.strategy.name,
    one.account,
    one.symbols.join(', '),
  ]);
  const head = ['strategy', 'of', 'account', 'symbols'];
  out.write(
    `${path} is sound: ${name}, ${mode}, journals in ${data}.\n\n${table(rows, { head })}\n`,
  );
}
