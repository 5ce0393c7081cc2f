import { Command } from 'commander';
import { backtestCommand } from './commands/backtest.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { feedCommand } from './commands/feed.ts';
import { initCommand } from './commands/init.ts';
import { journalCommand } from './commands/journal.ts';
import { keysCommand } from './commands/keys.ts';
import { mcpCommand } from './commands/mcp.ts';
import { newCommand } from './commands/new.ts';
import { rebalanceCommand } from './commands/rebalance.ts';
import { recordCommand } from './commands/record.ts';
import { operatingCommands } from './commands/operate.ts';
import { runCommand } from './commands/run.ts';
import { sweepCommand } from './commands/sweep.ts';
import { walkForwardCommand } from './commands/walk-forward.ts';
import { strategiesCommand } from './commands/strategies.ts';
import { venueCommand } from './commands/venue.ts';
import { workerCommand } from './commands/worker.ts';
import { reportFailure } from './failure.ts';
import { version } from '../modules/package.ts';
import { guardedTerminal, terminal as real, type Output, type Terminal } from './terminal.ts';

/** The `millrace` command with all its subcommands; composition of the shell happens here. */
export function program(terminal: Terminal): Command {
  const root = new Command('millrace')
    .description('Backtest a trading strategy, then run the same file as a paper or live bot.')
    .version(version(), '-v, --version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      `
Examples:
  millrace new project my-bot            create a project in a new folder
  millrace backtest                      backtest the example configuration
  millrace backtest -s market-maker      backtest another strategy on the same recording
  millrace sweep --vary fast=3..9        backtest many sets of parameters
  millrace strategies ema-cross          show a strategy and its parameters
  millrace feed check config/sample/BTCUSDT.arrow
  millrace venue                         run the exchange as a local server
  millrace run                           run the bot of config/bot.yaml
  millrace status                        show the state of that bot
  millrace rebalance --plan              show the transfers that restore the targets

Exit codes: 0 success, 1 failed data or run, 2 wrong arguments or configuration.`,
    );
  const groups = {
    'Project:': [newCommand(terminal), initCommand(terminal), completionCommand(terminal)],
    'Backtest:': [
      backtestCommand(terminal),
      sweepCommand(terminal),
      workerCommand(terminal),
      walkForwardCommand(terminal),
      exportCommand(terminal),
      strategiesCommand(terminal),
    ],
    'Agents:': [mcpCommand(terminal)],
    'Market data:': [feedCommand(terminal), recordCommand(terminal)],
    'Bot:': [
      runCommand(terminal),
      doctorCommand(terminal),
      ...operatingCommands(terminal),
      journalCommand(terminal),
    ],
    'Venue and inventory:': [
      venueCommand(terminal),
      rebalanceCommand(terminal),
      keysCommand(terminal),
    ],
  };
  for (const [heading, commands] of Object.entries(groups)) {
    root.commandsGroup(heading);
    for (const command of commands) root.addCommand(command);
  }
  prepare(root, terminal);
  return root;
}

/** Usage errors become exceptions, and all output goes to the terminal. */
function prepare(command: Command, { out, err }: Output): void {
  command
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text.replace(/^error: /, 'error [usage] ')),
    })
    .showHelpAfterError(`Run "${path(command)} --help" to see its arguments and options.`);
  for (const each of command.commands) prepare(each, { out, err });
}

const path = (command: Command): string =>
  command.parent === null ? command.name() : `${path(command.parent)} ${command.name()}`;

/** Runs one command line (without node and script) and returns its exit code. */
export async function run(args: readonly string[], given: Terminal = real): Promise<number> {
  const terminal = guardedTerminal(given);
  try {
    await program(terminal).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(error, terminal, args.includes('--json'));
  }
}
