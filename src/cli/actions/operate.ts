import {
  configuredToken,
  configuredUrl,
  ControlClient,
  type ControlAddress,
  readToken,
} from '../../bot/control/client.ts';
import type { Operation } from '../../bot/api/bot-api.ts';
import { MillraceError } from '../../model/errors.ts';
import { confirm } from '../bot/question.ts';
import {
  balancesText,
  marginPositionsText,
  ordersText,
  positionsText,
  statusText,
} from '../bot/tables.ts';
import type { Terminal } from '../terminal.ts';
import { ownConfig } from '../own-config.ts';

/** Flags of the commands that talk to a running bot. */
export interface OperateFlags {
  readonly config?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly json?: true;
  readonly yes?: true;
}

/** Output of a command: text for people, JSON for programs. */
interface CommandOutput {
  readonly data: unknown;
  readonly text: string;
}

type Ask = (
  client: ControlClient,
  strategy: string | undefined,
  terminal: Terminal,
) => Promise<CommandOutput>;

const SHOWING = {
  status: async (client, _, terminal) => shownStatus(await client.status(), terminal),
  orders: async (client, strategy) => {
    const [all, { at, strategies }] = await Promise.all([client.orders(), client.status()]);
    const data = ofOne(all, strategies, strategy);
    return { data, text: ordersText(data, at) };
  },
  positions: async (client, strategy, { out }) => {
    const [all, { strategies }] = await Promise.all([client.positions(), client.status()]);
    const data = ofOne(all, strategies, strategy);
    return { data, text: positionsText(data, out) };
  },
  balances: async (client, _, { out }) => {
    const data = await client.balances();
    return { data, text: balancesText(data, out) };
  },
  reload: async (client) => {
    const data = await client.reload();
    const lines = [
      data.taken.length === 0 ? 'No setting changed.' : `Reloaded: ${data.taken.join(', ')}.`,
      ...(data.needsRestart.length === 0
        ? []
        : [`Needs a restart: ${data.needsRestart.join(', ')}.`]),
    ];
    return { data, text: lines.join('\n') };
  },
} as const satisfies Readonly<Record<string, Ask>>;

/** The commands that talk to a running bot. */
export type OperatingName = keyof typeof SHOWING | Operation;

const isShowing = (name: OperatingName): name is keyof typeof SHOWING =>
  Object.hasOwn(SHOWING, name);

/** Questions before operations that cannot be undone. */
const QUESTIONS: Readonly<Partial<Record<OperatingName, (whom: string) => string>>> = {
  kill: (whom) =>
    `Kill ${whom}? This cancels its orders, those too that protect positions, and leaves the positions. It trades again only after you restart the bot and run millrace resume.`,
  'reset-loss': (whom) => `Reset the losses of ${whom}? Trading may lose as much again.`,
  flatten: (whom) =>
    `Flatten ${whom}? This cancels its orders, sells what it holds and closes its longs and shorts on margin, at market.`,
};

/** Sends a query or an operation to a running bot, and shows its answer. */
export async function operate(
  name: OperatingName,
  strategy: string | undefined,
  flags: OperateFlags,
  terminal: Terminal,
): Promise<void> {
  const client = new ControlClient(await addressOf(flags, terminal));
  try {
    const question = QUESTIONS[name];
    if (question !== undefined && flags.yes !== true) {
      await confirm(question(strategy ?? 'all strategies'), terminal);
    }
    const ask: Ask = isShowing(name) ? SHOWING[name] : operation(name);
    const { data, text } = await ask(client, strategy, terminal);
    terminal.out.write(`${flags.json === true ? JSON.stringify(data) : text}\n`);
  } finally {
    client.close();
  }
}

const operation =
  (name: Operation): Ask =>
  async (client, strategy, terminal) => {
    const data = await client.operate(name, strategy);
    const { text } = shownStatus(data, terminal);
    const left = name === 'flatten' ? await leftText(client, strategy, terminal) : '';
    return { data, text: `Done: ${name} ${strategy ?? 'all'}.\n\n${text}${left}` };
  };

/** Margin positions left after a flattening: foreign ones, or those of other strategies. */
async function leftText(
  client: ControlClient,
  strategy: string | undefined,
  { out }: Terminal,
): Promise<string> {
  const open = (await client.positions()).filter((one) => one.accountType !== 'spot');
  const left = strategy === undefined ? open : open.filter((one) => one.strategy === strategy);
  if (left.length === 0) return '';
  return `\n\nStill open on margin, as no strategy of the bot opened it or it was opened since:\n${marginPositionsText(left, out)}`;
}

/** Address and token of the bot; reads the configuration for what the flags do not give. */
async function addressOf(
  { config, url, tokenFile }: OperateFlags,
  { env }: Terminal,
): Promise<ControlAddress> {
  if (url !== undefined && tokenFile !== undefined) return { url, token: readToken(tokenFile) };
  const { readControlConfig } = await import('../bot-config.ts');
  const settings = readControlConfig(ownConfig('bot', config), env);
  return {
    url: url ?? configuredUrl(settings),
    token: tokenFile === undefined ? configuredToken(settings) : readToken(tokenFile),
  };
}

const shownStatus = (
  status: Awaited<ReturnType<ControlClient['status']>>,
  { out }: Terminal,
): CommandOutput => ({ data: status, text: statusText(status, out) });

/**
 * The lines of one strategy, or all. Throws `usage` for a strategy without lines that the bot does not
 * have.
 */
function ofOne<L extends { readonly strategy: string }>(
  lines: readonly L[],
  strategies: readonly { readonly name: string }[],
  strategy: string | undefined,
): readonly L[] {
  if (strategy === undefined) return lines;
  const names = strategies.map(({ name }) => name);
  const own = lines.filter((line) => line.strategy === strategy);
  if (own.length > 0 || names.includes(strategy)) return own;
  throw new MillraceError(
    'usage',
    `This bot has no strategy "${strategy}"; it has ${names.join(', ')}.`,
    { field: 'strategy' },
  );
}
