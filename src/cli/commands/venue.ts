import { Command } from 'commander';
import type { VenueFlags } from '../actions/venue.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace venue`: the trading service on this machine. */
export const venueCommand = (terminal: Terminal): Command =>
  new Command('venue')
    .description('Run the trading service on this machine, to trade on as on the real one.')
    .argument('[config]', 'YAML file (default: config/venue.yaml here, else the example)')
    .option('--port <number>', 'instead of the configured one; 0 for any free port')
    .option('--host <address>', 'address to listen on (default: loopback alone)')
    .option('--json', 'print one JSON line with the addresses once it listens')
    .addHelpText(
      'after',
      `
Examples:
  millrace venue
  millrace venue my-venue.yaml --port 0 --json

Ctrl-C ends it; a second one at once.`,
    )
    .action(async (configPath: string | undefined, flags: VenueFlags) => {
      const { venue } = await import('../actions/venue.ts');
      await venue(configPath, flags, terminal);
    });
