import { Command } from 'commander';
import type { OperateFlags, OperatingName } from '../actions/operate.ts';
import type { Terminal } from '../terminal.ts';

/** A command that talks to a running bot. */
interface OperatingCommand {
  readonly name: OperatingName;
  readonly description: string;
  /** It takes the name of one strategy. */
  readonly ofStrategy?: true;
  /** It asks first. */
  readonly asks?: true;
}

const COMMANDS: readonly OperatingCommand[] = [
  { name: 'status', description: 'Show how a bot, its strategies and its accounts stand.' },
  { name: 'orders', description: 'Show the open orders of a bot.', ofStrategy: true },
  { name: 'positions', description: 'Show what the strategies hold.', ofStrategy: true },
  { name: 'balances', description: 'Show the balances of the accounts.' },
  {
    name: 'pause',
    description: 'Halt a bot or one strategy; open orders stand.',
    ofStrategy: true,
  },
  {
    name: 'resume',
    description: 'Let a bot or one strategy run again, from every state.',
    ofStrategy: true,
  },
  {
    name: 'reduce',
    description: 'Let pass only what brings holdings nearer to nothing.',
    ofStrategy: true,
  },
  {
    name: 'halt',
    description: 'Halt a bot or one strategy, and cancel its orders.',
    ofStrategy: true,
  },
  {
    name: 'kill',
    description: 'Halt for good, and cancel all orders.',
    ofStrategy: true,
    asks: true,
  },
  {
    name: 'flatten',
    description: 'Cancel orders, sell what is held at market, halt.',
    ofStrategy: true,
    asks: true,
  },
  { name: 'reload', description: 'Let a bot read its configuration anew.' },
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
    .option('--config <path>', 'configuration of the bot (default: config/bot.yaml here)')
    .option('--url <address>', 'address of its control API, instead of the configured one')
    .option('--token-file <path>', 'file of its token, instead of the configured one')
    .option('--json', 'print one JSON line');
  const act = async (strategy: string | undefined, flags: OperateFlags): Promise<void> => {
    const { operate } = await import('../actions/operate.ts');
    await operate(name, strategy, flags, terminal);
  };
  if (asks === true) command.option('--yes', 'do not ask first');
  return ofStrategy === true
    ? command.argument('[strategy]', 'name of one strategy (default: all)').action(act)
    : command.action((flags: OperateFlags) => act(undefined, flags));
}
