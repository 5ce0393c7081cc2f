import { Command } from 'commander';
import { USUAL_KEYS, type KeysFlags } from '../keys/flags.ts';
import type { Terminal } from '../terminal.ts';

/** The variable of the environment that a passphrase is read from where none is named. */
const PASSPHRASE = 'MILLRACE_PASSPHRASE';

/** `millrace keys`: the file of keys that a portfolio is moved with. */
export const keysCommand = (terminal: Terminal): Command =>
  new Command('keys')
    .description('Make and look at a file of keys, locked by a passphrase.')
    .addCommand(
      options(new Command('create'))
        .description('Make new keys, by chance, and lock them away in a new file.')
        .option('--keys <list>', 'names and kinds of the keys', USUAL_KEYS)
        .addHelpText(
          'after',
          `
Kinds: evm, tron, bitcoin and solana for wallets, service for what signs requests.

Examples:
  export ${PASSPHRASE}="a long sentence"
  millrace keys create my-keys.json
  millrace keys create my-keys.json --keys hot:evm,api:service`,
        )
        .action(async (path: string, flags: KeysFlags) => {
          const { createKeys } = await import('../actions/keys.ts');
          await createKeys(path, flags, terminal);
        }),
    )
    .addCommand(
      options(new Command('show'))
        .description('Show the addresses and public keys of a file.')
        .action(async (path: string, flags: KeysFlags) => {
          const { showKeys } = await import('../actions/keys.ts');
          await showKeys(path, flags, terminal);
        }),
    );

const options = (command: Command): Command =>
  command
    .argument('<file>', 'the key file')
    .option('--passphrase-env <name>', 'variable that holds the passphrase', PASSPHRASE)
    .option('--json', 'print JSON');
