import { Command } from 'commander';
import type { WorkerFlags } from '../actions/worker.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace worker`: runs backtests of the sweeps on a NATS server. */
export const workerCommand = (terminal: Terminal): Command =>
  new Command('worker')
    .description('Run backtests of sweeps that other machines start on a NATS server.')
    .option('--nats <url>', 'NATS server with JetStream (default: NATS_URL)')
    .option('--threads <number>', 'backtests at once (default: the number of cores)')
    .option('-r, --recordings <folders...>', 'folders in which recordings are looked for by name')
    .option('--cache <folder>', 'folder for what is fetched from the server', 'runs/worker')
    .option(
      '--accept-strategies',
      'run strategies that the sweep sends, not only those of this folder',
    )
    .addHelpText(
      'after',
      `
Credentials: NATS_CREDS, NATS_NKEY, NATS_TOKEN, or NATS_USER and NATS_PASSWORD; NATS_CA for TLS.
With --accept-strategies whoever may write to the server runs code on this machine.

Examples:
  millrace worker --nats nats://10.0.0.5:4222
  millrace worker --nats tls://nats.example:4222 --threads 8 --accept-strategies`,
    )
    .action(async (flags: WorkerFlags) => {
      const { work } = await import('../actions/worker.ts');
      await work(flags, terminal);
    });
