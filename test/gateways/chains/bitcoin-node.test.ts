import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh, TEST_NETWORK } from '@scure/btc-signer';
import { Transaction } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BitcoinNode } from '../../../src/gateways/chains/bitcoin/bitcoin-node.ts';
import type { BitcoinNodeOptions } from '../../../src/gateways/chains/bitcoin/options.ts';
import type { PreparedTransaction, SignDigest } from '../../../src/gateways/chains/node.ts';
import { answerToSend } from '../../../src/gateways/chains/bitcoin/send-answer.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { keySigner, signerOn } from '../../../src/swaps/keys/key-ring.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { granted, rejectedWith } from '../../swaps/chains/harness.ts';
import { signedDigest } from '../../swaps/chains/keys.ts';
import { EsploraServer } from './esplora.ts';

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' };
const KEY = new Uint8Array(32).fill(7);
const OWNER = p2tr(schnorr.getPublicKey(KEY), undefined, REGTEST).address ?? '';
const OTHER = p2tr(schnorr.getPublicKey(new Uint8Array(32).fill(8)), undefined, REGTEST).address ?? ''; // prettier-ignore
const PUBLIC = secp256k1.getPublicKey(new Uint8Array(32).fill(9));
/** An address of each kind, and what less is dust in it. */
const KINDS: readonly (readonly [string, bigint])[] = [
  [p2pkh(PUBLIC, REGTEST).address ?? '', 546n],
  [p2sh(p2wpkh(PUBLIC, REGTEST), REGTEST).address ?? '', 540n],
  [p2wpkh(PUBLIC, REGTEST).address ?? '', 294n],
  [p2wsh(p2pkh(PUBLIC, REGTEST), REGTEST).address ?? '', 330n],
  [OTHER, 330n],
];
const OWNER_V0 = p2wpkh(secp256k1.getPublicKey(KEY), REGTEST).address ?? '';
const sign: SignDigest = async (digest) => Promise.resolve(signedDigest('bitcoin', KEY, digest));
const signV0: SignDigest = async (digest) => Promise.resolve(signedDigest('evm', KEY, digest));
const COIN = 3;
const BTC = 100_000_000n;

const NETWORK = { id: 3, code: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', blockUs: 1, confirmations: 2, customTokens: false } as const; // prettier-ignore
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

  test('keeps the outputs of a successor, and adds one where its change does not suffice', async () => {
    const server = await served();
    const { chain } = server;
    chain.fund(OWNER, 50_000n);
    chain.fund(OWNER, 40_000n);
    const node = open(server, { feeBound: 20_000n });
    const order = transfer(49_000n);
    const made = granted(await node.prepare(order, sign));
    await sent(node, made);
    server.estimates = { '2': 60 };
    const next = granted(await node.prepare(order, sign, [made]));
    const inputs = (raw: string) => Transaction.fromHex(raw).ins.map(({ hash }) => Buffer.from(hash).toString('hex')); // prettier-ignore
    expect(inputs(made.raw)).toHaveLength(1);
    expect(inputs(next.raw)).toHaveLength(2);
    expect(inputs(next.raw)).toEqual(expect.arrayContaining(inputs(made.raw)));
    await sent(node, next);
    expect(chain.pool).toEqual(new Set([next.id]));
    server.estimates = { '2': 150 };
    const tooMuch = await node.prepare(order, sign, [made, next]);
    expect(tooMuch).toMatchObject({ code: 'transfer-invalid', field: 'fee' });
    chain.mine(2);
    expect(chain.held(OTHER)).toBe(49_000n);
  });

  test('prepares the same order again with the same outputs, and a successor without its book', async () => {
    const server = await served();
    for (let at = 0; at < 3; at += 1) server.chain.fund(OWNER, 50_000n);
    const node = open(server);
    const order = transfer(20_000n);
    const first = granted(await node.prepare(order, sign));
    const again = granted(await node.prepare(order, sign));
    expect(again).toEqual(first);
    await sent(node, first);
    const other = open(server);
    server.estimates = { '2': 20 };
    const next = granted(await other.prepare(order, sign, [first]));
    expect(next.uses).toBe(first.uses);
    await sent(other, next);
    expect(server.chain.pool).toEqual(new Set([next.id]));
  });

  test('gives no output twice after a restart, and takes one back that was never sent', async () => {
    const server = await served();
    for (let at = 0; at < 2; at += 1) server.chain.fund(OWNER, 50_000n);
    const inputs = freshFile();
    const [one, two, three] = [transfer(20_000n), transfer(20_000n), transfer(20_000n)];
    const preparedBy = async (order: ReturnType<typeof transfer>): Promise<PreparedTransaction> => {
      const node = open(server, { inputs });
      const made = granted(await node.prepare(order, sign));
      await node.close();
      return made;
    };
    const [first, second] = [await preparedBy(one), await preparedBy(two)];
    expect(second.uses).not.toBe(first.uses);
    const node = open(server, { inputs });
    expect(rejectedWith(await node.prepare(three, sign))).toBe('funds-insufficient');
    await expect(open(server, { inputs }).networks()).rejects.toMatchObject({ code: 'journal-locked' }); // prettier-ignore
    expect(await node.outputs('bitcoin', OWNER)).toEqual([]);
    await sent(node, second);
    await node.close();
    const system = new SystemScheduler();
    const later = { now: () => micros(system.now() + 16 * US_PER_MINUTE), at: system.at.bind(system) }; // prettier-ignore
    const soon = open(server, { inputs, http: { scheduler: { ...later, at: (at, call) => system.at(micros(at - 16 * US_PER_MINUTE), call) } } }); // prettier-ignore
    const third = granted(await soon.prepare(three, sign));
    expect(third.uses).toBe(first.uses);
    expect(rejectedWith(await soon.send('bitcoin', first.raw))).toBe('transfer-invalid');
    expect(server.chain.pool).toEqual(new Set([second.id]));
  });

  test('counts no deposit before it is confirmed, and an output once that is listed twice', async () => {
    const server = await served();
    server.chain.fund(OWNER, 50_000n);
    const id = server.chain.fund(OWNER, 7_000n, { isConfirmed: false });
    const node = open(server);
    expect(await node.balance(COIN, OWNER)).toBe(50_000n);
    expect(await node.outputs('bitcoin', OWNER)).toHaveLength(1);
    const mined = { confirmed: true, block_height: 1, block_hash: 'b'.repeat(64), block_time: 1 };
    const twice = [{ confirmed: false }, mined].map((status) => ({ txid: id, vout: 0, value: 7_000, status })); // prettier-ignore
    const body = JSON.stringify(twice);
    server.fault = (name) => (name.includes('/address/') ? { status: 200, body } : undefined);
    expect(await node.balance(COIN, OWNER)).toBe(7_000n);
  });

  test('counts the fee of a transfer of all outputs that are worth it', async () => {
    const server = await served();
    server.estimates = { '2': 10 };
    const node = open(server);
    const usual = await node.fee(COIN);
    for (let at = 0; at < 8; at += 1) server.chain.fund(OWNER, 5_000n);
    for (let at = 0; at < 30; at += 1) server.chain.fund(OWNER, 600n);
    expect(await node.balance(COIN, OWNER)).toBe(58_000n);
    const { lots } = await node.fee(COIN);
    expect(lots - usual.lots).toBe(6n * 680n);
    const whole = granted(await node.prepare(transfer(40_000n - lots), sign));
    expect(Transaction.fromHex(whole.raw).ins).toHaveLength(8);
  });

  test('waits for a payment that a fork gives back, or whose own money is on the other fork', async () => {
    const server = await served();
    const { chain } = server;
    chain.fund(OWNER, 50_000n);
    const node = open(server);
    const made = granted(await node.prepare(transfer(20_000n), sign));
    await sent(node, made);
    chain.mine(2);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
    chain.reorganise(2, { isKept: true });
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    expect(await node.transaction('bitcoin', made.id)).toBeUndefined();
    chain.mine();
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', transaction: { confirmations: 1 } }); // prettier-ignore
    chain.reorganise(4);
    chain.drop();
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    await expect(sent(node, made)).rejects.toMatchObject({ code: 'outcome-unknown' });
    chain.mine(5);
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
  });

  test('waits as long as a limit asks, within the longest wait of its settings', async () => {
    const server = await served();
    const node = open(server, {
      http: { retries: { attempts: 2, firstUs: 1, longestUs: 150_000 } },
    });
    await node.networks();
    let limits = 1;
    server.fault = () => {
      limits -= 1;
      return limits < 0 ? undefined : { status: 429, body: '', headers: { 'retry-after': '60' } };
    };
    const clock = new SystemScheduler();
    const since = clock.now();
    expect(await node.balance(COIN, OWNER)).toBe(0n);
    expect(clock.now() - since).toBeGreaterThanOrEqual(140_000);
    limits = 2;
    await expect(node.balance(COIN, OWNER)).rejects.toMatchObject({ code: 'service-unavailable' });
  });

  test('says what an address with too many outputs needs', async () => {
    const server = await served();
    server.fault = (name) =>
      name.includes('/address/') ? { status: 400, body: 'Too many history entries' } : undefined;
    const asked = open(server).balance(COIN, OWNER);
    await expect(asked).rejects.toMatchObject({ code: 'service-refused', message: expect.stringContaining('gather them into one') as string }); // prettier-ignore
  });

  test('spends what both providers list, and believes a block that both have', async () => {
    const [server, behind] = [await served(), await served()];
    for (const { chain } of [server, behind]) chain.fund(OWNER, 50_000n);
    server.chain.fund(OWNER, 90_000n);
    const node = open(server, { urls: [server.url, behind.url] });
    await expect(node.balance(COIN, OWNER)).rejects.toMatchObject({ code: 'answer-invalid' });
    expect(await node.outputs('bitcoin', OWNER)).toHaveLength(1);
    const made = granted(await node.prepare(transfer(20_000n), sign));
    expect(await sent(node, made)).toEqual({ id: made.id });
    server.chain.mine(2);
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    expect(await node.transaction('bitcoin', made.id)).toBeUndefined();
    behind.chain.mine(3);
    // Blocks of other hashes at the same height: a fork, which nothing is believed of.
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
  });

  test('gives outputs back when a payment is dead, and pays with them', async () => {
    const server = await served();
    for (let at = 0; at < 2; at += 1) server.chain.fund(OWNER, 50_000n);
    const node = open(server);
    const made = granted(await node.prepare(transfer(80_000n), sign));
    expect(Transaction.fromHex(made.raw).ins).toHaveLength(2);
    server.chain.displace(made.raw);
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    server.chain.mine();
    expect(await outcome(node, made)).toMatchObject({ kind: 'dead', reason: expect.stringContaining('somebody else') as string }); // prettier-ignore
    expect(rejectedWith(await node.send('bitcoin', made.raw))).toBe('transfer-invalid');
    granted(await node.prepare(transfer(40_000n), sign));
  });

  test('does not pay again where an older copy of its inputs was put back', async () => {
    const server = await served();
    for (let at = 0; at < 2; at += 1) server.chain.fund(OWNER, 50_000n);
    const inputs = freshFile();
    const node = open(server, { inputs });
    const order = transfer(20_000n);
    const made = granted(await node.prepare(order, sign));
    const older = readFileSync(inputs);
    await sent(node, made);
    server.chain.mine();
    await node.close();
    writeFileSync(inputs, older);
    const later = open(server, { inputs });
    await expect(later.prepare(order, sign)).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('signs an order no more that was sent and spent where nobody kept what was sent', async () => {
    const server = await served();
    for (let at = 0; at < 2; at += 1) server.chain.fund(OWNER, 50_000n);
    const node = open(server);
    const order = transfer(20_000n);
    await sent(node, granted(await node.prepare(order, sign)));
    server.chain.mine();
    await expect(node.prepare(order, sign)).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('keeps the costs of a day within its bound', async () => {
    const server = await served();
    for (let at = 0; at < 3; at += 1) server.chain.fund(OWNER, 50_000n);
    const node = open(server, { dayBound: 1_000n });
    await sent(node, granted(await node.prepare(transfer(20_000n), sign)));
    const no = await node.prepare(transfer(20_000n), sign);
    expect(no).toMatchObject({ code: 'transfer-invalid', message: expect.stringContaining('dayBound') as string }); // prettier-ignore
  });

  test('refuses dust of each kind of address, a memo, an approval, and an own address of a script', async () => {
    const server = await served();
    server.chain.fund(OWNER, 50_000n);
    const node = open(server);
    const never: SignDigest = async () => Promise.reject(new Error('nothing is signed'));
    for (const [to, dust] of KINDS) {
      expect(rejectedWith(await node.prepare(transfer(dust - 1n, to), never))).toBe('amount-invalid'); // prettier-ignore
      granted(await node.prepare(transfer(dust, to), sign));
      server.chain.fund(OWNER, 50_000n);
    }
    expect(rejectedWith(await node.prepare({ ...transfer(5_000n), memo: 'x' }, never))).toBe('transfer-invalid'); // prettier-ignore
    const approval = { network: 'bitcoin', token: COIN, owner: OWNER, lots: 1n, nonce: 'a' };
    expect(rejectedWith(await node.prepare(approval, never))).toBe('transfer-invalid');
    const [mainnet, testnet] = (['mainnet', 'testnet'] as const).map((chain) => signerOn(chain, keySigner('bitcoin', KEY)).address); // prettier-ignore
    expect(await node.prepare(transfer(5_000n, mainnet), never)).toMatchObject({
      code: 'address-invalid',
      field: 'to',
      message: `"${mainnet}" is an address of mainnet of Bitcoin, and not of regtest: take one that begins with bcrt1.`,
    });
    expect(await node.prepare(transfer(5_000n, OTHER, testnet), never)).toMatchObject({
      code: 'address-invalid',
      field: 'from',
      message: expect.stringContaining('is an address of testnet and signet of Bitcoin') as string,
    });
    const [[script] = ['']] = KINDS.slice(1);
    expect(rejectedWith(await node.prepare(transfer(5_000n, OTHER, script), never))).toBe('address-invalid'); // prettier-ignore
  });

  test('makes what bitcoinjs-lib reads with the same id, exact, within its bounds, and conserving value', async () => {
    const server = await served();
    const { chain } = server;
    const node = open(server);
    const deposits = fc.array(fc.bigInt({ min: 1_000n, max: 60_000n }), { minLength: 1, maxLength: 5 }); // prettier-ignore
    const asked = fc.bigInt({ min: 546n, max: 120_000n });
    const rate = fc.double({ min: 0.5, max: 40, noNaN: true });
    const kind = fc.constantFrom(...KINDS.map(([to]) => to));
    await fc.assert(
      fc.asyncProperty(deposits, asked, rate, kind, async (values, lots, by, to) => {
        for (const value of values) chain.fund(OWNER, value);
        server.estimates = { '2': by };
        const made = await node.prepare(transfer(lots, to), sign);
        if ('code' in made) return;
        const read = Transaction.fromHex(made.raw);
        expect(read.getId()).toBe(made.id);
        const before = chain.held(to);
        expect(await sent(node, made)).toEqual({ id: made.id });
        chain.mine();
        expect(chain.held(to) - before).toBe(lots);
        const fee = chain.find(made.id)?.fee ?? 0n;
        expect(fee).toBe(made.feeLots);
        const least = BigInt(Math.ceil(Math.max(1, by) * read.virtualSize()));
        expect(fee).toBeGreaterThanOrEqual(least);
        expect(fee).toBeLessThanOrEqual(100_000n);
      }),
      { numRuns: 30 },
    );
  });
});

test.each<[string, string]>([
  ['sendrawtransaction RPC error: {"code":-27,"message":"Transaction already in block chain"}', 'known'],
  ['sendrawtransaction RPC error: {"code":-27,"message":"Transaction outputs already in utxo set"}', 'known'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"txn-already-in-mempool"}', 'known'],
  ['sendrawtransaction RPC error: {"code":-25,"message":"bad-txns-inputs-missingorspent"}', 'unknown'],
  ['sendrawtransaction RPC error: {"code":-25,"message":"Missing inputs"}', 'unknown'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"txn-mempool-conflict"}', 'unknown'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"insufficient fee, rejecting replacement"}', 'unknown'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met, 10 < 111"}', 'wrong'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"dust"}', 'wrong'],
  ['sendrawtransaction RPC error: {"code":-26,"message":"too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]"}', 'wrong'],
  ['sendrawtransaction RPC error: {"code":-22,"message":"TX decode failed."}', 'wrong'],
  ['sendrawtransaction RPC error: {"code":-28,"message":"Loading block index"}', 'unknown'],
])('%s means %s', (text, meaning) => {
  expect(answerToSend(text)).toBe(meaning);
}); // prettier-ignore
