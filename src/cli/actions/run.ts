import { systemRandom } from '../../platform/system-random.ts';
import { readBotConfig, type BotConfig } from '../bot-config.ts';
import { ownConfig } from '../own-config.ts';
import type { Opener } from '../bot/running.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace run`. */
export interface RunFlags {
  readonly check?: true;
  readonly json?: true;
}

/** Runs a bot until it is stopped, or only checks its configuration. */
export async function run(
  configPath: string | undefined,
  { check, json }: RunFlags,
  terminal: Terminal,
): Promise<void> {
  const config = await readBotConfig(ownConfig('bot', configPath), terminal.env);
  if (check === true) {
    checked(config, json === true, terminal);
    return;
  }
  const { runBot } = await import('../bot/running.ts');
  await runBot(config, openBot, terminal);
}

const openBot: Opener = async (config, { scheduler, log, meter, notifier, signal, env }) => {
  const [{ Bot }, { connect }] = await Promise.all([
    import('../../bot/bot.ts'),
    import('../../bot/connection/connect.ts'),
  ]);
  const random = systemRandom();
  return await Bot.open(config.settings, {
    scheduler,
    random,
    log,
    meter,
    notifier,
    signal,
    connect: (account, { mode }, journal) =>
      connect(account, mode, journal, { scheduler, random, log }),
    reread: async () => {
      const next = await readBotConfig(config.path, env);
      for (const secret of next.secrets) log.hide(secret);
      for (const warning of next.warnings) log.warn(warning);
      if (JSON.stringify(next.notifications) !== JSON.stringify(config.notifications)) {
        log.warn('What was changed in notifications holds from the next start.');
      }
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
      path,
      name,
      mode,
      data,
      accounts: accounts.map(({ name: account, service, gateway }) => {
        const { url, baseUrl, wsUrl } = service ?? {};
        const address = url === undefined ? { baseUrl, wsUrl } : { url };
        return { name: account, ...(gateway === undefined ? address : { venue: gateway.path }) };
      }),
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
