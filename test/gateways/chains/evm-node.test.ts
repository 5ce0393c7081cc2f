import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EvmNode } from '../../../src/gateways/chains/evm/evm-node.ts';
import type { EvmNodeOptions } from '../../../src/gateways/chains/evm/options.ts';
import { callData, hashOf } from '../../../src/gateways/chains/evm/encoding.ts';
import type { PreparedTransaction } from '../../../src/gateways/chains/node.ts';
import type { SignDigest } from '../../../src/gateways/chains/node.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { granted, rejectedWith } from '../../swaps/chains/harness.ts';
import { ANVIL, compiled, openChain, type Chain } from './anvil.ts';

/** The first account of anvil, whose key everybody knows. */
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const signer = keySigner('evm', KEY);
const OWNER = signer.address;
const sign: SignDigest = signer.signTransfer ?? (async () => Promise.resolve(''));
const BERT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const COIN = 1;
const USD = 2;
const GWEI = 10n ** 9n;

let chain: Chain;
let token = '';
let permit2 = '';
if (ANVIL === undefined) process.stderr.write('There is no anvil for this platform: EvmNode is NOT tested.\n'); // prettier-ignore

beforeAll(async () => {
  if (ANVIL === undefined) return;
  chain = await openChain('--no-mining', '--slots-in-an-epoch', '1', '--chain-id', '31337');
  const codes = compiled();
  token = await deployed(codes.token);
  permit2 = await deployed(codes.permit2);
}, 60_000);
afterAll(async () => {
  if (ANVIL !== undefined) await chain.close();
});

async function deployed(code: string): Promise<string> {
  const hash = await chain.rpc('eth_sendTransaction', { from: OWNER, data: code, gas: '0x300000' });
  await mine();
  const receipt = await chain.rpc('eth_getTransactionReceipt', hash);
  return (receipt as { contractAddress: string }).contractAddress;
}

const mine = async (blocks = 1): Promise<unknown> => chain.rpc('anvil_mine', `0x${blocks.toString(16)}`); // prettier-ignore

function open(changes: Partial<EvmNodeOptions> = {}): EvmNode {
  const terms = { network: 'ethereum', name: '', ticker: '', listed: true };
  const node = new EvmNode({
    network: { id: 1, code: 'ethereum', name: 'Anvil', family: 'evm', chainId: 31_337, blockUs: 1, confirmations: 3, customTokens: false }, // prettier-ignore
    coin: COIN,
    tokens: [
      { ...terms, id: COIN, asset: 'ETH', contract: 'ETH', decimals: 18 },
      { ...terms, id: USD, asset: 'USD', contract: token, decimals: 6 },
    ],
    urls: [chain.url],
    finality: 'finalized',
    feeBound: 10n ** 17n,
    dayBound: 10n ** 19n,
    permit2,
    nonces: freshNonces(),
    http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 3_000_000 },
    ...changes,
  });
  onTestFinished(async () => node.close());
  return node;
}

const freshNonces = (): string => join(mkdtempSync(join(tmpdir(), 'nonces-')), 'nonces');

let count = 0;
const transfer = (lots: bigint, id = USD) => {
  count += 1;
  return { network: 'ethereum', token: id, from: OWNER, to: BERT, lots, nonce: `order-${count}` };
};
const sent = async (node: EvmNode, { raw }: PreparedTransaction): Promise<unknown> => node.send('ethereum', raw); // prettier-ignore
const outcome = async (node: EvmNode, ...candidates: PreparedTransaction[]) => node.outcome('ethereum', candidates); // prettier-ignore

describe.skipIf(ANVIL === undefined)('an EVM node before anvil', () => {
  test('reads balances to the last unit, beyond what a number holds', async () => {
    const node = open();
    expect(await node.balance(USD, BERT)).toBe(0n);
    expect(await node.balance(USD, OWNER)).toBe(10n ** 30n);
    expect(await node.balance(COIN, BERT)).toBe(10_000n * 10n ** 18n);
  });

  test('refuses a wrong chain, an address without a contract, other decimals and a wrong permit2', async () => {
    const { network, tokens } = { network: open().networks(), tokens: open().tokens() };
    const [own] = await network;
    const [coin, usd] = await tokens;
    if (own === undefined || coin === undefined || usd === undefined) throw new Error('all are there'); // prettier-ignore
    const cases: readonly (readonly [Partial<EvmNodeOptions>, string])[] = [
      [{ network: { ...own, chainId: 1 } }, 'chainId'],
      [{ tokens: [coin, { ...usd, contract: BERT }] }, 'tokens.USD'],
      [{ tokens: [coin, { ...usd, decimals: 18 }] }, 'tokens.USD.decimals'],
      [{ tokens: [coin, { ...usd, contract: permit2 }] }, 'tokens.USD'],
      [{ permit2: BERT }, 'permit2'],
      [{ permit2: token }, 'permit2'],
    ];
    for (const [change, field] of cases) {
      const asked = open(change).networks();
      await expect(asked).rejects.toMatchObject({ code: 'config-invalid', field: `chains.ethereum.${field}` }); // prettier-ignore
    }
  });

  test('knows the id before it sends, sends the same twice, and moves the money once', async () => {
    const node = open();
    const before = await node.balance(USD, BERT);
    const made = granted(await node.prepare(transfer(5n), sign));
    expect(made.id).toBe(hashOf(made.raw));
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    await mine();
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false });
    await mine(3);
    const transaction = { hash: made.id, token: USD, from: OWNER, to: BERT, lots: 5n };
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true, transaction });
    expect((await node.balance(USD, BERT)) - before).toBe(5n);
  });

  test('pays once when the answer or the request of a send is lost', async () => {
    const node = open();
    const before = await node.balance(USD, BERT);
    for (const fault of ['lose answer', 'lose request', 'half', 'html', '429'] as const) {
      const made = granted(await node.prepare(transfer(7n), sign));
      chain.fault('eth_sendRawTransaction', fault);
      await expect(sent(node, made)).rejects.toMatchObject({ code: 'fate-unknown' });
      expect(await sent(node, made)).toEqual({ id: made.id });
      await mine();
    }
    expect((await node.balance(USD, BERT)) - before).toBe(35n);
  });

  test('gives two orders of one moment two nonces, and one order the same nonce after a restart', async () => {
    const nonces = freshNonces();
    const first = open({ nonces });
    const [one, other] = [transfer(1n), transfer(2n)];
    const made = await Promise.all([first.prepare(one, sign), first.prepare(other, sign)]);
    await first.close();
    const node = open({ nonces });
    const uses = made.map((each) => granted(each).uses);
    expect(new Set(uses).size).toBe(2);
    const again = granted(await node.prepare(one, sign));
    expect(again.uses).toBe(uses[0]);
    const before = await node.balance(USD, BERT);
    for (const each of made) expect(await sent(node, granted(each))).toHaveProperty('id');
    await mine();
    expect((await node.balance(USD, BERT)) - before).toBe(3n);
  });

  test('refuses before it signs what cannot be paid, and says the figures', async () => {
    const node = open();
    const signed: string[] = [];
    const watched: SignDigest = async (digest) => {
      signed.push(digest);
      return sign(digest);
    };
    const held = await node.balance(COIN, OWNER);
    const no = async (order: Parameters<EvmNode['prepare']>[0], by = node) => rejectedWith(await by.prepare(order, watched)); // prettier-ignore
    expect(await no(transfer(10n ** 31n))).toBe('funds-insufficient');
    expect(await no(transfer(held + 1n, COIN))).toBe('funds-insufficient');
    expect(await no(transfer(held - 1n, COIN))).toBe('funds-insufficient');
    expect(await no({ ...transfer(1n), to: token })).toBe('address-invalid');
    expect(await no({ ...transfer(1n), to: BERT.replace('C5', 'c5') })).toBe('address-invalid');
    expect(await no({ ...transfer(1n), memo: 'rent' })).toBe('transfer-invalid');
    expect(await no(transfer(1n), open({ feeBound: GWEI }))).toBe('transfer-invalid');
    expect(await no(transfer(1n), open({ dayBound: GWEI }))).toBe('transfer-invalid');
    expect(signed).toEqual([]);
  });

  test('raises a stuck transaction by one that excludes it, within the bound', async () => {
    const node = open();
    const order = transfer(11n);
    const before = await node.balance(USD, BERT);
    const made = granted(await node.prepare(order, sign));
    expect(await sent(node, made)).toEqual({ id: made.id });
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(50n * GWEI).toString(16)}`);
    await mine();
    expect(await outcome(node, made)).toEqual({ kind: 'stuck' });
    const next = granted(await node.prepare(order, sign, [made]));
    expect(next.uses).toBe(made.uses);
    expect(next.id).not.toBe(made.id);
    expect(next.feeLots * 100n).toBeGreaterThanOrEqual(made.feeLots * 115n);
    const poor = open({ feeBound: (made.feeLots * 110n) / 100n });
    expect(rejectedWith(await poor.prepare(order, sign, [made]))).toBe('transfer-invalid');
    expect(await sent(node, next)).toEqual({ id: next.id });
    await mine(4);
    const found = await outcome(node, made, next);
    expect(found).toMatchObject({ kind: 'made', isFinal: true });
    expect((await node.balance(USD, BERT)) - before).toBe(11n);
  });

  test('tells a transaction that failed in its block, with its cost', async () => {
    const node = open();
    const made = granted(await node.prepare(transfer(3n), sign));
    await pausedToken(true);
    expect(await sent(node, made)).toEqual({ id: made.id });
    await mine(4);
    await pausedToken(false);
    const found = await outcome(node, made);
    expect(found).toMatchObject({ kind: 'failed', id: made.id, isFinal: true });
    expect(JSON.stringify(found)).toMatch(/cost \d+ wei/);
  });

  test('reads what arrived from the chain where a token takes a fee', async () => {
    const node = open();
    await pausedToken(false, 100n);
    const made = granted(await node.prepare(transfer(1_000n), sign));
    await sent(node, made);
    await mine(4);
    await pausedToken(false);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', transaction: { lots: 990n } });
  });

  test('lets confirmations fall when the chain reorganises, and sends the same bytes again', async () => {
    const node = open({ finality: 30 });
    const made = granted(await node.prepare(transfer(13n), sign));
    await sent(node, made);
    await mine(2);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false });
    await chain.rpc('anvil_reorg', 2, []);
    expect(await outcome(node, made)).toMatchObject({ kind: 'unseen' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    await mine(30);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
  });

  test('gives a payment up only when its nonce is used by another one in a final block', async () => {
    const node = open();
    const made = granted(await node.prepare(transfer(17n), sign));
    await chain.rpc('eth_sendTransaction', { from: OWNER, to: BERT, value: '0x1' });
    await mine();
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    await mine(4);
    expect(await outcome(node, made)).toMatchObject({ kind: 'dead' });
    await expect(sent(node, made)).rejects.toMatchObject({ code: 'fate-unknown' });
  });

  test('asks a token that wants so for an allowance of 0 first', async () => {
    const node = open();
    const approve = async (lots: bigint, nonce: string) => {
      const order = { network: 'ethereum', token: USD, owner: OWNER, lots, nonce };
      await sent(node, granted(await node.prepare(order, sign)));
      await mine();
      return node.allowance(USD, OWNER);
    };
    expect(await approve(5n, 'a')).toBe(5n);
    expect(await approve(8n, 'b')).toBe(0n);
    expect(await approve(8n, 'c')).toBe(8n);
    expect(await approve(0n, 'd')).toBe(0n);
  });

  test('believes no balance that two providers tell differently, and none that is malformed', async () => {
    const other = await chain.second();
    onTestFinished(async () => other.close());
    const node = open({ urls: [chain.url, other.url] });
    const balance = await node.balance(COIN, BERT);
    other.fault('eth_getBalance', { result: '0xffffffffffffffffffffff' });
    await expect(node.balance(COIN, BERT)).rejects.toMatchObject({ code: 'answer-invalid' });
    for (const result of ['0x', '0x00', 5, null, 'many']) {
      chain.fault('eth_getBalance', { result });
      other.fault('eth_getBalance', { result });
      await expect(node.balance(COIN, BERT)).rejects.toMatchObject({ code: 'answer-invalid' });
    }
    for (const fault of ['html', '429', 'half', 'lose answer'] as const) {
      chain.fault('eth_getBalance', fault);
      expect(await node.balance(COIN, BERT)).toBe(balance);
    }
  });

  test('takes "already known" of one provider and "underpriced" of another as what they mean', async () => {
    const other = await chain.second();
    onTestFinished(async () => other.close());
    const node = open({ urls: [chain.url, other.url] });
    const made = granted(await node.prepare(transfer(1n), sign));
    other.fault('eth_sendRawTransaction', { error: 'nonce too low' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    for (const one of [chain, other]) one.fault('eth_sendRawTransaction', { error: 'replacement transaction underpriced' }); // prettier-ignore
    await expect(sent(node, made)).rejects.toMatchObject({ code: 'fate-unknown' });
    for (const one of [chain, other]) one.fault('eth_sendRawTransaction', { error: 'already known' }); // prettier-ignore
    expect(await sent(node, made)).toEqual({ id: made.id });
    await mine();
  });
});

/** Sets what the token does next; anybody may. */
async function pausedToken(isPaused: boolean, feeBps = 0n): Promise<void> {
  const data = callData(SET, feeBps, isPaused ? 1n : 0n);
  await chain.rpc('eth_sendTransaction', { from: BERT, to: token, data });
  await mine();
}

/** Selector of `set(uint256,bool)`. */
const SET = '0x62f46d56';
