import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { BotStatus } from '../../bot/api/bot-api.ts';
import { version } from '../../modules/package.ts';
import { MillraceError } from '../../model/errors.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { addBotTools } from '../mcp/bot-tools.ts';
import { Bounds } from '../mcp/bounds.ts';
import { Jobs } from '../mcp/jobs.ts';
import { addReadingTools } from '../mcp/reading-tools.ts';
import { addResearchTools } from '../mcp/research-tools.ts';
import { addResources } from '../mcp/resources.ts';
import type { McpParts } from '../mcp/settings.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace mcp`. */
export interface McpFlags {
  readonly root: string;
  readonly bot?: string;
  readonly allow?: BotStatus['mode'];
}

const INSTRUCTIONS =
  'Millrace backtests trading strategies and runs them as bots. Read docs with search_docs first. An error has a stable code; explain_code says what it means. Read the warnings of a result before its figures.';

/** Serves tools and resources over stdin and stdout until the client or a signal ends it. */
export async function serveMcp(flags: McpFlags, terminal: Terminal): Promise<void> {
  const { env, err, signals } = terminal;
  const bounds = new Bounds(flags.root);
  const jobs = new Jobs(bounds.root, env, new SystemScheduler());
  const parts: McpParts = { bounds, jobs, ...(await botOf(flags, terminal)) };
  const server = serveStdio(() => mcpServer(parts), {
    onerror: (error) => void err.write(`${error.message}\n`),
  });
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([
    once(process.stdin, 'close', { signal }),
    once(process.stdin, 'end', { signal }),
    ...['SIGINT', 'SIGTERM'].map((name) => once(signals as NodeJS.EventEmitter, name, { signal })),
  ]);
  over.abort();
  await jobs.close();
  await server.close();
}

function mcpServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'millrace', version: version() },
    { instructions: INSTRUCTIONS },
  );
  addReadingTools(server);
  addResearchTools(server, parts);
  addBotTools(server, parts);
  addResources(server, parts.bounds);
  return server;
}

/** The configuration is read once: a later change must not send the token elsewhere. */
async function botOf(
  { bot, allow }: McpFlags,
  { env }: Terminal,
): Promise<Pick<McpParts, 'bot' | 'allow'>> {
  if (bot === undefined) {
    if (allow === undefined) return {};
    throw new MillraceError('usage', '--allow needs --bot, the configuration of the bot.', {
      field: '--allow',
    });
  }
  const { readControlConfig } = await import('../bot-config.ts');
  return { bot: readControlConfig(bot, env), allow };
}
