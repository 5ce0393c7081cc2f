import { Command } from 'commander';
import type { RebalanceFlags } from '../actions/rebalance.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace rebalance`: brings a portfolio over chains and an account to its targets. */
export const rebalanceCommand = (terminal: Terminal): Command =>
  new Command('rebalance')
    .description('Rebalance a portfolio over chains and a trading account to its targets.')
    .argument('[config]', 'configuration file (default: config/rebalancing.yaml)')
    .option('--plan', 'show the transfers with cost and reason, and execute none')
    .option(
      '--execute',
      'show the transfers, ask for confirmation and execute them; resumes an unfinished run',
    )
    .option(
      '--supersede',
      'with --execute: drop unpaid transfers of an unfinished run and plan again',
    )
    .option('--confirm <id>', 'with --execute: make the plan of this id that --plan has shown')
    .option('--yes', 'with --execute: plan anew and make that without asking')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  millrace rebalance --plan
  millrace rebalance --execute
  millrace rebalance --execute --confirm portfolio-20260301T100000.000000Z
  millrace rebalance my-portfolio.yaml --execute --yes --json

After Ctrl-C the next --execute resumes; it pays nothing twice.`,
    )
    .action(async (path: string | undefined, flags: RebalanceFlags) => {
      const { rebalance } = await import('../actions/rebalance.ts');
      await rebalance(path, flags, terminal);
    });
