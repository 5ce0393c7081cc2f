import { Command } from 'commander';
import { CHECKS } from '../../feeds/quality/checks.ts';
import type { CheckFlags } from '../actions/feed-check.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed check`: what is wrong with recordings, where and how often. */
export const checkCommand = (terminal: Terminal): Command =>
  new Command('check')
    .description('Tell what is wrong with recordings: what, where, how many.')
    .argument('<paths...>', 'recordings, or folders of them')
    .option('--silence <span>', 'a longer time without an event is told', '1m')
    .option('--examples <count>', 'how many of each are shown', '3')
    .option('--strict', 'end with exit code 1 when there is a fault')
    .option('--json', 'print one JSON line for each recording')
    .addHelpText('after', () => `\nWhat is looked for:\n${legend()}`)
    .action(async (paths: string[], flags: CheckFlags) => {
      const { check } = await import('../actions/feed-check.ts');
      check(paths, flags, terminal);
    });

const legend = (): string =>
  Object.entries(CHECKS)
    .map(([name, { severity, means }]) => `  ${name.padEnd(20)} ${severity.padEnd(7)} ${means}\n`)
    .join('');
