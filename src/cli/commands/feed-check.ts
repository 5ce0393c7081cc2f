import { Command } from 'commander';
import { CHECKS } from '../../feeds/quality/checks.ts';
import type { CheckFlags } from '../actions/feed-check.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed check`: problems of recordings, where and how often. */
export const checkCommand = (terminal: Terminal): Command =>
  new Command('check')
    .description('Find gaps, disorder and invalid rows in recordings.')
    .argument('<paths...>', 'recordings, or folders of recordings')
    .option('--silence <span>', 'report a longer time without an event', '1m')
    .option('--examples <count>', 'examples to print per check', '3')
    .option('--strict', 'exit with 1 if there is a fault')
    .option('--json', 'print one JSON line per recording')
    .addHelpText('after', () => `\nChecks:\n${legend()}`)
    .action(async (paths: string[], flags: CheckFlags) => {
      const { check } = await import('../actions/feed-check.ts');
      check(paths, flags, terminal);
    });

const legend = (): string =>
  Object.entries(CHECKS)
    .map(([name, { severity, means }]) => `  ${name.padEnd(20)} ${severity.padEnd(7)} ${means}\n`)
    .join('');
