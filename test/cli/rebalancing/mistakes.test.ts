import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRebalancingConfig } from '../../../src/cli/rebalancing-config.ts';
import { KeyShelf } from '../../../src/cli/keys/key-shelf.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { systemBytes } from '../../../src/platform/system-bytes.ts';
import { sealKeys } from '../../../src/swaps/keys/key-file.ts';

const SOUND = readFileSync('config/rebalancing.yaml', 'utf8');
const SECRETS = {
  KEYS_PASSPHRASE: 'demo',
  VENUE_KEY: 'a-key',
  VENUE_SECRET: 'a-secret-of-an-account',
};
const folder = mkdtempSync(join(tmpdir(), 'millrace-rebalancing-'));
const path = join(folder, 'rebalancing.yaml');
copyFileSync('config/demo-keys.json', join(folder, 'demo-keys.json'));

/** What is said of the example where a text of it is replaced: code and sentence, without the folder. */
async function said(from: string, to: string, environment = SECRETS): Promise<string> {
  expect(SOUND).toContain(from);
  writeFileSync(
    path,
    SOUND.replace(from, () => to),
  );
  try {
    await readRebalancingConfig(path, environment);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    for (const secret of [SECRETS.VENUE_KEY, SECRETS.VENUE_SECRET]) {
      expect(error.message).not.toContain(secret);
    }
    return `${error.code} ${error.message.replaceAll(`${folder}/`, '')}`;
  }
  return '';
}

/** Line and column of a text in the example, as messages name them. */
function at(text: string): string {
  const before = SOUND.slice(0, SOUND.indexOf(text)).split('\n');
  return `rebalancing.yaml:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

test('the example is sound', async () => {
  expect(await said('name: example', 'name: example')).toBe('');
});

test('the account may have separate addresses of REST and sockets, each with its path', async () => {
  const told = await said(
    'url: http://127.0.0.1:8330',
    'baseUrl: https://api.example.com/v3\n  wsUrl: wss://api.example.com/v3/ws',
  );
  expect(told).toBe('');
  const { settings } = await readRebalancingConfig(path, SECRETS);
  expect(settings.account?.address).toEqual({
    baseUrl: 'https://api.example.com/v3',
    wsUrl: 'wss://api.example.com/v3/ws',
  });
  expect(await said('url: http://127.0.0.1:8330', 'baseUrl: https://api.example.com/v3')).toMatch(
    /^config-invalid rebalancing\.yaml:\d+:\d+: wsUrl is missing beside baseUrl, /,
  );
});

test.each([
  ['weight: 0.25', 'weight: much', 'weight: 0.25', ['weight']],
  ['weight: 0.25', 'weight: 0.35', 'USDC@trading:', ['weights that are 1 together', 'not 1.1']],
  ['band: 0.03, reserve', 'band: 2, reserve', 'band: 0.03', ['a share from 0 to 1']],
  ['USDC@tron: {', 'USDC-tron: {', 'USDC@tron: {', ['ASSET@PLACE']],
  ['maximumCost: 0.01', 'maximumCosts: 0.01', 'maximumCost', ['maximumCosts', 'maximumCost']],
  ['USDC: 1\n', 'USDC: 0\n', 'USDC: 1', ['above zero']],
  ['key: solana }', 'key: moon }', 'key: solana', ['there is no key "moon"', 'solana']],
  ['key: solana }', 'key: api }', 'key: solana', ['that of a wallet is needed']],
  ["swaps: { url: 'http://127.0.0.1:8330', key: api }", "swaps: { url: 'http://127.0.0.1:8330', key: tron }", "key: api", ['that of a service is needed']], // prettier-ignore
])('%j for %j is told with its place and what is expected', async (from, to, place, parts) => {
  const sentence = await said(from, to);
  expect(sentence).toMatch(/^config-invalid /);
  const [line = ''] = /rebalancing\.yaml:\d+:/.exec(at(place)) ?? [];
  expect(sentence).toContain(line);
  expect(sentence).toMatch(/rebalancing\.yaml:\d+:\d+/);
  for (const part of parts) expect(sentence).toContain(part);
});

test('a secret that is not there, and a passphrase that is wrong, are told without a secret', async () => {
  const { VENUE_SECRET: _, ...rest } = SECRETS;
  const missing = await said('name: example', 'name: example', rest as typeof SECRETS);
  expect(missing).toMatch(/^secret-missing .*rebalancing\.yaml:\d+:\d+.*VENUE_SECRET/);
  const wrong = await said('name: example', 'name: example', { ...SECRETS, KEYS_PASSPHRASE: 'not the one' }); // prettier-ignore
  expect(wrong).toMatch(/^key-invalid /);
  expect(wrong).not.toContain('not the one');
});

test('a key file without keys is said to have none', async () => {
  const empty = join(folder, 'empty-keys.json');
  writeFileSync(empty, await sealKeys([], 'demo', systemBytes));
  const shelf = await KeyShelf.open(empty, 'demo');
  expect(() => shelf.signer('ethereum', 'here')).toThrow(
    'there is no key "ethereum"; there are none.',
  );
});
