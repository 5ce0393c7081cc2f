import { Argument, Command, Option } from 'commander';
import type { DownloadFlags } from '../actions/feed-download.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed download`: files of a public archive, and a recording of them. */
export const downloadCommand = (terminal: Terminal): Command =>
  new Command('download')
    .description('Download market data from a public archive, and import it.')
    .addArgument(new Argument('<archive>', 'archive to download from').choices(['binance']))
    .requiredOption('--symbol <symbol>', 'symbol as the archive writes it')
    .addOption(
      new Option('--market <market>', 'spot, USD-margined or coin-margined futures')
        .choices(['spot', 'um', 'cm'])
        .default('spot'),
    )
    .option(
      '--type <type>',
      'klines, trades, aggTrades, bookTicker, fundingRate, metrics',
      'klines',
    )
    .option('--interval <interval>', 'interval of candles, such as 1h')
    .requiredOption('--from <day>', 'first day or month, such as 2024-01 or 2024-01-15')
    .option('--till <day>', 'day or month after the last (default: today)')
    .option('--cache <folder>', 'folder for the files', 'downloads')
    .option('--base-url <url>', 'address of the archive or of a copy')
    .option('--parallel <count>', 'files to fetch at once', '4')
    .option('--import', 'make a recording of the files')
    .option('-o, --out <folder>', 'folder for the recording', 'recordings')
    .option('-n, --name <name>', 'name of the recording (default: the symbol)')
    .option('--tick-size <decimal>', 'price step (default: finest in the files)')
    .option('--quantity-increment <decimal>', 'quantity step (default: finest in the files)')
    .option('--min-notional <decimal>', 'least value of an order (default: none)')
    .option('-f, --force', 'overwrite an existing recording')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      '\nExample:\n  millrace feed download binance --symbol BTCUSDT --interval 1h --from 2024-01 --till 2024-03 --import\n',
    )
    .action(async (archive: 'binance', flags: DownloadFlags) => {
      const { downloadFiles } = await import('../actions/feed-download.ts');
      await downloadFiles(archive, flags, terminal);
    });
