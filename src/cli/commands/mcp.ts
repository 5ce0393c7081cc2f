import { Command, Option } from 'commander';
import type { McpFlags } from '../actions/mcp.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace mcp`: a server of the Model Context Protocol for AI agents. */
export const mcpCommand = (terminal: Terminal): Command =>
  new Command('mcp')
    .description('Serve AI agents over stdio (Model Context Protocol).')
    .option('--root <folder>', 'folder that agents may name paths of', '.')
    .option('--bot <config>', 'configuration of a bot that agents may read')
    .addOption(
      new Option(
        '--allow <mode>',
        'let agents pause, reduce, halt, kill and flatten that bot, if it runs in this mode',
      ).choices(['paper', 'live']),
    )
    .addHelpText(
      'after',
      `
Examples:
  millrace mcp --root .
  millrace mcp --root . --bot config/bot.yaml
  millrace mcp --root . --bot config/bot.yaml --allow paper`,
    )
    .action(async (flags: McpFlags) => {
      const { serveMcp } = await import('../actions/mcp.ts');
      await serveMcp(flags, terminal);
    });
