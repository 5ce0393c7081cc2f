import { Command } from 'commander';
import type { RebalanceFlags } from '../actions/rebalance.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace rebalance`: brings a portfolio over chains and an account to its targets. */
export const rebalanceCommand = (terminal: Terminal): Command =>
  new Command('rebalance')
    .description('Bring a portfolio over chains and a trading account to its targets.')
    .argument('[config]', 'YAML file (default: config/rebalancing.yaml)')
    .option('--plan', 'show the moves, what they cost and why, and make none')
    .option('--execute', 'show them, ask, and make them; goes on with what was under way')
    .option('--supersede', 'with --execute: give up what is under way and not paid, and plan anew')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  millrace rebalance --plan
  millrace rebalance --execute
  millrace rebalance my-portfolio.yaml --execute --yes --json

Ctrl-C leaves what is under way to the next --execute, which pays nothing twice.`,
    )
    .action(async (path: string | undefined, flags: RebalanceFlags) => {
      const { rebalance } = await import('../actions/rebalance.ts');
      await rebalance(path, flags, terminal);
    });
