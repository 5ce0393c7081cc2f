import { schnorr } from '@noble/curves/secp256k1.js';
import { p2tr, TEST_NETWORK } from '@scure/btc-signer';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { expect, onTestFinished, test } from 'vitest';
import { checkChains } from '../../src/bot/doctor/chains.ts';
import type { RebalancingSettings } from '../../src/bot/settings/rebalancing.ts';
import { LineBook } from '../../src/gateways/chains/line-book.ts';
import { Random } from '../../src/platform/random.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { EsploraServer } from '../gateways/chains/esplora.ts';

test('a network of Bitcoin is asked for its chain and the coin of the wallet, unless another process pays out of it', async () => {
  const server = await new EsploraServer().listen();
  onTestFinished(async () => server.close());
  const key = schnorr.getPublicKey(new Uint8Array(32).fill(7));
  const address = p2tr(key, undefined, { ...TEST_NETWORK, bech32: 'bcrt' }).address ?? '';
  const signer = { family: 'bitcoin', address } as const;
  const inputs = join(mkdtempSync(join(tmpdir(), 'millrace-doctor-bitcoin-')), 'inputs');
  const told = async (chain: 'regtest' | 'mainnet'): Promise<readonly string[]> => {
    const network = { id: 0, code: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', blockUs: 1, confirmations: 2, customTokens: false } as const; // prettier-ignore
    const token = { id: 0, network: 'bitcoin', asset: 'BTC', name: '', contract: 'BTC', decimals: 8, ticker: 'btc', listed: true }; // prettier-ignore
    const bounds = { finality: 2, feeTarget: 2, feeBound: 100_000n, dayBound: 1_000_000n };
    const options = {
      network,
      chain,
      tokens: [token],
      coin: 0,
      urls: [server.url],
      inputs,
      ...bounds,
    };
    const node = { family: 'bitcoin', options } as const;
    const settings = {
      chains: [{ place: 'bitcoin', node, signer }],
    } as unknown as RebalancingSettings;
    const surroundings = { scheduler: new SystemScheduler(), random: new Random(7) };
    const found = await checkChains(settings, surroundings);
    return found.map(({ verdict, check, message }) => `${verdict} ${check}: ${message}`);
  };
  expect(await told('mainnet')).toEqual([expect.stringMatching(/^fail node: .*mainnet/)]);
  server.chain.fund(address, 250_000_000n);
  const held = `ok node: The nodes answer, of the right chain: ${address} holds 2.5 BTC.`;
  expect(await told('regtest')).toEqual([held]);

  // Whether it is change of an own payment is in the file that another process has.
  server.chain.fund(address, 1n, { isConfirmed: false });
  const book = new LineBook(inputs, { what: 'inputs', schema: z.string(), keyOf: (line) => line });
  book.open();
  expect(await told('regtest')).toEqual([
    'warn node: Another process pays out of this wallet, so that its nodes were not asked.',
  ]);
  book.close();
  expect(await told('regtest')).toEqual([held]);
});
