import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRebalancingConfig } from '../../../src/cli/rebalancing-config.ts';
import { KeyStore } from '../../../src/cli/keys/key-store.ts';
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
  ['weight: 0.25', 'weight: 0.35', 'USDC@trading:', ['weights that add up to 1', 'not 1.1']],
  ['band: 0.03, reserve', 'band: 2, reserve', 'band: 0.03', ['a share from 0 to 1']],
  [
    'weight: 0.25, band: 0.03',
    'amount: -5, band: 1',
    'weight: 0.25',
    ['an amount of zero or more'],
  ],
  ['weight: 0.25, band: 0.03', 'amount: 5000', 'USDC@trading:', ['band']],
  [
    'weight: 0.25, band: 0.03',
    'amount: 5000, band: -1',
    'band: 0.03',
    ['an amount of zero or more'],
  ],
  ['weight: 0.25', 'weight: 0.25, amount: 5', 'USDC@trading:', ['a weight or an amount, and not both']], // prettier-ignore
  ['weight: 0.25, band', 'band', 'USDC@trading:', ['a weight such as 0.25, or an amount such as 5000']], // prettier-ignore
  ['weight: 0.25, band: 0.03', 'amount: 50, band: 3', 'reserve', ['a reserve of at most 53']],
  ['weight: 0.25, band: 0.03', 'amount: 5000, band: 3', 'USDC@trading:', ['weights that add up to 1', 'not 0.75']], // prettier-ignore
  ['USDC@tron', 'USDX@tron', 'USDC@tron', ['prices does not say what USDX is worth', 'Did you mean "USDC"?']], // prettier-ignore
  ['USDC@tron: {', 'USDC-tron: {', 'USDC@tron: {', ['ASSET@LOCATION']],
  ['maximumCost: 0.01', 'maximumCosts: 0.01', 'maximumCost', ['maximumCosts', 'maximumCost']],
  ['USDC: 1\n', 'USDC: 0\n', 'USDC: 1', ['above zero']],
  ['key: solana }', 'key: moon }', 'key: solana', ['there is no key "moon"', 'solana']],
  ['key: solana }', 'key: api }', 'key: solana', ['that of a wallet is needed']],
  ["swaps: { url: 'http://127.0.0.1:8330', key: api }", "swaps: { url: 'http://127.0.0.1:8330', key: tron }", "key: api", ['that of a service is needed']], // prettier-ignore
])('%j for %j is reported with its place and what is expected', async (from, to, place, parts) => {
  const sentence = await said(from, to);
  expect(sentence).toMatch(/^config-invalid /);
  const [line = ''] = /rebalancing\.yaml:\d+:/.exec(at(place)) ?? [];
  expect(sentence).toContain(line);
  expect(sentence).toMatch(/rebalancing\.yaml:\d+:\d+/);
  for (const part of parts) expect(sentence).toContain(part);
});

test('amounts stand beside weights, in units of the asset, and not without a holding that takes the rest', async () => {
  const [from] = /^ {2}USDC@trading:.*$/m.exec(SOUND) ?? [''];
  const lines = [
    'USDC@trading: { weight: 0.25, band: 0.03 }',
    'BTC@trading: { amount: 1.5, band: 0.000000000000000001, reserve: 1 }',
  ];
  expect(await said(from, `  ${lines.join('\n  ')}`)).toBe('');
  const { settings } = await readRebalancingConfig(path, SECRETS);
  const [share, amount] = settings.targets.holdings;
  expect(share).toMatchObject({ asset: 'USDC' });
  expect(share.amount).toBeUndefined();
  expect([amount.amount, amount.band, amount.reserve].map(String)).toEqual([
    ...['1.5', '0.000000000000000001', '1'],
  ]);
  const holdings = SOUND.slice(SOUND.indexOf('  USDC@trading:'), SOUND.indexOf('\nlimits'));
  const alone = '  USDC@trading: { amount: 1, band: 1 }\n  BTC@bitcoin: { amount: 1, band: 1 }\n';
  expect(await said(holdings, alone)).toContain(
    'at least one holding with a weight; the amounts leave it the rest',
  );
});

test('a secret that is not there, and a passphrase that is wrong, are reported without a secret', async () => {
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
  const shelf = await KeyStore.open(empty, 'demo');
  expect(() => shelf.signer('ethereum', 'here')).toThrow(
    'there is no key "ethereum"; there are none.',
  );
});
