import { Command, Option } from 'commander';
import type { ExportFlags } from '../actions/export.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace export`: a result in the form of another tool. */
export const exportCommand = (terminal: Terminal): Command =>
  new Command('export')
    .description('Write a result for notebooks, databases, freqtrade or QuantStats.')
    .argument('<folder>', 'result folder, such as runs/ema-cross-97e0c1794eb4')
    .addOption(
      new Option('--as <form>', 'form of the files')
        .choices(['parquet', 'csv', 'freqtrade', 'quantstats'])
        .makeOptionMandatory(),
    )
    .option('-o, --out <folder>', 'folder for the files (default: FOLDER-FORM)')
    .option('-f, --force', 'replace files that are there')
    .option('--json', 'print one JSON line with paths and notes')
    .addHelpText(
      'after',
      `
Forms:
  parquet     tables; exact decimals as NAME (double) and NAME_exact (text)
  csv         the same tables; exact decimals as text
  freqtrade   result that load_backtest_data and load_backtest_stats read
  quantstats  returns of each day in UTC, for QuantStats and pyfolio

Examples:
  millrace export runs/ema-cross-97e0c1794eb4 --as parquet
  millrace export runs/ema-cross-97e0c1794eb4 --as freqtrade --out user_data/backtest_results`,
    )
    .action(async (folder: string, flags: ExportFlags) => {
      const { exportResult } = await import('../actions/export.ts');
      await exportResult(folder, flags, terminal);
    });
