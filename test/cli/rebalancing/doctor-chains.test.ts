import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANVIL, openAnvil, oracleCode, PERMIT2, permit2Code, tokenCode, type AnvilChain } from '../../gateways/chains/anvil.ts'; // prettier-ignore
import { NonceBook } from '../../../src/gateways/chains/evm/nonce-book.ts';
import { FAMILIES } from '../../../src/swaps/chains/families/families.ts';
import { millraceHere } from '../command.ts';

const ANNA = '0x063aA85AD815219C347D18f0a51D5639874AB12F';
const ENV = { KEYS_PASSPHRASE: 'demo' };
const folder = mkdtempSync(join(tmpdir(), 'millrace-doctor-chains-'));
const path = join(folder, 'portfolio.yaml');

const canonical = (address: string): string => FAMILIES.evm.canonical(address) ?? '';

let chain: AnvilChain;
let token = '';

beforeAll(async () => {
  if (ANVIL === undefined) return;
  chain = await openAnvil('--slots-in-an-epoch', '1');
  token = await deployed(tokenCode());
  await chain.rpc('anvil_setCode', PERMIT2, permit2Code());
  await chain.rpc('anvil_mine', '0x4');
  await chain.rpc('anvil_setBalance', ANNA, '0xde0b6b3a7640000');
}, 60_000);

afterAll(async () => {
  if (ANVIL !== undefined) await chain.close();
});

async function deployed(data: string): Promise<string> {
  const [from] = (await chain.rpc('eth_accounts')) as readonly string[];
  const hash = await chain.rpc('eth_sendTransaction', { from, data, gas: '0x300000' });
  for (;;) {
    const receipt = await chain.rpc('eth_getTransactionReceipt', hash);
    if (receipt !== null)
      return canonical((receipt as { contractAddress: string }).contractAddress);
  }
}

/** A portfolio on a chain that is told so. */
function configOf(changes: Record<string, unknown>): string {
  const evm = {
    urls: [chain.proxy.url],
    chainId: 31_337,
    tokens: { USDC: { contract: token, decimals: 6 } },
    permit2: PERMIT2,
    feeBound: '0.01',
    dayBound: 1,
    ...changes,
  };
  const config = {
    data: join(folder, 'data'),
    keys: {
      file: join(process.cwd(), 'config/demo-keys.json'),
      passphrase: { env: 'KEYS_PASSPHRASE' },
    },
    chains: { anvil: { key: 'ethereum', evm } },
    prices: { USDC: 1, ETH: 3000 },
    targets: {
      'USDC@anvil': { weight: 0.5, band: 0.1 },
      'ETH@anvil': { weight: 0.5, band: 0.1 },
    },
  };
  return JSON.stringify(config);
}

/** What the doctor prints of a portfolio whose chain is told so, a line for each finding of it. */
async function told(changes: Record<string, unknown> = {}): Promise<readonly string[]> {
  writeFileSync(path, configOf(changes));
  const { out, err } = await millraceHere(['doctor', path, '--json'], { env: ENV });
  expect(out + err).not.toContain('very-secret');
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ about }) => about === 'anvil')
    .map(({ verdict = '', check = '', message = '' }) => `${verdict} ${check}: ${message}`);
}

describe.skipIf(ANVIL === undefined)('the doctor before a real node', () => {
  test('prints each check of a network in a line, and changes nothing', async () => {
    const other = await chain.proxy.second();
    const lines = await told({ urls: [chain.proxy.url, other.url] });
    await other.close();
    expect(lines).toEqual([
      `ok node: ${chain.proxy.url} answers for chain 31337.`,
      `ok node: ${other.url} answers for chain 31337.`,
      expect.stringMatching(/^ok clock: Block 5 of .* is \d+ s old\.$/),
      expect.stringMatching(/^ok clock: Block 5 of .* is \d+ s old\.$/),
      'ok agreement: 2 nodes have the same block 5.',
      'ok finality: Block 3 and 3 is finalized.',
      `ok token: USDC is at ${token} and has 6 decimals.`,
      `ok permit2: ${PERMIT2} has code and the separator of this chain.`,
      `ok coin for fees: ${ANNA} holds 1 ETH; one transaction may cost 0.01 ETH.`,
    ]);
    expect(() => readFileSync(join(folder, 'data', 'anvil.nonces.lock'))).toThrow('ENOENT');
    expect(chain.proxy.asked).not.toContain('eth_sendRawTransaction');
  });

  test('reports a difference from the configuration with the network and both figures', async () => {
    expect(await told({ chainId: 1 })).toEqual([
      `fail node: ${chain.proxy.url} is of chain 31337, and anvil of chain 1.`,
    ]);
    expect(await told({ urls: ['http://127.0.0.1:1'] })).toEqual([
      expect.stringMatching(/^fail node: http:\/\/127\.0\.0\.1:1 does not answer: /),
    ]);
    const nothing = canonical(`0x${'aa'.repeat(20)}`);
    const wrong = await told({
      tokens: { USDC: { contract: token, decimals: 18 }, GONE: { contract: nothing, decimals: 6 } },
      permit2: token,
      feeBound: 2,
      dayBound: 2,
    });
    expect(wrong.slice(3)).toEqual([
      `fail token: USDC: the contract ${token} says 6 decimals, and the configuration 18.`,
      `fail token: GONE: no contract is at ${nothing}, says ${chain.proxy.url}.`,
      `fail permit2: ${token} has another separator than permit2 of this chain.`,
      `warn coin for fees: ${ANNA} holds 1 ETH, less than one transaction may cost (2 ETH).`,
    ]);
  });

  test('tells whether the contract answers that has the fee for data of a rollup', async () => {
    const oracle = await deployed(oracleCode());
    const nothing = canonical(`0x${'aa'.repeat(20)}`);
    const lineOf = async (dataFeeOracle: string) => (await told({ dataFeeOracle })).at(-2);
    expect(await lineOf(oracle)).toBe(`ok fee for data: ${oracle} tells what anvil takes for the data of a transaction.`); // prettier-ignore
    expect(await lineOf(nothing)).toBe(`fail fee for data: No contract is at ${nothing}, says ${chain.proxy.url}.`); // prettier-ignore
    expect(await lineOf(token)).toMatch(/^fail fee for data: .* tells no fee for the data of a transaction/); // prettier-ignore
  });

  test('tells of nodes that differ, that lag, that have no finality and that answer nonsense', async () => {
    const other = await chain.proxy.second();
    other.fault(
      'eth_getBlockByNumber',
      { result: { number: '0x1', timestamp: '0x1', hash: '0x1' } },
      2,
    );
    const lines = await told({ urls: [chain.proxy.url, other.url] });
    expect(lines[3]).toMatch(/^warn clock: Block 1 of .* is \d+ s old\.$/);
    expect(lines[4]).toBe('fail agreement: The nodes differ on block 1.');
    other.fault('eth_getBlockByNumber', { error: 'no such tag' }, 9);
    const blind = await told({ urls: [other.url] });
    expect(blind[1]).toMatch(/^fail clock: .* has no block that can be read\.$/);
    expect(blind[2]).toBe(`warn finality: ${other.url} has no finalized block, so that 65 confirmations count instead.`); // prettier-ignore
    other.fault('eth_chainId', { result: 'very-wrong' });
    expect(await told({ urls: [other.url] })).toEqual([
      `fail node: ${other.url} does not say its chain as a node does.`,
    ]);
    await other.close();
  });

  test('a rebalance is refused for the same reasons before anything is signed, and while another has the nonces', async () => {
    const refusedWith = async (changes: Record<string, unknown>): Promise<string> => {
      writeFileSync(path, configOf(changes));
      const ended = await millraceHere(['rebalance', path, '--execute', '--yes'], { env: ENV });
      expect(ended.code).not.toBe(0);
      return ended.err;
    };
    expect(await refusedWith({ chainId: 1 })).toContain('chainId of anvil is 1, and a node says');
    const tokens = { USDC: { contract: token, decimals: 18 } };
    expect(await refusedWith({ tokens })).toContain('is 18, and its contract says 6');
    expect(await refusedWith({ permit2: token })).toContain('no permit2 of this chain');
    const nonces = join(folder, 'data', 'anvil.nonces');
    const other = new NonceBook(nonces);
    other.open();
    expect(await refusedWith({})).toMatch(/\[journal-locked\].* the nonces in .*Stop it first/);
    other.close();
    expect(chain.proxy.asked).not.toContain('eth_sendRawTransaction');
  });
});
