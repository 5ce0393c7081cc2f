import { Command } from 'commander';
import type { OperateFlags, OperatingName } from '../actions/operate.ts';
import type { Terminal } from '../terminal.ts';

/** A command that talks to a running bot. */
interface OperatingCommand {
  readonly name: OperatingName;
  readonly description: string;
  /** It takes the name of one strategy. */
  readonly ofStrategy?: true;
  /** It asks for confirmation. */
  readonly asks?: true;
}

const COMMANDS: readonly OperatingCommand[] = [
  { name: 'status', description: 'Show the state of a bot, its strategies, accounts and markets.' },
  { name: 'orders', description: 'List open orders.', ofStrategy: true },
  {
    name: 'positions',
    description: 'List the positions of the strategies, and all on margin.',
    ofStrategy: true,
  },
  {
    name: 'balances',
    description: 'List the balances of spot, wallet, derivatives and margin accounts.',
  },
  {
    name: 'pause',
    description: 'Stop sending new orders; keep open orders.',
    ofStrategy: true,
  },
  {
    name: 'resume',
    description: 'Return to state running, from any state; losses count on.',
    ofStrategy: true,
  },
  {
    name: 'reset-loss',
    description: 'Reset the loss of the day and the drawdown.',
    ofStrategy: true,
    asks: true,
  },
  {
    name: 'reduce',
    description: 'Allow only orders toward zero, of longs and shorts; cancel all others.',
    ofStrategy: true,
  },
  {
    name: 'halt',
    description: 'Stop sending new orders; cancel open orders, exits too.',
    ofStrategy: true,
  },
  {
    name: 'kill',
    description: 'Cancel open orders and stop the strategy until the bot restarts.',
    ofStrategy: true,
    asks: true,
  },
  {
    name: 'flatten',
    description: 'Cancel open orders, close longs and shorts at market, then halt.',
    ofStrategy: true,
    asks: true,
  },
  { name: 'reload', description: 'Reload the configuration.' },
];

/** The commands that talk to a running bot. */
export const operatingCommands = (terminal: Terminal): readonly Command[] =>
  COMMANDS.map((command) => operatingCommand(command, terminal));

function operatingCommand(
  { name, description, ofStrategy, asks }: OperatingCommand,
  terminal: Terminal,
): Command {
  const command = new Command(name)
    .description(description)
    .option('--config <path>', 'configuration of the bot (default: config/bot.yaml)')
    .option('--url <address>', 'control API address (default: from the configuration)')
    .option('--token-file <path>', 'control API token file (default: from the configuration)')
    .option('--json', 'print one JSON line');
  const act = async (strategy: string | undefined, flags: OperateFlags): Promise<void> => {
    const { operate } = await import('../actions/operate.ts');
    await operate(name, strategy, flags, terminal);
  };
  if (asks === true) command.option('--yes', 'skip the confirmation');
  return ofStrategy === true
    ? command.argument('[strategy]', 'strategy (default: all)').action(act)
    : command.action((flags: OperateFlags) => act(undefined, flags));
}
