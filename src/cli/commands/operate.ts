import { Command } from 'commander';
import {
  configuredToken,
  configuredUrl,
  ControlClient,
  readToken,
} from '../../bot/control/client.ts';
import type { Operation } from '../../bot/operated.ts';
import { MillraceError } from '../../model/errors.ts';
import { botConfigPath, readControlConfig } from '../bot-config.ts';
import { confirm } from '../bot/question.ts';
import { balancesText, ordersText, positionsText, statusText } from '../bot/tables.ts';
import type { Terminal } from '../terminal.ts';

interface Flags {
  readonly config?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly json?: true;
  readonly yes?: true;
}

/** What a command has to show: for people as text, for programs as it came. */
interface Shown {
  readonly data: unknown;
  readonly text: string;
}

type Ask = (client: ControlClient, strategy: string | undefined) => Promise<Shown>;

/** The commands that talk to a running bot. */
export const operatingCommands = (terminal: Terminal): readonly Command[] => [
  command(terminal, 'status', 'Show how a bot, its strategies and its accounts stand.', (client) =>
    showStatus(client, terminal),
  ),
  ofStrategies(terminal, 'orders', 'Show the open orders of a bot.', async (client, strategy) => {
    const [all, { at, strategies }] = await Promise.all([client.orders(), client.status()]);
    const data = ofOne(all, strategies, strategy);
    return { data, text: ordersText(data, at) };
  }),
  ofStrategies(
    terminal,
    'positions',
    'Show what the strategies hold.',
    async (client, strategy) => {
      const [all, { strategies }] = await Promise.all([client.positions(), client.status()]);
      const data = ofOne(all, strategies, strategy);
      return { data, text: positionsText(data) };
    },
  ),
  command(terminal, 'balances', 'Show the balances of the accounts.', async (client) => {
    const data = await client.balances();
    return { data, text: balancesText(data) };
  }),
  operation(terminal, 'pause', 'Halt a bot or one strategy; open orders stand.'),
  operation(terminal, 'resume', 'Let a bot or one strategy run again, from every state.'),
  operation(terminal, 'reduce', 'Let pass only what brings holdings nearer to nothing.'),
  operation(terminal, 'halt', 'Halt a bot or one strategy, and cancel its orders.'),
  operation(terminal, 'kill', 'Halt for good, and cancel all orders.', KILL),
  operation(terminal, 'flatten', 'Cancel orders, sell what is held at market, halt.', FLATTEN),
  command(terminal, 'reload', 'Let a bot read its configuration anew.', async (client) => {
    const data = await client.reload();
    const lines = [
      data.taken.length === 0 ? 'Nothing was taken over.' : `Taken over: ${data.taken.join(', ')}.`,
      ...(data.needsRestart.length === 0
        ? []
        : [`From the next start on: ${data.needsRestart.join(', ')}.`]),
    ];
    return { data, text: lines.join('\n') };
  }),
];

const KILL = (whom: string): string =>
  `Kill ${whom}: its orders are canceled, and it trades again only after a restart of the bot and millrace resume. Do it?`;
const FLATTEN = (whom: string): string =>
  `Flatten ${whom}: its orders are canceled, and all that it holds is sold at market. Do it?`;

function command(
  terminal: Terminal,
  name: string,
  description: string,
  ask: Ask,
  prepare: (strategy: string | undefined, flags: Flags) => Promise<void> = () => Promise.resolve(),
): Command {
  return new Command(name)
    .description(description)
    .option('--config <path>', 'configuration of the bot (default: config/bot.yaml here)')
    .option('--url <address>', 'address of its control API, instead of the configured one')
    .option('--token-file <path>', 'file of its token, instead of the configured one')
    .option('--json', 'print one JSON line')
    .action(async (...given: unknown[]) => {
      // Commander hands in arguments, flags and itself; who takes no argument has flags first.
      const [strategy, flags] = given.length === 3 ? given : [undefined, given[0]];
      await talk(strategy as string | undefined, flags as Flags, ask, prepare, terminal);
    });
}

const ofStrategies = (...all: Parameters<typeof command>): Command =>
  command(...all).argument('[strategy]', 'name of one strategy (default: all)');

function operation(
  terminal: Terminal,
  name: Operation,
  description: string,
  question?: (whom: string) => string,
): Command {
  const ask: Ask = async (client, strategy) => {
    const data = await client.operate(name, strategy);
    const { text } = shownStatus(data, terminal);
    return { data, text: `Done: ${name} ${strategy ?? 'all'}.\n\n${text}` };
  };
  const prepare = async (strategy: string | undefined, { yes }: Flags): Promise<void> => {
    if (question === undefined || yes === true) return;
    await confirm(question(strategy ?? 'all strategies'), terminal);
  };
  const made = ofStrategies(terminal, name, description, ask, prepare);
  return question === undefined ? made : made.option('--yes', 'do not ask first');
}

async function talk(
  strategy: string | undefined,
  flags: Flags,
  ask: Ask,
  prepare: (strategy: string | undefined, flags: Flags) => Promise<void>,
  { out }: Terminal,
): Promise<void> {
  const client = new ControlClient(addressOf(flags));
  try {
    await prepare(strategy, flags);
    const { data, text } = await ask(client, strategy);
    out.write(`${flags.json === true ? JSON.stringify(data) : text}\n`);
  } finally {
    await client.close();
  }
}

/** Where the bot is and the token for it; the configuration is read for what is not said. */
function addressOf({ config, url, tokenFile }: Flags): { url: string; token: string } {
  const settings = () => readControlConfig(botConfigPath(config), process.env);
  return {
    url: url ?? configuredUrl(settings()),
    token: tokenFile === undefined ? configuredToken(settings()) : readToken(tokenFile),
  };
}

const shownStatus = (
  status: Awaited<ReturnType<ControlClient['status']>>,
  { out }: Terminal,
): Shown => ({ data: status, text: statusText(status, out) });

const showStatus = async (client: ControlClient, terminal: Terminal): Promise<Shown> =>
  shownStatus(await client.status(), terminal);

/** The lines of one strategy, or all. Throws `usage` for one that the bot does not have. */
function ofOne<L extends { readonly strategy: string }>(
  lines: readonly L[],
  strategies: readonly { readonly name: string }[],
  strategy: string | undefined,
): readonly L[] {
  if (strategy === undefined) return lines;
  const names = strategies.map(({ name }) => name);
  if (names.includes(strategy)) return lines.filter((line) => line.strategy === strategy);
  throw new MillraceError(
    'usage',
    `This bot has no strategy "${strategy}"; it has ${names.join(', ')}.`,
    { field: 'strategy' },
  );
}
