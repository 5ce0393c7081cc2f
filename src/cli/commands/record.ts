import { Command } from 'commander';
import type { RecordFlags } from '../actions/record.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace record`: a live feed into recordings. */
export const recordCommand = (terminal: Terminal): Command =>
  new Command('record')
    .description('Record the live market data of a venue.')
    .option('--url <origin>', 'address of the venue, such as http://127.0.0.1:8330')
    .option('--base-url <url>', 'instead of --url: address of REST calls, with its path')
    .option('--ws-url <url>', 'beside --base-url: address of WebSockets, with its path')
    .option('--ccxt <exchange>', 'instead of an address: an exchange of ccxt, such as binance')
    .option('--ccxt-config <json>', 'beside --ccxt: what its class takes')
    .requiredOption('--symbols <symbol...>', 'symbols, separated by spaces or commas')
    .requiredOption('-o, --out <folder>', 'folder for recordings')
    .option('--rotate <span|size>', 'start a new file every 15m, 1h or 1d (UTC), or after 500MB')
    .option('--flush <span>', 'time between flushes; a crash loses at most this much', '5s')
    .option('--duration <span>', 'stop after this time')
    .option('--raw', 'also keep the raw WebSocket frames')
    .option('--json', 'print one JSON line at the end')
    .addHelpText(
      'after',
      `
Examples:
  millrace record --url http://127.0.0.1:8330 --symbols BTCUSDT ETHUSDT --out recordings
  millrace record --url http://127.0.0.1:8330 --symbols BTCUSDT --out recordings --rotate 1h --raw
  millrace record --ccxt binance --symbols BTC/USDT --out recordings
  millrace record --base-url https://api.example.com/api/3 --ws-url wss://api.example.com/api/3/ws --symbols BTCUSDT --out recordings

Ctrl-C stops recording and completes the files. The next start recovers the files of a crash.`,
    )
    .action(async (flags: RecordFlags) => {
      const { record } = await import('../actions/record.ts');
      await record(flags, terminal);
    });
