import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import { Transaction } from 'bitcoinjs-lib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BitcoinNode } from '../../../src/gateways/chains/bitcoin/bitcoin-node.ts';
import type { BitcoinNodeOptions } from '../../../src/gateways/chains/bitcoin/options.ts';
import type { PreparedTransaction, SignDigest } from '../../../src/gateways/chains/node.ts';
import { granted, rejectedWith } from '../../swaps/chains/harness.ts';
import { signedDigest } from '../../swaps/chains/keys.ts';
import { EsploraServer } from './esplora.ts';

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' };
const KEY = new Uint8Array(32).fill(7);
const OWNER = p2tr(schnorr.getPublicKey(KEY), undefined, REGTEST).address ?? '';
const OTHER = p2tr(schnorr.getPublicKey(new Uint8Array(32).fill(8)), undefined, REGTEST).address ?? ''; // prettier-ignore
const OWNER_V0 = p2wpkh(secp256k1.getPublicKey(KEY), REGTEST).address ?? '';
const sign: SignDigest = async (digest) => Promise.resolve(signedDigest('bitcoin', KEY, digest));
const signV0: SignDigest = async (digest) => Promise.resolve(signedDigest('evm', KEY, digest));
const COIN = 3;
const BTC = 100_000_000n;

export const NETWORK = { id: 3, code: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', blockUs: 1, confirmations: 2, customTokens: false } as const; // prettier-ignore
const TOKEN = { id: COIN, network: 'bitcoin', asset: 'BTC', name: '', contract: 'BTC', decimals: 8, ticker: '', listed: true }; // prettier-ignore

async function served(): Promise<EsploraServer> {
  const server = await new EsploraServer().listen();
  onTestFinished(async () => server.close());
  return server;
}

const freshFile = (): string => join(mkdtempSync(join(tmpdir(), 'inputs-')), 'inputs');

function open(server: EsploraServer, changes: Partial<BitcoinNodeOptions> = {}): BitcoinNode {
  const node = new BitcoinNode({
    network: NETWORK,
    chain: 'regtest',
    tokens: [TOKEN],
    coin: COIN,
    urls: [server.url],
    finality: 2,
    feeTarget: 2,
    feeBound: 100_000n,
    dayBound: 1_000_000n,
    inputs: freshFile(),
    http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 500_000 },
    ...changes,
  });
  onTestFinished(async () => node.close());
  return node;
}

let count = 0;
const transfer = (lots: bigint, to = OTHER, from = OWNER) => {
  count += 1;
  return { network: 'bitcoin', token: COIN, from, to, lots, nonce: `order-${count}` };
};
const sent = async (node: BitcoinNode, { raw }: PreparedTransaction): Promise<unknown> => node.send('bitcoin', raw); // prettier-ignore
const outcome = async (node: BitcoinNode, ...candidates: PreparedTransaction[]) => node.outcome('bitcoin', candidates); // prettier-ignore

describe('a node of Bitcoin before an Esplora of the tests', () => {
  test('pays exactly, by a transaction whose id is known before and that is final after confirmations', async () => {
    const server = await served();
    const { chain } = server;
    chain.fund(OWNER, BTC);
    const node = open(server);
    const made = granted(await node.prepare(transfer(40_000_000n), sign));
    expect(made.id).toBe(Transaction.fromHex(made.raw).getId());
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    expect(await node.balance(COIN, OWNER)).toBe(60_000_000n - made.feeLots);
    expect(await node.outputs('bitcoin', OWNER)).toEqual([]);
    chain.mine();
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false });
    chain.mine();
    const transaction = { hash: made.id, lots: 40_000_000n, to: OTHER, from: OWNER, confirmations: 2 }; // prettier-ignore
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true, transaction });
    expect(chain.held(OTHER)).toBe(40_000_000n);
    expect(chain.held(OWNER)).toBe(60_000_000n - made.feeLots);
    // 154 vB at 4.001 satoshi each, rounded up.
    expect(made.feeLots).toBe(617n);
  });

  test('pays from an address of version 0 by the key of an ECDSA signature, and asks for each input', async () => {
    const server = await served();
    const { chain } = server;
    for (let at = 0; at < 3; at += 1) chain.fund(OWNER_V0, 10_000n);
    const node = open(server);
    const digests: string[] = [];
    const watched: SignDigest = async (digest) => {
      digests.push(digest);
      return signV0(digest);
    };
    const order = transfer(25_000n, OTHER, OWNER_V0);
    expect(rejectedWith(await node.prepare(order, sign))).toBe('transfer-invalid');
    const made = granted(await node.prepare(order, watched));
    expect(new Set(digests).size).toBe(3);
    expect(await sent(node, made)).toEqual({ id: made.id });
    chain.mine(2);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
    expect(chain.held(OTHER)).toBe(25_000n);
  });

  test('replaces a payment that is stuck by one that spends its outputs too, by the rules of the pool', async () => {
    const server = await served();
    const { chain } = server;
    chain.fund(OWNER, 50_000n);
    chain.fund(OWNER, 40_000n);
    const node = open(server);
    const order = transfer(49_000n);
    const made = granted(await node.prepare(order, sign));
    await sent(node, made);
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    server.estimates = { '2': 30 };
    expect(await outcome(node, made)).toEqual({ kind: 'stuck' });
    const next = granted(await node.prepare(order, sign, [made]));
    expect(next.uses).toBe(made.uses);
    await sent(node, next);
    expect(chain.pool).toEqual(new Set([next.id]));
    const again = granted(await node.prepare(order, sign, [made, next]));
    await sent(node, again);
    expect(chain.pool).toEqual(new Set([again.id]));
    expect(await outcome(node, made, next, again)).toEqual({ kind: 'waiting' });
    chain.mine(2);
    expect(await outcome(node, made, next, again)).toMatchObject({ kind: 'made', isFinal: true, transaction: { hash: again.id } }); // prettier-ignore
    expect(chain.held(OTHER)).toBe(49_000n);
    expect(rejectedWith(await node.prepare(order, sign, [made, next, again]))).toBe('transfer-invalid'); // prettier-ignore
  });
});
