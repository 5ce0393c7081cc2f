import { Command } from 'commander';
import type { PublishFlags } from '../actions/feed-publish.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed publish`: one connection to a venue for many bots. */
export const publishCommand = (terminal: Terminal): Command =>
  new Command('publish')
    .description('Publish the live market data of a venue to NATS, for any number of bots.')
    .option('--nats <url>', 'NATS server (default: NATS_URL)')
    .option('--url <origin>', 'address of the venue, such as http://127.0.0.1:8330')
    .option('--base-url <url>', 'instead of --url: address of REST calls, with its path')
    .option('--ws-url <url>', 'beside --base-url: address of WebSockets, with its path')
    .requiredOption('--symbols <symbol...>', 'symbols, separated by spaces or commas')
    .option('--venue <name>', 'name of the venue in subjects (default: after its address)')
    .option('--duration <span>', 'stop after this time')
    .option('--json', 'print one JSON line at the end')
    .addHelpText(
      'after',
      `
Credentials: NATS_CREDS, NATS_NKEY, NATS_TOKEN, or NATS_USER and NATS_PASSWORD; NATS_CA for TLS.
Bots subscribe with "market: { nats: URL }" in their account.

Examples:
  millrace feed publish --nats nats://127.0.0.1:4222 --url http://127.0.0.1:8330 --symbols BTCUSDT ETHUSDT`,
    )
    .action(async (flags: PublishFlags) => {
      const { publish } = await import('../actions/feed-publish.ts');
      await publish(flags, terminal);
    });
