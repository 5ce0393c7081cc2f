import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { systemBytes } from '../../platform/system-bytes.ts';
import { generateRsaKeyPair } from '../../platform/system-key-pair.ts';
import type { BitcoinChain } from '../../swaps/chains/families/bitcoin.ts';
import { openSecrets, sealKeys, type KeyToSeal } from '../../swaps/keys/key-file.ts';
import { signerOn } from '../../swaps/keys/key-ring.ts';
import type { KeyKind, OwnKey } from '../../swaps/keys/own-key.ts';
import { walletText } from '../../swaps/keys/secret.ts';
import { publicKeyText, readPrivateKey } from '../../wire/key-pair.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';
import { DEFAULT_KEYS, type KeysFlags } from '../keys/flags.ts';
import { KeyStore, textOf } from '../keys/key-store.ts';

type TestChain = Exclude<BitcoinChain, 'mainnet'>;

/** Bits of a key pair for a service, as both of them ask for. */
const SERVICE_BITS = 2048;
const WALLET_BYTES = 32;

/** Makes new keys and encrypts them in a new file. Throws `file-exists`, `file-unwritable`. */
export async function createKeys(
  path: string,
  flags: KeysFlags,
  terminal: Terminal,
): Promise<void> {
  if (existsSync(path)) {
    const sentence = `${path} is there already; keys are never written over. Choose another name.`;
    throw new MillraceError('file-exists', sentence, { where: path });
  }
  const passphrase = passphraseOf(flags, terminal);
  const keys = await Promise.all(namesOf(flags.keys).map((one) => keyOf(one, terminal)));
  const text = await sealKeys(keys, passphrase, systemBytes);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const sentence = `${path} cannot be written.`;
    throw new MillraceError('file-unwritable', sentence, { where: path, cause });
  }
  show(await KeyStore.open(path, passphrase), flags, terminal);
  terminal.err.write(`${path} is written. Whoever has it and the passphrase has the money: keep a copy of both, apart.\n`); // prettier-ignore
}

/**
 * Shows the addresses and public keys of a file, or one secret by its name. Throws `file-missing`,
 * `key-invalid`, and `usage` for an unknown name.
 */
export async function showKeys(path: string, flags: KeysFlags, terminal: Terminal): Promise<void> {
  if (flags.secret !== undefined) {
    await showSecret(path, flags.secret, flags, terminal);
    return;
  }
  show(await KeyStore.open(path, passphraseOf(flags, terminal)), flags, terminal);
}

/** A requested key: generated now, or read from a variable. */
interface RequestedKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly variable?: string | undefined;
}

async function keyOf(
  { name, kind, variable }: RequestedKey,
  { env }: Terminal,
): Promise<KeyToSeal> {
  if (variable !== undefined) {
    const secret = env[variable]?.trim() ?? '';
    if (secret !== '') return { name, kind, secret };
    const sentence = `The variable ${variable} is not set, which holds the key ${name}. Set it (export ${variable}=…).`;
    throw new MillraceError('secret-missing', sentence, { field: variable });
  }
  if (kind !== 'service') {
    return { name, kind, secret: Buffer.from(systemBytes(WALLET_BYTES)).toString('hex') };
  }
  const { privateKey } = await generateRsaKeyPair(SERVICE_BITS);
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('hex');
  return { name, kind, secret };
}

const KINDS: ReadonlySet<string> = new Set<KeyKind>([
  'evm',
  'tron',
  'bitcoin',
  'solana',
  'service',
]);

/** Reads `hot:evm,cold:bitcoin:COLD_KEY,api:service`. */
function namesOf(list: string): readonly RequestedKey[] {
  return list.split(',').map((entry) => {
    const [name = '', kind = '', variable, ...rest] = entry.trim().split(':');
    const isSound = name !== '' && variable !== '' && rest.length === 0 && KINDS.has(kind);
    if (isSound) return { name, kind: kind as KeyKind, variable };
    const kinds = [...KINDS].join(', ');
    const sentence = `--keys takes names and kinds such as ${DEFAULT_KEYS}, and NAME:KIND:VARIABLE for a key of yours; "${entry}" is none. Kinds are ${kinds}.`;
    throw new MillraceError('usage', sentence, { field: '--keys' });
  });
}

function passphraseOf({ passphraseEnv }: KeysFlags, { env }: Terminal): string {
  const passphrase = env[passphraseEnv];
  if (passphrase !== undefined && passphrase !== '') return passphrase;
  const sentence = `The variable ${passphraseEnv} is not set, which holds the passphrase. Set it (export ${passphraseEnv}=…), or name another with --passphrase-env.`;
  throw new MillraceError('secret-missing', sentence, { field: passphraseEnv });
}

function show({ keys }: KeyStore, { json }: KeysFlags, { out }: Terminal): void {
  const rows = keys.map((key) => ({
    name: key.name,
    kind: key.kind,
    label: key.label,
    publicKey: publicOf(key),
    addresses: testAddresses(key),
  }));
  if (json === true) {
    out.write(`${JSON.stringify({ keys: rows })}\n`);
    return;
  }
  const shown = rows.map(({ name, kind, label }) => [name, kind, label]);
  out.write(`${table(shown, { head: ['key', 'kind', 'address, or API key'] })}\n`);
  for (const { name, addresses } of rows) {
    if (addresses === undefined) continue;
    const { testnet, regtest } = addresses;
    out.write(`\n${paint(out, 'bold', `${name} on test networks of Bitcoin`)}:\n${testnet} (testnet, signet)\n${regtest} (regtest)\n`); // prettier-ignore
  }
  for (const { name, kind, publicKey } of rows) {
    if (kind !== 'service' || publicKey === undefined) continue;
    out.write(`\n${paint(out, 'bold', `public key of ${name}`)}, for the service:\n${publicKey}\n`);
  }
}

async function showSecret(
  path: string,
  name: string,
  flags: KeysFlags,
  terminal: Terminal,
): Promise<void> {
  const keys = await openSecrets(textOf(path), passphraseOf(flags, terminal));
  const key = keys.find((one) => one.name === name);
  if (key === undefined) {
    const sentence = `${path} has no key "${name}"; it has ${keys.map((one) => one.name).join(', ')}.`;
    throw new MillraceError('usage', sentence, { field: '--secret' });
  }
  const { kind } = key;
  const secret = kind === 'service' ? key.secret : walletText(kind, key.secret);
  const { out, err } = terminal;
  out.write(flags.json === true ? `${JSON.stringify({ name, kind, secret })}\n` : `${secret}\n`);
  err.write('Whoever sees this has the money. Clear it from the screen and from any log.\n');
}

/** The addresses of a Bitcoin key on other chains than mainnet, by chain. */
function testAddresses(key: OwnKey): Readonly<Record<TestChain, string>> | undefined {
  if (key.kind !== 'bitcoin') return undefined;
  const on = (chain: TestChain): string => signerOn(chain, key.signer).address;
  return { testnet: on('testnet'), signet: on('signet'), regtest: on('regtest') };
}

/** The public part of a key, for a service or a counterparty. */
const publicOf = (key: OwnKey): string | undefined =>
  key.kind === 'service' ? publicKeyText(readPrivateKey(key.privateKey)) : key.signer.publicKey;
