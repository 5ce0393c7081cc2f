import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRebalancingConfig } from '../../../src/cli/rebalancing-config.ts';
import { realNode } from '../../../src/gateways/chains/real-node.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { MillraceError } from '../../../src/model/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-real-chains-'));
const path = join(folder, 'rebalancing.yaml');
copyFileSync('config/demo-keys.json', join(folder, 'demo-keys.json'));
const URL_SECRET = 'https://node.example.com/v1/very-secret';
const SECRETS = { KEYS_PASSPHRASE: 'demo', NODE_URL: URL_SECRET };

const SOUND = `
keys: { file: demo-keys.json, passphrase: { env: KEYS_PASSPHRASE } }
chains:
  ethereum:
    key: ethereum
    evm:
      urls: ['http://127.0.0.1:8545', { env: NODE_URL }]
      chainId: 1
      tokens:
        USDC: { contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 }
      feeBound: '0.002'
      dayBound: 0.01
      permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3'
  solana: { node: 'http://127.0.0.1:8330', key: solana }
prices: { USDC: 1, SOL: 100 }
targets:
  USDC@ethereum: { weight: 0.5, band: 0.1 }
  SOL@solana: { weight: 0.5, band: 0.1 }
`;

async function said(text: string, environment: Record<string, string> = SECRETS): Promise<string> {
  writeFileSync(path, text);
  try {
    await readRebalancingConfig(path, environment);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    expect(`${error.message}${error.field ?? ''}`).not.toContain('very-secret');
    return `${error.code} ${error.message.replaceAll(`${folder}/`, '')}`;
  }
  return '';
}

const changed = (from: string, to: string): string => {
  expect(SOUND).toContain(from);
  return SOUND.replace(from, () => to);
};

test('an EVM chain of a configuration becomes options with exact wei, secret addresses among the secrets', async () => {
  expect(await said(SOUND)).toBe('');
  const { settings, secrets } = await readRebalancingConfig(path, SECRETS);
  expect(settings.chains[0]?.node).toEqual({
    family: 'evm',
    options: {
      network: {
        id: 1,
        code: 'ethereum',
        name: 'ethereum',
        family: 'evm',
        chainId: 1,
        blockUs: 12_000_000,
        confirmations: 65,
        customTokens: false,
      },
      coin: 0,
      tokens: [
        { id: 0, network: 'ethereum', asset: 'ETH', name: 'ETH', contract: 'ETH', decimals: 18, ticker: 'eth', listed: true }, // prettier-ignore
        { id: 1, network: 'ethereum', asset: 'USDC', name: 'USDC', contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6, ticker: 'usdc', listed: true }, // prettier-ignore
      ],
      urls: ['http://127.0.0.1:8545', URL_SECRET],
      finality: 'finalized',
      feeBound: 2_000_000_000_000_000n,
      dayBound: 10_000_000_000_000_000n,
      permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      nonces: join(folder, 'data', 'ethereum.nonces'),
    },
  });
  expect(secrets).toContain(URL_SECRET);
});

test('the fee for data of a rollup, and nodes that keep nothing that waits, become options', async () => {
  const oracle = '0x420000000000000000000000000000000000000F';
  const more = `dayBound: 0.01\n      dataFeeOracle: '${oracle}'\n      oneByOne: true\n      acknowledged: 12`;
  expect(await said(changed('dayBound: 0.01', more))).toBe('');
  const { settings } = await readRebalancingConfig(path, SECRETS);
  expect(settings.chains[0]?.node).toHaveProperty('options.dataFeeOracle', oracle);
  expect(settings.chains[0]?.node).toHaveProperty('options.oneByOne', true);
  expect(settings.chains[0]?.node).toHaveProperty('options.acknowledged', 12);
});

test('a chain of Solana becomes options with exact lamports, and programs of tokens by their mints', async () => {
  const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const text = `solana: { urls: [{ env: NODE_URL }], genesis: ${genesis}, tokens: { USDC: { contract: ${mint}, decimals: 6 } }, feeBound: 0.003, dayBound: '0.1' }`;
  expect(await said(changed("node: 'http://127.0.0.1:8330'", text))).toBe('');
  const { settings } = await readRebalancingConfig(path, SECRETS);
  const usual = { network: 'solana', listed: true };
  expect(settings.chains[1]?.node).toEqual({
    family: 'solana',
    options: {
      network: {
        id: 0,
        code: 'solana',
        name: 'solana',
        family: 'solana',
        blockUs: 400_000,
        confirmations: 32,
        customTokens: false,
      },
      coin: 0,
      tokens: [
        { ...usual, id: 0, asset: 'SOL', name: 'SOL', contract: 'SOL', decimals: 9, ticker: 'sol' },
        { ...usual, id: 1, asset: 'USDC', name: 'USDC', contract: mint, decimals: 6, ticker: 'usdc' }, // prettier-ignore
      ],
      urls: [URL_SECRET],
      genesis,
      priorityPercentile: 50,
      feeBound: 3_000_000n,
      dayBound: 100_000_000n,
      payments: join(folder, 'data', 'solana.payments'),
    },
  });
  const http = { scheduler: new SystemScheduler(), random: new Random(7) };
  for (const { node } of settings.chains) {
    if (typeof node !== 'object' || 'path' in node) throw new Error('it is a real chain');
    await realNode(node, http).close?.();
  }
});

const SOLANA =
  "solana: { urls: ['http://127.0.0.1:8899'], genesis: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d, feeBound: 0.003, dayBound: 0.1 }";
const BITCOIN = "bitcoin: { urls: ['http://127.0.0.1:3002'], feeBound: 0.0002, dayBound: 0.001 }";
const bitcoinOn = (chain: string, signs = 'key: bitcoin'): string =>
  changed(
    "node: 'http://127.0.0.1:8330', key: solana",
    `${BITCOIN.replace('{ ', `{ chain: ${chain}, `)}, ${signs}`,
  );

test.each([
  ['mainnet', 'bc1p'],
  ['testnet', 'tb1p'],
  ['signet', 'tb1p'],
  ['regtest', 'bcrt1p'],
])('a key of Bitcoin on %s has an address that begins with %s, and a signer in another process has its own', async (chain, prefix) => {
  expect(await said(bitcoinOn(chain))).toBe('');
  const { settings } = await readRebalancingConfig(path, SECRETS);
  const [, wallet] = settings.chains;
  const address = wallet?.signer.address ?? '';
  expect(address.startsWith(prefix)).toBe(true);
  expect(wallet?.node).toMatchObject({ family: 'bitcoin', options: { chain } });
  const own = `signer: { url: 'http://127.0.0.1:9300', address: ${address} }`;
  expect(await said(bitcoinOn(chain, own))).toBe('');
  const other = chain === 'regtest' ? 'signet' : 'regtest';
  const sentence = await said(bitcoinOn(other, own));
  expect(sentence).toMatch(/^config-invalid rebalancing\.yaml:14:\d+: address: /);
  expect(sentence).toContain(`and not of ${other}: take one that begins with ${other === 'regtest' ? 'bcrt' : 'tb'}1.`);
}); // prettier-ignore

test.each([
  [bitcoinOn('regtest').replace('prices:', `  cold: { key: bitcoin, ${BITCOIN.replace('{ ', '{ chain: regtest, ')} }\nprices:`), 'cold'],
  [changed('prices:', `  cold: { key: solana, ${SOLANA} }\nprices:`).replace("node: 'http://127.0.0.1:8330'", SOLANA), 'cold'],
])('two locations with one key on one chain are refused, as there is nothing to move', async (text, place) => {
  expect(await said(text)).toContain(`${place} has the same wallet on one chain as solana; give it a key of its own.`);
}); // prettier-ignore

test.each([
  ["'http://127.0.0.1:8545'", "'https://node.example.com/v1/very-secret'", 'an address without a path stands here'],
  ['{ env: NODE_URL }', '{ env: NO_URL }', 'the variable NO_URL is not set'],
  ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', 'expected an address of evm: this is one of tron'],
  ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eb48', 'its checksum or length is wrong'],
  ['dayBound: 0.01', "dayBound: 0.01\n      dataFeeOracle: '0x42'", 'dataFeeOracle is 0x42; expected an address of evm'],
  ['dayBound: 0.01', 'dayBound: 0.01\n      oneByOne: 1', 'oneByOne is 1; expected a boolean'],
  ["'0.002'", "'0.0000000000000000001'", 'at most 18 decimals'],
  ["'0.002'", '0', 'an amount above zero'],
  ['dayBound: 0.01', 'dayBound: 0.001', 'at least what one transaction may cost'],
  ['    evm:', '    evn:', 'Did you mean "evm"?'],
  ['key: ethereum\n', "key: ethereum\n    node: 'http://127.0.0.1:8330'\n", 'either node, or the nodes of a real chain'],
  ["solana: { node: 'http://127.0.0.1:8330', ", 'solana: { ', 'either node, or the nodes of a real chain'],
  ["node: 'http://127.0.0.1:8330'", "tron: { urls: ['http://127.0.0.1:8330'] }", 'no eth_sendRawTransaction'],
  ["node: 'http://127.0.0.1:8330'", "solana: { urls: ['http://127.0.0.1:8899'], genesis: T9yD14, feeBound: 1, dayBound: 1 }", 'genesis is T9yD14; expected an address of solana: its checksum or length is wrong'],
  ["node: 'http://127.0.0.1:8330'", "bitcoin: { urls: ['http://127.0.0.1:8330'], chain: liquid, feeBound: 1, dayBound: 1 }", 'expected one of "mainnet", "testnet"'],
  ['prices:', "services: { swaps: { url: 'http://127.0.0.1:8330', key: api } }\nprices:", 'id is missing; expected the id by which the swap service knows it'],
  ['decimals: 6 }', 'decimals: 6, id: 0 }', '0 is the id of another token of ethereum'],
  ["  solana: { node: 'http://127.0.0.1:8330', key: solana }", "  solana: { evm: { urls: ['http://127.0.0.1:1'], chainId: 1, feeBound: 1, dayBound: 1 }, key: ethereum }", 'the same wallet on one chain as ethereum'],
])('%j for %j is refused with its line and what to do', async (from, to, part) => {
  const sentence = await said(changed(from, to));
  expect(sentence).toMatch(/^(?:config-invalid|secret-missing) rebalancing\.yaml:\d+:\d+: /);
  expect(sentence).toContain(part);
}); // prettier-ignore

test.each(['very-secret', 'ftp://very-secret', 'https://me:very-secret@node.example.com'])(
  'a secret that is no address of a node is refused and not shown',
  async (secret) => {
    const sentence = await said(SOUND, { ...SECRETS, NODE_URL: secret });
    expect(sentence).toMatch(/^config-invalid rebalancing\.yaml:7:\d+: The (?:secret|address) /);
  },
);
