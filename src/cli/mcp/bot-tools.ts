import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { configuredToken, configuredUrl, ControlClient } from '../../bot/control/client.ts';
import type { ControlSettings } from '../../bot/control/settings.ts';
import { answered } from './answers.ts';
import type { McpParts } from './settings.ts';

/** Operations that reduce risk. Those that allow more, resuming and resetting losses, are for people. */
const CALMING = ['pause', 'reduce', 'halt', 'kill', 'flatten'] as const;

/** Tools that read the bot that the server was started for, and operate it if allowed. */
export function addBotTools(server: McpServer, { bot, allow }: McpParts): void {
  if (bot === undefined) return;
  server.registerTool(
    'bot_status',
    {
      description:
        'Read a running bot: its state with its mode (paper or live), or its orders, positions or balances.',
      inputSchema: z.strictObject({
        what: z.enum(['status', 'orders', 'positions', 'balances']).optional(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ what }, { mcpReq }) =>
      answered(() => calling(bot, mcpReq.signal, (client) => client[what ?? 'status']())),
  );
  if (allow === undefined) return;
  server.registerTool(
    'bot_operate',
    {
      description: `Act on the ${allow} bot, which refuses when it is not ${allow}. pause: halts, orders stand. reduce: only orders toward zero. halt: halts and cancels orders, exits too. kill: as halt, and trades again only after a restart by a person. flatten: cancels orders and closes all positions at market.`,
      inputSchema: z.strictObject({
        operation: z.enum(CALMING),
        strategy: z.string().min(1).optional().describe('One strategy alone (default: all).'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    ({ operation, strategy }, { mcpReq }) =>
      answered(() =>
        calling(bot, mcpReq.signal, (client) => client.operate(operation, strategy, allow)),
      ),
  );
}

/** Calls the bot; its address and token may be newer than the start of the server. */
async function calling(
  bot: ControlSettings,
  signal: AbortSignal,
  call: (client: ControlClient) => Promise<unknown>,
): Promise<unknown> {
  const client = new ControlClient({ url: configuredUrl(bot), token: configuredToken(bot) });
  const close = (): void => {
    client.close();
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    return await call(client);
  } finally {
    signal.removeEventListener('abort', close);
    client.close();
  }
}
