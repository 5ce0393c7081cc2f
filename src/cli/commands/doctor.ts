import { Command } from 'commander';
import type { DoctorFlags } from '../actions/doctor.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace doctor`: checks whether a bot could run, with remedies. */
export const doctorCommand = (terminal: Terminal): Command =>
  new Command('doctor')
    .description(
      'Check what a bot needs, or a portfolio: configuration, data folder, venue, API key, permissions, balances, nodes of chains.',
    )
    .argument('[config]', 'configuration file (default: config/bot.yaml)')
    .option('--notify', 'send a test message to each target of notifications')
    .option('--json', 'print one JSON line per check')
    .addHelpText('after', '\nExit codes: 0 all checks pass or warn, 1 a check fails.')
    .action(async (configPath: string | undefined, flags: DoctorFlags) => {
      const { doctor } = await import('../actions/doctor.ts');
      await doctor(configPath, flags, terminal);
    });
