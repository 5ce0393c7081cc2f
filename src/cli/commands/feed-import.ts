import { Argument, Command, Option } from 'commander';
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../feeds/importers/formats.ts';
import { PERIODS } from '../../model/period.ts';
import type { ImportFlags } from '../actions/feed-import.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed import`: one recording out of files of another format. */
export const importCommand = (terminal: Terminal): Command =>
  new Command('import')
    .description('Make a recording from files of another format.')
    .addArgument(new Argument('<format>', 'what the files are').choices(FORMAT_NAMES))
    .argument('<files...>', 'the files, in order of time where the format is one session')
    .requiredOption('-o, --out <folder>', 'where the recording goes')
    .option('-n, --name <name>', 'file name of the recording without ending (default: its symbol)')
    .option('--symbol <symbol>', 'symbol, where the files do not name it')
    .option('--base-currency <currency>', 'what is traded, where the symbol does not tell')
    .option('--quote-currency <currency>', 'what it is priced in, where the symbol does not tell')
    .option('--tick-size <decimal>', 'step of prices (default: the finest seen)')
    .option('--quantity-increment <decimal>', 'step of quantities (default: the finest seen)')
    .option('--take-rate <fraction>', 'taker fee, 0.001 is 0.1 %')
    .option('--make-rate <fraction>', 'maker fee, negative for a rebate')
    .option('--fee-currency <currency>', 'what fees are paid in (default: the quote currency)')
    .addOption(new Option('--type <type>', 'kind of instrument').choices(['spot', 'futures']))
    .addOption(new Option('--period <period>', 'period of candles').choices(PERIODS))
    .addOption(
      new Option('--candle-time <end>', 'which end of its candle a time names').choices([
        'open',
        'close',
      ]),
    )
    .addOption(
      new Option('--time-unit <unit>', 'unit of numeric times').choices(['s', 'ms', 'us', 'ns']),
    )
    .option('--column <field=name...>', 'column of a field that is not found by itself')
    .option('-f, --force', 'replace a recording of that name')
    .option('--json', 'print one JSON line')
    .addHelpText('after', () => `\nFormats:\n${formats()}`)
    .action(async (format: FormatName, files: string[], flags: ImportFlags) => {
      const { importRecording } = await import('../actions/feed-import.ts');
      await importRecording(format, files, flags, terminal);
    });

const formats = (): string =>
  FORMAT_NAMES.map((name) => {
    const { summary, example } = FORMATS[name];
    return `  ${name}\n      ${summary}\n      ${example}\n`;
  }).join('');
