import { Command } from 'commander';
import { backtestCommand } from './commands/backtest.ts';
import { doctorCommand } from './commands/doctor.ts';
import { feedCommand } from './commands/feed.ts';
import { journalCommand } from './commands/journal.ts';
import { keysCommand } from './commands/keys.ts';
import { rebalanceCommand } from './commands/rebalance.ts';
import { recordCommand } from './commands/record.ts';
import { operatingCommands } from './commands/operate.ts';
import { runCommand } from './commands/run.ts';
import { strategiesCommand } from './commands/strategies.ts';
import { venueCommand } from './commands/venue.ts';
import { explainFailure } from './failure.ts';
import { version } from './package.ts';
import { terminal as real, type Terminal } from './terminal.ts';

/** The `millrace` command with all its subcommands; composition of the shell happens here. */
export function program(terminal: Terminal): Command {
  const root = new Command('millrace')
    .description('Backtest, paper trade and run trading strategies with exact arithmetic.')
    .version(version(), '-v, --version')
    .addCommand(backtestCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(feedCommand(terminal))
    .addCommand(journalCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(rebalanceCommand(terminal))
    .addCommand(recordCommand(terminal))
    .addCommand(runCommand(terminal))
    .addCommand(strategiesCommand(terminal))
    .addCommand(venueCommand(terminal))
    .addHelpText(
      'after',
      `
Examples:
  millrace backtest                          the example configuration
  millrace backtest -s market-maker          another strategy on the same recording
  millrace feed check config/sample/BTCUSDT.arrow
  millrace strategies ema-cross              what a strategy does and its parameters
  millrace venue                             an exchange to trade on, on this machine
  millrace run                               the bot of config/bot.yaml
  millrace status                            how that bot stands
  millrace rebalance --plan                  what would bring a portfolio to its targets

Exit codes: 0 done, 1 the data or the run failed, 2 the call or its configuration is wrong.`,
    );
  for (const command of operatingCommands(terminal)) root.addCommand(command);
  prepare(root, terminal);
  return root;
}

/** Errors of usage become exceptions, and everything is written where the terminal says. */
function prepare(command: Command, { out, err }: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text.replace(/^error: /, 'error [usage] ')),
    })
    .showHelpAfterError(`Run "${path(command)} --help" for what it takes.`);
  for (const each of command.commands) prepare(each, { out, err });
}

const path = (command: Command): string =>
  command.parent === null ? command.name() : `${path(command.parent)} ${command.name()}`;

/** Runs one command line (without node and script) and gives its exit code. */
export async function run(args: readonly string[], terminal: Terminal = real): Promise<number> {
  try {
    await program(terminal).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return explainFailure(error, terminal, args.includes('--json'));
  }
}
