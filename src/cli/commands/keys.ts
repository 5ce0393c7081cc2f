import { Command } from 'commander';
import { DEFAULT_KEYS, type KeysFlags } from '../keys/flags.ts';
import type { Terminal } from '../terminal.ts';

/** The environment variable of a passphrase if none is given. */
const PASSPHRASE = 'MILLRACE_PASSPHRASE';

/** `millrace keys`: the file of keys that a portfolio is moved with. */
export const keysCommand = (terminal: Terminal): Command =>
  new Command('keys')
    .description('Create and show key files that a passphrase encrypts.')
    .addCommand(
      options(new Command('create'))
        .description('Generate random keys, or take yours, and store them in a new key file.')
        .option(
          '--keys <list>',
          'keys to generate, as NAME:KIND, or to take from a variable, as NAME:KIND:VARIABLE',
          DEFAULT_KEYS,
        )
        .addHelpText(
          'after',
          `
Kinds: evm, tron, bitcoin and solana are wallets; service signs API requests.
A key in a variable is hexadecimal, WIF (bitcoin), or Base58 or a JSON list of bytes (solana).

Examples:
  export ${PASSPHRASE}="a long sentence"
  millrace keys create my-keys.json
  millrace keys create my-keys.json --keys hot:evm,api:service
  millrace keys create my-keys.json --keys cold:solana:SOLANA_KEY`,
        )
        .action(async (path: string, flags: KeysFlags) => {
          const { createKeys } = await import('../actions/keys.ts');
          await createKeys(path, flags, terminal);
        }),
    )
    .addCommand(
      options(new Command('show'))
        .description('Show the addresses and public keys of a key file.')
        .option('--secret <name>', 'show the private key of that name instead, and nothing else')
        .action(async (path: string, flags: KeysFlags) => {
          const { showKeys } = await import('../actions/keys.ts');
          await showKeys(path, flags, terminal);
        }),
    );

const options = (command: Command): Command =>
  command
    .argument('<file>', 'key file')
    .option('--passphrase-env <name>', 'environment variable with the passphrase', PASSPHRASE)
    .option('--json', 'print JSON');
