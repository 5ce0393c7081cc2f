import { Command } from 'commander';
import type { RecordFlags } from '../actions/record.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace record`: a live feed into recordings. */
export const recordCommand = (terminal: Terminal): Command =>
  new Command('record')
    .description('Write the live feed of a trading service into recordings.')
    .requiredOption('--url <origin>', 'where the service is, such as http://127.0.0.1:8330')
    .requiredOption('--symbols <symbol...>', 'what to record, by spaces or commas')
    .requiredOption('-o, --out <folder>', 'where the recordings go')
    .option('--rotate <span|size>', 'a new file each 15m, 1h or 1d (UTC), or after 500MB')
    .option('--flush <span>', 'how much a crash may cost at most', '5s')
    .option('--duration <span>', 'ends by itself after so long')
    .option('--raw', 'keep the frames too, as they came')
    .option('--json', 'print one JSON line at the end')
    .addHelpText(
      'after',
      `
Examples:
  millrace record --url http://127.0.0.1:8330 --symbols BTCUSDT ETHUSDT --out recordings
  millrace record --url http://127.0.0.1:8330 --symbols BTCUSDT --out recordings --rotate 1h --raw

Ctrl-C ends it and finishes the files. What a crash left behind is recovered at the next start.`,
    )
    .action(async (flags: RecordFlags) => {
      const { record } = await import('../actions/record.ts');
      await record(flags, terminal);
    });
