import { Command, Option } from 'commander';
import type { ExportFlags } from '../actions/export.ts';
import { EXPORT_FORMS } from '../../research/export/forms.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace export`: a result in the form of another tool. */
export const exportCommand = (terminal: Terminal): Command =>
  new Command('export')
    .description('Write a result for notebooks, databases, freqtrade or QuantStats.')
    .argument('<result>', 'folder of a backtest or a sweep, or journal of a bot')
    .addOption(
      new Option('--as <form>', 'form of the files')
        .choices([...EXPORT_FORMS])
        .makeOptionMandatory(),
    )
    .option('-o, --out <folder>', 'folder for the files (default: RESULT-FORM)')
    .option('-f, --force', 'replace files that are there')
    .option('--json', 'print one JSON line with paths and notes')
    .addHelpText(
      'after',
      `
Forms:
  parquet     tables; a decimal as NAME (double) and NAME_exact (text)
  csv         the same tables; decimals as exact text
  freqtrade   result that load_backtest_data and load_backtest_stats read
  quantstats  returns of each day in UTC, for QuantStats and pyfolio

A sweep or a bot has the first two.

Examples:
  millrace export runs/ema-cross-29eb8f7a355a --as parquet
  millrace export runs/ema-cross-29eb8f7a355a --as freqtrade --out user_data/backtest_results
  millrace export runs/bot/local.sqlite --as csv`,
    )
    .action(async (result: string, flags: ExportFlags) => {
      const { exportResult } = await import('../actions/export.ts');
      await exportResult(result, flags, terminal);
    });
