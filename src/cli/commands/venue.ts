import { Command } from 'commander';
import type { VenueFlags } from '../actions/venue.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace venue`: the trading service on this machine. */
export const venueCommand = (terminal: Terminal): Command =>
  new Command('venue')
    .description('Run the simulated exchange as a local server with REST and WebSocket.')
    .argument('[config]', 'configuration file (default: config/venue.yaml, or the bundled example)')
    .option('--port <number>', 'port; 0 takes any free one (default: from the configuration)')
    .option('--host <address>', 'address to listen on (default: loopback)')
    .option('--data <folder>', 'keep the state in a folder and go on from it (default: in memory)')
    .option('--json', 'print one JSON line with the addresses when it listens')
    .addHelpText(
      'after',
      `
Examples:
  millrace venue
  millrace venue my-venue.yaml --port 0 --json
  millrace venue --data data/venue

Ctrl-C closes the venue; a second one stops it at once.`,
    )
    .action(async (configPath: string | undefined, flags: VenueFlags) => {
      const { venue } = await import('../actions/venue.ts');
      await venue(configPath, flags, terminal);
    });
