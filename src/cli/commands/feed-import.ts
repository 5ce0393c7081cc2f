import { Command, Option } from 'commander';
import { FORMAT_NAMES, FORMATS } from '../../feeds/importers/formats.ts';
import { PERIOD_NAMES } from '../../model/period.ts';
import type { ImportFlags } from '../actions/feed-import.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed import`: one recording out of files of another format. */
export const importCommand = (terminal: Terminal): Command =>
  new Command('import')
    .description('Convert market data files into a recording.')
    .argument('<files...>', 'files, oldest first; the name of a format may come before them')
    .requiredOption('-o, --out <folder>', 'folder for the recording')
    .option('--format <name>', 'format or layout of the files (default: by their content)')
    .option('--mapping <file>', 'YAML file that says which column of text files is what')
    .option('-n, --name <name>', 'file name without extension (default: the symbol)')
    .option('--symbol <symbol>', 'symbol, if the files do not name it')
    .option('--base-currency <currency>', 'base currency, if the symbol does not show it')
    .option('--quote-currency <currency>', 'quote currency, if the symbol does not show it')
    .option('--tick-size <decimal>', 'price step (default: finest in the files)')
    .option('--quantity-increment <decimal>', 'quantity step (default: finest in the files)')
    .option('--take-rate <fraction>', 'taker fee rate; 0.001 is 0.1 %')
    .option('--make-rate <fraction>', 'maker fee rate; negative is a rebate')
    .option('--fee-currency <currency>', 'currency of fees (default: the quote currency)')
    .option('--min-notional <decimal>', 'least value of an order (default: none)')
    .addOption(new Option('--type <type>', 'instrument type').choices(['spot', 'futures']))
    .option('--contract-size <decimal>', 'quantity of one futures contract')
    .addOption(
      new Option(
        '--settlement <currency>',
        'whether futures settle in the quote (linear) or base currency (inverse)',
      ).choices(['linear', 'inverse']),
    )
    .addOption(new Option('--period <period>', 'candle period').choices(PERIOD_NAMES))
    .addOption(
      new Option('--candle-time <end>', "whether a candle's time is its open or its close").choices(
        ['open', 'close'],
      ),
    )
    .addOption(
      new Option('--prices <price>', 'what candles are of, if not of trades').choices([
        'mark',
        'index',
      ]),
    )
    .addOption(
      new Option('--time-unit <unit>', 'unit of numeric timestamps').choices([
        's',
        'ms',
        'us',
        'ns',
      ]),
    )
    .option('--zone <zone>', 'zone of times without an offset: UTC, -05:00, Europe/Berlin')
    .option('--quote-size <decimal>', 'size of bids and asks in files that have none')
    .option('--column <field=name...>', 'column name of a field, if not recognised')
    .option('-f, --force', 'overwrite an existing recording')
    .option('--json', 'print one JSON line')
    .addHelpText('after', () => `\nFormats:\n${formats()}`)
    .action(async (files: string[], flags: ImportFlags) => {
      const { importRecording } = await import('../actions/feed-import.ts');
      await importRecording(files, flags, terminal);
    });

const formats = (): string =>
  FORMAT_NAMES.map((name) => {
    const { summary, example } = FORMATS[name];
    return `  ${name}\n      ${summary}\n      ${example}\n`;
  }).join('');
