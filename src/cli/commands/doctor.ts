import { Command } from 'commander';
import type { DoctorFlags } from '../actions/doctor.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace doctor`: whether a bot could run, and what to do where it could not. */
export const doctorCommand = (terminal: Terminal): Command =>
  new Command('doctor')
    .description('Check all that a bot needs: configuration, folder, service, key, rights, money.')
    .argument('[config]', 'YAML file (default: config/bot.yaml here)')
    .option('--json', 'print one JSON line for each check')
    .addHelpText('after', '\nExit codes: 0 where nothing fails, 1 where something does.')
    .action(async (configPath: string | undefined, flags: DoctorFlags) => {
      const { doctor } = await import('../actions/doctor.ts');
      await doctor(configPath, flags, terminal);
    });
