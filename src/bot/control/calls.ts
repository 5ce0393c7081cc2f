import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { OPERATIONS, type BotApi, type BotStatus } from '../api/bot-api.ts';

/** A call of the control API that needs the token. */
export interface ControlCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  answer(bot: BotApi, body: unknown): unknown;
}

const BODY = z.strictObject({
  strategy: z.string().min(1).optional(),
  mode: z.enum(['paper', 'live']).optional(),
});

/** Reads a body's strategy, and the mode that the caller may act on. Throws `usage`. */
function namedIn(body: unknown): z.output<typeof BODY> {
  const read = BODY.safeParse(body ?? {});
  if (read.success) return read.data;
  throw new MillraceError(
    'usage',
    'The body is nothing, or {"strategy": NAME} to mean one strategy alone; "mode" beside it says which bot may act.',
    { field: 'strategy' },
  );
}

/** Only the bot knows its mode: a caller may be wrong, or the bot may have been restarted. */
function checkMode(bot: BotApi, mode: BotStatus['mode'] | undefined): void {
  const { name, mode: own } = bot.status();
  if (mode === undefined || mode === own) return;
  throw new MillraceError(
    'control-refused',
    `The bot ${name} runs ${own}, and the call is for a bot that runs ${mode}. Nothing was done.`,
    { field: 'mode' },
  );
}

const DOES: Readonly<Record<(typeof OPERATIONS)[number], string>> = {
  pause: 'Halts; orders stand.',
  resume: 'Runs again, unless it was killed or has failed. Losses count on.',
  'reset-loss': 'Resets the loss of the day and the drawdown.',
  reduce:
    'Lets only orders pass that bring longs and shorts nearer to zero; cancels those that could lead away.',
  halt: 'Halts, and cancels orders, exits too; positions stay.',
  kill: 'Halts for good, and cancels orders, exits too; positions stay. It takes a person and a restart to leave it.',
  flatten:
    'Halts, cancels orders, sells what is held and closes longs and shorts on margin, at market.',
};

/** Every call that needs the token. */
export const CONTROL_CALLS: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/status',
    summary:
      'The bot, its accounts with their margin accounts, and its strategies, with their states.',
    answer: (bot) => ({ ...bot.status(), ready: bot.isReady() }),
  },
  {
    method: 'GET',
    path: '/orders',
    summary: 'Orders that have not ended.',
    answer: (bot) => bot.orders(),
  },
  {
    method: 'GET',
    path: '/positions',
    summary: 'What each strategy holds, and all that is open on margin.',
    answer: (bot) => bot.positions(),
  },
  {
    method: 'GET',
    path: '/balances',
    summary:
      'Balances of the accounts on spot, in the wallet and of derivatives, and funds of their margin accounts.',
    answer: (bot) => bot.allBalances(),
  },
  ...OPERATIONS.map((operation): ControlCall => ({
    method: 'POST',
    path: `/${operation}`,
    summary: DOES[operation],
    answer: async (bot, body) => {
      const { strategy, mode } = namedIn(body);
      checkMode(bot, mode);
      await bot.operate(operation, strategy);
      return { ...bot.status(), ready: bot.isReady() };
    },
  })),
  {
    method: 'POST',
    path: '/reload',
    summary: 'Reloads the configuration; returns what was applied and what needs a restart.',
    answer: (bot, body) => {
      const { strategy, mode } = namedIn(body);
      checkMode(bot, mode);
      if (strategy === undefined) return bot.reload();
      throw new MillraceError('usage', 'The configuration is reloaded as a whole.', {
        field: 'strategy',
      });
    },
  },
];
