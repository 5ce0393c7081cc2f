import { Command, Option } from 'commander';
import { PERIOD_NAMES } from '../../model/period.ts';
import type { CcxtDownloadFlags } from '../actions/feed-download-ccxt.ts';
import type { DownloadFlags } from '../actions/feed-download.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed download`: market data of a public archive or of an exchange, and a recording of them. */
export const downloadCommand = (terminal: Terminal): Command =>
  new Command('download')
    .description('Download market data from a public archive or an exchange, and import it.')
    .addCommand(binanceCommand(terminal))
    .addCommand(ccxtCommand(terminal));

const binanceCommand = (terminal: Terminal): Command =>
  new Command('binance')
    .description('Download files of the archive of Binance.')
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
    .action(async (flags: DownloadFlags) => {
      const { downloadFiles } = await import('../actions/feed-download.ts');
      await downloadFiles('binance', flags, terminal);
    });

const ccxtCommand = (terminal: Terminal): Command =>
  new Command('ccxt')
    .description('Download candles of a spot market from an exchange of ccxt.')
    .argument('<exchange>', 'id of the exchange, such as kraken')
    .argument('<symbol>', 'symbol as ccxt writes it, such as BTC/USDT')
    .addOption(
      new Option('--period <period>', 'candle period').choices(PERIOD_NAMES).makeOptionMandatory(),
    )
    .requiredOption('--from <day>', 'first day or month, such as 2024-01 or 2024-01-15')
    .option('--till <day>', 'day or month after the last (default: now)')
    .option('--cache <folder>', 'folder for the files', 'downloads')
    .option('--ccxt-config <json>', 'what the class of ccxt takes', '{}')
    .option('--import', 'make a recording of the files')
    .option('-o, --out <folder>', 'folder for the recording', 'recordings')
    .option('-n, --name <name>', 'name of the recording (default: the symbol)')
    .option('-f, --force', 'overwrite an existing recording')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      '\nExample:\n  millrace feed download ccxt kraken BTC/USDT --period H1 --from 2024-01 --till 2024-03 --import\n',
    )
    .action(async (exchange: string, symbol: string, flags: CcxtDownloadFlags) => {
      const { downloadFromCcxt } = await import('../actions/feed-download-ccxt.ts');
      await downloadFromCcxt(exchange, symbol, flags, terminal);
    });
